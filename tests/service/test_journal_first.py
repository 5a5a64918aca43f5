"""The real service on a real journal: what leaves the machine can be read from the journal's file by then."""

from collections.abc import Iterator
from functools import reduce
from pathlib import Path

from controller.adapters.evidence import Evidence
from controller.adapters.journal import Journal, JournalReader
from controller.clock import Millis
from controller.ports.entries import ENTRIES, Entry, Heard, Ruled
from controller.ports.updates import Answer, Command, Update
from controller.referee.events import MatchOpened, Ordered, turn_end_of
from controller.referee.fold import fold, open_match
from controller.referee.orders import Order, Pause, SetRoll, Start, VoidThrow
from controller.referee.state import State
from controller.rules import ruleset
from controller.service.inbox import Asked, Inbox, Item
from controller.service.opening import begin
from controller.service.runtime import Service
from tests.service.no_camera import NoCamera


class StandingTime:
    def now_ms(self) -> Millis:
        return Millis(1_000)


class OnDisk:
    """What another program reads of the journal's file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def entries(self) -> list[Entry]:
        with JournalReader(self.path, ENTRIES) as reader:
            return [entry.event for entry in reader.entries()]

    def orders(self) -> list[Order]:
        return [entry.order for entry in self.entries() if isinstance(entry, Ordered)]


class Wall:
    """A publisher that notes with each update what the journal's file holds at that moment."""

    def __init__(self, disk: OnDisk) -> None:
        self.disk = disk
        self.seen: list[tuple[Update, list[Entry]]] = []

    def publish(self, update: Update, /) -> None:
        self.seen.append((update, self.disk.entries()))


class Asking(Inbox):
    """An inbox in which lies one order whose answer somebody waits for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Asked | None = None

    def take(self, _wait_s: float | None) -> Iterator[Item]:
        if self.asked:
            yield self.asked


def test_updates_and_answers_leave_only_when_the_journal_has_what_they_rest_on(tmp_path: Path) -> None:
    path, rules, inbox = tmp_path / "match.sqlite", ruleset("short-wbgf"), Asking()
    disk = OnDisk(path)
    wall = Wall(disk)
    orders: list[Order] = [Start(), SetRoll((6, 3)), VoidThrow(), Pause()]
    at_answer: list[list[Order]] = []
    with Journal(path, ENTRIES) as journal:
        opened = begin(journal, MatchOpened(Millis(0), rules.name, rules, "White", "Black", turn_end_of(rules)))
        service = Service(
            opened.state,
            inbox=inbox,
            time=StandingTime(),
            journal=journal,
            camera=NoCamera(),
            publishers=[wall],
            evidence=Evidence(tmp_path / "evidence"),
        )
        for order in orders:
            inbox.asked = Asked(Command(order))
            # Called the moment at which the answer leaves, in the thread that gives it.
            inbox.asked.answer.add_done_callback(lambda _: at_answer.append(disk.orders()))
            service.handle()
            assert inbox.asked.answer.result() == Answer()
    assert at_answer == [orders[: number + 1] for number in range(len(orders))]
    for update, entries in wall.seen:
        assert replayed(entries) == update.state
        assert all(ruled in entries for ruled in update.rulings)
    assert sum(len(update.rulings) for update, _ in wall.seen) >= 2


def replayed(entries: list[Entry]) -> State:
    """The state that the journal's events lead to."""
    first, *events = (entry for entry in entries if not isinstance(entry, Ruled | Heard))
    assert isinstance(first, MatchOpened)
    return reduce(lambda state, event: fold(state, event)[0], events, open_match(first))
