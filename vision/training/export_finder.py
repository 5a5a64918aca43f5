"""Exports the finder's nets as 8-bit ONNX and fits its certainty to pictures that training never saw.

``python -m vision.training.export_finder OUTLINE_CHECKPOINT CORNERS_CHECKPOINT FOLDERS``
"""

import argparse
import logging
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
import onnx
import torch
from torch import nn

from vision.board.canvas import CANVAS, WHOLE, cut_canvas, fit_into
from vision.board.finder import CORNERS, EVIDENCE, RINGS, BoardFinder
from vision.board.geometry import Frame
from vision.board.outline import OUTLINE, OutlineFinder
from vision.training.finder_net import CornersNet, OutlineNet
from vision.training.quantise import Inputs, quantise
from vision.training.train_finder import HELD_OUT, board_of, guessed

logger = logging.getLogger(__name__)
Floats = npt.NDArray[np.float64]
RANGE_PICTURES: Final = 40
RIGHT_SHARE, WRONG_SHARE = 0.015, 0.03
"""A ring off by no more than the first, in widths of the surface, is right; by more than the second, wrong."""
BAD_SHARE, BAD_AMONG_FOUND = 0.02, 0.04
"""So many of the boards that are found may be off by more than the first. Stricter than what counts as wrong, since a
few hundred pictures hold few that are wrong and sure."""
SPOILED_RINGS: Final = 2
SURE_AT_ONCE: Final = 0.97
"""A ring as sure as this is taken without a look at the others."""
NEUTRAL: Final = {"least_certainty": 0.5, "sure_at_once": 2.0, "weight_all": 0.0} | {
    f"weight_{name}": 1.0 for name in EVIDENCE
}


def held_out(folders: Sequence[Path]) -> list[Path]:
    """Pictures of boards that training leaves out."""
    files = [file for folder in folders for file in sorted(folder.glob("*.jpg"))]
    return [file for file in files if board_of(file) % HELD_OUT == 0]


def opened(file: Path) -> tuple[Frame, Floats]:
    """A picture and its places (7, 2)."""
    return np.asarray(cv2.imread(str(file)), np.uint8), np.load(file.with_suffix(".npy")).astype(np.float64)


def off_share(corners: npt.ArrayLike, true: Floats) -> float:
    """How far the worst corner lies off, in widths of the surface, whichever way round the board is named."""
    width = float(np.linalg.norm(true[0] - true[1]))
    return min(float(np.linalg.norm(np.roll(corners, turn, 0) - true, axis=1).max()) / width for turn in (0, 2))


def typical_wholes(files: Sequence[Path]) -> Iterator[Inputs]:
    """Whole pictures from which the range of each layer's values is taken."""
    for file in files:
        fitted = fit_into(opened(file)[0], WHOLE)[0]
        yield {"picture": np.ascontiguousarray(fitted.transpose(2, 0, 1)[None], np.float32)}


def typical_canvases(files: Sequence[Path]) -> Iterator[Inputs]:
    """The same for rectified boards."""
    rng = np.random.default_rng(5)
    for file in files:
        frame, places = opened(file)
        canvas = cut_canvas(frame, guessed(rng, places[:4])[0].astype(np.float32))
        yield {"canvas": np.ascontiguousarray(canvas.transpose(2, 0, 1)[None], np.float32)}


def export(net: nn.Module, example: torch.Tensor, asked: str, target: Path, inputs: Iterator[Inputs]) -> None:
    """Write a net as 8-bit ONNX."""
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        torch.onnx.export(
            net,
            (example,),
            str(plain),
            input_names=[asked],
            output_names=["maps"],
            opset_version=17,
            dynamo=False,
        )
        quantise(plain, target, inputs)


def note(target: Path, figures: dict[str, float]) -> None:
    """Let figures travel with weights."""
    model = onnx.load(str(target))
    onnx.helper.set_model_props(model, {name: f"{value:.6g}" for name, value in figures.items()})
    onnx.save(model, str(target))


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """What came of the rings of held-out pictures."""

    evidence: Floats
    """Shape (n, 8), in the order of EVIDENCE."""
    off: Floats
    """How far the worst corner lies off, in widths of the surface, shape (n,)."""
    picture: npt.NDArray[np.int64]
    """Index of the picture, shape (n,)."""
    tried: npt.NDArray[np.bool_]
    """Whether the finder tries the ring, or it was spoiled on purpose, shape (n,)."""


