"""From what has happened to the feed's messages, each said once, to everything that reads the feed."""

import logging
from collections.abc import Iterator, Sequence
from typing import Protocol

from controller.adapters.mqtt.messages import Content
from controller.adapters.mqtt.messages import Event as Happened
from controller.ports.updates import BoardNoticed, CubeNoticed, Notice, OrderRefused, Update
from controller.referee.events import Device
from controller.referee.state import State
from controller.service import telling
from controller.service.cube_note import cube_messages
from controller.service.health import board_message, health_message

logger = logging.getLogger(__name__)


class Outlet(Protocol):
    """Something that takes the feed's messages."""

    def publish(self, content: Content, /) -> None:
        """Take ``content``; returns at once."""
        ...


class Announcer:
    """Publishes updates as messages, only those that say something new."""

    def __init__(self, match_id: str, fitted: frozenset[Device], outlets: Sequence[Outlet]) -> None:
        self._match_id = match_id
        self._fitted = fitted
        self._outlets = outlets
        self._said: dict[str, Content] = {}
        self._silent: set[int] = set()

    def publish(self, update: Update) -> None:
        """Say what is new in ``update``."""
        for message in self._messages(update):
            self._say(message)

    def _messages(self, update: Update) -> Iterator[Content]:
        state = update.state
        for notice in update.notices:
            yield from _notice(notice, state)
        for ruled in update.rulings:
            yield telling.ruling_message(state, ruled)
        yield telling.match_message(state, self._match_id)
        yield telling.state_message(state)
        clock = telling.clock_message(state)
        said = self._said.get(clock.topic)
        # While a clock only runs, readers count on by themselves.
        if not (isinstance(said, type(clock)) and telling.same_clock(said, clock)):
            yield clock
        if state.finished and (result := telling.result_message(state, state.finished[-1], self._match_id)):
            yield result
        yield health_message(state, self._fitted)

    def _say(self, message: Content) -> None:
        if self._said.get(message.topic) == message:
            return
        self._said[message.topic] = message
        for number, outlet in enumerate(self._outlets):
            try:
                outlet.publish(message)
            except Exception:
                # A lamp or a network that fails in whatever way is no reason to stop refereeing.
                if number not in self._silent:
                    logger.exception("%s cannot say %s; the match goes on", type(outlet).__name__, message.topic)
                self._silent.add(number)
            else:
                self._silent.discard(number)


def _notice(notice: Notice, state: State) -> Iterator[Happened]:
    match notice:
        case BoardNoticed(checked=checked, before=before):
            yield board_message(checked, before)
        case CubeNoticed():
            yield from cube_messages(notice, state)
        case OrderRefused(at=at, reason=reason):
            yield Happened(kind="refused_command", at_mono_ms=at, texts=telling.both(f"order.{reason}"))
