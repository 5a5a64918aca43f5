"""The raw bytes of the board on their way to the journal: what came over the line, whatever was made of it."""

from collections.abc import Callable
from threading import Lock

from controller.clock import Millis
from controller.ports.entries import Heard
from firmware_bridge.clocks import Micros

TOGETHER_MS = 1_000
"""Bytes of about a second are one entry: each entry is a write to the disk."""


class WireRecord:
    """Takes bytes from the link's thread and hands them on as entries."""

    def __init__(self, keep: Callable[[Heard], None]) -> None:
        self._keep = keep
        self._lock = Lock()
        self._heard: list[tuple[int, str]] = []

    def __call__(self, at_us: Micros, data: bytes) -> None:
        """Take what was read at ``at_us`` of the host's monotonic clock."""
        at_ms = at_us // 1_000
        with self._lock:
            self._heard.append((at_ms, data.hex()))
            due = at_ms - self._heard[0][0] >= TOGETHER_MS
        if due:
            self.flush()

    def flush(self) -> None:
        """Hand on what has been taken so far."""
        with self._lock:
            heard, self._heard = tuple(self._heard), []
        if heard:
            self._keep(Heard(Millis(heard[0][0]), heard))
