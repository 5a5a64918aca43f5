"""What the owner thread is given to handle: the only way from other threads to the state."""

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Event as Flag

from controller.ports.entries import Heard
from controller.ports.updates import Answer, Command
from controller.referee.events import Event

ANSWER_S = 5.0
LEFT_S = 0.25
"""How often somebody who waits for the owner looks whether it has gone."""


@dataclass(frozen=True, slots=True)
class Posted:
    """Things that happened or were ordered together, or bytes of a line that are only to be kept."""

    things: tuple[Event | Heard | Command, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """An order that waits for its answer."""

    command: Command
    answer: "Future[Answer]" = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class Settle:
    """Somebody waits until everything that was posted before has been handled and published."""

    done: Flag = field(default_factory=Flag)


@dataclass(frozen=True, slots=True)
class Halt:
    """The owner thread is asked to end."""


Item = Posted | Asked | Settle | Halt


class Inbox:
    """A queue with many writers and one reader, the owner thread.

    A signal handler may write too: the queue is one that may be entered again in the middle of itself.
    """

    def __init__(self) -> None:
        self._items: SimpleQueue[Item] = SimpleQueue()
        self._closed = Flag()

    def post(self, *things: Event | Heard | Command) -> None:
        """Hand over what happened, and orders whose answer nobody waits for; what is posted together is handled so."""
        self._items.put(Posted(things))

    def ask(self, command: Command) -> Answer:
        """Have an order carried out and wait for the answer; called from the pages' threads.

        Raises TimeoutError when there is no answer in time, at once when the owner has ended.
        """
        if self._closed.is_set():
            msg = "the referee has been stopped"
            raise TimeoutError(msg)
        asked = Asked(command)
        self._items.put(asked)
        return asked.answer.result(ANSWER_S)

    def stop(self) -> None:
        """End the owner thread after what has been posted before."""
        self._items.put(Halt())

    def settle(self) -> None:
        """Wait until everything that was posted before has been handled and published, or the owner has ended."""
        settle = Settle()
        self._items.put(settle)
        while not settle.done.wait(LEFT_S) and not self._closed.is_set():
            pass

    def take(self, wait_s: float | None) -> Iterator[Item]:
        """Give everything that has been posted, waiting up to ``wait_s`` for the first, None: as long as it takes."""
        try:
            yield self._items.get(timeout=wait_s) if wait_s != 0 else self._items.get_nowait()
            while True:
                yield self._items.get_nowait()
        except Empty:
            return

    @property
    def closed(self) -> bool:
        """Whether the owner has ended, or is about to."""
        return self._closed.is_set()

    def close(self) -> None:
        """Note that the owner has ended: nobody is kept waiting any more."""
        self._closed.set()
