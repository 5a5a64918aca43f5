"""Is the scene quiet, and is no hand in it? Looks are only taken when it is."""

from collections import deque
from enum import Enum
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardPose, Frame

WATCH_WIDTH: Final = 320
"""Frames are compared at this width: a die is still five pixels wide, noise is averaged away."""

CHANGED_SIGMAS: Final = 6.0
LEAST_CHANGE: Final = 9.0
"""A pixel has changed when it differs by this many standard deviations of the noise, and by this many grey levels."""

MOVING_SHARE: Final = 0.0004
"""Share of changed pixels from which something moves: about half a die."""

QUIET_FRAMES: Final = 1
"""Unchanged frames in a row after which the scene is quiet."""

SLOW_MS: Final = 400
"""What creeps shows no change from frame to frame: each frame is also compared with the oldest of this span."""

DARK_LEVEL: Final = 12.0
BRIGHT_LEVEL: Final = 246.0
FROZEN_MS: Final = 8_000
"""A live sensor has noise: bytes that do not change at all for so long come from a camera that hangs."""

HAND_CHECKERS: Final = 4.0
"""A hand covers at least as much as this many checkers."""
HAND_MS: Final = 20_000
"""What lies still across the rim for so long is no hand but a new part of the scene."""
RIM_SHARE: Final = 1.12
"""The box's outline in sizes of the surface; what crosses it comes from outside."""
ZONE_SHARE: Final = 1.3
"""What happens farther away than this, in sizes of the surface, is of no interest."""

Grey = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]


class SceneState(Enum):
    """What goes on in the picture."""

    QUIET = "quiet"
    MOVING = "moving"
    HAND = "hand"
    """Nothing moves, but something reaches over the rim onto the board that was not there before."""
    DARK = "dark"
    OVEREXPOSED = "overexposed"
    FROZEN = "frozen"


class SceneWatch:
    """Compares each frame with those before it, on the board and a zone around it."""

    def __init__(self, pose: BoardPose) -> None:
        self._pose = pose
        self._recent: deque[tuple[int, Grey]] = deque()
        self._still = 0
        self._same_since: int | None = None
        self._clear: Grey | None = None
        self._hand_since: int | None = None
        scale = WATCH_WIDTH / pose.frame_size[0]
        shape = (round(pose.frame_size[1] * scale), WATCH_WIDTH)
        self._zone, self._box, self._surface = (
            _grown(pose, share, scale, shape) for share in (ZONE_SHARE, RIM_SHARE, 1.0)
        )
        self._hand_area = HAND_CHECKERS * (pose.checker_px * scale) ** 2 * 0.785

    def update(self, frame: Frame, at_ms: int) -> SceneState:
        """Take a frame shot at ``at_ms`` and return what goes on."""
        grey = _small(frame, self._zone.shape)
        level = float(np.median(grey[self._zone]))
        if level < DARK_LEVEL or level > BRIGHT_LEVEL:
            self._recent.clear()
            self._still = 0
            return SceneState.DARK if level < DARK_LEVEL else SceneState.OVEREXPOSED
        before = list(self._recent)
        self._remember(grey, at_ms)
        if not before:
            self._still = 0
            return SceneState.MOVING
        last = before[-1][1]
        if np.array_equal(grey, last):
            self._same_since = at_ms if self._same_since is None else self._same_since
            if at_ms - self._same_since >= FROZEN_MS:
                return SceneState.FROZEN
        else:
            self._same_since = None
        moves = any(self._moves(grey, other) for other in (last, before[0][1]))
        self._still = 0 if moves else self._still + 1
        if self._still < QUIET_FRAMES:
            return SceneState.MOVING
        return self._quiet_or_hand(grey, at_ms)

    def distrust(self) -> None:
        """Forget what the scene looks like without a hand: the next quiet frame shows it anew."""
        self._clear = None
        self._hand_since = None

    def _remember(self, grey: Grey, at_ms: int) -> None:
        while self._recent and at_ms - self._recent[0][0] > SLOW_MS:
            self._recent.popleft()
        self._recent.append((at_ms, grey))

    def _moves(self, grey: Grey, other: Grey) -> bool:
        changed = _changed(grey, other) & self._zone
        return float(changed.sum()) > MOVING_SHARE * changed.size

    def _quiet_or_hand(self, grey: Grey, at_ms: int) -> SceneState:
        if self._clear is not None and self._reaches_in(_changed(grey, self._clear)):
            self._hand_since = at_ms if self._hand_since is None else self._hand_since
            if at_ms - self._hand_since < HAND_MS:
                return SceneState.HAND
        self._hand_since = None
        self._clear = grey
        return SceneState.QUIET

    def _reaches_in(self, changed: Mask) -> bool:
        """Whether one large changed patch lies on the surface and outside the box at once."""
        whole = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        count, labels = cv2.connectedComponents(whole)
        for label in range(1, count):
            patch = labels == label
            inside = float((patch & self._surface).sum())
            if inside > self._hand_area and bool((patch & ~self._box).any()):
                return True
        return False


def _grown(pose: BoardPose, share: float, scale: float, shape: tuple[int, int]) -> Mask:
    """The surface's outline, enlarged about its middle, as a mask of the small picture."""
    middle = pose.corners.mean(0)
    outline = (middle + share * (pose.corners - middle)) * scale
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 1.0)
    return np.asarray(mask > 0)


def _small(frame: Frame, shape: tuple[int, int]) -> Grey:
    small = cv2.resize(frame, (shape[1], shape[0]), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)


def _changed(grey: Grey, other: Grey) -> Mask:
    """Pixels that changed by more than the noise, and a light that changes everywhere, explain."""
    difference = grey - other
    everywhere = float(np.median(difference))
    noise = 1.4826 * float(np.median(np.abs(difference - everywhere)))
    return np.asarray(np.abs(difference - everywhere) > max(LEAST_CHANGE, CHANGED_SIGMAS * noise))
