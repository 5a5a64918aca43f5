"""No player loses by the machine's mistake, with dice, chance and colours.

8 the opening throw, 9 void throws, 13 chance.
"""

from dataclasses import replace

import pytest

from controller.clock import Millis
from controller.referee.events import (
    Colour,
    DieSeen,
    DieState,
    MatchOpened,
    turn_end_of,
)
from controller.referee.fold import open_match, replayed
from controller.referee.orders import (
    Face,
    SetRoll,
)
from controller.referee.rulings import ThrowOutcome, ThrowRuling
from controller.referee.state import Phase
from controller.rules import (
    Side,
    ruleset,
    varied,
)
from tests.referee.tabletop import Table, die
from tests.referee.timed_table import doubling, tick_at

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
