"""Adjudication cases F, G and H: crazy nardy, khachapuri and the short games."""

import pytest

from controller.rules import (
    ALL_ROLLS,
    Cube,
    Game,
    Illegal,
    Kind,
    Legal,
    Play,
    Roll,
    TooManyEndsError,
    finished,
    judge_rest,
    judge_steps,
    left_over,
    legal_plays,
    legal_rest,
    raised,
    result,
    start,
)
from controller.rules.cascade import sequence
from tests.rules.boards import Counts, board, mine_of, results, rules, same

CRAZY = rules("crazy")
FAR: Counts = {10: 15}
"""Checkers that are in nobody's way."""


@pytest.mark.parametrize(
    ("mine", "theirs", "roll", "expected"),
    [
        pytest.param({4: 2, 3: 2}, FAR, "4-3", [{4: 1, 3: 1}], id="F01"),
        pytest.param({6: 2, 3: 1}, FAR, "4-3", [{6: 2}], id="F02"),
        pytest.param({4: 1, 2: 1}, FAR, "6-5", [{4: 1, 2: 1}], id="F03"),
    ],
)
def test_crazy_bears_off_exactly_and_moves_nothing_inside_the_home(
    mine: Counts, theirs: Counts, roll: str, expected: list[Counts]
) -> None:
    assert same(results(CRAZY, mine, theirs, roll), expected)


def test_f01_a_move_inside_the_home_is_named_as_such() -> None:
    verdict = judge_steps(board(CRAZY, {4: 2, 3: 2}, FAR), Roll(4, 3), Play.parse("4/1 4/off"), CRAZY)
    assert isinstance(verdict, Illegal)
    assert "home_move" in [fault.key for fault in verdict.faults]


def test_f04_the_home_is_only_closed_to_moves_once_all_are_home() -> None:
    verdict = judge_steps(board(CRAZY, {7: 1, 4: 1, 2: 1}, FAR), Roll(4, 3), Play.parse("7/4 4/off"), CRAZY)
    assert isinstance(verdict, Legal)


@pytest.mark.parametrize(
    ("roll", "length"),
    [pytest.param("2-2", 20, id="F05"), pytest.param("6-6", 4, id="F06"), pytest.param("1-1", 24, id="F07")],
)
def test_a_double_goes_on_to_the_sixes(roll: str, length: int) -> None:
    assert len(sequence(Roll.parse(roll), CRAZY)) == length


def test_f05_the_numbers_come_in_rising_order() -> None:
    assert sequence(Roll(2, 2), CRAZY) == (2,) * 4 + (3,) * 4 + (4,) * 4 + (5,) * 4 + (6,) * 4


def test_f08_who_is_stuck_hands_the_rest_over_and_what_the_opponent_cannot_play_lapses() -> None:
    crazy = rules("crazy", opening_dice="reroll")
    begin = start(Game.LONG)
    ends = legal_plays(begin, Roll(2, 2), crazy, first_turn=True)
    assert [mine_of(end) for end in ends] == [{24: 14, 4: 1}]
    ((end, play),) = ends.items()
    rest = left_over(Roll(2, 2), play, end, crazy)
    assert rest == (4,) * 4 + (5,) * 4 + (6,) * 4
    theirs = legal_rest(end.turned(Game.LONG), rest, crazy)
    assert [mine_of(other) for other in theirs] == [{24: 14, 20: 1}]
    # He then throws his own roll, and may take a checker off the head anew.
    (other,) = theirs
    assert any(end.at(24) == 13 for end in legal_plays(other, Roll(2, 1), crazy, first_turn=True))


def test_f09_stuck_on_one_number_is_stuck() -> None:
    before = board(CRAZY, {6: 1, 5: 2, 3: 1}, {6: 3, 4: 1, 3: 2})
    ((end, play),) = legal_plays(before, Roll(3, 3), CRAZY).items()
    assert str(play) == "3/off"
    rest = left_over(Roll(3, 3), play, end, CRAZY)
    assert rest == (3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6)
    ((theirs, their_play),) = legal_rest(end.turned(Game.LONG), rest, CRAZY).items()
    assert str(their_play) == "3/off(2)"
    assert mine_of(theirs) == {6: 3, 4: 1}
    assert judge_rest(end.turned(Game.LONG), rest, theirs, CRAZY) == Legal(their_play, theirs)


