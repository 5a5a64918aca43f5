"""Level views of dice: what the reader's nets look at, the same for training pictures and for a camera's.

A view looks straight down on the plane of the dice's tops, so that the upper face of a flat die is a square of known
size wherever the camera stands; what hangs below it leans away along ``nadir``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardPose, Frame, mapped
from vision.readings import DieReading

Matrix = npt.NDArray[np.float64]

LEAST_DIE_PX: Final = 16.0
"""Side of a die's top from which its face is read well; below, pips run into each other."""
DIE_PER_CHECKER: Final = 0.43
"""Usual size of a die in checker diameters: 12..18 mm beside 27..44 mm."""
FINDER_DIE_PX: Final = 13
"""Size of a die in the picture that is searched for dice."""
CROP_DIE_PX: Final = 26
"""Size of a die in the crops that are read."""
CROP_PX: Final = 72
LEVEL_CHANNELS: Final = 3
"""After blue, green and red: the nadir's x and y, and whether it is known."""


@dataclass(frozen=True, slots=True)
class LevelView:
    """How level coordinates (x right, y away, height up; any one unit) meet the picture.

    ``surface`` (3, 3) maps (x, y, 1) on the playing surface to the picture, ``lift`` (3,) is what one unit of height
    adds to ``surface @ (x, y, 1)``. Without a known camera ``lift`` is zero.
    """

    surface: Matrix
    lift: Matrix

    @classmethod
    def of_picture(cls, height_px: int) -> LevelView:
        """Take the picture itself for a view from above; the unit is a pixel."""
        return cls(np.array([[1, 0, 0], [0, -1, height_px], [0, 0, 1]], np.float64), np.zeros(3))

    @property
    def known(self) -> bool:
        """Whether the camera's place is known."""
        return bool(self.lift.any())

    def plane(self, height: float) -> Matrix:
        """Homography (3, 3) from (x, y, 1) at a height to the picture."""
        lifted = self.surface.copy()
        lifted[:, 2] += height * self.lift
        return lifted

    def to_level(self, pixels: npt.ArrayLike, height: float) -> Matrix:
        """Level coordinates (n, 2) of picture points (n, 2) that lie at a height."""
        return mapped(np.linalg.inv(self.plane(height)), pixels)

    def to_picture(self, places: npt.ArrayLike, height: float) -> Matrix:
        """Picture points (n, 2) of level coordinates (n, 2) at a height."""
        return mapped(self.plane(height), places)

    def nadir(self, place: tuple[float, float], die: float) -> tuple[float, float]:
        """Where the foot of a die's upright edge is seen from its top, in die sizes (x right, y down)."""
        if not self.known:
            return 0.0, 0.0
        foot = self.to_level(self.to_picture([place], 0.0), die)[0]
        return float(foot[0] - place[0]) / die, float(place[1] - foot[1]) / die

    def scale_px(self, place: tuple[float, float], die: float) -> float:
        """Size of a die's top in the picture at ``place``, pixels (square root of its area)."""
        half = die / 2
        square = [(place[0] + a * half, place[1] + b * half) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        return float(np.sqrt(cv2.contourArea(self.to_picture(square, die).astype(np.float32))))


def level_view(pose: BoardPose) -> LevelView:
    """Level coordinates of a board: x = u, y = v * aspect; the unit is the surface's width."""
    squeeze = np.diag([1.0, 1.0 / pose.aspect, 1.0])
    return LevelView(pose.homography @ squeeze, pose.lift)


@dataclass(frozen=True, slots=True)
class DieCrop:
    """A die's surroundings, turned so that the nadir points down: one thing less for the reading net to learn."""

    picture: Frame
    """CROP_PX square."""
    slant: float
    """Length of the nadir: tangent of the angle from which the camera sees the die."""
    known: bool
    """Whether the camera's place is known."""
    right: tuple[float, float]
    """Direction of the crop's right in the level view (x right, y down)."""
    down: tuple[float, float]

    def to_level(self, x: float, y: float) -> tuple[float, float]:
        """Turn a crop's vector (x right, y down) into a level one (x right, y away)."""
        return x * self.right[0] + y * self.down[0], -(x * self.right[1] + y * self.down[1])

    def of_level(self, x: float, y: float) -> tuple[float, float]:
        """Turn a level vector (x right, y away) into a crop's (x right, y down)."""
        return x * self.right[0] - y * self.right[1], x * self.down[0] - y * self.down[1]


def area_in_view(
    view: LevelView, aspect: float, margin: float, height: float, size: tuple[int, int]
) -> tuple[Matrix, Matrix]:
    """Lowest and highest level coordinates of a board and a strip round it, as far as a picture of ``size`` shows them.

    ``height`` is that of the plane looked down on, ``margin`` the strip's width in widths of the board.
    """
    low, high = np.array([-margin, -margin]), np.array([1 + margin, aspect + margin])
    edges = view.to_picture([(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])], height)
    wide, tall = size
    if ((edges >= 0) & (edges <= [wide, tall])).sum() < 8:
        # Part of the strip is out of the picture: take only what the picture's border shows.
        along = np.linspace(0, 1, 9)
        border = [(t * wide, s * tall) for t in along for s in (0, 1)]
        border += [(s * wide, t * tall) for t in along for s in (0, 1)]
        shown = view.to_level(border, height)
        depth = np.hstack([shown, np.ones((len(shown), 1))]) @ view.plane(height)[2]
        if (depth > 0).all():
            low = np.maximum(low, shown.min(axis=0))
            high = np.minimum(high, shown.max(axis=0))
    return low, high


