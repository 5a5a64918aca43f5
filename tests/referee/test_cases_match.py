"""The adjudication cases A, M and Q11 of the rules list, folded: who begins, the cube, the Crawford game."""

from typing import Any

import pytest

from controller.clock import Millis
from controller.referee.events import LATE_MS
from controller.referee.orders import (
    Beaver,
    Correct,
    Double,
    Face,
    Late,
    Order,
    OrderRefusedError,
    Pass,
    SetRoll,
    SetScore,
    Start,
    Take,
    VoidThrow,
)
from controller.referee.state import Phase
from controller.rules import (
    Cube,
    Kind,
    Position,
    Roll,
    Ruleset,
    Score,
    Side,
    arranged,
    legal_plays,
    presets,
    ruleset,
    varied,
)
from controller.service.recording import match_record
from tests.referee.tabletop import Table

WHITE, BLACK = Side.WHITE, Side.BLACK
CUBE = [name for name in presets() if ruleset(name).cube]


def at_the_throw(rules: Ruleset) -> Table:
    """The board is set up and White is to throw."""
    table = Table(rules)
    table.rest()
    table.order(Correct(table.white, WHITE))
    assert table.state.phase is Phase.TO_THROW
    return table


def match(name: str = "short-wbgf", **options: Any) -> Ruleset:
    return varied(ruleset(name), options)


def refused(table: Table, order: Order) -> str:
    """Why the order is refused."""
    before = table.state
    with pytest.raises(OrderRefusedError) as why:
        table.order(order)
    assert table.state == before
    return str(why.value)


def won(table: Table, winner: Side, kind: str) -> None:
    """``winner``'s opponent resigns; the next game is set up and waits for White's throw."""
    table.resign(winner.other, Kind(kind))
    table.rest()
    table.order(Correct(table.white, WHITE))


# A: who begins


@pytest.mark.parametrize("name", [name for name in presets() if ruleset(name).first_mover == "throw"])
def test_a01_equal_opening_dice_are_thrown_again(name: str) -> None:
    table = Table(ruleset(name))
    table.rest()
    table.order(SetRoll((Face(4), Face(4))))
    assert (table.state.phase, table.state.turn) == (Phase.OPENING, None)
    table.order(SetRoll((Face(2), Face(5))))
    assert table.state.game.starter is BLACK
    assert table.state.game.openings == ((4, 4), (2, 5))


@pytest.mark.parametrize("name", [name for name in presets() if ruleset(name).first_mover == "throw"])
def test_a02_a03_the_starter_plays_the_opening_dice_or_throws_anew(name: str) -> None:
    table = Table(ruleset(name))
    table.rest()
    table.order(SetRoll((Face(5), Face(3))))
    assert table.state.turn is WHITE
    if ruleset(name).opening_dice == "use":
        assert (table.state.phase, table.state.roll) == (Phase.TO_PLAY, Roll(5, 3))
    else:
        assert (table.state.phase, table.state.roll) == (Phase.TO_THROW, None)


def with_sets_exchanged(table: Table) -> None:
    """The players exchange their sets: the board is set up with the lighter one on the other side."""
    position = table.white
    table.white = Position(tuple(-count for count in position.points), position.bar, position.off)
    table.rest()


@pytest.mark.parametrize("opening_dice", ["reroll", "use"])
def test_a06_the_higher_die_also_gets_the_white_set(opening_dice: str) -> None:
    table = Table(match("long-club", opening_dice=opening_dice))
    table.rest()
    assert table.state.light is WHITE
    table.order(SetRoll((Face(2), Face(6))))
    assert (table.state.phase, table.state.light) == (Phase.SETUP, BLACK)
    table.rest()
    assert table.state.phase is Phase.SETUP, "the sets lie as before"
    assert table.state.setup_faults
    with_sets_exchanged(table)
    roll = Roll(6, 2) if opening_dice == "use" else None
    phase = Phase.TO_PLAY if roll else Phase.TO_THROW
    assert (table.state.phase, table.state.turn, table.state.roll) == (phase, BLACK, roll)
    assert table.state.light is BLACK


def test_a06_who_has_the_white_set_already_keeps_it() -> None:
    table = Table(ruleset("long-club"))
    table.rest()
    table.order(SetRoll((Face(6), Face(2))))
    assert (table.state.phase, table.state.turn, table.state.light) == (Phase.TO_THROW, WHITE, WHITE)


def test_a06_the_arbiter_lets_the_game_begin_with_the_sets_as_they_lie() -> None:
    table = Table(ruleset("long-club"))
    table.rest()
    table.order(SetRoll((Face(2), Face(6))))
    table.order(Start())
    assert (table.state.phase, table.state.turn, table.state.light) == (Phase.TO_THROW, BLACK, WHITE)


