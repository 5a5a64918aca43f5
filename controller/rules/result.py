"""What a game is worth that is won, passed, drawn or resigned."""

from dataclasses import dataclass
from enum import Enum

from controller.rules.cube import Cube
from controller.rules.game import POINTS, PositionError, RulesError, Side
from controller.rules.position import Position
from controller.rules.ruleset import Ruleset


class Kind(Enum):
    """How a game ended."""

    OIN = "oin"
    """The loser bore off at least one checker."""
    MARS = "mars"
    KOKS = "koks"
    HOME_MARS = "home_mars"
    DIFFERENCE = "difference"
    """Khachapuri: the loser's checkers that are not borne off."""
    DROP = "drop"
    """The loser passed a double."""
    DRAW = "draw"
    """The second player finished in the last move."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """The end of a game and its points, cube included."""

    kind: Kind
    points: int


DRAWN = GameResult(Kind.DRAW, 0)


def finished(position: Position, ruleset: Ruleset) -> bool:
    """Whether the mover has borne off every checker."""
    return position.off[0] == ruleset.game.checkers


def result(position: Position, ruleset: Ruleset, cube: Cube | None = None) -> GameResult:
    """Return the result of a game that the mover of ``position`` (in their own numbering) has won.

    Where more than one kind fits, koks goes before home mars and home mars before mars (matrix 9.8).
    Jacoby: mars and koks count single unless a player has doubled (004 line 55).
    Raises PositionError if the mover still has checkers to bear off.
    """
    if not finished(position, ruleset):
        msg = f"the winner has borne off {position.off[0]} of {ruleset.game.checkers} checkers: {position}"
        raise PositionError(msg)
    stake = cube or Cube()
    left = ruleset.game.checkers - position.off[1]
    if ruleset.score == "difference":
        return GameResult(Kind.DIFFERENCE, left * stake.value)
    kind = _kind(position, ruleset)
    if ruleset.jacoby and not stake.doubles:
        return GameResult(kind, ruleset.oin * stake.value)
    return GameResult(kind, worth(kind, ruleset) * stake.value)


def worth(kind: Kind, ruleset: Ruleset) -> int:
    """Return the points of ``kind`` with the cube at one; 0 if the ruleset does not know it."""
    return {
        Kind.OIN: ruleset.oin,
        Kind.MARS: ruleset.mars,
        Kind.KOKS: ruleset.koks,
        Kind.HOME_MARS: ruleset.home_mars,
        Kind.DROP: ruleset.oin,
    }.get(kind, 0)


def drop(position: Position, loser: Side, doubler_to_move: Side, ruleset: Ruleset, value: int) -> GameResult:
    """Return the result of a passed double; ``value`` is what ``cube.passed`` says.

    Single, never mars (004 line 45). In khachapuri the loser's checkers on the board count (default of 004 line 40):
    ``position`` is seen by ``doubler_to_move``.
    """
    if ruleset.score == "difference":
        off = position.off[0] if loser is doubler_to_move else position.off[1]
        return GameResult(Kind.DROP, (ruleset.game.checkers - off) * value)
    return GameResult(Kind.DROP, ruleset.oin * value)


def _kind(position: Position, ruleset: Ruleset) -> Kind:
    """Return the kind by the loser's checkers; all points here are the loser's own numbers."""
    if position.off[1]:
        return Kind.OIN
    loser = position.turned(ruleset.game)
    occupied = [point for point in POINTS if loser.at(point) > 0]
    behind = {
        "first_quarter": any(point >= 19 for point in occupied),
        "head": 24 in occupied,
        "bar_or_home": bool(loser.bar[0]) or any(point >= 19 for point in occupied),
        "never": False,
    }[ruleset.koks_when]
    if ruleset.koks and behind:
        return Kind.KOKS
    if ruleset.home_mars and all(point <= 6 for point in occupied) and not loser.bar[0]:
        return Kind.HOME_MARS
    return Kind.MARS if ruleset.mars else Kind.OIN


def last_move_due(position: Position, ruleset: Ruleset, *, winner_began: bool) -> bool:
    """Whether the opponent still has a last turn after the mover of ``position`` bore off the last checker.

    Only the second player has that right (002 line 62), and only if it can change the result: at most four checkers go
    off in a turn, so the opponent has at most four left, or none off yet and a mars to save.
    """
    left = ruleset.game.checkers - position.off[1]
    matters = left <= 4 or not position.off[1]
    return ruleset.last_move and winner_began and finished(position, ruleset) and matters


def after_last_move(position: Position, ruleset: Ruleset, cube: Cube | None = None) -> GameResult:
    """Return the result after the last turn; ``position`` is seen by the player who finished first."""
    if position.off[1] == ruleset.game.checkers:
        return DRAWN
    return result(position, ruleset, cube)


class ResignError(RulesError):
    """A resignation that the rules do not know."""


@dataclass(frozen=True, slots=True)
class Resignation:
    """A conceded game with what an arbiter has to know before confirming it."""

    result: GameResult
    contact: bool
    """Whether the sides can still hinder each other: WBGF 4.5 lets a game be conceded only when they cannot."""
    could_cost_more: bool
    """Whether the position could still end in a dearer kind than the one conceded."""
    could_cost_less: bool
    """Whether the game could still be lost, or can only be lost, by a cheaper kind."""


def resignation(position: Position, kind: Kind, ruleset: Ruleset, cube: Cube | None = None) -> Resignation:
    """Return what conceding ``kind`` is worth; ``position`` is seen by the player who resigns.

    Raises ResignError for a kind that the ruleset does not score.
    """
    stake = cube or Cube()
    touching = contact(position, ruleset)
    if ruleset.score == "difference":
        if kind is not Kind.DIFFERENCE:
            msg = f"{ruleset.name!r} is settled by the difference, not by {kind.value}"
            raise ResignError(msg)
        points = (ruleset.game.checkers - position.off[0]) * stake.value
        return Resignation(GameResult(kind, points), touching, could_cost_more=False, could_cost_less=False)
    value = worth(kind, ruleset)
    if not value or kind is Kind.DROP:
        msg = f"{ruleset.name!r} has no {kind.value} to resign"
        raise ResignError(msg)
    could_cost_more = not position.off[0] and value < _dearest(position, ruleset, touching=touching)
    could_cost_less = value > ruleset.oin
    if ruleset.jacoby and not stake.doubles:
        value, could_cost_more, could_cost_less = ruleset.oin, False, False
    return Resignation(GameResult(kind, value * stake.value), touching, could_cost_more, could_cost_less)


def _dearest(position: Position, ruleset: Ruleset, *, touching: bool) -> int:
    """Return the points of the dearest kind in which a game can still be lost by who has borne off nothing.

    Nobody goes back but from the bar: without contact only checkers that are behind now can make a koks.
    """
    hit_back = ruleset.game.opposed and touching
    now = _kind(position.turned(ruleset.game), ruleset)
    kinds = [Kind.OIN, Kind.MARS, Kind.HOME_MARS, *([Kind.KOKS] if hit_back or now is Kind.KOKS else [])]
    return max(worth(kind, ruleset) for kind in kinds)


def resign_kinds(ruleset: Ruleset) -> tuple[Kind, ...]:
    """What a loser can concede under the ruleset, the cheapest first."""
    if ruleset.score == "difference":
        return (Kind.DIFFERENCE,)
    kinds = (kind for kind in Kind if kind is not Kind.DROP and worth(kind, ruleset))
    return tuple(sorted(kinds, key=lambda kind: worth(kind, ruleset)))


def contact(position: Position, ruleset: Ruleset) -> bool:
    """Whether a checker of one side stands, or may still come to stand, on the road of a checker of the other.

    In the short games each still has to pass the other; in the long games each half of the board is the beginning of
    one road and the end of the other.
    """
    mine = _farthest(position)
    theirs = _farthest(position.turned(ruleset.game))
    if ruleset.game.opposed:
        return bool(mine and theirs) and mine + theirs > 25
    return any(ruleset.game.mirrored(point) < mine for point in POINTS[:theirs]) or any(
        ruleset.game.mirrored(point) < theirs for point in POINTS[:mine]
    )


def _farthest(position: Position) -> int:
    if position.bar[0]:
        return 25
    return max((point for point in POINTS if position.at(point) > 0), default=0)
