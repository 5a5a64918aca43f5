"""The close look at stacks: its network, what it learns, how it is weighed against the first look."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from vision.checkers.close_look import CloseLook, possible_stacks
from vision.checkers.strip_net import StripNet
from vision.training.calibration import Column
from vision.training.nets.checkers import COUNTS
from vision.training.nets.layers import Block, conv, doubled, standardised
from vision.training.pictures.samples import (
    SEEN,
    BoardPicture,
    guessed_pose,
    hidden_places,
    scenes_to_trace,
    shots,
    traced_shot,
)
from vision.training.pictures.stacks import drawn_odds
from vision.training.samples.traced import opened
from vision.training.shards import Shard, load, rows_of
from vision.training.task import Batch, Inputs, Labels, Outputs, Task, as_tensor

logger = logging.getLogger(__name__)

LEVELS: Final = 5
"""No top, a top of the first, second or third layer, and of any above."""
WIDTH: Final = 96
HEADS: Final = 4
GROUPS: Final = (1, 2, 3, 4, 6)
"""Stacks of one board that are shown together: as few as a real position has, or some more."""
PAIRS_FOR_RANGES: Final = 32
TRACED_TIMES: Final = 6
"""How often each traced picture is spoiled anew and read."""


class Context(nn.Module):
    """Attention among the stacks of a board. PyTorch's own layer fixes their number when it is exported."""

    def __init__(self) -> None:
        super().__init__()
        self.before = nn.LayerNorm(WIDTH)
        self.asks = nn.Linear(WIDTH, 3 * WIDTH)
        self.answer = nn.Linear(WIDTH, WIDTH)
        self.think = nn.Sequential(
            nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 2 * WIDTH), nn.ReLU(inplace=True), nn.Linear(2 * WIDTH, WIDTH)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Shape in and out (boards, stacks, 96)."""
        heads = self.asks(self.before(x)).reshape(x.shape[0], -1, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        share = torch.softmax(heads[0] @ heads[1].transpose(2, 3) * (WIDTH // HEADS) ** -0.5, 3)
        x = x + self.answer((share @ heads[2]).transpose(1, 2).reshape(x.shape[0], -1, WIDTH))
        thought: Tensor = self.think(x)
        return x + thought


class StacksNet(nn.Module):
    """Close strips of one or more boards to counts and, for each cell, which layer's top is seen."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(
            conv(3, 16, 5, 2), conv(16, 32, 3, 2), Block(32), conv(32, 48, 3, 2), Block(48)
        )  # fmt: skip
        self.coarse = nn.Sequential(conv(48, 96, 3, 2), Block(96))
        self.squeeze = nn.Sequential(nn.Conv2d(96, 64, (1, 5)), nn.ReLU(inplace=True))
        self.levels = nn.Sequential(nn.Conv2d(48 + 96, 48, 1), nn.ReLU(inplace=True), nn.Conv2d(48, LEVELS, 1))
        self.token = nn.Sequential(
            nn.Linear(64 * 21 + LEVELS * 42 + 2, 192), nn.ReLU(inplace=True), nn.Dropout(0.15), nn.Linear(192, WIDTH)
        )
        # The stacks of one board show each other how thick its checkers are and how its rows lie.
        self.context = Context()
        self.count = nn.Linear(WIDTH, COUNTS)

    def forward(self, strips: Tensor, views: Tensor) -> tuple[Tensor, Tensor]:
        """Read strips (boards, stacks, 3, 336, 80), BGR 0..255, and views (boards, stacks, 2).

        Returns count logits (boards, stacks, 16) and level logits (boards * stacks, 5, 42, 10).
        """
        boards, stacks = strips.shape[0], strips.shape[1]
        flat = strips.reshape(boards * stacks, 3 * 336 * 80)
        fine = self.fine(standardised(flat).reshape(-1, 3, 336, 80))
        coarse = self.coarse(fine)
        wide = torch.cat([fine, doubled(coarse)], 1)
        levels = self.levels(wide)
        line = self.squeeze(coarse).flatten(1)
        profile = torch.softmax(levels, 1).sum(3).flatten(1)
        token = self.token(torch.cat([line, profile, views.reshape(-1, 2) * 0.2], 1))
        return self.count(self.context(token.reshape(boards, stacks, WIDTH))), levels


