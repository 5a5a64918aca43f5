"""Setting a board up: start positions, any other position by its counts, and the check that it can stand."""

from controller.rules.errors import PositionError
from controller.rules.game import Game
from controller.rules.position import Position

_START: dict[Game, dict[int, int]] = {
    Game.LONG: {24: 15},
    Game.SHORT: {24: 2, 13: 5, 8: 3, 6: 5},
    Game.NACKGAMMON: {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
    Game.HYPER: {24: 1, 23: 1, 22: 1},
    Game.KHACHAPURI: {24: 4, 6: 11},
}
"""Checkers of each side by its own point.

Sources: long, text 003 line 48; short, text 001 line 2; nackgammon and hyper, OGXM variants 1 and 2
(text 004 only shows a picture); khachapuri, bkgm.com rgb 1537.
"""


def start(game: Game) -> Position:
    """Return the start position of ``game``; it looks the same to both sides.

    >>> start(Game.LONG).compact()
    '...........o...........O....'
    """
    return arranged(game, _START[game], _START[game])


def arranged(game: Game, mine: dict[int, int], theirs: dict[int, int]) -> Position:
    """Return the position with ``mine`` and ``theirs``: checkers by point, each in the owner's own numbering.

    25 is the bar; checkers named nowhere are borne off.
    Raises PositionError for a point off the board, both colours on one point or too many checkers.

    >>> arranged(Game.SHORT, {25: 1, 13: 14}, {13: 11, 6: 2, 4: 2}).compact()
    '...........kN.....b.b...A...'
    """
    points = [0] * 24
    for owner, sign in ((mine, 1), (theirs, -1)):
        for own_point, count in owner.items():
            if not 1 <= own_point <= 25 or count < 0:
                msg = f"a side has 0 or more checkers on points 1..25 (25 is the bar), got {count} on {own_point}"
                raise PositionError(msg)
            if own_point == 25 or not count:
                continue
            point = own_point if sign > 0 else game.mirrored(own_point)
            if points[point - 1]:
                msg = f"both colours on the mover's point {point}: mine {mine}, theirs {theirs}"
                raise PositionError(msg)
            points[point - 1] = sign * count
    bar = (mine.get(25, 0), theirs.get(25, 0))
    off = (game.checkers - sum(mine.values()), game.checkers - sum(theirs.values()))
    if min(off) < 0:
        msg = f"a side has {game.checkers} checkers in {game.value}, got {mine} and {theirs}"
        raise PositionError(msg)
    position = Position(tuple(points), bar, off)
    check_position(position, game)
    return position


def check_position(position: Position, game: Game) -> None:
    """Raise PositionError unless ``position`` can stand in ``game``: right totals, a bar if it hits."""
    points, bar, off = position
    checkers = game.checkers
    surplus = sum(points) + bar[0] - bar[1] + off[0] - off[1]
    if not surplus and sum(map(abs, points)) + bar[0] + bar[1] + off[0] + off[1] == 2 * checkers:
        if game.opposed or bar == (0, 0):
            return
        msg = f"nothing stands on the bar in {game.value}: {position}"
        raise PositionError(msg)
    mine, theirs = position.total, position.opponent_total
    whose, total = ("the opponent", theirs) if mine == checkers else ("the mover", mine)
    msg = f"{whose} has {total} checkers, {game.value} has {checkers} a side: {position}"
    raise PositionError(msg)
