"""Which of the dice seen belong to no throw: what only looks like a die, and the opponent's pair by its colour. Pure.

Dice are picked up before they are thrown. What lay in the same place before that, or lies there still when the next
throw has been ruled on, is none of the dice of a throw, whatever face a reader sees on it.

Dice colours are learnt from the throws that counted. Where both players throw dice of one colour, or one pair goes from
hand to hand, colour says nothing, and half and turn decide.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from math import dist, hypot
from typing import Protocol

from controller.referee.events import Colour, DieSeen
from controller.rules import Side

SAME_PLACE = 0.03
"""Two sightings within this fraction of the surface's width are one die at rest.

A die is 0.025 to 0.035 wide (12 to 18 mm on boards of 45 to 55 cm), so that the middles of two dice do not come closer,
and the reader tells the place of a die at rest to a fraction of its width.
"""


LOOKS_FORGOTTEN = 12
"""Looks in a row after which what is no longer seen is forgotten: a reader that takes a thing for a die in only every
third look misses it so long once in 130 times, (2/3) ** 12."""


LOOKS_REMEMBERED = 60
"""The same for what has outlasted a throw, five times as long. A convention: dice are never left lying for so long, and
a real one that later falls on the place with the same face up would not be counted."""


OUTLASTED_OWN = 2
"""Throws that a die which was itself thrown must outlast: the opponent's pair may well lie there during one."""


class Origin(Enum):
    """How the referee came to know of a false_die."""

    THROWN = "thrown"
    """It belonged to a throw that was ruled on."""
    ALONE = "alone"
    """It lay on the board alone for a while; so does half of a throw, when the reader misses the other half."""
    BESIDE = "beside"
    """It lay there before any throw, or beside the dice of one."""


class Placed(Protocol):
    """Whatever has a place on the board."""

    @property
    def u(self) -> float:
        """Fraction of the surface along the rails."""
        ...

    @property
    def v(self) -> float:
        """Fraction of the surface from the near side to the far one."""
        ...


@dataclass(frozen=True, slots=True)
class FalseDie:
    """A find that may be no die of a throw; place in fractions of the surface."""

    u: float
    v: float
    faces: frozenset[int]
    origin: Origin
    outlasted: int = 0
    """Throws that were ruled on while it lay there."""
    unseen: int = 0
    """Looks since it was last seen."""

    def at(self, other: Placed) -> bool:
        """Whether ``other`` lies in its place."""
        return hypot(self.u - other.u, self.v - other.v) < SAME_PLACE

    @property
    def certain(self) -> bool:
        """Whether what shows one of its faces in its place is no die of a throw."""
        return self.origin is Origin.BESIDE or self.outlasted >= OUTLASTED_OWN

    @property
    def doubtful(self) -> bool:
        """Whether what lies in its place may be it, whatever it shows: a carving shows now this face, now that."""
        needed = {Origin.ALONE: 0, Origin.BESIDE: 1, Origin.THROWN: OUTLASTED_OWN}
        return self.outlasted >= needed[self.origin]

    @property
    def forgotten(self) -> bool:
        """Whether it has not been seen for so long that something else may lie there."""
        return self.unseen > (LOOKS_REMEMBERED if self.outlasted else LOOKS_FORGOTTEN)


FalseDice = tuple[FalseDie, ...]


def top_face(die: DieSeen) -> int:
    """The face that one look most likely shows."""
    return 1 + max(range(6), key=die.faces.__getitem__)


def may_be_thrown(dice: Iterable[DieSeen], false_dice: FalseDice) -> tuple[DieSeen, ...]:
    """The dice of a look that are not known for false_dice."""
    known = [false_die for false_die in false_dice if false_die.certain]
    return tuple(
        die for die in dice if not any(false_die.at(die) and top_face(die) in false_die.faces for false_die in known)
    )


def may_roll(dice: Iterable[DieSeen], false_dice: FalseDice) -> tuple[DieSeen, ...]:
    """The dice of a moving frame that may be rolling or have just stopped: none where a false_die may be."""
    known = [false_die for false_die in false_dice if false_die.certain or false_die.doubtful]
    return tuple(die for die in dice if not any(false_die.at(die) for false_die in known))


def after_look(false_dice: FalseDice, dice: Iterable[DieSeen]) -> FalseDice:
    """The false_dice after one more look at the whole board."""
    seen = list(dice)
    looked = (
        replace(false_die, unseen=0 if any(false_die.at(die) for die in seen) else false_die.unseen + 1)
        for false_die in false_dice
    )
    return tuple(false_die for false_die in looked if not false_die.forgotten)


def noted(false_dice: FalseDice, find: Placed, face: int, origin: Origin) -> FalseDice:
    """The false_dice with ``find`` among them; one known already may have shown another face."""
    known = next((false_die for false_die in false_dice if false_die.at(find)), None)
    if known is None:
        return (*false_dice, FalseDie(find.u, find.v, frozenset({face}), origin))
    surer = Origin.BESIDE if Origin.BESIDE in {origin, known.origin} else known.origin
    again = replace(known, faces=known.faces | {face}, origin=surer)
    return tuple(again if false_die is known else false_die for false_die in false_dice)


def after_throw(false_dice: FalseDice, dice: Iterable[Placed]) -> FalseDice:
    """The false_dice when a throw of ``dice`` has been ruled on: those that lie there still have outlasted it."""
    thrown = list(dice)
    return tuple(
        replace(false_die, outlasted=false_die.outlasted + 1)
        if false_die.unseen == 0 and not any(false_die.at(die) for die in thrown)
        else false_die
        for false_die in false_dice
    )


APART = 72.0
"""Distance in BGR (0..255 each) from which two pairs are told apart.

In the rendered sequences 129 of 130 readings of a die lie within 24 of their pair's mean, over the whole board and its
shadows; a red pair is 261 from a white one. Three times the former keeps one pair in two lights from passing for two.
"""


NEARER = 2.0
"""How many times nearer to one pair's colour than to the other's a die of that pair is. At the least distance of two
dice_colours a reading that strays by 24 is still known: 24 against 48."""


@dataclass(frozen=True, slots=True)
class DiceColours:
    """The colour of the dice that each side threw last; None while none has counted, or no colour was read."""

    white: Colour | None = None
    black: Colour | None = None

    def thrown(self, side: Side, colour: Colour | None) -> "DiceColours":
        """The colours after a throw of ``side`` that counted."""
        if colour is None:
            return self
        return DiceColours(colour, self.black) if side is Side.WHITE else DiceColours(self.white, colour)

    def owner(self, colour: Colour | None) -> Side | None:
        """Whose die has ``colour``; None where nobody knows."""
        if colour is None or self.white is None or self.black is None or dist(self.white, self.black) < APART:
            return None
        to_white, to_black = dist(colour, self.white), dist(colour, self.black)
        if NEARER * to_white <= to_black:
            return Side.WHITE
        return Side.BLACK if NEARER * to_black <= to_white else None
