"""Cuts stacks out of pictures: ``python -m vision.training.make_stack_samples FOLDER --seed 1 --shards 10``.

``--traced PICTURES`` cuts those of ``make_traced_stacks`` instead of drawing some.
"""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.training.pictures.stacks import StackSample, cut_stacks, drawn_shots, finish_traced, stacked_scenes
from vision.training.shards import BOARDS_A_SHARD, write_shards


def drawn(first_seed: int) -> Iterator[StackSample]:
    """Stacks of some random boards; equal seeds give equal samples."""
    for seed in range(first_seed, first_seed + BOARDS_A_SHARD):
        for shot in drawn_shots(seed, 1):
            sample = cut_stacks(shot, np.random.default_rng(seed + (1 << 32)))
            if sample is not None:
                yield sample


def traced(files: list[Path], seed: int) -> Iterator[StackSample]:
    """Stacks of traced pictures, spoiled anew for each ``seed``."""
    rng = np.random.default_rng(seed)
    for file in files:
        frame = cv2.imread(str(file))
        board, number = map(int, file.stem.split("_"))
        if frame is None:  # half written when a run was stopped
            continue
        scene = stacked_scenes(board, number + 1, traced=True)[number]
        sample = cut_stacks(finish_traced(rng, scene, np.asarray(frame, np.uint8)), rng)
        if sample is not None:
            yield sample


def _save(target: Path, samples: list[StackSample]) -> None:
    unfinished = target.with_suffix(".part.npz")
    np.savez(
        unfinished,
        strips=np.concatenate([s.strips for s in samples]),
        views=np.concatenate([s.views for s in samples]),
        counts=np.concatenate([s.counts for s in samples]),
        levels=np.concatenate([s.levels for s in samples]),
        boards=np.repeat(np.arange(len(samples)), [len(s.counts) for s in samples]),
    )
    unfinished.rename(target)


if __name__ == "__main__":
    write_shards(__doc__, "make_traced_stacks", drawn, traced, _save)
