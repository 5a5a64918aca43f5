"""The adjudication cases T of the rules list, folded: when a turn is complete, and what becomes of an illegal play."""

from collections.abc import Mapping
from types import MappingProxyType

import pytest

from controller.referee.orders import Confirm, Correct, Double, Face, OrderRefusedError, Refuse, RulingNumber, SetRoll
from controller.referee.presses import lifted_early
from controller.referee.rulings import PlayRuling, PlayVerdict
from controller.referee.state import Phase
from controller.rules import Game, Position, Roll, Side, arranged, presets, ruleset, varied
from tests.referee.tabletop import Table, die

WHITE, BLACK = Side.WHITE, Side.BLACK
PRESSED = [name for name in presets() if ruleset(name).turn_ends_by == "clock"]
LIFTED = [name for name in presets() if ruleset(name).turn_ends_by != "clock"]
LEGAL_MOVES = [name for name in presets() if ruleset(name).illegal == "legal_moves"]

SIX_FIVE: dict[Game, dict[int, int]] = {
    Game.LONG: {24: 14, 13: 1},
    Game.KHACHAPURI: {24: 3, 13: 1, 6: 11},
    Game.SHORT: {24: 1, 13: 6, 8: 3, 6: 5},
    Game.NACKGAMMON: {24: 1, 23: 2, 13: 5, 8: 3, 6: 4},
    Game.HYPER: {23: 1, 22: 1, 13: 1},
}
"""White's checkers once 6-5 has been played with one checker, 24/18/13."""
ONE_DIE: dict[Game, dict[int, int]] = {
    game: {**counts, 13: counts[13] - 1, (19 if game is Game.KHACHAPURI else 18): 1}
    for game, counts in SIX_FIVE.items()
}
"""The same with one die only, 24/18 or, where that is closed, 24/19: illegal."""


def to_play(name: str, options: Mapping[str, object] = MappingProxyType({})) -> Table:
    """White has thrown 6-5, flat, and is to play it."""
    table = Table(varied(ruleset(name), options))
    table.rest()
    table.order(Correct(table.white, WHITE))
    table.throw_valid(WHITE, 6, 5)
    assert table.state.phase is Phase.TO_PLAY
    return table


def board(table: Table, counts: dict[int, int]) -> Position:
    """White's view of ``counts`` against Black's start position."""
    theirs = table.white.turned(table.rules.game)
    black = {point: theirs.at(point) for point in range(1, 25) if theirs.at(point) > 0}
    return arranged(table.rules.game, {point: count for point, count in counts.items() if count}, black)


def play(table: Table, counts: dict[Game, dict[int, int]]) -> Position:
    after = board(table, counts[table.rules.game])
    table.place(after, WHITE)
    return after


def end_turn(table: Table) -> None:
    """Press, or take the dice off the board where there is no clock."""
    if table.rules.turn_ends_by == "clock":
        table.press(WHITE)
    else:
        table.throw()


def refused(name: str) -> tuple[Table, Position]:
    """White has played only one die of 6-5 and ended the turn; the dice lie on the board again."""
    table = to_play(name)
    dice = table.dice
    wrong = play(table, ONE_DIE)
    end_turn(table)
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is PlayVerdict.REFUSED
    table.throw(*dice)
    return table, wrong


@pytest.mark.parametrize("name", LEGAL_MOVES)
def test_t01_an_illegal_play_is_played_again_with_the_same_dice_from_the_position_before(name: str) -> None:
    table, _ = refused(name)
    state = table.state
    assert (state.phase, state.turn) == (Phase.TO_PLAY, WHITE)
    assert state.position == table.rulings[-1].before if isinstance(table.rulings[-1], PlayRuling) else False
    assert state.roll is not None
    assert (state.roll.high, state.roll.low) == (6, 5)
    play(table, SIX_FIVE)
    end_turn(table)
    assert table.state.turn is BLACK
    assert [turn.verdict for turn in table.state.game.turns] == [PlayVerdict.ACCEPTED]


