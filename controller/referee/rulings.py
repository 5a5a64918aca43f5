"""What the referee says, and why. A ruling is a value: the panel, the feed and the record all show the same one."""

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from controller.clock import Millis
from controller.fusion.hypotheses import Hypothesis
from controller.referee.dice import VoidReason
from controller.referee.events import DieState, Half
from controller.rules import Fault, Game, Play, Position, Side


class PlayVerdict(Enum):
    """The three ends of a turn."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    PLEASE_LOOK = "please_look"


class ThrowOutcome(Enum):
    """The three ends of a throw."""

    VALID = "valid"
    RE_ROLL = "re_roll"
    PLEASE_LOOK = "please_look"


class Judge(Enum):
    """Who ruled."""

    REFEREE = "referee"
    ARBITER = "arbiter"


@dataclass(frozen=True, slots=True)
class PlayRuling:
    """The ruling on a finished turn; positions are in the mover's own numbering."""

    number: int
    at: Millis
    side: Side
    roll: tuple[int, int]
    verdict: PlayVerdict
    judge: Judge
    before: Position
    after: Position
    play: Play | None
    """The play that was made, if it stands; None where it does not, or nobody can say by what steps."""
    faults: tuple[Fault, ...] = ()
    would_be_legal: tuple[Play, ...] = ()
    hypotheses: tuple[Hypothesis, ...] = ()
    """The likeliest first."""
    kind: Literal["play"] = "play"

    def white_after(self, game: Game) -> Position:
        """The position that was ruled on, in White's own numbering."""
        return self.after.seen_by(self.side, game)


@dataclass(frozen=True, slots=True)
class DieAtRest:
    """Where a die of a ruling lies (fractions of the surface) and what it most probably shows."""

    u: float
    v: float
    face: int
    probability: float
    state: DieState
    half: Half


@dataclass(frozen=True, slots=True)
class ThrowRuling:
    """The ruling on a throw; ``side`` None is the opening throw, whose first number is White's."""

    number: int
    at: Millis
    side: Side | None
    outcome: ThrowOutcome
    judge: Judge
    values: tuple[int, int] | None
    reason: VoidReason | None
    dice: tuple[DieAtRest, ...]
    rethrown: tuple[int, int] | None = None
    """What the dice show that the mover threw once more although ``values`` count."""
    early: bool = False
    """The dice lay there before the opponent had ended the turn before, and count nevertheless."""
    kind: Literal["throw"] = "throw"


Ruling = PlayRuling | ThrowRuling
