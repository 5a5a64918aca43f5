"""Exports a checkpoint as 8-bit ONNX and measures its calibration on held-out synthetic boards.

``python -m vision.training.export_checkers CHECKPOINT SHARDS checkers.onnx``
"""

import logging
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch

from vision.checkers.strip_net import StripNet, StripScores
from vision.training.calibration import Column, fit_sharpness, fit_temperature, write_measured
from vision.training.checkers_net import CheckersNet
from vision.training.pictures.samples import HIDDEN, SEEN
from vision.training.quantise import Inputs, quantise
from vision.training.train_checkers import Pool, Shard

logger = logging.getLogger(__name__)

NEUTRAL = {
    "count_temperature": 1.0,
    "hidden_temperature": 1.0,
    "set_sharpness": 1.0,
    "colour_weight": 1.0,
    "bar_gain": 1.0,
    "bar_offset": 0.0,
}
BOARDS_FOR_RANGES, RANGE_SHARDS = 48, 6


def settle(net: CheckersNet, shards: Path, batches: int = 40) -> None:
    """Measure the normalisations' means again: averaged weights do not fit those met on the way."""
    for module in net.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.reset_running_stats()
            module.momentum = None
    net.train()
    pool = Pool(shards, 7)
    with torch.no_grad():
        for _ in range(batches):
            batch = pool.batch()
            net(batch["strips"], batch["views"])
    net.eval()


