"""Shards of samples: written once by a recipe, read in an order that depends on seed and step alone."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.training.recipe import RecipeError, Samples

Shard = dict[str, npt.NDArray[np.generic]]
Rows = npt.NDArray[np.intp]
Drawn = Callable[[int, int], Iterable[Any]]
"""Samples of so many boards or scenes from a first seed on."""
Traced = Callable[[list[Path], int], Iterable[Any]]
"""Samples of traced pictures, spoiled by a seed."""


@dataclass(frozen=True, slots=True)
class Maker:
    """How the samples of a net are made, by kind, and what a shard of them holds."""

    shard: Callable[[list[Any]], Shard]
    drawn: Mapping[str, Drawn]
    traced: Mapping[str, Traced] = field(default_factory=dict)


def write_shards(maker: Maker, part: Samples, work: Path) -> None:
    """Write the shards of a part of a recipe that are not there yet, so that a stopped run goes on."""
    folder = work / part.folder
    folder.mkdir(parents=True, exist_ok=True)
    for target, make in _jobs(maker, part, work):
        file = folder / f"{target}.npz"
        if file.exists():
            continue
        unfinished = file.with_suffix(".part")
        samples = list(make())
        if not samples:
            continue
        with unfinished.open("wb") as out:
            np.savez(out, **maker.shard(samples))  # type: ignore[arg-type]  # the stub takes them for flags
        unfinished.rename(file)


def _jobs(maker: Maker, part: Samples, work: Path) -> Iterator[tuple[str, Callable[[], Iterable[Any]]]]:
    if part.kind in maker.drawn:
        for number in range(part.shards):
            seed = part.seed + number * part.size
            yield f"{part.kind}_{seed:08d}", partial(maker.drawn[part.kind], seed, part.size)
        return
    if part.kind not in maker.traced:
        msg = f"no samples of kind {part.kind!r}: known are {', '.join((*maker.drawn, *maker.traced))}"
        raise RecipeError(msg)
    files = sorted(file for file in (work / part.pictures).glob("*") if file.suffix in {".png", ".jpg"})
    if not files:
        msg = f"no pictures in {work / part.pictures}: run the step 'pictures' of the recipe first, or put photos there"
        raise RecipeError(msg)
    for number in range(part.shards):
        for start in range(0, len(files), part.size):
            seed = part.seed + number
            make = partial(maker.traced[part.kind], files[start : start + part.size], seed)
            yield f"{part.kind}_{seed:05d}_{start:05d}", make


class Pool:
    """Rows out of the shards of one folder: which ones a step gets depends on the seed and the step alone.

    So a run that was stopped and goes on sees what an undisturbed one would have seen.
    """

    def __init__(
        self,
        folder: Path,
        seed: int,
        *,
        shards_at_once: int,
        steps: int,
        fields: tuple[str, ...],
        rows: Callable[[Shard], Rows],
    ) -> None:
        """Open ``shards_at_once`` shards for ``steps`` steps each; ``rows`` chooses those that teach something."""
        self._files = sorted(folder.glob("*.npz"))
        if not self._files:
            msg = f"no samples in {folder}: run the step 'samples' of the recipe first"
            raise RecipeError(msg)
        self._seed, self._at_once, self._steps = seed, shards_at_once, steps
        self._fields, self._rows = fields, rows
        self._number = -1
        self._shard: Shard = {}
        self._order: Rows = np.zeros(0, np.intp)

    def shard_at(self, step: int) -> Shard:
        """Return the samples that are open at a step."""
        number = step // self._steps
        if number != self._number:
            rng = np.random.default_rng((self._seed, number))
            chosen = [self._files[index] for index in rng.permutation(len(self._files))[: self._at_once]]
            self._shard = _joined([load(file, self._fields) for file in chosen])
            self._order, self._number = rng.permutation(self._rows(self._shard)), number
        return self._shard

    def pick(self, step: int, count: int) -> tuple[Shard, Rows]:
        """Return the samples open at a step and which rows of them are the step's; all are shown before one twice."""
        shard = self.shard_at(step)
        first = step % self._steps * count
        return shard, np.take(self._order, range(first, first + count), mode="wrap")


def rows_of(shard: Shard, rows: Rows) -> Shard:
    """Return some rows of a shard."""
    return {name: values[rows] for name, values in shard.items()}


def load(file: Path, names: Iterable[str]) -> Shard:
    """Open what is asked for of a shard."""
    with np.load(file) as stored:
        return {name: stored[name] for name in names}


def _joined(shards: list[Shard]) -> Shard:
    """Join shards; ``boards`` numbers the boards within each, and goes on counting."""
    if len(shards) == 1:
        return shards[0]
    joined = {name: np.concatenate([shard[name] for shard in shards]) for name in shards[0]}
    if "boards" in joined:
        firsts = np.cumsum([0, *(int(shard["boards"].max()) + 1 for shard in shards[:-1])])
        numbered = [shard["boards"] + first for shard, first in zip(shards, firsts, strict=True)]
        joined["boards"] = np.concatenate(numbered)
    return joined
