"""What the checkers imply for the dice: only where a checker may lie can a die lie on one."""

from dataclasses import replace
from typing import Final

from vision.board.geometry import BoardPose
from vision.readings import BoardReading, DieReading, DieState, PlaceReading

SLOTS: Final = 5
"""Checkers beside each other on a point before a second layer begins; the next may already lie on them."""
BESIDE: Final = 0.6
"""How far from the middle of a column a die may lie on its checkers, in widths of the column."""
REACH: Final = 0.75
"""How far beyond the last checker a die that leans over its edge may seem to lie, in checker diameters."""


def settled_on_board(dice: tuple[DieReading, ...], board: BoardReading, pose: BoardPose) -> tuple[DieReading, ...]:
    """Return the dice with the odds of lying on a checker weighed by the odds that one is there.

    What is taken from ``ON_CHECKER`` goes to ``FLAT``: the reader separates the two by little more than height.
    """
    return tuple(_settled(die, board, pose) for die in dice)


def _settled(die: DieReading, board: BoardReading, pose: BoardPose) -> DieReading:
    states = dict(die.states)
    raised = states.get(DieState.ON_CHECKER, 0.0)
    if not raised:
        return die
    there = _checker_odds(die, board, pose)
    states[DieState.ON_CHECKER] = raised * there
    states[DieState.FLAT] = states.get(DieState.FLAT, 0.0) + raised * (1 - there)
    ranked = sorted(states.items(), key=lambda item: -item[1])
    return replace(die, states=tuple((state, probability) for state, probability in ranked if probability > 0))


def _checker_odds(die: DieReading, board: BoardReading, pose: BoardPose) -> float:
    """Probability that a checker lies under or right beside the die."""
    length = pose.shape.checker_width / pose.aspect
    best = 0.0
    for point, place in enumerate(board.points, 1):
        if abs(die.u - pose.shape.middle(point)) > BESIDE * pose.shape.pitch(point):
            continue
        from_rim = die.v if point <= 12 else 1 - die.v
        best = max(best, _covers(place, from_rim / length))
    return best


def _covers(place: PlaceReading, diameters: float) -> float:
    """Probability that the checkers of a place reach ``diameters`` from the rim."""
    if place.hidden:
        return 1.0
    return sum(
        probability for count, probability in place.odds if count and min(abs(count), SLOTS) + REACH >= diameters
    )
