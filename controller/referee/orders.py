"""What the arbiter can order. An order never rewrites the record: it is an event like any other."""

from dataclasses import dataclass
from typing import Literal

from controller.clock import Millis
from controller.rules import Position, Side


class OrderRefusedError(ValueError):
    """An order that cannot be carried out now; the argument is the key of the reason in the text catalogue."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """Let the play or throw of a ruling count: story number ``story`` of a play (0 is the likeliest)."""

    ruling: int
    story: int = 0
    verb: Literal["confirm"] = "confirm"


@dataclass(frozen=True, slots=True)
class Refuse:
    """A play does not stand: the mover plays the same roll again from the position before. A throw is void."""

    ruling: int
    verb: Literal["refuse"] = "refuse"


@dataclass(frozen=True, slots=True)
class Begin:
    """The board is set up, whatever the camera says."""

    verb: Literal["begin"] = "begin"


@dataclass(frozen=True, slots=True)
class Undo:
    """The last finished turn is taken back: its mover plays the same roll again."""

    verb: Literal["undo"] = "undo"


@dataclass(frozen=True, slots=True)
class Correct:
    """The board is as given (in White's own numbering), with ``turn`` to throw."""

    position: Position
    turn: Side
    verb: Literal["correct"] = "correct"


@dataclass(frozen=True, slots=True)
class SetRoll:
    """The throw counts as these two numbers, also where it was read otherwise; in the opening the first is White's."""

    first: int
    second: int
    verb: Literal["set_roll"] = "set_roll"


@dataclass(frozen=True, slots=True)
class VoidThrow:
    """The throw does not count; both dice are thrown again."""

    verb: Literal["void_throw"] = "void_throw"


@dataclass(frozen=True, slots=True)
class CallKestum:
    """``side`` says kestum: the throw that rolls is void, if none of its dice has stopped."""

    side: Side
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
    """Reserves in milliseconds, set by the arbiter."""

    white_ms: Millis
    black_ms: Millis
    verb: Literal["set_clock"] = "set_clock"


@dataclass(frozen=True, slots=True)
class SetScore:
    """The match score as the arbiter says it is."""

    white: int
    black: int
    verb: Literal["set_score"] = "set_score"


@dataclass(frozen=True, slots=True)
class Resign:
    """``side`` gives up the game, conceding ``points`` times the cube."""

    side: Side
    kind: str
    verb: Literal["resign"] = "resign"


@dataclass(frozen=True, slots=True)
class Double:
    """``side`` offers the cube."""

    side: Side
    verb: Literal["double"] = "double"


@dataclass(frozen=True, slots=True)
class Take:
    """The offered cube is taken."""

    side: Side
    verb: Literal["take"] = "take"


@dataclass(frozen=True, slots=True)
class Drop:
    """The offered cube is passed and the game lost at the value before."""

    side: Side
    verb: Literal["pass"] = "pass"


Order = (
    Begin
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
    | Resign
    | Double
    | Take
    | Drop
)
