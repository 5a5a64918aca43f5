"""A valid throw that is thrown again, and dice that are taken up before the press: both are noticed."""

import pytest

from controller.adapters.mqtt.match_messages import state_message
from controller.referee.events import TurnEnd
from controller.referee.orders import Resume, SetRoll
from controller.referee.rulings import PlayRuling, PlayVerdict, ThrowOutcome, ThrowRuling
from controller.referee.state import PauseReason, Phase
from controller.rules import Roll, Ruleset, Side, house_rules, ruleset
from tests.referee.tabletop import Table, die
from tests.referee.test_turns import after

AGREED = house_rules('inherits = "short-wbgf"\ncall_reroll = "opponent_agrees"', "agreed")


def thrown(rules: Ruleset, turn_end: TurnEnd = TurnEnd.PRESS) -> Table:
    """White has thrown a valid 5-3 and his clock runs."""
    table = Table(rules, turn_end)
    table.open_with(2, 1)
    table.place(after(table, "24/22 24/23"), Side.WHITE)
    table.press(Side.WHITE)
    table.throw()
    table.throw_valid(Side.BLACK, 6, 4)
    table.place(after(table, "24/18 18/14"), Side.BLACK)
    table.press(Side.BLACK)
    table.throw()
    table.throw_valid(Side.WHITE, 5, 3)
    assert table.state.roll == Roll(5, 3)
    return table


def said_of_the_throw(table: Table) -> list[ThrowRuling]:
    return [ruling for ruling in table.rulings if isinstance(ruling, ThrowRuling) and ruling.rethrown]


def test_r14_thrown_again_without_consent_the_first_throw_stands_and_the_clock_waits() -> None:
    table = thrown(AGREED)
    table.throw_valid(Side.WHITE, 6, 6, shift=0.25)
    table.look(10)
    (ruling,) = said_of_the_throw(table)
    assert ruling.outcome is ThrowOutcome.VALID
    assert ruling.values == (5, 3)
    assert ruling.rethrown == (6, 6)
    assert table.state.roll == Roll(5, 3)
    assert table.state.paused is PauseReason.RETHROWN
    assert table.state.clock.running is None
    table.order(Resume())
    assert table.state.clock.running is Side.WHITE


def test_r14_an_opponent_who_agrees_gets_the_second_throw_by_the_arbiters_word() -> None:
    table = thrown(AGREED)
    table.throw_valid(Side.WHITE, 6, 6, shift=0.25)
    table.order(SetRoll((6, 6)))
    assert table.state.roll == Roll(6, 6)


def test_where_the_referee_calls_throws_it_is_said_and_the_clock_runs_on() -> None:
    table = thrown(ruleset("short-wbgf"))
    table.throw_valid(Side.WHITE, 6, 6, shift=0.25)
    assert len(said_of_the_throw(table)) == 1
    assert table.state.clock.running is Side.WHITE
    table.place(after(table, "13/8 13/10"), Side.WHITE)
    table.press(Side.WHITE)
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is PlayVerdict.ACCEPTED


def test_a_third_throw_is_noticed_too() -> None:
    table = thrown(ruleset("short-wbgf"))
    table.throw_valid(Side.WHITE, 6, 6, shift=0.25)
    table.throw()
    table.throw_valid(Side.WHITE, 4, 4, shift=-0.2)
    assert [ruling.rethrown for ruling in said_of_the_throw(table)] == [(6, 6), (4, 4)]


@pytest.mark.parametrize("turn_end", [TurnEnd.PRESS, TurnEnd.LIFT])
def test_unchanged_dice_are_no_new_throw_however_often_something_moves(turn_end: TurnEnd) -> None:
    table = Table(ruleset("short-wbgf"), turn_end)
    table.open_with(3, 1)
    told = len(table.rulings)
    for _ in range(5):
        table.rest()
    assert len(table.rulings) == told


def test_dice_moved_aside_with_the_same_numbers_are_no_new_throw() -> None:
    table = thrown(AGREED)
    table.throw_valid(Side.WHITE, 5, 3, shift=0.3)
    assert said_of_the_throw(table) == []
    assert table.state.paused is None


def test_the_opponents_early_throw_is_no_throw_of_the_movers() -> None:
    table = thrown(AGREED)
    table.place(after(table, "13/8 13/10"), Side.WHITE)
    table.dice = (die(6, 0.2, 0.7), die(4, 0.3, 0.7))
    table.rest()
    assert said_of_the_throw(table) == []
    table.press(Side.WHITE)
    table.look()
    assert table.state.turn is Side.BLACK
    assert table.state.roll == Roll(6, 4)


@pytest.mark.parametrize(("lang", "word"), [("en", "lifted"), ("ru", "убраны")])
def test_dice_taken_up_before_the_press_are_told_on_the_display(lang: str, word: str) -> None:
    table = thrown(ruleset("short-wbgf"))
    before = state_message(table.state).waiting_for
    assert before is not None
    assert word not in getattr(before, lang)
    table.throw()
    told = state_message(table.state).waiting_for
    assert told is not None
    assert word in getattr(told, lang)
    assert "5-3" in getattr(told, lang)
    assert table.state.phase is Phase.TO_PLAY
