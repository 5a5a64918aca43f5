"""A camera's lens: learnt once from photos of a printed ChArUco sheet, then every frame is straightened."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Self

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import Frame
from vision.errors import VisionError

SQUARES: Final = (7, 10)
SQUARE_MM: Final = 25.0
MARKER_MM: Final = 18.0
FEWEST_PICTURES: Final = 5
FEWEST_CORNERS: Final = 12
MOST_ERROR_PX: Final = 1.5
"""What a fit may miss the sheet's corners by; pictures of a flat sheet that are in focus come to 0.2 to 0.5."""


class LensError(VisionError, ValueError):
    """A lens can't be learnt or read."""


@dataclass(frozen=True, slots=True)
class Lens:
    """Focal lengths and middle in pixels of a picture of ``size`` (width, height); k1, k2 bend it, p1, p2 tilt it."""

    size: tuple[int, int]
    focal: tuple[float, float]
    middle: tuple[float, float]
    bend: tuple[float, float, float, float]
    error_px: float = 0.0
    """Mean error of the fit."""

    def matrix(self, size: tuple[int, int]) -> npt.NDArray[np.float64]:
        """Camera matrix (3, 3) for a picture of another size, the same part of the sensor taken."""
        x, y = size[0] / self.size[0], size[1] / self.size[1]
        return np.array(
            [(self.focal[0] * x, 0, self.middle[0] * x), (0, self.focal[1] * y, self.middle[1] * y), (0, 0, 1)]
        )

    def straighten(self, frame: Frame) -> Frame:
        """Return the frame as a perfect lens would have taken it."""
        towards = _maps(self, (frame.shape[1], frame.shape[0]))
        return np.asarray(cv2.remap(frame, *towards, cv2.INTER_LINEAR), np.uint8)

    def save(self, path: Path) -> None:
        """Write the lens as JSON."""
        path.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a lens; raises LensError that names the file for anything that isn't one."""
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
            (width, height), (fx, fy), (x, y) = stored["size"], stored["focal"], stored["middle"]
            k1, k2, p1, p2 = stored["bend"]
            return cls((int(width), int(height)), (fx, fy), (x, y), (k1, k2, p1, p2), float(stored["error_px"]))
        except (OSError, ValueError, TypeError, KeyError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise LensError("no_lens", path=path, why=why) from error


@lru_cache(maxsize=2)
def _maps(lens: Lens, size: tuple[int, int]) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
    """For each pixel of a straight picture of ``size`` where it lies in the bent one, as ``cv2.remap`` takes it."""
    matrix = lens.matrix(size)
    whole, rest = cv2.initUndistortRectifyMap(matrix, np.array(lens.bend), np.eye(3), matrix, size, cv2.CV_16SC2)
    return np.asarray(whole, np.int16), np.asarray(rest, np.uint16)


def _sheet() -> cv2.aruco.CharucoBoard:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    return cv2.aruco.CharucoBoard(SQUARES, SQUARE_MM, MARKER_MM, dictionary)


def charuco_sheet(dots_per_mm: float = 8.0) -> npt.NDArray[np.uint8]:
    """Return the sheet to print, grey, A4 at ``dots_per_mm``."""
    page = np.full((round(297 * dots_per_mm), round(210 * dots_per_mm)), 255, np.uint8)
    size = (round(SQUARES[0] * SQUARE_MM * dots_per_mm), round(SQUARES[1] * SQUARE_MM * dots_per_mm))
    left, top = (page.shape[1] - size[0]) // 2, (page.shape[0] - size[1]) // 2
    page[top : top + size[1], left : left + size[0]] = _sheet().generateImage(size)
    return page


def learn_lens(frames: Sequence[Frame]) -> Lens:
    """Fit a lens to photos of the sheet, taken from several sides.

    Raises LensError that names how many photos show enough of the sheet, or that they do not go together.
    """
    sizes = {(frame.shape[1], frame.shape[0]) for frame in frames}
    if len(sizes) > 1:
        listed = ", ".join(f"{width}x{height}" for width, height in sorted(sizes))
        raise LensError("two_sizes", listed=listed)
    sheet = _sheet()
    detector = cv2.aruco.CharucoDetector(sheet)
    places, pixels = [], []
    for frame in frames:
        corners, labels, _, _ = detector.detectBoard(frame)
        # Stubs say arrays, runtime says None when nothing is seen; OpenCV 4 and 5 differ in the shape.
        if np.size(labels) < FEWEST_CORNERS:
            continue
        places.append(np.asarray(sheet.getChessboardCorners(), np.float32)[np.ravel(labels)].reshape(-1, 1, 3))
        pixels.append(np.asarray(corners, np.float32).reshape(-1, 1, 2))
    if len(places) < FEWEST_PICTURES:
        raise LensError("few_photos", good=len(places), all=len(frames), needed=FEWEST_PICTURES)
    size = (frames[0].shape[1], frames[0].shape[0])
    first = np.array([(max(size), 0, size[0] / 2), (0, max(size), size[1] / 2), (0, 0, 1)], np.float64)
    flags = cv2.CALIB_FIX_K3 | cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO
    error, matrix, bend, _, _ = cv2.calibrateCamera(places, pixels, size, first, np.zeros(5), flags=flags)
    if error > MOST_ERROR_PX:
        raise LensError("bad_fit", error=error, most=MOST_ERROR_PX)
    k1, k2, p1, p2 = (float(value) for value in np.ravel(bend)[:4])
    return Lens(
        size,
        (float(matrix[0, 0]), float(matrix[1, 1])),
        (float(matrix[0, 2]), float(matrix[1, 2])),
        (k1, k2, p1, p2),
        float(error),
    )
