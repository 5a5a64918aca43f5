"""What the service needs of the outside world. Adapters fit by shape."""

from collections.abc import Sequence
from typing import Protocol

from controller.adapters.mqtt.messages import Content
from controller.clock import Millis
from controller.service.entries import Entry


class Time(Protocol):
    """Monotonic time: the machine's, or a virtual table's."""

    def now_ms(self) -> Millis:
        """Milliseconds since some moment that does not change while the process lives."""
        ...


class Record(Protocol):
    """Where entries are kept for good."""

    def append(self, events: Sequence[Entry], /) -> object:
        """Write all of them or none; on the disk when this returns."""
        ...


class Voice(Protocol):
    """Something that tells the world: the feed, a lamp, a buzzer, the players' eyes."""

    def publish(self, content: Content, /) -> None:
        """Say ``content``; returns at once."""
        ...
