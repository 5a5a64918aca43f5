"""No player loses by the machine's mistake: each case once cost somebody a game, time or a roll.

1 the finished player, 2 a fallen flag, 3 a press in time, 4 the cube and the clock, 5 free time, 6 closed out
and out of turn, 7 Crawford, 8 the opening, 9 void throws, 10 resignations, 12 misplaced checkers, 13 chance,
14 a correction.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from controller.adapters.mqtt.notice_messages import notice_messages
from controller.clock import Millis
from controller.formats.mat import mat, read_mat
from controller.formats.sheet import text_sheet
from controller.locale import Lang
from controller.ports.updates import CheckersNoticed, ResignationNoticed
from controller.referee.dice import VoidReason
from controller.referee.events import (
    LATE_MS,
    Button,
    Colour,
    DieSeen,
    DieState,
    MatchOpened,
    Pressed,
    Restarted,
    Scene,
    SceneChanged,
    Ticked,
    TurnEnd,
    turn_end_of,
)
from controller.referee.fold import fold, open_match, replayed
from controller.referee.orders import (
    Correct,
    Double,
    Face,
    OrderRefusedError,
    Pass,
    Pause,
    Resign,
    Resume,
    SetClock,
    SetRoll,
    SetScore,
    Take,
    Undo,
)
from controller.referee.presses import GIVEN_BACK_MS
from controller.referee.rulings import PlayRuling, PlayVerdict, ThrowOutcome, ThrowRuling
from controller.referee.state import PauseReason, Phase
from controller.rules import (
    Game,
    Kind,
    Play,
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
from controller.service.recording import match_record
from tests.referee.tabletop import Table, die

WHITE, BLACK = Side.WHITE, Side.BLACK
LAST_CHECKER = arranged(Game.SHORT, {1: 1}, {20: 1, 23: 14})
GONE = arranged(Game.SHORT, {}, {20: 1, 23: 14})
RESERVE_MS = 5_000
RED: Colour = (42, 33, 126)
IVORY: Colour = (202, 211, 217)


def timed(position: Position = LAST_CHECKER, roll: tuple[int, int] = (2, 1), **options: object) -> Table:
    """White is to play ``roll`` with ``RESERVE_MS`` left on a running clock without delay, Black has an hour."""
    table = Table(varied(ruleset("short-wbgf"), {"clock": "sudden_death", "delay_s": 0, **options}))
    table.open_with(5, 3)
    table.white = position
    table.order(Correct(position, WHITE))
    table.dice = ()
    table.rest()
    table.finger(BLACK)
    table.order(SetClock(Millis(RESERVE_MS + 3 * 200 + 2 * 200), Millis(3_600_000)))
    table.throw_valid(WHITE, *roll)
    assert table.state.phase is Phase.TO_PLAY
    assert table.state.clock.running is WHITE
    return table


def reserve(table: Table, side: Side) -> int:
    return table.state.clock.reserve(side, table.state.at)


def flag_at(table: Table) -> int:
    """When White's flag falls."""
    falls_at = table.state.clock.falls_at()
    assert falls_at is not None
    return falls_at


def tick_at(table: Table, at: int) -> None:
    """A second has passed, and it is ``at``."""
    table.now = at
    table.happens(Ticked(Millis(at)))


def finger_at(table: Table, at: int, button: Button = Button.WHITE) -> None:
    """A press of which the host hears only now."""
    table.happens(Pressed(Millis(at), button))


# 1. The finished player


def test_1_the_last_checker_borne_off_ends_the_game_at_that_look() -> None:
    table = timed()
    table.place(GONE, WHITE)
    assert table.state.finished[0].winner is WHITE
    tick_at(table, table.now + 60_000)
    assert table.state.phase is Phase.SETUP
    assert table.state.score == (3, 0)


