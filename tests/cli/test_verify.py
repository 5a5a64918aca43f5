"""``verify`` says of a journal whether it is whole, and names the first bad row."""

import re
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.adapters.evidence import Evidence
from controller.adapters.journal import Journal, JournalDamagedError
from controller.cli.group import build
from controller.locale import Lang
from controller.ports.entries import ENTRIES, Ruled
from controller.rules import ruleset
from tests.referee.tabletop import Table


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    table = Table(ruleset("short-wbgf"))
    table.rest()
    table.open_with(5, 3)
    path = tmp_path / "match.sqlite"
    with Journal(path, ENTRIES) as journal:
        journal.append(table.events)
    return path


def verified(path: Path, lang: Lang = Lang.EN) -> tuple[str, int]:
    result = CliRunner().invoke(build(lang), ["verify", str(path)])
    return result.output.strip(), result.exit_code


def changed(path: Path, statement: str) -> None:
    database = sqlite3.connect(path)
    for trigger in ("event_no_update", "event_no_delete"):
        database.execute(f"DROP TRIGGER {trigger}")
    database.execute(statement)
    database.commit()
    database.close()


def test_a_whole_journal_is_reported_with_what_it_holds(journal: Path) -> None:
    with Journal(journal, ENTRIES) as opened:
        head = opened.head
    said, code = verified(journal)
    assert code == 0
    assert re.search(rf"is intact: {head.seq} events, written from 20.* to 20.*\. .*: {head.hash}$", said)
    assert f"цел: событий {head.seq}" in verified(journal, Lang.RU)[0]


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE event SET body = '{}' WHERE seq = 3", "event 3 or its hash was changed after it was written."),
        ("DELETE FROM event WHERE seq = 3", "event 3 is missing, the next one is 4."),
        ("UPDATE event SET body = CAST(x'ff' AS TEXT) WHERE seq = 3", "is damaged at event 3: "),
        ("UPDATE event SET body = x'00' WHERE seq = 3", "event 3 holds what no journal writes ("),
    ],
)
def test_the_first_bad_row_is_named(journal: Path, statement: str, said: str) -> None:
    changed(journal, statement)
    output, code = verified(journal)
    assert said in output
    assert code == 1


def test_pictures_that_rulings_rest_on_are_checked_too(journal: Path) -> None:
    evidence = Evidence(journal.parent / "evidence")
    names = [evidence.keep(content) for content in (b"one", b"two", b"three")]
    table = Table(ruleset("short-wbgf"))
    table.rest()
    table.open_with(5, 3)
    ruling = table.rulings[0]
    with Journal(journal, ENTRIES) as opened:
        opened.append([Ruled(ruling.at, ruling, tuple(names))])
    assert "3, of them 3 unchanged, 0 missing, 0 changed" in verified(journal)[0]
    (evidence.folder / names[0]).unlink()
    said, code = verified(journal)
    assert "3, of them 2 unchanged, 1 missing, 0 changed" in said
    assert code == 0, "a copy of the journal without its pictures is whole"
    (evidence.folder / names[1]).write_bytes(b"other")
    said, code = verified(journal)
    assert "3, of them 1 unchanged, 1 missing, 1 changed" in said
    assert code == 1


@pytest.mark.parametrize("command", ["export", "replay", "fairness"])
def test_nothing_is_derived_from_a_broken_journal_unless_somebody_wants_it(journal: Path, command: str) -> None:
    changed(journal, "DELETE FROM event WHERE seq = (SELECT max(seq) FROM event)")
    refused = CliRunner().invoke(build(Lang.EN), [command, str(journal)])
    assert isinstance(refused.exception, JournalDamagedError)
    assert "ends before event" in str(refused.exception)
    assert "--anyway" in str(refused.exception)
    assert not refused.output
    taken = CliRunner().invoke(build(Lang.EN), [command, str(journal), "--anyway"])
    assert taken.output
    assert not isinstance(taken.exception, Exception)


def test_a_file_that_is_no_journal_is_reported_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "letter.sqlite").write_text("Dear arbiter")
    result = CliRunner().invoke(build(Lang.EN), ["verify", str(tmp_path / "letter.sqlite")])
    assert "is not a journal" in str(result.exception)


@pytest.mark.parametrize("out", ["match.sqlite", "other.sqlite"])
def test_no_export_is_written_over_a_journal(journal: Path, out: str) -> None:
    Journal(journal.with_name("other.sqlite"), ENTRIES).close()
    before = journal.with_name(out).read_bytes()
    asked = ["export", str(journal), "--format", "text", "-o", str(journal.with_name(out))]
    result = CliRunner().invoke(build(Lang.EN), asked)
    assert "give another file to write" in str(result.exception)
    assert journal.with_name(out).read_bytes() == before
