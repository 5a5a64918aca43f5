"""Finds a board by four printed ArUco markers stuck to its rim, and makes the sheet to print."""

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import CORNER_NAMES, BoardNotFoundError, Corners, Frame

FIRST_MARKER: Final = 0
"""Markers 0, 1, 2, 3 belong to the corners p1, p12, p13, p24."""
WANTED: Final = range(FIRST_MARKER, FIRST_MARKER + 4)
_DICTIONARY: Final = cv2.aruco.DICT_4X4_50


def _marked(frame: Frame) -> dict[int, Corners]:
    """Outline (4, 2) of each of our markers in view, by its number."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(_DICTIONARY))
    quads, labels, _ = detector.detectMarkers(frame)
    # Stubs say array, runtime says None when nothing is seen; OpenCV 4 shapes labels (n, 1), OpenCV 5 (n,).
    found = [int(label) for label in np.ravel(labels)] if quads else []
    outlines = {label: np.asarray(quad, np.float32).reshape(4, 2) for label, quad in zip(found, quads, strict=True)}
    return {label: outline for label, outline in outlines.items() if label in WANTED}


def markers_in_view(frame: Frame) -> tuple[str, ...]:
    """Names of the corners whose markers are in view."""
    return tuple(CORNER_NAMES[label - FIRST_MARKER] for label in sorted(_marked(frame)))


def find_marked_corners(frame: Frame) -> Corners:
    """Return the surface's corners: each marker's own corner that touches the board's.

    A marker is stuck so that its inner corner lies on the surface's corner. Raises BoardNotFoundError that names
    the markers that are not in view.
    """
    outlines = _marked(frame)
    missing = [CORNER_NAMES[label - FIRST_MARKER] for label in WANTED if label not in outlines]
    if missing:
        raise BoardNotFoundError(
            "markers_missing", corners=", ".join(missing), seen=", ".join(map(str, sorted(outlines))) or "-"
        )
    centre = np.mean([outlines[label].mean(0) for label in WANTED], 0)
    inner = [min(outlines[label], key=lambda corner: float(np.linalg.norm(corner - centre))) for label in WANTED]
    return np.asarray(inner, np.float32)


def marker_sheet(side_mm: float = 25.0, dots_per_mm: float = 8.0) -> npt.NDArray[np.uint8]:
    """Return an A4 page (grey, height x width) with the four markers, their names and a ruler to check the print."""
    width, height = round(210 * dots_per_mm), round(297 * dots_per_mm)
    page = np.full((height, width), 255, np.uint8)
    side = round(side_mm * dots_per_mm)
    dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARY)
    for index, name in enumerate(CORNER_NAMES):
        left = round(width * (0.28 if index % 2 else 0.72) - side / 2)
        top = round(height * (0.2 if index < 2 else 0.5))
        page[top : top + side, left : left + side] = cv2.aruco.generateImageMarker(
            dictionary, FIRST_MARKER + index, side
        )
        cv2.putText(page, name, (left, top + side + round(9 * dots_per_mm)), 0, dots_per_mm / 5, 0.0, 2, cv2.LINE_AA)
    ruler = round(height * 0.85)
    start, end = round(width / 2 - 50 * dots_per_mm), round(width / 2 + 50 * dots_per_mm)
    cv2.line(page, (start, ruler), (end, ruler), 0.0, 3)
    for x in (start, end):
        cv2.line(page, (x, ruler - 20), (x, ruler + 20), 0.0, 3)
    cv2.putText(page, "100 mm", (start, ruler + round(9 * dots_per_mm)), 0, dots_per_mm / 5, 0.0, 2, cv2.LINE_AA)
    return page
