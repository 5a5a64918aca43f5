"""From the board's four corners to a camera: surface and picture coordinates, also above the surface.

Surface coordinates: u runs 0..1 from the p12/p13 side to the p1/p24 side, v runs 0..1 from the p1/p12 side
to the p13/p24 side. Heights are in widths of the surface (the unit of u), so nothing has to be measured.
"""

import math
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import VisionError

Frame = npt.NDArray[np.uint8]
"""A picture, shape (height, width, 3), BGR."""

Corners = npt.NDArray[np.float32]
"""The surface's corners, shape (4, 2), pixels (x, y), order p1, p12, p13, p24."""

Coordinates = npt.NDArray[np.float64]
"""Places, shape (n, 2): (u, v) on the surface or (x, y) in the picture, pixels."""

CORNER_NAMES: Final = ("p1", "p12", "p13", "p24")
SURFACE_CORNERS: Final = np.array([(1, 0), (0, 0), (0, 1), (1, 1)], np.float32)
SMALLEST_CHECKER_PX: Final = 8.0
"""Below this not even a network can be taught."""
READABLE_CHECKER_PX: Final = 12.0
"""What a reading needs."""

# What club boards and their cameras look like before the corners show more: the depth of the surface in
# widths, the focal length in the picture's longer side, and how far both stray (standard deviation of the log).
USUAL_ASPECT, ASPECT_SPREAD = 0.80, 0.15
USUAL_FOCAL, FOCAL_SPREAD = 0.95, 0.30
CORNER_ERROR_PX = 1.5


class BoardNotFoundError(VisionError, ValueError):
    """The corners do not describe a board that can be read."""


@dataclass(frozen=True, slots=True)
class BoardShape:
    """Proportions of a board.

    ``bar``: its two edges as fractions of the surface's width from the p12/p13 side (equal: no bar);
    ``checker``: a checker's diameter in widths of a point; ``thickness``: its height in diameters.
    """

    bar: tuple[float, float] = (0.46, 0.54)
    checker: float = 0.86
    thickness: float = 0.25

    def __post_init__(self) -> None:
        left, right = self.bar
        if not 0.2 < left <= right < 0.8:
            msg = f"the bar's edges are fractions of the width, 0.2 < left <= right < 0.8, got {self.bar}"
            raise ValueError(msg)

    def pitch(self, point: int) -> float:
        """Width of a point's column, in widths of the surface."""
        left, right = self.bar
        return (left if 7 <= point <= 18 else 1 - right) / 6

    def middle(self, point: int) -> float:
        """Surface coordinate u of the middle of a point's column."""
        left, right = self.bar
        column = point if point <= 12 else 25 - point  # counted from the p1/p24 side
        if column <= 6:
            return 1 - (column - 0.5) * (1 - right) / 6
        return left - (column - 6.5) * left / 6

    @property
    def checker_width(self) -> float:
        """A checker's diameter in widths of the surface."""
        return self.checker * (self.pitch(1) + self.pitch(12)) / 2

    @property
    def checker_height(self) -> float:
        """A checker's height in widths of the surface."""
        return self.checker_width * self.thickness


@dataclass(frozen=True, eq=False, slots=True)
class BoardPose:
    """Where the board is in the picture and from where the camera sees it.

    Besides the surface's homography a pinhole camera with its axis in the middle of the picture is
    estimated: from the corners where their perspective shows the focal length, else from the usual one
    (Zhang & He 2003, "Whiteboard scanning and image enhancement", with priors).

    Raises BoardNotFoundError for corners that are not a convex quadrilateral or a board too small to read.
    """

    corners: Corners
    shape: BoardShape
    frame_size: tuple[int, int]
    """(width, height) of the picture, pixels."""
    homography: npt.NDArray[np.float64] = field(init=False)
    """Surface (u, v, 1) to picture, shape (3, 3), scaled so that the third row gives depth in widths."""
    lift: npt.NDArray[np.float64] = field(init=False)
    """What one width of height adds to ``homography @ (u, v, 1)``, shape (3,)."""
    focal_px: float = field(init=False)
    aspect: float = field(init=False)
    """Depth of the surface (p1 to p24) in widths."""
    tilt_deg: float = field(init=False)
    """Angle between the camera's view of the board's middle and straight down."""

    def __post_init__(self) -> None:
        corners = np.asarray(self.corners, np.float32)
        if corners.shape != (4, 2) or not np.isfinite(corners).all():
            raise BoardNotFoundError("not_four", shape=corners.shape)
        sides = np.roll(corners, -1, 0) - corners
        following = np.roll(sides, -1, 0)
        turns = np.sign(sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0])
        if abs(turns.sum()) != 4:
            listed = ", ".join(f"{x:.0f},{y:.0f}" for x, y in corners)
            raise BoardNotFoundError("not_round", listed=listed)
        surface = _homography(corners)
        focal = _focal_px(corners, self.frame_size)
        ray = _camera_axes(surface, focal, self.frame_size)
        scale = 1 / float(np.linalg.norm(ray[:, 0]))
        middle = ray @ np.array([0.5, 0.5, 1.0]) * scale
        if middle[2] < 0:
            scale, middle = -scale, -middle
        ray = ray * scale
        aspect = float(np.linalg.norm(ray[:, 1]))
        up = np.cross(ray[:, 0], ray[:, 1])
        up /= np.linalg.norm(up)
        if up @ middle > 0:  # heights grow towards the camera, however the corners go round
            up = -up
        matrix = _camera_matrix(focal, self.frame_size)
        object.__setattr__(self, "corners", corners)
        object.__setattr__(self, "homography", matrix @ ray)
        object.__setattr__(self, "lift", matrix @ up)
        object.__setattr__(self, "focal_px", focal)
        object.__setattr__(self, "aspect", aspect)
        cosine = float(-up @ middle / np.linalg.norm(middle))
        object.__setattr__(self, "tilt_deg", math.degrees(math.acos(min(1.0, cosine))))
        if self.checker_px < SMALLEST_CHECKER_PX:
            raise BoardNotFoundError("too_small", px=int(self.checker_px), needed=READABLE_CHECKER_PX)

    def plane(self, height: float = 0.0) -> npt.NDArray[np.float64]:
        """Homography (3, 3) from (u, v, 1) on the plane ``height`` widths above the surface to the picture."""
        lifted = self.homography.copy()
        lifted[:, 2] += height * self.lift
        return lifted

    def to_picture(self, places: npt.ArrayLike, height: float = 0.0) -> Coordinates:
        """Picture coordinates (n, 2) of surface places (n, 2) at ``height`` widths above the surface."""
        return mapped(self.plane(height), places)

    def to_surface(self, pixels: npt.ArrayLike, height: float = 0.0) -> Coordinates:
        """Surface coordinates (n, 2) of what is seen at ``pixels`` (n, 2), if it is ``height`` widths up."""
        return mapped(np.asarray(np.linalg.inv(self.plane(height)), np.float64), pixels)

    @property
    def checker_px(self) -> float:
        """A checker's smaller extent in the picture at the board's middle, pixels."""
        u, v = 0.5, 0.5
        across = self.shape.checker_width / 2
        along = across / self.aspect
        ends = self.to_picture([(u - across, v), (u + across, v), (u, v - along), (u, v + along)])
        return float(min(np.linalg.norm(ends[1] - ends[0]), np.linalg.norm(ends[3] - ends[2])))

    def corners_missing(self, by_share: float = 0.0) -> tuple[int, ...]:
        """Which corners (0 to 3 for p1, p12, p13, p24) lie outside the picture, by more than a share of the width."""
        beyond = np.maximum(-self.corners, self.corners - np.asarray(self.frame_size, np.float32)).max(1)
        allowed = by_share * float(np.linalg.norm(self.corners[0] - self.corners[1]))
        return tuple(index for index, px in enumerate(beyond) if px > allowed)


