"""Sets a camera up: corners from markers or the board's own look, the bar from the checkers themselves."""

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.finder import BoardFinder
from vision.board.geometry import BoardPose, BoardShape, Corners, Frame
from vision.board.markers import find_marked_corners, markers_in_view
from vision.checkers.strip_net import StripNet, StripScores
from vision.checkers.strips import strip_height, strip_to_picture

_CELL_PX: Final = 4
_WIDEST_BAR: Final = 0.2
_USUAL_BAR: Final = 0.07
_FEWEST_ROWS: Final = 8
_BESIDE_BAR: Final = 0.27
"""Widths of the surface from its middle to the third column from the bar; farther out its width hardly shows."""
_FEWEST_BESIDE: Final = 4
"""Rows on either side of the bar; each checker is seen by one or both of two guesses."""


def find_corners(frame: Frame) -> Corners:
    """Return the corners that printed markers on the rim show; without any in view, those that the board itself shows.

    Only markers identify the corner p1: else it is, of the two that it can be, the one nearer to the lower right.
    Raises BoardNotFoundError that names which markers are missing, or what to do without any.
    """
    return find_marked_corners(frame) if markers_in_view(frame) else BoardFinder().find(frame).corners


def pose_from_corners(
    frame: Frame, corners: Corners, net: StripNet | None = None, usual: BoardShape | None = None
) -> BoardPose:
    """Return the pose for given corners; the bar's width is fitted to the columns in which the checkers lie.

    A board with too few checkers beside the bar keeps the ``usual`` one. Raises BoardNotFoundError as ``BoardPose``
    does.
    """
    built = usual or BoardShape()
    bar = fit_bar(frame, corners, net) or built.bar
    return BoardPose(corners, BoardShape(bar, built.checker, built.thickness), (frame.shape[1], frame.shape[0]))


def fit_bar(frame: Frame, corners: Corners, net: StripNet | None = None) -> tuple[float, float] | None:
    """Return the bar's edges as the columns of the checkers give them; None where too few lie beside the bar.

    In the start position of long nardy all checkers lie at the sides, where a wide bar and a narrow one look alike.
    Raises BoardNotFoundError as ``BoardPose`` does.
    """
    chosen = net or StripNet()
    found: list[float] = []
    # Two first guesses, since a strip that lies half a column off shows two halves and no checker.
    for shape in (BoardShape(), BoardShape((0.5, 0.5))):
        pose = BoardPose(corners, shape, (frame.shape[1], frame.shape[0]))
        found += _checker_columns(chosen.look(frame, pose), pose)
    rows = np.array(found)
    left = ((rows > 0.5 - _BESIDE_BAR) & (rows < 0.5)).sum()
    right = ((rows < 0.5 + _BESIDE_BAR) & (rows > 0.5)).sum()
    if len(rows) < _FEWEST_ROWS or min(left, right) < _FEWEST_BESIDE:
        return None
    return _fit_bar(rows)


def _checker_columns(scores: StripScores, pose: BoardPose) -> list[float]:
    """Surface coordinate u of the checkers' middles on the points."""
    found = []
    for strip in range(24):
        centres = scores.centres[strip]
        highest = cv2.dilate(centres, np.ones((5, 5), np.uint8))
        matrix = strip_to_picture(pose, strip)
        for row, column in zip(*np.nonzero((centres == highest) & (centres > 1.0)), strict=True):
            # The peak's neighbours show where between two cells it lies.
            left, right = max(0, column - 1), min(centres.shape[1], column + 2)
            weight = 1 / (1 + np.exp(-centres[row, left:right]))
            x = float((weight * np.arange(left, right)).sum() / weight.sum() + 0.5) * _CELL_PX - 0.5
            spot = matrix @ (x, (row + 0.5) * _CELL_PX, 1.0)
            found.append(float(pose.to_surface([spot[:2] / spot[2]], strip_height(pose, strip))[0, 0]))
    return found


def _fit_bar(columns: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Return the bar for which checkers lie nearest to the middles of columns."""
    best, answer = np.inf, BoardShape().bar
    for width in np.arange(0, _WIDEST_BAR, 0.0025):
        for shift in np.arange(-0.015, 0.0151, 0.005):
            shape = BoardShape((0.5 + shift - width / 2, 0.5 + shift + width / 2))
            middles = np.array([shape.middle(point) for point in range(1, 13)])
            off = np.abs(columns[:, None] - middles).min(1) / shape.pitch(1)
            off = np.minimum(off, 0.3)
            # Prefer a usual bar in the middle unless the checkers show otherwise.
            cost = float(off @ off) / len(columns) + 0.3 * abs(shift) + 0.03 * abs(width - _USUAL_BAR)
            if cost < best:
                best, answer = cost, shape.bar
    return answer