@pytest.mark.parametrize("name", [name for name in LEGAL_MOVES if ruleset(name).cube])
def test_t02_a_valid_double_closes_an_illegal_play(name: str) -> None:
    table, wrong = refused(name)
    table.order(Double(BLACK))
    state = table.state
    assert (state.turn, state.cube.offered_by) == (BLACK, BLACK)
    assert state.game.turns[0].after == wrong
    assert state.game.turns[0].verdict is PlayVerdict.REFUSED


def test_a_double_that_may_not_be_leaves_the_illegal_play_open() -> None:
    table, _ = refused("short-ru")
    before = table.state
    with pytest.raises(OrderRefusedError, match="no_cube"):
        table.order(Double(BLACK))
    assert table.state == before


def illegal_play(name: str) -> tuple[Table, Position]:
    """White has played only one die of 6-5 and ended the turn under a ruleset that does not refuse it at once."""
    table = to_play(name)
    wrong = play(table, ONE_DIE)
    end_turn(table)
    return table, wrong


def test_t04_a_responsible_opponent_has_to_say_whether_an_illegal_play_stands() -> None:
    table, wrong = illegal_play("short-us")
    assert isinstance(table.last, PlayRuling)
    assert (table.last.verdict, table.last.after) == (PlayVerdict.PLEASE_LOOK, wrong)
    assert [found.key for found in table.last.faults] == ["die_not_used"]
    assert table.last.would_be_legal
    assert (table.state.phase, table.state.turn) == (Phase.DECIDING, WHITE)
    assert table.state.clock.running is None
    asked = len(table.rulings)
    table.look(10)
    assert len(table.rulings) == asked


def test_t04_it_stands_when_the_opponent_says_so() -> None:
    table, wrong = illegal_play("short-us")
    table.order(Confirm(RulingNumber(table.last.number)))
    assert (table.state.phase, table.state.turn) == (Phase.TO_THROW, BLACK)
    assert table.state.game.turns[0].after == wrong
    assert table.state.clock.running is BLACK


def test_t04_it_is_corrected_when_the_opponent_says_so() -> None:
    table, _ = illegal_play("short-us")
    table.order(Refuse(RulingNumber(table.last.number)))
    assert (table.state.phase, table.state.turn) == (Phase.TO_PLAY, WHITE)
    assert table.state.clock.running is WHITE
    play(table, SIX_FIVE)
    end_turn(table)
    assert [turn.verdict for turn in table.state.game.turns] == [PlayVerdict.ACCEPTED]


def test_t04_it_stands_when_the_opponent_throws_over_it() -> None:
    table, wrong = illegal_play("short-us")
    table.dice = (*table.dice, die(6, 0.2, 0.7), die(4, 0.3, 0.7))
    table.rest()
    state = table.state
    assert (state.turn, state.roll, state.phase) == (BLACK, Roll(6, 4), Phase.TO_PLAY)
    assert (state.game.turns[0].after, state.game.turns[0].verdict) == (wrong, PlayVerdict.REFUSED)
    assert state.clock.running is BLACK
    assert state.paused is None


def test_t04_and_when_the_mover_puts_it_right_nothing_is_left_to_say() -> None:
    table, _ = illegal_play("short-us")
    play(table, SIX_FIVE)
    assert [turn.verdict for turn in table.state.game.turns] == [PlayVerdict.ACCEPTED]
    assert (table.state.turn, table.state.clock.running) == (BLACK, BLACK)


def test_condoned_an_illegal_play_stands_and_nobody_is_told() -> None:
    table, wrong = illegal_play("short-money")
    assert isinstance(table.last, PlayRuling)
    assert (table.last.verdict, table.last.faults) == (PlayVerdict.ACCEPTED, ())
    assert str(table.last.play) == "24/18"
    assert table.state.turn is BLACK
    assert table.state.game.turns[0].after == wrong


