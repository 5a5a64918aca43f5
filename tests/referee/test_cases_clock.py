"""The adjudication cases Q of the rules list, folded: what a turn costs, whose time runs, when a flag falls.

Q11, Q16 and Q22 are in test_cases_match. short-wbgf has a simple delay of 12 s; other methods are options of it.
"""

from typing import Any

import pytest

from controller.clock import Millis
from controller.referee.events import Button, DieState, Pressed, Ticked
from controller.referee.orders import Correct, Double, Pass, SetClock, Take
from controller.referee.state import Phase
from controller.rules import Game, Side, arranged, presets, ruleset, varied
from tests.referee.tabletop import Table, die
from tests.referee.test_turns import after

WHITE, BLACK = Side.WHITE, Side.BLACK


def short(reserve_s: int, **options: Any) -> dict[str, Any]:
    return {"reserve_s": reserve_s, "reserve_s_per_point": 0, **options}


def to_play(options: dict[str, Any], name: str = "short-wbgf") -> tuple[Table, int]:
    """White has 3-1 of the opening to play; also the moment at which White's time began."""
    table = Table(varied(ruleset(name), options))
    table.open_with(3, 1)
    table.finger(BLACK)
    assert table.state.clock.running is WHITE
    return table, table.now


def to_throw(options: dict[str, Any], name: str = "short-wbgf") -> tuple[Table, int]:
    """White is to throw; also the moment at which White's time began."""
    table = Table(varied(ruleset(name), options))
    table.open_with(5, 3)
    table.order(Correct(table.white, WHITE))
    table.throw()
    table.finger(BLACK)
    assert (table.state.phase, table.state.clock.running) == (Phase.TO_THROW, WHITE)
    return table, table.now


def tick_at(table: Table, at: int) -> None:
    table.now = at
    table.happens(Ticked(Millis(at)))


def pressed_at(table: Table, side: Side, at: int) -> None:
    table.now = at
    table.happens(Pressed(Millis(at), Button(side.value)))


def reserve(table: Table, side: Side) -> int:
    return table.state.clock.reserve(side, table.state.at)


TURNS = [
    pytest.param(short(300), 10_000, 300_000, id="Q01"),
    pytest.param(short(300), 25_000, 287_000, id="Q02"),
    pytest.param(short(1), 12_500, 500, id="Q03"),
    pytest.param(short(1, clock="bronstein_credit"), 12_500, 12_500, id="Q05"),
    pytest.param(short(300, clock="fischer"), 5_000, 307_000, id="Q06"),
    pytest.param(short(1), 12_000, 1_000, id="Q23"),
]


@pytest.mark.parametrize(("options", "took", "left"), TURNS)
def test_what_a_turn_costs(options: dict[str, Any], took: int, left: int) -> None:
    table, began = to_play(options)
    table.place(after(table, "8/5 6/5"), WHITE)
    tick_at(table, began + took - 1)
    pressed_at(table, WHITE, began + took)
    table.look()
    state = table.state
    assert (state.phase, state.turn, state.clock.running) == (Phase.TO_THROW, BLACK, BLACK)
    assert reserve(table, WHITE) == left


FLAGS = [
    pytest.param(short(1, clock="bronstein"), 1_000, id="Q04"),
    pytest.param(short(1, clock="bronstein_credit"), 13_000, id="Q05"),
    pytest.param(short(1), 13_000, id="Q23"),
]


@pytest.mark.parametrize(("options", "falls"), FLAGS)
def test_when_the_flag_falls(options: dict[str, Any], falls: int) -> None:
    table, began = to_play(options)
    tick_at(table, began + falls - 1)
    assert table.state.phase is Phase.TO_PLAY
    tick_at(table, began + falls)
    state = table.state
    assert (state.phase, state.winner) == (Phase.MATCH_OVER, BLACK)
    assert state.flag is not None
    assert (state.flag.side, state.flag.at_ms) == (WHITE, began + falls)


def test_q06_no_preset_adds_time_for_a_press() -> None:
    assert "fischer" not in {ruleset(name).clock for name in presets()}


STARTS = [
    pytest.param("short-wbgf", {"length": 7}, 14 * 60_000, 12_000, id="Q07"),
    pytest.param("long-fnr", {"length": 7}, 14 * 60_000, 8_000, id="Q09"),
    pytest.param("long-fnr-blitz", {"length": 3}, 60_000, 10_000, id="Q10 long"),
]


