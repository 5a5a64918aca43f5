"""How a clock charges a turn: the method, its delay, and the reserve a match begins with."""

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


def match_reserve_ms(per_point_ms: Millis, length: int, score: tuple[int, int] = (0, 0)) -> Millis:
    """Return the reserve of each side for a match to ``length`` points, in milliseconds.

    ``score`` is what the sides have when the clock is introduced: the reserve is then half of what
    both sides still need, times ``per_point_ms`` (WBGF 3.5; US clock rules 2013, 2.1).

    Raises ClockError when the match is over at ``score``.
    """
    needs = tuple(length - points for points in score)
    if min(*needs, length) < 1 or max(needs) > length:
        msg = f"no reserve for a match to {length} at {score[0]} - {score[1]}: the score must lie in 0..{length - 1}"
        raise ClockError(msg)
    return Millis(sum(needs) * per_point_ms // 2)


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


def reserve_of(
    *,
    length: int,
    reserve_s_per_point: float = 0,
    reserve_s: float | None = None,
    score: tuple[int, int] = (0, 0),
) -> Millis:
    """Return the reserve of each side that the ruleset options (seconds) give; ``reserve_s`` fixes it whole.

    ``score`` is what the sides have when the clock is introduced. Raises ClockError when the match is over at it.
    """
    if reserve_s is not None:
        return Millis(round(reserve_s * 1000))
    return match_reserve_ms(Millis(round(reserve_s_per_point * 1000)), length, score)
