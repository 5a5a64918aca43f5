"""Exports a checkpoint of the close look as 8-bit ONNX and weighs it against the first look.

``python -m vision.training.export_stacks CHECKPOINT stacks.onnx --drawn SHARDS [--traced PICTURES]``

The weights of both looks are fitted on boards as in play that training never saw: drawn ones, and traced ones of
``make_traced_boards``. They travel in the weights' metadata.
"""

import argparse
import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
import onnx
import torch
from torch import Tensor

from vision.checkers.close_look import CloseLook, possible_stacks
from vision.checkers.strip_net import StripNet
from vision.training.calibration import write_measured
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
from vision.training.quantise import Inputs, quantise
from vision.training.stacks_net import StacksNet
from vision.training.train_stacks import Pool, as_tensors, varied

logger = logging.getLogger(__name__)

NEUTRAL: Final = {"first_weight": 0.0, "close_weight": 1.0}
FIRST_SEED: Final = 700_000
"""Of the boards that the looks are weighed on."""
TRACED_TIMES: Final = 6
"""How often each traced picture is spoiled anew and read."""
Column = npt.NDArray[np.float64]


class Stacks(torch.nn.Module):
    """The stacks of one board, odds without the training's prior."""

    def __init__(self, net: StacksNet) -> None:
        super().__init__()
        self.net = net
        self.prior = torch.nn.Parameter(torch.from_numpy(np.log(drawn_odds())), requires_grad=False)

    def forward(self, strips: Tensor, views: Tensor) -> tuple[Tensor, Tensor]:
        """Read strips (n, 3, 336, 80) and views (n, 2); count logits (n, 16), level logits (n, 5, 42, 10)."""
        count, levels = self.net(strips[None], views[None])
        return torch.log_softmax(count[0], 1) - self.prior, levels


def settle(net: StacksNet, folders: list[Path], batches: int = 60) -> None:
    """Measure the normalisations' means again: averaged weights do not fit those met on the way."""
    for module in net.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.reset_running_stats()
            module.momentum = None
    net.train()
    with torch.no_grad():
        for strips, views in _batches(folders, batches):
            net(strips, views)
    net.eval()


def _batches(folders: list[Path], batches: int) -> Iterator[tuple[Tensor, Tensor]]:
    rng = np.random.default_rng(7)
    pools = [Pool(folder, 7) for folder in folders]
    for number in range(batches):
        groups = [varied(pools[(number + index) % len(pools)].group(3), rng) for index in range(8)]
        strips, views, _, _ = as_tensors(groups)
        yield strips, views


def _typical(folders: list[Path]) -> Iterator[Inputs]:
    for strips, views in _batches(folders, 8):
        for index in range(0, len(strips), 2):
            yield {"strips": strips[index].numpy(), "views": views[index].numpy()}


def boards(drawn: int, traced: Path | None) -> Iterator[BoardPicture]:
    """Boards as in play that training never saw."""
    for seed in range(FIRST_SEED, FIRST_SEED + drawn):
        yield from shots(seed, 1)
    rng = np.random.default_rng(FIRST_SEED)
    for file in sorted(traced.glob("*.png")) * TRACED_TIMES if traced is not None else []:
        frame = cv2.imread(str(file))
        if frame is not None:
            board, number = map(int, file.stem.split("_"))
            yield traced_shot(rng, scenes_to_trace(board, number + 1)[number], np.asarray(frame, np.uint8))


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


def export(checkpoint: Path, target: Path, folders: list[Path], drawn: int, traced: Path | None) -> None:
    """Write the 8-bit ONNX file with the looks' weights in its metadata."""
    torch.set_num_threads(1)
    net = StacksNet()
    net.load_state_dict(torch.load(checkpoint))
    settle(net, folders)
    with tempfile.TemporaryDirectory() as folder:
        plain, small = Path(folder) / "plain.onnx", Path(folder) / "small.onnx"
        torch.onnx.export(
            Stacks(net).eval(),
            (torch.zeros(3, 3, 336, 80), torch.zeros(3, 2)),
            str(plain),
            input_names=["strips", "views"],
            output_names=["count", "levels"],
            dynamic_axes={"strips": {0: "n"}, "views": {0: "n"}, "count": {0: "n"}, "levels": {0: "n"}},
            opset_version=17,
            dynamo=False,
        )
        quantise(plain, small, _typical(folders))
        model = onnx.load(small)
    write_measured(model, NEUTRAL, target)
    measured = weigh(CloseLook(target), StripNet(), boards(drawn, traced))
    logger.info("weights %s", measured)
    write_measured(model, measured, target)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("shards", type=Path, nargs="+", help="folders that it was trained on")
    parser.add_argument("--boards", type=int, default=400, help="drawn boards to weigh the looks on")
    parser.add_argument("--traced", type=Path, help="traced boards to weigh them on, too")
    asked = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    export(asked.checkpoint, asked.target, asked.shards, asked.boards, asked.traced)


if __name__ == "__main__":
    main()
