"""Sets a camera up: corners from markers, the bar from the checkers themselves, and the alarm when something moved."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import BoardNotFoundError, BoardPose, BoardShape, Corners, Frame
from vision.markers import find_marked_corners, markers_in_view
from vision.strip_net import Glimpse, StripNet
from vision.strips import strip_height, strip_to_picture

WATCH_WIDTH: Final = 640
"""Frames are compared at this width; a thousandth of it is still felt."""
MOVED_SHARE: Final = 0.004
"""Share of the board's width by which a corner must be off before the board counts as moved: a tenth of a checker."""
FEWEST_TRACKS: Final = 14
_CELL_PX: Final = 4
_WIDEST_BAR: Final = 0.2
_USUAL_BAR: Final = 0.07


def find_board(frame: Frame, net: StripNet | None = None) -> BoardPose:
    """Return the pose of a board with printed markers on its rim.

    Raises BoardNotFoundError that says which markers are missing, and what to do without any.
    """
    if not markers_in_view(frame):
        msg = "board not found: no markers in view; print and stick them to the rim, or give the four corners"
        raise BoardNotFoundError(msg)
    return pose_from_corners(frame, find_marked_corners(frame), net)


def pose_from_corners(frame: Frame, corners: Corners, net: StripNet | None = None) -> BoardPose:
    """Return the pose for given corners; the bar's width is fitted to the columns in which the checkers lie.

    A board with too few checkers in view keeps the usual bar. Raises BoardNotFoundError as ``BoardPose`` does.
    """
    size = (frame.shape[1], frame.shape[0])
    chosen = net or StripNet()
    usual = BoardShape()
    rows: list[float] = []
    # Two first guesses, since a strip that lies half a column off shows two halves and no checker.
    for shape in (usual, BoardShape((0.5, 0.5))):
        pose = BoardPose(corners, shape, size)
        rows += _checker_columns(chosen.look(frame, pose), pose)
    shape = _fit_bar(np.array(rows)) or usual
    return BoardPose(corners, shape, size)


def _checker_columns(glimpse: Glimpse, pose: BoardPose) -> list[float]:
    """Surface coordinate u of the checkers' middles on the points."""
    found = []
    for strip in range(24):
        centres = glimpse.centres[strip]
        highest = cv2.dilate(centres, np.ones((5, 5), np.uint8))
        matrix = strip_to_picture(pose, strip)
        for row, column in zip(*np.nonzero((centres == highest) & (centres > 1.0)), strict=True):
            # The peak's neighbours say where between two cells it lies.
            left, right = max(0, column - 1), min(centres.shape[1], column + 2)
            weight = 1 / (1 + np.exp(-centres[row, left:right]))
            x = float((weight * np.arange(left, right)).sum() / weight.sum() + 0.5) * _CELL_PX - 0.5
            spot = matrix @ (x, (row + 0.5) * _CELL_PX, 1.0)
            found.append(float(pose.to_surface([spot[:2] / spot[2]], strip_height(pose, strip))[0, 0]))
    return found


def _fit_bar(columns: npt.NDArray[np.float64]) -> BoardShape | None:
    """Return the bar for which checkers lie nearest to the middles of columns."""
    if len(columns) < 8:
        return None
    best, answer = np.inf, None
    for width in np.arange(0, _WIDEST_BAR, 0.0025):
        for shift in np.arange(-0.015, 0.0151, 0.005):
            shape = BoardShape((0.5 + shift - width / 2, 0.5 + shift + width / 2))
            middles = np.array([shape.middle(point) for point in range(1, 13)])
            off = np.abs(columns[:, None] - middles).min(1) / shape.pitch(1)
            off = np.minimum(off, 0.3)
            # Prefer a usual bar in the middle unless the checkers say otherwise.
            cost = float(off @ off) / len(columns) + 0.3 * abs(shift) + 0.03 * abs(width - _USUAL_BAR)
            if cost < best:
                best, answer = cost, shape
    return answer


class PoseFinding(Enum):
    """What a check of the board's place says."""

    IN_PLACE = "in_place"
    MOVED = "moved"
    OUT_OF_VIEW = "out_of_view"


@dataclass(frozen=True, slots=True, eq=False)
class PoseCheck:
    """A check's finding; ``pose`` is the new one where the board moved and is still in view."""

    finding: PoseFinding
    pose: BoardPose | None = None


