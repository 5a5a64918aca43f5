"""What closes contacts at the virtual table: checkers over reeds, and fingers on the clock buttons."""

from gpiozero.pins.mock import MockFactory

from controller.rules import Side
from controller.simulator.actions import Press, Release, TableEntry
from controller.simulator.layout import BAR, OFF
from controller.simulator.world import POINTS, World
from firmware_bridge.cable import DozingBoard
from firmware_bridge.clocks import Micros
from firmware_bridge.rig import Rig


def closed_slots(world: World, rig: Rig) -> frozenset[int]:
    """Return the slots whose reeds are closed: n checkers on a place close its first n slots, as far as it has."""
    heights = world.heights()
    counts = {f"p{place}": heights[Side.WHITE, place] + heights[Side.BLACK, place] for place in POINTS}
    for side in Side:
        counts[f"bar_{side.value}"] = heights[side, BAR]
        counts[f"tray_{side.value}"] = heights[side, OFF]
    return frozenset(slot for place, slots in rig.slots.items() for slot in slots[: counts.get(place, 0)])


class VirtualReeds:
    """Keeps a virtual board's slots as the checkers lie; ``hear`` fits the table's listeners."""

    def __init__(self, board: DozingBoard, rig: Rig, world: World, at_us: Micros) -> None:
        self._board = board
        self._rig = rig
        self._closed = closed_slots(world, rig)
        board.lay(self._closed, at_us)

    def hear(self, entry: TableEntry, world: World) -> None:
        """Follow an action at its own time."""
        closed = closed_slots(world, self._rig)
        if closed != self._closed:
            self._closed = closed
            self._board.lay(closed, Micros(1_000 * entry.at_ms))


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