def typical_boards(shards: Path) -> Iterator[Inputs]:
    """Boards from which the range of each layer's values is taken."""
    names = sorted(shards.glob("????????.npz"))
    for name in names[:: max(1, len(names) // RANGE_SHARDS)][:RANGE_SHARDS]:
        shard = dict(np.load(name))
        for board in range(min(BOARDS_FOR_RANGES // RANGE_SHARDS, len(shard["counts"]))):
            strips = np.ascontiguousarray(shard["strips"][board].transpose(0, 3, 1, 2), np.float32)
            yield {"strips": strips, "views": shard["views"][board]}


def calibrate(net: StripNet, shard_names: list[Path]) -> dict[str, float]:
    """Return the temperatures that make held-out probabilities honest; ``net`` must be uncalibrated (all neutral)."""
    odds, wanted, hidden, covered = [], [], [], []
    features: list[tuple[Column, Column]] = []
    bar: list[tuple[float, float]] = []
    for name in shard_names:
        shard: Shard = dict(np.load(name))
        for board in range(len(shard["counts"])):
            scores = net.read(
                np.asarray(shard["strips"][board], np.uint8), np.asarray(shard["views"][board], np.float32)
            )
            state = np.asarray(shard["hidden"][board], np.int64)
            seen = (state == SEEN) & (np.arange(26) < 24)
            odds.append(np.log(scores.counts[seen] + 1e-9))
            wanted.append(np.abs(np.asarray(shard["counts"][board], np.int64))[seen])
            probability = np.clip(scores.hidden, 1e-6, 1 - 1e-6)
            hidden.append(np.log(probability / (1 - probability))[state <= HIDDEN])
            covered.append((state == HIDDEN)[state <= HIDDEN])
            sets = np.asarray(shard["sets"][board], np.int64)
            features.append(_features(scores, sets, seen))
            centres = np.asarray(shard["centres"][board], np.float32) / 255
            bar += [
                pair
                for strip in (24, 25)
                if state[strip] == SEEN
                for pair in _bar_peaks(scores.centres[strip], centres[strip])
            ]
    gain, offset = _fit_line(np.array(bar))
    colour_weight, sharpness = _fit_sets(features)
    return {
        "count_temperature": fit_temperature(np.concatenate(odds), np.concatenate(wanted)),
        "hidden_temperature": fit_sharpness(np.concatenate(hidden) * np.where(np.concatenate(covered), 1, -1)) ** -1,
        "set_sharpness": sharpness,
        "colour_weight": colour_weight,
        "bar_gain": gain,
        "bar_offset": offset,
    }


def _features(scores: StripScores, sets: npt.NDArray[np.int64], seen: npt.NDArray[np.bool_]) -> tuple[Column, Column]:
    """Looks of the points with checkers, shape (k, 19), and whose they are (1 lighter, 2 darker)."""
    strips = [int(strip) for strip in np.flatnonzero(seen) if sets[strip].any()]
    features = [scores.features_of(strip, scores.tops[strip]) for strip in strips]
    return np.array(features, np.float64).reshape(-1, 19), np.array([sets[strip].max() for strip in strips], np.float64)


def _fit_sets(boards: list[tuple[Column, Column]]) -> tuple[float, float]:
    """Weight of the plain colour and sharpness with the least cross entropy of belonging to the own set's mean look."""
    best = (np.inf, 1.0, 1.0)
    for weight in (0.0, 0.01, 0.02, 0.035, 0.05, 0.07, 0.1, 0.15):
        scale = np.concatenate([np.ones(8), np.full(3, weight), np.ones(8)])
        margins = np.concatenate([_margins(features * scale, own) for features, own in boards])
        sharpness = fit_sharpness(margins)
        best = min(best, (float(np.mean(np.logaddexp(0, -margins * sharpness))), weight, sharpness))
    return best[1], best[2]


def _margins(features: Column, own: Column) -> Column:
    """Return by how much each look is nearer to its own set's mean (without itself) than to the other's."""
    margins = []
    for index, label in enumerate(own):
        others = np.arange(len(own)) != index
        same, other = features[others & (own == label)], features[own != label]
        if len(same) and len(other):
            margins.append(
                ((features[index] - other.mean(0)) ** 2).sum() - ((features[index] - same.mean(0)) ** 2).sum()
            )
    return np.array(margins)


def _bar_peaks(logit: npt.NDArray[np.float32], centres: npt.NDArray[np.float32]) -> list[tuple[float, float]]:
    """Local maxima of a bar strip's map, and whether (1 or 0) a checker's middle is within a cell."""
    tensor = torch.from_numpy(np.ascontiguousarray(logit))
    near = torch.nn.functional.max_pool2d(tensor[None], 5, 1, 2)[0]
    truth = torch.nn.functional.max_pool2d(torch.from_numpy(np.ascontiguousarray(centres))[None], 3, 1, 1)[0] > 0.8
    peaks = (tensor == near) & (tensor > -2.5)
    return list(zip(tensor[peaks].tolist(), truth[peaks].float().tolist(), strict=True))


def _fit_line(pairs: Column) -> tuple[float, float]:
    """Logistic regression of one variable by Newton steps, held gently near the identity."""
    values, truths = pairs.T
    weights = np.array([1.0, 0.0])
    design = np.stack([values, np.ones_like(values)])
    for _ in range(25):
        probability = 1 / (1 + np.exp(-(weights @ design)))
        push = design @ (truths - probability) - 0.1 * (weights - [1, 0])
        weights = weights + np.linalg.solve(
            (design * (probability * (1 - probability) + 1e-6)) @ design.T + 0.1 * np.eye(2), push
        )
    return float(weights[0]), float(weights[1])


def export(checkpoint: Path, shards: Path, target: Path) -> None:
    """Write the 8-bit ONNX file with its calibration, measured on ``shards``/held_out, in the metadata."""
    torch.set_num_threads(1)
    net = CheckersNet()
    net.load_state_dict(torch.load(checkpoint))
    settle(net, shards)
    with tempfile.TemporaryDirectory() as folder:
        plain, small = Path(folder) / "plain.onnx", Path(folder) / "small.onnx"
        torch.onnx.export(
            net,
            (torch.zeros(26, 3, 168, 40), torch.zeros(26, 2)),
            str(plain),
            input_names=["strips", "views"],
            output_names=["count", "hidden", "tops", "looks", "sides"],
            opset_version=17,
            dynamo=False,
        )
        quantise(plain, small, typical_boards(shards))
        model = onnx.load(small)
    write_measured(model, NEUTRAL, target)
    measured = calibrate(StripNet(target), sorted((shards / "held_out").glob("????????.npz")))
    logger.info("calibration %s", measured)
    write_measured(model, measured, target)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    export(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
