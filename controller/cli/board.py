"""Where the board is in a picture: given by the caller, written beside the picture, or found in it."""

import json
from pathlib import Path

import numpy as np

from controller.locale import LocalizedError
from vision.board.calibrate import find_corners, pose_from_corners
from vision.board.geometry import BoardPose, BoardShape, Corners, Frame


class WrittenError(LocalizedError, ValueError):
    """What was written on the command line cannot be read; the text says how it is written."""


def parse_corners(written: str) -> Corners:
    """Read ``x,y x,y x,y x,y``: the playing surface's corners p1, p12, p13, p24.

    Raises WrittenError that says how corners are written.
    """
    try:
        corners = np.array([[float(n) for n in pair.split(",")] for pair in written.split()], np.float32)
    except ValueError:
        corners = np.zeros((0, 2), np.float32)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise WrittenError("corners", written=written)
    return corners


def parse_bar(written: str) -> tuple[float, float]:
    """Read ``left,right``: the bar's edges as fractions of the surface's width from the p12/p13 side.

    Raises WrittenError that says how they are written.
    """
    try:
        left, right = (float(part) for part in written.split(","))
        return BoardShape(bar=(left, right)).bar
    except ValueError:
        raise WrittenError("bar", written=written) from None


def pose_of(frame: Frame, picture: Path, corners: str | None, bar: str | None) -> BoardPose:
    """Return the pose given by the caller, else by the label beside the picture, else found in the picture.

    A bar that is given goes with corners of any of the three.
    Raises BoardNotFoundError when there is no board, and ValueError for a label that cannot be used.
    """
    edges = parse_bar(bar) if bar else None
    label = None if corners else _label(picture)
    if label is not None:
        given, edges = label[0], edges or label[1]
    else:
        given = parse_corners(corners) if corners else find_corners(frame)
    if edges is None:
        return pose_from_corners(frame, given)
    return BoardPose(given, BoardShape(bar=edges), (frame.shape[1], frame.shape[0]))


def _label(picture: Path) -> tuple[Corners, tuple[float, float]] | None:
    """Corners and bar from a JSON file of the picture's name, if there is one that has them."""
    file = picture.with_suffix(".json")
    if not file.is_file():
        return None
    try:
        label = json.loads(file.read_text("utf-8"))
        left, right = label.get("bar", (0.46, 0.54))
        return np.array(label["corners"], np.float32), (float(left), float(right))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
