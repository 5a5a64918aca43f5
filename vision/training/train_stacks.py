"""Trains the close look at stacks: ``python -m vision.training.train_stacks CHECKPOINT SHARDS... --minutes 60``.

Shards come from ``make_stack_samples``; no other picture is ever used. Every folder gives the same share of each batch;
one that is named twice gives two shares.
"""

import argparse
import logging
import math
import time
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from vision.training.stacks_net import LEVELS, StacksNet

logger = logging.getLogger(__name__)

BATCH: Final = 48
GROUPS: Final = (1, 2, 3, 4, 6)
"""Stacks of one board that are shown together: as few as a real position has, or some more."""
POOL_SHARDS: Final = 4
PASSES: Final = 3
"""Times that each board of a pool is shown, in other groups and colours, before the pool changes."""
PEAK_RATE: Final = 2e-3
AGAIN_RATE: Final = 1e-3
Shard = dict[str, npt.NDArray[np.generic]]


class Pool:
    """Random groups of stacks of one board out of a folder of shards that may still be growing."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder = folder
        self._rng = np.random.default_rng(seed)
        self._shards: list[Shard] = []
        self._boards: list[tuple[int, npt.NDArray[np.intp]]] = []
        self._left = 0

    def group(self, stacks: int) -> Shard:
        """Return ``stacks`` stacks of one board; a board that has fewer shows some twice."""
        if self._left <= 0:
            self._refill()
        self._left -= stacks
        shard, rows = self._boards[int(self._rng.integers(len(self._boards)))]
        picked = self._rng.choice(rows, stacks, replace=len(rows) < stacks)
        return {name: self._shards[shard][name][picked] for name in ("strips", "views", "counts", "levels")}

    def _refill(self) -> None:
        names = sorted(self._folder.glob("????????.npz"))
        chosen = self._rng.permutation(len(names))[:POOL_SHARDS]
        self._shards = [dict(np.load(names[index])) for index in chosen]
        self._boards = [
            (index, np.flatnonzero(shard["boards"] == board))
            for index, shard in enumerate(self._shards)
            for board in np.unique(shard["boards"])
        ]
        self._left = PASSES * sum(len(rows) for _, rows in self._boards)


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


def as_tensors(groups: list[Shard]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Stack groups of equal size: strips (g, k, 3, 336, 80), views (g, k, 2), counts (g, k), levels (g * k, 42, 10)."""
    strips = np.stack([np.asarray(group["strips"], np.float32) for group in groups]).transpose(0, 1, 4, 2, 3)
    views = np.stack([np.asarray(group["views"], np.float32) for group in groups])
    counts = np.stack([np.asarray(group["counts"], np.int64) for group in groups])
    levels = np.concatenate([np.asarray(group["levels"], np.int64) for group in groups]).clip(0, LEVELS - 1)
    return (
        torch.from_numpy(np.ascontiguousarray(strips)),
        torch.from_numpy(views),
        torch.from_numpy(counts),
        torch.from_numpy(np.ascontiguousarray(levels)),
    )


def losses(net: torch.nn.Module, batch: tuple[Tensor, Tensor, Tensor, Tensor]) -> tuple[Tensor, dict[str, float]]:
    """Return the sum of all losses and what a person wants to watch."""
    strips, views, counts, levels = batch
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=net.training):
        outputs = net(strips, views)
    count, level = (output.float() for output in outputs)
    count_loss = torch.nn.functional.cross_entropy(count.flatten(0, 1), counts.flatten())
    level_loss = torch.nn.functional.cross_entropy(level, levels)
    right = (count.argmax(2) == counts).float()
    high = counts >= 5
    watched = {
        "count": count_loss.item(), "levels": level_loss.item(),
        "right": float(right.mean()), "high": float(right[high].mean()) if high.any() else 1.0,
    }  # fmt: skip
    return count_loss + 2 * level_loss, watched


def evaluate(net: torch.nn.Module, shard_names: list[Path]) -> dict[str, float]:
    """Return the watched figures' means over held-out shards, up to four stacks of a board at a time."""
    net.eval()
    results: list[dict[str, float]] = []
    with torch.inference_mode():
        for name in shard_names:
            shard = dict(np.load(name))
            for board in np.unique(shard["boards"]):
                rows = np.flatnonzero(shard["boards"] == board)
                for start in range(0, len(rows), 4):
                    part = {key: shard[key][rows[start : start + 4]] for key in ("strips", "views", "counts", "levels")}
                    results.append(losses(net, as_tensors([part]))[1])
    net.train()
    return {key: float(np.mean([result[key] for result in results])) for key in results[0]}


def train(folders: list[Path], checkpoint: Path, minutes: float, start: Path | None, seed: int = 1) -> None:
    """Train for ``minutes``; shards in each folder's ``held_out`` only measure."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    net = StacksNet()
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    if start is not None:
        net.load_state_dict(torch.load(start))
    net.train()
    peak = PEAK_RATE if start is None else AGAIN_RATE
    optimiser = torch.optim.AdamW(net.parameters(), lr=peak, weight_decay=0.02)
    average = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.995))  # type: ignore[no-untyped-call]
    pools = [Pool(folder, seed + index) for index, folder in enumerate(folders)]
    rng = np.random.default_rng(seed)
    begun, step = time.monotonic(), 0
    while (done := (time.monotonic() - begun) / 60 / minutes) < 1:
        rate = peak * min(1.0, (step + 1) / 100) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * done)))
        optimiser.param_groups[0]["lr"] = rate
        stacks = int(rng.choice(GROUPS))
        groups = [varied(pools[number % len(pools)].group(stacks), rng) for number in range(BATCH // stacks)]
        total, watched = losses(net, as_tensors(groups))
        optimiser.zero_grad()
        total.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        average.update_parameters(net)
        step += 1
        if step % 50 == 0:
            logger.info("step %d %s", step, " ".join(f"{key} {value:.4f}" for key, value in watched.items()))
        if step % 1000 == 0:
            _keep(average.module, checkpoint, folders, step)
    _keep(average.module, checkpoint, folders, step)


def _keep(net: torch.nn.Module, checkpoint: Path, folders: list[Path], step: int) -> None:
    torch.save(net.state_dict(), checkpoint)
    for folder in dict.fromkeys(folders):
        held_out = sorted((folder / "held_out").glob("????????.npz"))
        if not held_out:
            continue
        figures = evaluate(net, held_out)
        logger.info("%s %d %s", folder.name, step, " ".join(f"{key} {value:.4f}" for key, value in figures.items()))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("shards", type=Path, nargs="+")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    train(chosen.shards, chosen.checkpoint, chosen.minutes, chosen.start, chosen.seed)


if __name__ == "__main__":
    main()
