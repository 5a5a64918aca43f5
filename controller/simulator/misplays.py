"""Plays that break the rules, as careless people make them."""

from collections.abc import Iterator
from random import Random

from controller.rules import Game, Play, Position, Roll, Step
from controller.rules.play import BAR, OFF


def misplays(before: Position, roll: Roll, legal: dict[Position, Play], game: Game, rng: Random) -> list[Position]:
    """Return ends, in random order and in the mover's numbering, that no legal play reaches.

    None has both colours on one point: nobody would put a checker there by mistake. Empty when the
    mover has no choice to get wrong.
    """
    ends: dict[Position, None] = {}
    plays = [play for play in legal.values() if play.steps]
    for play in plays:
        for steps in _spoiled(play, roll):
            end = _end(before, steps, game)
            if end is not None and end != before and end not in legal:
                ends[end] = None
    found = sorted(ends)
    rng.shuffle(found)
    return found


def _spoiled(play: Play, roll: Roll) -> Iterator[tuple[Step, ...]]:
    """Yield the plays one slip away: miscounted, broken off, one step too many."""
    *first, last = play.steps
    if len(play.steps) > 1:
        yield tuple(first)
    for slip in (-2, -1, 1, 2):
        if last.target != OFF and last.source > last.target + slip >= 1:
            yield (*first, Step(last.source, last.target + slip))
    if last.target != OFF and last.target - roll.high >= 1:
        yield (*play.steps, Step(last.target, last.target - roll.high))
    yield (*(Step(step.source, step.target, step.hit) for step in first), _twin(last))


def _twin(step: Step) -> Step:
    """Return the same distance from the point behind."""
    return Step(min(step.source + 1, BAR - 1), max(step.target + 1, 1))


def _end(before: Position, steps: tuple[Step, ...], game: Game) -> Position | None:
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
