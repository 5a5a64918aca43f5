"""Undo takes back whatever an arbiter ordered last, and after that the turn before it."""

from collections.abc import Callable

import pytest

from controller.clock import Millis
from controller.referee.events import Restarted
from controller.referee.orders import (
    Adjourn,
    Claim,
    ClaimKind,
    Correct,
    Double,
    Late,
    Order,
    Penalise,
    SetClock,
    SetCube,
    SetLength,
    SetRoll,
    SetScore,
    SetTurn,
    Swap,
    TakeBreak,
    Undo,
    Warn,
)
from controller.referee.state import Phase, State
from controller.rules import Game, Roll, Score, Side, arranged
from tests.referee.tabletop import Table
from tests.referee.test_orders import played, timed
from tests.referee.test_orders_of_the_match import WHY, between_games, left
from tests.referee.test_turns import after

WHITE, BLACK = Side.WHITE, Side.BLACK


def matter(state: State) -> tuple[object, ...]:
    """What people at the table go by."""
    clock, at = state.clock, state.at
    return (
        state.phase,
        state.turn,
        state.roll,
        state.position,
        state.score,
        state.rules,
        state.cube,
        (state.white, state.black),
        state.light,
        state.warnings,
        state.breaks,
        state.claim,
        state.game,
        state.finished,
        (clock.turn, clock.running, clock.control, clock.reserve(WHITE, at), clock.reserve(BLACK, at)),
        state.paused,
        state.turn_end,
    )


IN_GAME: list[Order] = [
    Warn(WHITE),
    Penalise(BLACK, 2),
    Late(BLACK, Millis(600_000)),
    SetScore(Score(2, 3)),
    SetLength(9),
    SetClock(Millis(5_000), Millis(600_000)),
    SetClock(black_ms=Millis(5_000)),
    SetCube(2, BLACK),
    SetTurn(WHITE),
    SetTurn(BLACK),
    Correct(arranged(Game.SHORT, {6: 15}, {6: 15}), WHITE),
    Correct(arranged(Game.SHORT, {6: 15}, {6: 15})),
    SetRoll((6, 5)),
    TakeBreak(WHITE),
    Adjourn(),
    Swap("names"),
    Claim(WHITE, ClaimKind.CLOCK),
]


@pytest.mark.parametrize("moment", [timed, played], ids=lambda moment: moment.__name__)
@pytest.mark.parametrize("order", IN_GAME, ids=lambda order: str(order)[:24])
def test_undo_straight_after_an_order_brings_back_the_state_before(order: Order, moment: Callable[[], Table]) -> None:
    table = moment()
    before = table.state
    table.now -= 200
    table.order(order, WHY)
    table.now -= 200
    table.order(Undo())
    assert matter(table.state) == matter(before)


@pytest.mark.parametrize("order", [Swap("seats"), Swap("colours"), SetScore(Score(2, 3)), Penalise(BLACK)], ids=str)
def test_undo_between_games_takes_back_the_order_first_and_then_the_games_end(order: Order) -> None:
    table = between_games()
    before = table.state
    table.order(order, WHY)
    table.order(Undo())
    assert matter(table.state) == matter(before)
    table.order(Undo())
    assert (table.state.phase, table.state.turn) == (Phase.TO_PLAY, WHITE)


def test_undo_takes_orders_back_one_by_one_and_then_the_turn() -> None:
    table = played()
    table.order(SetScore(Score(1, 0)))
    table.order(Penalise(BLACK), WHY)
    table.order(Double(BLACK))
    table.order(Undo())
    assert (table.state.cube.offered_by, table.state.score, table.state.game.cube) == (None, (2, 0), ())
    table.order(Undo())
    assert table.state.score == (1, 0)
    table.order(Undo())
    assert (table.state.score, table.state.turn) == ((0, 0), BLACK)
    table.order(Undo())
    assert (table.state.turn, table.state.roll) == (WHITE, Roll(3, 1))


def test_a_throw_since_an_order_about_the_match_stays_when_the_order_is_taken_back() -> None:
    table = played()
    table.order(SetClock(black_ms=Millis(5_000)))
    table.throw_valid(BLACK, 6, 4, shift=0.2)
    table.order(Undo())
    assert (table.state.roll, table.state.turn) == (Roll(6, 4), BLACK)
    assert left(table)[1] > 600_000


def test_nobody_pays_for_a_turn_that_was_set_by_mistake() -> None:
    table = timed()
    before = left(table)
    table.order(SetTurn(BLACK))
    table.now += 60_000
    table.order(Undo())
    assert left(table)[1] == before[1]
    assert left(table)[0] >= before[0] - 400
    assert (table.state.roll, table.state.clock.running) == (Roll(3, 1), WHITE)


def test_an_order_is_taken_back_after_a_restart() -> None:
    table = played()
    table.order(SetScore(Score(3, 3)))
    table.happens(Restarted(Millis(5)))
    table.now = 10
    table.order(Undo())
    assert (table.state.score, table.state.turn) == ((0, 0), BLACK)


def test_after_the_next_turn_undo_means_that_turn() -> None:
    table = timed()
    table.order(SetScore(Score(3, 3)))
    table.place(after(table, "8/5 6/5"), WHITE)
    table.press(WHITE)
    table.order(Undo())
    assert (table.state.score, table.state.turn) == ((3, 3), WHITE)


def test_what_was_misplaced_before_the_throw_is_still_so_after_a_restart() -> None:
    table = played()
    moved = list(table.white.points)
    moved[12], moved[11] = moved[12] - 1, moved[11] + 1
    table.white = table.white._replace(points=tuple(moved))
    table.rest(8)
    misplaced = table.state.sight.misplaced
    assert misplaced is not None
    assert misplaced.before_throw
    table.happens(Restarted(Millis(5)))
    table.now = 10
    table.throw_valid(BLACK, 6, 4, shift=0.2)
    table.rest(8)
    assert table.state.sight.misplaced is not None
    assert table.state.sight.misplaced.before_throw
