"""What the arbiter can order: one closed list. An order never rewrites the record: it is an event like any other.

Each order is registered once, in ``Order``; ``verb`` is its name in the journal and on the wire, where its keys are the
fields below (``controller.adapters.mqtt.commands`` derives models and schema from them).
"""

from dataclasses import dataclass
from enum import Enum
from typing import Literal, NewType

from controller.clock import Millis
from controller.rules import Kind, Position, Score, Side

Face = NewType("Face", int)
"""A number on a die, 1 to 6."""
RulingNumber = NewType("RulingNumber", int)
"""The number of a ruling of this match, from 1."""
HypothesisNumber = NewType("HypothesisNumber", int)
"""A hypothesis of a ruling on a play, 0 being the likeliest."""


class ClaimKind(Enum):
    """What a player's claim or appeal is about."""

    PLAY = "play"
    """The opponent's play was illegal (WBGF 4.2)."""
    THROW = "throw"
    """A throw should have counted, or should not (WBGF 4.1)."""
    RULING = "ruling"
    """An appeal against what the referee has ruled."""
    CLOCK = "clock"
    """Time was lost by a forgotten press, a device or the opponent (CLK13 5.2)."""
    FLAG = "flag"
    """The opponent's flag is down, or the match was won before one's own fell (WBGF 4.3)."""
    NO_CONTACT = "no_contact"
    """The game cannot be lost, or saved, any more: nobody can be hindered (WBGF 4.5)."""
    CUBE = "cube"
    SCORE = "score"
    CONDUCT = "conduct"
    """The opponent's behaviour, or help from outside."""
    OTHER = "other"


class OrderRefusedError(ValueError):
    """An order that cannot be carried out now; the argument is the key of the reason in the text catalogue."""


@dataclass(frozen=True, slots=True)
class Start:
    """The board is set up, whatever the camera says: the match, or its next game, begins."""

    verb: Literal["start"] = "start"


@dataclass(frozen=True, slots=True)
class Undo:
    """The last is taken back: an order given since the last finished turn, else that turn, with its roll to play."""

    verb: Literal["undo"] = "undo"


@dataclass(frozen=True, slots=True)
class Confirm:
    """Let the play or throw of a ruling count; ``hypothesis`` is the number of what was played."""

    ruling: RulingNumber
    hypothesis: HypothesisNumber = HypothesisNumber(0)
    verb: Literal["confirm"] = "confirm"


@dataclass(frozen=True, slots=True)
class Refuse:
    """A play does not stand: the mover plays the same roll again from the position before. A throw is void."""

    ruling: RulingNumber
    verb: Literal["refuse"] = "refuse"


@dataclass(frozen=True, slots=True)
class Correct:
    """The board is as given (in White's own numbering), with ``turn`` to throw; without it turn and roll stay."""

    position: Position
    turn: Side | None = None
    verb: Literal["correct"] = "correct"


@dataclass(frozen=True, slots=True)
class SetRoll:
    """The throw counts as these two numbers, also where it was read otherwise; in the opening the first is White's."""

    roll: tuple[Face, Face]
    verb: Literal["set_roll"] = "set_roll"


@dataclass(frozen=True, slots=True)
class VoidThrow:
    """The throw does not count; both dice are thrown again."""

    verb: Literal["void_throw"] = "void_throw"


@dataclass(frozen=True, slots=True)
class CallKestum:
    """``side``, else the thrower's opponent, says kestum: the throw is void if none of its dice has stopped."""

    side: Side | None = None
    verb: Literal["kestum"] = "kestum"


@dataclass(frozen=True, slots=True)
class Pause:
    """Both clocks stop."""

    verb: Literal["pause"] = "pause"


@dataclass(frozen=True, slots=True)
class Resume:
    """The clock that was running runs on."""

    verb: Literal["resume"] = "resume"


@dataclass(frozen=True, slots=True)
class SetClock:
    """Reserves in milliseconds, set by the arbiter; None leaves a side's clock as it is."""

    white_ms: Millis | None = None
    black_ms: Millis | None = None
    verb: Literal["set_clock"] = "set_clock"


@dataclass(frozen=True, slots=True)
class SetScore:
    """The match score as the arbiter says it is."""

    score: Score
    verb: Literal["set_score"] = "set_score"


@dataclass(frozen=True, slots=True)
class Late:
    """``side`` came ``by_ms`` after the match should have begun: the opponent gets the points that this costs (Q22)."""

    side: Side
    by_ms: Millis
    verb: Literal["late"] = "late"


@dataclass(frozen=True, slots=True)
class Resign:
    """``side`` gives up the game as the loss named by ``kind``."""

    side: Side
    kind: Kind = Kind.OIN
    verb: Literal["resign"] = "resign"


