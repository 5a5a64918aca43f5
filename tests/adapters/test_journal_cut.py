"""A journal whose end is gone says so at the next start, and goes on only when somebody wants it to."""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.adapters.journal import (
    Broken,
    Intact,
    Journal,
    JournalDamagedError,
    JournalLockedError,
    JournalReader,
    RowFault,
    archive_journal,
    verify,
)
from tests.adapters.journal_under_fire import NOTES, batch

FIRST_PAGE = 2_000
"""A byte in the first page of the write-ahead log: the later ones are leftovers once it has been folded in."""
WRITER = Path(__file__).with_name("journal_under_fire.py")


def left_by_a_power_cut(folder: Path, appends: int = 60) -> Path:
    """Return a journal as a machine leaves it that stops in the middle: with a write-ahead log beside it."""
    path = folder / "live" / "j.sqlite"
    with Journal(path, NOTES) as journal:
        for _ in range(appends):
            journal.append(batch(journal.head.seq + 1))
        left = folder / "left"
        left.mkdir()
        for file in (path, path.with_name("j.sqlite-wal"), path.with_name("j.sqlite.head")):
            if file.exists():
                shutil.copy(file, left)
    return left / path.name


def log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def removed(log: Path) -> None:
    log.unlink()


def cut(log: Path) -> None:
    os.truncate(log, FIRST_PAGE + 900)


def flipped(log: Path) -> None:
    content = bytearray(log.read_bytes())
    content[FIRST_PAGE] ^= 0x10
    log.write_bytes(content)


DAMAGE: list[Callable[[Path], None]] = [removed, cut, flipped]


def test_a_journal_that_a_power_cut_left_is_whole(tmp_path: Path) -> None:
    path = left_by_a_power_cut(tmp_path)
    assert isinstance(verify(path, NOTES), Intact)
    with Journal(path, NOTES) as journal:
        assert journal.append(batch(journal.head.seq + 1)).seq > 30


@pytest.mark.parametrize("damage", DAMAGE)
def test_rows_that_went_with_the_write_ahead_log_are_missed(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    path = left_by_a_power_cut(tmp_path)
    damage(log_of(path))
    with pytest.raises(JournalDamagedError, match=r"ends before event \d+, \d+ events had been written"):
        Journal(path, NOTES)
    found = verify(path, NOTES)
    assert isinstance(found, Broken)
    assert found.fault is RowFault.CUT_OFF
    with JournalReader(path, NOTES) as reader, pytest.raises(JournalDamagedError, match="ends before event"):
        reader.check()


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_left_can_be_gone_on_with_knowingly(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    path = left_by_a_power_cut(tmp_path)
    damage(log_of(path))
    with Journal(path, NOTES, anyway=True) as journal:
        journal.append(batch(journal.head.seq + 1))
    # The loss has been accepted: from here on the journal is whole again.
    assert isinstance(verify(path, NOTES), Intact)
    with Journal(path, NOTES) as journal:
        assert journal.head.seq > 1


def test_the_write_ahead_log_holds_a_turn_and_not_a_match(tmp_path: Path) -> None:
    path = left_by_a_power_cut(tmp_path, appends=200)
    whole = verify(path, NOTES)
    assert isinstance(whole, Intact)
    assert log_of(path).stat().st_size < 500_000
    log_of(path).unlink()
    left = verify(path, NOTES)
    assert isinstance(left, Broken)
    assert whole.head.seq - left.seq < 60


def test_an_older_copy_in_the_journals_place_is_noticed(tmp_path: Path) -> None:
    path = left_by_a_power_cut(tmp_path)
    with Journal(path, NOTES) as journal:
        journal.append(batch(journal.head.seq + 1))
    copy = tmp_path / "copy"
    shutil.copy(path, copy)
    with Journal(path, NOTES) as journal:
        journal.append(batch(journal.head.seq + 1))
    shutil.copy(copy, path)
    with pytest.raises(JournalDamagedError, match="ends before event"):
        Journal(path, NOTES)


def test_a_note_that_a_power_cut_tore_leaves_the_one_before(tmp_path: Path) -> None:
    path = left_by_a_power_cut(tmp_path)
    note = path.with_name("j.sqlite.head")
    whole = note.read_bytes()
    for place in range(2):
        note.write_bytes(whole[: place * 128 + 5] + b"\0" * 90 + whole[place * 128 + 95 :])
        assert isinstance(verify(path, NOTES), Intact)
    log_of(path).unlink()
    assert isinstance(verify(path, NOTES), Broken)


def test_a_journal_from_before_there_were_notes_is_read_and_gone_on_with(tmp_path: Path) -> None:
    path = left_by_a_power_cut(tmp_path)
    path.with_name("j.sqlite.head").unlink()
    assert isinstance(verify(path, NOTES), Intact)
    with Journal(path, NOTES) as journal:
        assert journal.head.seq > 30


@pytest.mark.parametrize("gone", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_a_journal_that_was_emptied_is_not_begun_anew(tmp_path: Path, gone: Callable[[Path], None]) -> None:
    path = left_by_a_power_cut(tmp_path)
    log = log_of(path).read_bytes()
    gone(path)
    with pytest.raises(JournalDamagedError, match=r"is empty, but .*j\.sqlite-wal .*lies beside it"):
        Journal(path, NOTES, anyway=True)
    assert log_of(path).read_bytes() == log
    log_of(path).unlink()
    with pytest.raises(JournalDamagedError, match=r"is empty, but .*j\.sqlite\.head .*lies beside it"):
        Journal(path, NOTES)


def test_an_archived_journal_takes_its_note_along(tmp_path: Path) -> None:
    path = left_by_a_power_cut(tmp_path)
    archived = archive_journal(path, NOTES)
    assert archived.with_name(f"{archived.name}.head").exists()
    with Journal(path, NOTES) as journal:
        journal.append(batch(1))
    assert isinstance(verify(archived, NOTES), Intact)


def test_a_deleted_lock_file_lets_no_second_writer_in(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    writer = subprocess.Popen([sys.executable, str(WRITER), str(path)], stdout=subprocess.PIPE, text=True)
    try:
        assert writer.stdout is not None
        writer.stdout.readline()
        path.with_name("j.sqlite.lock").unlink()
        with pytest.raises(JournalLockedError, match="is being written by"):
            Journal(path, NOTES)
    finally:
        writer.kill()
        writer.communicate()


def test_what_the_journal_writes_is_for_its_owner_only(tmp_path: Path) -> None:
    old = os.umask(0o022)
    try:
        path = tmp_path / "board" / "j.sqlite"
        with Journal(path, NOTES) as journal:
            journal.append(batch(1))
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    finally:
        os.umask(old)
    assert modes.keys() >= {"j.sqlite", "j.sqlite-wal", "j.sqlite.head", "j.sqlite.lock"}
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
