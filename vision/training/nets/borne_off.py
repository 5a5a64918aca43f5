"""The reader of borne-off checkers: its network, what it learns, how it is calibrated."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from vision.checkers.borne_off import UNKNOWN, ZoneNet
from vision.checkers.zones import ZONE_HEIGHT, ZONE_WIDTH, ZONES
from vision.training.calibration import fit_sharpness, fit_temperature, margins_of
from vision.training.nets.layers import Block, conv, doubled, standardised
from vision.training.pictures.samples import HIDDEN, SEEN
from vision.training.samples.checkers import ZONE_FIELDS
from vision.training.shards import Shard, load
from vision.training.task import Batch, Inputs, Labels, Outputs, Task, as_tensor

COUNTS: Final = 16
CELLS: Final = (ZONE_HEIGHT // 4, ZONE_WIDTH // 4)
"""Rows and columns of the maps: one cell is 4 x 4 pixels of a zone."""
TRUNK_SHARE: Final = 0.3
"""Of the rate, for the layers that have learnt already."""
BUMP: Final = 1 / (2 * math.pi)
"""Height of a lone checker's bump in the density."""
BOARDS_FOR_RANGES: Final = 48
_WIDTH: Final = 48


class BorneOffNet(nn.Module):
    """The four zones of one or more boards to how many checkers of each set lie in each."""

    def __init__(self) -> None:
        super().__init__()
        # The strip reader's own first layers, from whose weights training starts: a checker is a checker.
        self.fine = nn.Sequential(conv(3, 16, 5, 2), conv(16, 32, 3, 2), Block(32), conv(32, _WIDTH, 3))
        self.coloured = conv(_WIDTH + 7, _WIDTH, 1)
        self.coarse = nn.Sequential(conv(_WIDTH, _WIDTH, 3, 2), Block(_WIDTH))
        self.maps = nn.Sequential(nn.Conv2d(2 * _WIDTH, 32, 1), nn.ReLU(inplace=True), nn.Conv2d(32, 4, 1))
        self.squeeze = nn.Sequential(nn.Conv2d(_WIDTH, 24, 1), nn.ReLU(inplace=True))
        features = 24 * (CELLS[0] // 2) + 2 * _WIDTH + 4 * CELLS[0] + 2 + 3
        # Sums over a zone and means of its cells are worlds apart in size.
        self.token = nn.Sequential(
            nn.BatchNorm1d(features), nn.Linear(features, 128), nn.ReLU(inplace=True), nn.Dropout(0.1)
        )
        self.joined = nn.Sequential(nn.Linear(256, 128), nn.ReLU(inplace=True))
        self.count = nn.Linear(128, 2 * COUNTS)
        self.steepness = nn.Parameter(torch.zeros(1))
        self.hidden = nn.Linear(128, 1)
        self.tray = nn.Linear(128, 1)

    def forward(self, zones: Tensor, views: Tensor, references: Tensor) -> tuple[Tensor, ...]:
        """Read zones (boards * 4, 3, 144, 64), BGR 0..255, views (boards * 4, 3) and references (boards, 2, 3).

        Returns logits of counts (n, 2, 16), of being hidden (n) and of showing a tray (n), the density of checkers of
        both sets in each cell, and the logits of a checker's middle being near it (both n, 2, 36, 16).
        """
        boards = zones.reshape(-1, ZONES * 3 * ZONE_HEIGHT * ZONE_WIDTH)
        fine = self.fine(standardised(boards).reshape(-1, 3, ZONE_HEIGHT, ZONE_WIDTH))
        # How far each cell is from the colour of either set shows whose a checker is.
        cells = nn.functional.avg_pool2d(zones, 4)
        colours = references.repeat_interleave(ZONES, 0)[..., None, None]
        rows = torch.arange(CELLS[0], dtype=zones.dtype)[None, None, :, None]
        own = (rows < views[:, 2, None, None, None] * CELLS[0]).to(zones.dtype).expand(-1, 1, *CELLS)
        away = [(cells - colours[:, which]).abs() / 64 for which in (0, 1)]
        fine = self.coloured(torch.cat([fine, *away, own], 1))
        coarse = self.coarse(fine)
        wide = doubled(coarse)
        maps = self.maps(torch.cat([fine, wide], 1))
        density = nn.functional.softplus(maps[:, :2] - 5)
        line = self.squeeze(coarse).mean(3).flatten(1)
        profile = torch.cat([density, torch.sigmoid(maps[:, 2:])], 1).sum(3)
        total = (density * own).sum((2, 3))
        parts = [line, coarse.mean((2, 3)), coarse.amax((2, 3)), profile.flatten(1), total, views]
        token = self.token(torch.cat(parts, 1))
        # The other zones show how this box is built and this set's checkers lie.
        others = token.reshape(-1, ZONES, 128).mean(1).repeat_interleave(ZONES, 0)
        token = self.joined(torch.cat([token, others], 1))
        # Near the densities' sum; what else is seen shows how near.
        far = torch.arange(COUNTS, dtype=total.dtype) - total[..., None]
        count = self.count(token).reshape(-1, 2, COUNTS) - nn.functional.softplus(self.steepness) * far.abs()
        return count, self.hidden(token)[:, 0], self.tray(token)[:, 0], density, maps[:, 2:]


def as_batch(stacked: Shard, rng: np.random.Generator | None) -> Batch:
    """Turn stacked boards into flat tensors; with ``rng`` recoloured, moved and their sets swapped at random."""
    floats = {name: as_tensor(stacked[name]) for name in ZONE_FIELDS}
    zones, references = floats["zones"], floats["references"]
    if rng is not None:
        for board in range(len(zones)):
            _vary(floats, board, rng)
        zones.clamp_(0, 255)
        known = references > UNKNOWN / 2
        references[known] = references[known].clamp(0, 255)
    truth = {
        "counts": floats["counts"].flatten(0, 1).long(),
        "hidden": floats["hidden"].flatten().long(),
        "trays": floats["trays"].flatten(),
        "density": floats["density"].flatten(0, 1),
    }
    return (zones.flatten(0, 1).permute(0, 3, 1, 2), floats["views"].flatten(0, 1), references), truth


def _vary(floats: dict[str, Tensor], board: int, rng: np.random.Generator) -> None:
    zones, references = floats["zones"], floats["references"]
    known = references[board] > UNKNOWN / 2
    gain = as_tensor(np.exp(rng.normal(0, 0.12, 3) + rng.normal(0, 0.12)))
    zones[board] *= gain
    references[board] = torch.where(known, references[board] * gain, references[board])
    if rng.random() < 0.5:  # what lies beside the board lies in another light than what lies on it
        zones[board] *= float(np.exp(rng.normal(0, 0.15)))
    if rng.random() < 0.3:
        order = torch.from_numpy(rng.permutation(3))
        zones[board], references[board] = zones[board][..., order], references[board][:, order]
    if rng.random() < 0.5:
        zones[board] += as_tensor(rng.standard_normal(tuple(zones[board].shape), np.float32)) * float(rng.uniform(0, 6))
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


class BorneOffTask(Task):
    """Trains and exports the reader of borne-off checkers."""

    fields = ZONE_FIELDS
    inputs = ("zones", "views", "references")
    outputs = ("count", "hidden", "tray")
    settle_steps = 30

    def build(self) -> nn.Module:
        """Return the net before it has learnt anything."""
        return BorneOffNet()

    def start(self, net: nn.Module, weights: dict[str, Tensor]) -> None:
        """Take over own weights, or the strip reader's first layers: a checker is a checker."""
        own = "steepness" in weights
        known = {name: value for name, value in weights.items() if own or name.startswith("fine.")}
        net.load_state_dict(net.state_dict() | known)

    def groups(self, net: nn.Module) -> list[dict[str, Any]]:
        """Let the first layers learn more slowly."""
        trunk = [value for name, value in net.named_parameters() if name.startswith("fine.")]
        fresh = [value for name, value in net.named_parameters() if not name.startswith("fine.")]
        return [{"params": trunk, "share": TRUNK_SHARE}, {"params": fresh, "share": 1.0}]

    def batch(self, step: int) -> Batch:
        """Boards, varied."""
        return as_batch(self.rows_at(step, self.recipe.train.batch), self.rng(step))

    def held_out(self) -> Iterator[Batch]:
        """Boards as they are."""
        size = self.recipe.train.batch
        for file in self.measuring_shards():
            shard = load(file, self.fields)
            for start in range(0, len(shard["counts"]), size):
                yield as_batch({key: value[start : start + size] for key, value in shard.items()}, None)

    def loss(self, outputs: Outputs, truth: Labels) -> tuple[Tensor, dict[str, float]]:
        """Losses of counts, hidden zones, trays and of where checkers lie."""
        count, hidden, tray, density, near = outputs
        bce = nn.functional.binary_cross_entropy_with_logits
        seen = truth["hidden"] == SEEN
        wanted = truth["counts"][seen].flatten()
        count_loss = nn.functional.cross_entropy(count[seen].flatten(0, 1), wanted)
        sure = truth["hidden"] <= HIDDEN
        hidden_loss = bce(hidden[sure], truth["hidden"][sure].float())
        tray_loss = bce(tray[seen], truth["trays"][seen])
        density_loss = ((density[seen] - truth["density"][seen]) ** 2).sum((2, 3)).mean()
        near_loss = bce(near[seen], (truth["density"][seen] / BUMP).clamp(max=1), pos_weight=torch.tensor(4.0))
        right = (count[seen].flatten(0, 1).argmax(1) == wanted).float()
        some = wanted > 0
        watched = {
            "count": count_loss.item(), "right": float(right.mean()), "some": float(right[some].mean()),
            "none": float(right[~some].mean()), "hidden": hidden_loss.item(), "tray": tray_loss.item(),
            "density": density_loss.item(), "near": near_loss.item(),
        }  # fmt: skip
        return count_loss + 0.3 * hidden_loss + 0.3 * tray_loss + density_loss + 10 * near_loss, watched

    def exported(self, net: nn.Module) -> nn.Module:
        """Return the net without its maps, which only training needs."""
        return _Counting(net)

    def example(self) -> tuple[Tensor, ...]:
        """One board."""
        return torch.zeros(ZONES, 3, ZONE_HEIGHT, ZONE_WIDTH), torch.zeros(ZONES, 3), torch.zeros(1, 2, 3)

    def typical(self) -> Iterator[Inputs]:
        """Boards as they are."""
        shard = self.rows_at(0, BOARDS_FOR_RANGES)
        for zones, views, references in zip(shard["zones"], shard["views"], shard["references"], strict=True):
            yield {
                "zones": np.ascontiguousarray(zones.transpose(0, 3, 1, 2), np.float32),
                "views": np.asarray(views, np.float32),
                "references": np.asarray(references[None], np.float32),
            }

    def neutral(self) -> dict[str, float]:
        """Figures that change nothing."""
        return dict.fromkeys(("count_temperature", "hidden_temperature", "tray_temperature"), 1.0) | {
            "empty_share": 0.5
        }

    def calibrate(self, weights: Path) -> dict[str, float]:
        """Return the temperatures that make held-out probabilities honest, and how often a zone is empty."""
        net = ZoneNet(weights)
        odds, wanted, hidden, trays = [], [], [], []
        for file in self.measuring_shards():
            shard = load(file, self.fields)
            for board in range(len(shard["counts"])):
                shares = np.ones(ZONES, np.float32)
                beside = net.read(shard["zones"][board], shard["views"][board], shard["references"][board], shares)
                state = shard["hidden"][board]
                seen, sure = state == SEEN, state <= HIDDEN
                odds.append(np.log(beside.counts[seen] + 1e-9).reshape(-1, beside.counts.shape[2]))
                wanted.append(shard["counts"][board][seen].reshape(-1).astype(np.int64))
                hidden.append(margins_of(beside.hidden[sure], state[sure] == HIDDEN))
                trays.append(margins_of(beside.trays[seen], shard["trays"][board][seen] > 0))
        some = np.concatenate(wanted) > 0
        return {
            "count_temperature": fit_temperature(np.concatenate(odds), np.concatenate(wanted)),
            "hidden_temperature": 1 / fit_sharpness(np.concatenate(hidden)),
            "tray_temperature": 1 / fit_sharpness(np.concatenate(trays)),
            "empty_share": float(1 - some.mean()),
        }


class _Counting(nn.Module):
    """The net without its maps, which only training needs."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, zones: Tensor, views: Tensor, references: Tensor) -> tuple[Tensor, ...]:
        count, hidden, tray, *_ = self.net(zones, views, references)
        return count, hidden, tray
