"""The link to the board: a serial port that may come and go, and the session on it.

``poll`` is the one way in: it reads, does what is due, and returns the values since the last call. A service lets a
``Pump`` call it from a thread; the virtual table calls it itself, with its own clock.
"""

import logging
import select
import termios
import threading
import time
from collections.abc import Callable
from typing import Protocol

import serial

from firmware_bridge.clocks import HostClock, Micros, monotonic_us
from firmware_bridge.handshake import Expected
from firmware_bridge.messages import BAUD, Command
from firmware_bridge.ports import PortError, open_port
from firmware_bridge.session import Session
from firmware_bridge.values import LinkBack, LinkLost, LinkValue, Trouble

logger = logging.getLogger(__name__)

REOPEN_US = 500_000
"""A lost port is tried again this often."""
READ_BYTES = 4096
WAIT_MS = 20
"""A pump asks its source at least this often."""

Recorder = Callable[[Micros, bytes], None]
"""Is given all raw bytes of the board with the moment of reading, for the journal."""


class BoardLink:
    """One board on one port. Device trouble is a value, never an exception."""

    def __init__(
        self,
        port: str,
        *,
        baud: int = BAUD,
        expected: Expected | None = None,
        now_us: HostClock = monotonic_us,
        record: Recorder | None = None,
    ) -> None:
        """Prepare; the port is opened by the first ``poll``.

        ``port`` is best a name under /dev/serial/by-id. ``now_us`` is the clock all values are dated by.
        """
        self.port = port
        self.baud = baud
        self.received_bytes = 0
        self.sent_bytes = 0
        self._now_us = now_us
        self._record = record
        self._session = Session(expected or Expected())
        self._serial: serial.Serial | None = None
        self._reopen_us: int | None = None
        self._trouble: Trouble | None = None

    def poll(self, wait_ms: int = 0) -> tuple[LinkValue, ...]:
        """Return the values since the last call, waiting up to ``wait_ms`` of real time for the first byte.

        Calling it again also tells the board that the presses returned before are in safe hands.
        """
        values: list[LinkValue] = []
        if self._serial is None:
            self._open(values)
        if self._serial is None:
            time.sleep(wait_ms / 1000)
            return tuple(values)
        try:
            self._session.confirm_presses()
            self._write(self._serial)
            data = self._read(self._serial, wait_ms)
            now_us = self._now_us()
            if data and self._record:
                self._record(now_us, data)
            values += self._session.receive(data, now_us)
            values += self._session.tick(now_us)
            self._write(self._serial)
        except (OSError, serial.SerialException, termios.error) as error:
            detail = f"{self.port} is gone ({error}): check the cable; waiting for it to come back"
            self._lose(LinkLost(self._now_us(), Trouble.UNPLUGGED, detail), values)
        else:
            if self._session.failure:
                self._lose(self._session.failure, values)
        self._note(values)
        return tuple(values)

    def send(self, command: Command) -> None:
        """Queue a command; its CommandDone comes from a later ``poll``. May be called from any thread."""
        self._session.send(command)

    def close(self) -> None:
        """Give the port back. A later ``poll`` opens it again."""
        if self._serial is not None:
            self._serial.close()
        self._serial = None

    def _open(self, values: list[LinkValue]) -> None:
        now_us = self._now_us()
        if self._reopen_us is not None and now_us < self._reopen_us:
            return
        try:
            self._serial = open_port(self.port, self.baud)
        except PortError as error:
            self._lose(LinkLost(now_us, error.why, error.detail), values)
            self._note(values)
        else:
            self._session.begin(now_us)

    def _lose(self, lost: LinkLost, values: list[LinkValue]) -> None:
        values += self._session.drop_commands(lost.at_us)
        self.close()
        self._reopen_us = lost.at_us + REOPEN_US
        # The same trouble at each attempt is reported once, and so is a cable that was pulled out.
        if lost.why not in (self._trouble, Trouble.NO_PORT if self._trouble is Trouble.UNPLUGGED else None):
            values.append(lost)
            self._trouble = lost.why

    def _note(self, values: list[LinkValue]) -> None:
        for value in values:
            match value:
                case LinkLost(why=why, detail=detail):
                    logger.warning("board lost (%s): %s", why.value, detail)
                case LinkBack(hello=hello, warnings=warnings):
                    self._trouble = None
                    logger.info("board %s answers on %s", hello.board_id.hex(), self.port)
                    for warning in warnings:
                        logger.warning("%s", warning)
                case _:
                    continue

    def _read(self, port: serial.Serial, wait_ms: int) -> bytes:
        if wait_ms:
            select.select([port.fileno()], [], [], wait_ms / 1000)
        data = bytes(port.read(READ_BYTES))
        self.received_bytes += len(data)
        return data

    def _write(self, port: serial.Serial) -> None:
        if data := self._session.outgoing():
            port.write(data)
            self.sent_bytes += len(data)


class Source(Protocol):
    """What a pump can empty: BoardLink, PinPanel and PiChain."""

    def poll(self, wait_ms: int = 0) -> tuple[LinkValue, ...]:
        """Return what happened since the last call, waiting a little for something to happen."""
        ...

    def close(self) -> None:
        """Let the device go."""
        ...


class Pump:
    """Calls ``sink`` with each value, from its own thread, in order, until closed."""

    def __init__(self, source: Source, sink: Callable[[LinkValue], None]) -> None:
        """Start at once. ``sink`` should only post to a queue; the next press waits until it returns."""
        self._source = source
        self._sink = sink
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="bridge", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the thread and let the device go."""
        self._stopping.set()
        self._thread.join()
        self._source.close()

    def _run(self) -> None:
        while not self._stopping.is_set():
            for value in self._source.poll(WAIT_MS):
                self._sink(value)