def corners_named(corners: tuple[int, ...], joined: str = " and ") -> str:
    """Name corners as people count them, with the points that lie there: "2 (p12) and 3 (p13)"."""
    *others, last = (f"{corner + 1} ({CORNER_NAMES[corner]})" for corner in corners)
    return f"{', '.join(others)}{joined}{last}" if others else last


def in_picture_order(corners: Corners) -> Corners:
    """The same corners from the top left of the picture clockwise, wherever the board's own p1 is."""
    middle = corners.mean(0)
    turn = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    clockwise = corners[np.argsort(turn)]
    return np.asarray(np.roll(clockwise, -int(np.argmin(clockwise.sum(1))), 0), np.float32)


def _homography(corners: Corners) -> npt.NDArray[np.float64]:
    return np.asarray(cv2.getPerspectiveTransform(SURFACE_CORNERS, corners), np.float64)


def _camera_matrix(focal: float, size: tuple[int, int]) -> npt.NDArray[np.float64]:
    return np.array([(focal, 0, size[0] / 2), (0, focal, size[1] / 2), (0, 0, 1)], np.float64)


def _camera_axes(surface: npt.NDArray[np.float64], focal: float, size: tuple[int, int]) -> npt.NDArray[np.float64]:
    return np.asarray(np.linalg.inv(_camera_matrix(focal, size)) @ surface, np.float64)


def mapped(matrix: npt.NDArray[np.floating], places: npt.ArrayLike) -> Coordinates:
    """Return places (n, 2) mapped by a homography (3, 3)."""
    points = np.asarray(places, np.float64).reshape(-1, 2)
    lifted = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(lifted[:, :2] / lifted[:, 2:], np.float64)


def _skew(corners: Corners, focals: npt.NDArray[np.float64], size: tuple[int, int]) -> npt.NDArray[np.float64]:
    """Cosine of the angle between the surface's sides and its log aspect, for each focal length; (2, n)."""
    surface = _homography(corners)
    centred = surface[:, :2].copy()
    centred[0] -= surface[2, :2] * size[0] / 2
    centred[1] -= surface[2, :2] * size[1] / 2
    first, second = (
        np.stack([centred[0, i] / focals, centred[1, i] / focals, np.full_like(focals, centred[2, i])]) for i in (0, 1)
    )
    lengths = np.linalg.norm(first, axis=0), np.linalg.norm(second, axis=0)
    return np.stack([(first * second).sum(0) / (lengths[0] * lengths[1]), np.log(lengths[1] / lengths[0])])


def _focal_px(corners: Corners, size: tuple[int, int]) -> float:
    """Most probable focal length: sides must come out square, as far as corners a pixel off can show."""
    usual = USUAL_FOCAL * max(size)
    steps = np.linspace(-3 * FOCAL_SPREAD, 3 * FOCAL_SPREAD, 121)
    focals = usual * np.exp(steps)
    cosine, log_aspect = _skew(corners, focals, size)
    spread = np.full_like(focals, 1e-6)
    for index in range(8):
        nudged = corners.copy()
        nudged.reshape(-1)[index] += CORNER_ERROR_PX
        spread += (_skew(nudged, focals, size)[0] - cosine) ** 2
    cost = (
        cosine**2 / spread
        + np.log(spread)
        + (steps / FOCAL_SPREAD) ** 2
        + ((log_aspect - math.log(USUAL_ASPECT)) / ASPECT_SPREAD) ** 2
    )
    return float(focals[int(np.argmin(cost))])
