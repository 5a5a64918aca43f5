"""Adjudication cases B, C, D and E: head, use of the dice, six-block and bearing off in long nardy."""

import pytest

from controller.rules import (
    Cube,
    Illegal,
    Legal,
    Play,
    Roll,
    Started,
    finished,
    judge,
    judge_steps,
    legal_plays,
    opening,
)
from controller.rules.verdict import Verdict
from tests.rules.boards import LONG, LONG_AND_CRAZY, Counts, board, results, rules, same

HEADS: Counts = {24: 15}

ALL_RESULTS: list[tuple[str, tuple[str, ...], dict[str, object], Counts, Counts, str, str, list[Counts]]] = [
    # id, presets, options, white, black, roll, turn, white's board afterwards
    ("B01", LONG, {}, HEADS, HEADS, "6-6", "first", [{24: 13, 18: 2}]),
    ("B02", LONG, {}, HEADS, HEADS, "4-4", "first", [{24: 13, 16: 2}]),
    ("B03", LONG, {}, HEADS, HEADS, "3-3", "first", [{24: 13, 18: 2}, {24: 13, 21: 1, 15: 1}]),
    ("B04", LONG, {}, HEADS, HEADS, "5-5", "first", [{24: 14, 4: 1}]),
    ("B05", LONG, {}, HEADS, HEADS, "2-2", "first", [{24: 14, 16: 1}]),
    ("B06", LONG, {}, HEADS, HEADS, "1-1", "first", [{24: 14, 20: 1}]),
    ("B07", LONG_AND_CRAZY, {}, HEADS, HEADS, "6-5", "first", [{24: 14, 13: 1}]),
    ("B09", LONG, {}, HEADS, {24: 14, 13: 1}, "6-6", "second", [{24: 13, 18: 2}]),
    ("B10", ("long-fnr", "long-classic", "alerator-long"), {}, HEADS, {24: 14, 21: 1}, "5-5", "second",
     [{24: 14, 14: 1}]),
    ("B11", ("long-club",), {}, HEADS, {24: 14, 21: 1}, "5-5", "second", [{24: 13, 14: 2}]),
    ("B12", ("long-fnr", "long-classic", "alerator-long"), {}, HEADS, {24: 14, 4: 1}, "2-2", "second",
     [{24: 14, 18: 1}]),
    ("B13", ("long-club",), {}, HEADS, {24: 14, 4: 1}, "2-2", "second", [{24: 13, 20: 2}, {24: 13, 22: 1, 18: 1}]),
    ("B14", LONG, {}, {24: 13, 18: 2}, {24: 13, 18: 2}, "6-6", "later", [{24: 12, 18: 3}]),
    ("B15", LONG, {"head_first": "six_only"}, HEADS, HEADS, "4-4", "first", [{24: 14, 16: 1}]),
    ("B16", LONG, {"head_first": "azeri"}, HEADS, HEADS, "3-3", "first", [{24: 14, 15: 1}]),
    ("C01", LONG_AND_CRAZY, {}, {10: 1, 2: 14}, {13: 1, 3: 14}, "5-4", "later", [{5: 1, 2: 14}]),
    ("C02", LONG_AND_CRAZY, {}, {10: 1, 2: 14}, {17: 1, 13: 1, 3: 13}, "5-4", "later", [{6: 1, 2: 14}]),
    ("C03", LONG_AND_CRAZY, {}, {20: 1, 2: 14}, {2: 1, 1: 14}, "6-2", "later", [{12: 1, 2: 14}]),
    ("C04", LONG, {}, {20: 1, 2: 14}, {20: 1, 1: 14}, "3-3", "later", [{11: 1, 2: 14}]),
    ("C05", LONG_AND_CRAZY, {}, {20: 1, 2: 14}, {3: 1, 2: 14}, "6-5", "later", [{20: 1, 2: 14}]),
    ("C06", LONG_AND_CRAZY, {}, {20: 1, 2: 14}, {5: 1, 3: 14}, "5-3", "later", [{20: 1, 2: 14}]),
    ("D14", LONG, {}, {13: 1, 6: 3, 5: 3, 4: 3, 3: 3, 2: 2}, {24: 13, 20: 1, 19: 1}, "6-5", "later",
     [{13: 1, 6: 3, 5: 3, 4: 3, 3: 3, 2: 2}]),
    ("D15", LONG, {}, {13: 1, 6: 3, 5: 3, 4: 3, 3: 3, 2: 2}, {24: 13, 20: 1, 19: 1}, "5-5", "later",
     [{13: 1, 5: 3, 4: 3, 3: 3, 2: 2, 1: 3}]),
    ("D15 each step", LONG, {"block_check": "each_step"}, {13: 1, 6: 3, 5: 3, 4: 3, 3: 3, 2: 2},
     {24: 13, 20: 1, 19: 1}, "5-5", "later", [{13: 1, 6: 3, 5: 3, 4: 3, 3: 3, 2: 2}]),
    ("E02", LONG, {}, {4: 2, 3: 1}, {10: 15}, "6-5", "later", [{3: 1}]),
    ("E03", LONG, {}, {4: 1, 3: 2}, {10: 15}, "6-5", "later", [{3: 1}]),
    ("E05", LONG, {}, {6: 2, 3: 2}, {10: 15}, "5-4", "later", [{3: 2, 2: 1, 1: 1}]),
    ("E08", LONG, {}, {7: 1, 6: 2}, {10: 15}, "6-5", "later", [{6: 1, 2: 1}, {6: 1, 1: 2}]),
    ("E10", LONG, {}, {2: 2}, {10: 15}, "5-1", "later", [{1: 1}]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("case", "preset", "options", "mine", "theirs", "roll", "turn", "expected"),
    [pytest.param(row[0], preset, *row[2:], id=f"{row[0]}-{preset}") for row in ALL_RESULTS for preset in row[1]],
)
def test_all_legal_results(
    case: str,
    preset: str,
    options: dict[str, object],
    mine: Counts,
    theirs: Counts,
    roll: str,
    turn: str,
    expected: list[Counts],
) -> None:
    found = results(
        rules(preset, **options),
        mine,
        theirs,
        roll,
        first_turn=turn != "later",
        second_player=turn == "second",
    )
    assert same(found, expected), f"{case}: {found}"


D_BOARD: Counts = {24: 6, 15: 3, 11: 2, 10: 1, 9: 1, 8: 1, 7: 1}
D_THROUGH: Counts = {24: 9, 13: 1, 11: 1, 10: 1, 9: 1, 8: 1, 6: 1}
D_WRAP: Counts = {24: 1, 8: 1, 5: 3, 4: 3, 3: 3, 2: 4}

ONE_PLAY: list[tuple[str, tuple[str, ...], dict[str, object], Counts, Counts, str, str, str]] = [
    # id, presets, options, white, black, roll, play, faults (none: legal)
    ("B07", LONG_AND_CRAZY, {}, HEADS, HEADS, "6-5", "24/18 24/19", "head"),
    ("B08", LONG, {}, HEADS, HEADS, "6-6", "24/18", "die_not_used"),
    ("B08 optional", LONG, {"head_exception": "optional"}, HEADS, HEADS, "6-6", "24/18", ""),
    ("C06", LONG_AND_CRAZY, {}, {20: 1, 2: 14}, {5: 1, 3: 14}, "5-3", "20/12", "blocked_point"),
    ("C07", LONG_AND_CRAZY, {}, {24: 10, 20: 2, 19: 3}, HEADS, "5-4", "20/18 20/17 19/15", "wrong_distance"),
    ("C08 one order", LONG_AND_CRAZY, {}, {24: 13, 20: 1, 10: 1}, HEADS, "5-3", "20/17 10/5", ""),
    ("C08 other dice", LONG_AND_CRAZY, {}, {24: 13, 20: 1, 10: 1}, HEADS, "5-3", "20/15 10/7", ""),
    ("C08 turned round", LONG_AND_CRAZY, {}, {24: 13, 20: 1, 10: 1}, HEADS, "5-3", "10/7 20/15", ""),
    ("C09", LONG_AND_CRAZY, {}, {24: 13, 20: 1, 10: 1}, HEADS, "6-3", "20/17", "die_not_used"),
    ("D01", LONG_AND_CRAZY, {}, D_BOARD, HEADS, "5-1", "11/6 24/23", "block_of_six"),
    ("D02", LONG_AND_CRAZY, {}, D_BOARD, HEADS, "5-1", "15/10 15/14", ""),
    ("D03", LONG_AND_CRAZY, {}, D_BOARD, {24: 14, 17: 1}, "5-1", "11/6 24/23", ""),
    ("D04", LONG_AND_CRAZY, {"block": "home"}, D_BOARD, {24: 14, 17: 1}, "5-1", "11/6 24/23", "block_of_six"),
    ("D05", LONG_AND_CRAZY, {"block": "home"}, D_BOARD, {24: 14, 5: 1}, "5-1", "11/6 24/23", ""),
    ("D06", LONG_AND_CRAZY, {"block": "never"}, D_BOARD, {24: 14, 5: 1}, "5-1", "11/6 24/23", "block_of_six"),
    ("D07", LONG_AND_CRAZY, {}, D_BOARD, {24: 14}, "5-1", "11/6 24/23", ""),
    ("D08", LONG_AND_CRAZY, {}, D_THROUGH, HEADS, "6-1", "13/7 7/6", ""),
    ("D09", LONG_AND_CRAZY, {"block_check": "each_step"}, D_THROUGH, HEADS, "6-1", "13/7 7/6",
     "block_of_six"),
    ("D10", LONG_AND_CRAZY, {}, D_WRAP, HEADS, "4-3", "8/4 4/1", "block_of_six"),
    ("D11", LONG_AND_CRAZY, {}, D_WRAP, HEADS, "4-3", "5/1 24/21", ""),
    ("D12 ahead", LONG_AND_CRAZY, {}, {24: 9, 15: 1, 14: 1, 13: 1, 12: 1, 11: 1, 10: 1}, {20: 8, 10: 7}, "6-1",
     "15/9 24/23", ""),
    ("D12 never", LONG_AND_CRAZY, {"block": "never"}, {24: 9, 15: 1, 14: 1, 13: 1, 12: 1, 11: 1, 10: 1},
     {20: 8, 10: 7}, "6-1", "15/9 24/23", ""),
    ("E01", LONG, {}, {6: 3, 5: 2, 3: 4, 2: 3, 1: 3}, {10: 15}, "6-3", "6/off 3/off", ""),
    ("E04", LONG, {}, {4: 2, 2: 2}, {10: 15}, "4-2", "4/off 2/off", ""),
    ("E06", LONG, {}, {6: 1, 3: 1}, {10: 15}, "3-2", "6/3 3/1", ""),
    ("E07", LONG, {}, {7: 1, 6: 2}, {10: 15}, "6-1", "7/6 6/off", ""),
    ("E08", LONG, {}, {7: 1, 6: 2}, {10: 15}, "6-5", "6/off 6/1", "bear_off_early"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("preset", "options", "mine", "theirs", "roll", "play", "faults"),
    [pytest.param(preset, *row[2:], id=f"{row[0]}-{preset}") for row in ONE_PLAY for preset in row[1]],
)
def test_one_play(
    preset: str,
    options: dict[str, object],
    mine: Counts,
    theirs: Counts,
    roll: str,
    play: str,
    faults: str,
) -> None:
    ruleset = rules(preset, **options)
    verdict = judge_steps(
        board(ruleset, mine, theirs),
        Roll.parse(roll),
        Play.parse(play),
        ruleset,
        first_turn=mine == HEADS and theirs == HEADS,
    )
    assert names(verdict) == faults.split()


def names(verdict: Verdict) -> list[str]:
    """Return the faults' names, none for a legal play."""
    return [] if isinstance(verdict, Legal) else [fault.key for fault in verdict.faults]


def test_a04_the_opening_dice_are_never_a_double_so_that_their_player_never_has_the_first_turn_exception() -> None:
    for preset in ("long-fnr", "alerator-long"):
        for white in range(1, 7):
            for black in range(1, 7):
                started = opening(white, black, rules(preset), Cube())
                if isinstance(started, Started):
                    assert started.roll is not None
                    assert not started.roll.double


@pytest.mark.parametrize("preset", LONG_AND_CRAZY)
def test_c05_a_turn_without_a_move_is_a_pass_that_has_to_be_completed(preset: str) -> None:
    ruleset = rules(preset)
    before = board(ruleset, {20: 1, 2: 14}, {3: 1, 2: 14})
    assert legal_plays(before, Roll(6, 5), ruleset) == {before: Play(())}
    assert judge(before, Roll(6, 5), before, ruleset) == Legal(Play(()), before)


@pytest.mark.parametrize("preset", LONG)
def test_d13_a_block_that_loses_its_passed_checker_to_bearing_off_is_no_fault(preset: str) -> None:
    ruleset = rules(preset)
    before = board(ruleset, {24: 5, 20: 4, 11: 1, 10: 1, 9: 1, 8: 1, 7: 1, 6: 1}, {24: 14})
    assert isinstance(judge_steps(before, Roll(2, 1), Play.parse("20/18 20/19"), ruleset), Legal)


@pytest.mark.parametrize("preset", [name for name in LONG if name != "long-treegame"])
def test_e09_the_last_checker_ends_the_game_with_one_die_left(preset: str) -> None:
    ruleset = rules(preset)
    ends = legal_plays(board(ruleset, {1: 1}, {10: 15}), Roll(6, 5), ruleset)
    assert [str(play) for play in ends.values()] == ["1/off"]
    assert all(finished(end, ruleset) for end in ends)


def test_a_fault_says_what_would_have_been_legal() -> None:
    ruleset = rules("long-fnr")
    before = board(ruleset, HEADS, HEADS)
    verdict = judge_steps(before, Roll(6, 5), Play.parse("24/18 24/19"), ruleset, first_turn=True)
    assert isinstance(verdict, Illegal)
    assert [str(play) for play in verdict.would_be_legal] == ["24/18 18/13"]
