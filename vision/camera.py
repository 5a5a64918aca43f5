"""Where frames come from: a camera, a stream, a video file, a folder of pictures. The only input of ``vision``.

A lost device is not an exception: frames stop, ``lost`` is true, and the source keeps trying to open it again.
"""

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import cv2
import numpy as np

from vision.geometry import Frame, VisionError

logger = logging.getLogger(__name__)

PICTURE_SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp"})
FIRST_WAIT_S: Final = 0.5
LONGEST_WAIT_S: Final = 10.0
FRAME_OF_FOLDER_MS: Final = 200


class CameraError(VisionError, OSError):
    """A source of frames that can't be opened; the text says what to do."""


class Shot(NamedTuple):
    """A frame and when it was taken, monotonic milliseconds."""

    frame: Frame
    at_ms: int


class Capture(Protocol):
    """The part of OpenCV's capture that is used."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's own name
        """Whether the device is there."""
        ...

    def read(self) -> tuple[bool, object]:
        """Next frame."""
        ...

    def release(self) -> None:
        """Close the device."""
        ...


def monotonic_ms() -> int:
    """Milliseconds of the machine's monotonic clock."""
    return time.monotonic_ns() // 1_000_000


def open_source(source: str, size: tuple[int, int] | None = None) -> Iterator[Shot]:
    """Return the frames of a camera's number ("0"), an address (rtsp://, http://), a video file or a folder.

    ``size`` (width, height) is asked of a camera. Raises CameraError at once for what can't be opened.
    """
    if source.isdigit() or "://" in source or source.startswith("/dev/"):
        return LiveCamera(source, size).shots()
    path = Path(source)
    if path.is_dir():
        return folder_shots(path)
    if path.is_file():
        return video_shots(path)
    msg = f"no camera, file or folder {source!r}: give a camera's number, an address, a video or a folder of pictures"
    raise CameraError(msg)


def folder_shots(folder: Path, every_ms: int = FRAME_OF_FOLDER_MS) -> Iterator[Shot]:
    """Pictures of a folder in the order of their names, ``every_ms`` apart; broken files are skipped with a warning.

    Raises CameraError when there is none.
    """
    files = sorted(file for file in folder.iterdir() if file.suffix.lower() in PICTURE_SUFFIXES)
    if not files:
        msg = f"no pictures in {folder}: give a folder of JPEG or PNG files"
        raise CameraError(msg)
    return _folder_frames(files, every_ms)


def _folder_frames(files: list[Path], every_ms: int) -> Iterator[Shot]:
    for number, file in enumerate(files):
        frame = cv2.imread(str(file))
        if frame is None:
            logger.warning("%s is not a picture that can be read: skipped", file)
            continue
        yield Shot(np.asarray(frame, np.uint8), number * every_ms)


def video_shots(file: Path) -> Iterator[Shot]:
    """Frames of a video file with the file's own times. Raises CameraError for a file that is no video."""
    capture = cv2.VideoCapture(str(file))
    if not capture.isOpened():
        capture.release()
        msg = f"{file} is not a video that can be read: give an MP4, MKV, AVI or MJPEG file"
        raise CameraError(msg)
    return _video_frames(capture)


def _video_frames(capture: cv2.VideoCapture) -> Iterator[Shot]:
    rate = capture.get(cv2.CAP_PROP_FPS) or 25.0
    try:
        number = 0
        while True:
            there, frame = capture.read()
            if not there:
                return
            yield Shot(np.asarray(frame, np.uint8), round(number * 1000 / rate))
            number += 1
    finally:
        capture.release()


class LiveCamera:
    """A camera or stream that may go away and come back."""

    def __init__(
        self,
        source: str,
        size: tuple[int, int] | None = None,
        *,
        opener: Callable[[str, tuple[int, int] | None], Capture] | None = None,
        now_ms: Callable[[], int] = monotonic_ms,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        """Open the device; raises CameraError when it isn't there at the start."""
        self._source = source
        self._size = size
        self._opener = opener or _open_capture
        self._now_ms = now_ms
        self._wait = wait
        self._closed = False
        self.lost = False
        self._capture = self._opener(source, size)
        if not self._capture.isOpened():
            self._capture.release()
            msg = f"camera {source} can't be opened: is it plugged in, free, and may this user read it?"
            raise CameraError(msg)

    def shots(self) -> Iterator[Shot]:
        """Frames for as long as the camera is not closed; waits while the device is lost."""
        pause = FIRST_WAIT_S
        while not self._closed:
            there, frame = self._capture.read()
            if there:
                if self.lost:
                    logger.warning("camera %s is back", self._source)
                self.lost, pause = False, FIRST_WAIT_S
                yield Shot(np.asarray(frame, np.uint8), self._now_ms())
                continue
            if not self.lost:
                logger.warning("camera %s is lost: trying to open it again", self._source)
                self.lost = True
            self._capture.release()
            self._wait(pause)
            pause = min(2 * pause, LONGEST_WAIT_S)
            self._capture = self._opener(self._source, self._size)

    def close(self) -> None:
        """Release the device; ``shots`` ends."""
        self._closed = True
        self._capture.release()


def _open_capture(source: str, size: tuple[int, int] | None) -> Capture:
    capture = cv2.VideoCapture(int(source)) if source.isdigit() else cv2.VideoCapture(source)
    if size is not None:
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    # An old frame is worse than none: the newest one is wanted.
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture
