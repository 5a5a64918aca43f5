"""The journal keeps what it was given, gives it back, and shows when somebody changed it."""

import sqlite3
import subprocess
import sys
import threading
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from controller.adapters.journal import (
    EMPTY,
    Broken,
    Intact,
    Journal,
    JournalDamagedError,
    JournalError,
    JournalForeignError,
    JournalLockedError,
    JournalReader,
    RowFault,
    Seq,
    Unreadable,
    verify,
)


class Side(Enum):
    WHITE = "white"
    BLACK = "black"


@dataclass(frozen=True, slots=True)
class Press:
    at: int
    side: Side
    kind: Literal["press"] = "press"


@dataclass(frozen=True, slots=True)
class Note:
    at: int
    words: str
    odds: tuple[float, ...] = ()
    kind: Literal["note"] = "note"


AnyEvent = Press | Note
EVENTS: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent)

times = st.integers(0, 2**53)
events = st.one_of(
    st.builds(Press, times, st.sampled_from(Side)),
    # A lone surrogate is no text that UTF-8, and with it SQLite, can hold.
    st.builds(
        Note,
        times,
        st.text(st.characters(exclude_categories=["Cs"])),
        st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=4).map(tuple),
    ),
)


def notes(*words: str) -> list[AnyEvent]:
    return [Note(number, word) for number, word in enumerate(words)]


def filled(path: Path, count: int = 6) -> Path:
    with Journal(path, EVENTS, boot="boot-1") as journal:
        journal.append(notes(*(f"event {number}" for number in range(1, count + 1))))
    return path


def tampered(path: Path, *statements: str) -> None:
    """Do what no tool does by accident: take the triggers away and change history."""
    with sqlite3.connect(path) as database:
        for trigger in ("event_no_update", "event_no_delete", "event_no_gap"):
            database.execute(f"DROP TRIGGER {trigger}")
        for statement in statements:
            database.execute(statement)
    database.close()


@settings(max_examples=15, deadline=None)
@given(st.lists(st.lists(events, max_size=4), max_size=4))
def test_events_come_back_as_they_were_given(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[AnyEvent]]
) -> None:
    path = tmp_path_factory.mktemp("journal") / "j.sqlite"
    for batch in batches:
        with Journal(path, EVENTS) as journal:
            journal.append(batch)
    with Journal(path, EVENTS) as journal:
        entries = list(journal.entries())
        assert [entry.event for entry in entries] == [event for batch in batches for event in batch]
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        verdict = journal.verify()
        assert isinstance(verdict, Intact)
        assert verdict.head == journal.head


def test_reading_on_begins_behind_the_number_already_known(tmp_path: Path) -> None:
    with JournalReader(filled(tmp_path / "j.sqlite"), EVENTS) as journal:
        assert [entry.seq for entry in journal.entries(after=4)] == [5, 6]


def test_an_entry_knows_its_boot_and_when_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    written = datetime(2026, 11, 30, 3, 4, 5, 678_000, tzinfo=UTC)
    for boot in ("boot-1", "boot-2"):
        with Journal(path, EVENTS, boot=boot, now=lambda: written) as journal:
            journal.append(notes("x"))
    with JournalReader(path, EVENTS) as reader:
        assert [(entry.boot, entry.utc) for entry in reader.entries()] == [("boot-1", written), ("boot-2", written)]


