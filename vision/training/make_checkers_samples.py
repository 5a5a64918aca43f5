"""Renders samples into shards: ``python -m vision.training.make_checkers_samples FOLDER --seed 1 --shards 10``.

``--traced PICTURES`` cuts those of ``make_traced_boards`` instead of drawing some.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.training.pictures.samples import BoardPicture, BoardSample, cut_sample, scenes_to_trace, shots, traced_shot
from vision.training.shards import BOARDS_A_SHARD, write_shards

PICTURES_A_BOARD: Final = 1


def drawn(first_seed: int) -> Iterator[BoardSample]:
    """Samples of some random boards; equal seeds give equal samples."""
    for seed in range(first_seed, first_seed + BOARDS_A_SHARD):
        rng = np.random.default_rng(seed + (1 << 32))
        for shot in shots(seed, PICTURES_A_BOARD):
            yield from _cut(shot, rng)


def traced(files: list[Path], seed: int) -> Iterator[BoardSample]:
    """Samples of traced pictures, spoiled anew for each ``seed``."""
    rng = np.random.default_rng(seed)
    for file in files:
        frame = cv2.imread(str(file))
        board, number = map(int, file.stem.split("_"))
        if frame is not None:
            yield from _cut(
                traced_shot(rng, scenes_to_trace(board, number + 1)[number], np.asarray(frame, np.uint8)), rng
            )


def _cut(shot: BoardPicture, rng: np.random.Generator) -> Iterator[BoardSample]:
    sample = cut_sample(shot, rng)
    if sample is not None:
        yield sample


def _save(target: Path, samples: list[BoardSample]) -> None:
    unfinished = target.with_suffix(".part.npz")
    np.savez(
        unfinished,
        strips=np.stack([s.strips for s in samples]),
        views=np.stack([s.views for s in samples]),
        counts=np.stack([s.counts for s in samples]),
        hidden=np.stack([s.hidden for s in samples]),
        centres=np.stack([s.centres for s in samples]),
        sets=np.stack([s.sets for s in samples]),
    )
    unfinished.rename(target)


if __name__ == "__main__":
    write_shards(__doc__, "make_traced_boards", drawn, traced, _save)
