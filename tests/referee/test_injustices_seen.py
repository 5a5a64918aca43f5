"""No player loses by the machine's mistake, the second half.

7 the Crawford game, 8 the opening throw, 9 void throws, 10 resignations, 12 misplaced checkers, 13 chance,
14 a correction.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from controller.adapters.mqtt.notice_messages import notice_messages
from controller.clock import Millis
from controller.ports.updates import CheckersNoticed, ResignationNoticed
from controller.referee.events import (
    Colour,
    DieSeen,
    DieState,
    MatchOpened,
    turn_end_of,
)
from controller.referee.fold import fold, open_match, replayed
from controller.referee.orders import (
    Correct,
    Double,
    Face,
    OrderRefusedError,
    Resign,
    SetRoll,
    SetScore,
)
from controller.referee.rulings import PlayRuling, PlayVerdict, ThrowOutcome, ThrowRuling
from controller.referee.state import Phase
from controller.rules import (
    Game,
    Kind,
    Position,
    Roll,
    Score,
    Side,
    arranged,
    legal_plays,
    ruleset,
    start,
    varied,
)
from tests.referee.tabletop import Table, die
from tests.referee.test_injustices import LAST_CHECKER, doubling, reserve, tick_at, timed

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


# 10. Resignations


RACE = arranged(Game.SHORT, {3: 2, 2: 3}, {5: 10, 4: 5})
"""Black can be hindered by nobody any more, and has borne off nothing."""


def resigning(name: str, position: Position | None = None) -> Table:
    table = Table(ruleset(name))
    table.open_with(5, 3)
    if position is not None:
        table.order(Correct(position, WHITE))
    return table


def conceding(table: Table, order: Resign) -> list[str]:
    """Give the order, and say what the feed then says of it."""
    before = table.state
    table.order(order)
    noticed = ResignationNoticed.between(before, table.state)
    return [message.texts.en for message in notice_messages(noticed, table.state)] if noticed else []


def test_10_with_contact_the_wbgfs_rules_ask_before_a_game_is_conceded() -> None:
    table = resigning("short-wbgf")
    (said,) = conceding(table, Resign(BLACK))
    assert said.startswith("Black resigns (oin) while the sides can still hinder each other")
    assert not table.state.finished
    assert conceding(table, Resign(BLACK)) == []
    assert table.state.finished[0].winner is WHITE
    assert replayed(table.events) == table.state


def test_10_a_question_about_a_resignation_lapses_when_the_game_goes_on() -> None:
    table = resigning("short-wbgf", RACE)
    assert conceding(table, Resign(BLACK, Kind.KOKS))
    table.throw_valid(WHITE, 6, 5)
    assert conceding(table, Resign(BLACK, Kind.KOKS))
    assert not table.state.finished


def test_10_without_contact_the_least_loss_is_conceded_without_a_word() -> None:
    table = resigning("short-wbgf", RACE)
    assert conceding(table, Resign(BLACK)) == []
    assert table.state.finished[0].winner is WHITE


def test_10_who_gives_more_than_was_needed_is_warned() -> None:
    table = resigning("short-wbgf", RACE)
    (said,) = conceding(table, Resign(BLACK, Kind.MARS))
    assert "a smaller loss is still possible" in said
    long = resigning("long-fnr")
    (said,) = conceding(long, Resign(BLACK, Kind.MARS))
    assert said.endswith("although a smaller loss was possible. Undo takes it back")
    assert long.state.finished


def test_10_rules_may_refuse_a_resignation_with_contact() -> None:
    table = Table(varied(ruleset("short-wbgf"), {"resign_contact": "refused"}))
    table.open_with(5, 3)
    with pytest.raises(OrderRefusedError, match="resign_with_contact"):
        table.order(Resign(BLACK))


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


# 7. Crawford and a score that was set


@pytest.mark.parametrize("scores", [(Score(4, 2),), (Score(0, 1), Score(4, 1))])
def test_7_nobody_doubles_in_the_crawford_game_whoever_set_the_score(scores: tuple[Score, ...]) -> None:
    table = doubling(length=5)
    for score in scores:
        table.order(SetScore(score))
    assert table.state.crawford_game
    with pytest.raises(OrderRefusedError, match="crawford"):
        table.order(Double(Side.WHITE))
