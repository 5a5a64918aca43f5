"""Sources of frames: folders, videos, cameras that go away and come back; errors that say what to do."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import CameraError, LiveCamera, open_source

PICTURE = np.full((48, 64, 3), 90, np.uint8)


class Device:
    """A camera that follows a script: True gives a frame, False fails; ``there`` says if it can be opened."""

    def __init__(self, script: Sequence[bool], *, there: bool = True) -> None:
        self._script = list(script)
        self._there = there
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's own name
        return self._there

    def read(self) -> tuple[bool, object]:
        alive = bool(self._script) and self._script.pop(0)
        return alive, PICTURE if alive else None

    def release(self) -> None:
        self.released = True


def test_a_camera_that_went_away_comes_back_by_itself() -> None:
    devices = [Device([True, True]), Device([], there=False), Device([True])]
    waits: list[float] = []
    opened = iter(devices)
    camera = LiveCamera("0", opener=lambda _source, _size: next(opened), now_ms=lambda: 7, wait=waits.append)
    frames = camera.shots()
    assert [next(frames).at_ms for _ in range(3)] == [7, 7, 7]
    assert not camera.lost
    assert waits == [0.5, 1.0]
    assert devices[0].released


def test_a_camera_that_is_not_there_says_what_to_check() -> None:
    with pytest.raises(CameraError, match=r"camera 3 can't be opened: is it plugged in, free"):
        LiveCamera("3", opener=lambda _source, _size: Device([], there=False))


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
