"""The frame around the games: who begins, what a match stands at, its Crawford game and its end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from controller.rules.cube import Cube
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
    takes_white: bool
    """Whether the starter also gets the white checkers (003 line 13); else each side keeps its own."""


def opening(white_die: int, black_die: int, ruleset: Ruleset, cube: Cube) -> Tie | Started:
    """Return what one die of each side decides (000 line 121; 003 line 13; 004 line 5).

    Raises RollError for a die that does not show 1..6.
    """
    roll = Roll.of(white_die, black_die)
    if roll.double:
        return Tie(cube.tied(ruleset))
    starter = Side.WHITE if white_die > black_die else Side.BLACK
    return Started(starter, roll if ruleset.opening_dice == "use" else None, ruleset.colour_by_throw)


@dataclass(frozen=True, slots=True)
class Played:
    """What the next game has to know of the one before it: who started and who won, None being a draw."""

    starter: Side | None
    winner: Side | None


def first_to_move(ruleset: Ruleset, before: Played | None) -> Side | Literal["throw", "random"]:
    """Return who begins a game after ``before`` (None: it is the first), or how that is found out.

    Where the result would decide, a draw is followed by a throw (matrix 9.9). With ``swap_black`` each player keeps the
    seat and takes the other set, and the former second player starts (003 line 15).
    """
    if before is None:
        return ruleset.first_mover
    match ruleset.next_start:
        case "throw" | "random" as how:
            return how
        case _ if before.winner is None:
            return "throw"
        case "winner":
            return before.winner
        case "loser":
            return before.winner.other
        case "swap_black":
            return "throw" if before.starter is None else before.starter.other


class Score(NamedTuple):
    """The points of both seats; a player keeps the seat through a match."""

    white: int = 0
    black: int = 0

    def of(self, side: Side) -> int:
        """Return the points of ``side``."""
        return self.white if side is Side.WHITE else self.black

    def plus(self, side: Side | None, points: int) -> "Score":
        """Return the score with ``points`` more for ``side``; a draw (None) changes nothing.

        A match runs past its length with its last game: the surplus is recorded (000 line 104).
        """
        if side is None:
            return self
        return self._replace(**{side.value: self.of(side) + points})


def match_winner(ruleset: Ruleset, score: Score) -> Side | None:
    """Return who has won the match or the single game; a money session has no winner.

    >>> from controller.rules import ruleset
    >>> match_winner(ruleset("long-classic"), Score(4, 2))
    <Side.WHITE: 'white'>
    """
    enough = {"match": ruleset.length, "single": 1, "money": 0}[ruleset.play]
    if not enough or max(score) < enough:
        return None
    return Side.WHITE if score.white > score.black else Side.BLACK


def match_over(ruleset: Ruleset, score: Score) -> bool:
    """Whether no game follows one that left ``score``; a drawn single game is over without a winner."""
    return ruleset.play == "single" or match_winner(ruleset, score) is not None


def crawford_game(ruleset: Ruleset, scores: Sequence[Score]) -> bool:
    """Whether the last of ``scores``, at which the games of a match began, makes its game the Crawford game.

    That is the first game in which a side needs one more point: nobody may double (004 line 45).
    """
    if not ruleset.crawford or not scores:
        return False
    *earlier, now = scores
    near = ruleset.length - 1
    return near in now and not any(near in score for score in earlier)
