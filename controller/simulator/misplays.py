"""Plays that break the rules, as careless people make them."""

from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest
from random import Random

from controller.rules import BAR, OFF, POINTS, Game, Play, Point, Position, Roll, Step

Steps = tuple[Step, ...]


def misplays(before: Position, roll: Roll, legal: dict[Position, Play], game: Game, rng: Random) -> list[Position]:
    """Return ends, in the mover's numbering, that no legal play reaches; slips of every sort take turns.

    None has both colours on one point: nobody would put a checker there by mistake. Empty when the
    mover has no choice to get wrong.
    """
    plays = [play for play in legal.values() if play.steps]
    if not plays:
        return []
    slips: tuple[Iterable[Steps], ...] = (
        chain.from_iterable(_miscounted(play) for play in plays),
        (play.steps[:-1] for play in plays if len(play.steps) > 1),
        chain.from_iterable(_one_too_many(play, roll) for play in plays),
        _unruly(before, roll),
    )
    sorts = [_ends(before, slip, legal, game, rng) for slip in slips]
    rng.shuffle(sorts)
    in_turn = (end for ends in zip_longest(*sorts) for end in ends if end is not None)
    return list(dict.fromkeys(in_turn))


def _ends(
    before: Position, slips: Iterable[Steps], legal: dict[Position, Play], game: Game, rng: Random
) -> list[Position]:
    """Return the different ends of one sort of slip in random order."""
    reached = {end for steps in slips if (end := _end(before, steps, game)) is not None}
    ends = sorted(reached - legal.keys() - {before})
    rng.shuffle(ends)
    return ends


def _miscounted(play: Play) -> Iterator[Steps]:
    """Yield the play with its last checker put a point or two beside, or with the checker behind moved instead."""
    *first, last = play.steps
    for slip in (-2, -1, 1, 2):
        if last.target != OFF and last.source > last.target + slip >= 1:
            yield (*first, Step(last.source, Point(last.target + slip)))
    yield (*first, Step(Point(min(last.source + 1, BAR - 1)), Point(max(last.target + 1, 1))))


def _one_too_many(play: Play, roll: Roll) -> Iterator[Steps]:
    """Yield the play with its last checker moved on by a die that is spent."""
    last = play.steps[-1]
    for die in {roll.high, roll.low}:
        if last.target - die >= 1:
            yield (*play.steps, Step(last.target, Point(last.target - die)))


def _unruly(before: Position, roll: Roll) -> Iterator[Steps]:
    """Yield the right distances without a thought for the rules: twice from the head, past a bar, off too early."""
    points = [point for point in POINTS if before.at(point) > 0]
    for first in points:
        for second in points:
            yield (
                Step(first, Point(max(OFF, first - roll.high))),
                Step(second, Point(max(OFF, second - roll.low))),
            )


def _end(before: Position, steps: Steps, game: Game) -> Position | None:
    """Return the position after ``steps`` by hand, None where a hand could not or would not make them."""
    points, bar, off = list(before.points), list(before.bar), list(before.off)
    for step in steps:
        if step.source == BAR:
            bar[0] -= 1
            if bar[0] < 0:
                return None
        elif points[step.source - 1] <= 0:
            return None
        else:
            points[step.source - 1] -= 1
        if step.target == OFF:
            off[0] += 1
        elif points[step.target - 1] == -1 and game.opposed:
            points[step.target - 1] = 1
            bar[1] += 1
        elif points[step.target - 1] < 0:
            return None
        else:
            points[step.target - 1] += 1
    return Position(tuple(points), (bar[0], bar[1]), (off[0], off[1]))
