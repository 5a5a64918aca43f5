"""A virtual board and its link in one virtual time.

``Cable`` joins the two. ``DozingBoard`` lets them live only while something happens, so that the emulated firmware
keeps up with whole matches.
"""

from collections.abc import Iterable
from dataclasses import replace

from firmware_bridge.clocks import Micros
from firmware_bridge.handshake import Expected
from firmware_bridge.link import BoardLink
from firmware_bridge.messages import Command
from firmware_bridge.values import CommandDone, LinkBack, LinkLost, LinkValue, SensorsBack, SensorsLost
from firmware_bridge.virtual_board import VirtualBoard

AWAKE_US = 40_000
"""After a change: one scan, the debouncing of reeds and the frame on the line take less than half of it."""
STEP_US = 5_000
"""The emulated line loses bytes when board and link read each other less often."""


class Cable:
    """Board and link in one virtual time: nothing is left on the way when ``settle`` returns.

    A pty delivers a moment after the write, so counting bytes is the only way to the same values at each run.
    """

    PATIENCE = 50
    """Rounds of 1 ms without progress after which missing bytes are taken as gone: a port drops its old bytes when
    it is opened."""

    def __init__(self, board: VirtualBoard, link: BoardLink) -> None:
        self.board = board
        self.link = link
        self._gone_up = self._gone_down = 0

    def settle(self, now_us: Micros) -> tuple[LinkValue, ...]:
        """Let both ends read each other's bytes at ``now_us`` (the link's clock must agree); return the values."""
        values: list[LinkValue] = []
        before, idle = None, 0
        while True:
            self.board.advance(now_us)
            on_the_way = self._on_the_way()
            values += self.link.poll(1 if any(on_the_way) else 0)
            after = (self.board.sent_bytes, self.board.received_bytes, self.link.sent_bytes, self.link.received_bytes)
            idle = idle + 1 if after == before else 0
            if idle and not any(self._on_the_way()):
                return tuple(values)
            if idle > self.PATIENCE:
                up, down = self._on_the_way()
                self._gone_up += up
                self._gone_down += down
            before = after

    def _on_the_way(self) -> tuple[int, int]:
        up = self.board.sent_bytes - self.link.received_bytes - self._gone_up
        down = self.link.sent_bytes - self.board.received_bytes - self._gone_down
        return up, down


class DozingBoard:
    """A virtual board, its cable and its link, moved on together by ``now_us`` of a table.

    Board and link share a time of their own. It runs with the table's while a checker has just come or gone, while a
    command waits for its answer and while there is no link; otherwise both stand still, as if the line
    were silent. Values are dated by the table's time.
    """

    def __init__(self, board: VirtualBoard, expected: Expected, *, now_us: Micros) -> None:
        """``board`` was powered on at ``now_us``."""
        self.board = board
        self._table_us = self._life_us = now_us
        self._link = BoardLink(board.port, expected=expected, now_us=lambda: self._life_us)
        self._cable = Cable(board, self._link)
        self._awake_until_us: int = now_us
        self._linked = False
        self._reeds_reported = True
        self._unanswered = 0
        self._values: list[LinkValue] = []

    def lay(self, occupied: Iterable[int], at_us: Micros) -> None:
        """Lay checkers on exactly these slots at ``at_us``."""
        self._pass(at_us)
        self.board.set_slots(occupied)
        self._awake_until_us = self._table_us + AWAKE_US

    def send(self, command: Command) -> None:
        """Queue a command for the board."""
        self._unanswered += 1
        self._link.send(command)

    def break_chain(self) -> None:
        """Pull the plug of the reeds; the board stays awake until it is missed."""
        self.board.break_chain()
        self._reeds_reported = False

    def mend_chain(self) -> None:
        """Put the plug of the reeds in again; the board stays awake until the link reports it."""
        self.board.mend_chain()
        self._reeds_reported = False

    def poll(self, now_us: Micros) -> tuple[LinkValue, ...]:
        """Let the table's time pass until ``now_us`` and return what the link has reported since the last call."""
        self._pass(now_us)
        self._settle()
        values, self._values = tuple(self._values), []
        return values

    def close(self) -> None:
        """Take the board away."""
        self._link.close()
        self.board.close()

    def _pass(self, now_us: Micros) -> None:
        while self._table_us < now_us:
            if (
                self._linked
                and self._reeds_reported
                and not self._unanswered
                and self._table_us >= self._awake_until_us
            ):
                self._table_us = now_us
                return
            step_us = min(STEP_US, now_us - self._table_us)
            self._table_us = Micros(self._table_us + step_us)
            self._life_us = Micros(self._life_us + step_us)
            self._settle()

    def _settle(self) -> None:
        for value in self._cable.settle(self._life_us):
            match value:
                case LinkBack():
                    self._linked = True
                    self._awake_until_us = self._table_us + AWAKE_US
                case LinkLost():
                    self._linked = False
                case SensorsLost() | SensorsBack():
                    self._reeds_reported = True
                    self._awake_until_us = self._table_us + AWAKE_US
                case CommandDone():
                    self._unanswered -= 1
                case _:
                    pass
            self._values.append(replace(value, at_us=Micros(value.at_us + self._table_us - self._life_us)))
