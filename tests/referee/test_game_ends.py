"""How games end and the next one begins: the N and A cases of the rules list, played at the table."""

import pytest

from controller.referee.orders import Confirm, Correct, Face, OrderRefusedError, Resume, SetRoll, Undo
from controller.referee.state import Phase
from controller.rules import Game, Kind, Side, arranged, house_rules, presets, ruleset, start
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


def test_n03_the_starter_has_no_last_turn() -> None:
    table = Table(house_rules('inherits = "long-treegame"\nfirst_mover = "throw"', "treegame with an opening throw"))
    table.open_with(5, 2)
    table.white = arranged(Game.LONG, {1: 2}, {1: 1})
    table.order(Correct(table.white, Side.BLACK))
    table.throw_valid(Side.BLACK, 6, 5)
    table.place(arranged(Game.LONG, {}, {1: 2}), Side.BLACK)
    table.throw()
    assert [game.winner for game in table.state.finished] == [Side.BLACK]


@pytest.mark.parametrize("name", [name for name in presets() if not ruleset(name).last_move])
def test_n04_elsewhere_the_game_is_over_with_the_last_checker(name: str) -> None:
    table = Table(ruleset(name))
    left = {1: 2}
    table.rest()
    table.white = arranged(table.rules.game, {1: 1}, left)
    table.order(Correct(table.white, Side.WHITE))
    table.throw_valid(Side.WHITE, 6, 1)
    table.place(arranged(table.rules.game, {}, left), Side.WHITE)
    if table.rules.turn_ends_by == "clock":
        table.press(Side.WHITE)
    table.throw()
    assert [game.winner for game in table.state.finished] == [Side.WHITE]
    assert table.state.score[0] > 0


def test_n06_a_checker_borne_off_in_the_last_turn_saves_the_mars() -> None:
    table = last_turns({6: 5, 1: 10}, (5, 1), {6: 4, 1: 10})
    assert table.state.finished[0].winner is Side.WHITE
    assert table.state.score == (1, 0)


def test_a_last_turn_by_mistake_is_gone_with_the_turn_that_is_taken_back() -> None:
    table = Table(house_rules('inherits = "long-treegame"\nfirst_mover = "throw"', "treegame with an opening throw"))
    table.open_with(5, 2)
    table.white = arranged(Game.LONG, {12: 2}, {12: 2})
    table.order(Correct(table.white, Side.WHITE))
    table.throw_valid(Side.WHITE, 3, 2)
    moved = arranged(Game.LONG, {9: 1, 10: 1}, {12: 2})
    table.place(moved, Side.WHITE)
    table.throw()
    table.order(Correct(arranged(Game.LONG, {}, {12: 2}), Side.BLACK))
    table.order(Undo())
    assert (table.state.turn, table.state.first_home) == (Side.BLACK, None)
    table.order(Undo())
    assert (table.state.phase, table.state.turn) == (Phase.TO_PLAY, Side.WHITE)
    table.order(SetRoll((Face(4), Face(3))))
    table.place(arranged(Game.LONG, {8: 1, 9: 1}, {12: 2}), Side.WHITE)
    table.throw()
    table.look(6)
    assert (table.state.phase, table.state.turn, table.state.finished) == (Phase.TO_THROW, Side.BLACK, ())


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
    if table.rules.next_start == "swap_black":
        table.white = table.white._replace(points=tuple(-count for count in table.white.points))
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


def borne_off(name: str, rules: str = "") -> Table:
    """White has just borne off his last checker; the table still lies so."""
    chosen = house_rules(f'inherits = "{name}"\n{rules}', name) if rules else ruleset(name)
    table = Table(chosen)
    table.open_with(5, 3)
    table.white = arranged(table.rules.game, {1: 1}, {6: 14})
    table.order(Correct(table.white, Side.WHITE))
    table.throw_valid(Side.WHITE, 6, 5, shift=0.2)
    table.place(arranged(table.rules.game, {}, {6: 14}), Side.WHITE)
    table.press(Side.WHITE)
    assert table.state.finished[0].winner is Side.WHITE
    return table


@pytest.mark.parametrize("rules", ["", "length = 1\n"], ids=["between games", "after the match"])
def test_the_play_that_ended_a_game_is_taken_back(rules: str) -> None:
    table = borne_off("short-wbgf", rules)
    scored = table.state.score
    assert scored != (0, 0)
    table.order(Undo())
    state = table.state
    assert (state.phase, state.turn, state.score) == (Phase.TO_PLAY, Side.WHITE, (0, 0))
    assert state.finished == ()
    assert state.winner is None
    assert state.position == arranged(Game.SHORT, {1: 1}, {6: 14})
    assert state.roll is not None
    assert (state.roll.high, state.roll.low) == (6, 5)
    assert state.clock.running is None
    # He plays it again, and the game ends as it did.
    table.order(Resume())
    table.stir()
    table.place(arranged(Game.SHORT, {1: 1}, {6: 14}), Side.WHITE)
    table.place(arranged(Game.SHORT, {}, {6: 14}), Side.WHITE)
    table.press(Side.WHITE)
    if table.state.phase is Phase.DECIDING:
        table.order(Confirm(table.last.number))
    assert table.state.score == scored
    assert len(table.state.finished) == 1


def test_a_resignation_is_taken_back_and_the_game_goes_on_where_it_was() -> None:
    table = Table(ruleset("short-wbgf"))
    table.open_with(5, 3)
    before = table.state
    table.resign(Side.BLACK, Kind.MARS)
    assert table.state.score == (2, 0)
    table.order(Undo())
    after = table.state
    assert (after.phase, after.turn, after.roll, after.position) == (
        before.phase,
        before.turn,
        before.roll,
        before.position,
    )
    assert after.score == (0, 0)
    assert after.game.openings == before.game.openings


def test_once_the_next_game_has_begun_the_last_one_stands() -> None:
    table = won_by("short-wbgf", Side.WHITE)
    with pytest.raises(OrderRefusedError, match="nothing_to_undo"):
        table.order(Undo())
    assert len(table.state.finished) == 1


def test_a_match_lost_by_the_flag_is_taken_back() -> None:
    table = Table(ruleset("short-wbgf"))
    table.open_with(5, 3)
    table.finger(Side.BLACK)
    table.tick(3_600_000)
    assert table.state.phase is Phase.MATCH_OVER
    table.order(Undo())
    assert (table.state.phase, table.state.winner) == (Phase.TO_PLAY, None)
