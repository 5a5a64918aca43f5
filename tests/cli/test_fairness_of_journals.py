"""The fairness report over journals: what counted is tested, what was thrown again is not, and loaded dice are told."""

import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.adapters.journal import Journal
from controller.cli.group import build
from controller.clock import Millis
from controller.locale import Lang
from controller.ports.entries import ENTRIES, Entry, Ruled
from controller.referee.dice import VoidReason
from controller.referee.events import MatchOpened, Ordered, TurnEnd
from controller.referee.orders import Undo
from controller.referee.rulings import Judge, PlayRuling, PlayVerdict, ThrowOutcome, ThrowRuling
from controller.rules import Game, Side, ruleset, start
from controller.service.throw_log import counted_throws

FAIR = (1, 1, 1, 1, 1, 1)
LOADED = (2, 3, 3, 3, 3, 6)


def opened(white: str = "First", black: str = "Second", name: str = "short-wbgf") -> MatchOpened:
    rules = ruleset(name)
    return MatchOpened(Millis(0), rules.name, rules, white, black, TurnEnd.PRESS)


def thrown(
    side: Side | None,
    values: tuple[int, int],
    outcome: ThrowOutcome = ThrowOutcome.VALID,
    judge: Judge = Judge.REFEREE,
) -> Ruled:
    reason = VoidReason.COCKED if outcome is ThrowOutcome.RE_ROLL else None
    return Ruled(Millis(1), ThrowRuling(1, Millis(1), side, outcome, judge, values, reason, ()))


def match_of(rng: random.Random, turns: int, black: tuple[int, ...], names: tuple[str, str]) -> list[Entry]:
    entries: list[Entry] = [opened(*names), thrown(None, (5, 3))]
    for turn in range(turns):
        side = Side.WHITE if turn % 2 == 0 else Side.BLACK
        first = rng.choices(range(1, 7), FAIR if side is Side.WHITE else black)[0]
        entries.append(thrown(side, (first, rng.randint(1, 6))))
    return entries


def written(path: Path, entries: list[Entry]) -> Path:
    with Journal(path, ENTRIES) as journal:
        journal.append(entries)
    return path


