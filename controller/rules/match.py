"""The score of a match, a money session or a single game."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Literal

from controller.rules.errors import RulesError
from controller.rules.game import Side
from controller.rules.result import GameResult
from controller.rules.ruleset import Ruleset


class Player(Enum):
    """A player through all games; the first sits at white in the first game, colours may change later."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> "Player":
        """The opponent."""
        return Player.SECOND if self is Player.FIRST else Player.FIRST


class Crawford(Enum):
    """Where a match stands with its Crawford game, the one without the cube (004 line 45)."""

    BEFORE = "before"
    NOW = "now"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class NextStart:
    """Who begins the next game: ``side`` if it is settled, else by ``how``."""

    how: Literal["throw", "random", "settled"]
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class MatchScore:
    """Points of both players (``Player.FIRST``, ``Player.SECOND``) and what the next game needs to know."""

    ruleset: Ruleset
    points: tuple[int, int] = (0, 0)
    games: int = 0
    """Games played, draws too."""
    white: Player = Player.FIRST
    """Who has white in the game to come."""
    crawford: Crawford = Crawford.BEFORE
    next_start: NextStart = NextStart("throw")

    @classmethod
    def new(cls, ruleset: Ruleset) -> "MatchScore":
        """Return the score before the first game."""
        return cls(ruleset, next_start=NextStart(ruleset.first_mover))

    def player(self, side: Side) -> Player:
        """Return who sits at ``side`` in the game to come."""
        return self.white if side is Side.WHITE else self.white.other

    def side(self, player: Player) -> Side:
        """Return the side of ``player`` in the game to come."""
        return Side.WHITE if player is self.white else Side.BLACK

    def of(self, side: Side) -> int:
        """Return the points of who sits at ``side``."""
        return self.points[self.player(side).value]

    def away(self, side: Side) -> int:
        """Return the points that ``side`` still needs; 0 outside a match."""
        return max(0, self.ruleset.length - self.of(side)) if self.ruleset.play == "match" else 0

    @property
    def crawford_game(self) -> bool:
        """Whether the game to come is played without the cube."""
        return self.crawford is Crawford.NOW

    @property
    def winner(self) -> Player | None:
        """Who has won the match or the single game; a money session has no winner."""
        first, second = self.points
        enough = {"match": self.ruleset.length, "single": 1, "money": 0}[self.ruleset.play]
        if not enough or max(first, second) < enough:
            return None
        return Player.FIRST if first > second else Player.SECOND

    @property
    def over(self) -> bool:
        """Whether no game follows; a drawn single game is over without a winner."""
        return self.winner is not None or (self.ruleset.play == "single" and self.games > 0)

    def seated(self, white: Player) -> "MatchScore":
        """Return the score with ``white`` at white, as an opening throw for the colours may decide."""
        return replace(self, white=white)

    def after(self, winner: Side | None, result: GameResult) -> "MatchScore":
        """Return the score after a game that ``winner`` won, or None drew.

        A match runs past its length with its last game; the surplus is recorded (000 line 104).
        Raises RulesError if the match is over or a draw has points.
        """
        if self.over:
            msg = f"the match is over at {self.points[0]}:{self.points[1]}"
            raise RulesError(msg)
        if (winner is None) != (result.points == 0):
            msg = f"a draw is worth 0 points and a win is not, got {winner} with {result.points}"
            raise RulesError(msg)
        scored = self if winner is None else self.awarded(winner, result.points)
        after_crawford = Crawford.AFTER if self.crawford_game else scored.crawford
        swap = self.ruleset.next_start == "swap_black"
        return replace(
            scored,
            games=self.games + 1,
            white=self.white.other if swap else self.white,
            crawford=after_crawford,
            next_start=self._next_start(winner),
        )

    def awarded(self, side: Side, points: int) -> "MatchScore":
        """Return the score with ``points`` more for ``side``: a won game or the opponent's penalty."""
        first, second = self.points
        if self.player(side) is Player.FIRST:
            first += points
        else:
            second += points
        due = self.ruleset.crawford and self.crawford is Crawford.BEFORE
        crawford = Crawford.NOW if due and max(first, second) == self.ruleset.length - 1 else self.crawford
        return replace(self, points=(first, second), crawford=crawford)

    def _next_start(self, winner: Side | None) -> NextStart:
        """Return who begins; after a draw, where the result would decide, a new throw does (matrix 9.9)."""
        match self.ruleset.next_start:
            case "throw" | "random" as how:
                return NextStart(how)
            case "swap_black":
                # Who had black has white now, and begins (003 line 15).
                return NextStart("settled", Side.WHITE)
            case "winner":
                return NextStart("settled", winner) if winner else NextStart("throw")
            case "loser":
                return NextStart("settled", winner.other) if winner else NextStart("throw")
