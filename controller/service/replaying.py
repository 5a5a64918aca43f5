"""Referee recorded frames: pictures in, events and rulings out, as fast as they can be read.

Service and camera loop are those of a real match; the frames are handed to the loop one at a time.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Generic, TypeVar

from controller.clock import Millis
from controller.ports.entries import Entry
from controller.ports.sight import Sight
from controller.ports.updates import Answer, Command, OrderRefused, Update
from controller.referee.events import Event, MatchOpened, TurnEnd
from controller.referee.fold import open_match
from controller.referee.orders import Order
from controller.referee.rulings import PlayRuling, Ruling
from controller.referee.state import State
from controller.rules import Ruleset
from controller.service.camera_loop import CameraLoop
from controller.service.inbox import Inbox
from controller.service.runtime import Service
from controller.service.unseen import orders_for_unseen, sure_faces

PictureT = TypeVar("PictureT")
LEAVING_S = 5.0


@dataclass(frozen=True, slots=True)
class Happened:
    """What one frame led to: its number and time in the recording, the rulings made on it and the state after it."""

    number: int
    at: Millis
    rulings: tuple[Ruling, ...]
    state: State


class HandedFrames(Generic[PictureT]):
    """Frames for a camera loop that somebody else hands over, each once the last has been looked at."""

    def __init__(self) -> None:
        self._given: SimpleQueue[tuple[PictureT, int] | None] = SimpleQueue()
        self._asked: SimpleQueue[None] = SimpleQueue()

    def __iter__(self) -> Iterator[tuple[PictureT, int]]:
        while (frame := self._next()) is not None:
            yield frame

    def show(self, picture: PictureT, at: Millis) -> None:
        """Hand over a frame; return when it has been looked at."""
        self._given.put((picture, at))
        self._asked.get()

    def end(self) -> None:
        """End the frames."""
        self._given.put(None)

    def wait(self) -> None:
        """Wait until the loop asks for the first frame."""
        self._asked.get()

    def _next(self) -> tuple[PictureT, int] | None:
        self._asked.put(None)
        return self._given.get()


class RecordingTime:
    """The time of a recording: that of the frame that is shown."""

    def __init__(self, at: Millis) -> None:
        self._at = at

    def now_ms(self) -> Millis:
        """The moment of the recording."""
        return self._at

    def set(self, at: Millis) -> None:
        """Go on to ``at``."""
        self._at = at


class Kept:
    """A journal and its pictures in memory, and the publisher that collects what was ruled."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.pictures: dict[str, bytes] = {}
        self.updates: list[Update] = []

    def append(self, events: Sequence[Entry], /) -> None:
        """Keep entries."""
        self.entries += events

    def keep(self, picture: bytes, /) -> str:
        """Keep a picture under its hash."""
        name = hashlib.sha256(picture).hexdigest()
        self.pictures[name] = picture
        return name

    def publish(self, update: Update, /) -> None:
        """Keep an update until somebody asks."""
        self.updates.append(update)

    def new_updates(self) -> list[Update]:
        """Return the updates since the last call."""
        updates, self.updates = self.updates, []
        return updates


class Replay(Generic[PictureT]):
    """A match refereed from its frames in their order, in the time of the recording. ``close`` it at the end."""

    def __init__(self, sight: Sight[PictureT], match: MatchOpened) -> None:
        self._time = RecordingTime(match.at)
        self._inbox = Inbox()
        self._frames: HandedFrames[PictureT] = HandedFrames()
        self._loop = CameraLoop(self._frames, sight, self._time, self._inbox.post, self._inbox.stop)
        self.kept = Kept()
        self._service = Service(
            open_match(match),
            inbox=self._inbox,
            time=self._time,
            journal=self.kept,
            camera=self._loop,
            publishers=[self.kept],
            evidence=self.kept,
        )
        self._service.announce()
        self._loop.start()
        self._frames.wait()

    @property
    def state(self) -> State:
        """The match as it stands."""
        return self._service.state

    def see(self, picture: PictureT, at: Millis) -> tuple[Ruling, ...]:
        """Take a frame and return the rulings made on it."""
        self._time.set(at)
        self._frames.show(picture, at)
        return self._handled()

    def post(self, event: Event) -> tuple[Ruling, ...]:
        """Take what another device than the camera reports, and return the rulings made on it."""
        self._time.set(max(self._time.now_ms(), event.at))
        self._inbox.post(event)
        return self._handled()

    def order(self, order: Order, by: str = "arbiter") -> tuple[tuple[Ruling, ...], Answer]:
        """Carry out an order, and return the rulings made on it and whether it was refused."""
        self._inbox.post(Command(order, by))
        self._service.handle()
        updates = self.kept.new_updates()
        refused = (notice for update in updates for notice in update.notices if isinstance(notice, OrderRefused))
        answer = Answer(next((notice.reason for notice in refused), None))
        return tuple(ruled.ruling for update in updates for ruled in update.rulings), answer

    def close(self) -> None:
        """End the camera loop."""
        self._frames.end()
        self._loop.stop(LEAVING_S)

    def _handled(self) -> tuple[Ruling, ...]:
        self._service.handle()
        return tuple(ruled.ruling for update in self.kept.new_updates() for ruled in update.rulings)


def filmed_match(ruleset: str, rules: Ruleset, at: Millis) -> MatchOpened:
    """Open a match that was filmed: it has no buttons, so a turn ends when the dice are lifted."""
    return MatchOpened(at, ruleset, rules, "White", "Black", TurnEnd.LIFT)


@contextmanager
def replayed(sight: Sight[PictureT], match: MatchOpened) -> Iterator[Replay[PictureT]]:
    """Give a replay whose camera loop ends with the context."""
    replay = Replay(sight, match)
    try:
        yield replay
    finally:
        replay.close()


def referee_frames(
    shots: Iterable[tuple[int, Millis, PictureT]], sight: Sight[PictureT], ruleset: str, rules: Ruleset
) -> Iterator[Happened]:
    """Referee all frames (number, time, picture) without an arbiter; a missed throw is set as ``unseen`` says."""
    replay: Replay[PictureT] | None = None
    faces: frozenset[int] = frozenset()
    try:
        for number, at, picture in shots:
            replay = replay or Replay(sight, filmed_match(ruleset, rules, at))
            rulings = replay.see(picture, at)
            for order in orders_for_unseen(replay.state, faces):
                if replay.order(order, "replay")[1].refused is not None:
                    break
            played = any(isinstance(made, PlayRuling) for made in rulings)
            faces = frozenset() if played else faces | sure_faces(replay.state)
            yield Happened(number, at, rulings, replay.state)
    finally:
        if replay is not None:
            replay.close()
