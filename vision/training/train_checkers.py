"""Trains the strip reader: ``python -m vision.training.train_checkers SHARDS CHECKPOINT --steps 4000 [--start OLD]``.

Shards come from ``make_checkers_samples``; no other picture is ever used. One core, batches of eight boards.
"""

import argparse
import logging
import math
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from vision.training.checkers_net import EMBEDDING, CheckersNet
from vision.training.pictures.samples import HIDDEN, SEEN

logger = logging.getLogger(__name__)

BOARDS = 8
POOL_SHARDS = 10
FIELDS = ("strips", "views", "counts", "hidden", "centres", "sets")
PEAK_RATE, AGAIN_RATE = 2e-3, 1.2e-3
Shard = dict[str, npt.NDArray[np.generic]]


class Pool:
    """Random boards out of a folder of shards that may still be growing."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder = folder
        self._rng = np.random.default_rng(seed)
        self._order: list[tuple[int, int]] = []
        self._shards: list[Shard] = []

    def batch(self) -> dict[str, Tensor]:
        """Return the next boards, their colours and noise varied."""
        if len(self._order) < BOARDS:
            self._refill()
        picked = [self._order.pop() for _ in range(BOARDS)]
        stacked = {name: np.stack([self._shards[shard][name][board] for shard, board in picked]) for name in FIELDS}
        return as_tensors(stacked, self._rng)

    def _refill(self) -> None:
        names = sorted(self._folder.glob("????????.npz"))
        chosen = self._rng.permutation(len(names))[:POOL_SHARDS]
        self._shards = [dict(np.load(names[index])) for index in chosen]
        self._order = [(i, board) for i, shard in enumerate(self._shards) for board in range(len(shard["counts"]))]
        self._rng.shuffle(self._order)


def as_tensors(stacked: dict[str, npt.NDArray[np.generic]], rng: np.random.Generator | None) -> dict[str, Tensor]:
    """Turn stacked boards into flat tensors; with ``rng`` mirrored and recoloured at random."""
    strips = torch.from_numpy(stacked["strips"].astype(np.float32))
    views = torch.from_numpy(stacked["views"].astype(np.float32))
    centres = torch.from_numpy(stacked["centres"].astype(np.float32)) / 255
    sets = torch.from_numpy(stacked["sets"].astype(np.int64))
    if rng is not None:
        for board in range(len(strips)):
            gain = torch.from_numpy(np.exp(rng.normal(0, 0.12, 3) + rng.normal(0, 0.15)).astype(np.float32))
            strips[board] *= gain
            if rng.random() < 0.5:  # another curve from light to level, for all strips or for each its own
                size = (len(strips[board]), 1, 1, 1) if rng.random() < 0.5 else (1, 1, 1, 1)
                curve = torch.from_numpy(np.exp(rng.normal(0, 0.2, size)).astype(np.float32))
                strips[board] = 255 * (strips[board].clamp(0, 255) / 255) ** curve
            if rng.random() < 0.4:  # a little off, as corners given by hand are
                strips[board] = strips[board].roll((int(rng.integers(-2, 3)), int(rng.integers(-1, 2))), (1, 2))
            if rng.random() < 0.25:
                strips[board] = blurred(strips[board], float(rng.uniform(0.2, 0.9)))
            if rng.random() < 0.3:
                strips[board] = strips[board][..., torch.from_numpy(rng.permutation(3))]
            if rng.random() < 0.5:
                strips[board] += torch.randn_like(strips[board]) * float(rng.uniform(0, 6))
            # Mirrored boards, and boards of strips that were seen from either side.
            mirrored = torch.from_numpy(rng.random(strips.shape[1]) < rng.choice([0.0, 0.5, 1.0]))
            strips[board, mirrored] = strips[board, mirrored].flip(2)
            centres[board, mirrored] = centres[board, mirrored].flip(2)
            sets[board, mirrored] = sets[board, mirrored].flip(2)
            views[board, mirrored, 0] *= -1
        strips.clamp_(0, 255)
    return {
        "strips": strips.flatten(0, 1).permute(0, 3, 1, 2),
        "views": views.flatten(0, 1),
        "counts": torch.from_numpy(stacked["counts"].astype(np.int64)).flatten(),
        "hidden": torch.from_numpy(stacked["hidden"].astype(np.int64)).flatten(),
        "centres": centres.flatten(0, 1),
        "sets": sets.flatten(0, 1),
    }


def blurred(strips: Tensor, share: float) -> Tensor:
    """Mix strips (n, rows, columns, 3) with their means over 3 x 3 pixels."""
    pixels = strips.permute(0, 3, 1, 2)
    soft = torch.nn.functional.avg_pool2d(pixels, 3, 1, 1, count_include_pad=False)
    return ((1 - share) * pixels + share * soft).permute(0, 2, 3, 1)


def colour_items(colour: Tensor, side: Tensor, tops: Tensor, sets: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Mean look of each (strip, set) that shows tops, then its side; returns looks (k, 16), sets (k), strips (k)."""
    confidence = torch.sigmoid(tops[:, 1]).detach() * 0.7 + 0.3
    looks, which, strips = [], [], []
    for label in (1, 2):
        weight = (sets == label).float() * confidence
        total = weight.sum((1, 2))
        rows = torch.nonzero(total > 0)[:, 0]
        mean = (colour[rows] * weight[rows, None]).sum((2, 3)) / total[rows, None]
        looks.append(torch.cat([mean, side[rows]], 1))
        which.append(torch.full((len(rows),), label))
        strips.append(rows)
    return torch.cat(looks), torch.cat(which), torch.cat(strips)


