"""Whose dice they are, by their colour, where each player throws a pair of his own. Pure.

The colours are learnt from the throws that counted. Where both players throw dice of one colour, or one pair goes from
hand to hand, colour says nothing, and half and turn decide as before.
"""

from dataclasses import dataclass
from math import dist

from controller.referee.events import Colour
from controller.rules import Side

APART = 72.0
"""Distance in BGR (0..255 each) from which two pairs are told apart.

In the rendered sequences 129 of 130 readings of a die lie within 24 of their pair's mean, over the whole board and its
shadows; a red pair is 261 from a white one. Three times the former keeps one pair in two lights from passing for two.
"""
NEARER = 2.0
"""How many times nearer to one pair's colour than to the other's a die of that pair is. At the least distance of two
pairs a reading that strays by 24 is still known: 24 against 48."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The colour of the dice that each side threw last; None while none of his counted, or nobody read a colour."""

    white: Colour | None = None
    black: Colour | None = None

    def thrown(self, side: Side, colour: Colour | None) -> "Pairs":
        """The pairs after a throw of ``side`` that counted."""
        if colour is None:
            return self
        return Pairs(colour, self.black) if side is Side.WHITE else Pairs(self.white, colour)

    def owner(self, colour: Colour | None) -> Side | None:
        """Whose die has ``colour``; None where that cannot be told."""
        if colour is None or self.white is None or self.black is None or dist(self.white, self.black) < APART:
            return None
        to_white, to_black = dist(colour, self.white), dist(colour, self.black)
        if NEARER * to_white <= to_black:
            return Side.WHITE
        return Side.BLACK if NEARER * to_black <= to_white else None