@pytest.mark.parametrize(("name", "options", "left", "delay"), STARTS)
def test_a_match_begins_with_its_presets_time(name: str, options: dict[str, Any], left: int, delay: int) -> None:
    table, began = to_play(options, name)
    assert (reserve(table, WHITE), reserve(table, BLACK)) == (left, left)
    tick_at(table, began + delay)
    assert (reserve(table, WHITE), reserve(table, BLACK)) == (left, left)
    tick_at(table, began + delay + 1_000)
    assert (reserve(table, WHITE), reserve(table, BLACK)) == (left - 1_000, left)


def doubled() -> Table:
    """White doubled 3 s after the turn began."""
    table, began = to_throw(short(300))
    table.now = began + 2_800
    table.order(Double(WHITE))
    return table


def test_q12_the_opponent_thinks_about_a_double_on_their_own_time() -> None:
    table = doubled()
    assert table.state.clock.running is BLACK
    tick_at(table, table.now + 20_000)
    assert (reserve(table, WHITE), reserve(table, BLACK)) == (300_000, 292_000)


def test_q13_a_take_gives_the_doubler_the_clock_and_a_whole_delay() -> None:
    table = doubled()
    table.order(Take())
    assert table.state.clock.running is WHITE
    tick_at(table, table.now + 13_000)
    assert reserve(table, WHITE) == 299_000


def test_q14_q15_a_pass_stops_both_clocks_and_the_times_are_kept() -> None:
    table = doubled()
    tick_at(table, table.now + 19_800)
    table.order(Pass())
    assert (table.state.phase, table.state.score, table.state.clock.running) == (Phase.SETUP, (1, 0), None)
    table.open_with(3, 1)
    table.finger(BLACK)
    assert table.state.game.number == 2
    assert (reserve(table, WHITE), reserve(table, BLACK)) == (300_000, 292_000)


def test_q17_of_two_flags_that_are_down_the_first_loses() -> None:
    table, began = to_play(short(10))
    table.place(after(table, "8/5 6/5"), WHITE)
    pressed_at(table, WHITE, began + 40_000)
    tick_at(table, began + 40_000 + 40_000)
    state = table.state
    assert (state.phase, state.winner) == (Phase.MATCH_OVER, BLACK)
    assert state.flag is not None
    assert (state.flag.side, state.flag.at_ms) == (WHITE, began + 22_000)


@pytest.mark.parametrize(
    ("name", "cost"), [pytest.param("short-wbgf", 0, id="Q18"), pytest.param("short-us", 8_000, id="Q19")]
)
def test_a_cocked_throw_and_the_delay(name: str, cost: int) -> None:
    table, began = to_throw(short(300), name)
    tick_at(table, began + 9_000)
    table.throw(die(5, 0.7, 0.4), die(3, 0.8, 0.55, DieState.COCKED))
    voided = table.last.at
    tick_at(table, voided + 10_000)
    spent = voided - began + 10_000
    assert reserve(table, WHITE) == (300_000 if not cost else 300_000 - (spent - 12_000))


def test_q20_who_has_no_legal_play_still_presses() -> None:
    table, _ = to_throw(short(300))
    table.white = arranged(Game.SHORT, {25: 2, 13: 13}, {6: 3, 5: 3, 4: 3, 3: 3, 2: 3})
    table.order(Correct(table.white, WHITE))
    table.throw_valid(WHITE, 6, 5)
    table.look(8)
    assert (table.state.turn, table.state.clock.running) == (WHITE, WHITE)
    table.press(WHITE)
    assert (table.state.turn, table.state.clock.running) == (BLACK, BLACK)


def test_q21_time_lost_by_a_forgotten_press_is_given_back_by_the_arbiter() -> None:
    table, began = to_play(short(300))
    table.place(after(table, "8/5 6/5"), WHITE)
    tick_at(table, began + 60_000)
    assert reserve(table, WHITE) == 252_000
    table.order(SetClock(white_ms=Millis(300_000)))
    table.press(WHITE)
    assert (table.state.turn, reserve(table, WHITE) >= 299_000) == (BLACK, True)