def test_a06_an_opening_throw_that_the_arbiter_voids_leaves_the_sets_where_they_are() -> None:
    table = Table(ruleset("long-club"))
    table.rest()
    table.order(SetRoll((Face(2), Face(6))))
    table.order(VoidThrow())
    assert (table.state.phase, table.state.light, table.state.game.starter) == (Phase.OPENING, WHITE, None)
    table.order(SetRoll((Face(3), Face(6))))
    table.order(SetRoll((Face(6), Face(3))))
    assert (table.state.phase, table.state.turn, table.state.light) == (Phase.TO_THROW, WHITE, WHITE)


@pytest.mark.parametrize(
    ("name", "cubes"), [("short-money", (2, 2, 2)), ("short-wbgf", (1, 1, 1)), ("long-fnr", (1, 1, 1))]
)
def test_a08_a09_only_the_first_tie_of_a_money_game_doubles(name: str, cubes: tuple[int, ...]) -> None:
    table = Table(ruleset(name))
    table.rest()
    seen = []
    for roll in ((3, 3), (6, 6), (5, 2)):
        table.order(SetRoll(roll))
        seen.append(table.state.cube.value)
        assert table.state.cube.owner is None
    assert tuple(seen) == cubes
    assert (table.state.turn, table.state.roll) == (WHITE, Roll(5, 2))


def test_q11_the_lower_opening_die_presses_and_starts_the_others_clock() -> None:
    table = Table(ruleset("short-wbgf"))
    table.rest()
    table.order(SetRoll((Face(5), Face(3))))
    assert table.state.clock.running is None
    table.finger(BLACK)
    assert table.state.clock.running is WHITE


# M: the cube and the Crawford game


def at_four_two() -> Table:
    table = at_the_throw(match(length=5))
    for winner, kind in ((WHITE, "koks"), (BLACK, "mars"), (WHITE, "oin")):
        won(table, winner, kind)
    assert table.state.score == (4, 2)
    return table


@pytest.mark.parametrize("side", list(Side))
def test_m01_nobody_doubles_in_the_crawford_game(side: Side) -> None:
    table = at_four_two()
    table.order(Correct(table.white, side))
    assert table.state.crawford_game
    assert refused(table, Double(side)) == "crawford"


@pytest.mark.parametrize("side", list(Side))
def test_m02_the_cube_is_back_after_the_crawford_game(side: Side) -> None:
    table = at_four_two()
    won(table, BLACK, "oin")
    assert table.state.score == (4, 3)
    table.order(Correct(table.white, side))
    table.order(Double(side))
    assert table.state.cube.offered_by is side


def test_m03_there_is_only_one_crawford_game_in_a_match() -> None:
    table = at_four_two()
    won(table, BLACK, "oin")
    won(table, BLACK, "oin")
    assert table.state.score == (4, 4)
    table.order(Double(WHITE))
    assert table.state.cube.offered_by is WHITE


def test_m03_also_where_the_arbiter_has_set_the_score() -> None:
    table = at_the_throw(match(length=5))
    table.order(SetScore(Score(4, 2)))
    assert refused(table, Double(WHITE)) == "crawford"
    won(table, BLACK, "oin")
    table.order(Double(WHITE))
    assert table.state.cube.offered_by is WHITE


def test_without_the_crawford_rule_the_cube_stays() -> None:
    table = at_the_throw(match(length=5, crawford=False))
    won(table, WHITE, "koks")
    won(table, WHITE, "oin")
    table.order(Double(WHITE))
    assert table.state.cube.offered_by is WHITE


def test_m04_a_match_to_one_has_no_cube() -> None:
    table = at_the_throw(match(length=1, crawford=False))
    assert refused(table, Double(WHITE)) == "one_point_match"


def test_a_table_without_a_cube_has_no_double() -> None:
    table = at_the_throw(match("short-ru"))
    assert refused(table, Double(WHITE)) == "no_cube"


@pytest.mark.parametrize("name", CUBE)
def test_m05_only_the_owner_may_redouble(name: str) -> None:
    table = at_the_throw(ruleset(name))
    table.order(Double(WHITE))
    assert refused(table, Double(WHITE)) == "answer_first"
    table.order(Take())
    assert table.state.cube == Cube(2, BLACK, doubles=1)
    assert refused(table, Double(WHITE)) == "not_the_owner"
    table.order(Correct(table.white, BLACK))
    table.order(Double(BLACK))
    assert table.state.cube.offered_by is BLACK


@pytest.mark.parametrize("name", CUBE)
def test_m06_a_double_comes_before_the_throw(name: str) -> None:
    table = at_the_throw(ruleset(name))
    table.order(SetRoll((Face(2), Face(1))))
    assert refused(table, Double(WHITE)) == "after_the_throw"


