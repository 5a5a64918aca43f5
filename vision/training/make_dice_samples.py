"""Draws training samples: ``python -m vision.training.make_dice_samples OUT.npz --scenes 6000 --seed 11``.

``--boards 400`` cuts them out of whole boards instead of close scenes. Each shard holds finder tiles with marks and
crops with their truth; different seeds give different dice and tables.
"""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import Frame
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

MOST_MARKS: Final = 14
BOARD_TILES: Final = 5
MINED_SCORE: Final = 0.2
MARK_FIELDS: Final = ("x", "y", "log_size", "is_die", "visible")
CROP_FIELDS: Final = (
    "slant", "known", "is_die", "face", "tilt", "on_checker", "moving", "log_size", "off_x", "off_y", "visible",
    "lean_x", "lean_y", "face_px",
)  # fmt: skip


def mark_row(mark: Mark) -> list[float]:
    """Numbers in the order of MARK_FIELDS."""
    return [mark.x, mark.y, mark.log_size, float(mark.is_die), mark.visible]


def crop_row(sample: DieSample) -> list[float]:
    """Numbers in the order of CROP_FIELDS."""
    lies = [float(sample.is_die), sample.value - 1.0, sample.tilt_deg, float(sample.on_checker), float(sample.moving)]
    seen = [sample.crop.slant, float(sample.crop.known)]
    return [*seen, *lies, sample.log_size, *sample.offset, sample.visible, *sample.lean, sample.face_px]


class _Shard:
    """Rows of a shard in the making."""

    def __init__(self) -> None:
        self._tiles: list[Frame] = []
        self._marks: list[npt.NDArray[np.float32]] = []
        self._crops: list[Frame] = []
        self._rows: list[list[float]] = []

    def add_tile(self, tile: Tile) -> None:
        """Add a finder tile."""
        filled = np.full((MOST_MARKS, len(MARK_FIELDS)), np.nan, np.float32)
        for index, mark in enumerate(tile.marks[:MOST_MARKS]):
            filled[index] = mark_row(mark)
        self._tiles.append(tile.picture)
        self._marks.append(filled)

    def add_crops(self, samples: list[DieSample]) -> None:
        """Add crops for the reading net."""
        self._crops += [sample.crop.picture for sample in samples]
        self._rows += [crop_row(sample) for sample in samples]

    def save(self, out: Path) -> None:
        """Write it."""
        meta = np.array(self._rows, np.float32)
        np.savez(out, tiles=np.stack(self._tiles), marks=np.stack(self._marks), crops=np.stack(self._crops), meta=meta)


def close_shard(rng: np.random.Generator, scenes: Iterable[DiceScene], finder: Any) -> _Shard:
    """Cut one tile and the dice of each of many close scenes, and what the finder takes for dice."""
    shard = _Shard()
    for scene in scenes:
        seen = seen_scene(rng, scene)
        tile = finder_tile(rng, seen, (scene.frame.shape[1] / 2, scene.frame.shape[0] / 2))
        shard.add_tile(tile)
        if finder is not None:
            shard.add_crops(found_samples(seen, tile, detect(finder, tile.picture, FINDER_DIE_PX, MINED_SCORE)))
        else:
            shard.add_crops(die_samples(rng, seen_scene(rng, scene)))
    return shard


def traced_scenes(rng: np.random.Generator, files: list[Path]) -> Iterator[DiceScene]:
    """Scenes of traced pictures, spoiled anew; one that was cut short by a stopped run is left out."""
    for file in files:
        frame = cv2.imread(str(file))
        if frame is not None:
            yield traced_scene(rng, crowd(int(file.stem)), np.asarray(frame, np.uint8))


def board_shard(rng: np.random.Generator, boards: int, finder: Any) -> _Shard:
    """Cut some tiles and the dice of two pictures of each of many boards, and what the finder takes for dice."""
    shard = _Shard()
    for _ in range(boards):
        for shot in throw_shots(int(rng.integers(1 << 40)), 2):
            seen = seen_throw(rng, shot)
            if seen is None:
                continue
            middles = [die.image.centre_px for die in shot.dice[:2]]
            reach = seen.view.to_picture(rng.uniform([0, 0], [1, 0.8], (BOARD_TILES, 2)), 0.0)
            middles += [(float(x), float(y)) for x, y in reach]
            tiles = [finder_tile(rng, seen, middle) for middle in middles[:BOARD_TILES]]
            for tile in tiles:
                shard.add_tile(tile)
                if finder is not None:
                    shard.add_crops(found_samples(seen, tile, detect(finder, tile.picture, FINDER_DIE_PX, MINED_SCORE)))
            shard.add_crops(die_samples(rng, seen, 0))
            shard.add_crops([empty_sample(seen, spot, seen.unit) for spot in _empty_spots(middles, seen)])
    return shard


def _empty_spots(middles: list[tuple[float, float]], seen: ViewedScene) -> list[tuple[float, float]]:
    """Keep the spots that lie in the picture and off every die."""
    height, width = seen.frame.shape[:2]
    dice = [die.image.centre_px for die in seen.dice]
    return [
        (x, y)
        for x, y in middles
        if 0 < x < width and 0 < y < height and all(np.hypot(x - a, y - b) > seen.face_px for a, b in dice)
    ]


def main() -> None:
    """Write one shard."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=6000)
    parser.add_argument("--boards", type=int, default=0)
    parser.add_argument("--traced", type=Path, help="a folder of make_traced_dice, instead of drawing scenes")
    parser.add_argument("--mine", action="store_true", help="cut what the present finder takes for dice")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    files = sorted(asked.traced.glob("*.png")) if asked.traced is not None else []
    if asked.traced is not None and not files:
        parser.error(f"no traced pictures in {asked.traced}: make some with vision.training.make_traced_dice")
    cv2.setNumThreads(1)
    rng = np.random.default_rng(asked.seed)
    finder = open_net(WEIGHTS / "dice_finder.onnx") if asked.mine else None
    if asked.boards:
        shard = board_shard(rng, asked.boards, finder)
    elif asked.traced is not None:
        shard = close_shard(rng, traced_scenes(rng, files), finder)
    else:
        shard = close_shard(rng, (random_scene(rng) for _ in range(asked.scenes)), finder)
    shard.save(asked.out)


if __name__ == "__main__":
    main()
