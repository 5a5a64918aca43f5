"""The finder of dice: a small net that marks their middles in a level picture, and the peaks of what it says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice.views import Frame
from vision.inference import chance_of

FINDER_STRIDE: Final = 4
FIRST_CENTRE_PX: Final = 1.5
"""Where the middle of the finder's first cell lies."""
FINDER_MULTIPLE_PX: Final = 16
Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Spot:
    """Something like a die in a level picture: middle of its top (pixels), size over the nominal size, heat 0..1."""

    x: float
    y: float
    scale: float
    heat: float


def find_spots(net: Any, picture: Frame, least_heat: float) -> list[Spot]:
    """Peaks of the finder's heat map in a level picture, hottest first."""
    height, width = picture.shape[:2]
    rows = -(-height // FINDER_MULTIPLE_PX) * FINDER_MULTIPLE_PX
    columns = -(-width // FINDER_MULTIPLE_PX) * FINDER_MULTIPLE_PX
    padded = np.zeros((1, 3, rows, columns), np.float32)
    padded[0, :, :height, :width] = cv2.dnn.blobFromImage(picture, 1 / 128, mean=(128, 128, 128))[0]
    seen: Scores = net.run(None, {"picture": padded})[0][0]
    logit = seen[0]
    around = np.full((logit.shape[0] + 2, logit.shape[1] + 2), -np.inf, np.float32)
    around[1:-1, 1:-1] = logit
    peak = logit > np.log(least_heat / (1 - least_heat))
    for row in range(3):
        for column in range(3):
            if (row, column) != (1, 1):
                peak &= logit >= around[row : row + logit.shape[0], column : column + logit.shape[1]]
    spots = []
    for row, column in np.argwhere(peak):
        heat = chance_of(logit[row, column])
        x = FINDER_STRIDE * (column + float(seen[1, row, column])) + FIRST_CENTRE_PX
        y = FINDER_STRIDE * (row + float(seen[2, row, column])) + FIRST_CENTRE_PX
        scale = float(np.exp(np.clip(seen[3, row, column], -0.7, 0.7)))
        if x < width and y < height:
            spots.append(Spot(float(x), float(y), scale, heat))
    return sorted(spots, key=lambda spot: -spot.heat)
