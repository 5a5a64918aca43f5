"""No player loses by the machine's mistake, with dice, chance and colours.

8 the opening throw, 9 void throws, 13 chance.
"""

from dataclasses import replace

import pytest

from controller.adapters.mqtt.match_messages import clock_message, state_message
from controller.clock import Millis
from controller.referee.dice import VoidReason
from controller.referee.events import (
    Button,
    Colour,
    DieSeen,
    DieState,
    MatchOpened,
    Pressed,
    turn_end_of,
)
from controller.referee.fold import open_match, replayed
from controller.referee.orders import (
    Face,
    SetRoll,
    Start,
)
from controller.referee.rulings import ThrowOutcome, ThrowRuling
from controller.referee.state import Phase
from controller.rules import (
    Game,
    Roll,
    Side,
    legal_plays,
    ruleset,
    start,
    varied,
)
from tests.referee.tabletop import Table, die
from tests.referee.timed_table import doubling, reserve, tick_at

WHITE, BLACK = Side.WHITE, Side.BLACK
RED: Colour = (42, 33, 126)
IVORY: Colour = (202, 211, 217)


# 8. The opening throw


def second_opening(near: Colour, far: Colour) -> Table:
    """White's die was ivory and Black's red; in the second game's opening a 2 lies in White's half, a 6 in Black's."""
    table = Table(ruleset("long-fnr"))
    table.rest()
    table.throw(replace(die(5, 0.75, 0.3), colour=IVORY), replace(die(3, 0.25, 0.3), colour=RED))
    table.resign(BLACK)
    table.dice = ()
    table.rest()
    assert table.state.phase is Phase.OPENING
    table.throw(replace(die(2, 0.75, 0.6), colour=near), replace(die(6, 0.25, 0.6), colour=far))
    return table


def test_8_opening_dice_in_each_others_halves_are_asked_about_and_not_swapped() -> None:
    table = second_opening(RED, IVORY)
    ruling = table.last
    assert isinstance(ruling, ThrowRuling)
    assert (ruling.outcome, ruling.values, table.state.turn) == (ThrowOutcome.PLEASE_LOOK, (2, 6), None)
    table.order(SetRoll((Face(6), Face(2))))
    assert table.state.turn is WHITE


def test_8_opening_dice_in_their_owners_halves_count() -> None:
    assert second_opening(IVORY, RED).state.turn is BLACK


def federations_opening(white: DieSeen, black: DieSeen) -> Table:
    """The opening by the Ministry's rules: White throws first, then the die may be moved aside, then Black throws."""
    table = Table(ruleset("long-fnr"))
    table.rest()
    table.throw(die(5, 0.75, 0.3))
    table.throw(white, black)
    return table


ON_BAR = die(5, 0.5, 0.3, DieState.ON_BAR)


def test_8_the_federations_first_die_counts_on_the_bar() -> None:
    table = federations_opening(ON_BAR, die(3, 0.25, 0.3))
    assert (table.state.game.openings, table.state.turn) == (((5, 3),), WHITE)


def test_8_and_so_does_the_second_players_when_they_have_thrown_first() -> None:
    table = federations_opening(die(3, 0.75, 0.6), ON_BAR)
    assert (table.state.game.openings, table.state.turn) == (((3, 5),), BLACK)


def test_8_where_nobody_can_say_whose_die_is_whose_the_referee_asks() -> None:
    table = federations_opening(die(5, 0.3, 0.7), die(3, 0.25, 0.3))
    table.look(6)
    ruling = table.last
    assert isinstance(ruling, ThrowRuling)
    assert (ruling.outcome, ruling.values) == (ThrowOutcome.PLEASE_LOOK, None)
    table.order(SetRoll((Face(5), Face(3))))
    assert table.state.turn is WHITE


def test_8_by_other_rules_a_die_on_the_bar_voids_the_opening() -> None:
    table = Table(ruleset("short-wbgf"))
    table.rest()
    table.throw(ON_BAR, die(3, 0.25, 0.3))
    assert isinstance(table.last, ThrowRuling)
    assert (table.last.outcome, table.last.reason) == (ThrowOutcome.RE_ROLL, VoidReason.ON_BAR)


# 9. Void throws


@pytest.mark.parametrize(
    "dice",
    [
        pytest.param((die(5, 0.7, 0.4), die(3, 0.8, 0.55, DieState.COCKED)), id="cocked"),
        pytest.param((die(5, 0.7), die(3, 0.2)), id="different halves"),
        pytest.param((die(5, 0.2), die(3, 0.3)), id="wrong half"),
        pytest.param((die(5, 0.7), die(3, 0.8, 0.55, DieState.ON_CHECKER)), id="on a checker"),
    ],
)
def test_9_the_delay_begins_anew_whatever_voids_a_throw(dice: tuple[DieSeen, DieSeen]) -> None:
    table = doubling(clock="simple_delay", delay_s=12, cocked_clock="delay_restarts")
    tick_at(table, table.now + 10_000)
    table.throw(*dice)
    ruling = table.last
    assert isinstance(ruling, ThrowRuling)
    assert ruling.outcome is ThrowOutcome.RE_ROLL
    assert table.state.clock.delay_left(ruling.at) == 12_000


