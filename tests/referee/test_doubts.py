"""Where the referee must not be sure: it looks again, or asks."""

from dataclasses import replace

import pytest

from controller.referee.dice import VoidReason
from controller.referee.events import LATE_MS, Button, DieSeen, DieState, Pressed
from controller.referee.orders import Double, Refuse
from controller.referee.presses import GIVEN_BACK_MS
from controller.referee.rulings import PlayRuling, PlayVerdict, ThrowOutcome, ThrowRuling
from controller.referee.state import Phase
from controller.rules import Side
from tests.referee.tabletop import Table, die
from tests.referee.test_throw_rulings import to_throw
from tests.referee.test_turns import after, moved, opened
from tests.referee.timed_table import doubling, reserve


def plays(table: Table) -> list[PlayRuling]:
    return [ruling for ruling in table.rulings if isinstance(ruling, PlayRuling)]


def may_be_cocked(seen: DieSeen, cocked: float) -> DieSeen:
    return replace(seen, states=((DieState.FLAT, 1 - cocked), (DieState.COCKED, cocked)))


def test_a_play_that_may_be_illegal_is_asked_about_and_not_refused() -> None:
    table = opened()
    table.place(moved(table, 13, 8), Side.WHITE)
    table.stir()
    table.finger(Side.WHITE)
    # The board reads rather as 13/8 than as 13/9, which 3-1 allows; an illegal play is the rarer one by far.
    table.look(7, odds={7: ((4, 0.9), (3, 0.1)), 8: ((0, 0.9), (1, 0.1))})
    assert [ruling.verdict for ruling in plays(table)] == [PlayVerdict.PLEASE_LOOK]


def test_a_play_is_judged_from_two_looks_after_the_press() -> None:
    table = opened()
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    table.finger(Side.WHITE)
    table.look(1)
    assert not plays(table)
    table.look(1)
    assert [ruling.verdict for ruling in plays(table)] == [PlayVerdict.ACCEPTED]


def test_a_play_that_the_arbiter_took_back_is_not_accepted_again_without_a_question() -> None:
    table = opened()
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    table.press(Side.WHITE)
    table.order(Refuse(table.last.number))
    table.press(Side.WHITE)
    table.look(6)
    assert plays(table)[-1].verdict is PlayVerdict.PLEASE_LOOK
    assert table.state.turn is Side.WHITE


@pytest.mark.parametrize("cocked", [0.3, 0.5, 0.7])
def test_a_die_that_may_be_cocked_is_asked_about(cocked: float) -> None:
    table = to_throw()
    table.throw(may_be_cocked(die(5, 0.7), cocked), die(3, 0.8))
    table.look(6)
    assert isinstance(table.last, ThrowRuling)
    assert table.last.outcome is ThrowOutcome.PLEASE_LOOK


def test_a_die_that_is_surely_cocked_is_called() -> None:
    table = to_throw()
    table.throw(may_be_cocked(die(5, 0.7), 0.97), die(3, 0.8))
    assert isinstance(table.last, ThrowRuling)
    assert (table.last.outcome, table.last.reason) == (ThrowOutcome.RE_ROLL, VoidReason.COCKED)


def test_a_press_counts_from_the_finger_but_no_more_than_so_long_ago() -> None:
    table = doubling()
    table.throw_valid(Side.WHITE, 6, 5)
    table.later(60_000)
    table.look(1)
    heard_at = table.state.at
    table.happens(Pressed(type(heard_at)(heard_at - 30_000), Button.WHITE))
    assert table.state.pressed_at == heard_at - LATE_MS


def test_a_press_while_a_double_waits_ends_nothing_and_costs_nothing() -> None:
    table = doubling()
    table.order(Double(Side.WHITE))
    left = reserve(table, Side.WHITE)
    for side in (Side.BLACK, Side.WHITE):
        table.finger(side)
        assert table.state.clock.running is Side.BLACK
        assert table.state.in_play.early_press is None
    assert table.state.phase is Phase.TO_THROW
    assert reserve(table, Side.WHITE) == left


def test_a_play_that_a_surely_read_place_denies_is_asked_about() -> None:
    table = opened()
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    table.stir()
    table.finger(Side.WHITE)
    # One of Black's checkers is not where it was: nothing that White may play explains that.
    table.look(7, odds={0: ((-1, 0.9999), (-2, 0.0001))})
    assert [ruling.verdict for ruling in plays(table)] == [PlayVerdict.PLEASE_LOOK]


def test_who_covers_the_board_after_a_press_pays_for_the_time_if_the_play_is_refused() -> None:
    table = doubling(early_press="illegal_play")
    table.throw_valid(Side.WHITE, 6, 5)
    table.finger(Side.WHITE)
    white, black = reserve(table, Side.WHITE), reserve(table, Side.BLACK)
    table.stir()
    table.later(30_000)
    table.rest()
    assert plays(table)[-1].verdict is PlayVerdict.REFUSED
    assert reserve(table, Side.WHITE) <= white - 30_000 + GIVEN_BACK_MS
    assert reserve(table, Side.BLACK) >= black - GIVEN_BACK_MS
