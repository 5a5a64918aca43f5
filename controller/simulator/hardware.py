"""The devices of the virtual table: what a real board would plug into, driven by the world instead of by hands."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from controller.ports.updates import Command
from controller.simulator.actions import Answers, Helped, TableEntry
from controller.simulator.arbiter import answer_of, command_of
from controller.simulator.camera import VirtualCamera
from controller.simulator.contacts import TablePins, VirtualFingers, VirtualReeds
from controller.simulator.table import VirtualTable
from controller.simulator.world import World
from firmware_bridge.cable import DozingBoard
from firmware_bridge.clocks import Micros
from firmware_bridge.messages import Command as BoardCommand
from firmware_bridge.pins import PinPanel
from firmware_bridge.rig import Rig
from firmware_bridge.standin import StandIn
from firmware_bridge.values import LinkValue
from firmware_bridge.virtual_board import VirtualBoard
from vision.board.geometry import BoardPose, Frame


class BuildsBoard(Protocol):
    """Builds the board under the table: the stand-in, or the real firmware in the emulator."""

    def __call__(self, rig: Rig, *, now_us: Micros, folder: Path) -> VirtualBoard:
        """Power it on at ``now_us``; what it needs on the disk lies in ``folder``."""
        ...


def stand_in(rig: Rig, *, now_us: Micros, folder: Path) -> VirtualBoard:
    """Build a board of which only the protocol is real."""
    return StandIn(rig.slot_count, rig=rig.fingerprint(), now_us=now_us, folder=folder)


class VirtualHardware:
    """Reeds on a real pty, clock buttons on mock pins, a camera, and the arbiter's panel, all of one table.

    ``now_ms`` is the host's clock for the board's link; the buttons are dated by the table's own time, to the
    moment at which the finger came down.
    """

    def __init__(
        self,
        table: VirtualTable,
        now_ms: Callable[[], int],
        folder: Path,
        *,
        size: tuple[int, int] = (1280, 720),
        build: BuildsBoard = stand_in,
    ) -> None:
        self.rig = Rig.load("full")
        """Where the reeds lie. The clock buttons are on the pins of the rig without a microcontroller."""
        self._table = table
        self._now_ms = now_ms
        begun_us = _micros(now_ms())
        self._board = DozingBoard(build(self.rig, now_us=begun_us, folder=folder), self.rig.expected(), now_us=begun_us)
        pins = TablePins()
        pi = Rig.load("full_pi")
        self._panel = PinPanel(pi, now_us=lambda: _micros(table.now_ms), pin_factory=pins)
        self._camera = VirtualCamera(size, layout=table.habits.layout)
        self._measured = BoardPose(self._camera.corners_px, self._camera.shape, self._camera.size)
        self._commands: list[Command] = []
        table.listen(VirtualReeds(self._board, self.rig, table.world, begun_us).hear)
        table.listen(VirtualFingers(pins, pi).hear)
        table.listen(self._hear_arbiter)

    @property
    def pose(self) -> BoardPose:
        """How the board lay in the picture when somebody measured it, before the camera was ever bumped."""
        return self._measured

    @property
    def world(self) -> World:
        """The table as it lies."""
        return self._table.world

    def frame(self) -> Frame:
        """Return what the camera sees now."""
        return self._camera.picture(self._table.world, self._table.now_ms)

    def poll(self) -> tuple[LinkValue, ...]:
        """Return what board and buttons have told since the last call."""
        return (*self._board.poll(_micros(self._now_ms())), *self._panel.poll())

    def commands(self) -> tuple[Command, ...]:
        """Return what the arbiter has ordered since the last call."""
        commands, self._commands = tuple(self._commands), []
        return commands

    def send(self, command: BoardCommand) -> None:
        """Tell the board's lamps and buzzer something."""
        self._board.send(command)

    def pull_cable(self) -> None:
        """Unplug the board under the reeds: a foot was in its cable."""
        self._board.board.unplug()

    def put_cable_back(self) -> None:
        """Plug it in again."""
        self._board.board.plug_in()

    def close(self) -> None:
        """Unplug everything."""
        self._panel.close()
        self._board.close()

    def _hear_arbiter(self, entry: TableEntry, _world: World) -> None:
        match entry.action:
            case Helped():
                self._commands.append(command_of(entry.action))
            case Answers():
                self._commands.append(answer_of(entry.action))
            case _:
                pass


def _micros(ms: int) -> Micros:
    return Micros(1_000 * ms)