def test_1_the_clock_stops_with_the_first_look_that_shows_it() -> None:
    table = timed()
    table.white = GONE
    table.stir()
    table.happens(SceneChanged(table.later(), Scene.QUIET))
    table.look(1)
    left, first = reserve(table, WHITE), table.now
    table.later(1_500)
    table.look(1)
    assert table.state.phase is Phase.SETUP
    assert reserve(table, WHITE) == left
    assert table.now > first


def test_1_a_game_won_before_the_flag_beats_it_although_the_looks_come_after() -> None:
    table = timed()
    fall = flag_at(table)
    table.white = GONE
    table.stir()
    table.now = fall - 100
    table.happens(SceneChanged(Millis(table.now), Scene.QUIET))
    table.now = fall - 250
    table.look(1)
    tick_at(table, fall + 300)
    assert table.state.phase is Phase.TO_PLAY
    table.look(2)
    assert table.state.finished[0].winner is WHITE
    assert table.state.phase is Phase.SETUP


def test_1_a_last_checker_borne_off_after_the_flag_wins_nothing() -> None:
    table = timed()
    fall = flag_at(table)
    tick_at(table, fall + 300)
    assert table.state.winner is BLACK
    table.place(GONE, WHITE)
    assert table.state.winner is BLACK


def test_1_of_two_flags_the_one_that_fell_first_counts() -> None:
    table = timed()
    fall = flag_at(table)
    table.order(SetClock(Millis(fall - table.now - 200), Millis(300)))
    finger_at(table, flag_at(table) + 100)
    tick_at(table, table.now + 30_000)
    assert table.state.winner is BLACK


def test_1_a_match_won_by_a_pass_is_over_at_once() -> None:
    table = doubling()
    table.order(SetScore(Score(5, 5)))
    table.order(Double(WHITE))
    table.order(Take())
    table.order(Correct(table.white, BLACK))
    table.order(Double(BLACK))
    table.order(Pass())
    tick_at(table, table.now + 7_200_000)
    assert table.state.winner is BLACK


# 2. A fallen flag


def flagged(**options: object) -> Table:
    """White's flag fell over an unfinished play."""
    table = timed(**options)
    tick_at(table, flag_at(table) + 300)
    assert (table.state.phase, table.state.winner) == (Phase.MATCH_OVER, BLACK)
    return table


def test_2_undo_takes_a_flag_back_to_where_it_fell() -> None:
    table = timed()
    before = table.state
    tick_at(table, flag_at(table) + 300)
    table.order(Undo())
    assert table.state.phase is Phase.TO_PLAY
    assert (table.state.turn, table.state.position, table.state.roll) == (before.turn, before.position, before.roll)
    assert (table.state.winner, table.state.paused) == (None, PauseReason.ORDERED)


def test_2_the_arbiter_gives_time_and_the_game_goes_on() -> None:
    table = flagged()
    table.order(SetClock(Millis(60_000), Millis(60_000)))
    table.order(Resume())
    tick_at(table, table.now + 30_000)
    assert table.state.phase is Phase.TO_PLAY
    table.place(GONE, WHITE)
    assert table.state.finished[0].winner is WHITE


def test_2_an_order_that_cannot_be_carried_out_says_what_to_do() -> None:
    table = flagged()
    with pytest.raises(ValueError, match="flag_is_down"):
        table.order(Resume())
    with pytest.raises(ValueError, match="match_is_over"):
        table.order(Pause())


def test_2_a_position_is_corrected_after_the_end_of_the_match() -> None:
    table = flagged()
    table.order(Correct(LAST_CHECKER, WHITE))
    assert (table.state.phase, table.state.turn, table.state.winner) == (Phase.TO_THROW, WHITE, None)


def test_2_a_match_that_ended_by_a_wrong_score_goes_on_by_the_right_one() -> None:
    table = timed()
    table.order(SetScore(Score(6, 2)))
    table.place(GONE, WHITE)
    assert table.state.winner is WHITE
    table.order(SetScore(Score(5, 2)))
    assert (table.state.phase, table.state.winner) == (Phase.SETUP, None)
    assert table.state.game.score == (5, 2)
    assert len(table.state.finished) == 1


