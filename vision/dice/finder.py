"""The finder of dice: a small net that marks their middles in a level picture, and the peaks of its map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from vision.board.geometry import Frame
from vision.inference import Floats, probability_of

FINDER_STRIDE: Final = 4
FIRST_CENTRE_PX: Final = 1.5
"""Where the middle of the finder's first cell lies."""
FINDER_MULTIPLE_PX: Final = 16


@dataclass(frozen=True, slots=True)
class Detection:
    """Something like a die or a cube: middle of its top, size (both in pixels or in level units), probability 0..1."""

    place: tuple[float, float]
    size: float
    score: float

    def in_level(self, corner: tuple[float, float], step: float) -> Detection:
        """From pixels of an upright level picture, y down, to level coordinates, y away.

        ``corner`` is the smallest x and the largest y in the picture, ``step`` the width of a pixel.
        """
        place = corner[0] + self.place[0] * step, corner[1] - self.place[1] * step
        return Detection(place, self.size * step, self.score)

    def moved(self, right: float, away: float, log_size: float) -> Detection:
        """Correct place (in sizes) and size by what was seen from nearer."""
        place = self.place[0] + right * self.size, self.place[1] + away * self.size
        return Detection(place, self.size * float(np.exp(log_size)), self.score)


def detect(net: Any, picture: Frame, usual_px: float, least_score: float) -> list[Detection]:
    """Peaks of the finder's map in a level picture (pixels), surest first; ``usual_px`` is the size it was made for."""
    height, width = picture.shape[:2]
    rows = -(-height // FINDER_MULTIPLE_PX) * FINDER_MULTIPLE_PX
    columns = -(-width // FINDER_MULTIPLE_PX) * FINDER_MULTIPLE_PX
    padded = np.zeros((1, 3, rows, columns), np.float32)
    padded[0, :, :height, :width] = cv2.dnn.blobFromImage(picture, 1 / 128, mean=(128, 128, 128))[0]
    seen: Floats = net.run(None, {"picture": padded})[0][0]
    logit = seen[0]
    around = np.full((logit.shape[0] + 2, logit.shape[1] + 2), -np.inf, np.float32)
    around[1:-1, 1:-1] = logit
    peak = logit > np.log(least_score / (1 - least_score))
    for row in range(3):
        for column in range(3):
            if (row, column) != (1, 1):
                peak &= logit >= around[row : row + logit.shape[0], column : column + logit.shape[1]]
    found = []
    for row, column in np.argwhere(peak):
        score = probability_of(logit[row, column])
        x = FINDER_STRIDE * (column + float(seen[1, row, column])) + FIRST_CENTRE_PX
        y = FINDER_STRIDE * (row + float(seen[2, row, column])) + FIRST_CENTRE_PX
        scale = float(np.exp(np.clip(seen[3, row, column], -0.7, 0.7)))
        if x < width and y < height:
            found.append(Detection((float(x), float(y)), usual_px * scale, score))
    return sorted(found, key=lambda detection: -detection.score)
