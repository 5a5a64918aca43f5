"""The command of those who write samples into shards: of boards that are drawn, or cut out of traced pictures."""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeVar

import cv2

BOARDS_A_SHARD: Final = 40
Sample = TypeVar("Sample")


def write_shards(
    about: str,
    tracer: str,
    drawn: Callable[[int], Iterator[Sample]],
    traced: Callable[[list[Path], int], Iterator[Sample]],
    save: Callable[[Path, list[Sample]], None],
) -> None:
    """Write the shards that the command line asks for and that are not there yet.

    ``drawn`` draws a shard's boards from a first seed, ``traced`` cuts pictures of ``tracer`` with a seed.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shards", type=int, default=1, help="drawn: so many; traced: so many times all pictures")
    parser.add_argument("--traced", type=Path, help=f"a folder of {tracer}, instead of drawing boards")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    asked.folder.mkdir(parents=True, exist_ok=True)
    files = sorted(asked.traced.glob("*.png")) if asked.traced is not None else []
    if asked.traced is not None and not files:
        parser.error(f"no traced pictures in {asked.traced}: make some with vision.models.{tracer}")
    for number in range(asked.shards):
        if asked.traced is None:
            seed = asked.seed + number * BOARDS_A_SHARD
            target = asked.folder / f"{seed:08d}.npz"
            if not target.exists():
                save(target, list(drawn(seed)))
            continue
        for start in range(0, len(files), BOARDS_A_SHARD):
            target = asked.folder / f"t{asked.seed + number:03d}{start:04d}.npz"
            if not target.exists():
                save(target, list(traced(files[start : start + BOARDS_A_SHARD], asked.seed + number)))
