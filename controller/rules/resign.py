"""Resignation: what may be conceded, what it is worth and when an arbiter has to look twice."""

from dataclasses import dataclass

from controller.rules.cube import Cube
from controller.rules.errors import RulesError
from controller.rules.position import Position
from controller.rules.result import GameResult, Kind, worth
from controller.rules.ruleset import Ruleset


class ResignError(RulesError):
    """A resignation that the rules do not know."""


@dataclass(frozen=True, slots=True)
class Resignation:
    """A conceded game with what an arbiter has to know before he confirms it."""

    result: GameResult
    contact: bool
    """Whether the sides can still hinder each other: WBGF 4.5 lets a game be conceded only when they cannot."""
    could_cost_more: bool
    """Whether the position could still end in a dearer kind than the one conceded."""


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
        return Resignation(GameResult(kind, points), touching, could_cost_more=False)
    value = worth(kind, ruleset)
    if not value or kind is Kind.DROP:
        msg = f"{ruleset.name!r} has no {kind.value} to resign"
        raise ResignError(msg)
    most = max(worth(dearer, ruleset) for dearer in Kind)
    could_cost_more = not position.off[0] and value < most
    if ruleset.jacoby and not stake.doubles:
        value, could_cost_more = ruleset.oin, False
    return Resignation(GameResult(kind, value * stake.value), touching, could_cost_more)


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
    return any(ruleset.game.mirrored(point) < mine for point in range(1, theirs + 1)) or any(
        ruleset.game.mirrored(point) < theirs for point in range(1, mine + 1)
    )


def _farthest(position: Position) -> int:
    if position.bar[0]:
        return 25
    return max((point for point in range(1, 25) if position.at(point) > 0), default=0)
