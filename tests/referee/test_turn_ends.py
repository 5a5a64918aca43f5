"""What ends a turn: a press, dice that are lifted, dice that are handed over, a tap on the bar."""

import pytest

from controller.clock import Millis
from controller.referee.events import DieState, TurnEnd, turn_end_of
from controller.referee.state import Phase
from controller.rules import Side, ruleset, varied
from tests.referee.tabletop import Table, die
from tests.referee.test_turns import after

WHITE, BLACK = Side.WHITE, Side.BLACK
OFF = DieState.OFF_BOARD


def played(sign: str, *idle: tuple[float, float]) -> Table:
    """White has played the opening 3-1; ``idle`` dice lie beside the board from the beginning."""
    rules = varied(ruleset("short-ru"), {"turn_end_without_clock": sign})
    table = Table(rules)
    table.dice = tuple(die(6, u, v, OFF) for u, v in idle)
    table.rest()
    table.throw(die(3, 0.75, 0.3), die(1, 0.25, 0.3), *table.dice)
    table.place(after(table, "8/5 6/5"), WHITE)
    assert (table.state.turn, table.state.phase) == (WHITE, Phase.TO_PLAY)
    return table


@pytest.mark.parametrize(
    ("sign", "end"),
    [("dice_lift", TurnEnd.LIFT), ("dice_handover", TurnEnd.HANDOVER), ("bar_tap", TurnEnd.PRESS)],
)
def test_each_sign_is_something_that_the_table_can_tell(sign: str, end: TurnEnd) -> None:
    rules = varied(ruleset("short-ru"), {"turn_end_without_clock": sign})
    assert turn_end_of(rules) is end


def test_without_buttons_a_turn_ends_by_the_dice() -> None:
    assert turn_end_of(ruleset("short-wbgf"), buttons=False) is TurnEnd.LIFT
    assert turn_end_of(ruleset("long-fnr"), buttons=False) is TurnEnd.HANDOVER
    tapped = varied(ruleset("short-ru"), {"turn_end_without_clock": "bar_tap"})
    assert turn_end_of(tapped, buttons=False) is TurnEnd.LIFT


def test_dice_laid_down_on_ones_own_side_are_lifted_but_not_handed_over() -> None:
    lifted, kept = played("dice_lift"), played("dice_handover")
    for table in (lifted, kept):
        table.throw(die(3, 1.1, 0.2, OFF), die(1, 0.25, 0.3))
    assert lifted.state.turn is BLACK
    assert kept.state.turn is WHITE


@pytest.mark.parametrize("where", [(1.1, 0.8), None])
def test_dice_are_handed_over_by_laying_them_before_the_opponent_or_from_hand_to_hand(
    where: tuple[float, float] | None,
) -> None:
    table = played("dice_handover")
    table.throw(*([die(3, *where, OFF)] if where else []), die(1, 0.25, 0.3))
    assert (table.state.turn, table.state.phase) == (BLACK, Phase.TO_THROW)


def test_dice_laid_down_first_and_then_handed_over_end_the_turn_then() -> None:
    table = played("dice_handover")
    table.throw(die(3, 1.1, 0.2, OFF), die(1, 0.25, 0.3))
    table.throw(die(3, 1.1, 0.8, OFF), die(1, 0.25, 0.3))
    assert table.state.turn is BLACK


def test_what_shows_no_number_of_the_roll_keeps_nobody_from_handing_over() -> None:
    table = played("dice_handover")
    table.throw(die(6, 1.1, 0.2, OFF), die(1, 0.25, 0.3))
    assert table.state.turn is BLACK


def test_the_opponent_who_has_thrown_has_the_dice() -> None:
    table = played("dice_handover")
    table.throw(die(3, 1.1, 0.2, OFF), die(6, 0.2, 0.7), die(4, 0.3, 0.7))
    assert table.state.turn is BLACK
    assert str(table.state.roll) == "6-4"


def test_a_second_pair_that_lay_there_before_keeps_nobody_from_handing_over() -> None:
    idle = ((1.1, 0.2), (1.15, 0.3))
    table = played("dice_handover", *idle)
    table.throw(die(1, 0.25, 0.3), *(die(6, u, v, OFF) for u, v in idle))
    assert table.state.turn is BLACK


def test_a_tap_on_the_bar_is_the_movers_button_and_costs_no_time() -> None:
    table = played("bar_tap")
    table.throw()
    assert table.state.turn is WHITE
    table.press(WHITE)
    assert (table.state.turn, table.state.phase) == (BLACK, Phase.TO_THROW)


def test_where_the_bar_is_tapped_no_clock_takes_time_although_one_stands_there() -> None:
    table = Table(varied(ruleset("short-wbgf"), {"turn_end": "bar_tap"}))
    table.open_with(3, 1)
    table.finger(BLACK)
    reserve = table.state.clock.reserve(WHITE, table.state.at)
    table.tick(Millis(900_000))
    assert table.state.clock.reserve(WHITE, table.state.at) == reserve
    assert table.state.phase is Phase.TO_PLAY