def pair_loss(looks: Tensor, which: Tensor, strips: Tensor) -> tuple[Tensor, Tensor]:
    """Cross entropy of "same set" for all pairs on one board at odds of 4 - distance^2; also the share right.

    Sides count only between points: a bar's strip can show both sets.
    """
    point = (strips % 26 < 24).float()
    cells, sides = (
        ((part[:, None] - part[None]) ** 2).sum(-1) for part in (looks[:, :EMBEDDING], looks[:, EMBEDDING:])
    )
    distance = cells + sides * point[:, None] * point[None]
    pairs = (strips[:, None] // 26 == strips[None] // 26) & torch.ones_like(distance, dtype=torch.bool).triu(1)
    same = (which[:, None] == which[None])[pairs].float()
    logit = 4 - distance[pairs]
    # The cells' look must do alone, too: the bar has nothing else.
    alone = 4 - cells[pairs]
    bce = torch.nn.functional.binary_cross_entropy_with_logits
    return bce(logit, same) + 0.5 * bce(alone, same), ((logit > 0) == (same > 0)).float().mean()


def losses(net: torch.nn.Module, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, float]]:
    """Return the sum of all losses and what a person wants to watch."""
    # Half precision doubles the speed of a core that knows it; the losses need the full one.
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=net.training):
        outputs = net(batch["strips"], batch["views"])
    count, hidden, tops, colour, side = (output.float() for output in outputs)
    bce = torch.nn.functional.binary_cross_entropy_with_logits
    on_point = (torch.arange(len(count)) % 26) < 24
    seen = batch["hidden"] == SEEN
    asked = seen & on_point
    wanted = batch["counts"].abs()
    count_loss = torch.nn.functional.cross_entropy(count[asked], wanted[asked])
    sure = batch["hidden"] <= HIDDEN
    hidden_loss = bce(hidden[sure], batch["hidden"][sure].float())
    centre_loss = bce(tops[seen, 0], batch["centres"][seen], pos_weight=torch.tensor(3.0))
    top_loss = bce(tops[seen, 1], (batch["sets"][seen] > 0).float())
    colour_loss, colour_right = pair_loss(*colour_items(colour, side, tops, batch["sets"]))
    total = count_loss + 0.5 * hidden_loss + 2 * centre_loss + top_loss + colour_loss
    right = (count[asked].argmax(1) == wanted[asked]).float()
    occupied = wanted[asked] > 0
    watched = {
        "count": count_loss.item(), "right": float(right.mean()), "occupied": float(right[occupied].mean()),
        "hidden": hidden_loss.item(), "tops": (centre_loss + top_loss).item(), "pairs": float(colour_right),
    }  # fmt: skip
    return total, watched


def evaluate(net: torch.nn.Module, shard_names: list[Path]) -> dict[str, float]:
    """Return the watched figures' means over held-out shards."""
    net.eval()
    results: list[dict[str, float]] = []
    with torch.inference_mode():
        for name in shard_names:
            shard = dict(np.load(name))
            for start in range(0, len(shard["counts"]) - BOARDS + 1, BOARDS):
                part = {key: value[start : start + BOARDS] for key, value in shard.items()}
                results.append(losses(net, as_tensors(part, None))[1])
    net.train()
    return {key: float(np.mean([result[key] for result in results])) for key in results[0]}


def train(folder: Path, checkpoint: Path, steps: int, minutes: float, start: Path | None, seed: int = 1) -> None:
    """Train for ``steps`` batches or ``minutes``, whichever ends first; shards in ``folder``/held_out only measure."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    net = CheckersNet()
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    if start is not None:
        net.load_state_dict(torch.load(start), strict=False)
    net.train()
    peak = PEAK_RATE if start is None else AGAIN_RATE
    optimiser = torch.optim.AdamW(net.parameters(), lr=peak, weight_decay=0.01)
    average = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.995))  # type: ignore[no-untyped-call]
    pool = Pool(folder, seed)
    held_out = sorted((folder / "held_out").glob("????????.npz"))
    begun = time.monotonic()
    for step in range(steps):
        done = max(step / steps, (time.monotonic() - begun) / 60 / minutes)
        if done >= 1:
            break
        rate = peak * min(1.0, (step + 1) / 100) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * done)))
        optimiser.param_groups[0]["lr"] = rate
        total, watched = losses(net, pool.batch())
        optimiser.zero_grad()
        total.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        average.update_parameters(net)
        if step % 25 == 0:
            logger.info("step %d %s", step, " ".join(f"{key} {value:.4f}" for key, value in watched.items()))
        if (step + 1) % 250 == 0:
            _keep(average.module, checkpoint, held_out, step + 1)
    _keep(average.module, checkpoint, held_out, step + 1)


def _keep(net: torch.nn.Module, checkpoint: Path, held_out: list[Path], step: int) -> None:
    torch.save(net.state_dict(), checkpoint)
    figures = evaluate(net, held_out)
    logger.info("held out %d %s", step, " ".join(f"{key} {value:.4f}" for key, value in figures.items()))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shards", type=Path)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--minutes", type=float, default=45.0)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    train(chosen.shards, chosen.checkpoint, chosen.steps, chosen.minutes, chosen.start, chosen.seed)


if __name__ == "__main__":
    main()
