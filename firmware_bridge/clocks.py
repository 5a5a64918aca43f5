"""The two clocks of the bridge, the host's and the board's, both in whole microseconds.

Whole numbers, because the same pause measured by two floats may come out shorter than it was. Each ping gives a pair:
the board's clock when the ping arrived, and the host's before and after. A slow round trip proves little, so only the
quickest pairs of the last half minute count; a line through them follows the resonator's drift (the idea of Klipper's
``clocksync.py``).
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from statistics import linear_regression
from typing import NewType

Micros = NewType("Micros", int)
"""A moment of the host's monotonic clock in whole microseconds. A span between two moments is a plain int."""
HostClock = Callable[[], Micros]

TICKS_US = 1 << 32
"""The board's microseconds begin again at zero after this many."""
SAMPLES = 30
QUICK_US = 2_000
"""A pair counts when its round trip is at most this much longer than the quickest one."""
MIN_SPAN_US = 5_000_000
"""Below this the pairs are too close together to separate drift from jitter."""
MAX_DRIFT = 0.01
"""Ceramic resonators stay within half a percent; a steeper line is jitter."""


def monotonic_us() -> Micros:
    """Return the host's monotonic clock."""
    return Micros(time.monotonic_ns() // 1_000)


@dataclass(frozen=True, slots=True)
class Pair:
    """The two clocks at one moment."""

    board_us: int
    """Unwrapped: goes on past 2**32."""
    host_us: int
    round_trip_us: int


class BoardTime:
    """The line from board time to host time, since the board last started."""

    def __init__(self, t_us: int, arrived_us: Micros) -> None:
        """Start with a frame's time and its arrival: right to a few milliseconds until the first pong."""
        self._newest_us = t_us
        self._pairs: deque[Pair] = deque(maxlen=SAMPLES)
        self._anchor_board_us, self._anchor_host_us = t_us, int(arrived_us)
        self._pace = 1.0

    def pong(self, sent_us: Micros, t_us: int, arrived_us: Micros) -> None:
        """Add a pair and fit the line again."""
        self._newest_us = self._unwrapped(t_us)
        self._pairs.append(Pair(self._newest_us, (sent_us + arrived_us) // 2, arrived_us - sent_us))
        limit_us = min(pair.round_trip_us for pair in self._pairs) + QUICK_US
        quick = [pair for pair in self._pairs if pair.round_trip_us <= limit_us]
        best = min(quick, key=lambda pair: (pair.round_trip_us, -pair.board_us))
        shift_us = 0.0
        if len(quick) >= 5 and quick[-1].host_us - quick[0].host_us >= MIN_SPAN_US:
            # Differences to the best pair: absolute microseconds would eat the precision of a float.
            pace, shift = linear_regression(
                [pair.board_us - best.board_us for pair in quick], [pair.host_us - best.host_us for pair in quick]
            )
            if abs(pace - 1) <= MAX_DRIFT:
                self._pace, shift_us = pace, shift
        self._anchor_board_us, self._anchor_host_us = best.board_us, best.host_us + round(shift_us)

    def host_us(self, t_us: int) -> Micros:
        """Return the host's time at the board's ``t_us`` (at most 35 minutes from the last pong)."""
        return Micros(self._anchor_host_us + round((self._unwrapped(t_us) - self._anchor_board_us) * self._pace))

    def round_trip_us(self) -> int | None:
        """Return the quickest round trip of the last pings; None before the first."""
        return min((pair.round_trip_us for pair in self._pairs), default=None)

    def _unwrapped(self, t_us: int) -> int:
        half = TICKS_US // 2
        return self._newest_us + (t_us - self._newest_us + half) % TICKS_US - half