def test_condoned_the_opponent_may_still_demand_the_correction_before_throwing() -> None:
    table, _ = illegal_play("short-money")
    table.order(Refuse(RulingNumber(table.last.number)))
    assert isinstance(table.last, PlayRuling)
    assert [found.key for found in table.last.faults] == ["die_not_used"]
    assert (table.state.phase, table.state.turn) == (Phase.TO_PLAY, WHITE)


@pytest.mark.parametrize("options", [{"illegal": "condone"}, {"illegal": "responsible"}])
def test_once_a_correction_was_demanded_the_same_board_is_refused(options: dict[str, object]) -> None:
    table = to_play("short-wbgf", options)
    play(table, ONE_DIE)
    table.press(WHITE)
    table.order(Refuse(RulingNumber(table.last.number)))
    play(table, ONE_DIE)
    table.stir()
    table.press(WHITE)
    table.rest()
    assert (table.state.phase, table.state.turn) == (Phase.TO_PLAY, WHITE)
    play(table, SIX_FIVE)
    table.press(WHITE)
    assert table.state.turn is BLACK


def test_condoned_a_valid_throw_ends_the_right_to_demand_it() -> None:
    table, _ = illegal_play("short-money")
    number = table.last.number
    table.throw_valid(BLACK, 6, 4)
    with pytest.raises(OrderRefusedError, match="ruling_is_past"):
        table.order(Refuse(RulingNumber(number)))


@pytest.mark.parametrize("name", PRESSED)
def test_t05_t06_only_the_press_completes_a_turn_where_there_is_a_clock(name: str) -> None:
    table = to_play(name)
    play(table, ONE_DIE)
    play(table, SIX_FIVE)
    table.throw()
    assert (table.state.turn, table.state.game.turns) == (WHITE, ())
    table.press(WHITE)
    done = table.state.game.turns
    assert [turn.verdict for turn in done] == [PlayVerdict.ACCEPTED]
    # Another play now changes nothing that was ruled on.
    play(table, ONE_DIE)
    assert table.state.turn is BLACK
    assert table.state.game.turns == done


@pytest.mark.parametrize("name", LIFTED)
def test_t07_without_a_clock_taking_the_dice_completes_it(name: str) -> None:
    table = to_play(name)
    play(table, SIX_FIVE)
    assert table.state.game.turns == ()
    table.throw()
    assert table.state.turn is BLACK
    assert [turn.verdict for turn in table.state.game.turns] == [PlayVerdict.ACCEPTED]


@pytest.mark.parametrize("name", PRESSED)
def test_t08_dice_lifted_before_the_press_are_noticed(name: str) -> None:
    table = to_play(name)
    assert not lifted_early(table.state)
    dice = table.dice
    table.throw()
    assert lifted_early(table.state)
    table.throw(*dice)
    assert not lifted_early(table.state)


def test_t08_where_lifting_ends_the_turn_it_is_not_early() -> None:
    table = to_play("short-ru")
    table.throw()
    assert not lifted_early(table.state)


def test_t09_a_throw_before_the_press_does_not_close_an_illegal_play() -> None:
    table = to_play("short-wbgf")
    early = (die(6, 0.2, 0.7), die(4, 0.3, 0.7))
    mine = table.dice
    table.throw(*mine, *early)
    wrong = play(table, ONE_DIE)
    table.press(WHITE)
    assert isinstance(table.last, PlayRuling)
    assert (table.last.verdict, table.last.after) == (PlayVerdict.REFUSED, wrong)
    table.look()
    assert (table.state.turn, table.state.phase) == (WHITE, Phase.TO_PLAY)
    play(table, SIX_FIVE)
    table.press(WHITE)
    assert table.state.game.turns[0].verdict is PlayVerdict.ACCEPTED


def test_a_roll_set_by_the_arbiter_is_played_like_a_thrown_one() -> None:
    table = Table(ruleset("short-wbgf"))
    table.rest()
    table.order(Correct(table.white, WHITE))
    table.order(SetRoll((Face(6), Face(5))))
    play(table, SIX_FIVE)
    table.press(WHITE)
    assert table.state.turn is BLACK
