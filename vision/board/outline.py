"""Where a board may lie in a whole picture: rings of corners, the likeliest first."""

from itertools import combinations
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.board.canvas import STRIDE, WHOLE, fit_into, mapped_ahead
from vision.board.geometry import SURFACE_CORNERS, Corners, Frame
from vision.inference import WEIGHTS, Floats, open_net

OUTLINE: Final = WEIGHTS / "board_outline.onnx"
PEAKS: Final = 4
"""Marks of either pair of corners that are tried."""
LEAST_PEAK: Final = 0.01
APART_CELLS: Final = 3
NEAR_CELLS: Final = 2
BAR_SPREAD: Final = 0.06
"""How far the marks of the bar's ends usually lie from where a ring would have them, in its widths."""
SMALLEST_SHARE: Final = 0.02
"""Share of the searched picture that a board must fill."""


class OutlineFinder:
    """Runs the net that marks corners in a whole picture."""

    def __init__(self, weights: Path = OUTLINE) -> None:
        self._net = open_net(weights)

    def rings(self, frame: Frame, most: int) -> list[tuple[Corners, float]]:
        """Return at most so many rings p1, p12, p13, p24 in pixels of the frame.

        With each the share (intersection over union) that it has in common with what looks like a surface.
        """
        fitted, scale, shift = fit_into(frame, WHOLE)
        picture = np.ascontiguousarray(fitted.transpose(2, 0, 1)[None], np.float32)
        maps = np.asarray(self._net.run(None, {"picture": picture})[0][0], np.float32)
        first, second, ends = (_peaks(channel) for channel in maps[:3])
        found = []
        for (a, weight_a), (c, weight_c) in combinations(first, 2):
            for (b, weight_b), (d, weight_d) in combinations(second, 2):
                ring = np.array([a, b, c, d], np.float32)
                # Once round in the picture: p1, p12, p13, p24 go clockwise.
                if cv2.contourArea(ring, True) < 0:  # noqa: FBT003 - OpenCV's own signature
                    ring = ring[[0, 3, 2, 1]]
                if cv2.isContourConvex(ring) and cv2.contourArea(ring) > SMALLEST_SHARE * WHOLE[0] * WHOLE[1]:
                    overlap = _overlap(ring, maps[3])
                    weight = weight_a * weight_b * weight_c * weight_d * overlap**4
                    found.append((weight * _barred(ring, [place for place, _ in ends]), ring, overlap))
        found.sort(key=lambda entry: -entry[0])
        return [
            (np.asarray((ring - shift + 0.5) / scale - 0.5, np.float32), overlap) for _, ring, overlap in found[:most]
        ]


def _peaks(logits: Floats) -> list[tuple[tuple[float, float], float]]:
    """The strongest marks of a map, in pixels of the searched picture, with their odds."""
    odds = np.exp(logits - logits.max())
    odds /= odds.sum()
    around = cv2.blur(odds, (3, 3), borderType=cv2.BORDER_CONSTANT) * 9
    found: list[tuple[tuple[float, float], float]] = []
    rows, columns = np.mgrid[0 : odds.shape[0], 0 : odds.shape[1]]
    for _ in range(PEAKS):
        row, column = np.unravel_index(int(around.argmax()), odds.shape)
        away = np.hypot(rows - row, columns - column)
        near = odds * (away <= NEAR_CELLS)
        weight = float(near.sum())
        if weight < LEAST_PEAK:
            break
        x, y = (float((near * place).sum() / weight * STRIDE + (STRIDE - 1) / 2) for place in (columns, rows))
        found.append(((x, y), weight))
        around[away <= APART_CELLS] = 0
    return found


def _barred(ring: Corners, ends: list[tuple[float, float]]) -> float:
    """How well marks of the bar's ends fit a ring, up to 1."""
    if not ends:
        return 1.0
    surface = cv2.getPerspectiveTransform(SURFACE_CORNERS, ring)
    wanted = mapped_ahead(np.asarray(surface, np.float64), [(0.5, 0.0), (0.5, 1.0)])
    away = np.linalg.norm(wanted[:, None] - np.array(ends)[None], axis=2).min(1)
    width = float(np.linalg.norm(ring[0] - ring[1]))
    return float(np.exp(-((np.minimum(away / width, 0.2) / BAR_SPREAD) ** 2).sum() / 2))


def _overlap(ring: Corners, surface: Floats) -> float:
    outline = np.zeros(surface.shape, np.uint8)
    cv2.fillConvexPoly(outline, np.round((ring - (STRIDE - 1) / 2) / STRIDE).astype(np.int32), 1.0)
    inside, marked = outline > 0, surface > 0
    return float((inside & marked).sum() / max(1, (inside | marked).sum()))
