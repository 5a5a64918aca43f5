"""What looks like a die but was not thrown: a carved rosette, a hinge's screw, the opponent's pair laid aside. Pure.

Dice are picked up before they are thrown. What lay in the same place before that, or lies there still when the next
throw has been ruled on, is none of the dice of a throw, whatever face a reader sees on it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from math import hypot
from typing import Protocol

from controller.referee.events import DieSeen

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
    """How the referee came to know of a fixture."""

    THROWN = "thrown"
    """It belonged to a throw that was ruled on."""
    ALONE = "alone"
    """It lay on the board alone for a while; so does half of a throw, when the reader misses the other half."""
    BESIDE = "beside"
    """It lay there before any throw, or beside the dice of one."""


class Lies(Protocol):
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
class Fixture:
    """A find that may be no die of a throw; place in fractions of the surface."""

    u: float
    v: float
    faces: frozenset[int]
    origin: Origin
    outlasted: int = 0
    """Throws that were ruled on while it lay there."""
    unseen: int = 0
    """Looks since it was last seen."""

    def at(self, other: Lies) -> bool:
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


Fixtures = tuple[Fixture, ...]


def top_face(die: DieSeen) -> int:
    """The face that one look most likely shows."""
    return 1 + max(range(6), key=die.faces.__getitem__)


def may_be_thrown(dice: Iterable[DieSeen], fixtures: Fixtures) -> tuple[DieSeen, ...]:
    """The dice of a look that are not known for fixtures."""
    known = [fixture for fixture in fixtures if fixture.certain]
    return tuple(
        die for die in dice if not any(fixture.at(die) and top_face(die) in fixture.faces for fixture in known)
    )


def may_roll(dice: Iterable[DieSeen], fixtures: Fixtures) -> tuple[DieSeen, ...]:
    """The dice of a moving frame that may be rolling or have just stopped: none where a fixture may be."""
    known = [fixture for fixture in fixtures if fixture.certain or fixture.doubtful]
    return tuple(die for die in dice if not any(fixture.at(die) for fixture in known))


def after_look(fixtures: Fixtures, dice: Iterable[DieSeen]) -> Fixtures:
    """The fixtures after one more look at the whole board."""
    seen = list(dice)
    looked = (
        replace(fixture, unseen=0 if any(fixture.at(die) for die in seen) else fixture.unseen + 1)
        for fixture in fixtures
    )
    return tuple(fixture for fixture in looked if not fixture.forgotten)


def noted(fixtures: Fixtures, find: Lies, face: int, origin: Origin) -> Fixtures:
    """The fixtures with ``find`` among them; one known already may have shown another face."""
    known = next((fixture for fixture in fixtures if fixture.at(find)), None)
    if known is None:
        return (*fixtures, Fixture(find.u, find.v, frozenset({face}), origin))
    surer = Origin.BESIDE if Origin.BESIDE in {origin, known.origin} else known.origin
    again = replace(known, faces=known.faces | {face}, origin=surer)
    return tuple(again if fixture is known else fixture for fixture in fixtures)


def after_throw(fixtures: Fixtures, dice: Iterable[Lies]) -> Fixtures:
    """The fixtures when a throw of ``dice`` has been ruled on: those that lie there still have outlasted it."""
    thrown = list(dice)
    return tuple(
        replace(fixture, outlasted=fixture.outlasted + 1)
        if fixture.unseen == 0 and not any(fixture.at(die) for die in thrown)
        else fixture
        for fixture in fixtures
    )
