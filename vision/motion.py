"""Is the scene quiet? Looks are only taken when it is."""

from enum import Enum
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import BoardPose, Frame

WATCH_WIDTH: Final = 320
"""Frames are compared at this width: a die is still five pixels wide, noise is averaged away."""

CHANGED_SIGMAS: Final = 6.0
LEAST_CHANGE: Final = 9.0
"""A pixel has changed when it differs by this many standard deviations of the noise, and by this many grey levels."""

MOVING_SHARE: Final = 0.0004
"""Share of changed pixels from which something moves: about half a die."""

QUIET_FRAMES: Final = 1
"""Unchanged frames in a row after which the scene is quiet."""

DARK_LEVEL: Final = 12.0
BRIGHT_LEVEL: Final = 246.0
FROZEN_MS: Final = 8_000
"""A live sensor has noise: bytes that do not change at all for so long come from a camera that hangs."""

Grey = npt.NDArray[np.float32]


class Scene(Enum):
    """What goes on in the picture."""

    QUIET = "quiet"
    MOVING = "moving"
    DARK = "dark"
    OVEREXPOSED = "overexposed"
    FROZEN = "frozen"


class SceneWatch:
    """Compares each frame with the one before, on the board and a rim around it."""

    def __init__(self, pose: BoardPose) -> None:
        self._pose = pose
        self._previous: Grey | None = None
        self._still = 0
        self._same_since: int | None = None

    def update(self, frame: Frame, at_ms: int) -> Scene:
        """Take a frame shot at ``at_ms`` and tell what goes on."""
        grey = _small(frame)
        level = float(np.median(grey))
        previous, self._previous = self._previous, grey
        if level < DARK_LEVEL:
            return Scene.DARK
        if level > BRIGHT_LEVEL:
            return Scene.OVEREXPOSED
        if previous is None or previous.shape != grey.shape:
            self._still = 0
            return Scene.MOVING
        difference = np.abs(grey - previous)
        if not difference.any():
            self._same_since = at_ms if self._same_since is None else self._same_since
            if at_ms - self._same_since >= FROZEN_MS:
                return Scene.FROZEN
        else:
            self._same_since = None
        self._still = 0 if _moves(difference) else self._still + 1
        return Scene.QUIET if self._still >= QUIET_FRAMES else Scene.MOVING


def _small(frame: Frame) -> Grey:
    scale = WATCH_WIDTH / frame.shape[1]
    small = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)


def _moves(difference: Grey) -> bool:
    """Whether more has changed than the noise, and a light that changes everywhere, explain."""
    everywhere = float(np.median(difference))
    noise = 1.4826 * float(np.median(np.abs(difference - everywhere)))
    changed = difference - everywhere > max(LEAST_CHANGE, CHANGED_SIGMAS * noise)
    return float(changed.mean()) > MOVING_SHARE
