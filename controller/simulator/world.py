"""The physical table as a value: checkers, dice, hands and pressed buttons, and nothing that knows the rules."""

from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum

from controller.rules import Side
from controller.simulator.layout import BAR, OFF, Place

POINTS = tuple(Place(number) for number in range(1, 25))


class TableDieState(Enum):
    """How a die lies."""

    IN_CUP = "in_cup"
    ROLLING = "rolling"
    FLAT = "flat"
    COCKED = "cocked"
    ON_CHECKER = "on_checker"
    ON_BAR = "on_bar"
    OFF_BOARD = "off_board"


@dataclass(frozen=True, slots=True)
class Die:
    """One of a player's two dice.

    ``u``, ``v`` in fractions of the surface; ``yaw_deg`` turns it about the vertical, ``tilt_deg`` tips
    its upper face towards ``lean_deg`` (0 along u, 90 along v); ``height_m`` is the height of what it lies on.
    """

    side: Side
    number: int
    state: TableDieState = TableDieState.IN_CUP
    face: int = 1
    u: float = 0.0
    v: float = 0.0
    yaw_deg: float = 0.0
    tilt_deg: float = 0.0
    lean_deg: float = 0.0
    height_m: float = 0.0

    @property
    def thrown(self) -> bool:
        """Tell whether it has come to rest out of the cup."""
        return self.state not in (TableDieState.IN_CUP, TableDieState.ROLLING)


@dataclass(frozen=True, slots=True)
class Checker:
    """A checker where somebody put it; ``dx``, ``dy`` (in diameters) and ``turn_deg`` stay until it is moved."""

    side: Side
    place: Place
    order: int
    dx: float = 0.0
    dy: float = 0.0
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand in view: whose it is, and over which spot (u, v) its fingers are."""

    side: Side
    u: float
    v: float


@dataclass(frozen=True, slots=True)
class TablePosition:
    """Where all checkers position, by White's numbering: a position that no rule has judged.

    ``points`` has 24 counts, p1 first, above zero White's; ``bar`` and ``off`` are (White's, Black's).
    """

    points: tuple[int, ...]
    bar: tuple[int, int]
    off: tuple[int, int]

    def count(self, side: Side, place: Place) -> int:
        """Return how many checkers of ``side`` stand on ``place``."""
        index = 0 if side is Side.WHITE else 1
        if place == BAR:
            return self.bar[index]
        if place == OFF:
            return self.off[index]
        signed = self.points[place - 1]
        return max(0, signed if side is Side.WHITE else -signed)


@dataclass(frozen=True, slots=True)
class View:
    """How the camera hangs against how it was hung: shifted over the table (metres) and turned (degrees).

    ``pan_deg`` turns it to the right, ``tilt_deg`` away from White, ``roll_deg`` about its own axis.
    """

    x_m: float = 0.0
    y_m: float = 0.0
    pan_deg: float = 0.0
    tilt_deg: float = 0.0
    roll_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class World:
    """Everything that a camera, a reed or a finger could notice. ``held`` is the checker in a hand, by its index."""

    checkers: tuple[Checker, ...] = ()
    dice: tuple[Die, ...] = tuple(Die(side, number) for side in (Side.WHITE, Side.BLACK) for number in (0, 1))
    hand: Hand | None = None
    held: int | None = None
    pressed: Side | None = None
    view: View = View()

    def lying(self) -> list[Checker]:
        """Return the checkers that are in nobody's hand."""
        return [checker for index, checker in enumerate(self.checkers) if index != self.held]

    def heights(self) -> Counter[tuple[Side, Place]]:
        """Return how many checkers of each side lie on each place."""
        return Counter((checker.side, checker.place) for checker in self.lying())

    def position(self) -> TablePosition:
        """Return the position on the table, without a checker in a hand."""
        heights = self.heights()
        return TablePosition(
            tuple(heights[Side.WHITE, place] - heights[Side.BLACK, place] for place in POINTS),
            (heights[Side.WHITE, BAR], heights[Side.BLACK, BAR]),
            (heights[Side.WHITE, OFF], heights[Side.BLACK, OFF]),
        )

    def top(self, side: Side, place: Place) -> int:
        """Return the index of the last checker of ``side`` on ``place``.

        Raises LookupError when none lies there.
        """
        there = [
            (checker.order, index)
            for index, checker in enumerate(self.checkers)
            if index != self.held and checker.side is side and checker.place == place
        ]
        if not there:
            msg = f"no {side.value} checker on place {place}"
            raise LookupError(msg)
        return max(there)[1]

    def dice_of(self, side: Side) -> tuple[Die, ...]:
        """Return both dice of a player."""
        return tuple(die for die in self.dice if die.side is side)

    def dice_out(self, side: Side) -> bool:
        """Tell whether any die of a player is out of the cup."""
        return any(die.state is not TableDieState.IN_CUP for die in self.dice_of(side))

    def with_dice(self, dice: tuple[Die, ...]) -> "World":
        """Return the table after the named dice have come to lie as given."""
        new = {(die.side, die.number): die for die in dice}
        return replace(self, dice=tuple(new.get((die.side, die.number), die) for die in self.dice))

    def lifted(self, side: Side) -> "World":
        """Return the table after a player's dice are back in the cup."""
        return self.with_dice((Die(side, 0), Die(side, 1)))

    def put(self, checker: Checker, index: int) -> "World":
        """Return the table after checker number ``index`` was put down as ``checker``."""
        checkers = (*self.checkers[:index], checker, *self.checkers[index + 1 :])
        return replace(self, checkers=checkers, held=None)
