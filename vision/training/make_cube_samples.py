"""Draws the cube reader's training samples: ``python -m vision.training.make_cube_samples OUT.npz --scenes 2500``.

``--boards 200`` cuts them out of whole boards instead of close scenes, ``--traced FOLDER`` out of the pictures of
``make_traced_dice --cubes``. Each shard holds finder tiles with marks and crops with their truth.
"""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import Frame
from vision.cube.views import FINDER_CUBE_PX
from vision.dice.finder import detect
from vision.inference import WEIGHTS, open_net
from vision.training.make_dice_samples import MARK_FIELDS, MOST_MARKS, mark_row
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
from vision.training.pictures.dice_samples import Mark, Tile, ViewedScene, seen_scene, traced_scene
from vision.training.pictures.dice_scenes import random_scene

CUBES: Final = 0.6
"""Share of cubes among what lies in close scenes."""
EMPTY_CROPS: Final = 3
BOARD_TILES: Final = 4
MINED_SCORE: Final = 0.15
CUBE_FIELDS: Final = (
    "nadir_x", "nadir_y", "is_cube", "kind", "edge_x", "edge_y", "visible", "log_size", "off_x", "off_y", "face_px",
)  # fmt: skip

Looked = tuple[ViewedScene, list[tuple[float, float]]]
"""A picture and the places (pixels) of the tiles to cut from it."""


def close_scenes(rng: np.random.Generator, scenes: int) -> Iterator[Looked]:
    """Draw close scenes; one tile each."""
    for _ in range(scenes):
        seen = for_cubes(seen_scene(rng, random_scene(rng, CUBES), unknown=0.0))
        yield seen, [(seen.frame.shape[1] / 2, seen.frame.shape[0] / 2)]


def boards(rng: np.random.Generator, count: int) -> Iterator[Looked]:
    """Draw two pictures of each of many boards; tiles round the cube, where dice lie and anywhere."""
    for _ in range(count):
        for shot in cube_shots(int(rng.integers(1 << 40)), 2):
            seen = seen_board(rng, shot)
            if seen is None:
                continue
            anywhere = seen.view.to_picture(rng.uniform([-0.15, -0.1], [1.15, 0.9], (BOARD_TILES, 2)), 0.0)
            middles = [die.image.centre_px for die in seen.dice] + [(float(x), float(y)) for x, y in anywhere]
            yield seen, middles[:BOARD_TILES]


def traced(rng: np.random.Generator, files: list[Path]) -> Iterator[Looked]:
    """Spoil traced pictures anew."""
    for file in files:
        frame = cv2.imread(str(file))
        if frame is not None:
            scene = traced_scene(rng, crowd(int(file.stem), cubes=True), np.asarray(frame, np.uint8))
            seen = for_cubes(seen_scene(rng, scene, unknown=0.0))
            yield seen, [(seen.frame.shape[1] / 2, seen.frame.shape[0] / 2)]


def save_shard(out: Path, rng: np.random.Generator, pictures: Iterable[Looked], finder: Any) -> None:
    """Cut tiles and crops out of pictures and write them; ``finder`` adds what it takes for cubes."""
    tiles: list[Frame] = []
    marks: list[npt.NDArray[np.float32]] = []
    samples: list[CubeSample] = []
    for seen, middles in pictures:
        for middle in middles:
            tile = finder_tile(rng, seen, middle)
            tiles.append(tile.picture)
            marks.append(_rows(tile))
            if finder is not None:
                samples += found_samples(rng, seen, tile, detect(finder, tile.picture, FINDER_CUBE_PX, MINED_SCORE))
        samples += cube_samples(rng, seen, EMPTY_CROPS)
    meta = np.array([cube_row(sample) for sample in samples], np.float32)
    crops = np.stack([sample.crop.picture for sample in samples])
    np.savez(out, tiles=np.stack(tiles), marks=np.stack(marks), crops=crops, meta=meta)


def cube_row(sample: CubeSample) -> list[float]:
    """Numbers in the order of CUBE_FIELDS."""
    truth = [float(sample.is_cube), float(sample.kind), *sample.edges, sample.visible, sample.log_size]
    return [*sample.crop.nadir, *truth, *sample.offset, sample.face_px]


def _rows(tile: Tile) -> npt.NDArray[np.float32]:
    filled = np.full((MOST_MARKS, len(MARK_FIELDS)), np.nan, np.float32)
    cubes: list[Mark] = [mark for mark in tile.marks if mark.is_die]
    for index, mark in enumerate(cubes[:MOST_MARKS]):
        filled[index] = mark_row(mark)
    return filled


def main() -> None:
    """Write one shard."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=2500)
    parser.add_argument("--boards", type=int, default=0)
    parser.add_argument("--traced", type=Path, help="a folder of make_traced_dice --cubes, instead of drawing scenes")
    parser.add_argument("--mine", action="store_true", help="cut what the present finder takes for cubes as well")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    files = sorted(asked.traced.glob("*.png")) if asked.traced is not None else []
    if asked.traced is not None and not files:
        parser.error(f"no traced pictures in {asked.traced}: make some with vision.training.make_traced_dice --cubes")
    cv2.setNumThreads(1)
    rng = np.random.default_rng(asked.seed)
    if asked.boards:
        pictures = boards(rng, asked.boards)
    elif files:
        pictures = traced(rng, files)
    else:
        pictures = close_scenes(rng, asked.scenes)
    save_shard(asked.out, rng, pictures, open_net(WEIGHTS / "cube_finder.onnx") if asked.mine else None)


if __name__ == "__main__":
    main()
