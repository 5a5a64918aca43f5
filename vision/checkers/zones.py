"""Cuts what lies beside the board: a zone at each corner, beyond the rim of a short side, where trays and piles are.

All four are turned alike: rows go from the corner towards the board's middle, columns from the surface's edge outwards.
How wide a tray is, nobody knows beforehand: a zone is as wide as any.
"""

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardPose, Frame, mapped

PITCH_PX: Final = 20
"""Width of a point's column in a zone."""
ZONE_WIDTH: Final = 64
ZONE_HEIGHT: Final = 144
ZONES: Final = 4
"""Beside the corners p1, p12, p13, p24."""
INWARDS: Final = 0.15
"""Column widths shown of the surface itself."""
OUTSIDE: Final = 0.6
"""Column widths shown beyond the corner, along the side."""
NEEDED: Final = (0.4, 2.7)
"""What must lie within the picture, or nothing is known: column widths from the surface's edge."""

Zones = npt.NDArray[np.uint8]
"""Shape (ZONES, ZONE_HEIGHT, ZONE_WIDTH, 3), BGR; black outside of the picture."""


def _pitch(pose: BoardPose) -> float:
    return (pose.shape.pitch(1) + pose.shape.pitch(12)) / 2


def middle_row(pose: BoardPose) -> float:
    """Row of a zone at which the other half of the side begins."""
    return (OUTSIDE + pose.aspect / 2 / _pitch(pose)) * PITCH_PX


def zone_to_surface(pose: BoardPose, zone: int) -> npt.NDArray[np.float64]:
    """Affine map (3, 3) from a zone's pixels (column, row, 1) to surface coordinates (u, v, 1)."""
    step = _pitch(pose) / PITCH_PX
    right, near = zone in {0, 3}, zone in {0, 1}
    across, along = (step if right else -step), (step if near else -step) / pose.aspect
    u = (across, 0.0, float(right) - across * INWARDS * PITCH_PX)
    v = (0.0, along, float(not near) - along * OUTSIDE * PITCH_PX)
    return np.array([u, v, (0, 0, 1)], np.float64)


def zone_to_picture(pose: BoardPose, zone: int) -> npt.NDArray[np.float64]:
    """Homography (3, 3) from a zone's pixels (column, row, 1) to the picture's, at the height of a checker's top."""
    return np.asarray(pose.plane(pose.shape.checker_height) @ zone_to_surface(pose, zone), np.float64)


def cut_zones(frame: Frame, pose: BoardPose) -> Zones:
    """Return the four zones of a picture."""
    height, width = frame.shape[:2]
    cut = np.zeros((ZONES, ZONE_HEIGHT, ZONE_WIDTH, 3), np.uint8)
    for zone in range(ZONES):
        matrix = zone_to_picture(pose, zone)
        ends = mapped(matrix, [(x, y) for x in (0, ZONE_WIDTH) for y in (0, ZONE_HEIGHT)])
        left, top = np.clip(np.floor(ends.min(0)).astype(int) - 2, 0, [width, height])
        right, bottom = np.clip(np.ceil(ends.max(0)).astype(int) + 3, 0, [width, height])
        if right - left < 4 or bottom - top < 4:
            continue
        # Only the part that is needed is halved where the picture is much larger.
        part, scale = frame[top:bottom, left:right], 1.0
        while pose.checker_px * scale > 1.8 * PITCH_PX:
            part = np.asarray(cv2.pyrDown(part), np.uint8)
            scale /= 2
        moved = np.array([(scale, 0, -scale * left), (0, scale, -scale * top), (0, 0, 1)]) @ matrix
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        cv2.warpPerspective(part, moved, (ZONE_WIDTH, ZONE_HEIGHT), cut[zone], flags, cv2.BORDER_CONSTANT)
    return cut


def shares_in_picture(pose: BoardPose) -> npt.NDArray[np.float32]:
    """How much of each zone, where checkers may lie, is within the picture, 0..1, shape (4,)."""
    columns = (np.linspace(*NEEDED, 6) + INWARDS) * PITCH_PX
    rows = np.linspace((OUTSIDE + 0.3) * PITCH_PX, min(middle_row(pose), ZONE_HEIGHT), 12)
    places = np.stack(np.meshgrid(columns, rows), -1).reshape(-1, 2)
    shares = []
    for zone in range(ZONES):
        seen = mapped(zone_to_picture(pose, zone), places)
        shares.append(((seen >= 0) & (seen <= np.array(pose.frame_size) - 1)).all(1).mean())
    return np.array(shares, np.float32)


def zone_views(pose: BoardPose) -> npt.NDArray[np.float32]:
    """How the camera sees each zone, shape (4, 3).

    Shift of a top for each width of height, in columns, across and along; and the middle's row as a share of all.
    """
    views = np.zeros((ZONES, 3), np.float32)
    for zone in range(ZONES):
        matrix = zone_to_surface(pose, zone)
        middle = (matrix @ np.array([ZONE_WIDTH / 2, ZONE_HEIGHT / 3, 1.0]))[:2]
        back = pose.to_surface(pose.to_picture([middle], 0.02), 0.0)[0] - middle
        across, along = back / np.diag(matrix)[:2] / PITCH_PX
        views[zone] = across, along, middle_row(pose) / ZONE_HEIGHT
    return views