def test_9_a_throw_that_shows_one_die_is_asked_about() -> None:
    table = doubling()
    table.throw(die(5, 0.7))
    table.look(6)
    ruling = table.last
    assert isinstance(ruling, ThrowRuling)
    assert (ruling.outcome, ruling.values, len(ruling.dice)) == (ThrowOutcome.PLEASE_LOOK, None, 1)
    table.order(SetRoll((Face(5), Face(2))))
    assert table.state.phase is Phase.TO_PLAY


def one_on_the_floor(fallen_dice: str) -> Table:
    """White throws; one die is in view, the other is not."""
    table = doubling(fallen_dice=fallen_dice)
    table.throw(die(5, 0.7))
    table.look(6)
    assert isinstance(table.last, ThrowRuling)
    assert table.last.outcome is ThrowOutcome.PLEASE_LOOK
    return table


def test_9_a_die_on_the_floor_stops_the_clock_where_the_rules_say_so() -> None:
    table = one_on_the_floor("clock_stops")
    left = reserve(table, WHITE)
    table.tick(60_000)
    assert reserve(table, WHITE) == left
    message = clock_message(table.state)
    assert message.paused is not None
    assert "on the floor" in message.paused.en
    table.throw_valid(WHITE, 6, 5, shift=0.2)
    assert (table.state.phase, table.state.clock.running, table.state.paused) == (Phase.TO_PLAY, WHITE, None)


def test_9_the_clock_runs_on_when_the_die_that_was_left_is_taken_up() -> None:
    table = one_on_the_floor("clock_stops")
    table.throw()
    assert (table.state.clock.running, table.state.paused) == (WHITE, None)


def test_9_either_player_may_end_that_pause_by_the_button_between_them() -> None:
    table = one_on_the_floor("clock_stops")
    table.happens(Pressed(table.later(), Button.PAUSE))
    assert (table.state.clock.running, table.state.paused) == (WHITE, None)


def test_9_a_die_on_the_floor_stops_no_clock_where_no_rule_says_so() -> None:
    assert one_on_the_floor("clock_runs").state.clock.running is WHITE


def test_9_two_dice_that_have_just_come_to_lie_beside_the_board_are_noticed() -> None:
    table = doubling()
    off = DieState.OFF_BOARD
    table.throw(die(6, 1.2, 0.2, off), die(2, 1.3, 0.4, off))
    table.look(6)
    told = state_message(table.state).waiting_for
    assert told is not None
    assert "two dice lie beside the board" in told.en
    table.rest(9)
    told = state_message(table.state).waiting_for
    assert told is not None
    assert "beside" not in told.en


def test_9_a_play_of_a_throw_of_which_no_die_is_in_view_is_asked_about() -> None:
    table = doubling()
    table.stir()
    table.finger(WHITE)
    table.white = min(legal_plays(table.white, Roll(6, 5), table.rules))
    table.dice = ()
    table.rest()
    ruling = table.last
    assert isinstance(ruling, ThrowRuling)
    assert (ruling.outcome, ruling.dice, table.state.turn) == (ThrowOutcome.PLEASE_LOOK, (), WHITE)


# 13. Chance


def test_13_who_begins_by_lot_does_not_hang_on_the_moment() -> None:
    rules = varied(ruleset("long-fnr"), {"first_mover": "random", "opening_dice": "reroll"})
    starters = []
    for seed in range(40):
        opened = MatchOpened(Millis(1_000), rules.name, rules, "", "", turn_end_of(rules), seed=seed)
        table = Table(rules)
        table.events, table.state = [opened], open_match(opened)
        table.rest()
        assert table.state.turn is not None
        starters.append(table.state.turn)
        assert replayed(table.events) == table.state
    assert 10 < starters.count(WHITE) < 30


def next_game_of_a_club_match(*, exchanged: bool) -> Table:
    """White has lost the first game; the board is set up for the second one."""
    table = Table(ruleset("long-club"))
    table.rest()
    table.order(SetRoll((Face(6), Face(2))))
    table.resign(WHITE)
    table.dice = ()
    table.white = start(Game.LONG)
    if exchanged:
        table.white = table.white._replace(points=tuple(-count for count in table.white.points))
    table.rest()
    return table


def test_13_sets_that_have_changed_hands_let_the_next_game_begin() -> None:
    table = next_game_of_a_club_match(exchanged=True)
    assert (table.state.phase, table.state.turn, table.state.light) == (Phase.TO_THROW, BLACK, BLACK)


def test_13_sets_that_have_not_changed_hands_are_asked_about() -> None:
    table = next_game_of_a_club_match(exchanged=False)
    assert table.state.phase is Phase.SETUP
    told = state_message(table.state).waiting_for
    assert told is not None
    assert told.en.startswith("The sets change hands after each game")
    table.order(Start())
    assert (table.state.phase, table.state.turn, table.state.light) == (Phase.TO_THROW, BLACK, WHITE)
