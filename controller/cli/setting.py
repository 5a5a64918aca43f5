"""What the settings say about the table: which rules are played, what the camera gives, where the board lies in it."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from controller.locale import Lang, SpokenError, in_other_words
from controller.rules import Ruleset, house_rules, presets, ruleset
from controller.settings import BoardSettings, CameraSettings, MatchSettings
from vision.calibrate import find_corners, pose_from_corners
from vision.camera import Shot, open_source
from vision.geometry import (
    BoardNotFoundError,
    BoardPose,
    BoardShape,
    Corners,
    Frame,
    VisionError,
    in_picture_order,
)
from vision.lens import Lens
from vision.markers import markers_in_view


def rules_of(match: MatchSettings) -> Ruleset:
    """The ruleset of the settings, with the length that they ask for."""
    length = f"length = {match.length}\n" if match.length else ""
    if match.ruleset in presets():
        if not length:
            return ruleset(match.ruleset)
        return house_rules(f'inherits = "{match.ruleset}"\n{length}', match.ruleset)
    file = Path(match.ruleset)
    return house_rules(file.read_text("utf-8") + length, file.stem)


def plain(error: Exception, lang: Lang = Lang.EN) -> str:
    """Return the error's own words, in ``lang`` as far as the catalogue knows the sentence.

    A file's error comes without the number that the operating system gives it.
    """
    if isinstance(error, VisionError | SpokenError):
        return in_other_words(lang, error.said, error.values)
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error) or type(error).__name__


def frames_of(camera: CameraSettings) -> Iterator[Shot]:
    """Frames of the camera, straightened where its lens is known.

    Raises CameraError for a camera that is not there, and LensError for a lens file that cannot be read.
    """
    lens = Lens.load(camera.lens) if camera.lens else None
    shots = open_source(str(camera.source), camera.size, camera.fps)
    return shots if lens is None else (Shot(lens.straighten(shot.frame), shot.at_ms) for shot in shots)


def pose_of(board: BoardSettings, frame: Frame) -> BoardPose:
    """Where the board is: as the settings say, else as markers in the picture or the board itself show.

    Raises BoardNotFoundError when it is nowhere.
    """
    shape = BoardShape(bar=board.bar, checker=board.checker, thickness=board.thickness)
    if board.corners is None:
        return pose_from_corners(frame, marked_corners(board, frame), usual=shape)
    corners: Corners = np.array(board.corners, np.float32)
    return BoardPose(corners, shape, (frame.shape[1], frame.shape[0]))


def marked_corners(board: BoardSettings, frame: Frame) -> Corners:
    """Where markers in the picture, or without any the board itself, show the corners.

    Markers name the corners themselves, unless the settings say how the board lies and who sits where; a board
    without markers is named by the settings alone.
    Raises BoardNotFoundError that says what is not in view, or what the settings must say.
    """
    corners, order = find_corners(frame), board.corner_order
    if order is not None:
        return in_picture_order(corners)[list(order)]
    if not markers_in_view(frame):
        msg = (
            "board found, but no markers in view say which corner is p1: "
            "set white_seat or home in [board], or give the four corners"
        )
        raise BoardNotFoundError(msg)
    return corners
