"""The time of day that the feed and the pages count with: it begins with the wall clock and cannot be set.

A machine without a clock chip learns the time from the network, often in the middle of a match. Displays that counted
a reserve on by the wall clock would then be wrong by the step.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta


class SteadyTime:
    """The wall clock's time at the start, counted on by the monotonic clock."""

    def __init__(
        self, wall_ns: Callable[[], int] = time.time_ns, monotonic_ns: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self._monotonic_ns = monotonic_ns
        self._ahead_ns = wall_ns() - monotonic_ns()

    def utc_ms(self) -> int:
        """Milliseconds since 1970."""
        return (self._ahead_ns + self._monotonic_ns()) // 1_000_000

    def utc(self) -> datetime:
        """The same, to the millisecond."""
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=self.utc_ms())


STEADY = SteadyTime()
"""The process's own: whatever is compared with each other has to count from one start."""
