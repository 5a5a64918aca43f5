"""No player loses by the machine's mistake, over displaced checkers (12) and corrected positions (14)."""

from collections.abc import Callable

import pytest

from controller.adapters.mqtt.notice_messages import notice_messages
from controller.ports.updates import CheckersNoticed
from controller.referee.fold import fold, replayed
from controller.referee.orders import Correct, Double, Pass, Refuse, RulingNumber, Undo
from controller.referee.rulings import PlayRuling, PlayVerdict
from controller.referee.state import Phase
from controller.rules import (
    Game,
    Position,
    Roll,
    Side,
    arranged,
    legal_plays,
    start,
)
from tests.referee.tabletop import Table
from tests.referee.timed_table import GONE, LAST_CHECKER, doubling, reserve, tick_at, timed

WHITE, BLACK = Side.WHITE, Side.BLACK


# 12. Misplaced checkers


def moved(position: Position, sign: int, start: int, to: int) -> Position:
    """The position with one checker of White's (1) or Black's (-1) from White's point ``start`` to ``to``."""
    points = list(position.points)
    points[start - 1] -= sign
    points[to - 1] += sign
    return Position(tuple(points), position.bar, position.off)


def notices(table: Table, happening: Callable[[], None]) -> list[str]:
    """What the feed says about the checkers, in English, while something happens."""
    said = []
    first = len(table.events)
    happening()
    state = replayed(table.events[:first])
    for event in table.events[first:]:
        before, (state, _) = state, fold(state, event)
        noticed = CheckersNoticed.between(before, state)
        said += [message.texts.en for message in notice_messages(noticed, state)] if noticed else []
    return said


def test_12_a_checker_displaced_between_turns_is_named_before_the_throw() -> None:
    table = doubling()
    table.dice = ()
    table.rest()
    table.white = moved(table.white, -1, 12, 11)
    (said,) = notices(table, table.rest)
    assert said == (
        "Checkers were moved after Black's turn and before the throw of White: "
        "Point 11: 1 black, should be empty; Point 12: 4 black, should be 5 black"
    )
    assert notices(table, table.rest) == []


def test_12_an_opponents_checker_displaced_in_a_turn_is_named_before_the_press() -> None:
    table = doubling()
    table.throw_valid(WHITE, 6, 5)
    assert notices(table, table.rest) == []
    table.white = moved(table.white, -1, 12, 10)
    (said,) = notices(table, table.rest)
    assert said.startswith("In the turn of White checkers of Black were moved: ")


def test_12_trying_plays_and_hitting_is_nothing_to_name() -> None:
    before = arranged(Game.SHORT, {13: 5, 8: 3, 6: 5, 24: 2}, {24: 1, 20: 1, 13: 5, 8: 3, 6: 5})
    table = timed(before, (3, 1))
    after = next(end for end in legal_plays(before, Roll(3, 1), table.rules) if end.bar[1])
    assert notices(table, lambda: table.place(after, WHITE)) == []


def test_12_the_mover_is_not_refused_for_what_was_moved_before_the_throw() -> None:
    table = doubling()
    table.dice = ()
    table.white = moved(table.white, -1, 12, 11)
    table.rest()
    table.throw_valid(WHITE, 6, 5)
    assert table.state.position is not None
    after = min(legal_plays(table.state.position, Roll(6, 5), table.rules))
    table.place(moved(after, -1, 12, 11), WHITE)
    table.press(WHITE)
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is PlayVerdict.PLEASE_LOOK
    left = reserve(table, WHITE), reserve(table, BLACK)
    tick_at(table, table.now + 60_000)
    assert (reserve(table, WHITE), reserve(table, BLACK)) == left
    table.place(after, WHITE)
    assert table.state.turn is BLACK
    assert replayed(table.events) == table.state