def told(lang: Lang, *arguments: str) -> str:
    done = CliRunner().invoke(build(lang), ["fairness", *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def played(side: Side, verdict: PlayVerdict = PlayVerdict.ACCEPTED) -> Ruled:
    begin = start(Game.SHORT)
    return Ruled(Millis(2), PlayRuling(2, Millis(2), side, (6, 5), verdict, Judge.REFEREE, begin, begin, "24/13"))


def faces(*entries: Entry) -> list[tuple[Side, tuple[int, ...]]]:
    return [(throw.side, throw.faces) for throw in counted_throws(entries)]


def test_void_throws_and_open_questions_do_not_count() -> None:
    entries: list[Entry] = [
        opened(),
        thrown(Side.WHITE, (6, 6), ThrowOutcome.RE_ROLL),
        thrown(Side.WHITE, (2, 1), ThrowOutcome.PLEASE_LOOK),
        thrown(Side.WHITE, (2, 1), judge=Judge.ARBITER),
    ]
    assert [(throw.player, throw.faces) for throw in counted_throws(entries)] == [("First", (2, 1))]


def test_each_set_shows_one_die_of_the_opening_throw_and_a_tie_was_thrown_too() -> None:
    assert faces(opened(), thrown(None, (4, 4)), thrown(None, (5, 3)), thrown(Side.BLACK, (6, 1))) == [
        (Side.WHITE, (4,)),
        (Side.BLACK, (4,)),
        (Side.WHITE, (5,)),
        (Side.BLACK, (3,)),
        (Side.BLACK, (6, 1)),
    ]


def test_a_void_opening_throw_does_not_count_and_one_that_the_arbiter_voids_is_taken_off() -> None:
    void = thrown(None, (5, 3), ThrowOutcome.RE_ROLL)
    voided = thrown(None, (2, 1), ThrowOutcome.RE_ROLL, Judge.ARBITER)
    assert faces(opened(), void, thrown(None, (2, 1)), voided, thrown(None, (6, 1))) == [
        (Side.WHITE, (6,)),
        (Side.BLACK, (1,)),
    ]


@pytest.mark.parametrize("setting", [None, Side.BLACK])
def test_an_opening_that_the_arbiter_sets_otherwise_counts_once(setting: Side | None) -> None:
    # Black's die is the higher one, so Black plays; the arbiter sets the roll before or after a play is refused.
    again = thrown(setting, (3, 6), judge=Judge.ARBITER)
    assert faces(opened(), thrown(None, (3, 5)), again, played(Side.BLACK)) == [(Side.WHITE, (3,)), (Side.BLACK, (6,))]


def test_where_the_starter_throws_anew_his_throw_is_another_one() -> None:
    throws = faces(opened(name="long-classic"), thrown(None, (5, 3)), thrown(Side.WHITE, (6, 2)))
    assert throws == [(Side.WHITE, (5,)), (Side.BLACK, (3,)), (Side.WHITE, (6, 2))]


def test_a_valid_throw_thrown_once_more_counts_as_first_thrown() -> None:
    again = ThrowRuling(3, Millis(3), Side.WHITE, ThrowOutcome.VALID, Judge.REFEREE, (5, 3), None, (), rethrown=(6, 6))
    assert faces(opened(), thrown(None, (5, 3)), Ruled(Millis(3), again)) == [(Side.WHITE, (5,)), (Side.BLACK, (3,))]


@pytest.mark.parametrize("between", [played(Side.WHITE, PlayVerdict.REFUSED), Ordered(Millis(3), "arbiter", Undo())])
def test_a_roll_put_right_after_a_play_was_refused_or_taken_back_counts_once(between: Entry) -> None:
    before: list[Entry] = [played(Side.WHITE)] if isinstance(between, Ordered) else []
    right = thrown(Side.WHITE, (6, 3), judge=Judge.ARBITER)
    assert faces(opened(), thrown(Side.WHITE, (6, 5)), *before, between, right) == [(Side.WHITE, (6, 3))]


def test_a_roll_that_the_arbiter_sets_otherwise_counts_once_as_he_set_it() -> None:
    entries: list[Entry] = [opened(), thrown(Side.WHITE, (6, 5)), thrown(Side.WHITE, (6, 3), judge=Judge.ARBITER)]
    assert [throw.faces for throw in counted_throws(entries)] == [(6, 3)]


def test_a_throw_that_was_read_and_then_voided_does_not_count() -> None:
    entries: list[Entry] = [
        opened(),
        thrown(Side.BLACK, (6, 5)),
        thrown(Side.BLACK, (6, 5), ThrowOutcome.RE_ROLL, Judge.ARBITER),
        thrown(Side.BLACK, (4, 2)),
    ]
    assert [throw.faces for throw in counted_throws(entries)] == [(4, 2)]


def test_an_ordinary_match_is_told_in_one_calm_sentence(tmp_path: Path) -> None:
    journal = written(tmp_path / "match.sqlite", match_of(random.Random(5), 412, FAIR, ("First", "Second")))
    english = told(Lang.EN, str(journal)).splitlines()
    # One opening throw, of each set one die.
    assert english[-1] == "Nothing unusual in 414 throws."
    assert english[0].startswith("White: 207 throws; 1: ")
    assert sum(int(count) for count in re.findall(r": (\d+)(?:  |$)", english[0])) == 2 * 206 + 1
    assert told(Lang.RU, str(journal)).splitlines()[-1] == "Бросков: 414. Ничего необычного."


def test_openings_alone_give_away_a_die_that_shows_too_many_sixes(tmp_path: Path) -> None:
    rng = random.Random(4)
    entries: list[Entry] = [opened()]
    entries += [thrown(None, (rng.randint(1, 6), rng.choices(range(1, 7), LOADED)[0])) for _ in range(400)]
    output = told(Lang.EN, str(written(tmp_path / "openings.sqlite", entries)))
    assert "Dice Black: the " in output
    assert "Dice White:" not in output


@pytest.mark.parametrize(("lang", "words"), [(Lang.EN, "Dice Second: the 6 came"), (Lang.RU, "Зары Second: 6 выпало")])
def test_a_loaded_die_is_found_over_a_season_and_goes_with_its_player(tmp_path: Path, lang: Lang, words: str) -> None:
    rng = random.Random(9)
    for number in range(6):
        # Second always has Black here; the loaded pair is the same all season.
        opponent = "First" if number % 2 else "Third"
        written(tmp_path / f"{number}.sqlite", match_of(rng, 200, LOADED, (opponent, "Second")))
    output = told(lang, str(tmp_path), "--by", "player")
    assert words in output
    assert not any(f"{who}:" in line and "came" in line for who in ("First", "Third") for line in output.splitlines())


def test_a_folder_without_a_journal_says_what_to_give(tmp_path: Path) -> None:
    done = CliRunner().invoke(build(Lang.EN), ["fairness", str(tmp_path)])
    assert isinstance(done.exception, ValueError)
    assert "no journal in" in str(done.exception)
    assert ".sqlite" in str(done.exception)
