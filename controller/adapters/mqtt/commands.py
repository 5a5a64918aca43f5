"""What an arbiter may tell the referee: one frozen model a verb.

The same JSON goes to ``POST /api/command`` and to the topic ``cmd/<verb>``.
``confirm`` means "this story counts as played", ``refuse`` means "it does not, take it back"; so overruling an accepted
play is ``refuse`` and overruling a refused one is ``confirm``.
"""

import json
from dataclasses import dataclass
from typing import Annotated, Any, Literal
from uuid import uuid4

from pydantic import Field, TypeAdapter, ValidationError

from controller.adapters.mqtt.messages import BoardPosition, Face, Part, ReserveMs, ResignKind, Score, SideName, Texts


class CommandError(ValueError):
    """A command that cannot be read; the text says which key is wrong."""


class Order(Part):
    """What every command carries."""

    id: str = Field(default_factory=lambda: uuid4().hex, max_length=64, description="the same id is obeyed once")
    by: str = Field(default="arbiter", max_length=64, description="who ordered it, for the record")
    note: str = Field(default="", max_length=400, description="why, for the record")


class Start(Order):
    """Begin the match, or its next game when one is over."""

    verb: Literal["start"] = "start"


class Confirm(Order):
    """The ruling's story number ``story`` is what was played or thrown, and it counts."""

    verb: Literal["confirm"] = "confirm"
    ruling: str
    story: Annotated[int, Field(ge=0)] = 0


class Refuse(Order):
    """What the ruling is about does not count: the play is taken back, the throw is thrown again."""

    verb: Literal["refuse"] = "refuse"
    ruling: str


class Correct(Order):
    """The board is to be as given, whatever was seen; ``turn`` says whose turn it is from here."""

    verb: Literal["correct"] = "correct"
    position: BoardPosition
    turn: SideName | None = None


class SetRoll(Order):
    """The throw shows these two numbers."""

    verb: Literal["set_roll"] = "set_roll"
    roll: tuple[Face, Face]


class VoidThrow(Order):
    """The throw does not count; both dice are thrown again."""

    verb: Literal["void_throw"] = "void_throw"


class Kestum(Order):
    """``side``, else the thrower's opponent, says kestum while the dice roll."""

    verb: Literal["kestum"] = "kestum"
    side: SideName | None = None


class Pause(Order):
    """Halt the clock and the refereeing."""

    verb: Literal["pause"] = "pause"


class Resume(Order):
    """Go on where ``pause`` halted."""

    verb: Literal["resume"] = "resume"


class SetClock(Order):
    """Put both reserves at these values."""

    verb: Literal["set_clock"] = "set_clock"
    white_ms: ReserveMs
    black_ms: ReserveMs


class SetScore(Order):
    """Put the match score at these points."""

    verb: Literal["set_score"] = "set_score"
    score: Score


class Resign(Order):
    """``side`` gives up the game as the loss named by ``kind``."""

    verb: Literal["resign"] = "resign"
    side: SideName
    kind: ResignKind = "oin"


class Double(Order):
    """``side`` offers the cube."""

    verb: Literal["double"] = "double"
    side: SideName


class Take(Order):
    """The offered cube is taken."""

    verb: Literal["take"] = "take"


class Pass(Order):
    """The offered cube is passed: the game is lost."""

    verb: Literal["pass"] = "pass"


class Undo(Order):
    """Take back the last accepted turn."""

    verb: Literal["undo"] = "undo"


Command = (
    Start | Confirm | Refuse | Correct | SetRoll | VoidThrow | Kestum | Pause | Resume
    | SetClock | SetScore | Resign | Double | Take | Pass | Undo
)  # fmt: skip
"""One of the commands; match on the class."""

COMMANDS: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="verb")])


@dataclass(frozen=True, slots=True)
class Answer:
    """What the referee replies to a command: done, or not and why."""

    done: bool
    texts: Texts


def read_command(fields: object) -> Command:
    """Read one command from parsed JSON.

    Raises CommandError naming the key that is wrong.
    """
    try:
        return COMMANDS.validate_json(json.dumps(fields))
    except ValidationError as wrong:
        first = wrong.errors()[0]
        msg = f"{'.'.join(str(step) for step in first['loc']) or 'command'}: {first['msg']}"
        raise CommandError(msg) from wrong


def read_topic(verb: str, payload: bytes) -> Command:
    """Read the payload of ``cmd/<verb>``; the payload may leave the verb out, not contradict it.

    Raises CommandError when it cannot be read.
    """
    try:
        fields: Any = json.loads(payload or b"{}")
    except ValueError as wrong:
        msg = f"cmd/{verb}: not JSON: {wrong}"
        raise CommandError(msg) from wrong
    if not isinstance(fields, dict) or fields.setdefault("verb", verb) != verb:
        msg = f"cmd/{verb}: expected a JSON object with verb {verb!r} or none, got {fields!r}"
        raise CommandError(msg)
    return read_command(fields)
