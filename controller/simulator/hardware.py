"""The devices of the virtual table: what a real board would plug into, driven by the world instead of by hands."""

from collections.abc import Callable

from gpiozero.pins.mock import MockFactory

from controller.adapters.feed.commands import Command
from controller.simulator.arbiter import command_of
from controller.simulator.buttons import VirtualFingers
from controller.simulator.camera import VirtualCamera
from controller.simulator.deeds import Entry, Helped
from controller.simulator.reeds import VirtualReeds
from controller.simulator.table import VirtualTable
from controller.simulator.world import World
from firmware_bridge.cable import Cable
from firmware_bridge.link import BoardLink
from firmware_bridge.pins import PinPanel
from firmware_bridge.rig import Rig
from firmware_bridge.standin import StandIn
from firmware_bridge.values import LinkValue
from vision.geometry import BoardPose, Frame


class VirtualHardware:
    """Reeds on a real pty, clock buttons on mock pins, a camera, and the arbiter's panel, all of one table.

    ``now_ms`` is the host's clock for the board's link; the buttons are dated by the table's own time, to the
    moment at which the finger came down.
    """

    def __init__(
        self, table: VirtualTable, now_ms: Callable[[], float], *, size: tuple[int, int] = (1280, 720)
    ) -> None:
        self.rig = Rig.load("full")
        """Where the reeds lie. The clock buttons are on the pins of the rig without a microcontroller."""
        self._table = table
        self._now_ms = now_ms
        self._board = StandIn(self.rig.slot_count, rig=self.rig.fingerprint(), now_ms=now_ms())
        self._link = BoardLink(self._board.port, expected=self.rig.expected(), now_ms=now_ms)
        self._cable = Cable(self._board, self._link)
        pins = MockFactory()
        pi = Rig.load("full_pi")
        self._panel = PinPanel(pi, now_ms=lambda: float(table.now_ms), pin_factory=pins)
        self._camera = VirtualCamera(size, layout=table.habits.layout)
        self._orders: list[Command] = []
        table.listen(VirtualReeds(self._board, self.rig, table.world).hear)
        table.listen(VirtualFingers(pins, pi).hear)
        table.listen(self._hear_arbiter)

    @property
    def pose(self) -> BoardPose:
        """How the board lies in the picture, as somebody would have measured it."""
        return BoardPose(self._camera.corners_px, self._camera.shape, self._camera.size)

    @property
    def world(self) -> World:
        """The table as it lies."""
        return self._table.world

    def frame(self) -> Frame:
        """Return what the camera sees now."""
        return self._camera.picture(self._table.world, self._table.now_ms)

    def poll(self) -> tuple[LinkValue, ...]:
        """Return what board and buttons have told since the last call."""
        return (*self._cable.settle(self._now_ms()), *self._panel.poll())

    def commands(self) -> tuple[Command, ...]:
        """Return what the arbiter has ordered since the last call."""
        orders, self._orders = tuple(self._orders), []
        return orders

    def close(self) -> None:
        """Unplug everything."""
        self._panel.close()
        self._link.close()
        self._board.close()

    def _hear_arbiter(self, entry: Entry, _world: World) -> None:
        if isinstance(entry.deed, Helped):
            self._orders.append(command_of(entry.deed))
