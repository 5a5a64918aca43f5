"""What the journal holds: the events that the state is a fold of, and the rulings that were derived from them.

Rulings are skipped when the state is rebuilt; they stay so that a later version, whose fold might rule otherwise, still
shows what was ruled, with the pictures it rested on.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from controller.clock import Millis
from controller.referee.events import Event
from controller.referee.rulings import Ruling


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling that was made, and the names of the pictures it rests on."""

    at: Millis
    ruling: Annotated[Ruling, Field(discriminator="kind")]
    pictures: tuple[str, ...] = ()
    kind: Literal["ruled"] = "ruled"


Entry = Event | Ruled

ENTRIES: TypeAdapter[Entry] = TypeAdapter(Annotated[Entry, Field(discriminator="kind")])