@pytest.mark.parametrize("name", CUBE)
def test_m07_a_double_is_for_the_side_to_move(name: str) -> None:
    table = at_the_throw(ruleset(name))
    assert refused(table, Double(BLACK)) == "not_your_turn"


def test_m08_a_beaver_accepted_makes_four_for_the_one_who_beavered() -> None:
    table = at_the_throw(ruleset("short-money"))
    table.order(Double(WHITE))
    table.order(Beaver())
    assert table.state.cube.offered_by is WHITE
    assert refused(table, Beaver()) == "no_beaver"
    table.order(Take())
    assert (table.state.cube.value, table.state.cube.owner, table.state.cube.offered_by) == (4, BLACK, None)
    assert [(turned.side, turned.action, turned.value) for turned in table.state.game.cube] == [
        (WHITE, "double", 2),
        (BLACK, "beaver", 4),
        (WHITE, "take", 4),
    ]


def test_m09_a_beaver_passed_costs_the_doubled_stake() -> None:
    table = at_the_throw(ruleset("short-money"))
    table.order(Double(WHITE))
    table.order(Beaver())
    table.order(Pass())
    assert table.state.score == (0, 2)


def with_raccoon() -> Table:
    """White has doubled, Black has beavered, White has turned the cube to 8."""
    table = at_the_throw(varied(ruleset("short-money"), {"raccoon": True}))
    table.finger(BLACK)
    for order in (Double(WHITE), Beaver(), Beaver()):
        table.order(order)
    assert refused(table, Beaver()) == "no_beaver"
    assert table.state.cube.answerer is BLACK
    return table


def test_a_raccoon_taken_makes_eight_and_leaves_the_cube_with_the_one_who_beavered() -> None:
    table = with_raccoon()
    table.order(Take())
    assert (table.state.cube.value, table.state.cube.owner, table.state.cube.offered_by) == (8, BLACK, None)
    assert [(turned.side, turned.value) for turned in table.state.game.cube] == [
        (WHITE, 2),
        (BLACK, 4),
        (WHITE, 8),
        (BLACK, 8),
    ]
    assert table.state.phase is Phase.TO_THROW


def test_a_raccoon_passed_costs_the_stake_of_the_beaver() -> None:
    table = with_raccoon()
    table.order(Pass())
    assert table.state.score == (4, 0)


@pytest.mark.parametrize("name", [name for name in CUBE if ruleset(name).play == "match"])
def test_m10_there_are_no_beavers_in_a_match(name: str) -> None:
    table = at_the_throw(ruleset(name))
    assert refused(table, Beaver()) == "no_double_offered"
    table.order(Double(WHITE))
    assert refused(table, Beaver()) == "no_beaver"


def test_a_beaver_that_a_correction_withdraws_leaves_no_trace() -> None:
    table = at_the_throw(ruleset("short-money"))
    table.order(Double(WHITE))
    table.order(Beaver())
    table.order(Correct(table.white, WHITE))
    assert table.state.cube == Cube()
    assert table.state.game.cube == ()


def timed(**options: Any) -> Table:
    """White is to throw and White's clock runs."""
    table = at_the_throw(match(length=5, **options))
    table.finger(BLACK)
    assert table.state.clock.running is WHITE
    return table


def fallen(table: Table) -> None:
    """Let the time of the side on turn run out, and so long that no press can come late any more."""
    at = table.state.clock.falls_at()
    assert at is not None
    table.tick(at - table.now + LATE_MS)


def test_q16_a_fallen_flag_loses_the_match() -> None:
    table = timed()
    fallen(table)
    assert (table.state.phase, table.state.winner, table.state.score) == (Phase.MATCH_OVER, BLACK, (0, 0))


def test_a_fallen_flag_costs_points_where_the_rules_say_so_and_the_side_plays_on() -> None:
    table = timed(flag="penalty_points")
    fallen(table)
    state = table.state
    assert (state.phase, state.score, state.winner) == (Phase.TO_THROW, (0, 2), None)
    assert state.clock.running is WHITE
    assert state.clock.reserve(WHITE, state.at) == 5 * 60_000 - LATE_MS, "the time since it fell is charged"
    assert state.clock.flag(state.at) is None
    fallen(table)
    assert table.state.score == (0, 3)
    table.resign(BLACK)
    assert table.state.score == (1, 3)
    record = match_record(table.state)
    assert (record.games[0].score, record.games[0].penalty, record.score) == ((0, 0), (0, 3), (1, 3))