class PoseWatch:
    """Checks at a fraction of a look's cost that board and camera stay where they were.

    Corners of the rim and of the surface's pattern are followed from the reference frame (Lucas-Kanade); hands and
    checkers come and go, so most of them, not all, have to agree.
    """

    def __init__(self, frame: Frame, pose: BoardPose) -> None:
        self._pose = pose
        self._scale = WATCH_WIDTH / frame.shape[1]
        self._reference = _small(frame, self._scale)
        mask = np.zeros_like(self._reference)
        centre = pose.corners.mean(0)
        hull = (centre + 1.15 * (pose.corners - centre)) * self._scale
        cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 255.0)
        points = cv2.goodFeaturesToTrack(self._reference, 160, 0.01, 8, mask=mask)
        # Stubs say array, runtime says None on a picture without a single corner.
        self._points = np.asarray([] if points is None else points, np.float32).reshape(-1, 1, 2)  # type: ignore[redundant-expr]

    def check(self, frame: Frame) -> PoseCheck:
        """Compare a frame with the reference."""
        small = _small(frame, self._scale)
        if small.shape != self._reference.shape or len(self._points) < FEWEST_TRACKS:
            return PoseCheck(PoseFinding.OUT_OF_VIEW)
        motion = self._followed(small)
        if motion is None:
            motion = self._searched(small)
        if motion is None:
            return PoseCheck(PoseFinding.OUT_OF_VIEW)
        corners = cv2.perspectiveTransform((self._pose.corners * self._scale)[:, None], motion)[:, 0] / self._scale
        width = float(np.linalg.norm(self._pose.corners[0] - self._pose.corners[1]))
        if float(np.linalg.norm(corners - self._pose.corners, axis=1).max()) < MOVED_SHARE * width:
            return PoseCheck(PoseFinding.IN_PLACE)
        try:
            pose = BoardPose(corners.astype(np.float32), self._pose.shape, self._pose.frame_size)
        except BoardNotFoundError:
            return PoseCheck(PoseFinding.OUT_OF_VIEW)
        return PoseCheck(PoseFinding.MOVED, pose)

    def _followed(self, small: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64] | None:
        """Homography from the reference by optical flow, if most of the tracks agree."""
        moved, found, _ = cv2.calcOpticalFlowPyrLK(
            self._reference, small, self._points, self._points.copy(), winSize=(15, 15), maxLevel=3
        )
        back, found_back, _ = cv2.calcOpticalFlowPyrLK(
            small, self._reference, moved, moved.copy(), winSize=(15, 15), maxLevel=3
        )
        good = (found[:, 0] > 0) & (found_back[:, 0] > 0)
        good &= np.linalg.norm((back - self._points)[:, 0], axis=1) < 0.7
        return _agreed(self._points[good], np.asarray(moved[good], np.float32), len(self._points))

    def _searched(self, small: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64] | None:
        """Homography from the reference by matched ORB features, for larger moves."""
        orb = cv2.ORB.create(600)
        (first, before), (second, after) = (orb.detectAndCompute(image, None) for image in (self._reference, small))
        if min(np.size(before), np.size(after)) <= 1:  # no feature at all comes as None
            return None
        matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(before, after)
        close = [match for match in matches if match.distance < 50]
        old = np.array([first[match.queryIdx].pt for match in close], np.float32).reshape(-1, 1, 2)
        new = np.array([second[match.trainIdx].pt for match in close], np.float32).reshape(-1, 1, 2)
        return _agreed(old, new, len(close))


def _agreed(old: npt.NDArray[np.float32], new: npt.NDArray[np.float32], asked: int) -> npt.NDArray[np.float64] | None:
    """Return the homography that most pairs agree on; None if too few do."""
    if len(old) < max(FEWEST_TRACKS, 0.3 * asked):
        return None
    found, agree = cv2.findHomography(old, new, cv2.RANSAC, 1.5)
    motion = np.array(found, np.float64)  # degenerate pairs give None, which becomes a single nan
    if motion.size != 9 or agree.sum() < max(FEWEST_TRACKS, 0.5 * len(old)):
        return None
    return motion


def _small(frame: Frame, scale: float) -> npt.NDArray[np.uint8]:
    small = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
