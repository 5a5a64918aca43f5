"""Finds a board without markers: likely rings of corners are looked at closely until they settle, then doubted.

A net marks corners in the whole picture; a second one sees the board as a guess of its corners rectifies it and finds
where the corners and the bar's are indeed. Whether the place it settles at is the board's is judged apart, by how
sure and how steadily it is seen: weights in ``board_corners.onnx``, fitted to generated pictures by
``vision.training.calibrate_board``. No picture shows which corner is p1; of the two ways round, the one with p1 nearer
to the picture's lower right is given.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.board.canvas import CELLS, STRIDE, SURFACE_PX, Matrix, canvas_to_picture, cut_canvas, mapped_ahead
from vision.board.geometry import SURFACE_CORNERS, BoardNotFoundError, Coordinates, Corners, Frame
from vision.board.outline import OutlineFinder
from vision.inference import WEIGHTS, measured, open_net

CORNERS: Final = WEIGHTS / "board_corners.onnx"
RINGS: Final = 3
"""How many rings are looked at closely, each the way round it is marked and a quarter turn farther."""
LOOKS: Final = 3
AROUND_CELLS: Final = 2.5
"""A place and its odds are taken from the cells no farther than this from the likeliest one."""
GONE: Final = 0.6
"""A ring whose corners are by these mean odds not even near is left, such as one a quarter turn off."""
ACROSS: Final = (1, 0, 3, 2, 5, 4, 7, 6)
ALONG: Final = (3, 2, 1, 0, 7, 6, 5, 4)
"""Which of the eight places (p1, p12, p13, p24, the bar's corners beside them) is which in a mirrored canvas."""
EVIDENCE: Final = ("corner", "corners", "bar", "steady", "settled", "absent", "upright", "overlap")


@dataclass(frozen=True, slots=True, eq=False)
class SettledBoard:
    """A ring of corners after some close looks."""

    corners: Corners
    bar: tuple[float, float]
    """The bar's edges as they are seen, in widths of the surface."""
    evidence: Coordinates
    """What speaks for the ring, in the order of EVIDENCE; each about -3..3."""


class BoardFinder:
    """Finds a board in a picture by its own look."""

    def __init__(self, weights: Path = CORNERS, outlines: OutlineFinder | None = None) -> None:
        self._net = open_net(weights)
        self._outlines = outlines or OutlineFinder()
        self._calibration = measured(self._net)

    def find(self, frame: Frame) -> SettledBoard:
        """Return the board in view.

        Raises BoardNotFoundError where there is none or it is not sure that this is one.
        """
        best = self.best(frame)
        if best is None:
            raise BoardNotFoundError("no_board")
        if self.certainty(best) < self._calibration["least_certainty"]:
            raise BoardNotFoundError("unsure_board")
        return best

    def best(self, frame: Frame) -> SettledBoard | None:
        """Return what looks most like a board, however doubtful; None where nothing does."""
        best, certainty = None, 0.0
        for ring, overlap in self._outlines.rings(frame, RINGS):
            for turn in (0, 1):
                settled = self.settle(frame, np.roll(ring, -turn, 0), overlap)
                if settled is not None and (sure := self.certainty(settled)) > certainty:
                    best, certainty = settled, sure
            if certainty > self._calibration["sure_at_once"]:
                break
        return best

    def certainty(self, settled: SettledBoard) -> float:
        """Probability that a settled ring is the board's surface."""
        weights = np.array([self._calibration[f"weight_{name}"] for name in EVIDENCE])
        return float(1 / (1 + np.exp(-(settled.evidence @ weights + self._calibration["weight_all"]))))

    def settle(self, frame: Frame, ring: Corners, overlap: float) -> SettledBoard | None:
        """Look closely at a ring until it lies on corners; None where it leads nowhere."""
        corners = np.asarray(ring, np.float32)
        odds = np.zeros((0, 8, CELLS[0] * CELLS[1] + 1))
        places = np.zeros((8, 2))
        moved = 0.0
        for look in range(LOOKS):
            canvas = cut_canvas(frame, corners)
            odds = self._look(canvas, mirrored=look == LOOKS - 1)
            if odds[:, :4, -1].mean() > GONE:
                return None
            places, _ = _places(odds.mean(0))
            matrix = canvas_to_picture(corners)
            found = mapped_ahead(matrix, places)
            before = mapped_ahead(np.linalg.inv(matrix), corners)
            moved = float(np.linalg.norm((places[:4] - before) / SURFACE_PX[0], axis=1).max())
            corners = found[:4].astype(np.float32)
            if not _is_board(corners, frame):
                return None
        surface = np.linalg.inv(cv2.getPerspectiveTransform(SURFACE_CORNERS, corners))
        bar = mapped_ahead(surface, mapped_ahead(matrix, places[4:]))
        if not np.isfinite(bar).all():
            return None
        evidence = _evidence(odds, bar, moved, overlap)
        lower_right = corners @ np.array([1.0, 1.0], np.float32)
        if lower_right[0] < lower_right[2]:
            corners, bar = np.roll(corners, 2, 0), 1 - np.roll(bar, 2, 0)
        edges = float(bar[[1, 2], 0].mean()), float(bar[[0, 3], 0].mean())
        return SettledBoard(corners, edges, evidence)

    def _look(self, canvas: Frame, *, mirrored: bool) -> Coordinates:
        """Odds (n, 8, cells + 1): one look, or four, one at each mirror image."""
        views = [canvas]
        if mirrored:
            views += [canvas[:, ::-1], canvas[::-1], canvas[::-1, ::-1]]
        looks = []
        for index, view in enumerate(views):
            pixels = np.ascontiguousarray(view.transpose(2, 0, 1)[None], np.float32)
            logits = np.asarray(self._net.run(None, {"canvas": pixels})[0][0], np.float64)
            odds = np.exp(logits - logits.max(1, keepdims=True))
            odds /= odds.sum(1, keepdims=True)
            if index & 1:
                odds = flipped(odds, across=True)
            if index & 2:
                odds = flipped(odds, across=False)
            looks.append(odds)
        return np.stack(looks)


def flipped(odds: Coordinates, *, across: bool) -> Coordinates:
    """Return the odds (8, cells + 1) of a canvas mirrored left to right (``across``) or upside down."""
    maps = odds[:, :-1].reshape(8, *CELLS)
    order = list(ACROSS if across else ALONG)
    turned = (maps[:, :, ::-1] if across else maps[:, ::-1])[order]
    return np.hstack([turned.reshape(8, -1), odds[order, -1:]])


def _places(odds: Coordinates) -> tuple[Matrix, Coordinates]:
    """The likeliest places (8, 2) in canvas pixels and the odds that lie round them (8,)."""
    rows, columns = np.mgrid[0 : CELLS[0], 0 : CELLS[1]]
    places, weights = np.zeros((8, 2)), np.zeros(8)
    for index, cells in enumerate(odds[:, :-1].reshape(8, *CELLS)):
        peak = cv2.blur(cells, (3, 3), borderType=cv2.BORDER_CONSTANT)
        row, column = np.unravel_index(int(peak.argmax()), peak.shape)
        near = cells * (np.hypot(rows - row, columns - column) <= AROUND_CELLS)
        weights[index] = near.sum()
        spot = np.array([(near * columns).sum(), (near * rows).sum()]) / max(weights[index], 1e-9)
        places[index] = spot * STRIDE + (STRIDE - 1) / 2
    return places, weights


def _is_board(corners: Corners, frame: Frame) -> bool:
    """Whether corners go once round and lie in or near the picture."""
    if not np.isfinite(corners).all() or np.abs(corners).max() > 3 * max(frame.shape):
        return False
    return bool(cv2.isContourConvex(corners)) and cv2.contourArea(corners) > 400.0


def _evidence(odds: Coordinates, bar: Matrix, moved: float, overlap: float) -> Coordinates:
    """What speaks for a ring, in the order of EVIDENCE."""
    _, weights = _places(odds.mean(0))
    each = np.stack([_places(look)[0] for look in odds])
    apart = np.linalg.norm(each - each.mean(0), axis=2)[:, :4].max() / SURFACE_PX[0]
    logs = np.log(np.clip(weights, 1e-4, 1))
    # The bar lies across the middle of every board, from edge to edge.
    middle = (bar[[0, 3], 0] + bar[[1, 2], 0]) / 2
    off = max(float(np.abs(middle - 0.5).max()), float(np.abs(bar[:, 1] - (0, 0, 1, 1)).max()))
    return np.array(
        [
            logs[:4].min(),
            logs[:4].mean(),
            logs[4:].min(),
            -np.log(apart + 0.002),
            -np.log(moved + 0.002),
            -np.log(odds[:, :4, -1].max() + 0.003),
            -np.log(off + 0.004),
            np.log(overlap + 0.05),
        ]
    )
