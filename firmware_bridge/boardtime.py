"""The board's microseconds on the host's monotonic milliseconds. Pure.

Each ping gives a pair: the board's clock when the ping arrived, and the host's before and after. A slow round trip says
little, so only the quickest pairs of the last half minute count; a line through them follows the resonator's drift
(the idea of Klipper's ``clocksync.py``).
"""

from collections import deque
from dataclasses import dataclass
from statistics import linear_regression

from firmware_bridge.frames import TICKS_US

SAMPLES = 30
QUICK_MS = 2.0
"""A pair counts when its round trip is at most this much longer than the quickest one."""
MIN_SPAN_MS = 5_000.0
"""Below this the pairs are too close together to tell a drift from jitter."""
MAX_DRIFT = 0.01
"""Ceramic resonators stay within half a percent; a steeper line is jitter."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The two clocks at one moment."""

    board_us: int
    """Unwrapped: goes on past 2**32."""
    host_ms: float
    round_trip_ms: float


class BoardTime:
    """The line from board time to host time, since the board last started."""

    def __init__(self, t_us: int, arrived_ms: float) -> None:
        """Start with a frame's time and its arrival: right to a few milliseconds until the first pong."""
        self._newest_us = t_us
        self._rough = Pair(t_us, arrived_ms, float("inf"))
        self._pairs: deque[Pair] = deque(maxlen=SAMPLES)
        self._anchor = self._rough
        self._ms_per_us = 0.001

    def pong(self, sent_ms: float, t_us: int, arrived_ms: float) -> None:
        """Add a pair and fit the line again."""
        self._newest_us = self._unwrapped(t_us)
        self._pairs.append(Pair(self._newest_us, (sent_ms + arrived_ms) / 2, arrived_ms - sent_ms))
        limit = self.round_trip_ms() + QUICK_MS
        quick = [pair for pair in self._pairs if pair.round_trip_ms <= limit]
        best = min(quick, key=lambda pair: (pair.round_trip_ms, -pair.board_us))
        if len(quick) >= 5 and quick[-1].host_ms - quick[0].host_ms >= MIN_SPAN_MS:
            # Differences to the best pair: absolute microseconds would eat the precision of a float.
            slope, shift = linear_regression(
                [pair.board_us - best.board_us for pair in quick], [pair.host_ms - best.host_ms for pair in quick]
            )
            if abs(slope / 0.001 - 1) <= MAX_DRIFT:
                self._ms_per_us = slope
                best = Pair(best.board_us, best.host_ms + shift, best.round_trip_ms)
        self._anchor = best

    def host_ms(self, t_us: int) -> float:
        """Return the host's milliseconds at the board's ``t_us`` (at most 35 minutes from the last pong)."""
        return self._anchor.host_ms + (self._unwrapped(t_us) - self._anchor.board_us) * self._ms_per_us

    def round_trip_ms(self) -> float:
        """Return the quickest round trip of the last pings; infinite before the first."""
        return min((pair.round_trip_ms for pair in self._pairs), default=float("inf"))

    def _unwrapped(self, t_us: int) -> int:
        half = TICKS_US // 2
        return self._newest_us + (t_us - self._newest_us + half) % TICKS_US - half
