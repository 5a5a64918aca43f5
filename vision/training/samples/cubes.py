"""Samples of the cube's nets: level tiles with marks for the finder, crops with their truth for the reader."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from vision.cube.views import FINDER_CUBE_PX
from vision.dice.finder import detect
from vision.inference import WEIGHTS, open_net
from vision.training.pictures.crowded import crowd
from vision.training.pictures.cube_boards import cube_shots
from vision.training.pictures.cube_samples import (
    CubeSample,
    cube_samples,
    finder_tile,
    for_cubes,
    found_samples,
    seen_board,
)
from vision.training.pictures.dice_samples import Tile, ViewedScene, seen_scene, traced_scene
from vision.training.pictures.dice_scenes import random_scene
from vision.training.samples.dice import marks_of
from vision.training.samples.traced import opened
from vision.training.shards import Maker, Shard

CUBES: Final = 0.6
"""Share of cubes among what lies in close scenes."""
EMPTY_CROPS: Final = 3
BOARD_TILES: Final = 4
MINED_SCORE: Final = 0.15
CUBE_FIELDS: Final = (
    "nadir_x", "nadir_y", "is_cube", "kind", "edge_x", "edge_y", "visible", "log_size", "off_x", "off_y", "face_px",
)  # fmt: skip

CubeCut = Tile | CubeSample
Tiled = tuple[ViewedScene, list[tuple[float, float]]]
"""A picture and the places (pixels) of the tiles to cut from it."""


def scenes(first_seed: int, size: int, *, mine: bool) -> Iterator[CubeCut]:
    """Draw close scenes; one tile each."""
    rng = np.random.default_rng(first_seed)
    drawn = (for_cubes(seen_scene(rng, random_scene(rng, CUBES), unknown=0.0)) for _ in range(size))
    yield from _cut(rng, (_whole(seen) for seen in drawn), mine=mine)


def traced(files: list[Path], seed: int, *, mine: bool) -> Iterator[CubeCut]:
    """Cut traced scenes, spoiled anew."""
    rng = np.random.default_rng(seed)
    spoiled = (traced_scene(rng, crowd(number, cubes=True), frame) for number, _, frame in opened(files))
    yield from _cut(rng, (_whole(for_cubes(seen_scene(rng, each, unknown=0.0))) for each in spoiled), mine=mine)


def boards(first_seed: int, size: int, *, mine: bool) -> Iterator[CubeCut]:
    """Draw two pictures of each of many boards; tiles round the cube, where dice lie and anywhere."""
    rng = np.random.default_rng(first_seed)

    def tiled() -> Iterator[Tiled]:
        for _ in range(size):
            for shot in cube_shots(int(rng.integers(1 << 40)), 2):
                seen = seen_board(rng, shot)
                if seen is None:
                    continue
                anywhere = seen.view.to_picture(rng.uniform([-0.15, -0.1], [1.15, 0.9], (BOARD_TILES, 2)), 0.0)
                middles = [die.image.centre_px for die in seen.dice] + [(float(x), float(y)) for x, y in anywhere]
                yield seen, middles[:BOARD_TILES]

    yield from _cut(rng, tiled(), mine=mine)


def _whole(seen: ViewedScene) -> Tiled:
    return seen, [(seen.frame.shape[1] / 2, seen.frame.shape[0] / 2)]


def _cut(rng: np.random.Generator, pictures: Iterable[Tiled], *, mine: bool) -> Iterator[CubeCut]:
    """Cut tiles and crops; with ``mine`` also what the present finder takes for cubes."""
    finder: Any = open_net(WEIGHTS / "cube_finder.onnx") if mine else None
    for seen, middles in pictures:
        for middle in middles:
            tile = finder_tile(rng, seen, middle)
            yield tile
            if finder is not None:
                found = detect(finder, tile.picture, FINDER_CUBE_PX, MINED_SCORE)
                yield from found_samples(rng, seen, tile, found)
        yield from cube_samples(rng, seen, EMPTY_CROPS)


def cube_row(sample: CubeSample) -> list[float]:
    """Numbers in the order of CUBE_FIELDS."""
    truth = [float(sample.is_cube), float(sample.kind), *sample.edges, sample.visible, sample.log_size]
    return [*sample.crop.nadir, *truth, *sample.offset, sample.face_px]


def shard(cut: list[CubeCut]) -> Shard:
    """Stack tiles with the marks of their cubes, and crops with their truth."""
    tiles = [each for each in cut if isinstance(each, Tile)]
    crops = [each for each in cut if isinstance(each, CubeSample)]
    return {
        "tiles": np.stack([tile.picture for tile in tiles]),
        "marks": np.stack([marks_of(mark for mark in tile.marks if mark.is_die) for tile in tiles]),
        "crops": np.stack([sample.crop.picture for sample in crops]),
        "meta": np.array([cube_row(sample) for sample in crops], np.float32),
    }


MAKER: Final = Maker(
    shard,
    {
        "scenes": partial(scenes, mine=False),
        "scenes_mined": partial(scenes, mine=True),
        "boards": partial(boards, mine=False),
        "boards_mined": partial(boards, mine=True),
    },
    {"traced": partial(traced, mine=False), "traced_mined": partial(traced, mine=True)},
)
"""The mined kinds add what the present finder takes for cubes."""
