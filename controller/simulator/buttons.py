"""Virtual fingers on the clock buttons: they pull gpiozero's mock pins to ground, as real buttons do."""

from gpiozero.pins.mock import MockFactory

from controller.simulator.actions import Press, Release, TableEntry
from controller.simulator.world import World
from firmware_bridge.rig import Rig


class TablePins(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """Mock pins on which an edge is always heard at once: their real milliseconds are none of the table's."""

    @staticmethod
    def ticks_diff(_later: float, _earlier: float) -> float:
        """Seconds since an edge."""
        return 0.0


class VirtualFingers:
    """Presses the pins that a rig names for the clock buttons; ``hear`` fits the table's listeners."""

    def __init__(self, factory: MockFactory, rig: Rig) -> None:
        self._pins = {name: factory.pin(pin) for name, pin in rig.buttons.items()}

    def hear(self, entry: TableEntry, _world: World) -> None:
        """Follow an action."""
        match entry.action:
            case Press(side=side):
                self._pins[side.value].drive_low()
            case Release(side=side):
                self._pins[side.value].drive_high()
            case _:
                pass