def varied(group: Shard, rng: np.random.Generator) -> Shard:
    """Return a board's stacks in other colours, sharpness and noise, mirrored or not."""
    strips = np.asarray(group["strips"], np.float32)
    gain = np.exp(rng.normal(0, 0.12, 3) + rng.normal(0, 0.2)).astype(np.float32)
    strips = np.clip(strips * gain, 0, 255)
    if rng.random() < 0.5:
        strips = 255 * (strips / 255) ** np.float32(np.exp(rng.normal(0, 0.25)))
    if rng.random() < 0.3:
        strips = strips[..., rng.permutation(3)]
    if rng.random() < 0.4:  # a little off, as corners given by hand are
        strips = np.roll(strips, (int(rng.integers(-4, 5)), int(rng.integers(-2, 3))), (1, 2))
    if rng.random() < 0.4:
        strips = _coarser(strips, float(rng.uniform(1.1, 2.6)))
    if rng.random() < 0.5:
        strips = strips + rng.normal(0, rng.uniform(0, 7), strips.shape).astype(np.float32)
    views, levels = np.array(group["views"], np.float32), np.asarray(group["levels"])
    if rng.random() < 0.5:
        strips, levels = strips[:, :, ::-1], levels[:, :, ::-1]
        views = views * np.array([-1, 1], np.float32)
    return {"strips": np.clip(strips, 0, 255), "views": views, "counts": group["counts"], "levels": levels}


def _coarser(strips: npt.NDArray[np.float32], factor: float) -> npt.NDArray[np.float32]:
    pixels = torch.from_numpy(np.ascontiguousarray(strips.transpose(0, 3, 1, 2)))
    small = torch.nn.functional.interpolate(pixels, scale_factor=1 / factor, mode="area")
    back = torch.nn.functional.interpolate(small, size=pixels.shape[2:], mode="bilinear")
    return np.asarray(back.numpy().transpose(0, 2, 3, 1), np.float32)


def as_batch(groups: list[Shard]) -> Batch:
    """Stack groups of equal size: strips (g, k, 3, 336, 80), views (g, k, 2), counts (g, k), levels (g * k, 42, 10)."""
    strips = np.stack([group["strips"] for group in groups]).transpose(0, 1, 4, 2, 3)
    truth = {
        "counts": as_tensor(np.stack([group["counts"] for group in groups]), np.int64),
        "levels": as_tensor(np.concatenate([group["levels"] for group in groups]), np.int64).clip(0, LEVELS - 1),
    }
    return (as_tensor(strips), as_tensor(np.stack([group["views"] for group in groups]))), truth


