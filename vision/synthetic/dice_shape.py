"""A die as a body: what it is made of, how it lies, where a calibrated camera sees it.

The board's frame is the one of the labelled renderings: metres, origin at the middle of the playing surface, x towards
the p1/p24 side, y from the p1 side to the p24 side, z up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.inference import Floats
from vision.synthetic.cube_faces import Lettering

Vector = tuple[float, float, float]
Colour = tuple[int, int, int]
"""BGR, 0..255."""
Material = Literal["opaque", "translucent", "wood", "marbled"]


class Camera(Protocol):
    """A pinhole camera with OpenCV lens distortion; maps the board's frame (metres) to pixels."""

    @property
    def matrix(self) -> npt.NDArray[np.float64]:
        """Camera matrix K, shape (3, 3), pixels."""

    @property
    def rotation(self) -> npt.NDArray[np.float64]:
        """Rotation R from board to camera, shape (3, 3)."""

    @property
    def translation(self) -> npt.NDArray[np.float64]:
        """Translation t from board to camera, shape (3,), metres."""

    @property
    def distortion(self) -> npt.NDArray[np.float64]:
        """k1, k2, p1, p2, k3; shape (5,)."""


@dataclass(frozen=True, slots=True)
class PinholeCamera:
    """The plain value that fits ``Camera``."""

    matrix: npt.NDArray[np.float64]
    rotation: npt.NDArray[np.float64]
    translation: npt.NDArray[np.float64]
    distortion: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(5))


@dataclass(frozen=True, slots=True)
class DieLight:
    """One soft lamp and the light of the room around it."""

    direction: Vector = (0.3, 0.4, 0.85)
    """From the board towards the lamp, any length."""
    ambient: float = 0.55
    """Brightness of a face that the lamp does not reach, 1 = the body's own colour."""
    strength: float = 0.6
    """What the lamp adds to a face turned straight to it."""
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Gain of blue, green and red."""
    shadow: float = 0.45
    """How much darker the surface is in the die's shadow, 0..1."""
    blur_dice: float = 0.25
    """Width of the shadow's soft edge in die sizes."""


@dataclass(frozen=True, slots=True)
class DieLook:
    """What a die is made of. Fractions are of half the die's size."""

    size_m: float = 0.015
    body: Colour = (235, 240, 242)
    pips: Colour = (25, 25, 25)
    one: Colour | None = None
    """Colour of the single pip where it differs, as the red 1 of Asian dice."""
    rounding: float = 0.18
    """Radius of the edges; 0.04 is a precision die, 0.5 nearly a ball."""
    ball: float = 2.0
    """Radius of the sphere that cuts the corners off (casino 1.73 and more: uncut; board dice 1.35..1.5)."""
    pip_radius: float = 0.19
    one_radius: float = 0.19
    pip_spread: float = 0.52
    """Distance of the outer pips from the middle of a face."""
    pip_depth: float = 0.5
    """Shading of the drilled hollow, 0 = painted flat."""
    gloss: float = 0.3
    sharpness: float = 40.0
    """Exponent of the highlight."""
    material: Material = "opaque"
    grain: float = 0.0
    """Strength of wood grain or marbling, 0..1."""
    mirrored: bool = False
    """Left-handed dice: 1, 2, 3 run clockwise round their corner."""
    texts: tuple[str, ...] | None = None
    """Six texts (for the values 1..6) instead of pips: a doubling cube, "" leaves a face blank."""
    lettering: Lettering = field(default_factory=Lettering)
    """How the texts look."""
    turned: tuple[bool, bool, bool] = (False, False, False)
    """Which of the faces 2/5, 3/4 and 6/1 have their pattern turned by a quarter."""


@dataclass(frozen=True, slots=True)
class DiePose:
    """Where a die's middle is (board frame, metres) and how the die is turned (die to board, shape (3, 3))."""

    x_m: float
    y_m: float
    z_m: float
    rotation: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Die:
    """One die on or near the board."""

    look: DieLook
    pose: DiePose


@dataclass(frozen=True, slots=True)
class DieImage:
    """Where a drawn die appears, in pixels of the frame."""

    value: int
    """Pips of the face that points most upwards."""
    tilt_deg: float
    """Angle between that face's normal and the vertical."""
    centre_px: tuple[float, float]
    """Middle of the uppermost face."""
    face_px: float
    """Side of the uppermost face: square root of its area in the picture."""
    top_face_px: Floats
    """Corners of the uppermost face, shape (4, 2)."""
    outline_px: Floats
    """Convex hull of the whole die, shape (n, 2)."""
    lean_px: tuple[float, float]
    """The top's middle moved by the level part of its normal, in die sizes: the middle itself for a flat die."""


# Values on the faces +x, -x, +y, -y, +z, -z of a right-handed die: 1, 2, 3 run counter-clockwise round their corner.
_FACE_VALUES: Final = (1, 6, 2, 5, 3, 4)
_MIRRORED_VALUES: Final = (1, 6, 2, 5, 4, 3)
NORMALS: Final = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], np.float64)
CORNERS: Final = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)


