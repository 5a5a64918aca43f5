"""Renders training samples into shards: ``python -m vision.models.make_checkers_samples FOLDER FIRST_SEED SHARDS``."""

import sys
from pathlib import Path

import cv2
import numpy as np

from vision.synthetic.samples import Sample, cut_sample, shots

PICTURES_A_BOARD = 1
BOARDS_A_SHARD = 40


def make_shard(first_seed: int) -> list[Sample]:
    """Return the samples of some random boards; equal seeds give equal samples."""
    samples = []
    for seed in range(first_seed, first_seed + BOARDS_A_SHARD):
        rng = np.random.default_rng(seed + (1 << 32))
        samples += [sample for shot in shots(seed, PICTURES_A_BOARD) if (sample := cut_sample(shot, rng)) is not None]
    return samples


def main(folder: Path, first_seed: int, shards: int) -> None:
    """Write shards that are not there yet."""
    cv2.setNumThreads(1)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(shards):
        seed = first_seed + number * BOARDS_A_SHARD
        target = folder / f"{seed:08d}.npz"
        if target.exists():
            continue
        samples = make_shard(seed)
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
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
