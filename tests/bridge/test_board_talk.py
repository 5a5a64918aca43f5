"""What a board and its link do together: the same for the stand-in and for the real firmware in the emulator."""

import random
from itertools import pairwise

import pytest
from bench_table import MS, Bench

from firmware_bridge import messages as m
from firmware_bridge.values import (
    ButtonPress,
    CommandDone,
    Gap,
    Health,
    LinkBack,
    LinkLost,
    ReedFrame,
    SensorsBack,
    SensorsLost,
    Trouble,
)

SCAN_US = 2_500


def test_the_board_says_who_it_is(bench: Bench) -> None:
    (back,) = bench.all(LinkBack)
    assert back.hello.slots == 160
    assert back.hello.tables == m.PROTOCOL_TABLES
    assert m.ResetCause(back.hello.reset_cause) is m.ResetCause.POWER_ON
    assert back.warnings == ()
    assert bench.slots() == ()


def test_a_checker_is_reported_with_the_time_at_which_it_came(bench: Bench) -> None:
    bench.board.set_slots([7])
    laid_us = bench.now_us
    (frame,) = bench.run(30)
    assert isinstance(frame, ReedFrame)
    assert frame.occupied == (7,)
    # Up to one scan later, and the link's clock is read every 2 ms here.
    assert laid_us - 2 * MS <= frame.at_us <= laid_us + SCAN_US + 2 * MS


def test_a_magnet_that_passes_by_is_no_checker(bench: Bench) -> None:
    bench.board.set_slots([7])
    bench.run(4, step_ms=1)
    bench.board.set_slots([])
    assert bench.run(100) == []


def test_a_game_of_moves_arrives_move_by_move(bench: Bench) -> None:
    rng = random.Random(6)
    occupied = set(rng.sample(range(144), 30))
    bench.board.set_slots(occupied)
    bench.run(100)
    for _ in range(40):
        moved = rng.sample(sorted(occupied), rng.randint(1, 4))
        occupied -= set(moved)
        bench.board.set_slots(occupied)
        bench.run(rng.randint(12, 40))
        occupied |= set(rng.sample(sorted(set(range(144)) - occupied), len(moved)))
        bench.board.set_slots(occupied)
        bench.run(rng.randint(12, 40))
        assert bench.slots() == tuple(sorted(occupied))
    assert bench.all(Gap) == []


def test_a_lifted_board_is_160_changes_at_once(bench: Bench) -> None:
    bench.board.set_slots(range(160))
    bench.run(40)
    assert bench.slots() == tuple(range(160))
    bench.board.set_slots([])
    bench.run(40)
    assert bench.slots() == ()
    assert bench.all(Gap) == []


def test_a_press_is_reported_once_with_its_own_time(bench: Bench) -> None:
    bench.run(2000)
    pressed_us = bench.now_us
    bench.board.press("white")
    bench.run(500)
    (press,) = bench.all(ButtonPress)
    assert press.button == "white"
    assert press.count == 1
    assert abs(press.at_us - pressed_us) <= 2 * MS


def test_both_buttons_within_one_scan_are_both_reported_in_order(bench: Bench) -> None:
    bench.board.press("black")
    bench.leave_alone(0.4)
    bench.board.press("white")
    bench.run(300)
    assert bench.presses() == ["black", "white"]
    first, second = bench.all(ButtonPress)
    assert first.at_us <= second.at_us <= first.at_us + 1 * MS


def test_presses_are_dated_right_however_late_the_host_reads(bench: Bench) -> None:
    bench.run(3000)
    pressed_us = bench.now_us
    bench.board.press("pause")
    # The host is busy for 0.7 s: nobody polls the link.
    bench.leave_alone(700)
    bench.run(20)
    (press,) = bench.all(ButtonPress)
    assert abs(press.at_us - pressed_us) <= 2 * MS


def test_host_requests_back_to_back_are_all_answered(bench: Bench) -> None:
    lamps = [m.Lamp(number % 5, number % 3) for number in range(12)]
    for lamp in lamps:
        bench.link.send(lamp)
    bench.run(400)
    assert [(done.command, done.refusal, done.answered) for done in bench.all(CommandDone)] == [
        (lamp, None, True) for lamp in lamps
    ]


def test_a_nonsense_command_is_refused_and_a_sane_one_is_not(bench: Bench) -> None:
    for command in (m.Lamp(200, 1), m.Buzz(50, 100), m.Buzz(2000, 30), m.Brightness(40), m.SelfTest()):
        bench.link.send(command)
    bench.run(300)
    refusals = [done.refusal for done in bench.all(CommandDone)]
    assert refusals == [m.Refusal.BAD_VALUE, m.Refusal.BAD_VALUE, None, None, None]


