"""Recorded frames: a video, or a folder of key frames that is shown as a slow video would be."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from controller.clock import Millis
from vision.geometry import Frame

PICTURES = frozenset({".jpg", ".jpeg", ".png"})
HELD_SHOTS = 4
HELD_MS = 500
"""A key frame stands for two seconds, so that what it shows comes to rest before the next one."""
USUAL_FPS = 25.0


class RecordingError(ValueError):
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
    picture = cv2.imdecode(coded, cv2.IMREAD_COLOR) if coded.size else None
    if picture is None:
        msg = f"{path} is not a picture that can be read: give a JPEG or PNG file"
        raise RecordingError(msg)
    return np.asarray(picture, np.uint8)


def pictures_in(folder: Path) -> tuple[Path, ...]:
    """Picture files of ``folder`` in the order of their names.

    Raises RecordingError when it has none.
    """
    found = tuple(sorted(file for file in folder.iterdir() if file.suffix.lower() in PICTURES))
    if not found:
        msg = f"no frames in {folder}: give a video, a folder of JPEG or PNG frames, or a journal"
        raise RecordingError(msg)
    return found


def shots(path: Path) -> Iterator[Shot]:
    """Frames of a folder or a video, in order.

    Raises RecordingError when there are none.
    """
    return _key_frames(path) if path.is_dir() else _video(path)


def _key_frames(folder: Path) -> Iterator[Shot]:
    for number, file in enumerate(pictures_in(folder)):
        frame = read_picture(file)
        for held in range(HELD_SHOTS):
            yield Shot(number, Millis((number * HELD_SHOTS + held) * HELD_MS), frame)


def _video(file: Path) -> Iterator[Shot]:
    video = cv2.VideoCapture(str(file))
    try:
        fps = video.get(cv2.CAP_PROP_FPS) or USUAL_FPS
        got, frame = video.read()
        if not got:
            msg = f"{file} is not a video that can be read: give a video, a folder of frames, or a journal"
            raise RecordingError(msg)
        number = 0
        while got:
            yield Shot(number, Millis(int(number * 1000 / fps)), np.asarray(frame, np.uint8))
            number += 1
            got, frame = video.read()
    finally:
        video.release()
