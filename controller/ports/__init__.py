"""What the service needs of the outside world, in the domain's own values. Adapters fit by shape."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from controller.clock import Millis
from controller.ports.entries import Entry
from controller.ports.updates import Update
from controller.referee.rulings import DieAtRest


class Time(Protocol):
    """Monotonic time: the machine's, or a virtual table's."""

    def now_ms(self) -> Millis:
        """Milliseconds since some moment that does not change while the process lives."""
        ...


class Journal(Protocol):
    """Where entries are kept for good."""

    def append(self, events: Sequence[Entry], /) -> object:
        """Write all of them or none; on the disk when this returns.

        Raises OSError when the disk takes no more.
        """
        ...


class Publisher(Protocol):
    """Something that shows the world what has happened: the feed, lamps, the watch over the reeds."""

    def publish(self, update: Update, /) -> None:
        """Show ``update``, which is in the journal already; returns at once."""
        ...


@dataclass(frozen=True, slots=True)
class Taken:
    """Pictures of one look, JPEG: the whole frame, and the close-ups in the order in which the dice were asked for."""

    whole: bytes
    close_ups: tuple[bytes, ...]


class Pictures(Protocol):
    """The camera's memory of its last looks. Called from the owner thread while the camera goes on."""

    def pictures(self, at: Millis, dice: Sequence[DieAtRest], /) -> Taken | None:
        """The look that was the last at ``at``, with a close-up of each of ``dice``; None before any look."""
        ...


class PictureStore(Protocol):
    """Where the pictures that rulings rest on are kept."""

    def keep(self, picture: bytes, /) -> str:
        """Keep ``picture``, on the disk when this returns, and return its name.

        Raises OSError when the disk takes no more.
        """
        ...