def test_f10_the_last_checker_wins_at_once_and_nothing_is_handed_over() -> None:
    ((end, play),) = legal_plays(board(CRAZY, {3: 1}, FAR), Roll(3, 3), CRAZY).items()
    assert finished(end, CRAZY)
    assert left_over(Roll(3, 3), play, end, CRAZY) == ()


def test_f10_second_mover_the_opponent_plays_the_remaining_sixes_as_far_as_he_can() -> None:
    before = board(CRAZY, {24: 15}, {24: 14, 21: 1})
    ((end, play),) = legal_plays(before, Roll(6, 6), CRAZY, first_turn=True, second_player=True).items()
    assert mine_of(end) == {24: 13, 18: 2}
    rest = left_over(Roll(6, 6), play, end, CRAZY)
    assert rest == (6, 6)
    theirs = end.turned(Game.LONG)
    assert {len(their_play.steps) for their_play in legal_rest(theirs, rest, CRAZY).values()} == {2}
    assert isinstance(judge_rest(theirs, rest, theirs, CRAZY), Illegal)


def test_f11_who_bears_off_his_last_checker_in_the_rest_has_won() -> None:
    ends = legal_rest(board(CRAZY, {6: 2}, FAR), (5, 5, 6, 6, 6, 6), CRAZY)
    assert not any(finished(end, CRAZY) for end in ends)
    assert all(finished(end, CRAZY) for end in legal_rest(board(CRAZY, {6: 2}, FAR), (6, 6, 6), CRAZY))


def test_a_throw_among_the_free_ones_is_an_ordinary_double() -> None:
    gul_bara = rules("crazy", cascade_free_turns=3)
    before = board(gul_bara, {24: 10, 20: 5}, FAR)
    assert max(len(play.steps) for play in legal_plays(before, Roll(1, 1), gul_bara, throw=3).values()) == 4
    ((end, play), *_) = legal_plays(before, Roll(1, 1), gul_bara, throw=3).items()
    assert left_over(Roll(1, 1), play, end, gul_bara, throw=3) == ()
    assert max(len(play.steps) for play in legal_plays(before, Roll(5, 5), gul_bara, throw=4).values()) > 4


KHACHAPURI = rules("khachapuri")
KHACHAPURI_CUBE = rules("khachapuri", cube=True)


def test_g01_khachapuri_starts_with_four_on_the_head_and_eleven_on_the_six_point() -> None:
    begin = start(Game.KHACHAPURI)
    assert mine_of(begin) == {24: 4, 6: 11}
    assert mine_of(begin.turned(Game.KHACHAPURI)) == {24: 4, 6: 11}


def test_g02_any_number_may_leave_the_head() -> None:
    verdict = judge_steps(start(Game.KHACHAPURI), Roll(5, 4), Play.parse("24/19 24/20"), KHACHAPURI, first_turn=True)
    assert isinstance(verdict, Legal)


def test_g03_six_six_cannot_be_played_at_the_start() -> None:
    begin = start(Game.KHACHAPURI)
    assert legal_plays(begin, Roll(6, 6), KHACHAPURI, first_turn=True) == {begin: Play(())}


@pytest.mark.parametrize(
    ("off", "cube", "points"),
    [
        pytest.param(8, Cube(), 7, id="G04"),
        pytest.param(0, Cube(), 15, id="G05"),
        pytest.param(8, Cube(4, doubles=2), 28, id="G06"),
        pytest.param(8, Cube(3, doubles=2), 21, id="G08"),
    ],
)
def test_khachapuri_is_settled_by_the_difference(off: int, cube: Cube, points: int) -> None:
    won = board(KHACHAPURI, {}, {4: 15 - off} if off < 15 else {})
    score = result(won, KHACHAPURI, cube)
    assert (score.kind, score.points) == (Kind.DIFFERENCE, points)


def test_g07_the_arithmetic_cube_goes_up_one_by_one() -> None:
    arithmetic = rules("khachapuri", cube=True, cube_progression="arithmetic", cube_limit=6)
    assert raised(3, arithmetic) == 4
    assert [raised(value, KHACHAPURI_CUBE) for value in (1, 2, 4)] == [2, 4, 8]


SHORT = rules("short-wbgf")


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        pytest.param(Game.SHORT, {24: 2, 13: 5, 8: 3, 6: 5}, id="H01"),
        pytest.param(Game.HYPER, {24: 1, 23: 1, 22: 1}, id="H09"),
        pytest.param(Game.NACKGAMMON, {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}, id="H10"),
    ],
)
def test_set_up(game: Game, expected: Counts) -> None:
    assert mine_of(start(game)) == expected
    assert mine_of(start(game).turned(game)) == expected


