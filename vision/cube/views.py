"""Level views of doubling cubes: what the cube reader's nets look at, the same for training pictures and a camera's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.board.geometry import Frame
from vision.dice.views import LevelView, level_picture

CUBE_PER_CHECKER: Final = 0.88
"""Usual width of a cube in checker diameters: 22..32 mm beside 27..44 mm."""
FINDER_CUBE_PX: Final = 11
"""Size of a cube in the picture that is searched for one."""
CROP_CUBE_PX: Final = 34
"""Size of a cube in the crops that are read."""
CROP_PX: Final = 56
NADIR_CHANNELS: Final = 2
"""After blue, green and red: the nadir's x and y."""


@dataclass(frozen=True, slots=True)
class CubeCrop:
    """A cube's surroundings, the middle of its top in the middle, turned as one likes: numbers lie in any direction."""

    picture: Frame
    """CROP_PX square."""
    nadir: tuple[float, float]
    """Where the foot of an upright edge is seen from its top, in cubes, x right and y down in the crop."""
    right: tuple[float, float]
    """Direction of the crop's right in the level view (x right, y down)."""

    def other_way(self, x: float, y: float) -> tuple[float, float]:
        """Turn a level vector (x right, y away) into a crop's (x right, y down), or back: it is the same reflection."""
        return x * self.right[0] - y * self.right[1], -x * self.right[1] - y * self.right[0]


def cube_crop(frame: Frame, view: LevelView, place: tuple[float, float], size: float, turn_rad: float) -> CubeCrop:
    """Cut out the surroundings of what may be a cube of ``size``, the picture turned by ``turn_rad``."""
    right = float(np.cos(turn_rad)), float(np.sin(turn_rad))
    step, middle = size / CROP_CUBE_PX, (CROP_PX - 1) / 2
    axes = step * np.array([[right[0], -right[1]], [-right[1], -right[0]]])
    sample = np.eye(3)
    sample[:2, :2] = axes
    sample[:2, 2] = np.array(place) - axes @ np.array([middle, middle])
    picture = level_picture(frame, view, sample, size, (CROP_PX, CROP_PX))
    across, down = view.nadir(place, size)
    upright = CubeCrop(picture, (0.0, 0.0), right)
    return CubeCrop(picture, upright.other_way(across, -down), right)


def crop_input(crops: list[CubeCrop]) -> npt.NDArray[np.float32]:
    """Return what the reading net takes: (n, 3 + NADIR_CHANNELS, CROP_PX, CROP_PX)."""
    batch = np.zeros((len(crops), 3 + NADIR_CHANNELS, CROP_PX, CROP_PX), np.float32)
    for row, crop in enumerate(crops):
        batch[row, :3] = crop.picture.transpose(2, 0, 1) / np.float32(128) - 1
        batch[row, 3], batch[row, 4] = crop.nadir
    return batch
