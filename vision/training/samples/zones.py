"""Samples of the reader of borne-off checkers: the four zones beside a drawn board."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from vision.training.pictures.borne_off import ZoneSample, borne_off_shots, cut_borne_off
from vision.training.shards import Maker, Shard

PICTURES: Final = 4
"""Of each board."""
FIELDS: Final = ("zones", "views", "references", "counts", "hidden", "trays", "density")


def drawn(first_seed: int, boards: int) -> Iterator[ZoneSample]:
    """Draw some random boards with what was borne off; equal seeds give equal samples."""
    for seed in range(first_seed, first_seed + boards):
        rng = np.random.default_rng(seed + (1 << 32))
        for shot in borne_off_shots(seed, PICTURES):
            sample = cut_borne_off(shot, rng)
            if sample is not None:
                yield sample


def shard(samples: list[ZoneSample]) -> Shard:
    """Stack samples."""
    return {name: np.stack([getattr(sample, name) for sample in samples]) for name in FIELDS}


MAKER: Final = Maker(shard, {"drawn": drawn})