class StacksTask(Task):
    """Trains and exports the close look; ``[export]``: ``boards``, ``seed`` and ``traced``, to weigh both looks on."""

    fields = ("strips", "views", "counts", "levels", "boards")
    inputs = ("strips", "views")
    outputs = ("count", "levels")
    free_axes = {name: {0: "n"} for name in ("strips", "views", "count", "levels")}  # noqa: RUF012 - as the base has it
    settle_steps = 60

    def build(self) -> nn.Module:
        """Return the net before it has learnt anything."""
        return StacksNet()

    def batch(self, step: int) -> Batch:
        """Groups of stacks of one board, their colours and noise varied."""
        rng = self.rng(step)
        stacks = int(rng.choice(GROUPS))
        groups = []
        for number in range(self.recipe.train.batch // stacks):
            shard = self.pools[number % len(self.pools)].shard_at(step)
            rows = np.flatnonzero(shard["boards"] == rng.integers(int(shard["boards"].max()) + 1))
            picked = rng.choice(rows, stacks, replace=len(rows) < stacks)
            groups.append(varied(rows_of(shard, picked), rng))
        return as_batch(groups)

    def held_out(self) -> Iterator[Batch]:
        """Up to four stacks of a board at a time, as they are."""
        for file in self.measuring_shards():
            shard = load(file, self.fields)
            for board in np.unique(shard["boards"]):
                rows = np.flatnonzero(shard["boards"] == board)
                for start in range(0, len(rows), 4):
                    yield as_batch([rows_of(shard, rows[start : start + 4])])

    def loss(self, outputs: Outputs, truth: Labels) -> tuple[Tensor, dict[str, float]]:
        """Losses of counts and of the layers seen in each cell."""
        (count, level), counts = outputs, truth["counts"]
        count_loss = nn.functional.cross_entropy(count.flatten(0, 1), counts.flatten())
        level_loss = nn.functional.cross_entropy(level, truth["levels"])
        right = (count.argmax(2) == counts).float()
        high = counts >= 5
        watched = {
            "count": count_loss.item(), "levels": level_loss.item(),
            "right": float(right.mean()), "high": float(right[high].mean()) if high.any() else 1.0,
        }  # fmt: skip
        return count_loss + 2 * level_loss, watched

    def exported(self, net: nn.Module) -> nn.Module:
        """Return the stacks of one board, odds without the training's prior."""
        return OneBoard(net)

    def example(self) -> tuple[Tensor, ...]:
        """Three stacks."""
        return torch.zeros(3, 3, 336, 80), torch.zeros(3, 2)

    def typical(self) -> Iterator[Inputs]:
        """Stacks as training shows them."""
        given = 0
        for step in range(PAIRS_FOR_RANGES):
            (strips, views), _ = self.batch(self.recipe.train.steps + step)
            for some, seen in zip(strips[::4], views[::4], strict=True):
                yield {"strips": some.numpy(), "views": seen.numpy()}
                given += 1
            if given >= PAIRS_FOR_RANGES:
                return

    def neutral(self) -> dict[str, float]:
        """Weights that leave the close look alone."""
        return {"first_weight": 0.0, "close_weight": 1.0}

    def calibrate(self, weights: Path) -> dict[str, float]:
        """Return the powers of both looks' odds, fitted on boards as in play that training never saw."""
        return weigh(CloseLook(weights), StripNet(), self._boards_in_play())

    def _boards_in_play(self) -> Iterator[BoardPicture]:
        first, boards = int(self.recipe.export["seed"]), int(self.recipe.export["boards"])
        for seed in range(first, first + boards):
            yield from shots(seed, 1)
        traced = self.recipe.export.get("traced")
        files = sorted((self.work / str(traced)).glob("*.png")) if traced else []
        rng = np.random.default_rng(first)
        for board, number, frame in opened(files * TRACED_TIMES):
            yield traced_shot(rng, scenes_to_trace(board, number + 1)[number], frame)


class OneBoard(nn.Module):
    """The stacks of one board, odds without the training's prior."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net
        self.prior = nn.Parameter(torch.from_numpy(np.log(drawn_odds())), requires_grad=False)

    def forward(self, strips: Tensor, views: Tensor) -> tuple[Tensor, Tensor]:
        """Read strips (n, 3, 336, 80) and views (n, 2); count logits (n, 16), level logits (n, 5, 42, 10)."""
        count, levels = self.net(strips[None], views[None])
        return torch.log_softmax(count[0], 1) - self.prior, levels


def weigh(close: CloseLook, first: StripNet, seen: Iterator[BoardPicture]) -> dict[str, float]:
    """Return the powers of both looks' odds with the least cross entropy on points that may be stacks."""
    rng = np.random.default_rng(1)
    before, nearer, wanted = [], [], []
    for shot in seen:
        pose = guessed_pose(shot, rng)
        if pose is None:
            continue
        scores = first.look(shot.frame, pose)
        hidden = hidden_places(shot, pose)
        asked = [strip for strip in possible_stacks(scores, scores.counts[:24].max(1)) if hidden[strip] == SEEN]
        if asked:
            before.append(np.log(scores.counts[asked] + 1e-9))
            nearer.append(close.likelihood(shot.frame, pose, asked))
            wanted += [abs(shot.counts[strip]) for strip in asked]
    return _fit(np.concatenate(before).astype(float), np.concatenate(nearer).astype(float), np.array(wanted))


def _fit(before: Column, nearer: Column, wanted: npt.NDArray[np.int64]) -> dict[str, float]:
    rows = np.arange(len(wanted))
    best = (np.inf, 1.0, 0.0)
    for one in np.linspace(0, 1.2, 25):
        for two in np.linspace(0, 1.5, 31):
            odds = one * before + two * nearer
            loss = float(np.mean(np.logaddexp.reduce(odds, 1) - odds[rows, wanted]))
            best = min(best, (loss, float(one), float(two)))
    for name, one, two in (("first", 1.0, 0.0), ("close", 0.0, 1.0), ("both", best[1], best[2])):
        odds = one * before + two * nearer
        loss = float(np.mean(np.logaddexp.reduce(odds, 1) - odds[rows, wanted]))
        right = float(np.mean(odds.argmax(1) == wanted))
        logger.info("%s look: cross entropy %.4f, right %.4f of %d", name, loss, right, len(wanted))
    return {"first_weight": best[1], "close_weight": best[2]}
