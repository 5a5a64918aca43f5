"""After a match the next one: the old journal is put away whole, an unfinished match goes on."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from controller.adapters.journal import (
    Intact,
    Journal,
    JournalDamagedError,
    JournalError,
    JournalLockedError,
    JournalReader,
    archive_journal,
)
from controller.cli.run import open_journal
from controller.clock import Millis
from controller.locale import Lang
from controller.ports.entries import ENTRIES
from controller.referee.events import MatchOpened, Ordered, TurnEnd
from controller.referee.orders import Resign, Start
from controller.rules import Kind, Side, house_rules
from controller.service.opening import found_in

SINGLE = house_rules('inherits = "long-fnr"\nplay = "single"\ncrawford = false\ncube = false', "one game")
ANNA_BORIS = MatchOpened(Millis(0), "one game", SINGLE, "Anna", "Boris", TurnEnd.PRESS)
OLGA_PETR = replace(ANNA_BORIS, white="Olga", black="Petr")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "referee.sqlite"


def played(path: Path, match: MatchOpened, *, over: bool) -> Path:
    with Journal(path, ENTRIES) as journal:
        journal.append([match, Ordered(Millis(1), "arbiter", Start())])
        if over:
            journal.append([Ordered(Millis(2), "arbiter", Resign(Side.WHITE, Kind.OIN))])
    return path


def told(path: Path, match: MatchOpened, *, new: bool = False) -> tuple[str, ...]:
    """What people are told when the referee is started for ``match``."""
    journal, opened, said = open_journal(path, match, Lang.EN, new=new)
    journal.close()
    assert opened.state.white == holds(path).white
    return said


def holds(path: Path) -> MatchOpened:
    with JournalReader(path, ENTRIES) as journal:
        found = found_in(journal)
    assert found is not None
    return found.match


def test_a_match_whose_end_is_gone_goes_on_only_when_somebody_wants_it(path: Path) -> None:
    played(path, ANNA_BORIS, over=False)
    with sqlite3.connect(path) as database:
        database.execute("DROP TRIGGER event_no_delete")
        database.execute("DELETE FROM event WHERE seq = 2")
    database.close()
    with pytest.raises(JournalDamagedError, match="ends before event 2, 2 events had been written"):
        open_journal(path, ANNA_BORIS, Lang.EN, new=False)
    journal, opened, _ = open_journal(path, ANNA_BORIS, Lang.EN, new=False, anyway=True)
    with journal:
        assert opened.resumed
    told(path, ANNA_BORIS)


def test_a_match_whose_rows_were_changed_goes_on_only_when_somebody_wants_it(path: Path) -> None:
    played(path, ANNA_BORIS, over=False)
    with sqlite3.connect(path) as database:
        database.execute("DROP TRIGGER event_no_update")
        database.execute("UPDATE event SET mono_ms = 7 WHERE seq = 1")
    database.close()
    with pytest.raises(JournalDamagedError, match="event 1 or its hash was changed"):
        open_journal(path, ANNA_BORIS, Lang.EN, new=False)
    open_journal(path, ANNA_BORIS, Lang.EN, new=False, anyway=True)[0].close()


def kept_beside(path: Path) -> list[Path]:
    return sorted(file for file in path.parent.glob("*.sqlite") if file != path)


def test_a_first_match_needs_no_room(path: Path) -> None:
    assert told(path, ANNA_BORIS) == ()
    assert holds(path) == ANNA_BORIS


def test_when_a_match_is_over_other_players_begin_their_own(path: Path) -> None:
    played(path, ANNA_BORIS, over=True)
    before = path.read_bytes()
    (line,) = told(path, OLGA_PETR)
    (archived,) = kept_beside(path)
    assert str(archived) in line
    assert holds(path) == OLGA_PETR
    assert archived.read_bytes() == before
    with JournalReader(archived, ENTRIES) as journal:
        assert isinstance(journal.verify(), Intact)
    assert holds(archived) == ANNA_BORIS


def test_the_same_match_once_over_is_shown_until_a_new_one_is_asked_for(path: Path) -> None:
    played(path, ANNA_BORIS, over=True)
    (line,) = told(path, replace(ANNA_BORIS, at=Millis(99)))
    assert "is over" in line
    assert "--new" in line
    assert kept_beside(path) == []
    told(path, ANNA_BORIS, new=True)
    assert len(kept_beside(path)) == 1


def test_an_unfinished_match_goes_on_whatever_the_settings_say_unless_a_new_one_is_asked_for(path: Path) -> None:
    played(path, ANNA_BORIS, over=False)
    assert ["goes on" in line or "another match" in line for line in told(path, OLGA_PETR)] == [True, True]
    assert kept_beside(path) == []
    told(path, OLGA_PETR, new=True)
    assert len(kept_beside(path)) == 1


def test_matches_of_one_minute_do_not_take_each_others_name(path: Path) -> None:
    played(path, ANNA_BORIS, over=True)
    for _ in range(3):
        told(path, ANNA_BORIS, new=True)
    assert len(kept_beside(path)) == 3


def test_a_journal_that_somebody_writes_or_reads_is_not_taken_from_under_him(path: Path) -> None:
    played(path, ANNA_BORIS, over=True)
    with Journal(path, ENTRIES), pytest.raises(JournalLockedError, match="is being written by process"):
        told(path, OLGA_PETR)
    with JournalReader(path, ENTRIES) as reader:
        list(reader.entries())
        with pytest.raises(JournalError, match="is being read by another program"):
            archive_journal(path, ENTRIES)
    assert kept_beside(path) == []
