"""What a fallen flag and a late player cost."""

from dataclasses import dataclass
from enum import Enum

from controller.clock.control import ClockError, Millis

LATE_STEP_MS = Millis(5 * 60_000)
EXTRA_RESERVE_MS = Millis(5 * 60_000)


class FlagRule(Enum):
    """What the fall of a flag costs; the values are those of the ruleset option ``flag``."""

    MATCH_LOST = "match_lost"
    """WBGF 4.3(iii), USBGF: the match, once it is noticed."""
    PENALTY_POINTS = "penalty_points"
    """Unified clock rules 2001: points to the opponent and five minutes more."""


@dataclass(frozen=True, slots=True)
class MatchLost:
    """The side loses the match."""


@dataclass(frozen=True, slots=True)
class PenaltyPoints:
    """The opponent scores ``points``; the side plays on with ``reserve_ms``."""

    points: int
    reserve_ms: Millis


def flag_penalty(rule: FlagRule, earlier_falls: int) -> MatchLost | PenaltyPoints:
    """Return the cost of a flag whose side has lost it ``earlier_falls`` times before in this match."""
    match rule:
        case FlagRule.MATCH_LOST:
            return MatchLost()
        case FlagRule.PENALTY_POINTS:
            return PenaltyPoints(1 if earlier_falls else 2, EXTRA_RESERVE_MS)


def late_penalty(late_ms: Millis, length: int) -> int | MatchLost:
    """Return the points a player late by ``late_ms`` has lost in a match to ``length``.

    One point for each full five minutes; the match once they exceed half its length (UKBGF, WBGF).

    Raises ClockError for a negative lateness.
    """
    if late_ms < 0:
        msg = f"a lateness needs 0 ms or more, got {late_ms} ms"
        raise ClockError(msg)
    points = late_ms // LATE_STEP_MS
    return MatchLost() if 2 * points > length else points
