"""A throw that was missed is told from the play, and from nothing less."""

from controller.referee.events import TurnEnd
from controller.referee.rulings import PlayRuling, PlayVerdict
from controller.referee.state import Phase
from controller.rules import Position, Side, ruleset
from controller.service.unseen import orders_for_unseen
from tests.referee.tabletop import Table, die


def missed_opening(moves: tuple[tuple[int, int], ...]) -> Table:
    """The opening throw was not read; White then moved checkers and the dice were taken away."""
    table = Table(ruleset("short-ru"), TurnEnd.LIFT)
    table.rest()
    points = list(table.white.points)
    for source, target in moves:
        points[source - 1] -= 1
        points[target - 1] += 1
    table.white = Position(tuple(points))
    table.rest()
    assert table.state.phase is Phase.OPENING
    return table


def play_after_orders(table: Table, faces: frozenset[int]) -> PlayRuling:
    """What is ruled on the play once the missed throw has been set and the board was looked at again."""
    for order in orders_for_unseen(table.state, faces):
        table.order(order)
    table.rest()
    play = table.rulings[-1]
    assert isinstance(play, PlayRuling)
    return play


def test_a_play_tells_of_the_throw_before_it() -> None:
    table = missed_opening(((8, 5), (6, 5)))
    play = play_after_orders(table, frozenset())
    assert (play.verdict, str(play.play), play.roll) == (PlayVerdict.ACCEPTED, "8/5 6/5", (3, 1))
    assert table.state.turn is Side.BLACK


def test_the_dice_seen_on_the_way_choose_between_rolls_with_one_end() -> None:
    assert play_after_orders(missed_opening(((13, 6),)), frozenset({5})).roll == (5, 2)


def test_a_board_that_nobody_touched_tells_of_no_throw() -> None:
    assert orders_for_unseen(missed_opening(()).state, frozenset()) == ()


def test_while_dice_lie_on_the_board_the_turn_is_not_over() -> None:
    table = missed_opening(((8, 5), (6, 5)))
    table.dice = (die(3, 0.7),)
    table.look()
    assert orders_for_unseen(table.state, frozenset()) == ()