def upright(corner: tuple[float, float], step: float) -> Matrix:
    """Pixels to level coordinates (3, 3) of a picture whose pixel (0, 0) is ``corner`` (smallest x, largest y)."""
    return np.array([[step, 0, corner[0]], [0, -step, corner[1]], [0, 0, 1]], np.float64)


def level_picture(frame: Frame, view: LevelView, sample: Matrix, die: float, size: tuple[int, int]) -> Frame:
    """Look down on the plane of the dice's tops: ``sample`` (3, 3) maps pixels of ``size`` (w, h) to level coordinates.

    Where the picture is much finer than the view it is first shrunk, or pips would drop between the samples.
    """
    matrix = view.plane(die) @ sample
    middle = mapped(sample, [(size[0] / 2, size[1] / 2)])[0]
    finer = view.scale_px((middle[0], middle[1]), die) * float(np.hypot(sample[0, 0], sample[1, 0])) / die
    if finer > 1.5:
        share = 1 / round(finer)
        box = mapped(matrix, [(-2, -2), (size[0] + 2, -2), (size[0] + 2, size[1] + 2), (-2, size[1] + 2)])
        low = np.clip(np.floor(box.min(axis=0)).astype(int), 0, [frame.shape[1] - 1, frame.shape[0] - 1])
        high = np.clip(np.ceil(box.max(axis=0)).astype(int) + 1, low + 1, [frame.shape[1], frame.shape[0]])
        part = frame[low[1] : high[1], low[0] : high[0]]
        width, height = max(1, round(part.shape[1] * share)), max(1, round(part.shape[0] * share))
        shares = np.array([width / part.shape[1], height / part.shape[0]])
        frame = np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        # Pixel centres lie at whole numbers: shrinking moves them by half a pixel.
        shrink = np.diag([shares[0], shares[1], 1.0])
        shrink[:2, 2] = (0.5 - low) * shares - 0.5
        matrix = shrink @ matrix
    looked = cv2.warpPerspective(
        frame, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(looked, np.uint8)


def die_crop(frame: Frame, view: LevelView, place: tuple[float, float], die: float) -> DieCrop:
    """Cut out a die's surroundings, ``place`` (the middle of its top) in the middle."""
    x, y = view.nadir(place, die)
    slant = float(np.hypot(x, y))
    down = (x / slant, y / slant) if slant > 1e-6 else (0.0, 1.0)
    right = (down[1], -down[0])
    step, middle = die / CROP_DIE_PX, (CROP_PX - 1) / 2
    turn = step * np.array([[right[0], down[0]], [-right[1], -down[1]]])
    sample = np.eye(3)
    sample[:2, :2] = turn
    sample[:2, 2] = np.array(place) - turn @ np.array([middle, middle])
    return DieCrop(level_picture(frame, view, sample, die, (CROP_PX, CROP_PX)), slant, view.known, right, down)


def crop_input(crops: list[DieCrop], *, mirrored: bool) -> npt.NDArray[np.float32]:
    """Return what the reading net takes: (n, 3 + LEVEL_CHANNELS, CROP_PX, CROP_PX)."""
    batch = np.zeros((len(crops), 3 + LEVEL_CHANNELS, CROP_PX, CROP_PX), np.float32)
    for row, crop in enumerate(crops):
        picture = crop.picture[:, ::-1] if mirrored else crop.picture
        batch[row, :3] = picture.transpose(2, 0, 1) / np.float32(128) - 1
        batch[row, 4], batch[row, 5] = crop.slant, float(crop.known)
    return batch


def usual_die_px(pose: BoardPose) -> float:
    """How large, in pixels, a usual die would be in the middle of the board."""
    return DIE_PER_CHECKER * pose.checker_px


def too_small(dice: Iterable[DieReading]) -> float | None:
    """Size in pixels of the smallest die, if it is too small to be read well; None when all are large enough."""
    smallest = min((die.size_px for die in dice), default=LEAST_DIE_PX)
    return smallest if smallest < LEAST_DIE_PX else None
