"""A second generator, as plain as the rule book and as slow: it plays every die in every order and looks at the ends.

It shares no code with ``controller.rules`` but the values that go in and come out.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.rules import Game, Position, Roll, Ruleset

Side = dict[int, int]
"""Checkers by place: 25 the bar, 24..1, 0 off."""


@dataclass(frozen=True)
class State:
    """Both sides' checkers; the opponent's by the mover's numbers, his bar 25, his borne off 0."""

    mine: tuple[int, ...]
    theirs: tuple[int, ...]


def state_of(position: Position) -> State:
    mine, theirs = [0] * 26, [0] * 26
    for number in range(1, 25):
        count = position.points[number - 1]
        mine[number], theirs[number] = max(0, count), max(0, -count)
    mine[25], theirs[25] = position.bar
    mine[0], theirs[0] = position.off
    return State(tuple(mine), tuple(theirs))


def position_of(state: State) -> Position:
    return Position(
        tuple(state.mine[number] - state.theirs[number] for number in range(1, 25)),
        (state.mine[25], state.theirs[25]),
        (state.mine[0], state.theirs[0]),
    )


def one_step(state: State, source: int, die: int, rules: Ruleset) -> State | None:
    """Return the state after one checker moved, None where the rules of a single step forbid it."""
    hits = rules.game in {Game.SHORT, Game.NACKGAMMON, Game.HYPER}
    if state.mine[source] == 0 or (state.mine[25] and source != 25):
        return None
    all_home = not any(state.mine[7:26])
    target = source - die
    mine, theirs = list(state.mine), list(state.theirs)
    if target <= 0:
        higher = any(state.mine[source + 1 : 7])
        if not all_home or (target < 0 and (higher or rules.bear_off == "exact")):
            return None
        target = 0
    else:
        if rules.bear_off == "exact" and all_home:
            return None
        if theirs[target] >= (2 if hits else 1):
            return None
        if theirs[target]:
            theirs[target] -= 1
            theirs[25] += 1
    mine[source] -= 1
    mine[target] += 1
    return State(tuple(mine), tuple(theirs))


def forbidden_block(state: State, rules: Ruleset) -> bool:
    """Whether six points in a row along the opponent's road break the rule; written out over his numbers 24..1."""
    if rules.block == "free":
        return False
    to_own = {theirs: (theirs + 12 if theirs <= 12 else theirs - 12) for theirs in range(1, 25)}
    opponent = {number: state.theirs[to_own[number]] for number in range(1, 25)}
    number = 1
    while number <= 24:
        length = 0
        while number + length <= 24 and state.mine[to_own[number + length]]:
            length += 1
        if length >= 6:
            past = any(opponent[ahead] for ahead in range(1, number)) or state.theirs[0] > 0
            home = any(opponent[ahead] for ahead in range(1, 7)) or state.theirs[0] > 0
            if rules.block == "never" or (rules.block == "ahead" and not past) or (rules.block == "home" and not home):
                return True
        number += length + 1
    return False


def every_way(state: State, dice: tuple[int, ...], limit: int, rules: Ruleset) -> Iterator[tuple[int, State, int]]:
    """Yield (dice played, end, first die) of every way to play some of ``dice`` in this order."""

    def go(now: State, left: tuple[int, ...], head: int, played: int, first: int) -> Iterator[tuple[int, State, int]]:
        yield played, now, first
        if not left:
            return
        for source in range(25, 0, -1):
            after = one_step(now, source, left[0], rules)
            if after is None or (source == 24 and head == limit):
                continue
            if rules.block_check == "each_step" and forbidden_block(after, rules):
                continue
            yield from go(after, left[1:], head + (source == 24), played + 1, first or left[0])

    yield from go(state, dice, 0, 0, 0)


def naive_ends(position: Position, roll: Roll, rules: Ruleset, limit: int) -> set[Position]:
    """Return all legal ends with at most ``limit`` checkers from the head."""
    state = state_of(position)
    orders = {(roll.high,) * 4} if roll.high == roll.low else {(roll.high, roll.low), (roll.low, roll.high)}
    ways = [way for order in orders for way in every_way(state, order, limit, rules)]
    ways = [way for way in ways if way[0] == 0 or not forbidden_block(way[1], rules)]
    most = max(played for played, _, _ in ways)
    if most == 0:
        return {position}
    best = [way for way in ways if way[0] == most]
    if most == 1 and roll.high != roll.low and any(first == roll.high for _, _, first in best):
        best = [way for way in best if way[2] == roll.high]
    return {position_of(end) for _, end, _ in best}
