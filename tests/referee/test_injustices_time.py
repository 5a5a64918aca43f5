"""No player loses by the machine's mistake, on the clock: each case once cost somebody a game or time.

1 the finished player, 2 a fallen flag, 3 a press in time, 4 the cube and the clock, 5 free time.
"""

import pytest

from controller.clock import Millis
from controller.referee.events import (
    LATE_MS,
    Button,
    Restarted,
    Scene,
    SceneChanged,
    Ticked,
)
from controller.referee.fold import replayed
from controller.referee.orders import (
    Correct,
    Double,
    Pass,
    Pause,
    Resume,
    SetClock,
    SetScore,
    Take,
    Undo,
)
from controller.referee.presses import GIVEN_BACK_MS
from controller.referee.rulings import PlayRuling, PlayVerdict
from controller.referee.state import PauseReason, Phase
from controller.rules import (
    Game,
    Position,
    Roll,
    Score,
    Side,
    arranged,
    legal_plays,
    ruleset,
    varied,
)
from tests.referee.tabletop import Table
from tests.referee.timed_table import GONE, LAST_CHECKER, doubling, finger_at, flag_at, reserve, tick_at, timed

WHITE, BLACK = Side.WHITE, Side.BLACK


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


def test_5_nor_is_it_free_before_anybody_has_started_the_clock() -> None:
    table = Table(varied(ruleset("short-wbgf"), {"clock": "sudden_death", "delay_s": 0}))
    table.open_with(3, 1)
    white, black = reserve(table, WHITE), reserve(table, BLACK)
    table.happens(SceneChanged(table.later(), Scene.HAND))
    table.finger(WHITE)
    pressed = table.now
    for _ in range(3):
        table.tick()
    table.rest()
    assert (table.state.pressed_at, table.state.clock.running) == (None, WHITE)
    assert reserve(table, BLACK) == black
    assert white - reserve(table, WHITE) == table.now - pressed - GIVEN_BACK_MS


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
