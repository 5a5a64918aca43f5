"""What ``append`` has returned for is there after a power cut at any moment, with the settings that production sets."""

import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from controller.adapters.journal import Journal, JournalError, JournalReader
from tests.adapters.journal_under_fire import NOTES, batch, check

pytest.importorskip("apsw", reason="power cuts need a disk that can be torn: pip install apsw")

from tests.adapters.torn_disk import TornDisk

pytestmark = pytest.mark.slow  # cuts the power hundreds of times

CUTS = 20
EARLY_CUT, LATEST_CUT = 120, 6_000
"""Writes and syncs before the latest cut. By 120 SQLite has not yet moved its write-ahead log into the file, by 6,000
it has done so often. Every other cut is an early one."""

Wrap = Callable[[object], object]


def written_until_the_cut(folder: Path, seed: int, wrap: Wrap = lambda connection: connection) -> tuple[Path, int]:
    """Write a journal on a disk that loses its power, and return what is left of it and what was promised."""
    chance = random.Random(seed)
    disk = TornDisk(chance)
    path = folder / "live" / "j.sqlite"

    def open_on_torn_disk(path: Path) -> sqlite3.Connection:
        return cast("sqlite3.Connection", wrap(disk.connect(path)))

    promised = 0
    disk.cut_after(chance.randint(30, LATEST_CUT if seed % 2 else EARLY_CUT))
    with Journal(path, NOTES, open_database=open_on_torn_disk) as journal:
        while not disk.is_cut:
            head = journal.append(batch(journal.head.seq + 1))
            if not disk.is_cut:
                promised = head.seq
    left = folder / "left"
    disk.restore(left)
    return left / "j.sqlite", promised


class Lazier:
    """A connection that syncs less than production asks for, to show what that is good for."""

    def __init__(self, connection: object) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> object:
        return getattr(self._connection, name)

    def execute(self, sql: str, *bindings: object) -> object:
        if sql.startswith("PRAGMA synchronous"):
            sql = "PRAGMA synchronous = NORMAL"
        return self._connection.execute(sql, *bindings)  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", range(CUTS))
def test_a_power_cut_loses_no_event_that_was_promised(tmp_path: Path, seed: int) -> None:
    left, promised = written_until_the_cut(tmp_path, seed)
    if promised:
        check(left, promised)


def test_these_cuts_come_before_and_after_the_log_is_moved_into_the_file(tmp_path: Path) -> None:
    # A journal whose events are all in the log has a file of a page or two.
    sizes = [written_until_the_cut(tmp_path / str(seed), seed)[0].stat().st_size for seed in range(CUTS // 2)]
    assert min(sizes) < 10_000
    assert max(sizes) > 100_000


def test_with_fewer_syncs_the_same_power_cuts_do_lose_events(tmp_path: Path) -> None:
    for seed in range(CUTS):
        left, promised = written_until_the_cut(tmp_path / str(seed), seed, Lazier)
        try:
            with JournalReader(left, NOTES) as reader:
                kept = reader.head.seq
        except JournalError:
            kept = 0
        if kept < promised:
            return
    pytest.fail("the disk of these tests tears nothing: they prove nothing")
