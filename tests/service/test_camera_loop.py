"""The one camera loop: it learns the board's look in real threads, every time, and tells when no pictures come."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as Flag

import numpy as np
import pytest

from controller.adapters.camera import CameraAdapter, tracker_of
from controller.adapters.evidence import Evidence
from controller.clock import Millis
from controller.ports.sight import KnownPosition, Taken, Wanted
from controller.referee.events import DeviceChanged, Event, MatchOpened, Scene, SceneChanged, turn_end_of
from controller.referee.fold import open_match
from controller.referee.rulings import DieAtRest
from controller.referee.state import Phase
from controller.rules import Side, ruleset, start
from controller.service.camera_loop import POSTS_AHEAD, SILENT_CAMERA_MS, SLOW_LOOK_MS, CameraLoop
from controller.service.inbox import Inbox
from controller.service.runtime import Service
from controller.simulator.camera import VirtualCamera
from controller.simulator.layout import Place
from controller.simulator.world import Checker, World
from tests.service.test_runtime import Paper
from vision.board.geometry import BoardPose, Frame
from vision.camera.motion import SceneWatch
from vision.checkers.reader import CheckerReader
from vision.dice.reader import DiceReader

FRAME_MS = 200
RUNS = 50


@dataclass
class Clock:
    """A clock that the frames move on."""

    now: int = 0

    def now_ms(self) -> Millis:
        return Millis(self.now)


@dataclass(frozen=True)
class Instruments:
    """A board before a camera, and the real readers; they keep nothing from one run to the next."""

    pose: BoardPose
    frames: tuple[Frame, ...]
    checkers: CheckerReader
    dice: DiceReader

    def sight(self) -> CameraAdapter:
        return CameraAdapter(tracker_of(self.pose, None), self.checkers, self.dice, SceneWatch)


@pytest.fixture(scope="module")
def instruments() -> Instruments:
    rules = ruleset("short-wbgf")
    checkers = tuple(
        Checker(Side.WHITE if count > 0 else Side.BLACK, Place(number), order)
        for number, count in enumerate(start(rules.game).points, 1)
        for order in range(abs(count))
    )
    camera = VirtualCamera((960, 540))
    frames = tuple(camera.picture(World(checkers), moment) for moment in range(4))
    pose = BoardPose(camera.corners_px, camera.shape, camera.size)
    return Instruments(pose, frames, CheckerReader(set_size=rules.game.checkers), DiceReader())


def learnt_in(folder: Path, instruments: Instruments, *, hurried: bool) -> bool:
    """Whether a match that begins in real threads has taught the camera what the board looks like.

    A ``hurried`` camera gives its next frame at once, another when the owner thread has handled the last one.
    """
    rules = ruleset("short-wbgf")
    clock, inbox, sight, over = Clock(), Inbox(), instruments.sight(), Flag()

    def frames() -> Iterator[tuple[Frame, int]]:
        number = 0
        while not over.is_set() and not sight.learnt and number < 40:
            if not hurried:
                inbox.settle()
            clock.now = number * FRAME_MS
            yield instruments.frames[number % len(instruments.frames)], clock.now
            number += 1

    loop = CameraLoop(frames(), sight, clock, inbox.post, inbox.stop)
    opened = MatchOpened(Millis(0), rules.name, rules, "White", "Black", turn_end_of(rules))
    service = Service(
        open_match(opened),
        inbox=inbox,
        time=clock,
        journal=Paper(),
        camera=loop,
        publishers=[],
        evidence=Evidence(folder),
    )
    loop.start()
    service.run(lambda: None)
    over.set()
    loop.stop(10)
    assert service.state.phase is Phase.OPENING
    return sight.learnt


@pytest.mark.slow
def test_the_look_of_the_start_position_is_learnt_in_real_threads_every_time(
    tmp_path: Path, instruments: Instruments
) -> None:
    assert [learnt_in(tmp_path, instruments, hurried=bool(run % 2)) for run in range(RUNS)] == [True] * RUNS


@dataclass
class Sees:
    """A sight that takes ``look_ms`` for a picture and reports one event for each."""

    clock: Clock
    look_ms: int = 0
    broken: bool = False
    during: Callable[[], None] = lambda: None
    seen: list[tuple[int, int]] = field(default_factory=list)
    """Moments of the frames, and when they were seen."""
    wanted: list[Wanted] = field(default_factory=list)
    learnt: list[KnownPosition] = field(default_factory=list)

    def see(self, _picture: object, at: Millis, wanted: Wanted, /) -> Sequence[Event]:
        if self.broken:
            raise ZeroDivisionError
        self.seen.append((at, self.clock.now))
        self.wanted.append(wanted)
        self.clock.now += self.look_ms
        self.during()
        return ()

    def learn(self, known: KnownPosition, /) -> None:
        self.learnt.append(known)

    def forget(self) -> None:
        self.learnt.clear()

    def taken(self, _at: Millis, _dice: Sequence[DieAtRest], /) -> Taken | None:
        return None


class Owner:
    """Keeps what the loop posts, in the place of the owner thread."""

    def __init__(self) -> None:
        self.inbox = Inbox()
        self.posted: list[Event] = []

    def look(self, loop: CameraLoop[Frame], clock: Clock) -> None:
        """Miss the camera, as the owner does each turn."""
        if silence := loop.silence(clock.now_ms()):
            self.posted.append(silence)

    def cameras(self) -> list[bool]:
        """Return what was posted of the camera, lost (False) or back (True)."""
        return [event.up for event in self.posted if isinstance(event, DeviceChanged)]


def watch(sight: Sees, frames: Callable[[CameraLoop[Frame], Owner], Iterator[tuple[Frame, int]]]) -> Owner:
    """Let a loop see all frames; they are given the loop, so that time can pass before one of them."""
    owner, ended = Owner(), Flag()
    given: list[CameraLoop[Frame]] = []

    def each() -> Iterator[tuple[Frame, int]]:
        yield from frames(given[0], owner)

    loop = CameraLoop(each(), sight, sight.clock, owner.posted.append, ended.set)
    given.append(loop)
    loop.start()
    assert ended.wait(30)
    loop.stop(10)
    return owner


PICTURE: Frame = np.zeros((4, 4, 3), np.uint8)


def waits(clock: Clock, *waits_ms: int) -> Callable[[CameraLoop[Frame], Owner], Iterator[tuple[Frame, int]]]:
    """A live camera that keeps us waiting so long for each frame, while the owner goes on looking."""

    def frames(loop: CameraLoop[Frame], owner: Owner) -> Iterator[tuple[Frame, int]]:
        for wait_ms in waits_ms:
            clock.now += wait_ms
            owner.look(loop, clock)
            yield PICTURE, clock.now

    return frames


def test_a_camera_that_keeps_us_waiting_is_lost_and_comes_back() -> None:
    clock = Clock(60_000)
    assert watch(Sees(clock, look_ms=50), waits(clock, 100, SILENT_CAMERA_MS + 1, 100)).cameras() == [False, True]


def test_a_machine_that_reads_slowly_has_not_lost_its_camera() -> None:
    clock = Clock()
    sight = Sees(clock, look_ms=20_000)
    assert watch(sight, waits(clock, 100, 100, 100)).cameras() == []


def test_a_look_that_never_comes_back_counts_as_a_lost_camera() -> None:
    clock = Clock()
    missed: list[bool] = []

    def frames(loop: CameraLoop[Frame], owner: Owner) -> Iterator[tuple[Frame, int]]:
        def during() -> None:
            clock.now += SLOW_LOOK_MS + 1
            owner.look(loop, clock)
            missed.extend(owner.cameras())

        sight.during = during
        yield PICTURE, clock.now

    sight = Sees(clock)
    watch(sight, frames)
    assert missed == [False]


def test_pictures_that_cannot_be_read_end_no_thread_and_count_as_none() -> None:
    clock = Clock()
    sight = Sees(clock, broken=True)

    def frames(loop: CameraLoop[Frame], owner: Owner) -> Iterator[tuple[Frame, int]]:
        yield from waits(clock, 100, SILENT_CAMERA_MS, 100)(loop, owner)
        sight.broken = False
        yield from waits(clock, 100)(loop, owner)

    assert watch(sight, frames).cameras() == [False, True]
    assert len(sight.seen) == 1


def test_frames_of_a_camera_are_seen_as_they_come_however_long_the_start_took() -> None:
    # The referee has been starting for a minute since the camera was opened.
    clock = Clock(60_000)
    sight = Sees(clock, look_ms=50)
    watch(sight, waits(clock, 100, 100, 700))
    assert sight.seen == [(60_100, 60_100), (60_250, 60_250), (61_000, 61_000)]


def test_a_recording_begins_when_it_is_looked_at_and_keeps_its_own_pace() -> None:
    clock = Clock(60_000)
    sight = Sees(clock)
    shots = [(PICTURE, 4_000), (PICTURE, 4_020), (PICTURE, 4_030)]
    watch(sight, lambda _loop, _owner: iter(shots))
    assert [at for at, _ in sight.seen] == [60_000, 60_020, 60_030]


def test_a_known_position_is_learnt_once_however_often_it_is_sent() -> None:
    clock = Clock()
    sight = Sees(clock)
    known = [KnownPosition(1, Millis(7), (0,) * 24), KnownPosition(2, Millis(9), (1,) * 24)]

    def frames(loop: CameraLoop[Frame], _owner: Owner) -> Iterator[tuple[Frame, int]]:
        for sent in (None, known[0], known[0], known[1], known[1]):
            loop.want(Wanted(known=sent))
            yield PICTURE, clock.now

    watch(sight, frames)
    assert sight.learnt == known


def test_the_camera_waits_for_an_owner_that_is_behind_and_misses_nothing_of_what_it_posted() -> None:
    clock, ahead = Clock(), []
    posted: list[Event] = []

    class Reports(Sees):
        def see(self, _picture: object, at: Millis, _wanted: Wanted, /) -> Sequence[Event]:
            return [SceneChanged(at, Scene.MOVING)]

    def frames() -> Iterator[tuple[Frame, int]]:
        for number in range(12):
            clock.now = number
            yield PICTURE, number

    ended = Flag()
    loop = CameraLoop(frames(), Reports(clock), clock, posted.append, ended.set)
    loop.start()
    handled = 0
    while not ended.wait(0.01):
        ahead.append(len(posted) - handled)
        if posted:
            handled = len(posted)
            loop.want(Wanted(handled=posted[-1].at))
    assert len(posted) == 12
    assert max(ahead) <= POSTS_AHEAD
