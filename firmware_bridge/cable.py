"""A virtual board and a link in one virtual time."""

from collections.abc import Iterable
from typing import Protocol

from firmware_bridge.link import BoardLink
from firmware_bridge.values import ButtonName, LinkValue


class VirtualBoard(Protocol):
    """A board on a pty: the stand-in, or the real firmware in the emulator."""

    @property
    def port(self) -> str:
        """Path of the serial port; it stays the same when the board is unplugged."""
        ...

    @property
    def sent_bytes(self) -> int:
        """Bytes the port has taken from the board."""
        ...

    @property
    def received_bytes(self) -> int:
        """Bytes the board has taken from the port."""
        ...

    def set_slots(self, occupied: Iterable[int]) -> None:
        """Lay checkers on exactly these slots, now."""
        ...

    def press(self, button: ButtonName) -> None:
        """Press and let go, now."""
        ...

    def advance(self, now_ms: float) -> None:
        """Let time pass until ``now_ms``: hear the host, send what is due."""
        ...

    def break_chain(self) -> None:
        """Pull the plug between microcontroller and reeds."""
        ...

    def mend_chain(self) -> None:
        """Put that plug in again."""
        ...

    def unplug(self) -> None:
        """Pull the cable."""
        ...

    def plug_in(self) -> None:
        """Put the cable in again."""
        ...

    def watchdog(self) -> None:
        """Make the program hang, so that the watchdog starts it again."""
        ...

    def close(self) -> None:
        """Take the board away for good."""
        ...


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

    def settle(self, now_ms: float) -> tuple[LinkValue, ...]:
        """Let both ends hear each other out at ``now_ms`` (the link's clock must say so too); return the values."""
        values: list[LinkValue] = []
        before, idle = None, 0
        while True:
            self.board.advance(now_ms)
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
