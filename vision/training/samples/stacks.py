"""Samples of the close look: the stacks of boards on which two points in three hold one, drawn or traced."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from vision.training.pictures.stacks import StackSample, cut_stacks, drawn_shots, finish_traced, stacked_scenes
from vision.training.samples.traced import opened
from vision.training.shards import Maker, Shard


def drawn(first_seed: int, boards: int) -> Iterator[StackSample]:
    """Draw the stacks of some random boards; equal seeds give equal samples."""
    for seed in range(first_seed, first_seed + boards):
        for shot in drawn_shots(seed, 1):
            sample = cut_stacks(shot, np.random.default_rng(seed + (1 << 32)))
            if sample is not None:
                yield sample


def traced(files: list[Path], seed: int) -> Iterator[StackSample]:
    """Cut traced pictures, spoiled anew for each ``seed``."""
    rng = np.random.default_rng(seed)
    for board, number, frame in opened(files):
        scene = stacked_scenes(board, number + 1, traced=True)[number]
        sample = cut_stacks(finish_traced(rng, scene, frame), rng)
        if sample is not None:
            yield sample


def shard(samples: list[StackSample]) -> Shard:
    """Join samples; ``boards`` numbers the board of each stack within the shard."""
    return {
        "strips": np.concatenate([s.strips for s in samples]),
        "views": np.concatenate([s.views for s in samples]),
        "counts": np.concatenate([s.counts for s in samples]),
        "levels": np.concatenate([s.levels for s in samples]),
        "boards": np.repeat(np.arange(len(samples)), [len(s.counts) for s in samples]),
    }


MAKER: Final = Maker(shard, {"drawn": drawn}, {"traced": traced})
