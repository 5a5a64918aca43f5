"""What a fallen flag and a late player cost where points are the price."""

from controller.clock.control import ClockError, Millis

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
