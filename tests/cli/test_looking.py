"""A camera is lost when it keeps us waiting, not when a slow machine reads slowly; its frames are seen as they come."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pytest

from controller.cli import looking
from controller.cli.looking import CameraThread
from controller.clock import Millis
from controller.referee.events import Device, DeviceChanged, Event
from controller.referee.state import Phase
from vision.board.geometry import Frame
from vision.camera.source import TimedFrame

PICTURE: Frame = np.zeros((4, 4, 3), np.uint8)


@dataclass
class Clock:
    """A clock that tests set; it knows how often the watch has looked at it."""

    now: int = 0
    watched: int = 0

    def now_ms(self) -> Millis:
        self.watched += threading.current_thread().name == "camera watch"
        return Millis(self.now)

    def goes_on(self, ms: int) -> None:
        """Let time pass, and the watch notice it."""
        self.now += ms
        seen = self.watched
        while self.watched < seen + 2:
            time.sleep(0.001)


@dataclass
class Table:
    """Service and eyes in one: keeps what is posted, and takes ``look_ms`` to read a picture."""

    clock: Clock
    look_ms: int
    posted: list[Event] = field(default_factory=list)
    seen: list[tuple[int, int]] = field(default_factory=list)
    """Moments of the frames, and when they were seen."""
    wants_looks: bool = False
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def state(self) -> "Table":
        return self

    phase = Phase.SETUP

    def post(self, event: Event) -> None:
        self.posted.append(event)

    def see(self, _frame: Frame, at: Millis, **_: object) -> None:
        self.seen.append((at, self.clock.now))
        self.clock.goes_on(self.look_ms)

    def learn_from(self, _before: Phase, _state: object) -> None:
        pass

    def stop(self) -> None:
        self.ended.set()


def live(clock: Clock, waits_ms: list[int]) -> Iterator[TimedFrame]:
    """A camera that keeps us waiting so long for each frame."""
    for wait_ms in waits_ms:
        clock.goes_on(wait_ms)
        yield TimedFrame(PICTURE, clock.now)


def watch(table: Table, shots: Iterator[TimedFrame]) -> None:
    """Look at all of them."""
    stop = threading.Event()
    thread = CameraThread(table, table, shots, table.clock, stop)  # type: ignore[arg-type] # what it needs of both
    thread.start()
    assert table.ended.wait(30)
    stop.set()
    thread.join()


def cameras(waits_ms: list[int], look_ms: int) -> list[bool]:
    """Return what was told of the camera, lost (False) or back (True)."""
    clock = Clock()
    table = Table(clock, look_ms)
    watch(table, live(clock, waits_ms))
    assert {event.device for event in table.posted if isinstance(event, DeviceChanged)} <= {Device.CAMERA}
    return [event.up for event in table.posted if isinstance(event, DeviceChanged)]


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "WATCHED_EACH_S", 0.005)


def test_a_camera_that_keeps_us_waiting_is_lost_and_comes_back() -> None:
    assert cameras([100, 4_000, 100], look_ms=50) == [False, True]


def test_a_machine_that_reads_slowly_has_not_lost_its_camera() -> None:
    assert cameras([100, 100, 100], look_ms=20_000) == []


def test_eyes_that_never_come_back_count_as_a_lost_camera() -> None:
    assert cameras([100, 100], look_ms=90_000) == [False, True, False]


def test_frames_of_a_camera_are_seen_as_they_come_however_long_the_start_took() -> None:
    # The referee has been starting for a minute since the camera was opened.
    clock = Clock(60_000)
    table = Table(clock, look_ms=50)
    watch(table, live(clock, [100, 100, 700]))
    assert table.seen == [(60_100, 60_100), (60_250, 60_250), (61_000, 61_000)]


def test_a_recording_begins_when_it_is_looked_at_and_keeps_its_own_pace() -> None:
    clock = Clock(60_000)
    table = Table(clock, look_ms=0)
    watch(table, iter([TimedFrame(PICTURE, 4_000), TimedFrame(PICTURE, 4_020), TimedFrame(PICTURE, 4_030)]))
    assert [at for at, _ in table.seen] == [60_000, 60_020, 60_030]
