"""From what the bridge tells to events: slots become counts a place, buttons become presses."""

import logging

from controller.clock import Millis
from controller.referee.events import Button, Device, DeviceChanged, Event, Pressed, ReedsChanged
from firmware_bridge.rig import Rig
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

BAR_ROWS = {"bar_white": 24, "bar_black": 25}
"""Rows of ``ReedsChanged`` after p1..p24."""


class Nerves:
    """Translates the values of one board's link or panel."""

    def __init__(self, rig: Rig) -> None:
        self._rows = tuple(
            (row, frozenset(slots))
            for place, slots in rig.slots.items()
            if (row := BAR_ROWS.get(place, int(place[1:]) - 1 if place[1:].isdigit() else None)) is not None
        )

    def events(self, value: LinkValue) -> tuple[Event, ...]:
        """What ``value`` means to the referee; nothing for the wire's own housekeeping."""
        match value:
            case ButtonPress(at_ms=at, button=button):
                return (Pressed(Millis(at), Button(button)),)
            case ReedFrame(at_ms=at, occupied=occupied):
                closed = frozenset(occupied)
                return (
                    ReedsChanged(
                        Millis(at), tuple((row, len(slots & closed), len(slots)) for row, slots in self._rows)
                    ),
                )
            case LinkLost(why=Trouble.RESTARTED):
                return ()
            case LinkLost(at_ms=at, detail=detail):
                return (
                    DeviceChanged(Millis(at), Device.BUTTONS, up=False, why=detail),
                    DeviceChanged(Millis(at), Device.REEDS, up=False, why=detail),
                    ReedsChanged(Millis(at), ()),
                )
            case LinkBack(at_ms=at):
                return (
                    DeviceChanged(Millis(at), Device.BUTTONS, up=True),
                    DeviceChanged(Millis(at), Device.REEDS, up=True),
                )
            case SensorsLost(at_ms=at):
                return (
                    DeviceChanged(Millis(at), Device.REEDS, up=False, why="no keyframes"),
                    ReedsChanged(Millis(at), ()),
                )
            case SensorsBack(at_ms=at):
                return (DeviceChanged(Millis(at), Device.REEDS, up=True),)
            case Gap(frames=frames, healed_after_ms=healed):
                logger.info("%d frames of the board were lost and healed after %d ms", frames, healed)
                return ()
            case CommandDone() | Health():
                return ()
