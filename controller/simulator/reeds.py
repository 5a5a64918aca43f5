"""The reeds under the virtual board: the world's checkers close slots of a board that speaks over a real pty."""

from controller.rules import Side
from controller.simulator.actions import TableEntry
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
