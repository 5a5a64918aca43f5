"""A journal is ruled on again: today's program agrees with itself, and says so where a journal was ruled otherwise."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.adapters.journal import Journal, JournalReader
from controller.cli.compose import Demonstration
from controller.cli.group import build
from controller.clock import Millis
from controller.locale import Lang
from controller.ports.entries import ENTRIES, Entry, Ruled
from controller.referee.events import Restarted
from controller.referee.rulings import PlayRuling, PlayVerdict
from controller.service.ruling_again import ruled_again
from tests.service.observer import observer

pytestmark = pytest.mark.slow  # plays whole matches


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[Entry]:
    """The journal of a game with faults and an arbiter's orders."""
    folder = tmp_path_factory.mktemp("played")
    with Demonstration(folder, "hyper", observer, seed=3, games=1, faults=True) as show:
        show.run()
    with JournalReader(folder / "journal.sqlite", ENTRIES) as journal:
        return [entry.event for entry in journal.entries()]


def journal_of(entries: list[Entry], path: Path) -> Path:
    with Journal(path, ENTRIES) as journal:
        journal.append(entries)
    return path


def otherwise(entries: list[Entry]) -> list[Entry]:
    """The journal as a program would have written it that refused the first accepted play."""
    first = next(
        number
        for number, entry in enumerate(entries)
        if isinstance(entry, Ruled)
        and isinstance(entry.ruling, PlayRuling)
        and entry.ruling.verdict is PlayVerdict.ACCEPTED
    )
    entry = entries[first]
    assert isinstance(entry, Ruled)
    assert isinstance(entry.ruling, PlayRuling)
    refused = replace(entry, ruling=replace(entry.ruling, verdict=PlayVerdict.REFUSED, play=None))
    return [*entries[:first], refused, *entries[first + 1 :]]


def replay(path: Path, *options: str) -> tuple[int, list[str]]:
    done = CliRunner().invoke(build(Lang.EN), ["replay", str(path), *options], standalone_mode=False)
    return done.return_value or 0, done.output.splitlines()


def test_todays_program_rules_its_own_match_the_same(played: list[Entry], tmp_path: Path) -> None:
    rulings = sum(isinstance(entry, Ruled) for entry in played)
    code, lines = replay(journal_of(played, tmp_path / "j.sqlite"))
    assert code == 0
    assert lines[-1] == f"Today's program rules the same in all {rulings} rulings."
    assert len(lines) == rulings + 1


def test_a_ruling_that_differs_is_named_with_todays(played: list[Entry], tmp_path: Path) -> None:
    rulings = sum(isinstance(entry, Ruled) for entry in played)
    code, lines = replay(journal_of(otherwise(played), tmp_path / "j.sqlite"))
    assert code == 1
    assert len([line for line in lines if "today: " in line and "accepted" in line]) == 1
    assert f"the same in {rulings - 1} of {rulings} rulings" in lines[-1]
    _, objects = replay(tmp_path / "j.sqlite", "--json")
    differing = [said for said in map(json.loads, objects[:-1]) if not said["same"]]
    assert [(said["ruling"]["verdict"], said["today"]["verdict"]) for said in differing] == [("refused", "accepted")]


def test_a_ruling_that_the_journal_lacks_or_has_alone_is_named(played: list[Entry]) -> None:
    first = next(number for number, entry in enumerate(played) if isinstance(entry, Ruled))
    lacking = [*played[:first], *played[first + 1 :]]
    again = [each for each in ruled_again(enumerate(lacking)) if not each.same]
    assert [(each.recorded, each.today is not None) for each in again] == [(None, True)]
    doubled = [*played[: first + 1], played[first], *played[first + 1 :]]
    again = [each for each in ruled_again(enumerate(doubled)) if not each.same]
    assert [(each.recorded is not None, each.today) for each in again] == [(True, None)]


def test_a_journal_that_begins_without_a_match_is_named() -> None:
    with pytest.raises(ValueError, match="begins with restarted, not with match_opened"):
        list(ruled_again([(1, Restarted(Millis(1)))]))
