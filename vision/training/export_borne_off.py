"""Exports a checkpoint as 8-bit ONNX and measures its calibration on held-out drawn boards.

``python -m vision.training.export_borne_off CHECKPOINT SHARDS borne_off.onnx``
"""

import logging
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import onnx
import torch
from torch import Tensor

from vision.checkers.borne_off import ZoneNet
from vision.checkers.zones import ZONE_HEIGHT, ZONE_WIDTH, ZONES
from vision.training.borne_off_net import BorneOffNet
from vision.training.calibration import fit_sharpness, fit_temperature, write_measured
from vision.training.pictures.samples import HIDDEN, SEEN
from vision.training.quantise import Inputs, quantise
from vision.training.train_borne_off import Pool

logger = logging.getLogger(__name__)

NEUTRAL: Final = {"count_temperature": 1.0, "hidden_temperature": 1.0, "tray_temperature": 1.0, "empty_share": 0.5}
BOARDS_FOR_RANGES, RANGE_SHARDS = 48, 6


class _Counting(torch.nn.Module):
    """The net without its maps, which only training needs."""

    def __init__(self, net: BorneOffNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, zones: Tensor, views: Tensor, references: Tensor) -> tuple[Tensor, ...]:
        count, hidden, tray, *_ = self.net(zones, views, references)
        return count, hidden, tray


def settle(net: BorneOffNet, shards: Path, batches: int = 30) -> None:
    """Measure the normalisations' means again: averaged weights do not fit those met on the way."""
    for module in net.modules():
        if isinstance(module, torch.nn.BatchNorm1d | torch.nn.BatchNorm2d):
            module.reset_running_stats()
            module.momentum = None
    net.train()
    pool = Pool(shards, 7)
    with torch.no_grad():
        for _ in range(batches):
            batch = pool.batch()
            net(batch["zones"], batch["views"], batch["references"])
    net.eval()


def typical_boards(shards: Path) -> Iterator[Inputs]:
    """Boards from which the range of each layer's values is taken."""
    names = sorted(shards.glob("????????.npz"))
    for name in names[:: max(1, len(names) // RANGE_SHARDS)][:RANGE_SHARDS]:
        shard = dict(np.load(name))
        for board in range(min(BOARDS_FOR_RANGES // RANGE_SHARDS, len(shard["counts"]))):
            zones = np.ascontiguousarray(shard["zones"][board].transpose(0, 3, 1, 2), np.float32)
            yield {"zones": zones, "views": shard["views"][board], "references": shard["references"][board][None]}


def calibrate(net: ZoneNet, shard_names: list[Path]) -> dict[str, float]:
    """Return the temperatures that make held-out probabilities honest; ``net`` must be uncalibrated (all neutral)."""
    odds, wanted, hidden, trays = [], [], [], []
    for name in shard_names:
        shard = dict(np.load(name))
        for board in range(len(shard["counts"])):
            shares = np.ones(ZONES, np.float32)
            beside = net.read(shard["zones"][board], shard["views"][board], shard["references"][board], shares)
            state = shard["hidden"][board]
            seen, sure = state == SEEN, state <= HIDDEN
            odds.append(np.log(beside.counts[seen] + 1e-9).reshape(-1, beside.counts.shape[2]))
            wanted.append(shard["counts"][board][seen].reshape(-1).astype(np.int64))
            hidden.append(_margins(beside.hidden[sure], state[sure] == HIDDEN))
            trays.append(_margins(beside.trays[seen], shard["trays"][board][seen] > 0))
    right = np.concatenate(odds).argmax(1) == np.concatenate(wanted)
    some = np.concatenate(wanted) > 0
    logger.info("held out: %.3f right, %.3f where something lies, %.3f where nothing does",
                right.mean(), right[some].mean(), right[~some].mean())  # fmt: skip
    return {
        "count_temperature": fit_temperature(np.concatenate(odds), np.concatenate(wanted)),
        "hidden_temperature": 1 / fit_sharpness(np.concatenate(hidden)),
        "tray_temperature": 1 / fit_sharpness(np.concatenate(trays)),
        "empty_share": float(1 - some.mean()),
    }


def _margins(probabilities: npt.NDArray[np.floating], true: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Log odds, positive where right."""
    inner = np.clip(probabilities, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(inner / (1 - inner)) * np.where(true, 1, -1), np.float64)


def export(checkpoint: Path, shards: Path, target: Path) -> None:
    """Write the 8-bit ONNX file with its calibration, measured on ``shards``/held_out, in the metadata."""
    torch.set_num_threads(1)
    net = BorneOffNet()
    net.load_state_dict(torch.load(checkpoint))
    settle(net, shards)
    with tempfile.TemporaryDirectory() as folder:
        plain, small = Path(folder) / "plain.onnx", Path(folder) / "small.onnx"
        torch.onnx.export(
            _Counting(net).eval(),
            (torch.zeros(ZONES, 3, ZONE_HEIGHT, ZONE_WIDTH), torch.zeros(ZONES, 3), torch.zeros(1, 2, 3)),
            str(plain),
            input_names=["zones", "views", "references"],
            output_names=["count", "hidden", "tray"],
            opset_version=17,
            dynamo=False,
        )
        quantise(plain, small, typical_boards(shards))
        model = onnx.load(small)
    write_measured(model, NEUTRAL, target)
    measured = calibrate(ZoneNet(target), sorted((shards / "held_out").glob("????????.npz")))
    logger.info("calibration %s", measured)
    write_measured(model, measured, target)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    export(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