def test_counters_come_by_themselves(bench: Bench) -> None:
    bench.run(m.STAT_US // MS, step_ms=10)
    (health,) = bench.all(Health)
    # The host's first words may fall into the board's start.
    assert health.stat.rx_bad <= 1
    assert (health.rejects, health.lost, health.stat.press_lost, health.stat.chain_bad) == (0, 0, 0, 0)


def test_presses_keep_their_distance_although_every_second_one_is_read_late(bench: Bench) -> None:
    for number in range(6):
        bench.board.press("white" if number % 2 else "black")
        if number % 2:
            bench.leave_alone(150)
        bench.run(250 - (150 if number % 2 else 0))
    times = [press.at_us for press in bench.all(ButtonPress)]
    assert all(abs(later - earlier - 250 * MS) <= 4 * MS for earlier, later in pairwise(times))


# -- faults ------------------------------------------------------------------------------------------------------------


class Noise:
    """Flips, drops and doubles bytes."""

    def __init__(self, seed: int, rate: float) -> None:
        self.rng = random.Random(seed)
        self.rate = rate

    def __call__(self, data: bytes) -> bytes:
        out = bytearray()
        for byte in data:
            kind = self.rng.choice(("flip", "drop", "double")) if self.rng.random() < self.rate else "keep"
            if kind == "flip":
                out.append(byte ^ 1 << self.rng.randrange(8))
            elif kind != "drop":
                out += bytes([byte]) * (2 if kind == "double" else 1)
        return bytes(out)


@pytest.mark.parametrize("seed", range(2))
def test_noise_of_one_percent_loses_and_invents_nothing(bench: Bench, seed: int) -> None:
    bench.wire.up, bench.wire.down = Noise(seed, 0.01), Noise(seed + 100, 0.01)
    rng = random.Random(seed)
    states = {()}
    pressed = []
    for _ in range(20):
        state = tuple(sorted(rng.sample(range(160), 30)))
        states.add(state)
        bench.board.set_slots(state)
        bench.run(100, step_ms=4)
        button = rng.choice(("white", "black"))
        pressed.append(button)
        bench.board.press(button)
        bench.run(200, step_ms=4)
    bench.wire.up = bench.wire.down = bytes
    bench.run(2000, step_ms=10)
    assert bench.presses() == pressed
    assert [press.count for press in bench.all(ButtonPress)] == list(range(1, 21))
    assert {frame.occupied for frame in bench.all(ReedFrame)} <= states
    assert bench.slots() == state
    assert bench.all(Gap), "one percent of noise must have cost a frame"
    bench.run(m.STAT_US // MS, step_ms=10)
    assert bench.all(Health)[-1].stat.rx_bad, "and the board one of the host's"


def test_commands_in_noise_are_answered_or_given_up_and_nothing_else_is_done(bench: Bench) -> None:
    bench.wire.up, bench.wire.down = Noise(3, 0.01), Noise(4, 0.01)
    sent = [m.Lamp(number % 5, number // 5 % 3) for number in range(60)]
    for lamp in sent:
        bench.link.send(lamp)
        bench.run(60)
    bench.wire.up = bench.wire.down = bytes
    bench.run(1000)
    done = bench.all(CommandDone)
    assert [one.command for one in done] == sent
    assert {one.refusal for one in done} == {None}, "a spoilt command was taken for another one"
    assert sum(one.answered for one in done) >= len(sent) - 1, "three tries in one percent of noise"


def test_after_noise_the_slots_are_right_within_two_seconds(bench: Bench) -> None:
    for number in range(12):
        bench.wire.up = Noise(number, 0.2)
        bench.board.set_slots([number, number + 20])
        bench.run(30)
        bench.wire.up = bytes
        since_us = bench.now_us
        while bench.slots() != (number, number + 20):
            bench.run(10)
            assert bench.now_us - since_us < 2000 * MS


def test_three_seconds_of_silence_are_a_lost_board_and_then_all_is_reported(bench: Bench) -> None:
    bench.wire.up = lambda _data: b""
    bench.board.set_slots([1, 2])
    bench.board.press("white")
    bench.run(3600, step_ms=10)
    assert [lost.why for lost in bench.all(LinkLost)] == [Trouble.STOPPED]
    bench.wire.up = bytes
    bench.run(2000, step_ms=10)
    assert len(bench.all(LinkBack)) == 2
    assert bench.slots() == (1, 2)
    assert bench.presses() == ["white"]


def test_a_short_silence_costs_nothing_but_time(bench: Bench) -> None:
    bench.wire.up = lambda _data: b""
    bench.board.set_slots([1, 2])
    bench.board.press("black")
    bench.run(1500)
    bench.wire.up = bytes
    bench.run(1100)
    assert bench.all(LinkLost) == []
    assert bench.slots() == (1, 2)
    assert bench.presses() == ["black"]


def test_a_cable_pulled_and_put_back_resumes(bench: Bench) -> None:
    bench.board.press("white")
    bench.run(200)
    bench.board.unplug()
    bench.run(1500, step_ms=10)
    assert [lost.why for lost in bench.all(LinkLost)] == [Trouble.UNPLUGGED]
    bench.board.set_slots([9])
    bench.board.plug_in()
    bench.run(1500)
    assert len(bench.all(LinkBack)) == 2
    assert bench.slots() == (9,)
    bench.board.press("white")
    bench.run(200)
    assert bench.presses() == ["white", "white"]


def test_a_watchdog_reset_neither_loses_nor_doubles_a_press(bench: Bench) -> None:
    bench.board.press("white")
    bench.run(200)
    # The next press never reaches the host before the crash.
    bench.wire.up = lambda _data: b""
    bench.board.press("black")
    bench.run(60)
    bench.board.watchdog()
    bench.run(20)
    bench.wire.up = bytes
    bench.run(1500)
    restarted = [lost.why for lost in bench.all(LinkLost)]
    assert restarted == [Trouble.RESTARTED]
    assert m.ResetCause(bench.all(LinkBack)[-1].hello.reset_cause) is m.ResetCause.WATCHDOG
    assert bench.presses() == ["white", "black"]
    bench.board.press("white")
    bench.run(200)
    assert bench.presses() == ["white", "black", "white"]
    assert [press.count for press in bench.all(ButtonPress)] == [1, 2, 3]


def test_after_a_watchdog_reset_the_slots_are_right_within_two_seconds(bench: Bench) -> None:
    bench.board.set_slots([1, 2, 3])
    bench.run(100)
    since_us = bench.now_us
    bench.board.watchdog()
    bench.run(40)
    # A checker moves while the program hangs.
    bench.board.set_slots([2, 3, 4])
    while not (bench.all(LinkLost) and bench.slots() == (2, 3, 4)):
        bench.run(10)
        assert bench.now_us - since_us < 2000 * MS
    bench.run(1000)
    assert {frame.occupied for frame in bench.all(ReedFrame)} == {(), (1, 2, 3), (2, 3, 4)}


def test_what_was_on_the_line_before_a_start_does_not_spoil_the_hello(bench: Bench) -> None:
    bench.run(200)
    # A boot loader's words right before our program's first, and nobody can ask again.
    words = [b"\x14\x10\x06"]
    bench.wire.up = lambda data: (words.pop() if words else b"") + data
    bench.wire.down = lambda _data: b""
    bench.board.watchdog()
    bench.run(1200)
    assert words == []
    assert [type(value) for value in bench.received if isinstance(value, LinkLost | LinkBack)] == [
        LinkBack,
        LinkLost,
        LinkBack,
    ]


def test_acknowledgements_that_never_arrive_do_not_double_a_press(bench: Bench) -> None:
    bench.wire.down = lambda _data: b""
    bench.board.press("white")
    bench.run(1000)
    bench.wire.down = bytes
    bench.board.press("black")
    bench.run(300)
    assert bench.presses() == ["white", "black"]


def test_copies_of_a_press_that_are_read_at_once_are_one_press(bench: Bench) -> None:
    bench.board.press("white")
    # Nobody polls for a second, so nothing is acknowledged and the board repeats.
    for _ in range(20):
        bench.leave_alone(50)
    bench.run(200)
    assert bench.presses() == ["white"]


def test_a_hello_lost_in_noise_still_ends_in_a_link(bench: Bench) -> None:
    bench.wire.up = lambda _data: b""
    bench.board.unplug()
    bench.board.plug_in()
    bench.board.set_slots([3])
    bench.run(100)
    bench.wire.up = bytes
    bench.run(3000)
    assert bench.slots() == (3,)
    bench.board.press("pause")
    bench.run(200)
    assert bench.presses() == ["pause"]
    assert bench.all(SensorsLost) == []


def test_a_pulled_chain_plug_is_lost_sensors_and_no_lifted_checkers(bench: Bench) -> None:
    bench.board.set_slots([1, 2, 3])
    bench.run(100)
    bench.board.break_chain()
    reported = bench.run(3500, step_ms=10)
    assert [type(value) for value in reported] == [SensorsLost]
    bench.board.press("white")
    bench.run(100)
    assert bench.presses() == ["white"], "the buttons do not hang on the chain"
    bench.board.set_slots([1, 2])
    bench.board.mend_chain()
    bench.run(500)
    assert len(bench.all(SensorsBack)) == 1
    assert bench.slots() == (1, 2)


def test_more_presses_than_fit_are_counted_as_lost_and_the_rest_reported(bench: Bench) -> None:
    bench.wire.up = lambda _data: b""
    for number in range(10):
        bench.board.press("white" if number % 2 else "black")
        # Nobody listens, and the board's list has eight places.
        bench.leave_alone(120)
    bench.wire.up = bytes
    bench.run(6000, step_ms=10)
    assert bench.presses() == ["black", "white"] * 4
    assert bench.all(Health)[-1].stat.press_lost == 2
