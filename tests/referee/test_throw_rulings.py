"""Throws: the R and A cases of the rules list on event lists, and what players expect besides."""

import pytest

from controller.referee.dice import VoidReason
from controller.referee.events import DieSeen, DieState
from controller.referee.orders import Correct, SetRoll
from controller.referee.rulings import ThrowOutcome, ThrowRuling
from controller.referee.sight import looks_wanted
from controller.referee.state import Phase
from controller.rules import Side, ruleset
from tests.referee.tabletop import Table, die


def to_throw(name: str = "short-wbgf") -> Table:
    """White has to throw: he won the opening and throws again, or the arbiter says so."""
    table = Table(ruleset(name))
    table.open_with(5, 2)
    if table.state.phase is Phase.TO_PLAY:
        table.order(Correct(table.state.white_position(), Side.WHITE))
    assert table.state.turn is Side.WHITE
    assert table.state.phase is Phase.TO_THROW
    table.throw()
    return table


def ruled(table: Table) -> ThrowRuling:
    assert isinstance(table.last, ThrowRuling)
    return table.last


VOID = [
    pytest.param("long-fnr", die(5, 0.7), die(3, 1.3), VoidReason.OFF_BOARD, id="R01 off the board"),
    pytest.param("long-fnr", die(5, 0.7), die(3, 0.2), VoidReason.SPLIT_HALVES, id="R02 different halves"),
    pytest.param(
        "short-wbgf", die(5, 0.7), die(3, 0.8, state=DieState.ON_CHECKER), VoidReason.ON_CHECKER, id="R03 on a checker"
    ),
    pytest.param("short-wbgf", die(5, 0.7), die(3, 0.8, state=DieState.COCKED), VoidReason.COCKED, id="R05 cocked"),
    pytest.param("short-wbgf", die(5, 0.7), die(3, 0.5, state=DieState.ON_BAR), VoidReason.ON_BAR, id="R06 on the bar"),
    pytest.param("short-wbgf", die(5, 0.2), die(3, 0.3), VoidReason.WRONG_HALF, id="R08 thrower's left half"),
]


@pytest.mark.parametrize(("name", "first", "second", "reason"), VOID)
def test_a_void_throw_is_called_by_its_name_and_thrown_again(
    name: str, first: DieSeen, second: DieSeen, reason: VoidReason
) -> None:
    table = to_throw(name)
    table.throw(first, second)
    assert ruled(table).outcome is ThrowOutcome.RE_ROLL
    assert ruled(table).reason is reason
    assert table.state.phase is Phase.TO_THROW
    table.throw_valid(Side.WHITE, 6, 6)
    assert ruled(table).values == (6, 6)


VALID = [
    pytest.param("short-us", die(5, 0.7), die(3, 0.8, state=DieState.ON_CHECKER), id="R04 flat on a checker stands"),
    pytest.param("long-fnr", die(5, 0.2), die(3, 0.3), id="R07 both in the left half"),
]


@pytest.mark.parametrize(("name", "first", "second"), VALID)
def test_a_throw_that_the_ruleset_allows_stands(name: str, first: DieSeen, second: DieSeen) -> None:
    table = to_throw(name)
    table.throw(first, second)
    assert ruled(table).outcome is ThrowOutcome.VALID
    assert table.state.phase is Phase.TO_PLAY


def test_one_look_is_not_enough_for_a_ruling() -> None:
    table = to_throw()
    before = len(table.rulings)
    table.dice = (die(5, 0.7), die(3, 0.8))
    table.rest(times=1)
    assert len(table.rulings) == before


def test_a_face_that_is_not_sure_is_asked_for_and_never_guessed() -> None:
    table = to_throw()
    table.throw(die(5, 0.7, chance=0.6), die(3, 0.8))
    table.look(6)
    assert ruled(table).outcome is ThrowOutcome.PLEASE_LOOK
    assert table.state.phase is Phase.TO_THROW
    table.order(SetRoll((5, 3)))
    assert table.state.phase is Phase.TO_PLAY


def test_a_doubtful_throw_is_looked_at_until_the_referee_asks_and_no_longer() -> None:
    table = to_throw()
    assert not looks_wanted(table.state)
    table.dice = (die(5, 0.7, chance=0.6), die(3, 0.8))
    table.rest(times=1)
    for _ in range(20):
        if looks_wanted(table.state):
            table.look(1)
    assert ruled(table).outcome is ThrowOutcome.PLEASE_LOOK
    assert not looks_wanted(table.state)


def test_a_die_that_lies_there_alone_is_not_looked_at_for_ever() -> None:
    table = to_throw()
    table.dice = (die(5, 0.7),)
    table.rest(times=1)
    looks = 0
    while looks_wanted(table.state):
        table.look(1)
        looks += 1
        assert looks < 10


def test_the_referee_asks_once_about_the_same_dice() -> None:
    table = to_throw()
    table.throw(die(5, 0.7, chance=0.6), die(3, 0.8))
    table.look(20)
    assert sum(isinstance(r, ThrowRuling) and r.outcome is ThrowOutcome.PLEASE_LOOK for r in table.rulings) == 1


def test_the_other_players_dice_beside_the_board_void_nothing() -> None:
    table = to_throw("long-fnr")
    table.throw(die(1, 1.3, 0.2), die(1, 1.35, 0.2))
    table.throw(die(1, 1.3, 0.2), die(1, 1.35, 0.2), die(6, 0.7), die(4, 0.8))
    assert ruled(table).outcome is ThrowOutcome.VALID


def test_a01_a_tie_in_the_opening_is_thrown_again() -> None:
    table = Table(ruleset("long-fnr"))
    table.open_with(4, 4)
    assert table.state.phase is Phase.OPENING
    table.throw(die(5, 0.75, 0.35), die(3, 0.25, 0.35))
    assert table.state.game.openings == ((4, 4), (5, 3))
    assert table.state.turn is Side.WHITE


def test_a02_the_starter_plays_the_opening_dice() -> None:
    table = Table(ruleset("long-fnr"))
    table.open_with(3, 5)
    assert table.state.turn is Side.BLACK
    assert table.state.phase is Phase.TO_PLAY


def test_a03_the_starter_throws_anew() -> None:
    table = Table(ruleset("long-classic"))
    table.open_with(5, 3)
    assert table.state.phase is Phase.TO_THROW
    table.throw(die(6, 0.7, 0.6), die(6, 0.8, 0.6))
    assert ruled(table).values == (6, 6)


def test_opening_dice_in_one_half_are_thrown_again() -> None:
    table = Table(ruleset("short-wbgf"))
    table.rest()
    table.throw(die(5, 0.7), die(3, 0.8))
    assert ruled(table).reason is VoidReason.WRONG_HALF
    assert table.state.phase is Phase.OPENING


def test_a08_automatic_doubles_stop_at_their_limit() -> None:
    table = Table(ruleset("short-money"))
    table.open_with(3, 3)
    table.throw(die(6, 0.7, 0.5), die(6, 0.2, 0.5))
    table.throw(die(5, 0.7, 0.7), die(2, 0.2, 0.7))
    assert table.state.cube.value == 2
    assert table.state.cube.owner is None


def test_a09_a_tie_turns_no_cube_in_a_match() -> None:
    table = Table(ruleset("short-wbgf"))
    table.open_with(3, 3)
    assert table.state.cube.value == 1
