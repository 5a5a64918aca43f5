"""The running service when what stands around it fails: the disk, a publisher, a page that asks too late."""

import errno
from collections.abc import Sequence
from pathlib import Path
from threading import Thread

import pytest

from controller.adapters.evidence import Evidence
from controller.clock import Millis
from controller.fusion.evidence import BoardLook
from controller.ports.entries import Entry
from controller.ports.updates import BoardNoticed, Command, OrderRefused, Update
from controller.referee.events import BoardChecked, BoardPlace, Looked, MatchOpened, Scene, SceneChanged, turn_end_of
from controller.referee.fold import open_match
from controller.referee.orders import Face, Order, Pause, Resume, SetRoll
from controller.rules import ruleset
from controller.service.inbox import Inbox
from controller.service.runtime import Service
from tests.service.no_camera import NoCamera


class Paper:
    """A journal in memory whose disk can be full."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.full = False

    def append(self, events: Sequence[Entry], /) -> object:
        if self.full:
            raise OSError(errno.ENOSPC, "no room on the disk")
        self.entries.extend(events)
        return None


class Ears:
    """A publisher that keeps what it is given, or breaks on it."""

    def __init__(self, breaks: type[Exception] | None = None) -> None:
        self.heard: list[Update] = []
        self.breaks = breaks

    def publish(self, update: Update, /) -> None:
        if self.breaks:
            raise self.breaks
        self.heard.append(update)


class Hands:
    """Time that stands."""

    def now_ms(self) -> Millis:
        return Millis(1_000)


def service(folder: Path, paper: Paper, *publishers: Ears, inbox: Inbox) -> Service:
    rules = ruleset("short-wbgf")
    opened = MatchOpened(Millis(0), rules.name, rules, "White", "Black", turn_end_of(rules))
    return Service(
        open_match(opened),
        inbox=inbox,
        time=Hands(),
        journal=paper,
        camera=NoCamera(),
        publishers=publishers,
        evidence=Evidence(folder),
    )


def ordered(order: Order) -> Command:
    return Command(order)


def quiet(at: int) -> SceneChanged:
    return SceneChanged(Millis(at), Scene.QUIET)


def test_what_a_full_disk_did_not_take_is_written_once_there_is_room(tmp_path: Path) -> None:
    paper = Paper()
    inbox = Inbox()
    served = service(tmp_path, paper, inbox=inbox)
    paper.full = True
    for at in (1, 2):
        inbox.post(quiet(at))
        served.handle()
    assert paper.entries == []
    paper.full = False
    served.handle()
    assert [entry for entry in paper.entries if entry.kind == "scene_changed"] == [quiet(1), quiet(2)]
    written = len(paper.entries)
    served.handle()
    assert len(paper.entries) == written


@pytest.mark.parametrize("breaks", [OSError, KeyError])
def test_a_publisher_that_fails_silences_neither_the_others_nor_the_referee(
    tmp_path: Path, breaks: type[Exception]
) -> None:
    broken, whole = Ears(breaks), Ears()
    inbox = Inbox()
    served = service(tmp_path, Paper(), broken, whole, inbox=inbox)
    served.announce()
    said = len(whole.heard)
    inbox.post(ordered(Pause()))
    assert served.handle()
    assert len(whole.heard) > said
    broken.breaks = None
    inbox.post(ordered(Resume()))
    served.handle()
    assert [update.state for update in broken.heard] == [served.state]


def test_a_page_that_asks_is_answered_when_the_owner_has_time(tmp_path: Path) -> None:
    inbox = Inbox()
    served = service(tmp_path, Paper(), inbox=inbox)
    answers = []
    pages = [Thread(target=lambda: answers.append(inbox.ask(ordered(SetRoll((Face(6), Face(5))))))) for _ in range(3)]
    for page in pages:
        page.start()
    while len(answers) < len(pages):
        served.handle(wait_s=0.05)
    for page in pages:
        page.join()
    assert [answer.refused for answer in answers] == ["no_throw_awaited"] * 3


def test_who_asks_a_stopped_referee_is_not_kept_waiting(tmp_path: Path) -> None:
    inbox = Inbox()
    served = service(tmp_path, Paper(), inbox=inbox)
    inbox.stop()
    assert not served.handle()
    # Whoever waits in vain is told that, not that the referee was stopped.
    with pytest.raises(TimeoutError, match="stopped"):
        inbox.ask(ordered(Pause()))


def test_a_bumped_board_is_kept_in_the_journal_and_said_once(tmp_path: Path) -> None:
    paper, ears = Paper(), Ears()
    inbox = Inbox()
    served = service(tmp_path, paper, ears, inbox=inbox)
    moved = BoardChecked(Millis(7), BoardPlace.MOVED)
    inbox.post(moved)
    served.handle()
    inbox.post(quiet(8))
    served.handle()
    assert moved in paper.entries
    assert [notice for update in ears.heard for notice in update.notices] == [BoardNoticed(moved, None)]


def test_an_order_that_is_refused_is_said_to_everybody_who_watches(tmp_path: Path) -> None:
    ears = Ears()
    inbox = Inbox()
    served = service(tmp_path, Paper(), ears, inbox=inbox)
    inbox.post(ordered(SetRoll((Face(6), Face(5)))))
    served.handle()
    (notice,) = [notice for update in ears.heard for notice in update.notices]
    assert notice == OrderRefused(Millis(1_000), "arbiter", "no_throw_awaited")


def test_an_event_that_no_device_should_report_ends_no_thread_and_is_not_recorded(tmp_path: Path) -> None:
    paper, inbox = Paper(), Inbox()
    served = service(tmp_path, paper, inbox=inbox)
    empty = ((0, 1.0),)
    nonsense = Looked(Millis(3), BoardLook((empty,) * 30, empty, empty), ())
    inbox.post(quiet(2), nonsense, quiet(4))
    assert served.handle()
    assert nonsense not in paper.entries
    assert served.state.at == 4
