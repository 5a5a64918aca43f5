"""Exports a checkpoint and measures its calibration on held-out synthetic boards.

``python -m vision.models.export_checkers CHECKPOINT SHARDS checkers.onnx``
"""

import logging
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import Tensor

from vision.models.checkers_net import CheckersNet
from vision.models.train_checkers import Pool, as_tensors, colour_items
from vision.synthetic.samples import SEEN

logger = logging.getLogger(__name__)


def calibrate(net: CheckersNet, shard_names: list[Path]) -> dict[str, float]:
    """Return the temperatures that make held-out probabilities honest."""
    logits, wanted, scores, bar_logits, bar_there = [], [], [], [], []
    with torch.inference_mode():
        for name in shard_names:
            shard = dict(np.load(name))
            for board in range(len(shard["counts"])):
                batch = as_tensors({key: value[board : board + 1] for key, value in shard.items()}, None)
                count, _, tops, colour = net(batch["strips"], batch["views"])
                seen = (batch["hidden"] == SEEN) & (torch.arange(26) < 24)
                logits.append(count[seen])
                wanted.append(batch["counts"].abs()[seen])
                scores.append(_set_scores(colour, tops, batch["sets"]))
                for strip in (24, 25):
                    if int(batch["hidden"][strip]) == SEEN:
                        values, truths = _bar_peaks(tops[strip, 0], batch["centres"][strip])
                        bar_logits += values
                        bar_there += truths
    temperature = _fit_scale(torch.cat(logits), torch.cat(wanted))
    margins = torch.cat(scores)
    steps = np.exp(np.linspace(np.log(0.05), np.log(4), 60))
    losses = [float(torch.nn.functional.softplus(-margins * step).mean()) for step in steps]
    gain, offset = _fit_line(np.array(bar_logits), np.array(bar_there))
    return {
        "count_temperature": temperature,
        "set_sharpness": float(steps[int(np.argmin(losses))]),
        "bar_gain": gain,
        "bar_offset": offset,
    }


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


def _fit_scale(logits: Tensor, wanted: Tensor) -> float:
    steps = np.exp(np.linspace(np.log(0.4), np.log(4), 80))
    losses = [float(torch.nn.functional.cross_entropy(logits / step, wanted)) for step in steps]
    return float(steps[int(np.argmin(losses))])


def _set_scores(colour: Tensor, tops: Tensor, sets: Tensor) -> Tensor:
    """Margins by which each place is nearer to its own set's mean look than to the other's."""
    looks, which, _ = colour_items(colour, tops, sets)
    if len(set(which.tolist())) < 2:
        return torch.zeros(0)
    middles = torch.stack([looks[which == label].mean(0) for label in (1, 2)])
    distance = ((looks[:, None] - middles[None]) ** 2).sum(-1)
    own = distance.gather(1, which[:, None] - 1)[:, 0]
    other = distance.gather(1, 2 - which[:, None])[:, 0]
    return other - own


def _bar_peaks(logit: Tensor, centres: Tensor) -> tuple[list[float], list[float]]:
    """Local maxima of a bar strip's map, and whether a checker's middle is within a cell."""
    near = torch.nn.functional.max_pool2d(logit[None], 5, 1, 2)[0]
    truth = torch.nn.functional.max_pool2d(centres[None], 3, 1, 1)[0] > 0.8
    peaks = (logit == near) & (logit > -2.5)
    return logit[peaks].tolist(), truth[peaks].float().tolist()


def _fit_line(values: np.ndarray, truths: np.ndarray) -> tuple[float, float]:
    """Logistic regression of one variable by Newton steps."""
    gain, offset = 1.0, 0.0
    for _ in range(25):
        chance = 1 / (1 + np.exp(-(gain * values + offset)))
        slope = chance * (1 - chance) + 1e-6
        design = np.stack([values, np.ones_like(values)])
        push = design @ (truths - chance) - 0.1 * np.array([gain - 1, offset])
        step = np.linalg.solve((design * slope) @ design.T + 0.1 * np.eye(2), push)
        gain, offset = gain + step[0], offset + step[1]
    return float(gain), float(offset)


def export(checkpoint: Path, shards: Path, target: Path) -> None:
    """Write the ONNX file with its calibration, measured on ``shards``/held_out, in the metadata."""
    torch.set_num_threads(1)
    net = CheckersNet()
    net.load_state_dict(torch.load(checkpoint))
    settle(net, shards)
    measured = calibrate(net, sorted((shards / "held_out").glob("????????.npz")))
    logger.info("calibration %s", measured)
    with tempfile.TemporaryDirectory() as folder:
        plain = str(Path(folder) / "plain.onnx")
        torch.onnx.export(
            net,
            (torch.zeros(26, 3, 168, 40), torch.zeros(26, 2)),
            plain,
            input_names=["strips", "views"],
            output_names=["count", "hidden", "tops", "looks"],
            opset_version=17,
            dynamo=False,
        )
        model = onnx.load(plain)
    for name, value in measured.items():
        model.metadata_props.add(key=name, value=repr(value))
    onnx.save(model, str(target))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    export(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
