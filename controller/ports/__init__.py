"""What the service needs of the outside world, in the domain's own values. Adapters fit by shape."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from controller.clock import Millis
from controller.ports.entries import Entry
from controller.ports.updates import Update


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


class KeptEntry(Protocol):
    """An entry as a journal keeps it."""

    @property
    def event(self) -> Entry:
        """What was kept."""
        ...


class ReadsJournal(Protocol):
    """A journal that can be read."""

    def entries(self) -> Iterable[KeptEntry]:
        """Everything that was kept, in its order.

        Raises OSError when it cannot be read.
        """
        ...


class KeepsJournal(Journal, ReadsJournal, Protocol):
    """A journal that is read first and then goes on."""


class Publisher(Protocol):
    """Something that shows the world what has happened: the feed, lamps, the watch over the reeds."""

    def publish(self, update: Update, /) -> None:
        """Show ``update``, which is in the journal already unless its state has that as lost; returns at once."""
        ...


class PictureStore(Protocol):
    """Where the pictures that rulings rest on are kept."""

    def keep(self, picture: bytes, /) -> str:
        """Keep ``picture``, on the disk when this returns, and return its name.

        Raises OSError when the disk takes no more.
        """
        ...
