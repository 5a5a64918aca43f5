"""From what has happened to the feed's messages, each sent once."""

from collections.abc import Callable, Iterator

from controller.adapters.mqtt.health_messages import health_message
from controller.adapters.mqtt.match_messages import (
    clock_message,
    match_message,
    result_message,
    same_clock,
    state_message,
)
from controller.adapters.mqtt.messages import Content, RulingMessage
from controller.adapters.mqtt.notice_messages import notice_messages
from controller.adapters.mqtt.ruling_messages import ruling_message
from controller.ports.updates import Update
from controller.referee.events import Device


class FeedPublisher:
    """Sends updates as messages, only those that bring something new."""

    def __init__(self, match_id: str, fitted: frozenset[Device], send: Callable[[Content], None]) -> None:
        """Publish the match ``match_id`` of a board with the devices ``fitted``; ``send`` returns at once."""
        self._match_id = match_id
        self._fitted = fitted
        self._send = send
        self._sent: dict[str, Content] = {}

    def publish(self, update: Update) -> None:
        """Send what is new in ``update``."""
        for message in self._messages(update):
            if self._sent.get(message.topic) != message:
                self._send(message)
                self._sent[message.topic] = message

    def _messages(self, update: Update) -> Iterator[Content]:
        state = update.state
        written = not state.lost(Device.JOURNAL)
        if not written:
            # Before anything that the journal lacks.
            yield health_message(state, self._fitted)
        for notice in update.notices:
            yield from notice_messages(notice, state)
        last = self._sent.get(RulingMessage.topic)
        if written and isinstance(last, RulingMessage):
            yield last.model_copy(update={"written": True})
        for ruled in update.rulings:
            yield ruling_message(state, ruled).model_copy(update={"written": written})
        yield match_message(state, self._match_id)
        yield state_message(state)
        clock = clock_message(state)
        sent = self._sent.get(clock.topic)
        # While a clock only runs, readers count on by themselves.
        if not (isinstance(sent, type(clock)) and same_clock(sent, clock)):
            yield clock
        if state.finished and (result := result_message(state, state.finished[-1], self._match_id)):
            yield result
        yield health_message(state, self._fitted)
