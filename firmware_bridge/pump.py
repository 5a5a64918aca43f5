"""A thread that carries values from a link or a panel to the service's queue."""

import threading
from collections.abc import Callable
from typing import Protocol

from firmware_bridge.values import LinkValue

WAIT_MS = 20


class Source(Protocol):
    """What a pump can empty: BoardLink and PinPanel."""

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
