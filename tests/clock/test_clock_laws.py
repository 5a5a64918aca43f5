"""Laws that hold for every method, turn length and pause."""

import dataclasses
from enum import Enum
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.clock import Clock, ClockError, Control, Millis, TimeMethod, control_of

MAX_MS = 1_000_000


class Side(Enum):
    WHITE = "white"
    BLACK = "black"


WHITE, BLACK = Side.WHITE, Side.BLACK
SIDES = (WHITE, BLACK)
GAINING = {TimeMethod.FISCHER, TimeMethod.HOURGLASS}

spans = st.integers(0, 60_000).map(Millis)
delays = st.integers(0, 20_000).map(Millis)
reserves = st.integers(0, MAX_MS).map(Millis)
methods = st.sampled_from(TimeMethod)
keeping = st.sampled_from([method for method in TimeMethod if method not in GAINING])


def fresh(method: TimeMethod, delay: int, reserve: int) -> Clock[Side]:
    return Clock.fresh(Control(method, Millis(delay)), SIDES, Millis(reserve))


clocks = st.builds(fresh, methods, delays, reserves)


def play(clock: Clock[Side], turns: list[Millis]) -> tuple[Clock[Side], Millis]:
    """White begins at 0; each turn is pressed after its span."""
    now = Millis(0)
    clock = clock.start(WHITE, now)
    for span in turns:
        now = Millis(now + span)
        clock = clock.press(now)
    return clock, now


@given(keeping, delays, reserves, st.lists(spans, max_size=12))
def test_a_clock_never_gains_but_by_fischer_and_hourglass(
    method: TimeMethod, delay: Millis, reserve: Millis, turns: list[Millis]
) -> None:
    clock = fresh(method, delay, reserve).start(WHITE, Millis(0))
    now = Millis(0)
    shown = [sum(clock.reserve(side, now) for side in SIDES)]
    for span in turns:
        now = Millis(now + span)
        clock = clock.press(now)
        shown.append(sum(clock.reserve(side, now) for side in SIDES))
    assert all(later <= earlier for earlier, later in pairwise(shown))


@given(methods, delays, reserves, st.lists(spans, max_size=12))
def test_no_reserve_is_ever_below_zero(method: TimeMethod, delay: Millis, reserve: Millis, turns: list[Millis]) -> None:
    clock, now = play(fresh(method, delay, reserve), turns)
    assert all(clock.reserve(side, Millis(now + 5_000)) >= 0 for side in SIDES)


@given(st.integers(0, 12_000).map(Millis), reserves)
def test_a_turn_within_the_delay_costs_nothing(span: Millis, reserve: Millis) -> None:
    for method in (TimeMethod.SIMPLE_DELAY, TimeMethod.BRONSTEIN_CREDIT):
        clock = fresh(method, 12_000, reserve + 1)
        pressed = clock.start(WHITE, Millis(0)).press(span)
        assert pressed.reserve(WHITE, span) == clock.reserve(WHITE, Millis(0))


@given(delays, reserves, st.lists(spans, max_size=12), spans)
def test_bronstein_with_credit_is_a_simple_delay_that_shows_the_delay_on_top(
    delay: Millis, reserve: Millis, turns: list[Millis], later: Millis
) -> None:
    simple, now = play(fresh(TimeMethod.SIMPLE_DELAY, delay, reserve), turns)
    credited, _ = play(fresh(TimeMethod.BRONSTEIN_CREDIT, delay, reserve), turns)
    moment = Millis(now + later)
    assert credited.flags(moment) == simple.flags(moment)
    for side in SIDES:
        if all(fall.side is not side for fall in simple.flags(now)):
            shown = credited.reserve(side, now)
            assert shown == simple.reserve(side, now) + delay


@given(delays, reserves, st.lists(spans, max_size=12))
def test_without_a_flag_bronstein_without_credit_charges_as_simple_delay(
    delay: Millis, reserve: Millis, turns: list[Millis]
) -> None:
    bronstein, now = play(fresh(TimeMethod.BRONSTEIN, delay, reserve), turns)
    simple, _ = play(fresh(TimeMethod.SIMPLE_DELAY, delay, reserve), turns)
    if bronstein.flag(now) is None:
        assert [bronstein.reserve(side, now) for side in SIDES] == [simple.reserve(side, now) for side in SIDES]


@given(reserves, st.lists(spans, max_size=12), spans)
def test_an_hourglass_loses_no_sand(reserve: Millis, turns: list[Millis], later: Millis) -> None:
    clock, now = play(fresh(TimeMethod.HOURGLASS, 0, reserve), turns)
    assert sum(clock.reserve(side, Millis(now + later)) for side in SIDES) == 2 * reserve