def test_the_machines_own_boot_is_the_same_until_it_starts_again(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    before = datetime.now(UTC)
    for _ in range(2):
        with Journal(path, EVENTS) as journal:
            journal.append(notes("x"))
    with JournalReader(path, EVENTS) as reader:
        first, second = reader.entries()
    assert first.boot == second.boot != ""
    assert timedelta(0) <= second.utc - before + timedelta(milliseconds=1) < timedelta(seconds=30)


def test_nothing_appended_changes_nothing(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.sqlite", EVENTS) as journal:
        assert journal.append([]) == EMPTY == journal.head


def test_an_event_that_cannot_be_written_keeps_its_whole_batch_out(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.sqlite", EVENTS) as journal:
        head = journal.append(notes("before"))
        with pytest.raises(ValueError, match="JSON"):
            journal.append([Note(1, "good"), Note(2, "bad", (float("nan"),))])
        assert journal.head == head
        journal.append(notes("after"))
        assert [entry.event for entry in journal.entries()] == [Note(0, "before"), Note(0, "after")]
        assert isinstance(journal.verify(), Intact)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET body = '{}' WHERE seq = 3",
        "DELETE FROM event WHERE seq = 6",
        "DELETE FROM event",
        "INSERT OR REPLACE INTO event SELECT seq, boot, mono_ms, utc, kind, '{}', hash FROM event WHERE seq = 3",
        "INSERT INTO event VALUES (9, 'b', 0, 'u', 'k', '{}', 'h')",
    ],
)
def test_sqlite_itself_refuses_to_change_history(tmp_path: Path, statement: str) -> None:
    path = filled(tmp_path / "j.sqlite")
    database = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="the journal is append-only"):
        database.execute(statement)
    database.close()
    with JournalReader(path, EVENTS) as reader:
        assert isinstance(reader.verify(), Intact)


