"""The worked clock cases, by the number they have in the collection of rules cases."""

import pytest

from controller.clock import Clock, Control, Millis, TimeMethod, control_of
from controller.rules import Ruleset, Side, ruleset, varied

WHITE, BLACK = Side.WHITE, Side.BLACK


def ms(seconds: float) -> Millis:
    return Millis(round(seconds * 1000))


def white_thinks(method: TimeMethod, delay_s: float, reserve_s: float) -> Clock[Side]:
    return Clock.fresh(Control(method, ms(delay_s)), (WHITE, BLACK), ms(reserve_s)).start(WHITE, ms(0))


def test_q01_a_turn_of_10_s_within_a_delay_of_12_s_leaves_5_min() -> None:
    clock = white_thinks(TimeMethod.SIMPLE_DELAY, 12, 300)
    assert clock.press(ms(10)).reserve(WHITE, ms(10)) == ms(300)


def test_q02_a_turn_of_25_s_costs_13_s() -> None:
    clock = white_thinks(TimeMethod.SIMPLE_DELAY, 12, 300)
    assert clock.press(ms(25)).reserve(WHITE, ms(25)) == ms(4 * 60 + 47)


def test_q03_simple_delay_saves_the_last_second() -> None:
    clock = white_thinks(TimeMethod.SIMPLE_DELAY, 12, 1)
    assert clock.flag(ms(12.5)) is None
    assert clock.press(ms(12.5)).reserve(WHITE, ms(12.5)) == ms(0.5)


def test_q04_bronstein_without_credit_falls_after_the_last_second() -> None:
    clock = white_thinks(TimeMethod.BRONSTEIN, 12, 1)
    assert clock.flag(ms(0.999)) is None
    assert clock.flag(ms(1)) is WHITE
    assert clock.press(ms(2)).flag(ms(2)) is WHITE


def test_q05_bronstein_with_credit_shows_13_s_and_equals_simple_delay() -> None:
    clock = white_thinks(TimeMethod.BRONSTEIN_CREDIT, 12, 1)
    assert clock.reserve(WHITE, ms(0)) == ms(13)
    assert clock.flag(ms(12.5)) is None
    assert clock.flag(ms(13)) is WHITE
    assert clock.press(ms(12.5)).reserve(WHITE, ms(12.5)) == ms(12.5)


def test_q06_fischer_adds_the_increment_at_the_press() -> None:
    clock = white_thinks(TimeMethod.FISCHER, 12, 300)
    assert clock.reserve(WHITE, ms(5)) == ms(4 * 60 + 55)
    assert clock.press(ms(5)).reserve(WHITE, ms(5)) == ms(5 * 60 + 7)


@pytest.mark.parametrize(
    ("rules", "score", "reserve_s", "delay_s"),
    [
        pytest.param(varied(ruleset("short-wbgf"), {"length": 7}), (0, 0), 14 * 60, 12, id="q07-short-to-7"),
        pytest.param(varied(ruleset("short-wbgf"), {"length": 7}), (3, 2), 9 * 60, 12, id="q08-introduced-at-3-2"),
        pytest.param(varied(ruleset("long-fnr"), {"length": 7}), (0, 0), 14 * 60, 8, id="q09-long-to-7"),
        pytest.param(ruleset("long-fnr-blitz"), (0, 0), 60, 10, id="q10-blitz-long-to-3"),
    ],
)
def test_a_preset_gives_each_side_its_reserve_and_delay(
    rules: Ruleset, score: tuple[int, int], reserve_s: int, delay_s: int
) -> None:
    reserve = Millis(rules.reserve_ms(scored=score))
    clock = Clock.fresh(control_of(rules.clock, rules.delay_s), (WHITE, BLACK), reserve).start(WHITE, ms(0))
    assert clock.reserve(WHITE, ms(0)) == clock.reserve(BLACK, ms(0)) == ms(reserve_s)
    assert clock.delay_left(ms(0)) == ms(delay_s)
    assert clock.falls_at() == ms(reserve_s + delay_s)


def test_q12_q13_a_double_and_a_take_are_presses_that_each_bring_a_full_delay() -> None:
    doubled = white_thinks(TimeMethod.SIMPLE_DELAY, 12, 300).press(ms(3))
    assert doubled.running is BLACK
    taken = doubled.press(ms(3 + 20))
    assert taken.running is WHITE
    assert taken.delay_left(ms(23)) == ms(12)
    assert taken.reserve(BLACK, ms(23)) == ms(292)


def test_q14_q15_after_a_pass_both_stand_and_keep_their_times_for_the_next_game() -> None:
    doubled = white_thinks(TimeMethod.SIMPLE_DELAY, 12, 300).press(ms(30))
    over = doubled.stopped(ms(30 + 15))
    assert over.running is None
    assert [over.reserve(side, ms(900)) for side in (WHITE, BLACK)] == [ms(282), ms(297)]
    again = over.start(BLACK, ms(1000))
    assert again.reserve(BLACK, ms(1012)) == ms(297)


def test_q16_a_reserve_used_up_brings_the_flag_down() -> None:
    clock = white_thinks(TimeMethod.SIMPLE_DELAY, 12, 60)
    assert clock.flag(ms(71.999)) is None
    assert clock.flag(ms(72)) is WHITE
    assert clock.reserve(WHITE, ms(500)) == 0


def test_q17_with_both_flags_down_the_first_to_fall_is_known() -> None:
    clock = white_thinks(TimeMethod.SIMPLE_DELAY, 12, 10).press(ms(40)).press(ms(80))
    assert clock.flag(ms(80)) is WHITE
    assert [(fall.side, fall.at_ms) for fall in clock.flags(ms(80))] == [(WHITE, ms(22)), (BLACK, ms(62))]


def test_q18_the_delay_restarts_after_a_cocked_throw() -> None:
    clock = white_thinks(TimeMethod.SIMPLE_DELAY, 12, 300)
    again = clock.pause(ms(8)).restart_delay(ms(8)).resume(ms(20))
    assert again.delay_left(ms(20)) == ms(12)
    assert again.press(ms(32)).reserve(WHITE, ms(32)) == ms(300)


def test_q19_without_a_restart_the_clock_runs_on_over_a_cocked_throw() -> None:
    clock = white_thinks(TimeMethod.SIMPLE_DELAY, 12, 300)
    assert clock.press(ms(20)).reserve(WHITE, ms(20)) == ms(292)


def test_q20_a_turn_without_a_legal_play_still_runs_until_the_press() -> None:
    clock = white_thinks(TimeMethod.SIMPLE_DELAY, 12, 300)
    assert clock.running is WHITE
    assert clock.press(ms(1)).running is BLACK


def test_q21_time_lost_by_a_forgotten_press_is_given_back_by_the_arbiter() -> None:
    clock = white_thinks(TimeMethod.SIMPLE_DELAY, 12, 30)
    assert clock.flag(ms(60)) is WHITE
    restored = clock.with_reserve(WHITE, ms(30), ms(60))
    assert restored.flag(ms(60)) is None
    assert restored.press(ms(61)).reserve(WHITE, ms(61)) == ms(29)


def test_q23_the_flag_falls_at_13_s_and_a_turn_of_12_s_is_free() -> None:
    clock = white_thinks(TimeMethod.SIMPLE_DELAY, 12, 1)
    assert clock.flag(ms(12.999)) is None
    assert clock.flag(ms(13)) is WHITE
    assert clock.press(ms(12)).reserve(WHITE, ms(12)) == ms(1)
