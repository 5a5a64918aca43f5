"""A picture made ready for the nets that find boards: scaled as a whole, or rectified by a guess of the corners."""

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import SURFACE_CORNERS, Corners, Frame, mapped

WHOLE: Final = (256, 160)
"""Size (width, height) at which the whole picture is searched."""
STRIDE: Final = 4
"""Pixels of a map's cell."""
CANVAS: Final = (288, 240)
"""Size (width, height) of a rectified board with what lies round it."""
SURFACE_PX: Final = (224.0, 184.0)
"""The surface's part of the canvas, whatever its true proportions: the canvas's middle."""
CELLS: Final = (CANVAS[1] // STRIDE, CANVAS[0] // STRIDE)
"""Rows and columns of a canvas's maps."""
GREY: Final = 127
Matrix = npt.NDArray[np.float64]


def fit_into(frame: Frame, size: tuple[int, int]) -> tuple[Frame, float, tuple[int, int]]:
    """Return the frame scaled into ``size`` (width, height) with grey borders, its scale and its offset in pixels."""
    scale = min(size[0] / frame.shape[1], size[1] / frame.shape[0])
    width, height = (max(1, round(side * scale)) for side in (frame.shape[1], frame.shape[0]))
    left, top = (size[0] - width) // 2, (size[1] - height) // 2
    fitted = np.full((size[1], size[0], 3), GREY, np.uint8)
    fitted[top : top + height, left : left + width] = cv2.resize(frame, (width, height), interpolation=cv2.INTER_AREA)
    return fitted, scale, (left, top)


def surface_to_canvas() -> Matrix:
    """Affine map (3, 3) from surface coordinates to canvas pixels, p1 at the lower right."""
    width, height = SURFACE_PX
    left, bottom = (CANVAS[0] - width) / 2 - 0.5, (CANVAS[1] + height) / 2 - 0.5
    return np.array([(width, 0, left), (0, -height, bottom), (0, 0, 1)], np.float64)


def canvas_to_picture(corners: Corners) -> Matrix:
    """Homography (3, 3) from the pixels of a canvas rectified by ``corners`` to those of the picture."""
    surface = cv2.getPerspectiveTransform(SURFACE_CORNERS, np.asarray(corners, np.float32))
    return np.asarray(surface @ np.linalg.inv(surface_to_canvas()), np.float64)


def cut_canvas(frame: Frame, corners: Corners) -> Frame:
    """Return the canvas (240, 288, 3) that a guess of the corners rectifies; grey beyond the picture."""
    longest = float(np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1).max())
    scale = min(1.0, 1.25 * SURFACE_PX[0] / max(1.0, longest))
    # Plain interpolation in a much larger picture would pick single, noisy pixels.
    small = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else frame
    shrink = np.array([(scale, 0, (scale - 1) / 2), (0, scale, (scale - 1) / 2), (0, 0, 1)], np.float64)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    border = (float(GREY),) * 3
    matrix = shrink @ canvas_to_picture(corners)
    canvas = cv2.warpPerspective(small, matrix, CANVAS, flags=flags, borderMode=cv2.BORDER_CONSTANT, borderValue=border)
    return np.asarray(canvas, np.uint8)


def mapped_ahead(matrix: npt.NDArray[np.floating], places: npt.ArrayLike) -> Matrix:
    """Return places (n, 2) mapped by a homography (3, 3); not finite beyond its horizon."""
    points = np.asarray(places, np.float64).reshape(-1, 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        flat = mapped(matrix, points)
    ahead = (points @ matrix[2, :2] + matrix[2, 2]) * matrix[2, 2] > 0
    return np.asarray(np.where(ahead[:, None], flat, np.inf), np.float64)
