"""Draws boards with what was borne off, into shards: ``python -m vision.training.make_borne_off_samples FOLDER``."""

import argparse
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.training.pictures.borne_off import ZoneSample, borne_off_shots, cut_borne_off

PICTURES: Final = 4
"""Of each board."""
BOARDS_A_SHARD: Final = 20


def main() -> None:
    """Write shards that are not there yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shards", type=int, default=1)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    asked.folder.mkdir(parents=True, exist_ok=True)
    for number in range(asked.shards):
        first = asked.seed + number * BOARDS_A_SHARD
        target = asked.folder / f"{first:08d}.npz"
        if target.exists():
            continue
        samples: list[ZoneSample] = []
        for seed in range(first, first + BOARDS_A_SHARD):
            rng = np.random.default_rng(seed + (1 << 32))
            cut = [cut_borne_off(shot, rng) for shot in borne_off_shots(seed, PICTURES)]
            samples += [sample for sample in cut if sample is not None]
        unfinished = target.with_suffix(".part.npz")
        np.savez(
            unfinished,
            zones=np.stack([s.zones for s in samples]),
            views=np.stack([s.views for s in samples]),
            references=np.stack([s.references for s in samples]),
            counts=np.stack([s.counts for s in samples]),
            hidden=np.stack([s.hidden for s in samples]),
            trays=np.stack([s.trays for s in samples]),
            density=np.stack([s.density for s in samples]),
        )
        unfinished.rename(target)


if __name__ == "__main__":
    main()
