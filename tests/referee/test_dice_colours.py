"""Who threw, told by the colour of the dice where each player has a pair of his own."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.referee.events import Colour, DieSeen, TurnEnd
from controller.referee.false_dice import DiceColours
from controller.referee.orders import Confirm
from controller.referee.rulings import ThrowOutcome, ThrowRuling
from controller.referee.state import Phase
from controller.rules import Roll, Side, ruleset
from tests.referee.tabletop import Table, die
from tests.referee.test_turns import after

RED: Colour = (42, 33, 126)
IVORY: Colour = (202, 211, 217)
SHADED: Colour = (188, 199, 203)

colours = st.tuples(st.integers(0, 255), st.integers(0, 255), st.integers(0, 255))


def of(colour: Colour, *dice: DieSeen) -> tuple[DieSeen, ...]:
    return tuple(replace(each, colour=colour) for each in dice)


def white_to_play(white: Colour = IVORY, black: Colour = RED, name: str = "long-fnr") -> Table:
    """White has opened with his 3 against 1 and has thrown nothing else; the dice of the opening are taken up."""
    table = Table(ruleset(name), TurnEnd.PRESS)
    table.rest()
    table.throw(*of(white, die(3, 0.75, 0.3)), *of(black, die(1, 0.25, 0.3)))
    assert table.state.roll == Roll(3, 1)
    table.throw()
    return table


def said_again(table: Table) -> list[ThrowRuling]:
    return [ruling for ruling in table.rulings if isinstance(ruling, ThrowRuling) and ruling.rethrown]


def test_a_second_throw_of_the_mover_is_noticed_in_whichever_half_it_lies() -> None:
    table = white_to_play()
    table.throw(*of(SHADED, die(6, 0.2, 0.7), die(6, 0.3, 0.7)))
    assert [ruling.rethrown for ruling in said_again(table)] == [(6, 6)]


def test_the_opponents_early_throw_is_his_in_whichever_half_it_lies() -> None:
    table = white_to_play()
    table.place(after(table, "24/21 21/20"), Side.WHITE)
    early = of(RED, die(6, 0.7, 0.7), die(4, 0.8, 0.7))
    table.throw(*early)
    assert said_again(table) == []
    table.press(Side.WHITE)
    assert table.state.turn is Side.BLACK
    assert table.state.roll == Roll(6, 4)
    assert isinstance(table.last, ThrowRuling)
    assert table.last.early


def test_where_both_throw_dice_of_one_colour_half_and_turn_decide() -> None:
    table = white_to_play(white=IVORY, black=SHADED)
    table.throw(*of(IVORY, die(6, 0.2, 0.7), die(6, 0.3, 0.7)))
    assert said_again(table) == []
    table.throw(*of(SHADED, die(6, 0.7, 0.7), die(6, 0.8, 0.7)))
    assert [ruling.rethrown for ruling in said_again(table)] == [(6, 6)]


def black_to_throw() -> Table:
    table = white_to_play()
    table.place(after(table, "24/21 21/20"), Side.WHITE)
    table.press(Side.WHITE)
    assert table.state.phase is Phase.TO_THROW
    assert table.state.turn is Side.BLACK
    return table


def test_a_throw_out_of_turn_is_asked_about_and_counts_when_the_arbiter_says_so() -> None:
    table = black_to_throw()
    table.throw(*of(IVORY, die(6, 0.2, 0.7), die(4, 0.3, 0.7)))
    assert isinstance(table.last, ThrowRuling)
    assert table.last.outcome is ThrowOutcome.PLEASE_LOOK
    assert table.state.phase is Phase.TO_THROW
    table.order(Confirm(table.last.number, 0))
    assert table.state.roll == Roll(6, 4)
    # From now on the pair goes from hand to hand: nobody is asked again.
    table.place(after(table, "24/18 18/14"), Side.BLACK)
    table.press(Side.BLACK)
    table.throw()
    table.throw(*of(IVORY, die(5, 0.7, 0.7), die(4, 0.8, 0.7)))
    assert table.state.roll == Roll(5, 4)


def test_the_throwers_dice_are_found_among_the_opponents() -> None:
    table = black_to_throw()
    table.throw(
        *of(IVORY, die(2, 0.6, 0.2), die(2, 0.65, 0.8)),
        *of(RED, die(6, 0.2, 0.7), die(4, 0.3, 0.7)),
    )
    assert table.state.roll == Roll(6, 4)


def test_dice_without_a_colour_are_ruled_on_as_ever() -> None:
    table = black_to_throw()
    table.throw_valid(Side.BLACK, 6, 4, shift=0.2)
    assert table.state.roll == Roll(6, 4)


@given(colours, colours, colours)
def test_swapping_the_pairs_swaps_the_owner(white: Colour, black: Colour, seen: Colour) -> None:
    owner, other = DiceColours(white, black).owner(seen), DiceColours(black, white).owner(seen)
    assert (owner and owner.other) is other


@given(colours, colours)
def test_a_die_of_a_pairs_own_colour_is_never_called_the_others(white: Colour, black: Colour) -> None:
    assert DiceColours(white, black).owner(white) is not Side.BLACK
    assert DiceColours(white, black).owner(black) is not Side.WHITE


@pytest.mark.parametrize("one", [DiceColours(), DiceColours(white=IVORY), DiceColours(black=RED)])
def test_one_pair_alone_tells_nothing(one: DiceColours) -> None:
    assert one.owner(IVORY) is None
