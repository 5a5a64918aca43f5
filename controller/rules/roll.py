"""A roll of two dice."""

from dataclasses import dataclass, field

from controller.rules.errors import RollError


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
