"""The real service on a real journal whose disk is full: what is not written is nowhere called done."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from controller.adapters.evidence import Evidence
from controller.adapters.journal import Intact, Journal, verify
from controller.adapters.journal.writer import open_to_write
from controller.adapters.lamps import PLAY_REFUSED, Lamps
from controller.adapters.mqtt.commands import Reply, answer_message
from controller.adapters.mqtt.feed_publisher import FeedPublisher
from controller.adapters.mqtt.messages import Content, HealthMessage, RulingMessage
from controller.clock import Millis
from controller.ports.entries import ENTRIES, Entry
from controller.ports.updates import Command
from controller.referee.events import Device, DeviceChanged, MatchOpened, Ordered, turn_end_of
from controller.referee.orders import Order, Pause, SetRoll, Start, VoidThrow
from controller.rules import ruleset
from controller.service.inbox import Asked, Inbox, Item
from controller.service.opening import begin
from controller.service.runtime import Service
from firmware_bridge.messages import Buzz, Lamp, LampMode
from firmware_bridge.messages import Command as ToBoard
from firmware_bridge.rig import Rig
from tests.service.no_camera import NoCamera


class StandingTime:
    def now_ms(self) -> Millis:
        return Millis(1_000)


class Asking(Inbox):
    """An inbox in which lies one order whose answer somebody waits for, or nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Asked | None = None

    def take(self, _wait_s: float | None) -> Iterator[Item]:
        if self.asked:
            yield self.asked


@dataclass
class Club:
    """A board in a club whose disk takes only so many pages, with everything that people see of it."""

    path: Path
    sent: list[Content] = field(default_factory=list)
    lamps: dict[str, LampMode] = field(default_factory=dict)
    sounds: list[Buzz] = field(default_factory=list)

    def __post_init__(self) -> None:
        rules = ruleset("short-wbgf")
        self.journal: Journal[Entry] = Journal(self.path, ENTRIES, open_database=self._open)
        opened = begin(self.journal, MatchOpened(Millis(0), rules.name, rules, "White", "Black", turn_end_of(rules)))
        self.inbox = Asking()
        self.rig = Rig.load("full")
        self.service = Service(
            opened.state,
            inbox=self.inbox,
            time=StandingTime(),
            journal=self.journal,
            camera=NoCamera(),
            publishers=[FeedPublisher("m", frozenset(Device), self.sent.append), Lamps(self.rig, self._to_board)],
            evidence=Evidence(self.path.parent / "evidence"),
        )

    def _open(self, path: Path) -> sqlite3.Connection:
        self.database = open_to_write(path)
        return self.database

    def _to_board(self, command: ToBoard) -> None:
        match command:
            case Lamp(lamp=number, mode=mode):
                self.lamps[list(self.rig.lamps)[number]] = LampMode(mode)
            case Buzz():
                self.sounds.append(command)

    def disk_is_full(self) -> None:
        """SQLite itself refuses any further page, with the code of a full disk."""
        self.database.execute("PRAGMA max_page_count = 1")

    def disk_has_room(self) -> None:
        self.database.execute("PRAGMA max_page_count = 1000000")

    def order(self, order: Order) -> Reply:
        self.sent.clear()
        self.inbox.asked = Asked(Command(order, note="x" * 400))
        self.service.handle()
        answer = self.inbox.asked.answer.result()
        self.inbox.asked = None
        return answer_message(order, answer)

    def order_until_full(self) -> Reply:
        """Give orders that change nothing else until one does not fit into the last page that the file has."""
        for _ in range(50):
            if not (reply := self.order(Pause())).done:
                return reply
        pytest.fail("fifty orders fitted on a full disk, or were called done")

    def journal_health(self) -> str:
        return next(m for m in reversed(self.sent) if isinstance(m, HealthMessage)).devices["journal"].state


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(tmp_path / "match.sqlite")
    with club.journal:
        club.order(Start())
        yield club


def test_an_order_that_was_not_written_is_not_called_done(club: Club) -> None:
    assert club.order(SetRoll((6, 3))).done
    club.disk_is_full()
    reply = club.order_until_full()
    assert not reply.written
    assert "not in the journal" in reply.texts.en


def test_everybody_is_told_in_the_same_moment_and_before_the_first_unwritten_ruling(club: Club) -> None:
    club.order(SetRoll((6, 3)))
    club.disk_is_full()
    club.order_until_full()
    health = club.sent[0]
    assert isinstance(health, HealthMessage)
    journal = health.devices["journal"]
    assert journal.state == "lost"
    assert journal.texts is not None
    assert "on paper" in journal.texts.en
    assert "на бумаге" in journal.texts.ru
    assert club.lamps["please_look"] is LampMode.BLINK
    assert club.sounds[-1] == PLAY_REFUSED


def test_the_match_goes_on_and_each_unwritten_ruling_says_so(club: Club) -> None:
    club.order(SetRoll((6, 3)))
    club.disk_is_full()
    club.order_until_full()
    club.order(VoidThrow())
    ruling = next(message for message in club.sent if isinstance(message, RulingMessage))
    assert not ruling.written
    club.disk_has_room()
    club.sent.clear()
    club.service.handle()
    assert club.journal_health() == "ok"
    again = next(message for message in club.sent if isinstance(message, RulingMessage))
    assert (again.id, again.written) == (ruling.id, True)
    assert club.lamps["please_look"] is not LampMode.BLINK


def test_once_there_is_room_the_journal_has_everything_and_says_how_long_it_lacked(club: Club) -> None:
    club.disk_is_full()
    club.order_until_full()
    club.order(SetRoll((6, 3)))
    club.disk_has_room()
    assert club.order(VoidThrow()).done
    events = [row.event for row in club.journal.entries()]
    orders = [event.order for event in events if isinstance(event, Ordered)]
    assert orders[-2:] == [SetRoll((6, 3)), VoidThrow()]
    changes = [(event.device, event.up) for event in events if isinstance(event, DeviceChanged)]
    assert changes == [(Device.JOURNAL, False), (Device.JOURNAL, True)]
    assert isinstance(verify(club.path, ENTRIES), Intact)
