"""What the journal holds: the events that the state is a fold of, and the rulings that were derived from them.

Rulings are skipped when the state is rebuilt; they stay so that a later version, whose fold might rule otherwise, still
shows what was ruled, with the pictures it rested on. So is what was said on the board's line, which events came from.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, TypeAdapter

from controller.clock import Millis
from controller.referee.events import Event
from controller.referee.rulings import DieLies, Ruling


@dataclass(frozen=True, slots=True)
class CloseUp:
    """The name of a picture that shows one die, and how that die was read."""

    picture: str
    die: DieLies


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling that was made, the names of the pictures it rests on, and a close-up of each die in them."""

    at: Millis
    ruling: Annotated[Ruling, Field(discriminator="kind")]
    pictures: tuple[str, ...] = ()
    close_ups: tuple[CloseUp, ...] = ()
    kind: Literal["ruled"] = "ruled"


@dataclass(frozen=True, slots=True)
class Heard:
    """Raw bytes of the board's serial line: when they were read, and their hex. ``at`` is the time of the first."""

    at: Millis
    chunks: tuple[tuple[int, str], ...]
    kind: Literal["heard"] = "heard"


Entry = Event | Ruled | Heard


def _in_todays_words(row: Any) -> Any:
    """Name what earlier builds of 0.1.0 wrote as it is named now."""
    if isinstance(row, dict) and isinstance(order := row.get("order"), dict):
        match order:
            case {"verb": "begin"}:
                order = {**order, "verb": "start"}
            case {"verb": "set_roll", "first": first, "second": second}:
                order = {"verb": "set_roll", "roll": [first, second]}
            case {"verb": "set_score", "white": white, "black": black}:
                order = {"verb": "set_score", "score": [white, black]}
        return {**row, "order": order}
    return row


ENTRIES: TypeAdapter[Entry] = TypeAdapter(
    Annotated[Entry, Field(discriminator="kind"), BeforeValidator(_in_todays_words)]
)
