"""A played match as the exports need it: what stood at the end, with the throws and rulings on the way.

It knows neither journal nor referee; whoever has a match in another shape makes one of these.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from controller.locale import LocalizedError
from controller.rules import Game, Score, Side


class ExportError(LocalizedError, ValueError):
    """The match cannot be written in the wanted format; the message says why."""


class CubeAction(Enum):
    """What a side did about the doubling cube."""

    DOUBLE = "double"
    BEAVER = "beaver"
    TAKE = "take"
    PASS = "pass"  # noqa: S105 - a double is passed


@dataclass(frozen=True, slots=True)
class RulingNote:
    """A ruling on the way to a turn's end: its verdict, the reason and who ruled.

    ``reason`` names the faults, parted by ", ", or what made a throw void; ``source`` is where ``clause`` stands.
    """

    verdict: str
    reason: str = ""
    clause: str = ""
    source: str = ""
    judge: str = "referee"


@dataclass(frozen=True, slots=True)
class ClockTimes:
    """Both reserves after a turn, milliseconds."""

    white_ms: int
    black_ms: int


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One turn: the roll that counted, the play that stood in the mover's numbering, and what was ruled.

    ``notation`` is as in ``controller.rules.Play``, die by die ("24/18 13/9*", "pass"), and empty where nobody can say
    by what steps the checkers came ``after``; ``voids`` are the reasons for which throws before the roll did not count.
    ``roll`` is None where a closed-out player pressed without throwing. ``before`` and ``after`` are positions in the
    mover's numbering as ``Position.compact`` writes them, empty where a record was made without them.
    """

    side: Side
    roll: tuple[int, int] | None
    notation: str
    verdict: str = "accepted"
    voids: tuple[str, ...] = ()
    rulings: tuple[RulingNote, ...] = ()
    times: ClockTimes | None = None
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class OrderRecord:
    """What the arbiter ordered and why; ``details`` are the parts of the order as (name, value).

    Positions among them are White's and written as ``Position.compact`` does, times are milliseconds.
    """

    verb: str
    who: str
    note: str = ""
    details: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CubeRecord:
    """An action about the cube; ``value`` is what the cube shows if it is taken."""

    side: Side
    action: CubeAction
    value: int


@dataclass(frozen=True, slots=True)
class GameEnd:
    """How a game ended: ``winner`` None is a draw; ``kind`` as in ``controller.rules`` ("oin", "mars"...)."""

    winner: Side | None
    kind: str
    points: int


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game; ``score`` (White's, Black's) is the one it began at, ``openings`` are (White's die, Black's).

    ``turns`` has cube actions and orders in their places among the turns.
    """

    number: int
    score: Score
    starter: Side | None = None
    openings: tuple[tuple[int, int], ...] = ()
    opening_voids: tuple[str, ...] = ()
    turns: tuple[TurnRecord | CubeRecord | OrderRecord, ...] = ()
    end: GameEnd | None = None
    crawford: bool = False
    penalty: Score = field(default_factory=Score)
    """Points that were awarded while it was played, for a fallen flag."""
    after: Score | None = None
    """The score once it was over, or now, where that does not follow: the arbiter may have set it meanwhile."""

    @property
    def numbered(self) -> Iterator[tuple[int | None, TurnRecord | CubeRecord | OrderRecord]]:
        """All entries, turns with their numbers from 1 in the game: those that pages and panels show."""
        number = 0
        for entry in self.turns:
            if isinstance(entry, TurnRecord):
                number += 1
                yield number, entry
            else:
                yield None, entry

    @property
    def score_after(self) -> Score:
        """White's and Black's points once this game is over, or now."""
        if self.after is not None:
            return self.after
        score = self.score.plus(Side.WHITE, self.penalty.white).plus(Side.BLACK, self.penalty.black)
        return score.plus(self.end.winner, self.end.points) if self.end else score


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match, finished or not; ``length`` in points, 0 where games are played for points without end.

    ``date`` is an ISO date; ``place`` names club and board.
    """

    game: Game
    ruleset: str
    length: int
    white: str
    black: str
    games: tuple[GameRecord, ...] = ()
    date: str = ""
    place: str = ""
    crawford_rule: bool = False
    winner: Side | None = None
    """Who has won the match, also by the other's fallen flag."""

    @property
    def score(self) -> Score:
        """White's and Black's points now."""
        return self.games[-1].score_after if self.games else Score()

    def player(self, side: Side) -> str:
        """Return the name of who plays ``side``."""
        return self.white if side is Side.WHITE else self.black
