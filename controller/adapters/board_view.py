"""Opens the camera that the settings name, and finds the board in its picture."""

from collections.abc import Iterator

import numpy as np

from controller.locale import Lang, LocalizedError, text
from controller.settings import BoardSettings, CameraSettings
from vision.board.calibrate import find_corners, pose_from_corners
from vision.board.geometry import (
    BoardNotFoundError,
    BoardPose,
    BoardShape,
    Corners,
    Frame,
    in_picture_order,
)
from vision.board.markers import markers_in_view
from vision.camera.lens import Lens
from vision.camera.source import TimedFrame, open_source
from vision.dice.views import LEAST_DIE_PX


class CameraSilentError(LocalizedError, OSError):
    """The camera is there and gives no picture."""


def frames_of(camera: CameraSettings) -> Iterator[TimedFrame]:
    """Frames of the camera, straightened where its lens is known.

    Raises CameraError for a camera that is not there, and LensError for a lens file that cannot be read.
    """
    lens = Lens.load(camera.lens) if camera.lens else None
    shots = open_source(str(camera.source), camera.size, camera.fps)
    return shots if lens is None else (TimedFrame(lens.straighten(shot.frame), shot.at_ms) for shot in shots)


def pose_of(board: BoardSettings, frame: Frame) -> BoardPose:
    """Find the board: as the settings give it, else as markers in the picture or the board itself show.

    Raises BoardNotFoundError when it is nowhere.
    """
    shape = BoardShape(bar=board.bar, checker=board.checker, thickness=board.thickness)
    if board.corners is None:
        return pose_from_corners(frame, marked_corners(board, frame), usual=shape)
    corners: Corners = np.array(board.corners, np.float32)
    return BoardPose(corners, shape, (frame.shape[1], frame.shape[0]))


def marked_corners(board: BoardSettings, frame: Frame) -> Corners:
    """Where markers in the picture, or without any the board itself, show the corners.

    Markers name the corners themselves, unless the settings say how the board lies and who sits where; a board
    without markers is named by the settings alone.
    Raises BoardNotFoundError with what is not in view, or what the settings lack.
    """
    corners, order = find_corners(frame), board.corner_order
    if order is not None:
        return in_picture_order(corners)[list(order)]
    if not markers_in_view(frame):
        raise BoardNotFoundError("unnamed")
    return corners


def small_dice(lang: Lang, die_px: float) -> str:
    """Report that the camera is too far away for its dice, which are ``die_px`` pixels across."""
    # Cut off, not rounded: 15.9 must not read as the 16 that are asked for.
    return text(lang, "device.small_dice", px=int(die_px), least=int(LEAST_DIE_PX))
