"""What the arbiter can order: one closed list. An order never rewrites the record: it is an event like any other.

Each order is registered once, in ``Order``; ``verb`` is its name in the journal and on the wire, where its keys are the
fields below (``controller.adapters.mqtt.commands`` derives models and schema from them).
"""

from dataclasses import dataclass
from typing import Literal, NewType

from controller.clock import Millis
from controller.rules import Kind, Position, Score, Side

Face = NewType("Face", int)
"""A number on a die, 1 to 6."""
RulingNumber = NewType("RulingNumber", int)
"""The number of a ruling of this match, from 1."""
HypothesisNumber = NewType("HypothesisNumber", int)
"""A hypothesis of a ruling on a play, 0 being the likeliest."""


class OrderRefusedError(ValueError):
    """An order that cannot be carried out now; the argument is the key of the reason in the text catalogue."""


@dataclass(frozen=True, slots=True)
class Start:
    """The board is set up, whatever the camera says: the match, or its next game, begins."""

    verb: Literal["start"] = "start"


@dataclass(frozen=True, slots=True)
class Undo:
    """The last finished turn is taken back: its mover plays the same roll again."""

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


Order = (
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
    | SetClock
    | SetScore
    | Late
    | Resign
    | Double
    | Take
    | Beaver
    | Pass
)
