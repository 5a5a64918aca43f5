"""Rolls, the steps of single checkers and the plays they make up."""

import re
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from controller.rules.game import NotationError, Point, RollError


@dataclass(frozen=True, slots=True)
class Roll:
    """Two dice as thrown, larger first; doubles are played four times."""

    high: int
    low: int
    double: bool = field(init=False, repr=False, compare=False)
    """Whether both dice show the same."""
    dice: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """The numbers to play, the larger first: two, or four for a double."""

    def __post_init__(self) -> None:
        if not (type(self.high) is int and type(self.low) is int and 1 <= self.low <= self.high <= 6):
            msg = f"a roll needs 6 >= high >= low >= 1, got high={self.high!r}, low={self.low!r}"
            raise RollError(msg)
        object.__setattr__(self, "double", self.high == self.low)
        object.__setattr__(self, "dice", (self.high,) * 4 if self.double else (self.high, self.low))

    @classmethod
    def of(cls, a: int, b: int) -> "Roll":
        """Return the roll of two dice in either order."""
        try:
            return cls(max(a, b), min(a, b))
        except TypeError:
            msg = f"a roll is two whole numbers, got {a!r} and {b!r}"
            raise RollError(msg) from None

    @classmethod
    def parse(cls, text: str) -> "Roll":
        """Read ``6-5``, ``65`` or ``6:5``; raises RollError.

        >>> Roll.parse("3-5")
        Roll(high=5, low=3)
        """
        digits = [letter for letter in text if letter not in "-: ,x"]
        if len(digits) != 2 or not all(digit in "0123456789" for digit in digits):
            msg = f"a roll is written like 6-5, got {text!r}"
            raise RollError(msg)
        return cls.of(int(digits[0]), int(digits[1]))

    def __str__(self) -> str:
        return f"{self.high}-{self.low}"


ALL_ROLLS = tuple(Roll(high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 different rolls."""

BAR = Point(25)
"""Source of a checker that enters."""
OFF = Point(0)
"""Target of a checker that is borne off."""
PASSES = frozenset({"", "-", "pass", "пас"})
"""How a turn without a move is written, in small letters."""
_BAR_NAME = "bar"
_OFF_NAME = "off"


def place_name(place: Point) -> str:
    """Return how ``place`` is written: 24..1, ``bar`` or ``off``."""
    return _BAR_NAME if place == BAR else _OFF_NAME if place == OFF else str(place)


class Step(NamedTuple):
    """One checker by one die: from ``source`` (25 is the bar) to ``target`` (0 is off)."""

    source: Point
    target: Point
    hit: bool = False

    def __str__(self) -> str:
        return f"{place_name(self.source)}/{place_name(self.target)}{'*' if self.hit else ''}"


class Play(NamedTuple):
    """The steps of one turn in an order in which they can be made; a pass has none.

    >>> str(Play((Step(24, 18), Step(13, 9, hit=True))))
    '24/18 13/9*'
    >>> str(Play(()))
    'pass'
    """

    steps: tuple[Step, ...] = ()

    def __str__(self) -> str:
        parts = []
        for step, group in groupby(self.steps):
            times = len(list(group))
            parts.append(f"{step}({times})" if times > 1 else str(step))
        return " ".join(parts) or "pass"

    @classmethod
    def parse(cls, text: str) -> "Play":
        """Read moves such as ``24/18 13/9*``, ``bar/20``, ``6/off(2)``, ``24/18*/13``, ``25/21 4/0`` or ``pass``.

        A checker that is written with one slash over two dice stays one step.
        Raises NotationError that quotes ``text``.

        >>> Play.parse("bar/20* 6/off(2)").steps[0]
        Step(source=25, target=20, hit=True)
        """
        if text.strip().lower() in PASSES:
            return cls(())
        steps: list[Step] = []
        for word in text.split():
            steps.extend(_steps(word, text))
        if len(steps) > _MOST_STEPS:
            msg = f"a play has at most {_MOST_STEPS} steps, got {len(steps)} in {text!r}"
            raise NotationError(msg)
        return cls(tuple(steps))


_MOST_STEPS = 24
"""Of the doubles cascade of crazy nardy; elsewhere four."""
_WORD = re.compile(r"(?P<path>[0-9a-z]+\*?(?:/[0-9a-z]+\*?)+)(?:\((?P<times>[0-9]{1,2})\))?", re.IGNORECASE)


def _point(name: str, text: str) -> Point:
    lowered = name.lower()
    if lowered == _BAR_NAME:
        return BAR
    if lowered == _OFF_NAME:
        return OFF
    if re.fullmatch("[0-9]{1,2}", name) and int(name) <= BAR:
        return Point(int(name))
    msg = f"a place is bar, 24..1 or off, got {name!r} in {text!r}"
    raise NotationError(msg)


def _steps(word: str, text: str) -> list[Step]:
    match = _WORD.fullmatch(word)
    if not match:
        msg = f"a move is written like 24/18, bar/20*, 6/off or 8/5(2), got {word!r} in {text!r}"
        raise NotationError(msg)
    stops = match["path"].split("/")
    points = [_point(stop.removesuffix("*"), text) for stop in stops]
    if any(points[i] <= points[i + 1] for i in range(len(points) - 1)):
        msg = f"checkers move from high to low numbers, got {word!r} in {text!r}"
        raise NotationError(msg)
    chain = [Step(points[i], points[i + 1], stops[i + 1].endswith("*")) for i in range(len(points) - 1)]
    return chain * int(match["times"] or 1)
