"""The opening throw: who begins, with what dice and with which colour."""

from dataclasses import dataclass

from controller.rules.cube import Cube
from controller.rules.errors import RollError
from controller.rules.game import Side
from controller.rules.play import Roll
from controller.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Tie:
    """Equal dice: both throw again, with the cube as it is now."""

    cube: Cube


@dataclass(frozen=True, slots=True)
class Started:
    """The higher die begins."""

    starter: Side
    roll: Roll | None
    """The roll that is played at once, or None when the starter throws both dice anew."""
    swap_colours: bool
    """Whether the players change colours first, so that the higher die has white; ``starter`` is the new colour."""


def opening(white_die: int, black_die: int, ruleset: Ruleset, cube: Cube | None = None) -> Tie | Started:
    """Return what one die of each side decides (000 line 121; 003 line 13; 004 line 5).

    Raises RollError for a die that does not show 1..6.
    """
    roll = Roll.of(white_die, black_die)
    if roll.double:
        return Tie((cube or Cube()).tied(ruleset))
    starter = Side.WHITE if white_die > black_die else Side.BLACK
    swap = ruleset.colour_by_throw and starter is Side.BLACK
    played = roll if ruleset.opening_dice == "use" else None
    return Started(Side.WHITE if swap else starter, played, swap)


def presses_first(white_die: int, black_die: int) -> Side:
    """Return who starts the clocks after the opening throw: the lower die (Unified clock rules 3.3)."""
    if white_die == black_die:
        msg = f"a tie starts no clock, got {white_die} and {black_die}"
        raise RollError(msg)
    return Side.WHITE if white_die < black_die else Side.BLACK
