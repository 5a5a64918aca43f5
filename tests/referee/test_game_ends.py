"""How games end and the next one begins: the N and A cases of the rules list, played at the table."""

import pytest

from controller.referee.orders import Correct
from controller.referee.state import Phase
from controller.rules import Game, Kind, Side, arranged, house_rules, ruleset, start
from tests.referee.tabletop import Table


def last_turns(black: dict[int, int], roll: tuple[int, int], black_after: dict[int, int]) -> Table:
    """White, who started, bears off his last checker; Black has ``black`` and throws ``roll`` if he still may."""
    table = Table(house_rules('inherits = "long-treegame"\nfirst_mover = "throw"', "treegame with an opening throw"))
    table.open_with(5, 2)
    table.white = arranged(Game.LONG, {1: 1}, black)
    table.order(Correct(table.white, Side.WHITE))
    table.throw_valid(Side.WHITE, 6, 5)
    table.place(arranged(Game.LONG, {}, black), Side.WHITE)
    table.throw()
    if table.state.phase is Phase.TO_THROW:
        table.throw_valid(Side.BLACK, *roll)
        table.place(arranged(Game.LONG, black_after, {}), Side.BLACK)
        table.throw()
    return table


def test_n01_both_finished_is_a_draw() -> None:
    table = last_turns({1: 2}, (2, 1), {})
    assert table.state.finished[0].winner is None
    assert table.state.finished[0].result is not None
    assert table.state.finished[0].result.kind is Kind.DRAW
    assert table.state.score == (0, 0)


def test_n02_the_starter_wins_when_the_last_turn_does_not_finish() -> None:
    table = last_turns({6: 1, 5: 1}, (4, 1), {5: 1, 1: 1})
    assert table.state.finished[0].winner is Side.WHITE
    assert table.state.score == (1, 0)


def test_n05_no_last_turn_that_cannot_change_anything() -> None:
    table = last_turns({1: 5}, (1, 2), {})
    assert table.state.finished[0].winner is Side.WHITE
    assert len(table.state.finished[0].turns) == 1


def won_by(name: str, winner: Side) -> Table:
    """A game, started by White, that ``winner`` has just won; the board is set up again."""
    table = Table(ruleset(name))
    table.open_with(5, 3)
    near = arranged(table.rules.game, {1: 1}, {6: 14})
    table.white = near if winner is Side.WHITE else near.turned(table.rules.game)
    table.order(Correct(table.white, winner))
    table.throw_valid(winner, 6, 5, shift=0.2)
    table.place(arranged(table.rules.game, {}, {6: 14}), winner)
    if table.rules.turn_ends_by == "clock":
        table.press(winner)
    table.throw()
    assert table.state.finished[0].winner is winner
    table.white = start(table.rules.game)
    table.rest()
    return table


@pytest.mark.parametrize("winner", list(Side))
def test_a05_the_winner_starts_the_next_game(winner: Side) -> None:
    table = won_by("long-classic", winner)
    assert table.state.phase is Phase.TO_THROW
    assert table.state.turn is winner


@pytest.mark.parametrize("winner", list(Side))
def test_a06_the_former_second_player_starts_the_next_game_whatever_the_result(winner: Side) -> None:
    table = won_by("long-club", winner)
    assert table.state.phase is Phase.TO_THROW
    assert table.state.turn is Side.BLACK


def test_a07_the_next_game_begins_with_an_opening_throw() -> None:
    table = won_by("short-wbgf", Side.WHITE)
    assert table.state.phase is Phase.OPENING
    assert table.state.game.number == 2


def test_a_wrong_set_up_is_named_place_by_place() -> None:
    table = Table(ruleset("short-wbgf"))
    points = list(start(Game.SHORT).points)
    points[5], points[4] = 4, 1
    table.white = start(Game.SHORT)._replace(points=tuple(points))
    table.rest()
    assert table.state.phase is Phase.SETUP
    assert set(table.state.setup_faults) == {(4, 1, 0), (5, 4, 5)}
    table.white = start(Game.SHORT)
    table.rest()
    assert table.state.phase is Phase.OPENING
