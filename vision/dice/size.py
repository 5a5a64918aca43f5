"""Whether a camera is near enough to read the dice: how many pixels one is across."""

from collections.abc import Iterable
from typing import Final

from vision.board.geometry import BoardPose
from vision.readings import DieReading

LEAST_DIE_PX: Final = 16.0
"""Side of a die's top from which its face is read well; below, pips run into each other."""
DIE_PER_CHECKER: Final = 0.43
"""Usual size of a die in checker diameters: 12..18 mm beside 27..44 mm."""


def usual_die_px(pose: BoardPose) -> float:
    """How large, in pixels, a usual die would be in the middle of the board."""
    return DIE_PER_CHECKER * pose.checker_px


def too_small(dice: Iterable[DieReading]) -> float | None:
    """Size in pixels of the smallest die, if it is too small to be read well; None when all are large enough."""
    smallest = min((die.size_px for die in dice), default=LEAST_DIE_PX)
    return smallest if smallest < LEAST_DIE_PX else None