def settle(files: Sequence[Path], finder: BoardFinder, outlines: OutlineFinder) -> Settled:
    """Let the finder look closely at the rings that it tries and at some spoiled ones."""
    rng = np.random.default_rng(9)
    rows: list[tuple[Floats, float, int, bool]] = []
    for index, file in enumerate(files):
        frame, places = opened(file)
        marked = outlines.rings(frame, RINGS)
        usual = max((overlap for _, overlap in marked), default=0.8)
        rings = [(np.roll(ring, -turn, 0), overlap, True) for ring, overlap in marked for turn in (0, 1)]
        for _ in range(SPOILED_RINGS):
            spoiled = guessed(rng, places[:4])[0].astype(np.float32)
            if cv2.isContourConvex(spoiled):
                rings.append((spoiled, usual, False))
        for ring, overlap, tried in rings:
            settled = finder.settle(frame, ring, overlap)
            if settled is not None:
                rows.append((settled.evidence, off_share(settled.corners, places[:4]), index, tried))
    evidence, off, picture, tries = zip(*rows, strict=True)
    return Settled(np.array(evidence), np.array(off), np.array(picture), np.array(tries))


def fitted(rows: Floats, right: npt.NDArray[np.bool_]) -> dict[str, float]:
    """Weights of a logistic regression by Newton's method, a little pulled towards none."""
    middle, spread = rows.mean(0), rows.std(0)
    given = np.hstack([(rows - middle) / spread, np.ones((len(rows), 1))])
    pull = np.diag([1.0] * rows.shape[1] + [0.0])
    weights = np.zeros(given.shape[1])
    for _ in range(30):
        probability = 1 / (1 + np.exp(-given @ weights))
        slope = given.T @ (right - probability) - pull @ weights
        bend = (given * (probability * (1 - probability))[:, None]).T @ given + pull
        weights += np.linalg.solve(bend + 1e-6 * np.eye(len(bend)), slope)
    plain = weights[:-1] / spread
    figures = {f"weight_{name}": float(weight) for name, weight in zip(EVIDENCE, plain, strict=True)}
    return figures | {"weight_all": float(weights[-1] - plain @ middle)}


def least_certainty(certainties: Floats, off: Floats) -> float:
    """The lowest certainty from which on few enough of these pictures' boards are off."""
    order = np.argsort(-certainties)
    bad = np.cumsum(off[order] > BAD_SHARE) / np.arange(1, len(order) + 1)
    few = np.flatnonzero(bad <= BAD_AMONG_FOUND)
    if not len(few):
        msg = "even the surest boards are off: train longer"
        raise ValueError(msg)
    return float(certainties[order][few.max()])


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("outline", type=Path)
    parser.add_argument("corners", type=Path)
    parser.add_argument("folders", type=Path, nargs="+", help="those of the training: its held-out boards are used")
    parser.add_argument("--unseen", type=Path, nargs="*", default=[], help="folders that training never saw")
    asked = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    files = held_out(asked.folders) + [file for folder in asked.unseen for file in sorted(folder.glob("*.jpg"))]
    typical = files[:: max(1, len(files) // RANGE_PICTURES)]
    outline, corners = OutlineNet(), CornersNet()
    outline.load_state_dict(torch.load(asked.outline))
    corners.load_state_dict(torch.load(asked.corners))
    whole, canvas = (torch.zeros(1, 3, size[1], size[0]) for size in (WHOLE, CANVAS))
    export(outline.eval(), whole, "picture", OUTLINE, typical_wholes(typical))
    export(corners.eval(), canvas, "canvas", CORNERS, typical_canvases(typical))
    note(CORNERS, NEUTRAL)
    settled = settle(files, BoardFinder(), OutlineFinder())
    clear = (settled.off <= RIGHT_SHARE) | (settled.off > WRONG_SHARE)
    figures = fitted(settled.evidence[clear], settled.off[clear] <= RIGHT_SHARE)
    weights = np.array([figures[f"weight_{name}"] for name in EVIDENCE])
    certainty = 1 / (1 + np.exp(-(settled.evidence @ weights + figures["weight_all"])))
    own = [np.flatnonzero((settled.picture == index) & settled.tried) for index in range(len(files))]
    best = np.array([rows[int(certainty[rows].argmax())] for rows in own if len(rows)])
    sure, off = certainty[best], settled.off[best]
    figures |= {"least_certainty": least_certainty(sure, off)}
    figures |= {"sure_at_once": max(SURE_AT_ONCE, figures["least_certainty"])}
    note(CORNERS, figures)
    found = sure >= figures["least_certainty"]
    logger.info(
        "%d pictures: found %.1f %%, of these within 1 %% %.1f %%, off by more than 3 %% %.2f %%",
        len(files),
        100 * found.sum() / len(files),
        100 * (off[found] <= 0.01).mean(),
        100 * (off[found] > WRONG_SHARE).mean(),
    )


if __name__ == "__main__":
    main()
