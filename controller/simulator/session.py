"""The virtual table as the camera loop's pictures: table time goes on with each one, in step with the referee."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Generic, TypeVar

from controller.adapters.bridge import BridgeAdapter
from controller.adapters.lamps import Lamps
from controller.adapters.shown import ShownPhase
from controller.clock import Millis
from controller.ports.sight import Sight
from controller.referee.events import Event
from controller.service.inbox import Inbox
from controller.simulator.hardware import VirtualHardware
from controller.simulator.table import VirtualTable
from controller.simulator.visible import Display
from firmware_bridge.values import LinkBack

logger = logging.getLogger(__name__)

PictureT = TypeVar("PictureT")

FRAME_MS = 200
"""Table time between two frames: five a second are enough for a board game."""

PATIENCE_MS = 300_000
"""Table time without any ruling, and without a wait for people, after which nobody believes that there will be one."""


@dataclass(frozen=True, slots=True)
class Pace:
    """``frame_ms`` is the table time from one camera frame to the next; ``speed`` None waits for nothing.

    Raises ValueError for a speed or frame time that is not above zero.
    """

    frame_ms: int = 100
    speed: float | None = None

    def __post_init__(self) -> None:
        if self.frame_ms <= 0 or (self.speed is not None and self.speed <= 0):
            msg = f"time has to go on: frame_ms={self.frame_ms}, speed={self.speed}"
            raise ValueError(msg)

    def frames(
        self,
        start_ms: int,
        *,
        wall_s: Callable[[], float] = monotonic,
        sleep_s: Callable[[float], None] = sleep,
    ) -> Iterator[int]:
        """Yield the table time of one camera frame after the other, each when it is due.

        A machine too slow for the speed gets the frames late, never fewer of them: virtual time waits for it.
        """
        now_ms, begun_s = start_ms, wall_s()
        while True:
            now_ms += self.frame_ms
            if self.speed is not None:
                due_s = begun_s + (now_ms - start_ms) / 1000.0 / self.speed
                late_s = wall_s() - due_s
                if late_s < 0.0:
                    sleep_s(-late_s)
                else:
                    begun_s += late_s
            yield now_ms


class StandstillError(RuntimeError):
    """Referee and players wait for each other: a fault of the program."""


class TableTime:
    """Time of the virtual table, in milliseconds."""

    def __init__(self) -> None:
        self._now = Millis(0)

    def now_ms(self) -> Millis:
        """The moment of the table."""
        return self._now

    def set(self, now: Millis) -> None:
        """Move on."""
        self._now = now


@dataclass(frozen=True, slots=True)
class Watch(Generic[PictureT]):
    """How the table is watched: what takes the pictures, and what sees something in them."""

    picture: Callable[[], PictureT]
    sight: Sight[PictureT]


class TableFrames(Generic[PictureT]):
    """A picture of the table each 200 ms of its time; between two of them the people act and the devices report.

    Iterated in the camera's thread. Before time goes on the referee has handled and published everything that was
    posted, so a run depends on the seed alone, whatever the threads do.

    A table that is watched on pages never ends by itself: when the players have got up, or the program that plays them
    has failed, it lies as it lies until the inbox is closed. Else a run ends then, or when nothing happens any more.
    """

    def __init__(
        self,
        table: VirtualTable,
        hardware: VirtualHardware,
        picture: Callable[[], PictureT],
        *,
        time: TableTime,
        inbox: Inbox,
        speed: float | None,
        over: Callable[[Exception | None], None] | None = None,
    ) -> None:
        """``speed`` is that of table time against the wall clock; None: as fast as the machine allows.

        ``over`` is called once, when nothing more will be played at a table that is watched, with what went wrong if
        something did; None: nobody watches.
        """
        self._table = table
        self._hardware = hardware
        self._picture = picture
        self._time = time
        self._inbox = inbox
        self._over = over
        self._pace = Pace(FRAME_MS, speed)
        self.bridge = BridgeAdapter(hardware.rig)
        self.lamps = Lamps(hardware.rig, hardware.send)
        self.display = Display()
        self.failure: Exception | None = None
        """What ended the match before the players got up."""

    def __iter__(self) -> Iterator[tuple[PictureT, int]]:
        try:
            yield from self._pictures()
        except Exception as failure:  # noqa: BLE001 - whoever runs the match raises it in their own thread
            self.failure = failure

    def _pictures(self) -> Iterator[tuple[PictureT, int]]:
        waited_ms, rulings, told = 0, self.display.rulings, False
        for now in self._pace.frames(self._time.now_ms()):
            self._inbox.settle()
            if self._inbox.closed:
                return
            self._time.set(Millis(now))
            if not self._table.done and self.failure is None:
                self._go_on(Millis(now))
            elif self._over is None:
                return
            elif not told:
                told = True
                self._over(self.failure)
            waited_ms = 0 if self._waits(rulings) else waited_ms + FRAME_MS
            rulings = self.display.rulings
            if waited_ms > PATIENCE_MS:
                seen = self.display.seen()
                msg = f"the virtual table stands still in phase {seen.phase.value if seen else 'unknown'}"
                raise StandstillError(msg)
            yield self._picture(), now

    def _waits(self, rulings: int) -> bool:
        """Tell whether there is something to wait for: a ruling has just come, or it is a person who has to act."""
        seen = self.display.seen()
        asked = seen is not None and (seen.phase in {ShownPhase.PAUSED, ShownPhase.DECIDING} or seen.offer is not None)
        return asked or self._over is not None or self.display.rulings != rulings

    def _go_on(self, now: Millis) -> None:
        """One step; at a table that is watched, a fault of the program that plays ends the play, not the pages."""
        try:
            self._step(now)
        except Exception as failure:
            if self._over is None:
                raise
            logger.exception("the virtual table cannot go on")
            self.failure = failure

    def _step(self, now: Millis) -> None:
        """The people act, the devices report, and the referee handles that before the camera looks."""
        self._table.show(self.display.seen())
        self._table.advance(now)
        events: list[Event] = []
        for value in self._hardware.poll():
            if isinstance(value, LinkBack):
                self.lamps.again()
            events += self.bridge.events(value)
        self._inbox.post(*events, *self._hardware.commands())
        self._inbox.settle()
