"""Trains the reader of borne-off checkers: ``python -m vision.training.train_borne_off SHARDS NEW --trunk CHECKERS``.

Shards come from ``make_borne_off_samples``; no other picture is ever used. One core, batches of 16 boards.
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

from vision.checkers.borne_off import UNKNOWN
from vision.training.borne_off_net import BorneOffNet
from vision.training.pictures.samples import HIDDEN, SEEN

logger = logging.getLogger(__name__)

BOARDS: Final = 16
POOL_SHARDS: Final = 12
PEAK_RATE: Final = 2e-3
AGAIN_RATE: Final = 1e-3
"""Where training goes on from weights of its own."""
TRUNK_SHARE: Final = 0.3
"""Of the rate, for the layers that have learnt already."""
BUMP: Final = 1 / (2 * math.pi)
"""Height of a lone checker's bump in the density."""
FIELDS: Final = ("zones", "views", "references", "counts", "hidden", "trays", "density")
Shard = dict[str, npt.NDArray[np.generic]]


class Pool:
    """Random boards out of a folder of shards that may still be growing."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder = folder
        self._rng = np.random.default_rng(seed)
        self._order: list[tuple[int, int]] = []
        self._shards: list[Shard] = []

    def batch(self) -> dict[str, Tensor]:
        """Return the next boards, varied."""
        if len(self._order) < BOARDS:
            names = sorted(self._folder.glob("????????.npz"))
            chosen = self._rng.permutation(len(names))[:POOL_SHARDS]
            self._shards = [dict(np.load(names[index])) for index in chosen]
            self._order = [(i, board) for i, shard in enumerate(self._shards) for board in range(len(shard["counts"]))]
            self._rng.shuffle(self._order)
        picked = [self._order.pop() for _ in range(BOARDS)]
        stacked = {name: np.stack([self._shards[shard][name][board] for shard, board in picked]) for name in FIELDS}
        return as_tensors(stacked, self._rng)


def as_tensors(stacked: Shard, rng: np.random.Generator | None) -> dict[str, Tensor]:
    """Turn stacked boards into flat tensors; with ``rng`` recoloured, moved and their sets swapped at random."""
    floats = {name: torch.from_numpy(stacked[name].astype(np.float32)) for name in FIELDS}
    zones, references = floats["zones"], floats["references"]
    if rng is not None:
        for board in range(len(zones)):
            _vary(floats, board, rng)
        zones.clamp_(0, 255)
        known = references > UNKNOWN / 2
        references[known] = references[known].clamp(0, 255)
    return {
        "zones": zones.flatten(0, 1).permute(0, 3, 1, 2),
        "views": floats["views"].flatten(0, 1),
        "references": references,
        "counts": floats["counts"].flatten(0, 1).long(),
        "hidden": floats["hidden"].flatten().long(),
        "trays": floats["trays"].flatten(),
        "density": floats["density"].flatten(0, 1),
    }


def _vary(floats: dict[str, Tensor], board: int, rng: np.random.Generator) -> None:
    zones, references = floats["zones"], floats["references"]
    known = references[board] > UNKNOWN / 2
    gain = torch.from_numpy(np.exp(rng.normal(0, 0.12, 3) + rng.normal(0, 0.12)).astype(np.float32))
    zones[board] *= gain
    references[board] = torch.where(known, references[board] * gain, references[board])
    if rng.random() < 0.5:  # what lies beside the board lies in another light than what lies on it
        zones[board] *= float(np.exp(rng.normal(0, 0.15)))
    if rng.random() < 0.3:
        order = torch.from_numpy(rng.permutation(3))
        zones[board], references[board] = zones[board][..., order], references[board][:, order]
    if rng.random() < 0.5:
        zones[board] += torch.randn_like(zones[board]) * float(rng.uniform(0, 6))
    if rng.random() < 0.4:
        # The margin that comes in is the one that went out: both are as good as any background.
        zones[board] = zones[board].roll((int(rng.integers(-2, 3)), int(rng.integers(-2, 3))), (1, 2))
    if rng.random() < 0.5:  # which set is called the first is of no account
        references[board] = references[board].flip(0)
        floats["counts"][board] = floats["counts"][board].flip(1)
        floats["density"][board] = floats["density"][board].flip(1)
    if rng.random() < 0.5:  # a box looks the same from its other end
        order = torch.tensor([1, 0, 3, 2])
        for name in ("zones", "views", "counts", "hidden", "trays", "density"):
            floats[name][board] = floats[name][board][order]


def losses(net: torch.nn.Module, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, float]]:
    """Return the sum of all losses and what a person wants to watch."""
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=net.training):
        outputs = net(batch["zones"], batch["views"], batch["references"])
    count, hidden, tray, density, near = (output.float() for output in outputs)
    bce = torch.nn.functional.binary_cross_entropy_with_logits
    seen = batch["hidden"] == SEEN
    wanted = batch["counts"][seen].flatten()
    count_loss = torch.nn.functional.cross_entropy(count[seen].flatten(0, 1), wanted)
    sure = batch["hidden"] <= HIDDEN
    hidden_loss = bce(hidden[sure], batch["hidden"][sure].float())
    tray_loss = bce(tray[seen], batch["trays"][seen])
    density_loss = ((density[seen] - batch["density"][seen]) ** 2).sum((2, 3)).mean()
    near_loss = bce(near[seen], (batch["density"][seen] / BUMP).clamp(max=1), pos_weight=torch.tensor(4.0))
    right = (count[seen].flatten(0, 1).argmax(1) == wanted).float()
    some = wanted > 0
    watched = {
        "count": count_loss.item(), "right": float(right.mean()), "some": float(right[some].mean()),
        "none": float(right[~some].mean()), "hidden": hidden_loss.item(), "tray": tray_loss.item(),
        "density": density_loss.item(), "near": near_loss.item(),
    }  # fmt: skip
    return count_loss + 0.3 * hidden_loss + 0.3 * tray_loss + density_loss + 10 * near_loss, watched


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
    return {key: float(np.nanmean([result[key] for result in results])) for key in results[0]}


def train(folder: Path, checkpoint: Path, minutes: float, trunk: Path, seed: int) -> None:
    """Train for so many minutes from the first layers of a checkpoint of ``train_checkers``, or from an own one.

    Shards in ``folder``/held_out only measure.
    """
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    net = BorneOffNet()
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    stored = torch.load(trunk)
    again = "steepness" in stored
    known = stored if again else {name: value for name, value in stored.items() if name.startswith("fine.")}
    net.load_state_dict(net.state_dict() | known)
    net.train()
    fresh = [parameter for name, parameter in net.named_parameters() if not name.startswith("fine.")]
    groups = [{"params": list(net.fine.parameters()), "share": TRUNK_SHARE}, {"params": fresh, "share": 1.0}]
    optimiser = torch.optim.AdamW(groups, lr=PEAK_RATE, weight_decay=0.01)
    average = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.995))  # type: ignore[no-untyped-call]
    pool = Pool(folder, seed)
    held_out = sorted((folder / "held_out").glob("????????.npz"))
    begun, step = time.monotonic(), 0
    while (done := (time.monotonic() - begun) / 60 / minutes) < 1:
        rate = (
            (AGAIN_RATE if again else PEAK_RATE)
            * min(1.0, (step + 1) / 100)
            * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * done)))
        )
        for group in optimiser.param_groups:
            group["lr"] = rate * group["share"]
        total, watched = losses(net, pool.batch())
        optimiser.zero_grad()
        total.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        average.update_parameters(net)
        step += 1
        if step % 25 == 0:
            logger.info("step %d %s", step, " ".join(f"{key} {value:.4f}" for key, value in watched.items()))
        if step % 250 == 0:
            _keep(average.module, checkpoint, held_out, step)
    _keep(average.module, checkpoint, held_out, step)


def _keep(net: torch.nn.Module, checkpoint: Path, held_out: list[Path], step: int) -> None:
    torch.save(net.state_dict(), checkpoint)
    figures = evaluate(net, held_out)
    logger.info("held out %d %s", step, " ".join(f"{key} {value:.4f}" for key, value in figures.items()))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shards", type=Path)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--trunk", type=Path, required=True, help="a checkpoint of train_checkers, or an own one")
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    train(chosen.shards, chosen.checkpoint, chosen.minutes, chosen.trunk, chosen.seed)


if __name__ == "__main__":
    main()
