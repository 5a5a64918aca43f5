"""What is wrong with a picture of a board, in words and numbers: a picture in which nothing can be read is refused.

The limits leave out no picture of the labelled sets and stop where the reader begins to miss checkers.
"""

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import (
    READABLE_CHECKER_PX,
    BoardNotFoundError,
    BoardPose,
    Frame,
    corners_named,
)
from vision.board.pose_watch import OUTSIDE_SHARE
from vision.camera.motion import BRIGHT_LEVEL, DARK_LEVEL
from vision.errors import VisionError
from vision.readings import BoardReading

CLIPPED_LEVEL: Final = 250
MOST_CLIPPED: Final = 0.7
"""Share of the board that may be as white as a picture can be; what is white there shows no edge."""
SHARPNESS_NEEDED: Final = 0.13
"""Detail at a sixteenth of a checker against detail at a quarter; pictures in focus have 0.5 and more."""
CHECKER_PX: Final = 24
"""Width of a checker at which sharpness is measured, so that it means the same for every camera."""
FINE_PX, COARSE_PX = 1.5, 6.0
SURE: Final = 0.99
SURE_POINTS_NEEDED: Final = 7
"""Points of 24 that a board shows surely, even under a hand and in bad light; what is no board shows fewer."""


class PictureError(VisionError, ValueError):
    """A picture in which no board can be read; the text names what is wrong, how much, and what to do."""


def examine(frame: Frame, pose: BoardPose) -> None:
    """Return if a board at ``pose`` can be read in ``frame``.

    Raises BoardNotFoundError when its corners are out of view or it is too small, and PictureError when the picture
    is too dark, overexposed or blurred there.
    """
    missing = pose.corners_missing(OUTSIDE_SHARE)
    if missing:
        width, height = pose.frame_size
        raise BoardNotFoundError("not_in_view", corners=corners_named(missing, ", "), width=width, height=height)
    if pose.checker_px < READABLE_CHECKER_PX:
        raise BoardNotFoundError("too_small", px=int(pose.checker_px), needed=READABLE_CHECKER_PX)
    grey, board = _at_one_size(frame, pose)
    level = float(np.median(grey[board]))
    if level < DARK_LEVEL:
        raise PictureError("too_dark", level=level, needed=DARK_LEVEL)
    clipped = float((grey[board] >= CLIPPED_LEVEL).mean())
    if level > BRIGHT_LEVEL or clipped > MOST_CLIPPED:
        raise PictureError("overexposed", clipped=clipped, most=MOST_CLIPPED)
    sharpness = _sharpness(grey, board)
    if sharpness < SHARPNESS_NEEDED:
        raise PictureError("blurred", sharpness=sharpness, needed=SHARPNESS_NEEDED)


def recognised(reading: BoardReading) -> None:
    """Return if what was read is a board.

    Raises BoardNotFoundError when hardly any point could be read surely.
    """
    sure = sum(place.certainty >= SURE and not place.hidden for place in reading.points)
    if sure < SURE_POINTS_NEEDED:
        raise BoardNotFoundError("not_recognised", sure=sure, needed=SURE_POINTS_NEEDED)


def _at_one_size(frame: Frame, pose: BoardPose) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """The grey picture with checkers ``CHECKER_PX`` wide, and where the board is in it."""
    scale = CHECKER_PX / pose.checker_px
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    grey = cv2.resize(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), None, fx=scale, fy=scale, interpolation=way)
    board = np.zeros(grey.shape, np.uint8)
    cv2.fillConvexPoly(board, np.round(pose.corners * scale).astype(np.int32), 1.0)
    return np.asarray(grey, np.float32), board > 0


def _sharpness(grey: npt.NDArray[np.float32], board: npt.NDArray[np.bool_]) -> float:
    fine, coarse = (cv2.GaussianBlur(grey, (0, 0), sigma) for sigma in (FINE_PX, COARSE_PX))
    return float((grey - fine)[board].std() / ((fine - coarse)[board].std() + 1e-6))