def test_2_a_flag_is_taken_back_after_a_restart_too() -> None:
    table = flagged()
    table.now = 50
    table.happens(Restarted(Millis(table.now)))
    finger_at(table, 60)
    assert table.state.phase is Phase.MATCH_OVER
    table.order(SetClock(Millis(60_000), Millis(60_000)))
    table.order(Resume())
    tick_at(table, table.now + 30_000)
    assert table.state.phase is Phase.TO_PLAY
    assert table.state.clock.running is WHITE


# 3. A press in time


def spread(roll: tuple[int, int] = (2, 1)) -> tuple[Table, Position]:
    """White has played, and has not pressed."""
    position = arranged(Game.SHORT, {6: 2, 4: 2, 3: 2}, {20: 1, 23: 14})
    table = timed(position, roll)
    after = min(legal_plays(position, table.state.roll or pytest.fail("no roll"), table.rules))
    table.place(after, WHITE)
    return table, after


def test_3_a_press_before_the_flag_counts_although_a_tick_was_heard_first() -> None:
    table, _ = spread()
    fall = flag_at(table)
    tick_at(table, fall + 100)
    assert table.state.phase is Phase.MATCH_OVER
    finger_at(table, fall - 10)
    assert table.state.phase is not Phase.MATCH_OVER
    table.look()
    assert table.state.turn is BLACK
    assert reserve(table, WHITE) == 10
    tick_at(table, table.now + 30_000)
    assert table.state.winner is None


def test_3_a_press_is_waited_for_only_so_long() -> None:
    table, _ = spread()
    fall = flag_at(table)
    tick_at(table, fall + 100)
    tick_at(table, fall - 10 + LATE_MS + 1)
    finger_at(table, fall - 10)
    assert (table.state.phase, table.state.winner) == (Phase.MATCH_OVER, BLACK)


def test_3_a_press_after_the_flag_reopens_nothing() -> None:
    table, _ = spread()
    fall = flag_at(table)
    tick_at(table, fall + 100)
    finger_at(table, fall)
    assert table.state.winner is BLACK


def test_3_the_opponents_press_reopens_nothing() -> None:
    table, _ = spread()
    fall = flag_at(table)
    tick_at(table, fall + 100)
    finger_at(table, fall - 10, Button.BLACK)
    assert table.state.winner is BLACK


@pytest.mark.parametrize("late_ms", [0, 300, 1_500])
def test_3_a_press_heard_late_costs_as_much_as_one_heard_at_once(late_ms: int) -> None:
    table, _ = spread()
    at = table.now + 100
    table.now = at + late_ms
    table.happens(Ticked(Millis(table.now)))
    finger_at(table, at)
    left = table.state.clock.reserve(WHITE, table.state.at)
    assert left == spread()[0].state.clock.reserve(WHITE, Millis(at))
    assert table.state.clock.reserve(BLACK, table.state.at) == 3_600_000 - late_ms


def test_3_a_press_before_somebody_paused_counts() -> None:
    table, _ = spread()
    at = table.now + 100
    expected = table.state.clock.reserve(WHITE, Millis(at))
    table.later(400)
    table.order(Pause())
    finger_at(table, at)
    assert table.state.pressed_at == at
    assert table.state.paused is PauseReason.ORDERED
    assert reserve(table, WHITE) == expected


def test_3_a_journal_with_a_late_press_is_replayed_to_the_same_state() -> None:
    table, _ = spread()
    fall = flag_at(table)
    tick_at(table, fall + 100)
    finger_at(table, fall - 10)
    table.look()
    assert replayed(table.events) == table.state


# 4. The cube and the clock


