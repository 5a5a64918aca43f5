"""From the bridge's values to events: slots become counts a place, buttons become presses, faulty reeds are named."""

import logging
from collections.abc import Callable, Iterator
from threading import Lock

from controller.adapters.shown import position_shown
from controller.clock import Millis
from controller.ports.entries import Heard
from controller.ports.updates import Update
from controller.referee.events import (
    Button,
    Device,
    DeviceChanged,
    Event,
    Pressed,
    ReedsChanged,
    SlotDoubted,
    SlotFault,
)
from controller.referee.rulings import PlayRuling, PlayVerdict, Ruling
from firmware_bridge.clocks import Micros
from firmware_bridge.rig import POINTS, Rig
from firmware_bridge.sensors import SensorWatch, Suspect
from firmware_bridge.values import (
    ButtonPress,
    CommandDone,
    Gap,
    Health,
    LinkBack,
    LinkLost,
    LinkValue,
    ReedFrame,
    SensorsBack,
    SensorsLost,
    Trouble,
)

logger = logging.getLogger(__name__)

ROWS = {place: row for row, place in enumerate((*POINTS, "bar_white", "bar_black", "tray_white", "tray_black"))}
"""Rows of ``ReedsChanged``."""

TOGETHER_MS = 1_000
"""Bytes of about a second are one entry: each entry is a write to the disk."""


class BridgeAdapter:
    """Translates the values of one board's link, chain or panel, and watches its reeds from the play itself.

    ``events`` may be called from the device's thread while ``publish`` is called from the service's.
    """

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._rows = tuple((ROWS[place], frozenset(slots)) for place, slots in rig.slots.items())
        self._watch = SensorWatch(rig)
        self._lock = Lock()
        self._suspects: list[Suspect] = []

    def events(self, value: LinkValue) -> tuple[Event, ...]:
        """What ``value`` means to the referee; nothing for the wire's own housekeeping.

        Microseconds become milliseconds here, cut off, so that nothing is dated later than the clock that dates it.
        """
        at = Millis(value.at_us // 1_000)
        match value:
            case ButtonPress(button=button):
                return (Pressed(at, Button(button)),)
            case ReedFrame(occupied=occupied):
                with self._lock:
                    self._suspects += self._watch.frame(value.at_us, occupied)
                return (*self._doubts(at), self._felt(at, frozenset(occupied)))
            case LinkLost(why=Trouble.RESTARTED):
                return ()
            case LinkLost(why=why):
                return tuple(self._lost(at, why.value))
            case LinkBack():
                back = [DeviceChanged(at, Device.BUTTONS, up=True)] if self._rig.controller != "pi" else []
                return (*back, *self._back(at))
            case SensorsLost():
                return (DeviceChanged(at, Device.REEDS, up=False, why="no_keyframes"), ReedsChanged(at, ()))
            case SensorsBack():
                return self._back(at)
            case Gap(frames=frames, healed_after_us=healed_us):
                logger.info("%d frames of the board were lost and healed after %d ms", frames, healed_us // 1_000)
                return ()
            case CommandDone() | Health():
                return ()

    def publish(self, update: Update) -> None:
        """Learn from an accepted play where the checkers are: that is known then."""
        if not any(_is_accepted_play(ruled.ruling) for ruled in update.rulings):
            return
        position = position_shown(update.state)
        heights = {place: abs(position.points[row]) for place, row in ROWS.items() if row < len(POINTS)}
        heights |= {"bar_white": position.bar[0], "bar_black": position.bar[1]}
        with self._lock:
            self._suspects += self._watch.position(heights)

    def _felt(self, at: Millis, closed: frozenset[int]) -> ReedsChanged:
        return ReedsChanged(at, tuple((row, len(slots & closed), len(slots)) for row, slots in self._rows))

    def _lost(self, at: Millis, why: str) -> Iterator[Event]:
        yield DeviceChanged(at, Device.BUTTONS, up=False, why=why)
        if self._rig.chain:
            yield DeviceChanged(at, Device.REEDS, up=False, why=why)
            yield ReedsChanged(at, ())

    def _back(self, at: Millis) -> tuple[Event, ...]:
        if not self._rig.chain:
            return ()
        with self._lock:
            # Whoever mended a reed has pulled a plug for it.
            self._watch.forgive()
            self._suspects.clear()
        return (DeviceChanged(at, Device.REEDS, up=True),)

    def _doubts(self, at: Millis) -> Iterator[Event]:
        with self._lock:
            suspects, self._suspects = self._suspects, []
        for suspect in suspects:
            place, index = suspect.place, suspect.index
            logger.warning("reed %d of %s is %s", index + 1, place, suspect.fault.value)
            other = None
            if suspect.other is not None:
                other_place, other_index = self._rig.place_of(suspect.other)
                other = (ROWS[other_place], other_index + 1)
            yield SlotDoubted(at, ROWS[place], index + 1, SlotFault(suspect.fault.value), other)


def _is_accepted_play(ruling: Ruling) -> bool:
    return isinstance(ruling, PlayRuling) and ruling.verdict is PlayVerdict.ACCEPTED


class WireRecord:
    """Takes the raw bytes of the line from the link's thread, and hands them on as entries, whatever they mean."""

    def __init__(self, keep: Callable[[Heard], None]) -> None:
        self._keep = keep
        self._lock = Lock()
        self._heard: list[tuple[int, str]] = []

    def __call__(self, at_us: Micros, data: bytes) -> None:
        """Take what was read at ``at_us`` of the host's monotonic clock."""
        at_ms = at_us // 1_000
        with self._lock:
            self._heard.append((at_ms, data.hex()))
            due = at_ms - self._heard[0][0] >= TOGETHER_MS
        if due:
            self.flush()

    def flush(self) -> None:
        """Hand on what has been taken so far."""
        with self._lock:
            heard, self._heard = tuple(self._heard), []
        if heard:
            self._keep(Heard(Millis(heard[0][0]), heard))