@dataclass(frozen=True, slots=True)
class Double:
    """``side`` offers the cube."""

    side: Side
    verb: Literal["double"] = "double"


@dataclass(frozen=True, slots=True)
class Take:
    """The offered cube is taken."""

    verb: Literal["take"] = "take"


@dataclass(frozen=True, slots=True)
class Beaver:
    """The offered cube is turned once more and kept: the doubler takes at twice the stake, or passes (004:L53)."""

    verb: Literal["beaver"] = "beaver"


@dataclass(frozen=True, slots=True)
class Pass:
    """The offered cube is passed and the game lost at the value before."""

    verb: Literal["pass"] = "pass"


@dataclass(frozen=True, slots=True)
class AwardGame:
    """The game goes to ``side``, won as ``kind`` says: the opponent forfeits it, or it is adjudicated."""

    side: Side
    kind: Kind = Kind.OIN
    verb: Literal["award_game"] = "award_game"


@dataclass(frozen=True, slots=True)
class AwardMatch:
    """The match goes to ``side``: the opponent forfeits it, or is disqualified."""

    side: Side
    verb: Literal["award_match"] = "award_match"


@dataclass(frozen=True, slots=True)
class Draw:
    """The game is drawn, by agreement or by adjudication, where the ruleset knows a draw."""

    verb: Literal["draw"] = "draw"


@dataclass(frozen=True, slots=True)
class Warn:
    """``side`` is warned; the warnings of a match are counted."""

    side: Side
    verb: Literal["warn"] = "warn"


@dataclass(frozen=True, slots=True)
class Penalise:
    """``side`` is penalised: the opponent gets ``points``."""

    side: Side
    points: int = 1
    verb: Literal["penalise"] = "penalise"


@dataclass(frozen=True, slots=True)
class TakeBreak:
    """``side`` takes a break; both clocks stop until the match is resumed."""

    side: Side
    verb: Literal["take_break"] = "take_break"


@dataclass(frozen=True, slots=True)
class SetLength:
    """The match is played to ``points``; reserves stay as they are."""

    points: int
    verb: Literal["set_length"] = "set_length"


@dataclass(frozen=True, slots=True)
class IntroduceClock:
    """A clock comes in before a game; without ``reserve_ms`` each side gets what the formula gives at this score.

    Without ``delay_ms`` the delay is the ruleset's own, or 12 s.
    """

    reserve_ms: Millis | None = None
    delay_ms: Millis | None = None
    verb: Literal["introduce_clock"] = "introduce_clock"


@dataclass(frozen=True, slots=True)
class Adjourn:
    """The match is put aside with its clocks; the board may be cleared. ``resume`` takes it up again."""

    verb: Literal["adjourn"] = "adjourn"


@dataclass(frozen=True, slots=True)
class Swap:
    """Exchange what two players have.

    ``seats``: they change seats between games and keep points, time, breaks and warnings. ``colours``: they change
    sets between games. ``names``: they were entered the wrong way round; nothing else changes.
    """

    what: Literal["seats", "colours", "names"]
    verb: Literal["swap"] = "swap"


@dataclass(frozen=True, slots=True)
class SetTurn:
    """It is the turn of ``side``, to throw; the position stays."""

    side: Side
    verb: Literal["set_turn"] = "set_turn"


@dataclass(frozen=True, slots=True)
class SetCube:
    """The cube shows ``value`` and belongs to ``owner``, or to nobody."""

    value: int
    owner: Side | None = None
    verb: Literal["set_cube"] = "set_cube"


@dataclass(frozen=True, slots=True)
class Claim:
    """``side`` claims something or appeals, perhaps against a ``ruling``; both clocks stop until it is answered."""

    side: Side
    about: ClaimKind
    ruling: RulingNumber | None = None
    verb: Literal["claim"] = "claim"


@dataclass(frozen=True, slots=True)
class AnswerClaim:
    """The arbiter's answer to the open claim; what follows from it is ordered by itself."""

    granted: bool
    verb: Literal["answer_claim"] = "answer_claim"


OrderOfPlay = (
    Start
    | Undo
    | Confirm
    | Refuse
    | Correct
    | SetRoll
    | VoidThrow
    | CallKestum
    | Pause
    | Resume
    | Resign
    | Double
    | Take
    | Beaver
    | Pass
    | SetTurn
    | SetCube
)
"""Orders about the game under way."""
OrderOfMatch = (
    SetClock
    | SetScore
    | SetLength
    | IntroduceClock
    | Late
    | Warn
    | Penalise
    | AwardGame
    | AwardMatch
    | Draw
    | TakeBreak
    | Adjourn
    | Swap
    | Claim
    | AnswerClaim
)
"""Orders about the match and its players."""
Order = OrderOfPlay | OrderOfMatch
