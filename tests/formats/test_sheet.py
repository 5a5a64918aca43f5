"""The score sheet as a person and a spreadsheet read it."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.formats.record import (
    ClockTimes,
    CubeAction,
    CubeRecord,
    GameEnd,
    GameRecord,
    MatchRecord,
    OrderRecord,
    RulingNote,
    TurnRecord,
)
from controller.formats.sheet import clock_text, csv_sheet, text_sheet
from controller.locale import Lang, text
from controller.rules import Game, Score, Side

REFUSED = RulingNote("refused", "head_twice", "head=1", "003:L61")
FIRST = GameRecord(
    1,
    Score(),
    starter=Side.WHITE,
    openings=((3, 3), (5, 2)),
    opening_voids=("cocked",),
    turns=(
        TurnRecord(Side.WHITE, (5, 2), "24/19 24/22", rulings=(REFUSED,), times=ClockTimes(840_000, 840_000)),
        TurnRecord(Side.BLACK, (6, 6), "pass", voids=("split_halves",), times=ClockTimes(840_000, 829_500)),
        CubeRecord(Side.WHITE, CubeAction.DOUBLE, 2),
        CubeRecord(Side.BLACK, CubeAction.TAKE, 2),
    ),
    end=GameEnd(Side.BLACK, "mars", 4),
)
SECOND = GameRecord(2, Score(0, 4), crawford=True)
RECORD = MatchRecord(
    Game.LONG, "long-fnr", 5, "Anna", "=Boris", (FIRST, SECOND), date="2026-11-30", place="club, table 1"
)


def test_the_english_sheet_tells_the_match() -> None:
    assert text_sheet(RECORD, Lang.EN) == (
        "Score sheet\n"
        "club, table 1, 2026-11-30, long-fnr, match to 5\n"
        "White: Anna\n"
        "Black: =Boris\n"
        "\n"
        "Game 1 at 0 - 0\n"
        "     A die is cocked: throw both again\n"
        "     opening throw 3-3, 5-2\n"
        "     White   refused: head_twice; head=1\n"
        "   1 White   5-2  24/19 24/22                           14:00    14:00\n"
        "     Black   The dice lie in different halves: throw both again\n"
        "   2 Black   6-6  no legal play                         14:00    13:50\n"
        "     White   doubles to 2\n"
        "     Black   takes\n"
        "=Boris wins, mars, points: 4\n"
        "\n"
        "Game 2 at 0 - 4, Crawford game\n"
        "Not finished\n"
        "\n"
        "Score Anna 0 - 4 =Boris\n"
    )


def test_one_checker_over_two_dice_reads_as_players_write_it() -> None:
    turns = tuple(TurnRecord(Side.WHITE, (2, 1), play) for play in ("24/22 22/21", "24/22* 22/21", "24/22 6/5"))
    record = MatchRecord(Game.SHORT, "short-wbgf", 5, "Ann", "Bob", (GameRecord(1, Score(), turns=turns),))
    rows = csv.DictReader(io.StringIO(csv_sheet(record)))
    assert [row["play"] for row in rows] == ["24/21", "24/22*/21", "24/22 6/5"]


def test_the_russian_sheet_is_russian() -> None:
    sheet = text_sheet(RECORD, Lang.RU)
    assert "     Белые   предлагает удвоение до 2\n" in sheet
    assert f"     Чёрные  {text(Lang.RU, 'void.split_halves')}\n" in sheet
    assert "Победа: =Boris, марс, очки: 4\n" in sheet


def test_a_draw_has_no_winner() -> None:
    drawn = GameRecord(1, Score(), end=GameEnd(None, "draw", 0))
    record = MatchRecord(Game.LONG, "long-treegame", 0, "Anna", "Boris", (drawn,))
    assert "Nobody wins, draw\n" in text_sheet(record, Lang.EN)
    assert record.score == (0, 0)


def test_the_table_has_a_line_for_each_turn_and_each_result() -> None:
    rows = list(csv.DictReader(io.StringIO(csv_sheet(RECORD))))
    assert [row["play"] for row in rows] == ["24/19 24/22", "pass", "double 2", "take 2", ""]
    assert rows[0]["rulings"] == "refused head_twice head=1 referee"
    assert rows[1]["voids"] == "split_halves"
    assert (rows[1]["white_clock"], rows[1]["black_clock"]) == ("14:00", "13:50")
    assert (rows[4]["side"], rows[4]["verdict"]) == ("black", "mars 4")
    assert (rows[4]["white_score"], rows[4]["black_score"]) == ("0", "4")


def test_a_name_that_looks_like_a_formula_is_no_formula_in_a_spreadsheet() -> None:
    players = {row["player"] for row in csv.DictReader(io.StringIO(csv_sheet(RECORD)))}
    assert players == {"Anna", "'=Boris"}


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_names_survive_the_table(white: str, black: str) -> None:
    record = MatchRecord(Game.LONG, "long-fnr", 5, white, black, (FIRST,))
    rows = list(csv.reader(io.StringIO(csv_sheet(record), newline="")))
    assert len({len(row) for row in rows}) == 1
    assert rows[1][3].removeprefix("'") == white.removeprefix("'")


@pytest.mark.parametrize(
    ("left_ms", "face"),
    [(0, "0:00"), (1, "0:01"), (1_000, "0:01"), (287_000, "4:47"), (840_000, "14:00"), (3_661_000, "1:01:01")],
)
def test_a_reserve_looks_as_on_a_clock(left_ms: int, face: str) -> None:
    assert clock_text(left_ms) == face


def test_the_arbiter_is_named_in_the_sheets_language() -> None:
    order = OrderRecord("pause", "arbiter", "шум в зале")
    record = MatchRecord(Game.LONG, "long-fnr", 5, "Анна", "Борис", (GameRecord(1, Score(), turns=(order,)),))
    assert "Решение (арбитр): часы остановлены (причина: шум в зале)" in text_sheet(record, Lang.RU)


@pytest.mark.parametrize(
    ("game", "kind", "words"),
    [(Game.SHORT, "mars", "gammon"), (Game.NACKGAMMON, "koks", "backgammon"), (Game.LONG, "koks", "koks"),
     (Game.SHORT, "drop", "double passed"), (Game.KHACHAPURI, "mars", "mars")],
)  # fmt: skip
def test_backgammon_and_nardy_have_their_own_words_for_how_a_game_was_won(game: Game, kind: str, words: str) -> None:
    won = GameRecord(1, Score(), end=GameEnd(Side.WHITE, kind, 2))
    record = MatchRecord(game, "club", 5, "Anna", "Boris", (won,))
    assert f"Anna wins, {words}, points: 2" in text_sheet(record, Lang.EN)
