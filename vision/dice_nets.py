"""The two small nets of the dice reader, run by onnxruntime on one core."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import onnxruntime

from vision.dice_views import Frame

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


def open_net(name: str) -> Any:
    """Open one of the weights files that lie beside this package's training scripts."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    weights = files("vision.models").joinpath(name).read_bytes()
    return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])


def find_spots(net: Any, picture: Frame, least_heat: float) -> list[Spot]:
    """Peaks of the finder's heat map in a level picture, hottest first."""
    height, width = picture.shape[:2]
    rows = -(-height // FINDER_MULTIPLE_PX) * FINDER_MULTIPLE_PX
    columns = -(-width // FINDER_MULTIPLE_PX) * FINDER_MULTIPLE_PX
    padded = np.zeros((1, 3, rows, columns), np.float32)
    np.multiply(picture.transpose(2, 0, 1), np.float32(1 / 128), out=padded[0, :, :height, :width])
    padded[0, :, :height, :width] -= 1
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
        heat = float(1 / (1 + np.exp(-logit[row, column])))
        x = FINDER_STRIDE * (column + float(seen[1, row, column])) + FIRST_CENTRE_PX
        y = FINDER_STRIDE * (row + float(seen[2, row, column])) + FIRST_CENTRE_PX
        scale = float(np.exp(np.clip(seen[3, row, column], -0.7, 0.7)))
        if x < width and y < height:
            spots.append(Spot(float(x), float(y), scale, heat))
    return sorted(spots, key=lambda spot: -spot.heat)