def doubling(**options: object) -> Table:
    """White is to throw, on a running clock, and may double."""
    table = Table(varied(ruleset("short-wbgf"), {"clock": "sudden_death", "delay_s": 0, **options}))
    table.open_with(5, 3)
    table.order(Correct(table.white, WHITE))
    table.finger(BLACK)
    assert table.state.clock.running is WHITE
    return table


def test_4_who_thinks_about_a_double_does_it_on_their_own_time() -> None:
    table = doubling()
    white, black = reserve(table, WHITE), reserve(table, BLACK)
    table.order(Double(WHITE))
    offered = reserve(table, WHITE)
    assert white - offered <= 200
    table.finger(WHITE)
    tick_at(table, table.now + 40_000)
    assert reserve(table, WHITE) == offered
    assert reserve(table, BLACK) == black - 40_200
    table.order(Take())
    assert table.state.clock.running is WHITE
    tick_at(table, table.now + 5_000)
    assert reserve(table, WHITE) == offered - 5_000


def test_4_a_press_just_before_the_offer_is_heard_hands_the_clock_over_then() -> None:
    table = doubling()
    table.finger(WHITE)
    pressed = reserve(table, WHITE)
    table.later(1_000)
    table.order(Double(WHITE))
    assert reserve(table, WHITE) == pressed
    assert table.state.in_play.early_press is None


def test_4_the_delay_begins_anew_for_the_taker_and_for_the_thrower() -> None:
    table = doubling(clock="simple_delay", delay_s=12)
    tick_at(table, table.now + 5_000)
    table.order(Double(WHITE))
    assert table.state.clock.delay_left(table.state.at) == 12_000
    tick_at(table, table.now + 5_000)
    table.order(Take())
    assert table.state.clock.delay_left(table.state.at) == 12_000


def test_4_the_flag_that_falls_over_a_double_is_the_takers() -> None:
    table = doubling()
    table.order(SetClock(Millis(60_000), Millis(10_000)))
    table.order(Double(WHITE))
    tick_at(table, table.now + 10_100)
    assert table.state.winner is WHITE


# 5. Free time


def test_5_a_press_before_the_throw_and_a_hand_over_the_board_give_nothing_back() -> None:
    table = doubling()
    table.order(SetClock(Millis(600_000), Millis(600_000)))
    table.finger(WHITE)
    table.happens(SceneChanged(table.later(), Scene.HAND))
    for _ in range(300):
        table.tick()
    table.throw_valid(WHITE, 6, 5)
    assert table.state.phase is Phase.TO_PLAY
    spent = 600_000 - reserve(table, WHITE)
    assert spent >= 300_000 - GIVEN_BACK_MS
    assert reserve(table, BLACK) >= 600_000 - GIVEN_BACK_MS


def test_5_a_hand_does_not_hold_a_flag_up() -> None:
    table = doubling()
    table.order(SetClock(Millis(60_000), Millis(60_000)))
    table.finger(WHITE)
    table.happens(SceneChanged(table.later(), Scene.HAND))
    for _ in range(70):
        table.tick()
    assert table.state.winner is BLACK


def test_5_a_press_without_a_play_under_a_hand_is_paid_for_by_its_owner() -> None:
    position = arranged(Game.SHORT, {6: 2, 4: 2, 3: 2}, {20: 1, 23: 14})
    table = timed(position)
    table.order(SetClock(Millis(600_000), Millis(600_000)))
    table.finger(WHITE)
    table.happens(SceneChanged(table.later(), Scene.HAND))
    pressed = table.now
    for _ in range(100):
        table.tick()
        if table.state.phase is Phase.DECIDING:
            break
    table.rest()
    ruled = [ruling for ruling in table.rulings if isinstance(ruling, PlayRuling)]
    assert ruled[-1].verdict is not PlayVerdict.ACCEPTED
    assert reserve(table, BLACK) + reserve(table, WHITE) <= 1_200_000 - (table.now - pressed) + GIVEN_BACK_MS + 10_000


