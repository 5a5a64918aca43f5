"""Notices at a fraction of a look's cost that the board lies elsewhere in the picture than before, and where."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardNotFoundError, BoardPose, Corners, Frame

WATCH_WIDTH: Final = 640
"""Frames are compared at this width; a thousandth of it is still felt."""
MOVED_SHARE: Final = 0.004
"""Share of the board's width by which a corner must be off before the board counts as moved: a tenth of a checker."""
FEWEST_TRACKS: Final = 14
MOST_TRACKS: Final = 80
"""Tracks on the rim, and as many on the surface."""
SURFACE_SHARE: Final = 0.97
RIM_SHARE: Final = 1.2
"""Where the rim's inner edge and the end of what is followed lie, in sizes of the surface."""
SPREAD_SHARE: Final = 0.15
"""Share of the board over which agreeing tracks must be spread: fewer prove nothing about the other end."""
STILL_PX: Final = 0.8
BACK_PX: Final = 0.7
"""A track that is followed there and back comes out where it began, but for this."""
MOST_STILL: Final = 0.75
"""Share of the agreeing tracks that stand still in a board that stands still."""
FEW_STILL: Final = 0.1
"""Share of all tracks that is enough where nothing else can be known: somebody leans over the board."""
WORN_SHARE: Final = 0.7
"""Share of the surface's tracks that have to be found again, or the pattern is taken anew."""
OUTSIDE_SHARE: Final = 0.02
"""A corner is missing when it is farther outside the picture than this share of the board's width."""
LOCAL_PX: Final = 48
"""Brightness is taken relative to its surroundings of this size, so that a lamp does not move the board."""

Grey = npt.NDArray[np.uint8]


class PoseFinding(Enum):
    """The result of a check of the board's place."""

    IN_PLACE = "in_place"
    MOVED = "moved"
    OUT_OF_VIEW = "out_of_view"


@dataclass(frozen=True, slots=True, eq=False)
class PoseCheck:
    """A check's finding; ``pose`` is the new one where the board moved and is still in view.

    ``missing`` are the corners (0 to 3 for p1, p12, p13, p24) known to be outside the picture; none where nothing of
    the board was recognised. ``size`` is the picture's (width, height) where the board was measured in another one.
    """

    finding: PoseFinding
    pose: BoardPose | None = None
    missing: tuple[int, ...] = ()
    size: tuple[int, int] | None = None


IN_PLACE: Final = PoseCheck(PoseFinding.IN_PLACE)
OUT_OF_VIEW: Final = PoseCheck(PoseFinding.OUT_OF_VIEW)


@dataclass(frozen=True, slots=True, eq=False)
class _Tracks:
    """Corners of the pattern that are followed: the picture they were taken from and where, shape (n, 1, 2)."""

    reference: Grey
    points: npt.NDArray[np.float32]


