"""Sources of frames: folders, videos, cameras that go away and come back; errors that say what to do."""

import contextlib
import subprocess
import sys
import threading
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera.source import CameraError, LiveCamera, TimedFrame, open_source

PICTURE = np.full((48, 64, 3), 90, np.uint8)


class Device:
    """A camera that goes away once so many of its frames have been looked at; ``there`` says if it can be opened."""

    def __init__(self, frames: int, *, there: bool = True) -> None:
        self._left = frames
        self._there = there
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's own name
        return self._there

    def grab(self) -> bool:
        return self._left > 0

    def retrieve(self) -> tuple[bool, object]:
        self._left -= 1
        return True, PICTURE

    def release(self) -> None:
        self.released = True


def test_a_camera_that_went_away_comes_back_by_itself() -> None:
    devices = [Device(2), Device(0, there=False), Device(1), Device(2)]
    waits: list[float] = []
    opened = iter(devices)
    camera = LiveCamera("0", opener=lambda: next(opened), now_ms=lambda: 7, wait=waits.append)
    frames = camera.shots()
    assert [next(frames).at_ms for _ in range(4)] == [7, 7, 7, 7]
    assert not camera.lost
    frames.close()
    # Twice it waited for the third device, once for the fourth.
    assert waits == [0.5, 1.0, 0.5]
    assert [device.released for device in devices[:3]] == [True, True, True]


class Broken(Device):
    """A camera whose pictures OpenCV cannot decode."""

    def retrieve(self) -> tuple[bool, object]:
        msg = "bad picture"
        raise cv2.error(msg)


def test_a_camera_whose_picture_cannot_be_decoded_is_opened_anew() -> None:
    devices = [Broken(1), Device(2)]
    opened = iter(devices)
    frames = LiveCamera("0", opener=lambda: next(opened), now_ms=lambda: 7, wait=lambda _: None).shots()
    assert next(frames).at_ms == 7
    assert devices[0].released
    frames.close()


def test_a_camera_that_is_not_there_says_what_to_check() -> None:
    with pytest.raises(CameraError, match=r"camera 3 can't be opened: is it plugged in, free"):
        LiveCamera("3", opener=lambda: Device(0, there=False))


class Stream:
    """A network camera: what it shoots lies in a queue until somebody takes it."""

    def __init__(self) -> None:
        self._sent: deque[int] = deque()
        self._change = threading.Condition()
        self._idle = False
        self.shot = 0
        self.taken = 0
        self.decoded = 0
        self.released = threading.Event()

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's own name
        return True

    def shoot(self, frames: int) -> None:
        """Shoot some frames, and wait until nothing lies in the queue."""
        with self._change:
            for _ in range(frames):
                self.shot += 1
                self._sent.append(self.shot)
            self._idle = False
            self._change.notify_all()
            assert self._change.wait_for(lambda: self._idle, 30)

    def grab(self) -> bool:
        with self._change:
            self._idle = not self._sent
            self._change.notify_all()
            self._change.wait_for(lambda: bool(self._sent))
            self.taken = self._sent.popleft()
        return True

    def retrieve(self) -> tuple[bool, object]:
        self.decoded += 1
        return True, np.array([[[*divmod(self.taken, 256), 0]]], np.uint8)

    def release(self) -> None:
        self.released.set()


def number(shot: TimedFrame) -> int:
    high, low, _ = shot.frame[0, 0].tolist()
    return 256 * int(high) + int(low)


def test_after_a_slow_look_the_next_frame_is_a_new_one_with_its_own_time() -> None:
    stream = Stream()
    camera = LiveCamera("rtsp://camera", opener=lambda: stream, now_ms=lambda: 1_000 + 100 * stream.taken)
    frames = camera.shots()

    def asked(pool: ThreadPoolExecutor) -> TimedFrame:
        coming = pool.submit(next, frames)
        while not coming.done():
            stream.shoot(1)
        return coming.result()

    with ThreadPoolExecutor(1) as pool:
        for _ in range(3):
            shot = asked(pool)
            assert shot.at_ms == 1_000 + 100 * number(shot)
            # While it is looked at the camera goes on; none of that is looked at later, or decoded.
            stream.shoot(20)
            assert number(asked(pool)) > number(shot) + 20
    assert stream.decoded == 6
    frames.close()
    with stream._change:
        stream._sent.append(0)
        stream._change.notify_all()
    assert stream.released.wait(30)


class Post(BaseHTTPRequestHandler):
    """Sends a picture each hundredth of a second, its number in black and white stripes."""

    sent = 0

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        with contextlib.suppress(OSError):
            while True:
                type(self).sent += 1
                stripes = np.repeat([255 * (self.sent >> bit & 1) for bit in range(16)], 10).astype(np.uint8)
                coded = cv2.imencode(".jpg", np.tile(stripes[None, :, None], (64, 1, 3)))[1].tobytes()
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(coded)}\r\n\r\n"
                self.wfile.write(head.encode() + coded + b"\r\n")
                time.sleep(0.01)

    def log_message(self, *_: object) -> None:
        pass


def test_a_network_camera_is_seen_as_it_is_now() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Post) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        server.daemon_threads = True
        frames = open_source(f"http://127.0.0.1:{server.server_port}/camera.mjpg")
        behind = []
        for _ in range(4):
            before = Post.sent
            shown = next(frames).frame[32, 5::10, 0] > 127
            behind.append(before - sum(int(stripe) << bit for bit, stripe in enumerate(shown)))
            # A look during which the camera sends so many pictures.
            while Post.sent < before + 50:
                time.sleep(0.01)
        server.shutdown()
    # A few are on their way; read one after the other the last would be 150 pictures old.
    assert max(behind) < 25, behind


def test_a_folder_plays_in_the_order_of_names_and_skips_broken_files(tmp_path: Path) -> None:
    for name, level in (("b.png", 20), ("a.png", 10)):
        cv2.imwrite(str(tmp_path / name), np.full((20, 20, 3), level, np.uint8))
    (tmp_path / "c.jpg").write_bytes(b"not a picture")
    shots = list(open_source(str(tmp_path)))
    assert [int(shot.frame[0, 0, 0]) for shot in shots] == [10, 20]
    assert [shot.at_ms for shot in shots] == [0, 200]


def test_an_empty_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="no pictures in"):
        open_source(str(tmp_path))


def test_a_missing_file_is_named() -> None:
    with pytest.raises(CameraError, match=r"no camera, file or folder 'nowhere\.mp4'"):
        open_source("nowhere.mp4")


def test_a_file_that_is_no_video_is_named(tmp_path: Path) -> None:
    file = tmp_path / "game.mp4"
    file.write_bytes(b"no video")
    with pytest.raises(CameraError, match="is not a video"):
        open_source(str(file))


def test_a_video_keeps_its_own_times(tmp_path: Path) -> None:
    file = tmp_path / "game.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for _ in range(3):
        writer.write(PICTURE)
    writer.release()
    assert [shot.at_ms for shot in open_source(str(file))] == [0, 100, 200]


LEFT_OPEN = """
import sys
from vision.camera.source import open_source
frames = open_source(sys.argv[1])
print(next(frames).frame.shape)
"""


def test_a_process_that_ends_with_its_camera_open_ends_in_order() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Post) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/camera.mjpg"
        ended = [
            subprocess.run([sys.executable, "-c", LEFT_OPEN, address], capture_output=True, text=True, check=False)
            for _ in range(3)
        ]
        server.shutdown()
    assert [(done.returncode, done.stdout.strip()) for done in ended] == [(0, "(64, 160, 3)")] * 3, ended