def test_h02_a_checker_enters_on_the_points_of_the_dice_counted_from_the_opponents_home() -> None:
    ends = results(SHORT, {25: 1, 6: 14}, {1: 15}, "6-4")
    assert all(end.get(19, 0) or end.get(21, 0) or end.get(15, 0) for end in ends)
    first_steps = {
        str(play.steps[0]) for play in legal_plays(board(SHORT, {25: 1, 6: 14}, {1: 15}), Roll(6, 4), SHORT).values()
    }
    assert first_steps <= {"bar/19", "bar/21"}


@pytest.mark.parametrize(
    ("mine", "theirs", "roll", "expected"),
    [
        pytest.param({25: 1, 13: 14}, {13: 11, 6: 2, 4: 2}, "6-4", [{25: 1, 13: 14}], id="H03"),
        pytest.param({25: 2, 13: 13}, {13: 13, 6: 2}, "6-4", [{25: 1, 21: 1, 13: 13}], id="H04"),
        pytest.param({10: 1, 2: 14}, {24: 2, 12: 13}, "5-4", [{5: 1, 2: 14}], id="H05"),
        pytest.param({4: 2, 3: 1}, {24: 15}, "6-5", [{3: 1}], id="H11"),
    ],
)
def test_short_all_legal_results(mine: Counts, theirs: Counts, roll: str, expected: list[Counts]) -> None:
    # H11's opponent stands behind; case H05's white checkers on 10 pass the black ones on W1 and W13.
    if mine == {4: 2, 3: 1}:
        theirs = {6: 15}
    assert same(results(SHORT, mine, theirs, roll), expected)


def test_h06_a_hit_checker_must_enter_before_anything_else_moves() -> None:
    before = board(SHORT, {8: 2, 6: 13}, {22: 1, 6: 14})
    verdict = judge_steps(before, Roll(5, 1), Play.parse("8/3* 8/7"), SHORT)
    assert isinstance(verdict, Legal)
    black = verdict.end.turned(Game.SHORT)
    assert black.bar[0] == 1
    for roll in ALL_ROLLS:
        for play in legal_plays(black, roll, SHORT).values():
            assert not play.steps or play.steps[0].source == 25


def test_h07_nothing_is_borne_off_while_a_checker_is_on_the_bar() -> None:
    before = board(SHORT, {25: 1, 6: 10, 5: 4}, {1: 2, 13: 13})
    verdict = judge_steps(before, Roll(6, 5), Play.parse("6/off 5/off"), SHORT)
    assert isinstance(verdict, Illegal)
    assert [fault.key for fault in verdict.faults] == ["bar_first", "bear_off_early"]


def test_h08_no_roll_enters_against_a_closed_home() -> None:
    closed = board(SHORT, {25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2) | {8: 3})
    assert all(legal_plays(closed, roll, SHORT) == {closed: Play(())} for roll in ALL_ROLLS)


OPEN_BOARD = board(CRAZY, {24: 3, 20: 3, 16: 3, 12: 3, 8: 3}, {5: 15})
"""A position in which one-one has far too many ends to list them."""


def test_a_cascade_over_an_open_board_is_not_listed() -> None:
    with pytest.raises(TooManyEndsError, match="more than 2000 ways"):
        legal_plays(OPEN_BOARD, Roll(1, 1), CRAZY)


def test_a_cascade_over_an_open_board_can_still_be_judged() -> None:
    played = Play.parse(
        "24/23 20/19(3) 23/21 19/17(3) 21/18 17/14(3) 18/14 14/10(3) 14/9 10/5 10/5 10/5 12/6 12/6 12/6 16/10"
    )
    verdict = judge_steps(OPEN_BOARD, Roll(1, 1), played, CRAZY)
    assert isinstance(verdict, Legal)
    assert len(verdict.play.steps) == 24


def test_a_cascade_that_is_broken_off_is_illegal() -> None:
    verdict = judge_steps(OPEN_BOARD, Roll(1, 1), Play.parse("24/23 20/19(3)"), CRAZY)
    assert isinstance(verdict, Illegal)
    assert [fault.key for fault in verdict.faults] == ["die_not_used"]
    assert verdict.would_be_legal
