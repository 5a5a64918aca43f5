"""The doubles cascade of crazy nardy (text 004 line 42): 2-2 is played as 2222 3333 4444 5555 6666.

A side plays the sequence until it is stuck; with ``handover`` the opponent goes on where it stuck and throws own
dice afterwards. Where the text is silent (matrix 9.6): being stuck on one number ends the part even if a higher one
would go, the full-move rule holds within each number, and what the opponent cannot play either lapses.
"""

from itertools import accumulate, groupby

from controller.rules.block import points_break
from controller.rules.game import RulesError
from controller.rules.play import Play, Roll, Step
from controller.rules.position import Position
from controller.rules.ruleset import Ruleset
from controller.rules.search import all_ends
from controller.rules.steps import Ends, Laws

MOST_STAGES = 2_000
"""Positions under way in a cascade up to which all ends are listed; an open position can have millions."""
MOST_LOOKS = 4_000
"""Positions that the search for a way to one end looks at before it gives up."""


class TooManyEndsError(RulesError):
    """A cascade of an open position has too many ends to list them, or too many ways to look for one."""


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


def cascade_ends(position: Position, dice: tuple[int, ...], laws: Laws, *, most: int | None = None) -> Ends:
    """Return the ends of one side's part of the cascade ``dice`` (rising), by the number it got stuck on.

    With ``most`` only that many positions are followed from each number to the next, so that a few ends are found of
    any cascade. Raises TooManyEndsError when there is no ``most`` and more than MOST_STAGES are under way.
    """
    stages: Ends = {position: Play(())}
    ends: Ends = {}
    for group in _numbers(dice):
        following: Ends = {}
        for stage, so_far in stages.items():
            onward, stops = _continued(position, stage, group, laws)
            for end, play in stops.items():
                ends.setdefault(end, Play(so_far.steps + play.steps))
            for end, play in onward.items():
                following.setdefault(end, Play(so_far.steps + play.steps))
            if most is None and len(following) > MOST_STAGES:
                msg = f"more than {MOST_STAGES} ways to play {dice} from {position}"
                raise TooManyEndsError(msg)
        stages = dict(list(following.items())[:most])
    return ends | {stage: play for stage, play in stages.items() if not _blocked(stage, laws)}


def cascade_way(position: Position, dice: tuple[int, ...], laws: Laws, target: Position) -> Play | None:
    """Return a play of the cascade ``dice`` that ends at ``target``, None if there is none.

    Raises TooManyEndsError after MOST_LOOKS positions.
    """
    groups = _numbers(dice)
    looks = 0
    failed: set[tuple[Position, int]] = set()

    def search(stage: Position, depth: int) -> tuple[Step, ...] | None:
        nonlocal looks
        if depth == len(groups):
            return () if stage == target and not _blocked(stage, laws) else None
        if (stage, depth) in failed:
            return None
        looks += 1
        if looks > MOST_LOOKS:
            msg = f"no way from {position} to {target} with {dice} among the first {MOST_LOOKS} positions"
            raise TooManyEndsError(msg)
        onward, stops = _continued(position, stage, groups[depth], laws)
        if target in stops:
            return stops[target].steps
        for end in sorted((end for end in onward if _leads(end, target)), key=lambda end: _apart(end, target)):
            steps = search(end, depth + 1)
            if steps is not None:
                return onward[end].steps + steps
        failed.add((stage, depth))
        return None

    if laws.exact and position.pips - target.pips not in accumulate(dice, initial=0):
        return None
    steps = search(position, 0)
    return None if steps is None else Play(steps)


def _numbers(dice: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [tuple(group) for _, group in groupby(dice)]


def _continued(begin: Position, stage: Position, group: tuple[int, ...], laws: Laws) -> tuple[Ends, Ends]:
    """Return where all of ``group`` can be played to, or else the ends of a side that is stuck in it."""
    head_left = laws.head_limit - max(begin.points[23], 0) + max(stage.points[23], 0)
    within = laws._replace(head_limit=head_left, block="free")
    onward = all_ends(stage, group, within)
    if onward and len(next(iter(onward.values())).steps) == len(group):
        return onward, {}
    stops = all_ends(stage, group, laws._replace(head_limit=head_left, block_each_step=False))
    if not stops and not _blocked(stage, laws):
        stops = {stage: Play(())}
    return {}, stops


def _blocked(stage: Position, laws: Laws) -> bool:
    return points_break(stage.points, stage.off[1], laws.block)


def _leads(stage: Position, target: Position) -> bool:
    """Whether checkers that only move down can still get from ``stage`` to ``target``."""
    surplus = 0
    for here, there in zip(reversed(stage.points), reversed(target.points), strict=True):
        surplus += max(here, 0) - max(there, 0)
        if surplus < 0:
            return False
    return True


def _apart(stage: Position, target: Position) -> int:
    return sum(abs(here - there) for here, there in zip(stage.points, target.points, strict=True))
