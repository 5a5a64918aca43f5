"""Pieces of real photographs (tables, wood, cloth, what lies on them), laid over drawn boards by the training."""

from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

PIECES_A_PICTURE: Final = 4
ROWS, COLUMNS = 192, 320
SCALES: Final = (0.35, 1.6)
BROAD_PX: Final = 24.0
"""Shading wider than this is left out of a relief: it is the light of the photo, not its surface."""
DARKEST: Final = 12.0
STRONGEST: Final = 0.8

Relief = npt.NDArray[np.float16]


def reliefs(folder: Path, seed: int) -> Relief:
    """Return by how much (log) each pixel of pieces of the folder's photos is lighter than around it.

    Shape (n, ROWS, COLUMNS, 3); ``seed`` chooses places and scales.
    """
    rng = np.random.default_rng(seed)
    cut = [relief for file in sorted(folder.glob("*")) for relief in _of_photo(file, rng)]
    return np.stack(cut)


def _of_photo(file: Path, rng: np.random.Generator) -> list[Relief]:
    photo = cv2.imread(str(file))
    if photo is None:
        return []
    least = max(ROWS / photo.shape[0], COLUMNS / photo.shape[1])
    cut = []
    for _ in range(PIECES_A_PICTURE):
        scale = max(least * 1.01, float(np.exp(rng.uniform(*np.log(SCALES)))))
        scaled = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        top, left = (
            int(rng.integers(whole - part + 1)) for whole, part in zip(scaled.shape, (ROWS, COLUMNS), strict=False)
        )
        light = np.log(scaled[top : top + ROWS, left : left + COLUMNS].astype(np.float32) + DARKEST)
        relief = light - cv2.GaussianBlur(light, (0, 0), BROAD_PX)
        cut.append(np.clip(relief, -STRONGEST, STRONGEST).astype(np.float16))
    return cut
