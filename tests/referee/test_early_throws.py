"""Dice before their time, dice that are pushed and dice that the reader misses now and then."""

import pytest

from controller.adapters.mqtt.ruling_messages import ruling_message
from controller.ports.entries import Ruled
from controller.referee.dice import VoidReason
from controller.referee.events import TurnEnd
from controller.referee.rulings import ThrowOutcome, ThrowRuling
from controller.referee.state import Phase
from controller.rules import Roll, Side, ruleset
from tests.referee.tabletop import Table, die
from tests.referee.test_turns import after


def thrown_before_the_press(name: str) -> Table:
    """Black throws 6-4 while White, who has played his 3-1, has not pressed yet."""
    table = Table(ruleset(name), TurnEnd.PRESS)
    table.open_with(3, 1)
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    table.dice = (*table.dice, die(6, 0.2, 0.7), die(4, 0.3, 0.7))
    table.rest()
    assert table.state.turn is Side.WHITE
    table.press(Side.WHITE)
    assert table.state.turn is Side.BLACK
    return table


def test_r12_a_throw_before_the_press_stands_where_the_ruleset_lets_it() -> None:
    assert thrown_before_the_press("short-wbgf").state.roll == Roll(6, 4)


@pytest.mark.parametrize(("name", "delay_s"), [("short-wbgf", 0), ("short-us", 12)])
def test_r12_the_wbgf_takes_the_delay_from_who_has_thrown_too_early_and_others_do_not(name: str, delay_s: int) -> None:
    table = thrown_before_the_press(name)
    assert table.state.roll == Roll(6, 4)
    clock, at = table.state.clock, table.state.at
    assert clock.running is Side.BLACK
    reserve = clock.reserve(Side.BLACK, at)
    table.tick(5_000)
    spent = reserve - table.state.clock.reserve(Side.BLACK, table.state.at)
    assert spent == (0 if delay_s else 5_000)


def test_the_delay_is_whole_again_in_his_next_turn() -> None:
    table = thrown_before_the_press("short-wbgf")
    table.place(after(table, "24/18 18/14"), Side.BLACK)
    table.press(Side.BLACK)
    table.throw()
    assert table.state.clock.delay_left(table.state.at) > 0
    table.throw_valid(Side.WHITE, 2, 1)
    table.place(after(table, "24/22 24/23"), Side.WHITE)
    table.press(Side.WHITE)
    assert table.state.turn is Side.BLACK
    assert table.state.clock.delay_left(table.state.at) > 11_000


@pytest.mark.parametrize(
    ("name", "english", "russian"),
    [
        ("short-wbgf", "it stands, and the delay is lost", "засчитан, но без задержки"),
        ("short-us", "it stands", "он засчитан"),
    ],
)
def test_an_early_throw_that_stands_is_called_one(name: str, english: str, russian: str) -> None:
    table = thrown_before_the_press(name)
    assert isinstance(table.last, ThrowRuling)
    assert table.state.ruling == table.last
    told = ruling_message(table.state, Ruled(table.last.at, table.last))
    assert told.texts.en.endswith(english)
    assert russian in told.texts.ru
    assert "6-4" in told.texts.en
    assert told.reason == "early"


def test_an_ordinary_throw_is_not_called_early() -> None:
    table = Table(ruleset("short-wbgf"))
    table.open_with(3, 1)
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    table.press(Side.WHITE)
    table.throw_valid(Side.BLACK, 6, 4, shift=0.2)
    assert isinstance(table.last, ThrowRuling)
    assert not table.last.early
    assert table.state.clock.delay_left(table.state.at) > 0


def test_r13_a_throw_before_the_press_is_void_where_the_ruleset_says_so() -> None:
    table = thrown_before_the_press("short-ru")
    assert isinstance(table.last, ThrowRuling)
    assert table.last.reason is VoidReason.PREMATURE
    assert table.state.phase is Phase.TO_THROW
    table.throw_valid(Side.BLACK, 5, 5, shift=0.2)
    assert table.state.roll == Roll(5, 5)


def test_dice_pushed_by_a_sleeve_are_no_throw_of_the_opponents() -> None:
    table = Table(ruleset("short-wbgf"))
    table.open_with(3, 1)
    table.dice = (die(3, 0.79, 0.33), die(1, 0.29, 0.33))
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    table.press(Side.WHITE)
    table.look(4)
    assert table.state.turn is Side.BLACK
    assert table.state.phase is Phase.TO_THROW


def test_a_die_seen_in_every_other_look_is_read_nevertheless() -> None:
    table = thrown_before_the_press("short-ru")
    both = (die(6, 0.2, 0.2), die(2, 0.3, 0.2))
    table.stir()
    for _ in range(3):
        table.dice = both
        table.look(1)
        table.dice = both[:1]
        table.look(1)
    assert table.state.roll is None or table.state.roll == Roll(6, 2)
    table.dice = both
    table.look(1)
    assert isinstance(table.last, ThrowRuling)
    assert table.last.outcome is ThrowOutcome.VALID
