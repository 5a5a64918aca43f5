"""What the journal holds: the events that the state is a fold of, and the rulings that were derived from them.

Rulings are skipped when the state is rebuilt; they stay so that a later version, whose fold might rule otherwise, still
shows what was ruled, with the pictures it rested on. So is what was said on the board's line, which events came from.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

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

ENTRIES: TypeAdapter[Entry] = TypeAdapter(Annotated[Entry, Field(discriminator="kind")])
