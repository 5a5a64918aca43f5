"""Measures what the cube reader's scores mean, on drawn boards that training never saw; the tests ask for it, too."""

import logging
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardNotFoundError, BoardPose, BoardShape
from vision.cube.reader import CubeCalibration, CubeReader, ReadCube, probabilities, top_of
from vision.dice.views import level_view
from vision.readings import CUBE_VALUES
from vision.training.calibration import UntrainedError
from vision.training.pictures.cube_boards import cube_shots
from vision.training.pictures.cubes import number_on

logger = logging.getLogger(__name__)

FIRST_SEED: Final = 2_000_000_000_000
"""Beyond the seeds of training, which are below 2**40."""
PICTURES_A_BOARD: Final = 2
LEAST_PX, LEAST_VISIBLE = 12.0, 0.85
"""A cube smaller or more hidden than this is not asked for."""
NEAR, BODY = 0.5, 1.5
"""In sides of the top from its middle: what is read there is the cube; what is read so near is no other thing."""
CORNER_ERROR: Final = 0.002
"""Standard error of the corners in widths of the board: as a careful person gives them."""
INVENTED: Final = 0.005
"""Share of pictures in which something else may be taken for a cube."""
LEAST_CUBE, MOST_CUBE = 0.9, 0.995
WRONG_OF_CALLED: Final = 0.005
"""Share of the called numbers that may be wrong: a note to the arbiter that is none costs more than none."""
LEAST_VALUE: Final = 0.8


@dataclass(frozen=True, slots=True)
class Observed:
    """One drawn board: whether a clear cube lies there, its number (None: a logo), the nets' scores of it."""

    cube: bool
    number: int | None
    read: ReadCube | None
    """Of the cube, where it was found."""
    other: float
    """How surely the most cube-like other thing is one."""


def observe(reader: CubeReader, boards: int, first_seed: int = FIRST_SEED) -> Iterator[Observed]:
    """Read drawn boards with corners as slightly wrong as a person's."""
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
            cube = next((die for die in shot.dice if die.rest is None), None)
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


def calibration_figures(weights: Path, boards: int) -> dict[str, float]:
    """Measure weights on one half of the boards; log what the other half makes of it."""
    reader = CubeReader(weights)
    meaning = bounds(list(observe(reader, boards)))
    report(list(observe(reader, boards, FIRST_SEED + boards)), meaning)
    return asdict(meaning)


def bounds(observed: list[Observed]) -> CubeCalibration:
    """Choose from where on something is a cube, and from where on its number is called."""
    others = [seen.other for seen in observed]
    cube_above = float(np.clip(np.quantile(others, 1 - INVENTED), LEAST_CUBE, MOST_CUBE))
    read = [seen for seen in observed if seen.cube and seen.read and seen.read.is_cube >= cube_above]
    if not read:
        msg = "no cube was found on the drawn boards: train longer"
        raise UntrainedError(msg)
    temperatures = np.exp(np.linspace(np.log(0.3), np.log(6), 60))
    value_temperature = float(temperatures[int(np.argmin([_loss(read, temperature) for temperature in temperatures]))])
    best, right = _called(read, value_temperature)
    order = np.argsort(-best)
    wrong = np.cumsum(~right[order])
    fine = np.flatnonzero(wrong <= WRONG_OF_CALLED * np.arange(1, len(order) + 1))
    above = float(best[order][fine[-1]]) if len(fine) else 1.0
    return CubeCalibration(value_temperature, cube_above, max(LEAST_VALUE, above))


def _loss(read: list[Observed], temperature: float) -> float:
    losses = []
    for seen in read:
        kind = len(CUBE_VALUES) if seen.number is None else CUBE_VALUES.index(seen.number)
        losses.append(-np.log(probabilities(_kinds(seen), temperature)[kind] + 1e-9))
    return float(np.mean(losses))


def _called(read: list[Observed], temperature: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """Probability of the best number and whether it is the one on top, for each cube."""
    numbers = np.array([probabilities(_kinds(seen), temperature)[: len(CUBE_VALUES)] for seen in read])
    best = numbers.argmax(1)
    right = [CUBE_VALUES[index] == seen.number for index, seen in zip(best, read, strict=True)]
    return numbers.max(1), np.array(right, np.bool_)


def _kinds(seen: Observed) -> tuple[float, ...]:
    return seen.read.kinds if seen.read else (0.0,) * (len(CUBE_VALUES) + 1)


def report(observed: list[Observed], meaning: CubeCalibration) -> None:
    """Say how good the nets are with these bounds."""
    cubes = [seen for seen in observed if seen.cube]
    read = [seen for seen in cubes if seen.read and seen.read.is_cube >= meaning.cube_above]
    invented = sum(seen.other >= meaning.cube_above for seen in observed)
    best, right = _called(read, meaning.value_temperature)
    called = best >= meaning.value_above
    numbered = np.array([seen.number is not None for seen in read])
    logger.info("%d cubes, %d found; invented in %d of %d", len(cubes), len(read), invented, len(observed))
    logger.info(
        "numbers: %d right of %d, of them called %d; called and wrong %d (%d on a logo or a bare face)",
        (right & numbered).sum(), numbered.sum(), (called & right).sum(), (called & ~right).sum(),
        (called & ~numbered).sum(),
    )  # fmt: skip
