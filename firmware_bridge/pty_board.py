"""What every virtual board is, whatever runs on it: a serial port, slots for checkers, and a plug in its chain."""

from collections.abc import Callable, Iterable
from pathlib import Path

from firmware_bridge.pty_port import PtyPort

Wire = Callable[[bytes], bytes]
"""What a cable does to bytes on their way: a test's place for faults."""


def clean(data: bytes) -> bytes:
    """Carry bytes as they are."""
    return data


class PtyBoard:
    """The outside of a board whose serial line is a pty."""

    def __init__(
        self, slots: int, *, now_ms: float, wire: Wire = clean, back: Wire = clean, folder: Path | None = None
    ) -> None:
        """``wire`` may spoil what the board sends, ``back`` what the host sends.

        ``folder`` is where the port's name lies; without one it is a temporary folder of its own.
        """
        self.slots = slots
        self._pty = PtyPort(folder)
        self._wire, self._back = wire, back
        self._now_ms = now_ms
        self._occupied: frozenset[int] = frozenset()
        self._chain_broken = False

    @property
    def port(self) -> str:
        """Path of the serial port; it stays the same when the board is unplugged."""
        return self._pty.path

    @property
    def sent_bytes(self) -> int:
        """Bytes the port has taken from the board."""
        return self._pty.sent_bytes

    @property
    def received_bytes(self) -> int:
        """Bytes the board has taken from the port."""
        return self._pty.received_bytes

    def set_slots(self, occupied: Iterable[int]) -> None:
        """Lay checkers on exactly these slots, now: their reeds close, all others open.

        Raises ValueError for a slot the board does not have.
        """
        slots = frozenset(occupied)
        if strange := sorted(slot for slot in slots if not 0 <= slot < self.slots):
            msg = f"slots are 0 to {self.slots - 1}, got {strange}"
            raise ValueError(msg)
        self._occupied = slots

    def break_chain(self) -> None:
        """Pull the plug between microcontroller and registers: its pull-up is all that is read."""
        self._chain_broken = True

    def mend_chain(self) -> None:
        """Put that plug in again."""
        self._chain_broken = False

    def _take(self) -> bytes:
        """Return what has arrived of the host's bytes."""
        return self._back(self._pty.read())
