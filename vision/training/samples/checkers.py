"""Samples of the three nets that read checkers: strips of a board, its stacks from close by, the zones beside it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from vision.training.pictures.borne_off import ZoneSample, borne_off_shots, cut_borne_off
from vision.training.pictures.samples import BoardSample, cut_sample, scenes_to_trace, shots, traced_shot
from vision.training.pictures.stacks import StackSample, cut_stacks, drawn_shots, finish_traced, stacked_scenes
from vision.training.samples.traced import opened
from vision.training.shards import Maker, Shard

PICTURES_OF_ZONES: Final = 4
"""Of each board."""
ZONE_FIELDS: Final = ("zones", "views", "references", "counts", "hidden", "trays", "density")


def drawn_strips(first_seed: int, boards: int) -> Iterator[BoardSample]:
    """Draw one picture of each of some random boards; equal seeds give equal samples."""
    for seed in range(first_seed, first_seed + boards):
        for shot in shots(seed, 1):
            sample = cut_sample(shot, np.random.default_rng(seed + (1 << 32)))
            if sample is not None:
                yield sample


def traced_strips(files: list[Path], seed: int) -> Iterator[BoardSample]:
    """Cut traced pictures, spoiled anew for each ``seed``."""
    rng = np.random.default_rng(seed)
    for board, number, frame in opened(files):
        sample = cut_sample(traced_shot(rng, scenes_to_trace(board, number + 1)[number], frame), rng)
        if sample is not None:
            yield sample


def shard_of_strips(samples: list[BoardSample]) -> Shard:
    """Stack samples."""
    return {
        "strips": np.stack([s.strips for s in samples]),
        "views": np.stack([s.views for s in samples]),
        "counts": np.stack([s.counts for s in samples]),
        "hidden": np.stack([s.hidden for s in samples]),
        "centres": np.stack([s.centres for s in samples]),
        "sets": np.stack([s.sets for s in samples]),
    }


STRIPS: Final = Maker(shard_of_strips, {"drawn": drawn_strips}, {"traced": traced_strips})


def drawn_stacks(first_seed: int, boards: int) -> Iterator[StackSample]:
    """Draw the stacks of some random boards; equal seeds give equal samples."""
    for seed in range(first_seed, first_seed + boards):
        for shot in drawn_shots(seed, 1):
            sample = cut_stacks(shot, np.random.default_rng(seed + (1 << 32)))
            if sample is not None:
                yield sample


def traced_stacks(files: list[Path], seed: int) -> Iterator[StackSample]:
    """Cut traced pictures, spoiled anew for each ``seed``."""
    rng = np.random.default_rng(seed)
    for board, number, frame in opened(files):
        scene = stacked_scenes(board, number + 1, traced=True)[number]
        sample = cut_stacks(finish_traced(rng, scene, frame), rng)
        if sample is not None:
            yield sample


def shard_of_stacks(samples: list[StackSample]) -> Shard:
    """Join samples; ``boards`` numbers the board of each stack within the shard."""
    return {
        "strips": np.concatenate([s.strips for s in samples]),
        "views": np.concatenate([s.views for s in samples]),
        "counts": np.concatenate([s.counts for s in samples]),
        "levels": np.concatenate([s.levels for s in samples]),
        "boards": np.repeat(np.arange(len(samples)), [len(s.counts) for s in samples]),
    }


STACKS: Final = Maker(shard_of_stacks, {"drawn": drawn_stacks}, {"traced": traced_stacks})


def drawn_zones(first_seed: int, boards: int) -> Iterator[ZoneSample]:
    """Draw some random boards with what was borne off; equal seeds give equal samples."""
    for seed in range(first_seed, first_seed + boards):
        rng = np.random.default_rng(seed + (1 << 32))
        for shot in borne_off_shots(seed, PICTURES_OF_ZONES):
            sample = cut_borne_off(shot, rng)
            if sample is not None:
                yield sample


def shard_of_zones(samples: list[ZoneSample]) -> Shard:
    """Stack samples."""
    return {name: np.stack([getattr(sample, name) for sample in samples]) for name in ZONE_FIELDS}


ZONES: Final = Maker(shard_of_zones, {"drawn": drawn_zones})
