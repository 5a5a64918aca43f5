"""How an illegal play came about: the steps that lead from one position to another with the fewest broken rules."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from controller.rules.block import points_break
from controller.rules.clauses import FaultKind
from controller.rules.game import POINTS, Point
from controller.rules.play import BAR, OFF, Step
from controller.rules.position import Position
from controller.rules.steps import Laws

MOST_STAGES_TRIED = 20_000
"""Stages after which the search for an explanation gives up; only a cascade can get there."""

Broken = tuple[tuple[FaultKind, Point], ...]
"""Rules broken so far, each with the point it was broken on."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Steps that lead to what was seen, the rules they break and the dice they leave."""

    steps: tuple[Step, ...]
    broken: Broken
    left: tuple[int, ...]
    theirs: tuple[int, ...]
    """The opponent's checkers afterwards: points 1..24 of the mover, then the bar; counts above 0."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a turn left on the board, or what its steps say: any counts at all."""

    mine: tuple[int, ...]
    """The mover's checkers by place: 0 off, 1..24, 25 the bar."""
    theirs: tuple[int, ...] | None
    """The opponent's on the mover's points 1..24 and on the bar; None where only the mover's steps are known."""
    theirs_off: int

    @classmethod
    def of(cls, position: Position) -> "Seen":
        """Return what ``position`` shows."""
        return cls(places(position), opponent_places(position), position.off[1])


class _Stage(NamedTuple):
    """Checkers on the way, places 0 (off) to 25 (bar)."""

    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    left: tuple[int, ...]


class Trail(NamedTuple):
    """How a stage was reached."""

    steps: tuple[Step, ...]
    broken: Broken


def places(position: Position) -> tuple[int, ...]:
    """Return the mover's checkers by place: 0 off, 1..24, 25 the bar."""
    return (position.off[0], *(max(count, 0) for count in position.points), position.bar[0])


def opponent_places(position: Position) -> tuple[int, ...]:
    """Return the opponent's checkers on the mover's points 1..24, then on the bar."""
    return (*(max(-count, 0) for count in position.points), position.bar[1])


def explanations(
    before: Position, dice: Sequence[int], target: tuple[int, ...], laws: Laws, *, in_order: bool
) -> Iterator[Explanation]:
    """Yield the ways from ``before`` to the mover's ``target`` places with at most ``dice``, whatever rules they break.

    ``in_order``: the dice are played one after the other as they stand.
    """
    stages: dict[_Stage, Trail] = {_Stage(places(before), opponent_places(before), tuple(dice)): Trail((), ())}
    seen = 0
    while stages:
        seen += len(stages)
        if seen > MOST_STAGES_TRIED:
            return
        for stage, trail in stages.items():
            if stage.mine == target:
                yield Explanation(trail.steps, trail.broken, stage.left, stage.theirs)
        stages = _next(stages, target, laws, in_order=in_order)


def _next(stages: dict[_Stage, Trail], target: tuple[int, ...], laws: Laws, *, in_order: bool) -> dict[_Stage, Trail]:
    following: dict[_Stage, Trail] = {}
    for stage, trail in stages.items():
        choices = stage.left[:1] if in_order else tuple(dict.fromkeys(stage.left))
        for die in choices:
            left = list(stage.left)
            left.remove(die)
            for source in _useful_sources(stage.mine, target, die):
                after, step, broken = _stepped(stage, source, die, tuple(left), laws)
                known = following.get(after)
                longer = Trail((*trail.steps, step), trail.broken + broken)
                if known is None or len(longer.broken) < len(known.broken):
                    following[after] = longer
    return following


def _useful_sources(mine: tuple[int, ...], target: tuple[int, ...], die: int) -> list[Point]:
    """Return the places from which a step of ``die`` does not overshoot ``target``.

    Checkers only move down, so on every place that a checker passes there must be one more, from there on, than the
    target has.
    """
    surplus = [0] * (BAR + 2)
    for place in range(BAR, 0, -1):
        surplus[place] = surplus[place + 1] + mine[place] - target[place]
        if surplus[place] < 0:
            return []
    return [
        source
        for source in (BAR, *reversed(POINTS))
        if mine[source] and all(surplus[place] > 0 for place in range(max(source - die, 0) + 1, source + 1))
    ]


def _stepped(stage: _Stage, source: Point, die: int, left: tuple[int, ...], laws: Laws) -> tuple[_Stage, Step, Broken]:
    mine, theirs = list(stage.mine), list(stage.theirs)
    target = Point(max(source - die, OFF))
    broken: list[tuple[FaultKind, Point]] = []
    if mine[BAR] and source != BAR:
        broken.append((FaultKind.BAR_FIRST, source))
    hit = False
    if target == OFF:
        broken.extend(_off_faults(mine, source, die, laws))
    else:
        held = theirs[target - 1]
        if held >= -laws.open_above:
            broken.append((FaultKind.BLOCKED_POINT, target))
        elif held:
            hit = True
            theirs[target - 1] -= 1
            theirs[24] += 1
        if laws.exact and source <= 6 and not any(mine[7:]):
            broken.append((FaultKind.HOME_MOVE, source))
    mine[source] -= 1
    mine[target] += 1
    if laws.block_each_step:
        signed = [mine[i + 1] or -theirs[i] for i in range(24)]
        if points_break(signed, 0, laws.block):
            broken.append((FaultKind.BLOCK_OF_SIX, target))
    return _Stage(tuple(mine), tuple(theirs), left), Step(source, target, hit), tuple(broken)


def _off_faults(mine: list[int], source: Point, die: int, laws: Laws) -> Iterator[tuple[FaultKind, Point]]:
    if any(mine[7:]):
        yield (FaultKind.BEAR_OFF_EARLY, source)
    elif die > source:
        if laws.exact:
            yield (FaultKind.BEAR_OFF_INEXACT, source)
        elif any(mine[source + 1 :]):
            yield (FaultKind.BEAR_OFF_LOWER, source)


def legs(before: tuple[int, ...], after: tuple[int, ...]) -> list[tuple[Point, Point]]:
    """Return (from, to) of each checker that left its place, the farthest first, matched in order."""
    there, here = Counter(_spread(after)), Counter(_spread(before))
    departures = sorted((here - there).elements(), reverse=True)
    arrivals = sorted((there - here).elements(), reverse=True)
    return list(zip(departures, arrivals, strict=False))


def _spread(counts: tuple[int, ...]) -> list[Point]:
    return [Point(place) for place, count in enumerate(counts) for _ in range(count)]
