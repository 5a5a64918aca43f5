"""Level rectangles and upright walls of a box as a camera sees them: what boards and trays are drawn from."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import Frame
from vision.synthetic import texture
from vision.synthetic.dice_shape import Camera
from vision.synthetic.style import Light
from vision.synthetic.viewpoint import plane_to_picture, position_m, to_pixels

REACH_M: Final = 3.0
"""Beyond any table."""
_SIXTEENTHS: Final = 4
"""Sub-pixel bits of OpenCV's polygon drawing."""


@dataclass(frozen=True, slots=True)
class Area:
    """A level rectangle, metres."""

    left: float
    right: float
    near: float
    """Lower y."""
    far: float

    def corners(self, z_m: float) -> npt.NDArray[np.float64]:
        """Its corners at a height, shape (4, 3)."""
        return np.array(
            [(x, y, z_m) for x, y in ((self.right, self.near), (self.left, self.near), (self.left, self.far))]
            + [(self.right, self.far, z_m)]
        )

    def spread(self, canvas: tuple[int, int]) -> npt.NDArray[np.float64]:
        """Affine map from a canvas of (height, width) pixels that covers the area to metres."""
        across, along = (self.right - self.left) / canvas[1], (self.far - self.near) / canvas[0]
        return np.array([(across, 0, self.left), (0, -along, self.far), (0, 0, 1)], np.float64)

    def side(self, axis: int, sign: int) -> tuple[float, tuple[float, float]]:
        """Where its side along ``sign`` of an axis lies, and the side's two ends."""
        x, y = (self.left, self.right), (self.near, self.far)
        return (x[sign > 0], y) if axis == 0 else (y[sign > 0], x)


SIDES: Final = ((0, 1), (0, -1), (1, 1), (1, -1))
"""Axis and sign of a rectangle's four sides."""


def polygon(picture: Frame, points: npt.NDArray[np.float64], colour: texture.Colour) -> None:
    """Fill a convex polygon (n, 2) of pixels with sub-pixel edges."""
    shifted = np.round(np.clip(points, -4000, 8000) * (1 << _SIXTEENTHS)).astype(np.int32)
    cv2.fillConvexPoly(picture, shifted, tuple(float(c) for c in colour), cv2.LINE_AA, _SIXTEENTHS)


def lay(picture: Frame, canvas: Frame, camera: Camera, area: Area, z_m: float, part: Area | None = None) -> None:
    """Warp a canvas that covers ``area`` at a height into the picture, or only a ``part`` of it."""
    height, width = picture.shape[:2]
    matrix = plane_to_picture(camera, z_m) @ area.spread((canvas.shape[0], canvas.shape[1]))
    outline = to_pixels(camera, (part or area).corners(z_m))
    left, top = np.clip(np.floor(outline.min(0)).astype(int) - 1, 0, [width, height])
    right, bottom = np.clip(np.ceil(outline.max(0)).astype(int) + 2, 0, [width, height])
    if right <= left or bottom <= top:
        return
    shift = np.array([(1, 0, -left), (0, 1, -top), (0, 0, 1)], np.float64)
    # An averaged canvas where the camera is far keeps the grain from sparkling.
    seen = abs(float(cv2.contourArea(outline.astype(np.float32))))
    if seen < 0.3 * canvas.shape[0] * canvas.shape[1]:
        canvas = np.asarray(cv2.blur(canvas, (2, 2)), np.uint8)
    warped = cv2.warpPerspective(
        canvas,
        shift @ matrix,
        (int(right - left), int(bottom - top)),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    mask = np.zeros(warped.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round((outline - (left, top)) * 16).astype(np.int32), 255.0, cv2.LINE_AA, _SIXTEENTHS)
    share = mask[..., None].astype(np.float32) / 255
    patch = picture[top:bottom, left:right]
    picture[top:bottom, left:right] = (patch * (1 - share) + warped * share).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class Wall:
    """An upright face that looks along ``sign`` of ``axis`` (0: x, 1: y); metres."""

    axis: int
    sign: int
    place: float
    """Where along the axis."""
    ends: tuple[float, float]
    """From where to where along the other axis."""
    heights: tuple[float, float]


def draw_wall(picture: Frame, camera: Camera, light: Light, colour: texture.Colour, wall: Wall) -> bool:
    """Draw one wall; false if it turns its back."""
    if (position_m(camera)[wall.axis] - wall.place) * wall.sign <= 0:
        return False
    (low, high), (first, second) = wall.heights, wall.ends
    along = ((first, low), (second, low), (second, high), (first, high))
    corners = [(wall.place, end, z) if wall.axis == 0 else (end, wall.place, z) for end, z in along]
    towards = np.array(light.direction)
    towards = towards / np.linalg.norm(towards)
    shade = 0.85 * light.ambient + light.diffuse * max(0.0, wall.sign * float(towards[wall.axis]))
    blue, green, red = (float(np.clip(c * shade, 0, 255)) for c in colour)
    polygon(picture, to_pixels(camera, corners), (blue, green, red))
    return True


def sink(
    picture: Frame, camera: Camera, light: Light, colour: texture.Colour, area: Area, depth: tuple[float, float]
) -> Area:
    """Draw the inner walls of a sunken area from its floor to its brim; return what of the brim's plane lets see in.

    Walls that turn their backs stand in front of what lies inside; beyond the others the view is free.
    """
    free = {}
    for axis, sign in SIDES:
        place, ends = area.side(axis, sign)
        facing = draw_wall(picture, camera, light, colour, Wall(axis, -sign, place, ends, depth))
        free[axis, sign] = place + sign * REACH_M if facing else place
    return Area(free[0, -1], free[0, 1], free[1, -1], free[1, 1])


def seen_through(camera: Camera, opening: Area, z_m: float, size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Pixels whose ray meets the plane at a height within an opening; ``size`` is (width, height)."""
    back = np.linalg.inv(plane_to_picture(camera, z_m))
    columns, rows = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    places = [back[i, 0] * columns + back[i, 1] * rows + back[i, 2] for i in range(3)]
    x, y = places[0] / places[2], places[1] / places[2]
    return np.asarray((x <= opening.right) & (x >= opening.left) & (y <= opening.far) & (y >= opening.near))
