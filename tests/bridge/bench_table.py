"""A board and a link in a test's own time."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from firmware_bridge.cable import Cable
from firmware_bridge.clocks import Micros
from firmware_bridge.link import BoardLink
from firmware_bridge.rig import Rig
from firmware_bridge.values import ButtonPress, LinkValue, ReedFrame
from firmware_bridge.virtual_board import VirtualBoard

T = TypeVar("T")
Wire = Callable[[bytes], bytes]
MS = 1_000
"""Microseconds."""


@dataclass
class Spoiler:
    """A cable that does nothing to the bytes until a test changes it."""

    up: Wire = bytes
    """What happens to the board's bytes."""
    down: Wire = bytes
    """What happens to the host's."""

    def __call__(self, data: bytes) -> bytes:
        return self.up(data)

    def back(self, data: bytes) -> bytes:
        return self.down(data)


@dataclass
class Bench:
    """One board, one link, one clock; everything the link reported is kept in ``received``."""

    board: VirtualBoard
    wire: Spoiler
    link: BoardLink = field(init=False)
    now_us: Micros = Micros(0)
    received: list[LinkValue] = field(default_factory=list)

    def __post_init__(self) -> None:
        rig = Rig.load("full")
        self.link = BoardLink(self.board.port, expected=rig.expected(), now_us=lambda: self.now_us)
        self._cable = Cable(self.board, self.link)

    def run(self, length_ms: int, step_ms: float = 2) -> list[LinkValue]:
        """Let time pass and return what was received meanwhile."""
        before = len(self.received)
        end_us = self.now_us + length_ms * MS
        while self.now_us < end_us:
            self.now_us = Micros(min(end_us, self.now_us + round(step_ms * MS)))
            self.received += self._cable.settle(self.now_us)
        return self.received[before:]

    def leave_alone(self, length_ms: float) -> None:
        """Let the board live for a while in which nobody polls the link."""
        self.now_us = Micros(self.now_us + round(length_ms * MS))
        self.board.advance(self.now_us)

    def all(self, kind: type[T]) -> list[T]:
        """Return everything of one kind that was received so far."""
        return [value for value in self.received if isinstance(value, kind)]

    def slots(self) -> tuple[int, ...]:
        """Return the slots as the link last reported them."""
        return self.all(ReedFrame)[-1].occupied

    def presses(self) -> list[str]:
        """Return the buttons in the order in which they were reported."""
        return [press.button for press in self.all(ButtonPress)]
