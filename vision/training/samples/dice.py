"""Samples of the dice's nets: level tiles with marks for the finder, crops with their truth for the reader."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from vision.dice.finder import detect
from vision.dice.views import FINDER_DIE_PX
from vision.inference import WEIGHTS, open_net
from vision.training.pictures.crowded import crowd
from vision.training.pictures.dice_samples import (
    DieSample,
    Mark,
    Tile,
    ViewedScene,
    die_samples,
    empty_sample,
    finder_tile,
    found_samples,
    seen_scene,
    seen_throw,
    traced_scene,
)
from vision.training.pictures.dice_scenes import DiceScene, random_scene
from vision.training.pictures.dice_throws import throw_shots
from vision.training.samples.photos import photos
from vision.training.samples.traced import opened
from vision.training.shards import Maker, Shard

MOST_MARKS: Final = 14
BOARD_TILES: Final = 5
MINED_SCORE: Final = 0.2
MARK_FIELDS: Final = ("x", "y", "log_size", "is_die", "visible")
CROP_FIELDS: Final = (
    "slant", "known", "is_die", "face", "tilt", "on_checker", "moving", "log_size", "off_x", "off_y", "visible",
    "lean_x", "lean_y", "face_px",
)  # fmt: skip

DieCut = Tile | DieSample


def scenes(first_seed: int, size: int, *, mine: bool) -> Iterator[DieCut]:
    """Draw close scenes and cut one tile and the dice of each."""
    rng = np.random.default_rng(first_seed)
    yield from _close(rng, (random_scene(rng) for _ in range(size)), _finder(mine=mine))


def traced(files: list[Path], seed: int, *, mine: bool) -> Iterator[DieCut]:
    """Cut traced scenes, spoiled anew."""
    rng = np.random.default_rng(seed)
    spoiled = (traced_scene(rng, crowd(number), frame) for number, _, frame in opened(files))
    yield from _close(rng, spoiled, _finder(mine=mine))


def boards(first_seed: int, size: int, *, mine: bool) -> Iterator[DieCut]:
    """Cut some tiles and the dice of two pictures of each of many drawn boards."""
    rng, finder = np.random.default_rng(first_seed), _finder(mine=mine)
    for _ in range(size):
        for shot in throw_shots(int(rng.integers(1 << 40)), 2):
            seen = seen_throw(rng, shot)
            if seen is None:
                continue
            middles = [die.image.centre_px for die in shot.dice[:2]]
            reach = seen.view.to_picture(rng.uniform([0, 0], [1, 0.8], (BOARD_TILES, 2)), 0.0)
            middles += [(float(x), float(y)) for x, y in reach]
            tiles = [finder_tile(rng, seen, middle) for middle in middles[:BOARD_TILES]]
            for tile in tiles:
                yield tile
                yield from _mined(seen, tile, finder)
            yield from die_samples(rng, seen, 0)
            yield from (empty_sample(seen, spot, seen.unit) for spot in _empty_spots(middles, seen))


def _close(rng: np.random.Generator, drawn: Iterable[DiceScene], finder: Any) -> Iterator[DieCut]:
    """Cut one tile of each scene and its dice, or what the finder takes for dice."""
    for scene in drawn:
        seen = seen_scene(rng, scene)
        tile = finder_tile(rng, seen, (scene.frame.shape[1] / 2, scene.frame.shape[0] / 2))
        yield tile
        yield from _mined(seen, tile, finder) if finder else die_samples(rng, seen_scene(rng, scene))


def _finder(*, mine: bool) -> Any:
    return open_net(WEIGHTS / "dice_finder.onnx") if mine else None


def _mined(seen: ViewedScene, tile: Tile, finder: Any) -> list[DieSample]:
    return found_samples(seen, tile, detect(finder, tile.picture, FINDER_DIE_PX, MINED_SCORE)) if finder else []


def _empty_spots(middles: list[tuple[float, float]], seen: ViewedScene) -> list[tuple[float, float]]:
    """Keep the spots that lie in the picture and off every die."""
    height, width = seen.frame.shape[:2]
    dice = [die.image.centre_px for die in seen.dice]
    return [
        (x, y)
        for x, y in middles
        if 0 < x < width and 0 < y < height and all(np.hypot(x - a, y - b) > seen.face_px for a, b in dice)
    ]


def marks_of(marks: Iterable[Mark]) -> npt.NDArray[np.float32]:
    """Return marks in the order of MARK_FIELDS, filled up with not-a-number, shape (MOST_MARKS, 5)."""
    rows = [[mark.x, mark.y, mark.log_size, float(mark.is_die), mark.visible] for mark in marks][:MOST_MARKS]
    filled = np.full((MOST_MARKS, len(MARK_FIELDS)), np.nan, np.float32)
    filled[: len(rows)] = np.array(rows, np.float32).reshape(-1, len(MARK_FIELDS))
    return filled


def crop_row(sample: DieSample) -> list[float]:
    """Numbers in the order of CROP_FIELDS."""
    lies = [float(sample.is_die), sample.value - 1.0, sample.tilt_deg, float(sample.on_checker), float(sample.moving)]
    seen = [sample.crop.slant, float(sample.crop.known)]
    return [*seen, *lies, sample.log_size, *sample.offset, sample.visible, *sample.lean, sample.face_px]


def shard(cut: list[DieCut]) -> Shard:
    """Stack tiles with their marks, and crops with their truth."""
    tiles = [each for each in cut if isinstance(each, Tile)]
    crops = [each for each in cut if isinstance(each, DieSample)]
    read: Shard = {
        "crops": np.stack([sample.crop.picture for sample in crops]),
        "meta": np.array([crop_row(sample) for sample in crops], np.float32),
    }
    if not tiles:  # photos: nothing for the finder
        return read
    found: Shard = {
        "tiles": np.stack([tile.picture for tile in tiles]),
        "marks": np.stack([marks_of(tile.marks) for tile in tiles]),
    }
    return found | read


MAKER: Final = Maker(
    shard,
    {
        "scenes": partial(scenes, mine=False),
        "scenes_mined": partial(scenes, mine=True),
        "boards": partial(boards, mine=False),
        "boards_mined": partial(boards, mine=True),
    },
    {"traced": partial(traced, mine=False), "traced_mined": partial(traced, mine=True), "photos": photos},
)
"""The mined kinds and ``photos`` cut what the present finder takes for dice."""