@given(methods, delays, reserves, st.lists(st.tuples(spans, spans), min_size=1, max_size=6))
def test_pauses_cost_nothing(
    method: TimeMethod, delay: Millis, reserve: Millis, stretches: list[tuple[Millis, Millis]]
) -> None:
    paused = fresh(method, delay, reserve).start(WHITE, Millis(0))
    now = Millis(0)
    for thinking, pause in stretches:
        now = Millis(now + thinking)
        paused = paused.pause(now)
        now = Millis(now + pause)
        paused = paused.resume(now)
    thought = Millis(sum(thinking for thinking, _ in stretches))
    straight = fresh(method, delay, reserve).start(WHITE, Millis(0))
    assert paused.delay_left(now) == straight.delay_left(thought)
    assert paused.flag(now) == straight.flag(thought)
    for side in SIDES:
        assert paused.press(now).reserve(side, now) == straight.press(thought).reserve(side, thought)


@given(methods, delays, reserves, spans, st.permutations(range(6)))
def test_looking_at_the_clock_in_any_order_changes_nothing(
    method: TimeMethod, delay: Millis, reserve: Millis, span: Millis, order: list[int]
) -> None:
    clock = fresh(method, delay, reserve).start(WHITE, Millis(0))
    unseen = clock.press(span)
    looks = {
        tick: (clock.reserve(WHITE, Millis(span * tick // 5)), clock.flag(Millis(span * tick // 5))) for tick in order
    }
    again = {
        tick: (clock.reserve(WHITE, Millis(span * tick // 5)), clock.flag(Millis(span * tick // 5)))
        for tick in range(6)
    }
    assert looks == again
    assert clock.press(span) == unseen


@given(methods, delays, reserves, spans)
def test_the_flag_is_up_until_the_announced_moment_and_down_from_it_on(
    method: TimeMethod, delay: Millis, reserve: Millis, already: Millis
) -> None:
    clock = fresh(method, delay, reserve + 1).start(WHITE, Millis(0)).pause(already).resume(Millis(70_000))
    falls_at = clock.falls_at()
    if method is TimeMethod.NONE:
        assert falls_at is None
        assert clock.flag(Millis(10**9)) is None
    elif clock.flag(Millis(70_000)) is None:
        assert falls_at is not None
        assert clock.flag(Millis(falls_at - 1)) is None
        assert clock.flag(falls_at) is WHITE
        assert clock.reserve(WHITE, falls_at) == 0


@given(clocks, st.lists(spans, max_size=6), spans, st.integers(0, 10**9).map(Millis), spans)
def test_a_restart_of_the_machine_charges_nobody(
    standing: Clock[Side], turns: list[Millis], thought: Millis, boot: Millis, later: Millis
) -> None:
    clock, now = play(standing, turns)
    last_known = Millis(now + thought)
    carried = clock.rebased(last_known, boot)
    assert carried.running is None
    assert carried.turn is clock.turn
    gone_on = carried.resume(Millis(boot + 60_000))
    then = Millis(boot + 60_000 + later)
    same = Millis(last_known + later)
    assert [gone_on.reserve(side, then) for side in SIDES] == [clock.reserve(side, same) for side in SIDES]
    assert gone_on.delay_left(then) == clock.delay_left(same)
    assert gone_on.flag(then) == clock.flag(same)
    known = [fall.at_ms - boot for fall in carried.falls]
    assert known == [fall.at_ms - last_known for fall in clock.flags(last_known)]


@given(clocks, spans, reserves, spans)
def test_what_the_arbiter_sets_is_what_the_clock_shows_and_runs_from(
    standing: Clock[Side], thought: Millis, corrected: Millis, later: Millis
) -> None:
    clock = standing.start(WHITE, Millis(0))
    for side in SIDES:
        changed = clock.with_reserve(side, Millis(corrected + 1), thought)
        other = BLACK if side is WHITE else WHITE
        assert changed.reserve(side, thought) == corrected + 1
        assert changed.reserve(other, thought) == clock.reserve(other, thought)
        assert changed.delay_left(thought) == clock.delay_left(thought)
        assert changed.running is WHITE
        assert all(fall.side is not side for fall in changed.flags(thought))
    method = clock.control.method
    free = clock.delay_left(thought) if method is TimeMethod.SIMPLE_DELAY else 0
    if method is not TimeMethod.NONE:
        changed = clock.with_reserve(WHITE, Millis(corrected + 1), thought)
        moment = Millis(thought + later)
        assert changed.reserve(WHITE, moment) == max(0, corrected + 1 - max(0, later - free))


@given(st.sampled_from([TimeMethod.SIMPLE_DELAY, TimeMethod.BRONSTEIN, TimeMethod.BRONSTEIN_CREDIT]), spans, spans)
def test_a_restarted_delay_is_whole_and_gives_no_reserve_back(
    method: TimeMethod, before: Millis, after: Millis
) -> None:
    clock = fresh(method, 12_000, MAX_MS).start(WHITE, Millis(0))
    again = clock.restart_delay(before)
    assert again.running is WHITE
    assert again.delay_left(before) == 12_000
    end = Millis(before + after)
    cost = max(0, before - 12_000) + max(0, after - 12_000)
    full = clock.reserve(WHITE, Millis(0))
    assert again.press(end).reserve(WHITE, end) == full - cost


@given(st.sampled_from([TimeMethod.SIMPLE_DELAY, TimeMethod.BRONSTEIN, TimeMethod.BRONSTEIN_CREDIT]), spans, spans)
def test_a_forfeited_delay_lets_the_reserve_pay_from_then_on(method: TimeMethod, before: Millis, after: Millis) -> None:
    clock = fresh(method, 12_000, MAX_MS).start(WHITE, Millis(0))
    punished = clock.forfeit_delay(before)
    assert punished.delay_left(before) == 0
    end = Millis(before + after)
    cost = max(0, before - 12_000) + after
    assert punished.press(end).reserve(WHITE, end) == clock.reserve(WHITE, Millis(0)) - cost


def test_without_a_delay_restart_and_forfeit_cost_and_give_nothing() -> None:
    for method in (TimeMethod.FISCHER, TimeMethod.SUDDEN_DEATH, TimeMethod.HOURGLASS, TimeMethod.NONE):
        clock = fresh(method, 5_000, 60_000).start(WHITE, Millis(0))
        straight = clock.press(Millis(9_000))
        handled = clock.restart_delay(Millis(3_000)).forfeit_delay(Millis(4_000)).press(Millis(9_000))
        assert [handled.reserve(side, Millis(9_000)) for side in SIDES] == [
            straight.reserve(side, Millis(9_000)) for side in SIDES
        ]


def test_an_event_that_arrives_late_never_turns_time_back() -> None:
    clock = fresh(TimeMethod.SUDDEN_DEATH, 0, 60_000).start(WHITE, Millis(10_000))
    early = clock.press(Millis(9_990))
    assert early.reserve(WHITE, Millis(10_000)) == 60_000
    assert early.reserve(BLACK, Millis(11_000)) == 59_000


def test_a_fallen_flag_keeps_the_reserve_at_nothing_even_where_the_press_gives_time() -> None:
    for method in (TimeMethod.FISCHER, TimeMethod.BRONSTEIN):
        clock = fresh(method, 12_000, 1_000).start(WHITE, Millis(0)).press(Millis(2_000))
        assert clock.reserve(WHITE, Millis(2_000)) == 0
        assert clock.flag(Millis(2_000)) is WHITE


def test_the_first_flag_to_fall_survives_pause_press_and_the_end_of_a_game() -> None:
    clock = fresh(TimeMethod.SUDDEN_DEATH, 0, 1_000).start(WHITE, Millis(0)).pause(Millis(1_500))
    assert clock.flag(Millis(1_500)) is WHITE
    clock = clock.resume(Millis(9_000)).press(Millis(9_001)).press(Millis(20_000)).stopped(Millis(20_001))
    assert clock.flag(Millis(30_000)) is WHITE
    assert [fall.side for fall in clock.flags(Millis(30_000))] == [WHITE, BLACK]


def test_a_pause_and_a_resume_twice_are_a_pause_and_a_resume() -> None:
    clock = fresh(TimeMethod.SIMPLE_DELAY, 12_000, 60_000).start(WHITE, Millis(0))
    paused = clock.pause(Millis(20_000))
    assert paused.paused
    assert paused.pause(Millis(30_000)) == paused
    going = paused.resume(Millis(40_000))
    assert not going.paused
    assert going.resume(Millis(50_000)) == going


def test_a_clock_cannot_be_changed_in_place() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        fresh(TimeMethod.NONE, 0, 0).turn = WHITE  # type: ignore[misc]


def test_a_press_while_nobodys_time_runs_is_refused() -> None:
    standing = fresh(TimeMethod.SIMPLE_DELAY, 12_000, 60_000)
    for clock in (standing, standing.start(WHITE, Millis(0)).pause(Millis(1))):
        with pytest.raises(ClockError, match=r"^cannot press: nobody's time runs$"):
            clock.press(Millis(5))


def test_a_start_within_a_turn_and_a_resume_without_one_are_refused() -> None:
    clock = fresh(TimeMethod.SIMPLE_DELAY, 12_000, 60_000)
    with pytest.raises(ClockError, match=r"no turn is timed"):
        clock.resume(Millis(0))
    with pytest.raises(ClockError, match=r"the turn of .*WHITE.* is still timed"):
        clock.start(WHITE, Millis(0)).start(BLACK, Millis(1))


def test_wrong_settings_are_refused_with_what_came_in() -> None:
    with pytest.raises(ClockError, match=r"got -1 ms"):
        Control(TimeMethod.SIMPLE_DELAY, Millis(-1))
    with pytest.raises(ClockError, match=r"got -5 ms"):
        fresh(TimeMethod.NONE, 0, 0).with_reserve(WHITE, Millis(-5), Millis(0))
    with pytest.raises(ClockError, match=r"no side 'green'"):
        Clock.fresh(Control(TimeMethod.NONE), ("white", "black"), Millis(0)).reserve("green", Millis(0))
    with pytest.raises(ClockError, match=r"two different sides"):
        Clock.fresh(Control(TimeMethod.NONE), (WHITE, WHITE), Millis(0))
    with pytest.raises(ClockError, match=r"no clock method 'byoyomi'; known: none, simple_delay"):
        control_of("byoyomi")
