"""No player loses by the machine's mistake: 11, what comes too early.

Dice that are lifted before the press, a throw before the press and a press before the play are three things, each with
its own option.
"""

import pytest

from controller.adapters.mqtt.match_messages import state_message
from controller.adapters.mqtt.ruling_messages import ruling_message
from controller.ports.entries import Ruled
from controller.referee.dice import VoidReason
from controller.referee.events import Button, Pressed
from controller.referee.orders import Confirm, VoidThrow
from controller.referee.rulings import PlayRuling, PlayVerdict, ThrowOutcome, ThrowRuling
from controller.referee.state import PauseReason, Phase
from controller.rules import Roll, Side, ruleset, varied
from tests.referee.tabletop import Table, die
from tests.referee.test_turns import after
from tests.referee.timed_table import reserve

WHITE, BLACK = Side.WHITE, Side.BLACK
EARLY = (die(6, 0.2, 0.7), die(4, 0.3, 0.7))


def to_play(**options: object) -> Table:
    """White is to play 3-1 on a running clock."""
    table = Table(varied(ruleset("short-wbgf"), options))
    table.open_with(3, 1)
    table.finger(BLACK)
    assert (table.state.phase, table.state.clock.running) == (Phase.TO_PLAY, WHITE)
    return table


def pause_button(table: Table) -> None:
    table.happens(Pressed(table.later(), Button.PAUSE))


def plays_and_presses(table: Table) -> None:
    table.place(after(table, "8/5 6/5"), WHITE)
    table.press(WHITE)
    assert table.state.turn is BLACK


def waiting(table: Table) -> str:
    told = state_message(table.state).waiting_for
    assert told is not None
    return told.en


# Dice lifted before the press


def test_11_who_stops_the_clocks_over_lifted_dice_costs_the_next_thrower_the_delay() -> None:
    table = to_play()
    table.throw()
    assert "has lifted the dice" in waiting(table)
    pause_button(table)
    table.look()
    assert "the next delay is lost" in waiting(table)
    pause_button(table)
    plays_and_presses(table)
    left = reserve(table, BLACK)
    table.tick(5_000)
    assert reserve(table, BLACK) == left - 5_000


def test_11_the_clocks_may_be_stopped_while_the_hand_is_still_over_the_dice() -> None:
    table = to_play()
    table.stir()
    pause_button(table)
    table.throw()
    pause_button(table)
    plays_and_presses(table)
    assert table.state.clock.delay_left(table.state.at) == 0


def test_11_lifted_dice_that_nobody_stops_the_clocks_over_cost_nothing() -> None:
    table = to_play()
    table.throw()
    plays_and_presses(table)
    assert table.state.clock.delay_left(table.state.at) > 10_000


def test_11_a_pause_while_the_dice_lie_there_costs_nothing() -> None:
    table = to_play()
    pause_button(table)
    table.look()
    pause_button(table)
    plays_and_presses(table)
    assert table.state.clock.delay_left(table.state.at) > 10_000


def test_11_dice_lifted_in_a_pause_that_was_made_for_another_reason_cost_nothing() -> None:
    table = to_play()
    pause_button(table)
    table.throw()
    pause_button(table)
    table.rest()
    plays_and_presses(table)
    assert table.state.clock.delay_left(table.state.at) > 10_000


def test_11_dice_lifted_after_a_pause_is_over_cost_nothing() -> None:
    table = to_play()
    table.stir()
    pause_button(table)
    pause_button(table)
    table.throw()
    plays_and_presses(table)
    assert table.state.clock.delay_left(table.state.at) > 10_000


def test_11_where_the_rules_only_warn_a_pause_over_lifted_dice_costs_nothing() -> None:
    table = to_play(early_lift="warning")
    table.throw()
    pause_button(table)
    table.look()
    pause_button(table)
    plays_and_presses(table)
    assert table.state.clock.delay_left(table.state.at) > 10_000


# A throw before the press


def thrown_early(premature: str) -> Table:
    """Black throws 6-4 before White has pressed."""
    table = to_play(premature=premature, premature_delay="kept")
    table.place(after(table, "8/5 6/5"), WHITE)
    table.dice = (*table.dice, *EARLY)
    table.rest()
    assert table.state.turn is WHITE
    table.press(WHITE)
    return table


def test_11_a_throw_before_the_press_stands_and_keeps_its_delay() -> None:
    table = thrown_early("stands")
    assert (table.state.turn, table.state.roll) == (BLACK, Roll(6, 4))
    assert table.state.clock.delay_left(table.state.at) > 10_000


def test_11_a_throw_before_the_press_is_void() -> None:
    table = thrown_early("void")
    assert isinstance(table.last, ThrowRuling)
    assert (table.last.outcome, table.last.reason) == (ThrowOutcome.RE_ROLL, VoidReason.PREMATURE)


@pytest.mark.parametrize("stands", [True, False])
def test_11_the_opponent_says_whether_a_throw_before_the_press_stands_while_nobodys_time_runs(*, stands: bool) -> None:
    table = thrown_early("opponent_chooses")
    asked = table.last
    assert isinstance(asked, ThrowRuling)
    assert (asked.outcome, asked.values) == (ThrowOutcome.PLEASE_LOOK, (6, 4))
    assert "the opponent says whether it stands" in ruling_message(table.state, Ruled(asked.at, asked)).texts.en
    assert table.state.paused is PauseReason.EARLY_THROW
    left = reserve(table, BLACK)
    table.tick(60_000)
    assert reserve(table, BLACK) == left
    table.order(Confirm(asked.number) if stands else VoidThrow())
    assert table.state.clock.running is BLACK
    assert table.state.phase is (Phase.TO_PLAY if stands else Phase.TO_THROW)
    assert table.state.roll == (Roll(6, 4) if stands else None)


def test_11_who_throws_again_has_not_insisted_on_the_early_throw() -> None:
    table = thrown_early("opponent_chooses")
    table.throw_valid(BLACK, 5, 5, shift=0.2)
    assert (table.state.roll, table.state.clock.running) == (Roll(5, 5), BLACK)


# A press before the play


def test_11_a_press_before_the_play_is_taken_back_and_nobody_can_throw_over_it() -> None:
    table = to_play()
    table.press(WHITE)
    table.look(4)
    assert (table.state.turn, table.state.phase, table.state.clock.running) == (WHITE, Phase.TO_PLAY, WHITE)
    assert "that press does not count" in waiting(table)
    table.throw(*table.dice, *EARLY)
    assert table.state.game.turns == ()
    table.throw(*table.dice[:2])
    plays_and_presses(table)
    (turn,) = table.state.game.turns
    assert (turn.verdict, turn.refused) == (PlayVerdict.ACCEPTED, ())


def test_11_a_press_before_the_play_is_taken_back_also_after_a_hand_has_hidden_it_for_long() -> None:
    table = to_play()
    table.stir()
    table.finger(WHITE)
    table.tick(10_000)
    assert table.state.phase is Phase.DECIDING
    table.rest()
    state = table.state
    assert (state.turn, state.phase, state.clock.running, state.paused) == (WHITE, Phase.TO_PLAY, WHITE, None)
    assert state.in_play.refused == ()


def test_11_where_a_press_says_that_the_play_is_complete_one_without_a_play_is_judged_as_that() -> None:
    table = to_play(early_press="illegal_play")
    table.press(WHITE)
    table.look(4)
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is PlayVerdict.REFUSED
    plays_and_presses(table)
    (turn,) = table.state.game.turns
    assert len(turn.refused) == 1
