"""The games of the family, the two sides, the points of the board, and the errors of the rules.

An error means wrong input from a program, a file or a keyboard, never an illegal play.
"""

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


class RulesError(ValueError):
    """Something that is no position, roll, play or ruleset; the message quotes what came in."""


class PositionError(RulesError):
    """A position that no board can show or that has the wrong number of checkers."""


class RollError(RulesError):
    """A roll that two dice cannot make."""


class NotationError(RulesError):
    """A text in none of the notations that were expected."""


class RulesetError(RulesError):
    """A ruleset with an unknown option, a value out of its range or an impossible combination."""


class CubeError(RulesError):
    """A cube action that the rules refuse; ``reason`` names why, as a key of the texts below ``order.``."""

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason
