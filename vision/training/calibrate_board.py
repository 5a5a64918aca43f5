"""Fits how sure the board finder may be of a board: the evidence of rings on pictures that training never saw."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.finder import EVIDENCE, RINGS, BoardFinder
from vision.board.geometry import Coordinates, Frame
from vision.board.outline import OutlineFinder
from vision.training.board_pictures import guessed
from vision.training.calibration import UntrainedError, fit_logistic

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
LabelledBoard = tuple[Frame, Coordinates]
"""A picture and its places (7, 2)."""


def off_share(corners: npt.ArrayLike, true: Coordinates) -> float:
    """How far the worst corner lies off, in widths of the surface, whichever way round the board is named."""
    width = float(np.linalg.norm(true[0] - true[1]))
    return min(float(np.linalg.norm(np.roll(corners, turn, 0) - true, axis=1).max()) / width for turn in (0, 2))


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """What came of the rings of held-out pictures."""

    evidence: Coordinates
    """Shape (n, 8), in the order of EVIDENCE."""
    off: Coordinates
    """How far the worst corner lies off, in widths of the surface, shape (n,)."""
    picture: npt.NDArray[np.int64]
    """Index of the picture, shape (n,)."""
    tried: npt.NDArray[np.bool_]
    """Whether the finder tries the ring, or it was spoiled on purpose, shape (n,)."""


def settle(boards: Sequence[LabelledBoard], finder: BoardFinder, outlines: OutlineFinder) -> Settled:
    """Let the finder look closely at the rings that it tries and at some spoiled ones."""
    rng = np.random.default_rng(9)
    rows: list[tuple[Coordinates, float, int, bool]] = []
    for index, (frame, places) in enumerate(boards):
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
    if not rows:
        msg = "no ring was found on any held-out picture: train longer"
        raise UntrainedError(msg)
    evidence, off, picture, tries = zip(*rows, strict=True)
    return Settled(np.array(evidence), np.array(off), np.array(picture), np.array(tries))


def certainty_figures(boards: Sequence[LabelledBoard], corners: Path, outline: Path) -> dict[str, float]:
    """Return the weights of the evidence, and from which certainty on a board is taken for found."""
    settled = settle(boards, BoardFinder(corners, OutlineFinder(outline)), OutlineFinder(outline))
    clear = (settled.off <= RIGHT_SHARE) | (settled.off > WRONG_SHARE)
    weights, offset = fit_logistic(settled.evidence[clear], settled.off[clear] <= RIGHT_SHARE)
    certainty = 1 / (1 + np.exp(-(settled.evidence @ weights + offset)))
    own = [np.flatnonzero((settled.picture == index) & settled.tried) for index in range(len(boards))]
    best = np.array([rows[int(certainty[rows].argmax())] for rows in own if len(rows)])
    least = least_certainty(certainty[best], settled.off[best])
    figures = {f"weight_{name}": float(weight) for name, weight in zip(EVIDENCE, weights, strict=True)}
    return figures | {
        "weight_all": offset,
        "least_certainty": least,
        "sure_at_once": max(SURE_AT_ONCE, least),
    }


def least_certainty(certainties: Coordinates, off: Coordinates) -> float:
    """The lowest certainty from which on few enough of these pictures' boards are off."""
    order = np.argsort(-certainties)
    bad = np.cumsum(off[order] > BAD_SHARE) / np.arange(1, len(order) + 1)
    few = np.flatnonzero(bad <= BAD_AMONG_FOUND)
    if not len(few):
        msg = "even the surest boards are off: train longer"
        raise UntrainedError(msg)
    return float(certainties[order][few.max()])
