"""The doubles cascade of crazy nardy (text 004 line 42): 2-2 is played as 2222 3333 4444 5555 6666.

A side plays the sequence until it is stuck; with ``handover`` the opponent goes on where it stuck and throws his own
dice afterwards. Where the text is silent (matrix 9.6): being stuck on one number ends the part even if a higher one
would go, the full-move rule holds within each number, and what the opponent cannot play either lapses.
"""

from itertools import groupby

from controller.rules.block import points_break
from controller.rules.errors import RulesError
from controller.rules.play import Play
from controller.rules.position import Position
from controller.rules.roll import Roll
from controller.rules.ruleset import Ruleset
from controller.rules.search import Ends, Laws, all_ends

MOST_STAGES = 20_000
"""Positions after one number of a cascade that are still listed; an open position can have millions."""


class TooManyEndsError(RulesError):
    """A cascade has too many ends to list them; a verdict on one of them is still possible."""


def sequence(roll: Roll, ruleset: Ruleset, throw: int | None = None) -> tuple[int, ...]:
    """Return the dice of ``roll`` in the order of play.

    ``throw`` is its number in the game, from 1: the first ``cascade_free_turns`` throws are ordinary doubles.

    >>> from controller.rules import ruleset
    >>> sequence(Roll(5, 5), ruleset("crazy"))
    (5, 5, 5, 5, 6, 6, 6, 6)
    """
    ordinary = throw is not None and throw <= ruleset.cascade_free_turns
    if not (ruleset.cascade and roll.double) or ordinary:
        return roll.dice
    return tuple(die for die in range(roll.high, 7) for _ in range(4))


def left_over(roll: Roll, play: Play, end: Position, ruleset: Ruleset, throw: int | None = None) -> tuple[int, ...]:
    """Return the dice that the opponent goes on with after the thrower's own ``play`` ended at ``end``.

    Nothing is left over when that won the game (text 004 line 7), or where doubles do not go on.
    """
    dice = sequence(roll, ruleset, throw)
    goes_on = ruleset.handover and roll.double and not (throw is not None and throw <= ruleset.cascade_free_turns)
    won = end.off[0] == ruleset.game.checkers
    return dice[len(play.steps) :] if goes_on and not won else ()


def cascade_ends(position: Position, dice: tuple[int, ...], laws: Laws, toward: Position | None = None) -> Ends:
    """Return the ends of one side's part of the cascade ``dice`` (rising), by the number they got stuck on.

    With ``toward`` only ways that can still lead to that position are followed, so that any cascade can be judged.
    Raises TooManyEndsError when more than MOST_STAGES positions are under way.
    """
    head = max(position.points[23], 0)
    free = laws._replace(block="free")
    stages: Ends = {position: Play(())}
    ends: Ends = {}
    for die, group in groupby(dice):
        count = len(list(group))
        following: Ends = {}
        for stage, so_far in stages.items():
            head_left = laws.head_limit - (head - max(stage.points[23], 0))
            found = all_ends(stage, (die,) * count, free._replace(head_limit=head_left))
            if all(len(play.steps) < count for play in found.values()):
                found = all_ends(stage, (die,) * count, laws._replace(head_limit=head_left, block_each_step=False))
                _stop(ends, stage, so_far, found, laws)
                continue
            for end, play in found.items():
                if toward is None or _leads(end, toward):
                    following.setdefault(end, Play(so_far.steps + play.steps))
        stages = following
        if len(stages) > MOST_STAGES:
            msg = f"more than {MOST_STAGES} ways to play {die}s on from {position}"
            raise TooManyEndsError(msg)
    for stage, so_far in stages.items():
        _stop(ends, stage, so_far, {}, laws)
    return ends


def _stop(ends: Ends, stage: Position, so_far: Play, found: Ends, laws: Laws) -> None:
    """Add the ends of a side that is stuck at ``stage``, after ``found`` of the number it stuck on."""
    if found:
        for end, play in found.items():
            ends.setdefault(end, Play(so_far.steps + play.steps))
    elif not points_break(stage.points, stage.off[1], laws.block):
        ends.setdefault(stage, so_far)


def _leads(stage: Position, target: Position) -> bool:
    """Whether checkers that only move down can still get from ``stage`` to ``target``."""
    surplus = 0
    for here, there in zip(reversed(stage.points), reversed(target.points), strict=True):
        surplus += max(here, 0) - max(there, 0)
        if surplus < 0:
            return False
    return True