def test_12_who_displaces_a_checker_in_their_own_turn_is_refused_as_before() -> None:
    table = doubling()
    table.throw_valid(WHITE, 6, 5)
    assert table.state.position is not None
    after = min(legal_plays(table.state.position, Roll(6, 5), table.rules))
    table.place(moved(after, -1, 12, 11), WHITE)
    table.press(WHITE)
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is PlayVerdict.REFUSED


@pytest.mark.parametrize(
    ("board", "words"),
    [
        (arranged(Game.SHORT, {}, {}), "The board was cleared in the middle of a game"),
        (start(Game.SHORT), "The board was set up for a new game in the middle of one"),
    ],
)
def test_12_a_board_cleared_or_set_up_in_mid_game_gets_a_notice(board: Position, words: str) -> None:
    table = timed(arranged(Game.SHORT, {6: 5, 8: 3, 10: 3, 13: 4}, {24: 1, 13: 6, 8: 3, 6: 5}), (6, 1))
    table.white = board
    (said,) = notices(table, table.rest)
    assert said.startswith(words)


# 14. A correction and the roll


def test_14_a_corrected_position_keeps_the_roll_that_lies_on_the_table() -> None:
    table = timed(arranged(Game.SHORT, {6: 2, 4: 2, 3: 2}, {20: 1, 23: 14}))
    moved = arranged(Game.SHORT, {6: 1, 5: 1, 4: 2, 3: 2}, {24: 1, 23: 14})
    clock = table.state.clock
    table.order(Correct(moved))
    assert (table.state.phase, table.state.turn, table.state.position) == (Phase.TO_PLAY, WHITE, moved)
    assert table.state.roll == Roll(2, 1)
    assert table.state.clock == clock
    table.place(min(legal_plays(moved, Roll(2, 1), table.rules)), WHITE)
    table.press(WHITE)
    assert table.state.turn is BLACK


def test_14_naming_whose_turn_it_is_asks_for_a_new_throw() -> None:
    table = timed()
    table.order(Correct(LAST_CHECKER, BLACK))
    assert (table.state.phase, table.state.turn, table.state.roll) == (Phase.TO_THROW, BLACK, None)


def test_14_a_correction_that_differs_from_what_the_camera_sees_says_so_at_once() -> None:
    table = timed(arranged(Game.SHORT, {6: 2, 4: 2, 3: 2}, {20: 1, 23: 14}))
    (said,) = notices(table, lambda: table.order(Correct(moved(table.white, 1, 6, 1))))
    assert said.startswith("The camera sees another position than was entered")
    assert "Point 1: empty, should be 1 white" in said


def test_14_a_correction_to_what_the_camera_sees_says_nothing() -> None:
    table = timed(arranged(Game.SHORT, {6: 2, 4: 2, 3: 2}, {20: 1, 23: 14}))
    table.white = moved(table.white, 1, 6, 1)
    table.rest()
    assert notices(table, lambda: table.order(Correct(table.white))) == []


def test_14_undoing_a_correction_that_ended_the_game_after_a_press_takes_the_press_back_too() -> None:
    table = timed()
    table.stir()
    table.finger(WHITE)
    table.order(Correct(GONE, WHITE))
    assert table.state.phase is Phase.SETUP
    table.order(Undo())
    assert (table.state.turn, table.state.phase, table.state.clock.turn) == (WHITE, Phase.TO_PLAY, WHITE)


def test_14_a_play_refused_after_the_game_was_passed_takes_the_pass_back_too() -> None:
    table = doubling()
    table.throw_valid(WHITE, 6, 5)
    assert table.state.position is not None
    table.place(min(legal_plays(table.state.position, Roll(6, 5), table.rules)), WHITE)
    table.press(WHITE)
    table.order(Double(BLACK))
    table.order(Pass())
    assert table.state.phase is Phase.SETUP
    table.order(Refuse(RulingNumber(table.state.rulings)))
    assert (table.state.phase, table.state.turn, table.state.roll) == (Phase.TO_PLAY, WHITE, Roll(6, 5))
    assert table.state.score == (0, 0)
