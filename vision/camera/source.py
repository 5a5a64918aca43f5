"""Where frames come from: a camera, a stream, a video file, a folder of pictures. The only input of ``vision``.

A lost device is not an exception: frames stop, ``lost`` is true, and the source keeps trying to open it again.
"""

import atexit
import logging
import threading
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import cv2
import numpy as np

from vision.board.geometry import Frame
from vision.errors import VisionError

logger = logging.getLogger(__name__)

PICTURE_SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp"})
FIRST_WAIT_S: Final = 0.5
LONGEST_WAIT_S: Final = 10.0
STREAM_WAIT_MS: Final = 5_000
"""So long a network camera may keep us waiting before it is opened anew; OpenCV's own patience is half a minute."""
LEAVING_S: Final = 6.0
"""So long the end of the process waits for a device that is just being read."""
FRAME_OF_FOLDER_MS: Final = 200


class CameraError(VisionError, OSError):
    """A source of frames that can't be opened; the text says what to do."""


class TimedFrame(NamedTuple):
    """A frame and when it was taken, monotonic milliseconds."""

    frame: Frame
    at_ms: int


class Capture(Protocol):
    """The part of OpenCV's capture that is used."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's own name
        """Whether the device is there."""
        ...

    def grab(self) -> bool:
        """Wait for the next frame; False when there will be none."""
        ...

    def retrieve(self) -> tuple[bool, object]:
        """Decode the frame that was grabbed."""
        ...

    def release(self) -> None:
        """Close the device."""
        ...


def monotonic_ms() -> int:
    """Milliseconds of the machine's monotonic clock."""
    return time.monotonic_ns() // 1_000_000


def open_source(source: str, size: tuple[int, int] | None = None, fps: float | None = None) -> Iterator[TimedFrame]:
    """Return the frames of a camera's number ("0"), an address (rtsp://, http://), a video file or a folder.

    ``size`` (width, height) and ``fps`` are asked of a camera. Raises CameraError at once for what can't be opened.
    """
    if source.isdigit() or "://" in source or source.startswith("/dev/"):
        return LiveCamera(source, opener=lambda: _open_capture(source, size, fps)).shots()
    path = Path(source)
    if path.is_dir():
        return folder_shots(path)
    if path.is_file():
        return video_shots(path)
    raise CameraError("no_source", source=source)


def folder_shots(folder: Path, every_ms: int = FRAME_OF_FOLDER_MS) -> Iterator[TimedFrame]:
    """Pictures of a folder in the order of their names, ``every_ms`` apart; broken files are skipped with a warning.

    Raises CameraError when there is none.
    """
    files = sorted(file for file in folder.iterdir() if file.suffix.lower() in PICTURE_SUFFIXES)
    if not files:
        raise CameraError("no_pictures", folder=folder)
    return _folder_frames(files, every_ms)


def _folder_frames(files: list[Path], every_ms: int) -> Iterator[TimedFrame]:
    for number, file in enumerate(files):
        try:
            frame = cv2.imread(str(file))
        except cv2.error:
            # OpenCV takes no picture of more than 2**30 pixels.
            frame = None
        if frame is None:
            logger.warning("%s is not a picture that can be read: skipped", file)
            continue
        yield TimedFrame(np.asarray(frame, np.uint8), number * every_ms)


def video_shots(file: Path) -> Iterator[TimedFrame]:
    """Frames of a video file with the file's own times. Raises CameraError for a file that is no video."""
    capture = cv2.VideoCapture(str(file))
    if not capture.isOpened():
        capture.release()
        raise CameraError("no_video", file=file)
    return _video_frames(capture)


def video_length(file: Path) -> int:
    """How many frames a video file says that it has; 0 where it does not say."""
    capture = cv2.VideoCapture(str(file))
    frames = int(capture.get(cv2.CAP_PROP_FRAME_COUNT)) if capture.isOpened() else 0
    capture.release()
    return max(0, frames)


