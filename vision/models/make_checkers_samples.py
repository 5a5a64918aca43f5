"""Renders training samples into shards: ``python -m vision.models.make_checkers_samples FOLDER FIRST_SEED SHARDS``."""

import sys
from pathlib import Path

import cv2
import numpy as np

from vision.synthetic.samples import Sample, Whole, cut_sample, shots, small_whole

PICTURES_A_BOARD = 1
BOARDS_A_SHARD = 40


def make_shard(first_seed: int) -> tuple[list[Sample], list[Whole]]:
    """Return the samples of some random boards and the pictures made small; equal seeds give equal samples."""
    samples, wholes = [], []
    for seed in range(first_seed, first_seed + BOARDS_A_SHARD):
        rng = np.random.default_rng(seed + (1 << 32))
        for shot in shots(seed, PICTURES_A_BOARD):
            sample = cut_sample(shot, rng)
            if sample is not None:
                samples.append(sample)
                wholes.append(small_whole(shot))
    return samples, wholes


def main(folder: Path, first_seed: int, shards: int) -> None:
    """Write shards that are not there yet."""
    cv2.setNumThreads(1)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(shards):
        seed = first_seed + number * BOARDS_A_SHARD
        target = folder / f"{seed:08d}.npz"
        if target.exists():
            continue
        samples, wholes = make_shard(seed)
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
        np.savez(
            target.with_suffix(".wholes.npz"),
            pictures=np.stack([w.picture for w in wholes]),
            corners=np.stack([w.corners for w in wholes]),
        )
        unfinished.rename(target)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
