"""A position as the mover sees it, the start positions, and the check that a position can stand."""

from collections.abc import Mapping
from typing import NamedTuple, Self

from controller.rules.game import Game, Pips, Point, PositionError, Side

_COMPACT_LENGTH = 28
_BAR = Point(25)


class _Fields(NamedTuple):
    points: tuple[int, ...]
    bar: tuple[int, int]
    off: tuple[int, int]


class Position(_Fields):
    """Checkers in the mover's own numbering: 24 is their farthest point, 1 the last before bearing off.

    The board apart from any mover, as journal, feed and pages hold it, is the position that White sees: ``seen_by``
    converts. There is no third numbering; other names of points belong to ``controller.formats.notation``.

    ``points[i]`` is point i + 1: above 0 the mover's checkers, below 0 the opponent's.
    ``bar`` and ``off`` are (mover's, opponent's). Totals are not checked here, since a board can show anything:
    ``check_position`` does that. A tuple underneath, because a referee hashes thousands of positions a second.
    """

    __slots__ = ()

    def __new__(cls, points: tuple[int, ...], bar: tuple[int, int] = (0, 0), off: tuple[int, int] = (0, 0)) -> Self:
        """Raise PositionError unless there are 24 points and two counts of 0 or more on the bar and off."""
        if len(points) != 24 or not all(type(count) is int for count in points):
            msg = f"a position has 24 whole numbers, one a point, got {points!r}"
            raise PositionError(msg)
        _check_pair("bar", bar)
        _check_pair("off", off)
        return super().__new__(cls, points, bar, off)

    @property
    def total(self) -> int:
        """The mover's checkers, wherever they are."""
        return sum(count for count in self.points if count > 0) + self.bar[0] + self.off[0]

    @property
    def opponent_total(self) -> int:
        """The opponent's checkers, wherever they are."""
        return -sum(count for count in self.points if count < 0) + self.bar[1] + self.off[1]

    @property
    def pips(self) -> Pips:
        """Steps the mover still has to make to bear off everything; the bar counts 25 a checker."""
        return Pips(sum((i + 1) * count for i, count in enumerate(self.points) if count > 0) + 25 * self.bar[0])

    def at(self, point: Point) -> int:
        """Return the signed count on ``point`` (1..24)."""
        return self.points[point - 1]

    def turned(self, game: Game) -> "Position":
        """Return the same board in the opponent's view."""
        if game.opposed:
            points = tuple(-count for count in reversed(self.points))
        else:
            points = tuple(-count for count in (*self.points[12:], *self.points[:12]))
        return Position(points, (self.bar[1], self.bar[0]), (self.off[1], self.off[0]))

    def seen_by(self, side: Side, game: Game) -> "Position":
        """Return White's view of the board as ``side`` sees it.

        The other way round too, since a board turned twice is the same.
        """
        return self if side is Side.WHITE else self.turned(game)

    def compact(self) -> str:
        """Return 28 characters: points 1..24, bar and off of mover and opponent in turn.

        ``.`` is 0, ``A``..``O`` are 1..15 checkers of the mover, ``a``..``o`` of the opponent.
        Raises PositionError for more than 15 checkers in one place.
        """
        counts = (*self.points, self.bar[0], -self.bar[1], self.off[0], -self.off[1])
        if max(counts) > 15 or min(counts) < -15:
            msg = f"more than 15 checkers in one place cannot be written: {tuple(self)}"
            raise PositionError(msg)
        return "".join("." if n == 0 else chr(64 + n) if n > 0 else chr(96 - n) for n in counts)

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Read what ``compact`` writes; raises PositionError that quotes ``text``.

        >>> Position.parse("...........o...........O....").points[23]
        15
        """
        if len(text) != _COMPACT_LENGTH:
            msg = f"a compact position has 28 characters, got {len(text)}: {text!r}"
            raise PositionError(msg)
        counts = [_count(letter, text) for letter in text]
        bar_mine, bar_theirs, off_mine, off_theirs = counts[24:]
        if bar_mine < 0 or off_mine < 0 or bar_theirs > 0 or off_theirs > 0:
            msg = f"the last four characters are bar A, bar a, off A, off a, got {text[24:]!r} in {text!r}"
            raise PositionError(msg)
        return cls(tuple(counts[:24]), (bar_mine, -bar_theirs), (off_mine, -off_theirs))

    def __str__(self) -> str:
        """Return ``compact()``, or the bare numbers where a count is too high for it."""
        try:
            return self.compact()
        except PositionError:
            return f"{self.points} bar {self.bar} off {self.off}"


def _count(letter: str, text: str) -> int:
    if letter == ".":
        return 0
    if "A" <= letter <= "O":
        return ord(letter) - 64
    if "a" <= letter <= "o":
        return 96 - ord(letter)
    msg = f"a compact position has '.', A..O and a..o, got {letter!r} in {text!r}"
    raise PositionError(msg)


def _check_pair(name: str, pair: tuple[int, ...]) -> None:
    if len(pair) != 2 or not all(type(count) is int and count >= 0 for count in pair):
        msg = f"{name} is two counts of 0 or more (mover's, opponent's), got {pair!r}"
        raise PositionError(msg)


_START: dict[Game, Mapping[int, int]] = {
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
    counts = {Point(place): count for place, count in _START[game].items()}
    return arranged(game, counts, counts)


def arranged(game: Game, mine: Mapping[Point, int], theirs: Mapping[Point, int]) -> Position:
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
            if own_point == _BAR or not count:
                continue
            point = own_point if sign > 0 else game.mirrored(own_point)
            if points[point - 1]:
                msg = f"both colours on the mover's point {point}: mine {mine}, theirs {theirs}"
                raise PositionError(msg)
            points[point - 1] = sign * count
    bar = (mine.get(_BAR, 0), theirs.get(_BAR, 0))
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