def _video_frames(capture: cv2.VideoCapture) -> Iterator[TimedFrame]:
    rate = capture.get(cv2.CAP_PROP_FPS) or 25.0
    try:
        number = 0
        while True:
            there, frame = capture.read()
            if not there:
                return
            yield TimedFrame(np.asarray(frame, np.uint8), round(number * 1000 / rate))
            number += 1
    finally:
        capture.release()


class LiveCamera:
    """A camera or stream that may go away and come back.

    A thread takes every frame off the device as it comes, so that none grows old in a queue of the driver or of the
    network: what ``shots`` gives was taken after it was asked for, however long the look before took.
    """

    def __init__(
        self,
        source: str,
        *,
        opener: Callable[[], Capture],
        now_ms: Callable[[], int] = monotonic_ms,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        """Open the device; raises CameraError when it isn't there at the start."""
        self._source = source
        self._opener = opener
        self._now_ms = now_ms
        self._wait = wait
        self._asked = threading.Condition()
        self._wanted = False
        self._shot: TimedFrame | None = None
        self._closed = False
        self.lost = False
        self._capture = self._opener()
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraError("no_camera", source=source)

    def shots(self) -> Generator[TimedFrame, None, None]:
        """The newest frame, again and again until the camera is closed; waits while the device is lost."""
        thread = threading.Thread(target=self._grab, name=f"camera {self._source}", daemon=True)
        # Python must not end under a thread that is in OpenCV's code: that would abort the process.
        atexit.register(self._leave, thread)
        thread.start()
        try:
            while True:
                with self._asked:
                    self._wanted = True
                    self._asked.wait_for(lambda: self._shot is not None or self._closed)
                    shot, self._shot = self._shot, None
                if shot is None:
                    return
                yield shot
        finally:
            self.close()

    def close(self) -> None:
        """End ``shots`` and, with the next frame, release the device."""
        with self._asked:
            self._closed = True
            self._asked.notify_all()

    def _leave(self, thread: threading.Thread) -> None:
        self.close()
        thread.join(LEAVING_S)

    def _grab(self) -> None:
        """Empty the device's queue; decode what somebody waits for."""
        pause = FIRST_WAIT_S
        while not self._closed:
            if self._taken():
                pause = FIRST_WAIT_S
                continue
            if not self.lost:
                logger.warning("camera %s is lost: trying to open it again", self._source)
                self.lost = True
            self._capture.release()
            self._wait(pause)
            pause = min(2 * pause, LONGEST_WAIT_S)
            self._capture = self._opener()
        self._capture.release()
        atexit.unregister(self._leave)

    def _taken(self) -> bool:
        """Take the device's next frame; False where it gives none."""
        try:
            if not self._capture.grab():
                return False
            self._take(self._now_ms())
        except cv2.error:
            # What cannot be decoded comes from a device that has to be opened anew, like one that is gone.
            logger.warning("camera %s gave a picture that cannot be decoded", self._source, exc_info=True)
            return False
        return True

    def _take(self, at_ms: int) -> None:
        if self.lost:
            logger.warning("camera %s is back", self._source)
            self.lost = False
        if not self._wanted:
            return
        there, frame = self._capture.retrieve()
        if not there:
            return
        with self._asked:
            self._wanted = False
            self._shot = TimedFrame(np.asarray(frame, np.uint8), at_ms)
            self._asked.notify_all()


def _open_capture(source: str, size: tuple[int, int] | None, fps: float | None) -> Capture:
    if "://" in source:
        patience = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, STREAM_WAIT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, STREAM_WAIT_MS]
        return cv2.VideoCapture(source, cv2.CAP_ANY, patience)
    capture = cv2.VideoCapture(int(source)) if source.isdigit() else cv2.VideoCapture(source)
    if size is not None:
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    if fps is not None:
        capture.set(cv2.CAP_PROP_FPS, fps)
    return capture
