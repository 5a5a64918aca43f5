"""What ``append`` has returned for is there after a power cut at any moment."""

import random
import sqlite3
from pathlib import Path
from typing import cast

import pytest

from controller.adapters.journal import Journal, JournalReader
from tests.adapters.journal_under_fire import NOTES, batch, check

pytest.importorskip("apsw", reason="power cuts need a disk that can be torn: pip install apsw")

from tests.adapters.torn_disk import TornDisk

CUTS = 20


def written_until_the_cut(folder: Path, seed: int, synchronous: str) -> tuple[Path, int]:
    """Write a journal on a disk that loses its power, and return what is left of it and what was promised."""
    chance = random.Random(seed)
    disk = TornDisk(chance)
    path = folder / "live" / "j.sqlite"

    def open_on_torn_disk(path: Path) -> sqlite3.Connection:
        connection = disk.connect(path)
        connection.execute("PRAGMA wal_autocheckpoint = 4")
        return cast("sqlite3.Connection", _Forced(connection, synchronous))

    promised = 0
    disk.cut_after(chance.randint(30, 400))
    with Journal(path, NOTES, open_database=open_on_torn_disk) as journal:
        while not disk.is_cut:
            head = journal.append(batch(journal.head.seq + 1))
            if not disk.is_cut:
                promised = head.seq
    left = folder / "left"
    disk.restore(left)
    return left / "j.sqlite", promised


class _Forced:
    """A connection that insists on its own synchronous setting, to show what the right one is good for."""

    def __init__(self, connection: object, synchronous: str) -> None:
        self._connection = connection
        self._synchronous = synchronous

    def __getattr__(self, name: str) -> object:
        return getattr(self._connection, name)

    def execute(self, sql: str, *bindings: object) -> object:
        if sql.startswith("PRAGMA synchronous"):
            sql = f"PRAGMA synchronous = {self._synchronous}"
        return self._connection.execute(sql, *bindings)  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", range(CUTS))
def test_a_power_cut_loses_no_event_that_was_promised(tmp_path: Path, seed: int) -> None:
    left, promised = written_until_the_cut(tmp_path, seed, "FULL")
    if promised:
        check(left, promised)


def test_without_full_synchronisation_the_same_power_cuts_do_lose_events(tmp_path: Path) -> None:
    for seed in range(CUTS):
        left, promised = written_until_the_cut(tmp_path / str(seed), seed, "NORMAL")
        with JournalReader(left, NOTES) as reader:
            if reader.head.seq < promised:
                return
    pytest.fail("the disk of these tests tears nothing: they prove nothing")
