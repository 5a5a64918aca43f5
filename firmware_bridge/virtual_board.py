"""What every virtual board is, whatever runs on it: a serial port, slots for checkers, buttons and plugs.

The stand-in (standin.py) and the real firmware in the emulator (emulator.py) are virtual boards.
"""

import os
import tempfile
import tty
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path

from firmware_bridge.clocks import Micros
from firmware_bridge.values import ButtonName

READ_BYTES = 4096

Wire = Callable[[bytes], bytes]
"""What a cable does to bytes on their way: a test's place for faults."""


def clean(data: bytes) -> bytes:
    """Carry bytes as they are."""
    return data


class PtyPort:
    """A serial port that vanishes and comes back under one name: the far end of a pty behind a lasting link."""

    def __init__(self, folder: Path | None = None) -> None:
        """``folder`` is where the port appears; without one it is a temporary folder that ``close`` removes."""
        self._stack = ExitStack()
        home = folder or Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="nardy-board-")))
        self.path = str(home / "board")
        self.sent_bytes = 0
        self.received_bytes = 0
        self._master: int | None = None
        self._slave: int | None = None

    def plug_in(self) -> None:
        """Make the port appear."""
        self._master, self._slave = os.openpty()
        # Our own hold on the far end keeps the pty alive while no link has it open.
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        # A process that was killed may have left its port's name here.
        Path(self.path).unlink(missing_ok=True)
        Path(self.path).symlink_to(os.ttyname(self._slave))

    def unplug(self) -> None:
        """Make the port vanish."""
        for end in (self._master, self._slave):
            if end is not None:
                os.close(end)
        self._master = self._slave = None
        Path(self.path).unlink(missing_ok=True)

    def close(self) -> None:
        """Make it vanish for good."""
        self.unplug()
        self._stack.close()

    def read(self) -> bytes:
        """Return what the host sent; nothing when unplugged."""
        if self._master is None:
            return b""
        try:
            data = os.read(self._master, READ_BYTES)
        except BlockingIOError:
            return b""
        self.received_bytes += len(data)
        return data

    def write(self, data: bytes) -> int:
        """Send to the host and return how many bytes found room; the rest is lost as on a real line."""
        if self._master is None:
            return 0
        try:
            sent = os.write(self._master, data)
        except BlockingIOError:
            return 0
        self.sent_bytes += sent
        return sent


class VirtualBoard(ABC):
    """A board on a pty that lives in whatever time it is given."""

    def __init__(
        self, slots: int, *, now_us: Micros, wire: Wire = clean, back: Wire = clean, folder: Path | None = None
    ) -> None:
        """``wire`` may spoil what the board sends, ``back`` what the host sends.

        ``folder`` is where the port's name lies; without one it is a temporary folder of its own.
        """
        self.slots = slots
        self._pty = PtyPort(folder)
        self._wire, self._back = wire, back
        self._now_us = now_us
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

    @abstractmethod
    def press(self, button: ButtonName) -> None:
        """Press a button and let go of it, from now."""

    @abstractmethod
    def advance(self, now_us: Micros) -> None:
        """Let time pass until ``now_us``: read the host, send what is due."""

    @abstractmethod
    def unplug(self) -> None:
        """Pull the cable: power goes, the port vanishes."""

    @abstractmethod
    def plug_in(self) -> None:
        """Put the cable in: the port is there again and the board starts."""

    @abstractmethod
    def watchdog(self) -> None:
        """Make the program hang, so that the watchdog starts it again."""

    @abstractmethod
    def close(self) -> None:
        """Take the board away for good."""

    def _take(self) -> bytes:
        """Return what has arrived of the host's bytes."""
        return self._back(self._pty.read())
