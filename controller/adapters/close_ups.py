"""What was looked at, and a close-up of each die in it: the pictures that a ruling rests on."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import hypot
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from controller.clock import Millis
from controller.ports.sight import Taken
from controller.referee.events import DieSeen
from controller.referee.false_dice import SAME_PLACE
from controller.referee.rulings import DieAtRest
from vision.board.geometry import BoardPose, Frame
from vision.dice.views import usual_die_px

JPEG_QUALITY: Final = 85
CLOSE_UP_QUALITY: Final = 92
CLOSE_UP_PX: Final = 256
"""Side of a close-up: large enough to count pips on a phone."""
DICE_ACROSS: Final = 4.5
"""How many dice wide a close-up is: what a die leans on must be on it."""


@dataclass(frozen=True, eq=False, slots=True)
class Look:
    """A frame that was read, when, and the dice that were read in it."""

    at: Millis
    frame: Frame
    pose: BoardPose
    dice: tuple[DieSeen, ...] = ()

    def pictures(self, dice: Iterable[DieAtRest]) -> Taken:
        """The frame and a close-up of each die where it lies in this frame."""
        return Taken(
            _jpeg(self.frame, JPEG_QUALITY),
            tuple(_jpeg(self._close_up(die), CLOSE_UP_QUALITY) for die in dice),
        )

    def _close_up(self, die: DieAtRest) -> Frame:
        """The die in the middle, what is round it enlarged alike; beyond the frame its edge goes on."""
        x, y, size = self._place(die)
        scale = DICE_ACROSS * size / CLOSE_UP_PX
        to_frame: npt.NDArray[np.float64] = np.array(
            [[scale, 0, x - scale * CLOSE_UP_PX / 2], [0, scale, y - scale * CLOSE_UP_PX / 2]], np.float64
        )
        flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        enlarged = cv2.warpAffine(
            self.frame, to_frame, (CLOSE_UP_PX, CLOSE_UP_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(enlarged, np.uint8)

    def _place(self, die: DieAtRest) -> tuple[float, float, float]:
        """Pixels of the die's middle and of its side: as read in this look, else from its place on the board."""
        seen = [each for each in self.dice if hypot(each.u - die.u, each.v - die.v) < SAME_PLACE and each.size_px > 0]
        if seen:
            nearest = min(seen, key=lambda each: hypot(each.u - die.u, each.v - die.v))
            return nearest.x_px, nearest.y_px, nearest.size_px
        (x, y), *_ = self.pose.to_picture([(die.u, die.v)])
        return float(x), float(y), usual_die_px(self.pose)


def _jpeg(frame: Frame, quality: int) -> bytes:
    _, coded = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return bytes(coded)
