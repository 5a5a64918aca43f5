"""Reads doubling cubes on drawn boards that training never saw: what is calibrated, and what the tests ask for."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.board.geometry import BoardNotFoundError, BoardPose, BoardShape
from vision.cube.reader import CubeReader, ReadCube, top_of
from vision.dice.views import level_view
from vision.training.pictures.cube_boards import cube_shots
from vision.training.pictures.cubes import number_on

FIRST_SEED: Final = 2_000_000_000_000
"""Beyond the seeds of training, which are below 2**40."""
PICTURES_A_BOARD: Final = 2
LEAST_PX, LEAST_VISIBLE = 12.0, 0.85
"""A cube smaller or more hidden than this is not asked for."""
NEAR, BODY = 0.5, 1.5
"""In sides of the top from its middle: what is read there is the cube; what is read so near is no other thing."""
CORNER_ERROR: Final = 0.002
"""Standard error of the corners in widths of the board: as a careful person gives them."""


@dataclass(frozen=True, slots=True)
class Observed:
    """One drawn board: whether a clear cube lies there, its number (None: a logo), what the nets said of it."""

    cube: bool
    number: int | None
    read: ReadCube | None
    """Of the cube, where it was found."""
    other: float
    """How surely the most cube-like other thing is one."""


def observe(boards: int, first_seed: int = FIRST_SEED) -> Iterator[Observed]:
    """Read drawn boards with corners as slightly wrong as a person's."""
    reader = CubeReader()
    for seed in range(first_seed, first_seed + boards):
        for number, shot in enumerate(cube_shots(seed, PICTURES_A_BOARD)):
            rng = np.random.default_rng(seed * PICTURES_A_BOARD + number)
            spread = CORNER_ERROR * float(np.linalg.norm(shot.corners[0] - shot.corners[1]))
            corners = shot.corners + rng.normal(0, spread, (4, 2)).astype(np.float32)
            height, width = shot.frame.shape[:2]
            try:
                pose = BoardPose(corners, BoardShape(shot.dims.bar_edges), (width, height))
            except BoardNotFoundError:
                continue
            cubes = reader.look(shot.frame, pose)
            cube = next((die for die in shot.dice if die.rest == "cube"), None)
            if cube is None:
                other = max((seen.is_cube for seen in cubes), default=0.0)
                yield Observed(cube=False, number=None, read=None, other=other)
                continue
            x, y = cube.image.centre_px
            inside = 0 <= x < width and 0 <= y < height
            if not inside or cube.image.face_px < LEAST_PX or cube.visible < LEAST_VISIBLE:
                continue
            view, face_px = level_view(pose), cube.image.face_px
            tops = [view.to_picture([seen.detection.place], seen.detection.size)[0] for seen in cubes]
            away = [float(np.hypot(*(top - (x, y)))) for top in tops]
            on_it = [seen for seen, apart in zip(cubes, away, strict=True) if apart < BODY * face_px]
            read = top_of(view, on_it) if on_it else None
            right = read is not None and away[cubes.index(read)] < NEAR * face_px
            others = [seen.is_cube for seen in cubes if seen not in on_it]
            top = number_on(cube.die.look, cube.image.value)
            yield Observed(cube=True, number=top, read=read if right else None, other=max(others, default=0.0))
