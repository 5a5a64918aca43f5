"""Where things lie on the virtual table, in fractions of the playing surface.

``u`` grows from the p12/p13 side (the picture's left) to the p1/p24 side, ``v`` from the row
p1..p12 (White's edge, near) to the row p13..p24. Both leave 0..1 beside the surface.
"""

import math
from dataclasses import dataclass
from typing import NewType

Place = NewType("Place", int)
"""A place by White's own numbering, which is also the picture's: 1..24, `BAR` or `OFF`."""

BAR = Place(25)
OFF = Place(0)

SLOTS = 5
"""Checkers that lie flat on one point before a second layer begins."""
SPACING = 1.03
"""Distance of neighbours on a point, in diameters."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A spot on the table: ``u``, ``v`` in fractions of the surface, ``layer`` 0 = on the wood."""

    u: float
    v: float
    layer: int = 0


@dataclass(frozen=True, slots=True)
class Layout:
    """The measures of a board, in metres.

    The defaults are those of a common tournament board with a bar.
    """

    width_m: float = 0.574
    height_m: float = 0.470
    bar: tuple[float, float] = (0.4599, 0.5401)
    checker_m: float = 0.040
    thickness_m: float = 0.0105
    die_m: float = 0.017

    def column_u(self, place: Place) -> float:
        """Return the middle of the column of ``place`` (1..24)."""
        if not 1 <= place <= 24:
            msg = f"only points 1..24 have a column, got {place}"
            raise ValueError(msg)
        near = place if place <= 12 else 25 - place
        left, right = self.bar
        if near <= 6:
            return right + (1.0 - right) * (6.5 - near) / 6.0
        return left * (12.5 - near) / 6.0

    def spot(self, place: Place, order: int, *, of_white: bool) -> Spot:
        """Return where the checker number ``order`` (0 = first at the rim) of a stack lies."""
        du, dv = self.checker_m / self.width_m, self.checker_m / self.height_m
        if place == OFF:
            # Each side piles them beside the board at its own right hand, five in a row.
            row, slot = divmod(order, SLOTS)
            u, v = 1.0 + (1.2 + SPACING * row) * du, (SPACING * slot + 0.6) * dv
            return Spot(u, v) if of_white else Spot(1.0 - u, 1.0 - v)
        layer, slot = divmod(order, SLOTS)
        if place == BAR:
            v = 0.5 - (SPACING * slot + 0.8) * dv
            return Spot(sum(self.bar) / 2.0, v if of_white else 1.0 - v, layer)
        v = (SPACING * slot + 0.55) * dv
        return Spot(self.column_u(place), v if place <= 12 else 1.0 - v, layer)

    def half_u(self, *, right: bool) -> tuple[float, float]:
        """Return the left and right edge of one half of the surface."""
        left_edge, right_edge = self.bar
        return (right_edge, 1.0) if right else (0.0, left_edge)

    def apart_m(self, a: tuple[float, float], b: tuple[float, float]) -> float:
        """Return the distance of two spots (u, v), in metres along the surface."""
        return math.hypot((a[0] - b[0]) * self.width_m, (a[1] - b[1]) * self.height_m)