def test_penalty_points_can_win_the_match() -> None:
    table = timed(flag="penalty_points")
    table.order(SetScore(Score(0, 4)))
    fallen(table)
    assert (table.state.phase, table.state.winner, table.state.score) == (Phase.MATCH_OVER, BLACK, (0, 6))


def test_q22_a_player_who_comes_late_loses_points_and_then_the_match() -> None:
    table = Table(match(length=7))
    table.order(Late(WHITE, Millis(11 * 60_000)))
    assert (table.state.score, table.state.phase) == ((0, 2), Phase.SETUP)
    assert match_record(table.state).games[0].score == (0, 2)
    gone = Table(match(length=7))
    gone.order(Late(WHITE, Millis(20 * 60_000)))
    assert (gone.state.winner, gone.state.phase) == (BLACK, Phase.MATCH_OVER)
    assert refused(Table(ruleset("short-money")), Late(WHITE, Millis(0))) == "no_match_to_be_late_for"
    assert refused(Table(match()), Late(WHITE, Millis(-1))) == "no_such_time"


def doubled_until(table: Table, value: int) -> Side:
    """Both double and take in turn until the cube shows ``value``; return who owns it."""
    side = WHITE
    while table.state.cube.value < value:
        table.order(Correct(table.white, side))
        table.order(Double(side))
        table.order(Take())
        side = side.other
    table.order(Correct(table.white, side))
    return side


def test_m11_a_cube_at_its_last_face_is_not_turned() -> None:
    table = at_the_throw(match())
    assert refused(table, Double(doubled_until(table, 64))) == "no_such_face"
    boundless = at_the_throw(match(cube_limit=0))
    owner = doubled_until(boundless, 64)
    boundless.order(Double(owner))
    assert boundless.state.cube.offered_by is owner


def test_m12_the_arithmetic_cube_ends_at_six() -> None:
    table = at_the_throw(match("khachapuri", cube=True, cube_progression="arithmetic", cube_limit=6))
    owner = doubled_until(table, 5)
    table.order(Double(owner))
    table.order(Take())
    assert table.state.cube.value == 6
    table.order(Correct(table.white, owner.other))
    assert refused(table, Double(owner.other)) == "no_such_face"


def test_k17_k18_a_passed_double_costs_the_value_before_it() -> None:
    table = at_the_throw(match(length=9))
    table.order(Double(WHITE))
    table.order(Pass())
    assert table.state.score == (1, 0)
    table.rest()
    table.order(Correct(table.white, WHITE))
    table.order(Double(WHITE))
    table.order(Take())
    table.order(Correct(table.white, BLACK))
    table.order(Double(BLACK))
    table.order(Pass())
    assert table.state.score == (1, 2)


def test_k20_a_passed_double_in_khachapuri_costs_the_losers_checkers_on_the_board() -> None:
    table = at_the_throw(match("khachapuri", cube=True))
    table.order(Correct(arranged(table.rules.game, {4: 5}, {4: 9}), WHITE))
    table.order(Double(WHITE))
    table.order(Pass())
    assert table.state.score == (9, 0)


def test_k16_a_tas_ends_at_three_and_the_surplus_is_recorded() -> None:
    table = at_the_throw(match("long-classic"))
    table.order(SetScore(Score(2, 2)))
    table.resign(BLACK, Kind.MARS)
    assert (table.state.score, table.state.winner, table.state.phase) == ((4, 2), WHITE, Phase.MATCH_OVER)


def test_money_is_played_on_for_ever_and_a_single_game_is_over_at_once() -> None:
    money = at_the_throw(ruleset("short-money"))
    won(money, WHITE, "koks")
    assert (money.state.phase, money.state.winner) == (Phase.TO_THROW, None)
    single = at_the_throw(ruleset("crazy"))
    single.resign(BLACK, Kind.OIN)
    assert (single.state.phase, single.state.winner) == (Phase.MATCH_OVER, WHITE)


def test_a04_only_the_second_player_can_use_the_first_turn_exception_where_the_opening_dice_are_played() -> None:
    table = Table(ruleset("long-fnr"))
    table.rest()
    table.order(SetRoll((Face(6), Face(6))))
    assert table.state.phase is Phase.OPENING
    table.order(SetRoll((Face(6), Face(5))))
    state = table.state
    assert state.roll is not None
    assert state.position is not None
    assert not state.roll.double
    (end,) = legal_plays(state.position, state.roll, state.rules, first_turn=True)
    table.place(end, WHITE)
    table.press(WHITE)
    table.order(SetRoll((Face(6), Face(6))))
    state = table.state
    assert state.turn is BLACK
    assert state.position is not None
    table.place(arranged(state.rules.game, {24: 13, 18: 2}, {24: 14, 13: 1}), BLACK)
    table.press(BLACK)
    assert table.state.turn is WHITE
