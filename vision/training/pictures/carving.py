"""Reliefs cut into a wooden board: what a light from the side draws on it, rosettes that look like pips included."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.synthetic.style import BoardDims

Heights = npt.NDArray[np.float32]
"""Shape (height, width), metres, 0 = the surface, negative = cut away."""


def carve(rng: np.random.Generator, dims: BoardDims, width_px: int) -> Heights:
    """Return a relief for the whole surface, p24 top right: outlines of points, rosettes, scrolls."""
    scale = width_px / (2 * dims.half_width)
    size = (round(2 * dims.half_depth * scale), width_px)
    cut = np.zeros(size, np.uint8)
    half = dims.pitch / 2 * scale
    outlined, beaded = rng.random() < 0.7, rng.random() < 0.7
    beads = rng.uniform(0.12, 0.9, int(rng.integers(1, 7)))
    thickness = int(rng.integers(1, 5))
    round_px = rng.uniform(0.12, 0.45) * half
    relief = np.zeros(size, np.float32)
    for point in range(1, 25):
        middle = (dims.column_x(point) + dims.half_width) * scale
        base, up = (size[0], -1.0) if point <= 12 else (0.0, 1.0)
        tip = base + up * dims.point_length * scale
        if outlined:
            outline = np.array([(middle - 0.9 * half, base), (middle + 0.9 * half, base), (middle, tip)])
            cv2.polylines(cut, [np.round(outline * 16).astype(np.int32)], True, 255.0, thickness, cv2.LINE_AA, 4)  # noqa: FBT003 - OpenCV's own signature
        if beaded:
            for share in beads:
                spot = (middle, base + share * (tip - base))
                _rosette(relief, spot, round_px * (1.2 - 0.6 * share))
    for _ in range(int(rng.integers(0, 9))):
        _scroll(rng, cut, (rng.uniform(0, size[1]), rng.uniform(0, size[0])), rng.uniform(0.5, 2.5) * half)
    for _ in range(int(rng.integers(0, 4))):
        _rosette(relief, (rng.uniform(0, size[1]), rng.uniform(0, size[0])), rng.uniform(0.3, 2.0) * half)
    depth = rng.uniform(0.0003, 0.0018)
    groove = cv2.GaussianBlur(cut, (0, 0), rng.uniform(0.8, 2.0)).astype(np.float32) / 255
    return np.asarray(depth * (relief - groove), np.float32)


def _rosette(relief: Heights, middle: tuple[float, float], radius: float) -> None:
    """Cut a round hollow with a boss in its middle."""
    reach = int(radius * 1.3) + 2
    x0, y0 = int(middle[0]), int(middle[1])
    left, top = max(0, x0 - reach), max(0, y0 - reach)
    patch = relief[top : y0 + reach, left : x0 + reach]
    if patch.size == 0:
        return
    rows, columns = np.mgrid[0 : patch.shape[0], 0 : patch.shape[1]]
    away = np.hypot(columns + left - middle[0], rows + top - middle[1]) / max(1.0, radius)
    ring = -np.exp(-(((away - 0.8) / 0.22) ** 2)) - 0.5 * (away < 0.8) + 0.9 * np.exp(-((away / 0.3) ** 2))
    patch[:] = np.where(away < 1.25, ring, patch)


def _scroll(rng: np.random.Generator, cut: npt.NDArray[np.uint8], middle: tuple[float, float], radius: float) -> None:
    """Cut a spiral with leaves."""
    turn = np.linspace(0, rng.uniform(2, 12), 60)
    start = rng.uniform(0, 2 * np.pi)
    away = radius * (1 - turn / turn[-1] * rng.uniform(0.3, 0.9))
    line = np.stack([middle[0] + away * np.cos(turn + start), middle[1] + away * np.sin(turn + start)], 1)
    cv2.polylines(cut, [np.round(line * 16).astype(np.int32)], False, 255.0, int(rng.integers(1, 4)), cv2.LINE_AA, 4)  # noqa: FBT003 - OpenCV's own signature
