"""The one loop in which pictures become events: for a camera, a recording, the virtual table and the tests alike.

The owner thread sends what it wants as a value, the loop posts what it saw; neither reads the other's state.
"""

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from controller.clock import Millis
from controller.ports import Time
from controller.ports.sight import PICTURES_KEPT, KnownPosition, Sight, Taken, Wanted
from controller.referee.events import (
    BoardChecked,
    Device,
    DeviceChanged,
    Event,
    Looked,
    Ordered,
    RollingDice,
    SceneChanged,
)
from controller.referee.kestum import rolling_dice_wanted
from controller.referee.orders import Correct, Undo
from controller.referee.rulings import DieAtRest, PlayVerdict
from controller.referee.sight import looks_wanted
from controller.referee.state import Phase, State
from controller.rules import Side, start

logger = logging.getLogger(__name__)

PictureT = TypeVar("PictureT")

SILENT_CAMERA_MS = 3_000
"""A camera that keeps us waiting longer is lost."""
SLOW_LOOK_MS = 60_000
"""So long a machine may take to read a picture; a small one that is busy with something else needs seconds."""
POSTS_AHEAD = PICTURES_KEPT - 1
"""So many pictures that led to events may wait for the owner thread. The loop then takes no further ones, so that the
pictures which rulings rest on, and from which a look is learnt, are still kept."""


