"""What an arbiter may order, as it comes over the network: a ``Command`` in flat JSON.

The same JSON goes to ``POST /api/command`` and to the topic ``cmd/<verb>``: the order's own keys beside ``id``, ``by``
and ``note``. Models and schema are derived from ``controller.referee.orders``; a new order needs nothing here.
``confirm`` means "this hypothesis counts as played", ``refuse`` means "it does not, take it back"; so overruling an
accepted play is ``refuse`` and overruling a refused one is ``confirm``.
"""

import json
from dataclasses import MISSING, dataclass, fields
from functools import reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints
from uuid import uuid4

from pydantic import Field, TypeAdapter, ValidationError, create_model

from controller.adapters.mqtt import messages as feed
from controller.adapters.mqtt.texts import both
from controller.adapters.mqtt.wire import read_json
from controller.clock import Millis
from controller.ports import updates
from controller.ports.updates import Command
from controller.referee.orders import (
    AnswerClaim,
    AwardGame,
    AwardMatch,
    Claim,
    ClaimKind,
    Double,
    Face,
    HypothesisNumber,
    Order,
    Penalise,
    Resign,
    RulingNumber,
    SetClock,
    SetCube,
    SetLength,
    SetRoll,
    SetScore,
    SetTurn,
    Swap,
    TakeBreak,
    Warn,
)
from controller.rules import Kind, Position, Score, Side

SHOWN = 60
"""So many letters of what cannot be read are shown."""


class CommandError(ValueError):
    """A command that cannot be read; the text names the key that is wrong."""


class Envelope(feed.Part):
    """What every command carries."""

    id: str = Field(default_factory=lambda: uuid4().hex, max_length=64, description="the same id is obeyed once")
    by: str = Field(default="arbiter", max_length=64, description="who ordered it, for the record")
    note: str = Field(default="", max_length=400, description="why, for the record")


WIRE_TYPES: dict[object, Any] = {
    Position: feed.BoardPosition,
    Side: feed.SideName,
    Kind: feed.ResignKind,
    ClaimKind: feed.ClaimAbout,
    Score: feed.ScoreShown,
    Millis: feed.ReserveMs,
    Face: feed.Face,
    RulingNumber: Annotated[str, Field(pattern=r"^[0-9]{1,9}$")],
    HypothesisNumber: Annotated[int, Field(ge=0)],
}
"""How the feed writes the types of the orders' fields; types that are not here are written as they are."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the referee replies to a command: done, or not and why.

    One that was carried out and is not ``written`` is not done: a crash would undo it.
    """

    done: bool
    texts: feed.Texts
    written: bool = True


def _wire_type(hint: object) -> Any:
    if get_origin(hint) in {Union, UnionType}:
        return reduce(or_, (_wire_type(part) for part in get_args(hint)))
    if get_origin(hint) is tuple:
        return tuple[tuple(_wire_type(part) for part in get_args(hint))]  # type: ignore[misc] # as above
    return WIRE_TYPES.get(hint, hint)


def _model(order: type) -> type[Envelope]:
    """The model of one order's JSON."""
    hints = get_type_hints(order)
    keys: dict[str, Any] = {
        part.name: (_wire_type(hints[part.name]), ... if part.default is MISSING else part.default)
        for part in fields(order)
    }
    made: type[Envelope] = create_model(order.__name__, __base__=Envelope, __doc__=order.__doc__, **keys)
    return made


_MODELS = tuple(_model(order) for order in get_args(Order))
_ANY: Any = reduce(or_, _MODELS)
COMMANDS: TypeAdapter[Envelope] = TypeAdapter(Annotated[_ANY, Field(discriminator="verb")])
_ORDERS: TypeAdapter[Order] = TypeAdapter(Annotated[Order, Field(discriminator="verb")])
VERBS = tuple(model.model_fields["verb"].default for model in _MODELS)


def answer_message(order: Order, answer: updates.Answer) -> Reply:
    """The reply to a command in words: what was done, or why it was not."""
    if not answer.written:
        return Reply(done=False, texts=both("order.unwritten"), written=False)
    if answer.refused is None:
        return Reply(done=True, texts=_done(order))
    return Reply(done=False, texts=both(f"order.{answer.refused}"))


def _done(order: Order) -> feed.Texts:
    """What ``order`` did, in words."""
    match order:
        case SetClock():
            asked = {Side.WHITE: order.white_ms, Side.BLACK: order.black_ms}
            set_now = [
                both("done.clock_of", side=both(f"page.{side.value}"), time=_minutes(reserve))
                for side, reserve in asked.items()
                if reserve is not None
            ]
            clocks = feed.Texts(en=", ".join(each.en for each in set_now), ru=", ".join(each.ru for each in set_now))
            return both("done.set_clock", clocks=clocks)
        case SetRoll(roll=roll):
            return both("done.set_roll", roll="-".join(map(str, roll)))
        case SetScore(score=(white, black)):
            return both("done.set_score", white=white, black=black)
        case AwardGame(side=side):
            return both("done.award_game", side=both(f"page.{side.value}"))
        case Penalise(side=side, points=points):
            return both("done.penalise", side=both(f"page.{side.value}"), points=points)
        case SetLength(points=points):
            return both("done.set_length", points=points)
        case SetCube(value=value):
            return both("done.set_cube", value=value)
        case Swap(what=what):
            return both(f"done.swap_{what}")
        case Claim(side=side, about=about):
            return both("done.claim", side=both(f"page.{side.value}"), about=both(f"sheet.claim.{about.value}"))
        case AnswerClaim(granted=granted):
            return both("done.claim_granted" if granted else "done.claim_rejected")
        case Double() | Resign() | AwardMatch() | Warn() | TakeBreak() | SetTurn():
            return both(f"done.{order.verb}", side=both(f"page.{order.side.value}"))
        case _:
            return both(f"done.{order.verb}")


def _minutes(reserve: Millis) -> str:
    """A reserve as the clocks show it."""
    minutes, seconds = divmod(-(-reserve // 1000), 60)
    return f"{minutes}:{seconds:02}"


def read_command(content: object) -> Command:
    """Read one command from parsed JSON.

    Raises CommandError naming the key that is wrong.
    """
    try:
        read = COMMANDS.validate_json(json.dumps(content))
        order = _ORDERS.validate_python(read.model_dump(exclude=set(Envelope.model_fields)))
    except ValidationError as wrong:
        first = wrong.errors()[0]
        msg = f"{'.'.join(str(step) for step in first['loc']) or 'command'}: {first['msg']}"
        raise CommandError(msg) from wrong
    return Command(order, id=read.id, by=read.by, note=read.note)


def read_topic(verb: str, payload: bytes) -> Command:
    """Read the payload of ``cmd/<verb>``; the payload may leave the verb out, not contradict it.

    Raises CommandError when it cannot be read.
    """
    try:
        content: Any = read_json(payload or b"{}")
    except ValueError as wrong:
        msg = f"cmd/{verb}: not JSON: {wrong}"
        raise CommandError(msg) from wrong
    if not isinstance(content, dict) or content.setdefault("verb", verb) != verb:
        msg = f"cmd/{verb}: expected a JSON object with verb {verb!r} or none, got {str(content)[:SHOWN]!r}"
        raise CommandError(msg)
    return read_command(content)
