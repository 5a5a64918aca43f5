"""Recorded frames: a video, or a folder of key frames that is shown as a slow video would be."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from controller.adapters.output_file import write_output
from controller.clock import Millis
from controller.locale import LocalizedError
from vision.board.geometry import Frame
from vision.camera.source import PICTURE_SUFFIXES, folder_shots, video_length, video_shots

HELD_SHOTS = 8
HELD_MS = 400
"""A key frame stands for three seconds: what it shows comes to rest, and the referee has the time to look or to ask."""


class RecordingError(LocalizedError, ValueError):
    """A recording that cannot be used; the text says what to give instead."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A recorded frame; ``number`` counts the key frames or the video's frames from 0."""

    number: int
    at: Millis
    frame: Frame


def read_picture(path: Path) -> Frame:
    """Read a picture file.

    Raises RecordingError when it is no picture that can be read.
    """
    coded = np.frombuffer(path.read_bytes(), np.uint8)
    try:
        picture = cv2.imdecode(coded, cv2.IMREAD_COLOR) if coded.size else None
    except cv2.error:
        # OpenCV takes no picture of more than 2**30 pixels.
        picture = None
    if picture is None:
        raise RecordingError("no_picture", path=path)
    return np.asarray(picture, np.uint8)


def write_picture(path: Path, picture: npt.NDArray[np.uint8], *, sources: Collection[Path] = ()) -> None:
    """Write a picture file, coloured or grey, but over none of ``sources``, which it was made from.

    Raises RecordingError where it cannot be written, OutputError where that may not be.
    """
    try:
        _, coded = cv2.imencode(path.suffix, picture)
        write_output(path, coded.tobytes(), sources=sources)
    except (cv2.error, OSError) as error:
        # OpenCV knows no such kind of picture, or the folder is not there.
        raise RecordingError("unwritable_picture", path=path) from error


def first_picture(path: Path) -> Path:
    """The file that shows the first frame of the recording: the first picture of a folder, or the video itself."""
    if not path.is_dir():
        return path
    return min((file for file in path.iterdir() if file.suffix.lower() in PICTURE_SUFFIXES), default=path)


def length(path: Path) -> int:
    """How many key frames or video frames a recording has, as far as it says; 0 where it does not."""
    if not path.is_dir():
        return video_length(path)
    return sum(file.suffix.lower() in PICTURE_SUFFIXES for file in path.iterdir())


def shots(path: Path) -> Iterator[Shot]:
    """Frames of a folder or a video, in order.

    Raises CameraError when there are none.
    """
    if not path.is_dir():
        yield from (Shot(number, Millis(at), frame) for number, (frame, at) in enumerate(video_shots(path)))
        return
    for number, (frame, _) in enumerate(folder_shots(path)):
        for held in range(HELD_SHOTS):
            yield Shot(number, Millis((number * HELD_SHOTS + held) * HELD_MS), frame)
