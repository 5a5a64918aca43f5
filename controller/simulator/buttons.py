"""Virtual fingers on the clock buttons: they pull gpiozero's mock pins to ground, as real buttons do."""

from collections.abc import Callable

from gpiozero.pins.mock import MockFactory

from controller.simulator.deeds import Entry, Press, Release
from controller.simulator.world import World
from firmware_bridge.rig import Rig


class TablePins(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """Mock pins that date their edges by the table's time, so that a busy machine dates no press otherwise."""

    def __init__(self, now_ms: Callable[[], float]) -> None:
        super().__init__()
        self._now_ms = now_ms

    def ticks(self) -> float:
        """Seconds of the table."""
        return self._now_ms() / 1000


class VirtualFingers:
    """Presses the pins that a rig names for the clock buttons; ``hear`` fits the table's listeners."""

    def __init__(self, factory: MockFactory, rig: Rig) -> None:
        self._pins = {name: factory.pin(pin) for name, pin in rig.buttons.items()}

    def hear(self, entry: Entry, _world: World) -> None:
        """Follow a deed."""
        match entry.deed:
            case Press(side=side):
                self._pins[side.value].drive_low()
            case Release(side=side):
                self._pins[side.value].drive_high()
            case _:
                pass
