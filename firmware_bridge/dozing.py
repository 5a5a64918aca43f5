"""A virtual board that lives only while something happens, so that the emulated firmware keeps up with whole matches.

The board and its link share a time of their own. It runs with the table's while a checker has just come or gone, while
a command waits for its answer and while there is no link; otherwise both stand still, as if nothing had been said on
the line. Values are dated by the table's time.
"""

from collections.abc import Iterable
from dataclasses import replace

from firmware_bridge.cable import Cable, VirtualBoard
from firmware_bridge.greeting import Expected
from firmware_bridge.link import BoardLink
from firmware_bridge.messages import Command
from firmware_bridge.values import CommandDone, LinkBack, LinkLost, LinkValue, SensorsBack, SensorsLost

AWAKE_MS = 40
"""After a change: one scan, the debouncing of reeds and the frame on the line take less than half of it."""
STEP_MS = 5
"""The emulated line loses bytes when board and link hear each other out less often."""


class DozingBoard:
    """A virtual board, its cable and its link, moved on together by ``now_ms`` of a table."""

    def __init__(self, board: VirtualBoard, expected: Expected, *, now_ms: float) -> None:
        """``board`` was powered on at ``now_ms``."""
        self.board = board
        self._table_ms = self._life_ms = now_ms
        self._link = BoardLink(board.port, expected=expected, now_ms=lambda: self._life_ms)
        self._cable = Cable(board, self._link)
        self._awake_until_ms = now_ms
        self._linked = False
        self._reeds_told = True
        self._unanswered = 0
        self._values: list[LinkValue] = []

    def lay(self, occupied: Iterable[int], at_ms: float) -> None:
        """Lay checkers on exactly these slots at ``at_ms``."""
        self._pass(at_ms)
        self.board.set_slots(occupied)
        self._awake_until_ms = self._table_ms + AWAKE_MS

    def send(self, command: Command) -> None:
        """Queue a command for the board."""
        self._unanswered += 1
        self._link.send(command)

    def break_chain(self) -> None:
        """Pull the plug of the reeds; the board stays awake until it is missed."""
        self.board.break_chain()
        self._reeds_told = False

    def mend_chain(self) -> None:
        """Put the plug of the reeds in again; the board stays awake until that is told."""
        self.board.mend_chain()
        self._reeds_told = False

    def poll(self, now_ms: float) -> tuple[LinkValue, ...]:
        """Let the table's time pass until ``now_ms`` and return what the link has told since the last call."""
        self._pass(now_ms)
        self._settle()
        told, self._values = tuple(self._values), []
        return told

    def close(self) -> None:
        """Take the board away."""
        self._link.close()
        self.board.close()

    def _pass(self, now_ms: float) -> None:
        while self._table_ms < now_ms:
            if self._linked and self._reeds_told and not self._unanswered and self._table_ms >= self._awake_until_ms:
                self._table_ms = now_ms
                return
            step_ms = min(STEP_MS, now_ms - self._table_ms)
            self._table_ms += step_ms
            self._life_ms += step_ms
            self._settle()

    def _settle(self) -> None:
        for value in self._cable.settle(self._life_ms):
            match value:
                case LinkBack():
                    self._linked = True
                    self._awake_until_ms = self._table_ms + AWAKE_MS
                case LinkLost():
                    self._linked = False
                case SensorsLost() | SensorsBack():
                    self._reeds_told = True
                    self._awake_until_ms = self._table_ms + AWAKE_MS
                case CommandDone():
                    self._unanswered -= 1
                case _:
                    pass
            self._values.append(replace(value, at_ms=int(value.at_ms + self._table_ms - self._life_ms)))
