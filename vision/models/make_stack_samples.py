"""Cuts stacks out of pictures into shards: ``python -m vision.models.make_stack_samples FOLDER --seed 1 --shards 10``.

``--traced PICTURES`` cuts those of ``make_traced_stacks`` instead of drawing some.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.synthetic.stacks import StackSample, cut_stacks, drawn_shots, finish_traced, stacked_scenes

BOARDS_A_SHARD: Final = 40


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


def main() -> None:
    """Write shards that are not there yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shards", type=int, default=1, help="drawn: so many; traced: so many times all pictures")
    parser.add_argument("--traced", type=Path, help="a folder of make_traced_stacks, instead of drawing boards")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    asked.folder.mkdir(parents=True, exist_ok=True)
    files = sorted(asked.traced.glob("*.png")) if asked.traced is not None else []
    if asked.traced is not None and not files:
        parser.error(f"no traced pictures in {asked.traced}: make some with vision.models.make_traced_stacks")
    for number in range(asked.shards):
        if asked.traced is None:
            seed = asked.seed + number * BOARDS_A_SHARD
            target = asked.folder / f"{seed:08d}.npz"
            if not target.exists():
                _save(target, list(drawn(seed)))
            continue
        for start in range(0, len(files), BOARDS_A_SHARD):
            target = asked.folder / f"t{asked.seed + number:03d}{start:04d}.npz"
            if not target.exists():
                _save(target, list(traced(files[start : start + BOARDS_A_SHARD], asked.seed + number)))


if __name__ == "__main__":
    main()
