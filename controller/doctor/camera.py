"""Does the camera show the board well enough? Judges one picture. Pure."""

from collections.abc import Iterator

import cv2
import numpy as np

from controller.doctor.findings import Finding, fault, note, ok
from vision.board.geometry import BoardPose, Frame
from vision.camera.motion import BRIGHT_LEVEL, DARK_LEVEL
from vision.dice.views import LEAST_DIE_PX, usual_die_px


def judge_picture(frame: Frame, asked: tuple[int, int]) -> Iterator[Finding]:
    """Judge size and light; a picture in which nothing can be seen ends with a fault."""
    height, width = frame.shape[:2]
    if (width, height) != asked:
        yield note("camera", "camera.other_size", width=width, height=height, asked=f"{asked[0]}x{asked[1]}")
    level = float(np.median(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)))
    if level < DARK_LEVEL:
        yield fault("camera", "camera.dark")
    elif level > BRIGHT_LEVEL:
        yield fault("camera", "camera.bright")


def judge_pose(pose: BoardPose) -> Finding:
    """Judge where the board lies in the picture."""
    if missing := pose.corners_missing():
        return fault("camera", "camera.corners", corners=", ".join(str(corner + 1) for corner in missing))
    die_px = usual_die_px(pose)
    if die_px < LEAST_DIE_PX:
        return note("camera", "camera.far", px=int(die_px), least=int(LEAST_DIE_PX))
    return ok("camera", "camera.board", px=int(die_px))
