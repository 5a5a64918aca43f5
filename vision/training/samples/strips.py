"""Samples of the strip reader: all strips of a board, drawn or traced."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from vision.training.pictures.samples import BoardSample, cut_sample, scenes_to_trace, shots, traced_shot
from vision.training.samples.traced import opened
from vision.training.shards import Maker, Shard


def drawn(first_seed: int, boards: int) -> Iterator[BoardSample]:
    """Draw one picture of each of some random boards; equal seeds give equal samples."""
    for seed in range(first_seed, first_seed + boards):
        for shot in shots(seed, 1):
            sample = cut_sample(shot, np.random.default_rng(seed + (1 << 32)))
            if sample is not None:
                yield sample


def traced(files: list[Path], seed: int) -> Iterator[BoardSample]:
    """Cut traced pictures, spoiled anew for each ``seed``."""
    rng = np.random.default_rng(seed)
    for board, number, frame in opened(files):
        sample = cut_sample(traced_shot(rng, scenes_to_trace(board, number + 1)[number], frame), rng)
        if sample is not None:
            yield sample


def shard(samples: list[BoardSample]) -> Shard:
    """Stack samples."""
    return {
        "strips": np.stack([s.strips for s in samples]),
        "views": np.stack([s.views for s in samples]),
        "counts": np.stack([s.counts for s in samples]),
        "hidden": np.stack([s.hidden for s in samples]),
        "centres": np.stack([s.centres for s in samples]),
        "sets": np.stack([s.sets for s in samples]),
    }


MAKER: Final = Maker(shard, {"drawn": drawn}, {"traced": traced})
