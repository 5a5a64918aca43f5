"""What the eyes report: plain values with probabilities, ready for JSON. No pixels and no game rules here."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

PLACES_ON_BOARD = 24
CUBE_VALUES = (2, 4, 8, 16, 32, 64)
"""Numbers on a doubling cube."""


class DieState(Enum):
    """How a die rests, as far as the picture shows."""

    FLAT = "flat"
    COCKED = "cocked"
    ON_CHECKER = "on_checker"
    ON_BAR = "on_bar"
    OFF_BOARD = "off_board"
    MOVING = "moving"
    UNSURE = "unsure"


class CubeColumn(Enum):
    """Where the doubling cube lies along the board: on the bar or to its left or right, on the surface or beside it."""

    LEFT = "left"
    BAR = "bar"
    RIGHT = "right"


class CubeSide(Enum):
    """Whose the doubling cube is by where it lies: the one's who sits at p1..p12 (near), the other's, or nobody's."""

    NEAR = "near"
    MIDDLE = "middle"
    FAR = "far"
    BETWEEN = "between"
    """Neither clearly in the middle nor clearly with a player."""


@dataclass(frozen=True, slots=True)
class PlaceReading:
    """What lies on one point, or what one set has on the bar.

    ``odds`` holds (signed count, probability), falling: +n is n checkers of the lighter set, -n of the
    darker set, 0 is empty; the probabilities sum to about 1 and entries under 0.001 are left out.
    ``hidden`` is true where something covers the place: the odds are then a guess at best.
    """

    odds: tuple[tuple[int, float], ...]
    hidden: bool = False

    @property
    def count(self) -> int:
        """Most probable signed count."""
        return self.odds[0][0]

    @property
    def certainty(self) -> float:
        """Probability of the most probable count."""
        return self.odds[0][1]

    def probability(self, count: int) -> float:
        """Probability of a signed count; 0 where it was too small to be listed."""
        return next((probability for seen, probability in self.odds if seen == count), 0.0)


NOT_LOOKED: Final = PlaceReading(((0, 1.0),), hidden=True)
"""Of a place at which nobody looked."""


@dataclass(frozen=True, slots=True)
class BoardReading:
    """One look at the checkers: ``points`` holds 24 readings, p1 first.

    ``off_light`` and ``off_dark`` are what lies neither on points nor on the bar: seen in trays or beside the board, or
    concluded from the rest. They are ``hidden`` where checkers are missing and not everything beside the board is in
    view: they may lie there, and odds that look sure are the sum's alone.
    """

    points: tuple[PlaceReading, ...]
    bar_light: PlaceReading
    bar_dark: PlaceReading
    off_light: PlaceReading = NOT_LOOKED
    off_dark: PlaceReading = NOT_LOOKED

    def __post_init__(self) -> None:
        if len(self.points) != PLACES_ON_BOARD:
            msg = f"a board has {PLACES_ON_BOARD} points, got {len(self.points)}"
            raise ValueError(msg)

    @property
    def hidden_points(self) -> tuple[int, ...]:
        """Numbers (1..24) of the points that something covers."""
        return tuple(number for number, place in enumerate(self.points, 1) if place.hidden)


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die.

    ``u, v`` are surface coordinates of its middle (outside 0..1: not on the surface), ``x_px, y_px`` its
    place and ``size_px`` the side of its top face in the picture, ``faces`` the probabilities of 1..6 on
    top, ``states`` (state, probability) falling, ``half`` "left", "right" or "none", ``colour`` BGR 0..255.
    """

    u: float
    v: float
    x_px: float
    y_px: float
    size_px: float
    faces: tuple[float, float, float, float, float, float]
    states: tuple[tuple[DieState, float], ...]
    half: str
    colour: tuple[int, int, int]

    @property
    def face(self) -> int:
        """Most probable face, 1..6."""
        return max(range(6), key=self.faces.__getitem__) + 1

    @property
    def state(self) -> DieState:
        """Most probable state."""
        return self.states[0][0]


@dataclass(frozen=True, slots=True)
class CubeReading:
    """The doubling cube.

    ``u, v`` are surface coordinates of its middle, ``x_px, y_px`` its place and ``size_px`` the side of its top in the
    picture, ``certainty`` the probability that it is a cube. ``odds`` holds (number on top, probability), falling; what
    they lack to 1 is the chance of a logo, a bare face or a number that cannot be read. A 1 on top counts as 64.
    """

    u: float
    v: float
    x_px: float
    y_px: float
    size_px: float
    certainty: float
    odds: tuple[tuple[int, float], ...]
    value: int | None
    """The number on top where it is sure; None where it is not: unsure."""
    column: CubeColumn
    side: CubeSide