def test_5_a_press_at_once_after_a_fast_play_still_counts_from_the_finger() -> None:
    table = doubling()
    table.stir()
    table.later(2_000)
    table.finger(WHITE)
    left = reserve(table, WHITE)
    table.white = min(legal_plays(table.white, Roll(6, 5), table.rules))
    table.throw_valid(WHITE, 6, 5)
    assert table.state.turn is BLACK
    assert reserve(table, WHITE) == left


# 6. Closed out, and out of turn


CLOSED_OUT = arranged(Game.SHORT, {25: 1, 13: 14}, {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2})
"""White's only way in is closed by six points."""


def closed_out() -> Table:
    table = doubling()
    table.white = CLOSED_OUT
    table.order(Correct(CLOSED_OUT, WHITE))
    table.dice = ()
    table.rest()
    return table


def test_6_a_closed_out_player_may_press_without_throwing() -> None:
    table = closed_out()
    table.finger(WHITE)
    assert (table.state.phase, table.state.turn, table.state.clock.running) == (Phase.TO_THROW, BLACK, BLACK)
    table.throw_valid(BLACK, 6, 5)
    assert (table.state.phase, table.state.roll) == (Phase.TO_PLAY, Roll(6, 5))
    (turn,) = table.state.game.turns
    assert (turn.roll, turn.play, turn.after) == (None, Play(()), CLOSED_OUT)
    assert "White        no legal play" in text_sheet(match_record(table.state), Lang.EN)


def test_6_and_takes_that_back_with_undo() -> None:
    table = closed_out()
    table.finger(WHITE)
    table.order(Undo())
    assert (table.state.phase, table.state.turn, table.state.roll) == (Phase.TO_THROW, WHITE, None)
    table.throw_valid(WHITE, 6, 5)
    assert table.state.phase is Phase.TO_PLAY


def test_6_a_mat_file_leaves_the_place_of_the_throw_empty_and_is_read_again() -> None:
    table = closed_out()
    table.finger(WHITE)
    table.throw_valid(BLACK, 6, 5)
    assert table.state.position is not None
    table.place(min(legal_plays(table.state.position, Roll(6, 5), table.rules)), BLACK)
    table.press(BLACK)
    (game,) = read_mat(mat(match_record(table.state))).games
    assert [action.side for action in game.actions] == [BLACK]


def test_6_who_can_enter_has_to_throw() -> None:
    table = doubling()
    table.finger(WHITE)
    assert (table.state.turn, table.state.phase) == (WHITE, Phase.TO_THROW)


@pytest.mark.parametrize("name", ["short-wbgf", "long-fnr", "short-us"])
def test_6_after_a_press_without_a_throw_the_opponents_throw_is_asked_about(name: str) -> None:
    table = Table(ruleset(name), turn_end=TurnEnd.PRESS)
    table.open_with(5, 3)
    table.order(Correct(table.white, WHITE))
    table.dice = ()
    table.rest()
    table.finger(BLACK)
    table.finger(WHITE)
    table.throw_valid(BLACK, 6, 4)
    ruling = table.last
    assert isinstance(ruling, ThrowRuling)
    assert (ruling.outcome, ruling.reason) == (ThrowOutcome.PLEASE_LOOK, VoidReason.OUT_OF_TURN)
    assert table.state.turn is WHITE


# 7. Crawford and a score that was set


@pytest.mark.parametrize("scores", [(Score(4, 2),), (Score(0, 1), Score(4, 1))])
def test_7_nobody_doubles_in_the_crawford_game_whoever_set_the_score(scores: tuple[Score, ...]) -> None:
    table = doubling(length=5)
    for score in scores:
        table.order(SetScore(score))
    assert table.state.crawford_game
    with pytest.raises(OrderRefusedError, match="crawford"):
        table.order(Double(WHITE))


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
