"""What a net brings to its training; the loop, the export and the command are the same for all."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from vision.training.recipe import Recipe
from vision.training.shards import Pool, Rows, Shard, rows_of

Labels = dict[str, Tensor]
Batch = tuple[tuple[Tensor, ...], Labels]
"""What the net is given, and what is true of it."""
Outputs = tuple[Tensor, ...]
Inputs = dict[str, npt.NDArray[np.float32]]
"""One input of the exported net by its names."""


class Task(ABC):
    """One net: its pictures, its loss, what is exported and how its scores are calibrated."""

    fields: ClassVar[tuple[str, ...]]
    """What is read of a shard."""
    inputs: ClassVar[tuple[str, ...]]
    outputs: ClassVar[tuple[str, ...]]
    """Names in the exported net."""
    free_axes: ClassVar[Mapping[str, Mapping[int, str]]] = {}
    """Axes of any length in the exported net."""
    settle_steps: ClassVar[int] = 40

    def __init__(self, recipe: Recipe, work: Path) -> None:
        self.recipe = recipe
        self.work = work

    @abstractmethod
    def build(self) -> nn.Module:
        """Return the net before it has learnt anything."""

    @abstractmethod
    def batch(self, step: int) -> Batch:
        """Return the batch of a step: a function of the recipe's seed and the step alone."""

    @abstractmethod
    def loss(self, outputs: Outputs, truth: Labels) -> tuple[Tensor, dict[str, float]]:
        """Return the sum of all losses and the figures that a person wants to watch."""

    @abstractmethod
    def example(self) -> tuple[Tensor, ...]:
        """Return one input of the exported net, of the right shapes."""

    @abstractmethod
    def typical(self) -> Iterable[Inputs]:
        """Inputs from which the range of each layer's values is taken."""

    def held_out(self) -> Iterator[Batch]:
        """Batches that training never sees."""
        yield from ()

    def prepare(self, net: nn.Module) -> None:
        """Take over what a training begins with, before its first step."""
        del net

    def start(self, net: nn.Module, weights: dict[str, Tensor]) -> None:
        """Take over the weights of an earlier training."""
        net.load_state_dict(weights)

    def groups(self, net: nn.Module) -> list[dict[str, Any]]:
        """Return the net's parameters, with the share of the rate at which each group learns."""
        return [{"params": list(net.parameters()), "share": 1.0}]

    def exported(self, net: nn.Module) -> nn.Module:
        """Return what is exported of the net."""
        return net

    def neutral(self) -> dict[str, float]:
        """Return calibration figures that change nothing: with them the bare scores are measured."""
        return {}

    def calibrate(self, weights: Path) -> dict[str, float]:
        """Measure the exported net on pictures that it never saw; what is measured travels with the weights."""
        del weights
        return {}

    def rng(self, step: int) -> np.random.Generator:
        """Random numbers of one step."""
        return np.random.default_rng((self.recipe.train.seed, step))

    def rows(self, shard: Shard) -> Rows:
        """Rows of a shard that teach something."""
        return np.arange(len(shard[self.fields[0]]))

    @cached_property
    def pools(self) -> list[Pool]:
        """A pool for each of the recipe's folders."""
        train = self.recipe.train
        return [
            Pool(
                self.work / folder,
                train.seed + number,
                shards_at_once=train.shards_at_once,
                steps=train.steps_a_pool,
                fields=self.fields,
                rows=self.rows,
            )
            for number, folder in enumerate(train.folders)
        ]

    def rows_at(self, step: int, count: int) -> Shard:
        """Return a step's rows, the same share of each pool."""
        shares = [len(part) for part in np.array_split(np.arange(count), len(self.pools))]
        parts = [rows_of(*pool.pick(step, share)) for pool, share in zip(self.pools, shares, strict=True) if share]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def measuring_shards(self) -> list[Path]:
        """Return the shards that only measure."""
        return [file for folder in self.recipe.held_out for file in sorted((self.work / folder).glob("*.npz"))]


def as_tensor(values: npt.NDArray[np.generic], kind: type[np.generic] = np.float32) -> Tensor:
    """Return a tensor of its own, of one type of number."""
    return torch.from_numpy(np.array(values, kind, order="C"))
