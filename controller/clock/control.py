"""How a clock charges a turn, and what a fallen flag or a late player costs where points are the price."""

from dataclasses import dataclass
from enum import Enum
from typing import NewType

Millis = NewType("Millis", int)
"""Milliseconds: a duration, or a moment of the monotonic time of one boot."""


class ClockError(ValueError):
    """A clock was asked for something its rules or its state do not allow."""


class TimeMethod(Enum):
    """How thinking time is charged; the values are those of the ruleset option ``clock``."""

    NONE = "none"
    """Nobody is charged; the value only remembers whose turn it is."""
    SIMPLE_DELAY = "simple_delay"
    """The reserve runs only after the delay; nothing accumulates (US clock rules 2013, WBGF 3.5)."""
    BRONSTEIN = "bronstein"
    """The reserve runs at once; the press gives back what was used, at most the delay."""
    BRONSTEIN_CREDIT = "bronstein_credit"
    """Bronstein with the delay also on the clock at the start (FIDE; DGT 3000 "DELAY")."""
    FISCHER = "fischer"
    """The press adds the whole delay, used or not."""
    SUDDEN_DEATH = "sudden_death"
    """The reserve runs from the first instant."""
    HOURGLASS = "hourglass"
    """What one side spends the other side gains."""


BRONSTEINS = frozenset({TimeMethod.BRONSTEIN, TimeMethod.BRONSTEIN_CREDIT})
DELAYED = BRONSTEINS | {TimeMethod.SIMPLE_DELAY}
"""Methods that let the first part of each turn cost nothing."""


@dataclass(frozen=True, slots=True)
class Control:
    """The time control of a match: the method and its delay (or Fischer increment) a turn."""

    method: TimeMethod
    delay_ms: Millis = Millis(0)

    def __post_init__(self) -> None:
        if self.delay_ms < 0:
            msg = f"a delay needs 0 ms or more, got {self.delay_ms} ms"
            raise ClockError(msg)


def control_of(clock: str, delay_s: float = 0) -> Control:
    """Return the control that the ruleset options ``clock`` and ``delay_s`` (seconds) name.

    Raises ClockError when no such method exists.
    """
    try:
        method = TimeMethod(clock)
    except ValueError:
        known = ", ".join(each.value for each in TimeMethod)
        msg = f"no clock method {clock!r}; known: {known}"
        raise ClockError(msg) from None
    return Control(method, Millis(round(delay_s * 1000)))


LATE_STEP_MS = Millis(5 * 60_000)
EXTRA_RESERVE_MS = Millis(5 * 60_000)
"""What a side whose flag has cost points plays on with."""


def flag_points(earlier_falls: int) -> int:
    """Return the points that a fallen flag gives the opponent: two, then one each time (Unified clock rules 2001).

    ``earlier_falls`` are those of the same side in this match; it plays on with five minutes more.
    """
    return 1 if earlier_falls else 2


def late_points(late_ms: Millis, length: int) -> int | None:
    """Return the points that a player late by ``late_ms`` has lost in a match to ``length``; None: the match.

    One point for each full five minutes; the match once they exceed half its length (UKBGF, WBGF).

    Raises ClockError for a negative lateness.
    """
    if late_ms < 0:
        msg = f"a lateness needs 0 ms or more, got {late_ms} ms"
        raise ClockError(msg)
    points = late_ms // LATE_STEP_MS
    return None if 2 * points > length else points
