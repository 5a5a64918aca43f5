"""The adjudication cases F of the rules list, folded: a doubles cascade that is handed over to the opponent."""

import pytest

from controller.referee.events import TurnEnd
from controller.referee.orders import Correct, Face, OrderRefusedError, SetRoll, Undo, VoidThrow
from controller.referee.rulings import PlayRuling, PlayVerdict
from controller.referee.state import Phase
from controller.rules import Game, Position, Roll, Side, arranged, ruleset, varied
from tests.referee.tabletop import Table

WHITE, BLACK = Side.WHITE, Side.BLACK
CRAZY = ruleset("crazy")
Counts = dict[int, int]


def board(white: Counts, black: Counts) -> Position:
    """White's view."""
    return arranged(Game.LONG, white, black)


def to_play(white: Counts, black: Counts, roll: tuple[int, int], end: TurnEnd = TurnEnd.PRESS) -> Table:
    """White plays ``roll`` from ``white`` against ``black``."""
    table = Table(varied(CRAZY, {"play": "match", "length": 5}), end)
    table.rest()
    table.white = board(white, black)
    table.order(Correct(table.white, WHITE))
    table.throw_valid(WHITE, *roll)
    assert table.state.roll == Roll(*roll)
    return table


def played(table: Table, side: Side, white: Counts, black: Counts) -> None:
    """``side`` leaves the board like that and presses."""
    table.place(board(white, black) if side is WHITE else board(white, black).turned(Game.LONG), side)
    table.press(side)


def begun() -> Table:
    """White has thrown 2-2 from the head and got stuck on the fours; Black has the rest to play."""
    table = to_play({24: 15}, {24: 15}, (2, 2))
    played(table, WHITE, {24: 14, 4: 1}, {24: 15})
    return table


def test_f08_who_is_stuck_hands_the_rest_over_and_the_opponent_throws_after_it() -> None:
    table = begun()
    state = table.state
    assert (state.phase, state.turn, state.roll) == (Phase.TO_PLAY, BLACK, Roll(2, 2))
    assert state.in_play.rest == (4,) * 4 + (5,) * 4 + (6,) * 4
    played(table, BLACK, {24: 14, 4: 1}, {24: 14, 20: 1})
    state = table.state
    assert (state.phase, state.turn, state.in_play.rest) == (Phase.TO_THROW, BLACK, ())
    assert state.first_turn, "a rest is no turn of one's own"
    assert [(turn.side, turn.rest[:1]) for turn in state.game.turns] == [(WHITE, ()), (BLACK, (4,))]
    assert {ruling.verdict for ruling in table.rulings if isinstance(ruling, PlayRuling)} == {PlayVerdict.ACCEPTED}
    table.throw_valid(BLACK, 2, 1)
    played(table, BLACK, {24: 14, 4: 1}, {24: 13, 22: 1, 19: 1})
    assert (table.state.phase, table.state.turn) == (Phase.TO_THROW, WHITE)


def test_f08_without_a_clock_the_rest_is_over_when_it_lies_there() -> None:
    table = to_play({24: 15}, {24: 15}, (2, 2), TurnEnd.LIFT)
    table.place(board({24: 14, 4: 1}, {24: 15}), WHITE)
    table.throw()
    assert table.state.in_play.rest
    table.look(6)
    assert (table.state.phase, table.state.turn) == (Phase.TO_PLAY, BLACK)
    table.place(board({24: 14, 4: 1}, {24: 14, 20: 1}).turned(Game.LONG), BLACK)
    assert (table.state.phase, table.state.turn) == (Phase.TO_THROW, BLACK)


def test_f08_what_the_opponent_plays_wrongly_of_the_rest_is_refused() -> None:
    table = begun()
    played(table, BLACK, {24: 14, 4: 1}, {24: 14, 19: 1})
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is PlayVerdict.REFUSED
    assert (table.state.turn, table.state.in_play.rest[:1]) == (BLACK, (4,))


def test_f09_what_the_opponent_cannot_play_lapses() -> None:
    table = to_play({24: 1, 6: 14}, {24: 15}, (6, 6))
    # Three sixes are left, and White's point 6 closes the only way from Black's head.
    played(table, WHITE, {18: 1, 6: 14}, {24: 15})
    assert (table.state.phase, table.state.turn) == (Phase.TO_THROW, BLACK)


def test_f10_the_last_checker_wins_at_once_and_nothing_is_handed_over() -> None:
    table = to_play({3: 1}, {10: 15}, (3, 3))
    played(table, WHITE, {}, {10: 15})
    assert table.state.finished[0].winner is WHITE


def test_a_rest_is_neither_thrown_again_nor_set() -> None:
    table = begun()
    for order, why in ((VoidThrow(), "no_throw_to_void"), (SetRoll((Face(6), Face(5))), "no_throw_awaited")):
        with pytest.raises(OrderRefusedError, match=why):
            table.order(order)


def test_a_rest_that_is_taken_back_is_played_again() -> None:
    table = begun()
    rest = table.state.in_play.rest
    played(table, BLACK, {24: 14, 4: 1}, {24: 14, 20: 1})
    table.order(Undo())
    assert (table.state.turn, table.state.in_play.rest) == (BLACK, rest)
    table.order(Undo())
    assert (table.state.turn, table.state.in_play.rest, table.state.roll) == (WHITE, (), Roll(2, 2))


@pytest.mark.parametrize(("free", "rest"), [(0, True), (3, False)])
def test_the_free_throws_of_a_game_are_ordinary_doubles(free: int, rest: bool) -> None:
    table = Table(varied(CRAZY, {"cascade_free_turns": free}), TurnEnd.PRESS)
    table.rest()
    table.order(Correct(table.white, WHITE))
    table.throw_valid(WHITE, 2, 2)
    played(table, WHITE, {24: 14, 16: 1} if free else {24: 14, 4: 1}, {24: 15})
    assert table.state.game.turns[0].verdict is PlayVerdict.ACCEPTED
    assert bool(table.state.in_play.rest) is rest
