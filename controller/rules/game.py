"""The games of the family and the two sides."""

from enum import Enum
from functools import cached_property
from typing import NewType

Point = NewType("Point", int)
"""A place on the mover's own road: 24 is the farthest, 1 the last before bearing off; 25 is the bar, 0 off."""
Pips = NewType("Pips", int)
"""A distance in single points, such as a die or a pip count. Not a Point."""
POINTS = tuple(Point(number) for number in range(1, 25))
"""The points of the board, the last before bearing off first."""


class Side(Enum):
    """The two seats; white's own point n is place pn of the board."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> "Side":
        """The opponent."""
        return Side.BLACK if self is Side.WHITE else Side.WHITE


class Game(Enum):
    """A game by its set-up and direction; crazy nardy is long nardy under another ruleset."""

    LONG = "long"
    SHORT = "short"
    NACKGAMMON = "nackgammon"
    HYPER = "hyper"
    KHACHAPURI = "khachapuri"

    @cached_property
    def opposed(self) -> bool:
        """Whether the sides move against each other, hit and enter from the bar."""
        return self not in {Game.LONG, Game.KHACHAPURI}

    @cached_property
    def checkers(self) -> int:
        """Checkers of each side."""
        return 3 if self is Game.HYPER else 15

    def mirrored(self, point: Point) -> Point:
        """Return the opponent's own number of the mover's ``point`` (1..24)."""
        if self.opposed:
            return Point(25 - point)
        return Point(point + 12 if point <= 12 else point - 12)