@pytest.fixture(scope="module")
def six_events(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return filled(tmp_path_factory.mktemp("journal") / "j.sqlite").read_bytes()


CHANGES = ["boot = 'b'", "mono_ms = mono_ms + 1", "utc = 'u'", "kind = 'k'", "body = '{}'", "hash = 'h'"]


@pytest.mark.parametrize("seq", [1, 4, 6])
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_any_event_is_found_at_its_number(six_events: bytes, tmp_path: Path, seq: int, change: str) -> None:
    path = tmp_path / "j.sqlite"
    path.write_bytes(six_events)
    tampered(path, f"UPDATE event SET {change} WHERE seq = {seq}")  # noqa: S608 - written above
    with JournalReader(path, EVENTS) as reader:
        assert reader.verify() == Broken(Seq(seq), RowFault.CHANGED)


def test_an_event_taken_out_is_missed(tmp_path: Path) -> None:
    path = filled(tmp_path / "j.sqlite")
    tampered(path, "DELETE FROM event WHERE seq = 3")
    with JournalReader(path, EVENTS) as reader:
        assert reader.verify() == Broken(Seq(3), RowFault.MISSING, "4")


def test_two_events_that_changed_places_are_found(tmp_path: Path) -> None:
    path = filled(tmp_path / "j.sqlite")
    tampered(
        path,
        "UPDATE event SET seq = 99 WHERE seq = 2",
        "UPDATE event SET seq = 2 WHERE seq = 4",
        "UPDATE event SET seq = 4 WHERE seq = 99",
    )
    with JournalReader(path, EVENTS) as reader:
        broken = reader.verify()
    assert isinstance(broken, Broken)
    assert broken.seq == 2


def test_a_blob_where_text_belongs_is_found(tmp_path: Path) -> None:
    path = filled(tmp_path / "j.sqlite")
    tampered(path, "UPDATE event SET body = x'00ff' WHERE seq = 5")
    with JournalReader(path, EVENTS) as reader:
        broken = reader.verify()
    assert isinstance(broken, Broken)
    assert (broken.seq, broken.fault) == (5, RowFault.FOREIGN)


def test_a_text_that_is_no_utf_8_is_damage_at_its_number(tmp_path: Path) -> None:
    path = filled(tmp_path / "j.sqlite")
    tampered(path, "UPDATE event SET body = CAST(x'7bff7d' AS TEXT) WHERE seq = 5")
    broken = verify(path, EVENTS)
    assert isinstance(broken, Broken)
    assert (broken.seq, broken.fault) == (5, RowFault.DAMAGED)
    with JournalReader(path, EVENTS) as reader, pytest.raises(JournalDamagedError, match="is damaged"):
        list(reader.entries())


def test_a_journal_without_its_table_is_damaged(tmp_path: Path) -> None:
    path = filled(tmp_path / "j.sqlite")
    tampered(path, "DROP TABLE event")
    with pytest.raises(JournalDamagedError, match="has lost its table of events"):
        verify(path, EVENTS)


def test_a_journal_that_holds_says_from_when_to_when_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    written = [datetime(2026, 11, 30, hour, tzinfo=UTC) for hour in (3, 4)]
    for moment in written:
        with Journal(path, EVENTS, now=lambda moment=moment: moment) as journal:
            journal.append(notes("x", "y"))
    with JournalReader(path, EVENTS) as reader:
        assert verify(path, EVENTS) == Intact(reader.head, *written)


def test_an_event_of_another_version_is_named_and_the_chain_that_holds_is_reported_from_one_that_does_not(
    tmp_path: Path,
) -> None:
    @dataclass(frozen=True, slots=True)
    class Flood:
        at: int
        kind: Literal["flood"] = "flood"

    path = tmp_path / "j.sqlite"
    later: TypeAdapter[Note | Flood] = TypeAdapter(Note | Flood)
    with Journal(path, later) as journal:
        head = journal.append([Note(1, "dry"), Flood(2), Note(3, "wet")])
    unreadable = verify(path, EVENTS)
    assert isinstance(unreadable, Unreadable)
    assert (unreadable.head, unreadable.seq, unreadable.kind) == (head, 2, "flood")
    tampered(path, "UPDATE event SET mono_ms = 4 WHERE seq = 3")
    assert verify(path, EVENTS) == Broken(Seq(3), RowFault.CHANGED)


def test_events_cut_off_with_the_note_of_them_show_against_a_head_noted_elsewhere(tmp_path: Path) -> None:
    path = filled(tmp_path / "j.sqlite")
    with JournalReader(path, EVENTS) as reader:
        noted = reader.head
    path.with_name("j.sqlite.head").unlink()
    tampered(path, "DELETE FROM event WHERE seq > 4")
    with JournalReader(path, EVENTS) as reader:
        state = reader.verify()
    assert isinstance(state, Intact)
    assert state.head.seq == 4
    assert state.head != noted


def test_an_unreadable_event_is_named(tmp_path: Path) -> None:
    path = filled(tmp_path / "j.sqlite")
    tampered(path, "UPDATE event SET body = '{\"kind\": \"flood\"}', kind = 'flood' WHERE seq = 3")
    with JournalReader(path, EVENTS) as reader, pytest.raises(JournalDamagedError, match=r"event 3 \(flood\) of"):
        list(reader.entries())


def test_two_cannot_write_one_journal(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with (
        Journal(path, EVENTS) as journal,
        pytest.raises(JournalLockedError, match=r"is being written by process \d+: stop that one"),
    ):
        Journal(path, EVENTS)
    journal.close()
    with Journal(path, EVENTS) as second:
        second.append(notes("free again"))


def test_another_programs_lock_delays_an_append_but_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with Journal(path, EVENTS, open_database=_impatient) as journal:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalLockedError, match=r"is in use by another process: close that process"):
            journal.append(notes("not yet"))
        other.execute("ROLLBACK")
        other.close()
        journal.append(notes("now"))
        assert [entry.event for entry in journal.entries()] == [Note(0, "now")]


def _impatient(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, timeout=0.05)


def test_an_event_slipped_in_by_another_program_stops_the_writer(tmp_path: Path) -> None:
    path = filled(tmp_path / "j.sqlite")
    with Journal(path, EVENTS) as journal:
        other = sqlite3.connect(path)
        with other:
            other.execute("INSERT INTO event VALUES (7, 'b', 0, 'u', 'k', '{}', 'h')")
        other.close()
        with pytest.raises(JournalLockedError, match=r"was written to by another program meanwhile"):
            journal.append(notes("mine"))
        assert journal.verify() == Broken(Seq(7), RowFault.CHANGED)


def test_a_reader_follows_while_the_writer_writes(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with Journal(path, EVENTS) as journal:
        journal.append(notes("a"))
        with JournalReader(path, EVENTS) as reader:
            assert reader.head == journal.head
            journal.append(notes("b", "c"))
            assert [entry.seq for entry in reader.entries(after=1)] == [2, 3]
            verdict = reader.verify()
            assert isinstance(verdict, Intact)
            assert verdict.head == journal.head


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    path = filled(tmp_path / "j.sqlite")
    before = path.read_bytes()
    with JournalReader(path, EVENTS) as reader:
        list(reader.entries())
        reader.verify()
    assert path.read_bytes() == before


def test_the_thread_that_opened_a_journal_need_not_be_the_one_that_writes_it(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.sqlite", EVENTS) as journal:
        worker = threading.Thread(target=journal.append, args=(notes("from elsewhere"),))
        worker.start()
        worker.join()
        assert journal.head.seq == 1


def test_long_journals_are_read_whole(tmp_path: Path) -> None:
    path = filled(tmp_path / "j.sqlite", count=1234)
    with JournalReader(path, EVENTS) as reader:
        assert [entry.seq for entry in reader.entries()] == list(range(1, 1235))


def test_a_missing_journal_is_not_made_by_reading(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"no journal at .*nowhere\.sqlite: check the path"):
        JournalReader(tmp_path / "nowhere.sqlite", EVENTS)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_is_no_journal_to_read_but_one_to_begin(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    path.touch()
    with pytest.raises(JournalForeignError, match=r"is an empty file, not a journal"):
        JournalReader(path, EVENTS)
    with Journal(path, EVENTS) as journal:
        assert journal.append(notes("first")).seq == 1


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "photos.sqlite"
    database = sqlite3.connect(path)
    with database:
        database.execute("CREATE TABLE photo (name TEXT)")
    database.close()
    before = path.read_bytes()
    for opened in (Journal, JournalReader):
        with pytest.raises(JournalForeignError, match=r"photos\.sqlite is a database of another program: set another"):
            opened(path, EVENTS)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(b"Dear arbiter, " * 100)
    for opened in (Journal, JournalReader):
        with pytest.raises(JournalForeignError, match=r"letter\.txt is not a journal, or its first page is damaged"):
            opened(path, EVENTS)
    assert path.read_bytes() == b"Dear arbiter, " * 100


def test_a_journal_of_a_later_version_asks_for_an_update(tmp_path: Path) -> None:
    path = filled(tmp_path / "j.sqlite")
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 9")
    database.close()
    with pytest.raises(JournalForeignError, match=r"has format 9, this version reads format 1: update the program"):
        Journal(path, EVENTS)


def test_damaged_pages_are_reported_at_the_event_they_cost(tmp_path: Path) -> None:
    path = filled(tmp_path / "j.sqlite", count=400)
    content = bytearray(path.read_bytes())
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(content)
    with JournalReader(path, EVENTS) as reader:
        broken = reader.verify()
        assert isinstance(broken, Broken)
        assert 1 < broken.seq < 400
        with pytest.raises(JournalDamagedError, match=r"is damaged: keep a copy of it"):
            list(reader.entries())


def test_a_folder_that_cannot_be_made_is_reported_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(
        JournalError, match=r"cannot write beside the journal .*; check the folder, or set another path"
    ):
        Journal(tmp_path / "file" / "j.sqlite", EVENTS)


def test_a_folder_in_the_journals_place_is_reported_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "j.sqlite").mkdir()
    with pytest.raises(JournalError, match=r"is a folder: set a file in it, such as .*/j\.sqlite/referee\.sqlite"):
        Journal(tmp_path / "j.sqlite", EVENTS)
    (tmp_path / "j.sqlite").rmdir()
    with Journal(tmp_path / "j.sqlite", EVENTS) as journal:
        assert journal.head == EMPTY


def test_the_documented_script_checks_a_journal_without_this_program(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs/journal.md").read_text("utf-8")
    script = page.partition("```python\n")[2].partition("```")[0]
    path = tmp_path / "j.sqlite"
    with Journal(path, EVENTS) as journal:
        head = journal.append([Note(1, 'шесть-пять \u2028 "q" \\ \n', (0.1, 1e-9, 3.0)), Press(2, Side.BLACK)])
    told = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, check=False)
    assert told.stdout == f"intact, {head.hash}\n"
    tampered(path, "UPDATE event SET mono_ms = 3 WHERE seq = 2")
    told = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, check=False)
    assert told.stderr == "broken at event 2\n"
