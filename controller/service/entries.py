"""What the journal holds: the events that the state is a fold of, and the rulings that were derived from them.

Rulings are skipped when the state is rebuilt; they stay so that a later version, whose fold might rule otherwise, still
shows what was ruled, with the pictures it rested on.
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


Entry = Event | Ruled

ENTRIES: TypeAdapter[Entry] = TypeAdapter(Annotated[Entry, Field(discriminator="kind")])