class CameraLoop(Generic[PictureT]):
    """Carries pictures to a sight and its events to the owner thread; reports when no pictures come.

    ``frames`` gives pictures with the milliseconds at which they were taken: live ones by ``clock``, those of a
    recording by a clock of its own, which begins when the loop does, and they are seen at their own pace.
    ``ended`` is called after the last one.
    """

    def __init__(
        self,
        frames: Iterable[tuple[PictureT, int]],
        sight: Sight[PictureT],
        clock: Time,
        post: Callable[[Event], None],
        ended: Callable[[], None],
    ) -> None:
        self._frames = frames
        self._sight = sight
        self._clock = clock
        self._post = post
        self._ended = ended
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._stop = threading.Event()
        self._changed = threading.Condition()
        self._wanted = Wanted()
        self._posted: list[Millis] = []
        self._learnt = 0
        self._corrections = 0
        self._lost = False
        self._failing = False
        self._due_at: int = clock.now_ms() + SILENT_CAMERA_MS

    def start(self) -> None:
        """Begin to look, in a thread of its own."""
        self._due_at = self._clock.now_ms() + SILENT_CAMERA_MS
        self._thread.start()

    def stop(self, wait_s: float) -> None:
        """Ask the loop to end; wait so long for the look that is under way."""
        self._stop.set()
        with self._changed:
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(wait_s)

    def want(self, wanted: Wanted) -> None:
        """Take what the owner thread wants from now on."""
        with self._changed:
            self._wanted = wanted
            if wanted.handled is not None:
                self._posted = [at for at in self._posted if at > wanted.handled]
            self._changed.notify()

    def silence(self, now: Millis) -> DeviceChanged | None:
        """Return that the camera is lost, once, when no picture has come, or could be read, for too long."""
        with self._changed:
            if self._lost or now <= self._due_at:
                return None
            self._lost = True
        return DeviceChanged(now, Device.CAMERA, up=False, why="no_frame")

    def taken(self, at: Millis, dice: Sequence[DieAtRest]) -> Taken | None:
        """Return the look that was the last at ``at``, with a close-up of each of ``dice``; None before any look."""
        return self._sight.taken(at, dice)

    def _run(self) -> None:
        try:
            self._look()
        except Exception:
            # No more pictures come; the owner misses them and goes on by the reeds or with the arbiter.
            logger.exception("the camera's pictures have ended with an error; the match goes on without them")
            return
        self._ended()

    def _look(self) -> None:
        ahead_ms: int | None = None
        for picture, taken_ms in self._frames:
            # A live picture is dated by our own clock when it is taken, and due when it comes.
            ahead_ms = self._clock.now_ms() - taken_ms if ahead_ms is None else ahead_ms
            at = Millis(ahead_ms + taken_ms)
            if self._stop.wait(max(0, at - self._clock.now_ms()) / 1000):
                return
            due_at = self._due_at
            self._due(self._clock.now_ms() + SLOW_LOOK_MS)
            wanted = self._next_wanted()
            if self._stop.is_set():
                return
            # A picture that cannot be read counts as if none had come.
            self._due(self._clock.now_ms() + SILENT_CAMERA_MS if self._see(picture, at, wanted) else due_at)

    def _see(self, picture: PictureT, at: Millis, wanted: Wanted) -> bool:
        """See one picture and post what it shows; False when it could not be read."""
        try:
            if wanted.corrections > self._corrections:
                self._corrections = wanted.corrections
                self._sight.forget()
            if wanted.known is not None and wanted.known.number > self._learnt:
                self._learnt = wanted.known.number
                self._sight.learn(wanted.known)
            seen = self._sight.see(picture, at, wanted)
        except Exception:
            if not self._failing:
                logger.exception("a picture cannot be read")
            self._failing = True
            return False
        self._failing = False
        with self._changed:
            back, self._lost = self._lost, False
            if seen:
                self._posted.append(at)
        if back:
            self._post(DeviceChanged(at, Device.CAMERA, up=True))
        for event in seen:
            self._post(event)
        return True

    def _due(self, at_ms: int) -> None:
        """Note until when the loop has to be heard of again."""
        with self._changed:
            self._due_at = at_ms

    def _next_wanted(self) -> Wanted:
        """Return what is wanted now; wait for an owner thread that is behind with what was posted."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._posted) < POSTS_AHEAD or self._stop.is_set())
            return self._wanted


class CameraWishes:
    """What the owner thread wants of the camera, as it follows from each event and the states before and after it."""

    def __init__(self) -> None:
        self._handled: Millis | None = None
        self._looked_at: Millis | None = None
        self._known: KnownPosition | None = None
        self._corrections = 0

    def handled(self, event: Event, before: State, state: State) -> None:
        """Note an event that was folded.

        A position that was just ruled on is known with the look that showed it: its checkers are labels for free.
        """
        if isinstance(event, Looked | RollingDice | SceneChanged | BoardChecked):
            self._handled = event.at
        if isinstance(event, Looked):
            self._looked_at = event.at
        if isinstance(event, Ordered) and isinstance(event.order, Correct | Undo) and state is not before:
            self._corrections += 1
            return
        looked = isinstance(event, Looked) or before.sight.evidence.looks > 0
        known = _begun(before, state) or _played(before, state) or _thrown(before, state)
        if known and looked and state.light is not None and self._looked_at is not None:
            ruled = not _thrown(before, state)
            counts = state.view(Side.WHITE, state.light).counts(state.white_position())
            number = self._known.number + 1 if self._known else 1
            bar = counts.bar_light, counts.bar_dark
            self._known = KnownPosition(number, self._looked_at, counts.points, bar, ruled)

    def wanted(self, state: State) -> Wanted:
        """Return what is wanted in ``state``."""
        looks, rolling = looks_wanted(state), rolling_dice_wanted(state)
        return Wanted(looks, rolling, state.rules.cube, self._handled, self._known, self._corrections)


def _begun(before: State, state: State) -> bool:
    """Whether a game has begun with the start position on the board; what the arbiter has set is another one."""
    begun = before.phase is Phase.SETUP and state.phase in {Phase.OPENING, Phase.TO_THROW}
    return begun and state.white_position() == start(state.rules.game)


def _played(before: State, state: State) -> bool:
    """Whether a turn was accepted, and the next one has begun from where the checkers lie."""
    turns = state.game.turns
    goes_on = state.game.number == before.game.number and len(turns) == len(before.game.turns) + 1
    return goes_on and turns[-1].verdict is PlayVerdict.ACCEPTED and state.phase in {Phase.TO_THROW, Phase.TO_PLAY}


def _thrown(before: State, state: State) -> bool:
    """Whether a throw was ruled on: nothing was played since the turn before."""
    awaited = before.phase in {Phase.OPENING, Phase.TO_THROW} and state.phase is Phase.TO_PLAY
    return awaited and len(state.game.turns) == len(before.game.turns)
