"""A serial port that vanishes and comes back under one name: the far end of a pty behind a lasting link."""

import os
import tempfile
import tty
from contextlib import ExitStack
from pathlib import Path

READ_BYTES = 4096


class PtyPort:
    """What a USB adapter is to a board: a port while it is plugged in."""

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
