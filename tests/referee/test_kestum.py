"""Kestum: R09 to R11 of the rules cases on event lists, and what players expect besides."""

import pytest

from controller.referee.dice import VoidReason
from controller.referee.events import DieSeen, DieState
from controller.referee.orders import CallKestum, OrderRefusedError
from controller.referee.rulings import ThrowOutcome, ThrowRuling
from controller.referee.state import Phase
from controller.rules import Roll, Side, house_rules, ruleset
from tests.referee.tabletop import Table, die

BOTH_ROLL = (
    (die(2, 0.62, 0.2, DieState.MOVING), die(4, 0.66, 0.3)),
    (die(6, 0.72, 0.4), die(1, 0.78, 0.55, DieState.MOVING)),
)
ONE_HAS_STOPPED = (
    (die(5, 0.70, 0.40), die(4, 0.66, 0.30)),
    (die(5, 0.70, 0.40), die(1, 0.78, 0.55, DieState.MOVING)),
)
AT_REST = (die(5, 0.70, 0.40), die(3, 0.80, 0.50))


def to_throw(name: str = "long-classic", options: str = "") -> Table:
    """White is to throw."""
    rules = house_rules(f'inherits = "{name}"\n{options}', name) if options else ruleset(name)
    table = Table(rules)
    table.open_with(5, 2)
    assert table.state.phase is Phase.TO_THROW
    assert table.state.turn is Side.WHITE
    table.throw()
    return table


def refusal(table: Table, side: Side = Side.BLACK) -> str:
    before = table.state
    with pytest.raises(OrderRefusedError) as refused:
        table.order(CallKestum(side))
    assert table.state is before
    return str(refused.value)


def last(table: Table) -> ThrowRuling:
    assert isinstance(table.last, ThrowRuling)
    return table.last


def test_r09_kestum_while_both_dice_roll_voids_the_throw() -> None:
    table = to_throw()
    table.roll(*BOTH_ROLL)
    table.order(CallKestum(Side.BLACK))
    assert last(table).outcome is ThrowOutcome.RE_ROLL
    assert last(table).reason is VoidReason.KESTUM
    assert {die.state for die in last(table).dice} == {DieState.MOVING}
    assert table.state.ruling == last(table)
    assert table.state.phase is Phase.TO_THROW
    assert table.state.turn is Side.WHITE


def test_r09_the_dice_that_then_come_to_rest_are_no_throw_and_those_of_the_next_are() -> None:
    table = to_throw()
    table.roll(*BOTH_ROLL)
    table.order(CallKestum(Side.BLACK))
    table.throw(*AT_REST)
    table.look(6)
    assert last(table).reason is VoidReason.KESTUM
    table.throw_valid(Side.WHITE, 6, 6, shift=0.2)
    assert table.state.roll == Roll(6, 6)


def test_a_throw_right_after_the_voided_dice_were_taken_up_counts() -> None:
    table = to_throw()
    table.roll(*BOTH_ROLL)
    table.order(CallKestum(Side.BLACK))
    table.throw(*AT_REST)
    table.throw_valid(Side.WHITE, 5, 3, shift=0.05)
    assert table.state.roll == Roll(5, 3)


def test_r10_kestum_after_a_die_has_stopped_is_ignored_and_the_throw_counts() -> None:
    table = to_throw()
    table.roll(*ONE_HAS_STOPPED)
    assert refusal(table) == "kestum_too_late"
    table.throw(*AT_REST)
    assert table.state.roll == Roll(5, 3)


def test_r11_kestum_is_ignored_where_the_ruleset_has_none() -> None:
    table = to_throw("long-classic", 'kestum = "off"')
    table.roll(*BOTH_ROLL)
    assert refusal(table) == "no_kestum"
    table.throw(*AT_REST)
    assert table.state.roll == Roll(5, 3)


def test_the_thrower_himself_may_not_call_where_only_the_opponent_may() -> None:
    table = to_throw()
    table.roll(*BOTH_ROLL)
    assert refusal(table, Side.WHITE) == "kestum_is_the_opponents"


def test_either_may_call_where_the_ruleset_lets_both() -> None:
    table = to_throw("long-classic", 'kestum = "either"')
    table.roll(*BOTH_ROLL)
    table.order(CallKestum(Side.WHITE))
    assert last(table).reason is VoidReason.KESTUM


def test_one_call_a_turn_is_all_there_is() -> None:
    table = to_throw()
    table.roll(*BOTH_ROLL)
    table.order(CallKestum(Side.BLACK))
    table.throw(*AT_REST)
    table.tick(5_000)
    table.roll(*BOTH_ROLL)
    assert refusal(table) == "kestum_is_spent"


@pytest.mark.parametrize(
    ("frames", "why"),
    [
        pytest.param((), "no_dice_roll", id="nothing moves yet"),
        pytest.param(((), ()), "no_dice_roll", id="the camera sees no die roll"),
    ],
)
def test_what_nobody_saw_roll_is_left_to_the_arbiter(frames: tuple[tuple[DieSeen, ...], ...], why: str) -> None:
    table = to_throw()
    table.roll(*frames)
    assert refusal(table) == why


def test_dice_at_rest_that_were_not_ruled_on_yet_cannot_be_called_void() -> None:
    table = to_throw()
    table.dice = AT_REST
    table.rest(times=1)
    assert refusal(table) == "kestum_too_late"


def test_the_opponents_button_is_his_call_while_the_dice_roll_and_nothing_else() -> None:
    table = to_throw("long-classic", 'clock = "simple_delay"\ndelay_s = 8\nreserve_s_per_point = 60')
    table.finger(Side.BLACK)
    assert table.state.clock.running is Side.WHITE
    table.finger(Side.BLACK)
    assert table.state.phase is Phase.TO_THROW
    table.roll(*BOTH_ROLL)
    table.finger(Side.BLACK)
    assert last(table).reason is VoidReason.KESTUM
