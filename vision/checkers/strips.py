"""Cuts the board into 26 upright strips, one a point and one for each half of the bar, as if seen from above.

Each strip is rectified at the height of a checker's top, with the estimated camera, so that tops lie where the
geometry says and a checker is as long as it is wide at any tilt. Row 0 lies a little outside the rim.
"""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardPose, Frame
from vision.errors import VisionError

PITCH_PX: Final = 24
"""Width of a point's column in a strip."""
STRIP_WIDTH: Final = 40
STRIP_HEIGHT: Final = 168
CLOSE: Final = 2
"""Detail of the strips that the close look reads."""
OUTSIDE: Final = 0.75
"""Column widths shown beyond the rim's edge."""
STRIPS: Final = 26
"""p1..p24, then the bar's near and far half."""
ALL_STRIPS: Final = tuple(range(STRIPS))
BAR_TOP: Final = 0.035
"""Usual height of a checker's top on the bar, in widths of the surface."""

Strips = npt.NDArray[np.uint8]
"""Shape (n, STRIP_HEIGHT, STRIP_WIDTH, 3) times the detail, BGR; n is 26 where all are cut."""


def strip_height(pose: BoardPose, strip: int) -> float:
    """Height at which a strip is rectified, in widths of the surface."""
    return pose.shape.checker_height if strip < 24 else BAR_TOP


def strip_to_surface(pose: BoardPose, strip: int) -> npt.NDArray[np.float64]:
    """Affine map (3, 3) from a strip's pixels (column, row, 1) to surface coordinates (u, v, 1)."""
    shape = pose.shape
    if strip < 24:
        point = strip + 1
        middle, pitch, near = shape.middle(point), shape.pitch(point), point <= 12
    else:
        middle, near = sum(shape.bar) / 2, strip == 24
        pitch = (shape.pitch(1) + shape.pitch(12)) / 2
    across = -pitch / PITCH_PX if near else pitch / PITCH_PX
    along = pitch / PITCH_PX / pose.aspect
    start = OUTSIDE * PITCH_PX - 0.5
    u = (across, 0.0, middle - across * (STRIP_WIDTH - 1) / 2)
    v = (0.0, along, -along * start) if near else (0.0, -along, 1 + along * start)
    return np.array([u, v, (0, 0, 1)], np.float64)


def strip_to_picture(pose: BoardPose, strip: int) -> npt.NDArray[np.float64]:
    """Homography (3, 3) from a strip's pixels (column, row, 1) to the picture's."""
    return np.asarray(pose.plane(strip_height(pose, strip)) @ strip_to_surface(pose, strip), np.float64)


def cut_strips(frame: Frame, pose: BoardPose, strips: Sequence[int] = ALL_STRIPS, detail: int = 1) -> Strips:
    """Return strips of a picture, each pixel parted ``detail`` times each way; what lies outside the picture is black.

    Raises VisionError for a frame of another size than the pose was made for.
    """
    height, width = frame.shape[:2]
    if (width, height) != pose.frame_size:
        asked = "x".join(str(extent) for extent in pose.frame_size)
        raise VisionError("other_size", width=width, height=height, asked=asked)
    picture, scale = frame, 1.0
    # A much larger picture is halved first: plain interpolation would pick single, noisy pixels.
    while pose.checker_px * scale > 1.8 * PITCH_PX * detail:
        picture = np.asarray(cv2.pyrDown(picture), np.uint8)
        scale /= 2
    shrink = np.diag([scale, scale, 1.0])
    parted = np.diag([1 / detail, 1 / detail, 1.0])
    parted[:2, 2] = 0.5 / detail - 0.5
    size = (STRIP_WIDTH * detail, STRIP_HEIGHT * detail)
    cut = np.empty((len(strips), size[1], size[0], 3), np.uint8)
    for index, strip in enumerate(strips):
        matrix = shrink @ strip_to_picture(pose, strip) @ parted
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        cv2.warpPerspective(picture, matrix, size, cut[index], flags, cv2.BORDER_CONSTANT)
    return cut


def strip_views(pose: BoardPose) -> npt.NDArray[np.float32]:
    """How the camera looks at each strip: shift of a top for each width of height, in columns; shape (26, 2)."""
    views = np.zeros((STRIPS, 2), np.float32)
    for strip in range(STRIPS):
        matrix = strip_to_surface(pose, strip)
        middle = matrix @ np.array([STRIP_WIDTH / 2, STRIP_HEIGHT / 3, 1.0])
        seen = pose.to_picture([middle[:2]], 0.02)
        back = pose.to_surface(seen, 0.0)[0] - middle[:2]
        views[strip] = (back[0] / matrix[0, 0] / PITCH_PX, back[1] / matrix[1, 1] / PITCH_PX)
    return views
