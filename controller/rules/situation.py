"""A moment of a match in the short games, as the one-line identifiers of other programs hold it."""

from dataclasses import dataclass, field

from controller.rules.cube import Cube
from controller.rules.errors import NotationError
from controller.rules.game import Game, Side
from controller.rules.position import Position
from controller.rules.roll import Roll


@dataclass(frozen=True, slots=True)
class Situation:
    """Position in the view of ``mover``, roll (None: not thrown), cube, score (white, black) and match.

    ``length`` 0 is money. With ``cube.offered_by`` set the opponent decides. White is player 0 of GNU Backgammon and
    the lower player of eXtreme Gammon.
    """

    position: Position
    mover: Side
    game: Game = Game.SHORT
    roll: Roll | None = None
    cube: Cube = field(default_factory=Cube)
    score: tuple[int, int] = (0, 0)
    length: int = 0
    crawford: bool = False
    jacoby: bool = False
    beaver: bool = False


def short_only(game: Game) -> None:
    """Raise NotationError unless ``game`` is one that the identifiers of other programs know."""
    if not game.opposed:
        msg = f"XGID and GNU ids hold the short games, not {game.value}"
        raise NotationError(msg)


def with_off(points: tuple[int, ...], bar: tuple[int, int], game: Game, text: str) -> Position:
    """Return the position whose missing checkers are borne off; raises NotationError that quotes ``text``."""
    off = (
        game.checkers - bar[0] - sum(count for count in points if count > 0),
        game.checkers - bar[1] + sum(count for count in points if count < 0),
    )
    if min(off) < 0:
        msg = f"{game.value} has {game.checkers} checkers a side, got more in {text!r}"
        raise NotationError(msg)
    return Position(points, bar, off)


def cube_exponent(value: int) -> int:
    """Return the power of two that ``value`` is; raises NotationError for a cube with other faces."""
    if value < 1 or value & (value - 1):
        msg = f"XGID and GNU ids hold cubes of 1, 2, 4 ..., got {value}"
        raise NotationError(msg)
    return value.bit_length() - 1