def face_values(look: DieLook) -> tuple[int, ...]:
    """Values on the faces +x, -x, +y, -y, +z, -z of the die's own frame."""
    return _MIRRORED_VALUES if look.mirrored else _FACE_VALUES


def axis_turn(axis: npt.NDArray[np.float64], angle_rad: float) -> npt.NDArray[np.float64]:
    """Rotation by ``angle_rad`` about the unit vector ``axis``, shape (3, 3)."""
    turn: npt.NDArray[np.float64] = np.asarray(cv2.Rodrigues(axis * angle_rad)[0], np.float64)
    return turn


def _face_up(value: int, look: DieLook) -> npt.NDArray[np.float64]:
    """Rotation that brings the face with ``value`` pips to the top."""
    normal = NORMALS[face_values(look).index(value)]
    up = np.array([0.0, 0.0, 1.0])
    if abs(normal[2]) > 0.5:
        return np.eye(3) if normal[2] > 0 else axis_turn(np.array([1.0, 0.0, 0.0]), np.pi)
    return axis_turn(np.cross(normal, up), np.pi / 2)


def flat_pose(value: int, look: DieLook, at_m: Vector, yaw_rad: float) -> DiePose:
    """Lay a die flat with ``value`` on top, turned by ``yaw_rad``; ``at_m`` is the support's point under its middle."""
    turn = axis_turn(np.array([0.0, 0.0, 1.0]), yaw_rad) @ _face_up(value, look)
    return DiePose(at_m[0], at_m[1], at_m[2] + look.size_m / 2, turn)


def cocked_pose(
    value: int, look: DieLook, at_m: Vector, yaw_rad: float, tilt_rad: float, *, edge_rad: float = 0.0
) -> DiePose:
    """Lean a die: ``value`` on top, tipped by ``tilt_rad`` towards the direction ``yaw_rad``.

    ``at_m`` is the point under its middle, at the height of its lowest point.
    ``edge_rad`` is the angle between the tipping axis and the nearest edge: 0 for a die standing on one edge and
    leaning on something, pi/4 for one standing on a corner. A tilt over 45 degrees would bring another face up.
    """
    flat = axis_turn(np.array([0.0, 0.0, 1.0]), yaw_rad + edge_rad) @ _face_up(value, look)
    axis = np.array([-np.sin(yaw_rad), np.cos(yaw_rad), 0.0])
    turn = axis_turn(axis, tilt_rad) @ flat
    return DiePose(at_m[0], at_m[1], at_m[2] - lowest_m(turn, look), turn)


def lowest_m(rotation: npt.NDArray[np.float64], look: DieLook) -> float:
    """Height of the turned die's lowest point over its middle, metres (negative); edges are round."""
    core = (1 - look.rounding) * (CORNERS @ rotation.T)[:, 2].min() - look.rounding
    return float(core) * look.size_m / 2


def top_face(pose: DiePose, look: DieLook) -> tuple[int, float]:
    """Value of the face that points most upwards, and its tilt from the vertical in degrees."""
    heights = NORMALS @ pose.rotation[2]
    index = int(heights.argmax())
    return face_values(look)[index], float(np.degrees(np.arccos(np.clip(heights[index], -1.0, 1.0))))


def project(camera: Camera, points_m: npt.ArrayLike) -> Floats:
    """Pixels of points given in the board's frame, shape (n, 2)."""
    points = np.asarray(points_m, np.float64).reshape(-1, 1, 3)
    turn = cv2.Rodrigues(camera.rotation)[0]
    pixels, _ = cv2.projectPoints(points, turn, camera.translation, camera.matrix, camera.distortion)
    return np.asarray(pixels, np.float32).reshape(-1, 2)


def die_image(camera: Camera, die: Die) -> DieImage:
    """Where the die appears, without drawing it."""
    pose, look = die.pose, die.look
    half = look.size_m / 2
    middle = np.array([pose.x_m, pose.y_m, pose.z_m])
    value, tilt = top_face(pose, look)
    index = face_values(look).index(value)
    normal = NORMALS[index]
    first = NORMALS[(index // 2 * 2 + 2) % 6]
    second = np.cross(normal, first)
    face = [normal + a * first + b * second for a, b in ((-1, -1), (-1, 1), (1, 1), (1, -1))]
    points = np.vstack([CORNERS, face, normal[None]]) * half @ pose.rotation.T + middle
    lean = points[12] + look.size_m * (pose.rotation @ normal) * np.array([1.0, 1.0, 0.0])
    pixels = project(camera, np.vstack([points, lean]))
    top = pixels[8:12]
    outline = np.asarray(cv2.convexHull(pixels[:8]), np.float32).reshape(-1, 2)
    centre = (float(pixels[12, 0]), float(pixels[12, 1]))
    leaned = (float(pixels[13, 0]), float(pixels[13, 1]))
    return DieImage(value, tilt, centre, float(np.sqrt(cv2.contourArea(top))), top, outline, leaned)
