"""What the settings say about the table: which rules are played, and where the board lies in the picture."""

from pathlib import Path

import numpy as np

from controller.rules import Ruleset, house_rules, presets, ruleset
from controller.settings import BoardSettings, MatchSettings
from vision.calibrate import find_board, pose_from_corners
from vision.geometry import BoardPose, BoardShape, Corners, Frame, in_picture_order


def rules_of(match: MatchSettings) -> Ruleset:
    """The ruleset of the settings, with the length that they ask for."""
    length = f"length = {match.length}\n" if match.length else ""
    if match.ruleset in presets():
        if not length:
            return ruleset(match.ruleset)
        return house_rules(f'inherits = "{match.ruleset}"\n{length}', match.ruleset)
    file = Path(match.ruleset)
    return house_rules(file.read_text("utf-8") + length, file.stem)


def plain(error: Exception) -> str:
    """Return the error's own words; a file's without the number that the operating system gives it."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error) or type(error).__name__


def pose_of(board: BoardSettings, frame: Frame) -> BoardPose:
    """Where the board is: as the settings say, else as markers in the picture show.

    Markers name the corners themselves, unless the settings say how the board lies and who sits where.
    Raises BoardNotFoundError when it is nowhere.
    """
    if board.corners is None:
        order = board.corner_order
        found = find_board(frame)
        if order is None:
            return found
        return pose_from_corners(frame, in_picture_order(found.corners)[list(order)])
    corners: Corners = np.array(board.corners, np.float32)
    shape = BoardShape(bar=board.bar, checker=board.checker, thickness=board.thickness)
    return BoardPose(corners, shape, (frame.shape[1], frame.shape[0]))
