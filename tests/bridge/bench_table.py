"""A board and a link in a test's own time."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from firmware_bridge.cable import Cable, VirtualBoard
from firmware_bridge.link import BoardLink
from firmware_bridge.rig import Rig
from firmware_bridge.values import ButtonPress, LinkValue, ReedFrame

T = TypeVar("T")
Wire = Callable[[bytes], bytes]


@dataclass
class Spoiler:
    """A cable that does nothing to the bytes until told otherwise."""

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
    """One board, one link, one clock; everything the link said is kept in ``heard``."""

    board: VirtualBoard
    wire: Spoiler
    link: BoardLink = field(init=False)
    now_ms: float = 0.0
    heard: list[LinkValue] = field(default_factory=list)

    def __post_init__(self) -> None:
        rig = Rig.load("full")
        self.link = BoardLink(self.board.port, expected=rig.expected(), now_ms=lambda: self.now_ms)
        self._cable = Cable(self.board, self.link)

    def run(self, length_ms: float, step_ms: float = 2.0) -> list[LinkValue]:
        """Let time pass and return what was heard meanwhile."""
        before = len(self.heard)
        end = self.now_ms + length_ms
        while self.now_ms < end:
            self.now_ms = min(end, self.now_ms + step_ms)
            self.heard += self._cable.settle(self.now_ms)
        return self.heard[before:]

    def all(self, kind: type[T]) -> list[T]:
        """Return everything of one kind that was heard so far."""
        return [value for value in self.heard if isinstance(value, kind)]

    def slots(self) -> tuple[int, ...]:
        """Return the slots as the link last told them."""
        return self.all(ReedFrame)[-1].occupied

    def presses(self) -> list[str]:
        """Return the buttons in the order in which they were told."""
        return [press.button for press in self.all(ButtonPress)]