class PoseWatch:
    """Checks that board and camera stay where they were in a reference frame.

    Corners of the pattern are followed from the reference frame (Lucas-Kanade); hands and checkers come and go, so most
    of them, not all, have to agree. Those on the rim stay for good; those on the surface wear out as checkers are
    played, and ``refresh`` takes new ones.
    """

    def __init__(self, frame: Frame, pose: BoardPose) -> None:
        self._pose = pose
        self._scale = WATCH_WIDTH / frame.shape[1]
        self._area = float(cv2.contourArea(np.asarray(pose.corners * self._scale, np.float32)))
        small = _small(frame, self._scale)
        self._surface = self._grown(SURFACE_SHARE, small)
        self._reference = small
        self._rim_tracks = _features(small, self._grown(RIM_SHARE, small) & ~self._surface)
        self._surface_tracks = _features(small, self._surface)
        self._worn = False

    def refresh(self, frame: Frame) -> None:
        """Follow the surface's pattern as ``frame`` shows it, if the old one is worn; to be called for a quiet scene.

        The frame must have been found in place.
        """
        if self._worn:
            self._surface_tracks = _features(_small(frame, self._scale), self._surface)

    def check(self, frame: Frame) -> PoseCheck:
        """Compare a frame with the reference."""
        asked = len(self._rim_tracks.points) + len(self._surface_tracks.points)
        size = (frame.shape[1], frame.shape[0])
        if size != self._pose.frame_size:
            return PoseCheck(PoseFinding.OUT_OF_VIEW, size=size)
        if asked < FEWEST_TRACKS:
            return OUT_OF_VIEW
        small = _small(frame, self._scale)
        rim, surface = (_followed(tracks, small) for tracks in (self._rim_tracks, self._surface_tracks))
        self._worn = len(surface[0]) < WORN_SHARE * len(self._surface_tracks.points)
        old, new = (np.concatenate(sides) for sides in zip(rim, surface, strict=True))
        still = int((np.linalg.norm((new - old)[:, 0], axis=1) < STILL_PX).sum())
        motion, agree = self._agreed(old, new, asked)
        # A motion that explains hardly more tracks than none at all is no motion.
        if still >= max(FEWEST_TRACKS, FEW_STILL * asked, MOST_STILL * agree):
            return IN_PLACE
        if motion is None:
            motion, _ = self._searched(small)
        return OUT_OF_VIEW if motion is None else self._judged(motion)

    def _judged(self, motion: npt.NDArray[np.float64]) -> PoseCheck:
        """What a homography from the reference frame means for the board's corners."""
        before = self._pose.corners
        corners = cv2.perspectiveTransform((before * self._scale)[:, None], motion)[:, 0] / self._scale
        width = float(np.linalg.norm(before[0] - before[1]))
        if not np.isfinite(corners).all():
            return OUT_OF_VIEW
        if off_share(corners, before) < MOVED_SHARE:
            return IN_PLACE
        reach = float(np.abs(corners).max())
        if reach > 4 * max(self._pose.frame_size) or float(np.linalg.norm(corners[0] - corners[1])) < width / 4:
            return OUT_OF_VIEW
        try:
            pose = BoardPose(corners.astype(np.float32), self._pose.shape, self._pose.frame_size)
        except BoardNotFoundError:
            return OUT_OF_VIEW
        missing = pose.corners_missing(OUTSIDE_SHARE)
        return PoseCheck(PoseFinding.OUT_OF_VIEW, None, missing) if missing else PoseCheck(PoseFinding.MOVED, pose)

    def _grown(self, share: float, small: Grey) -> Grey:
        """The surface's outline, ``share`` times as large about its middle, as a mask of the small picture."""
        middle = self._pose.corners.mean(0)
        outline = (middle + share * (self._pose.corners - middle)) * self._scale
        mask = np.zeros_like(small)
        cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 255.0)
        return mask

    def _searched(self, small: Grey) -> tuple[npt.NDArray[np.float64] | None, int]:
        """Homography from the reference by matched ORB features, for larger moves."""
        orb = cv2.ORB.create(600)
        (first, before), (second, after) = (orb.detectAndCompute(image, None) for image in (self._reference, small))
        if min(np.size(before), np.size(after)) <= 1:  # no feature at all comes as None
            return None, 0
        matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(before, after)
        close = [match for match in matches if match.distance < 50]
        old = np.array([first[match.queryIdx].pt for match in close], np.float32).reshape(-1, 1, 2)
        new = np.array([second[match.trainIdx].pt for match in close], np.float32).reshape(-1, 1, 2)
        return self._agreed(old, new, len(close))

    def _agreed(
        self, old: npt.NDArray[np.float32], new: npt.NDArray[np.float32], asked: int
    ) -> tuple[npt.NDArray[np.float64] | None, int]:
        """Homography that most pairs agree on, None if too few do or too close together; and how many agree."""
        if len(old) < max(FEWEST_TRACKS, 0.3 * asked):
            return None, 0
        found, agree = cv2.findHomography(old, new, cv2.RANSAC, 1.5)
        motion = np.array(found, np.float64)  # degenerate pairs give None, which becomes a single nan
        if motion.size != 9 or agree.sum() < max(FEWEST_TRACKS, 0.5 * len(old)):
            return None, 0
        hull = cv2.convexHull(old[np.ravel(agree) > 0])
        spread = cv2.contourArea(hull) >= SPREAD_SHARE * self._area
        return motion if spread else None, int(agree.sum())


def _followed(tracks: _Tracks, small: Grey) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Tracks that optical flow finds again: where they were and where they are, shape (n, 1, 2) each."""
    if not len(tracks.points):
        return tracks.points, tracks.points
    window, levels = (15, 15), 3
    moved, found, _ = cv2.calcOpticalFlowPyrLK(
        tracks.reference, small, tracks.points, tracks.points.copy(), winSize=window, maxLevel=levels
    )
    back, found_back, _ = cv2.calcOpticalFlowPyrLK(
        small, tracks.reference, moved, moved.copy(), winSize=window, maxLevel=levels
    )
    good = (found[:, 0] > 0) & (found_back[:, 0] > 0)
    good &= np.linalg.norm((back - tracks.points)[:, 0], axis=1) < BACK_PX
    return tracks.points[good], np.asarray(moved[good], np.float32)


def off_share(corners: npt.ArrayLike, before: Corners) -> float:
    """How far the farthest corner is off, as a share of the board's width."""
    off = np.linalg.norm(np.asarray(corners) - before, axis=1)
    return float(off.max() / np.linalg.norm(before[0] - before[1]))


def _features(grey: Grey, mask: Grey) -> _Tracks:
    """Corners of the pattern that can be followed well."""
    points = cv2.goodFeaturesToTrack(grey, MOST_TRACKS, 0.01, 8, mask=mask)
    # Stubs say array, runtime says None on a picture without a single corner.
    found = np.asarray([] if points is None else points, np.float32).reshape(-1, 1, 2)  # type: ignore[redundant-expr]
    return _Tracks(grey, found)


def _small(frame: Frame, scale: float) -> Grey:
    """The frame's grey pattern, small, relative to the brightness around."""
    small = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
    around = cv2.blur(grey, (LOCAL_PX, LOCAL_PX))
    return np.asarray(np.clip(128 + 128 * (grey - around) / (around + 16), 0, 255), np.uint8)
