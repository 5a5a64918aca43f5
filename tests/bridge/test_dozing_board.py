"""The board under the virtual table: it sleeps through the hours in which nothing moves and misses nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge import emulator
from firmware_bridge import messages as m
from firmware_bridge.cable import DozingBoard
from firmware_bridge.clocks import Micros
from firmware_bridge.rig import Rig
from firmware_bridge.standin import StandIn
from firmware_bridge.values import CommandDone, LinkBack, LinkLost, LinkValue, ReedFrame, SensorsBack, SensorsLost
from firmware_bridge.virtual_board import VirtualBoard

RIG = Rig.load("full")
FRAME_MS = 200
HOUR_MS = 3_600_000


class Table:
    """Table time in frames of 0.2 s, as the demo lets it pass."""

    def __init__(self, board: VirtualBoard, now_us: Micros) -> None:
        self.board = DozingBoard(board, RIG.expected(), now_us=now_us)
        self.now_us = now_us

    def later(self, length_ms: int) -> Micros:
        return Micros(self.now_us + 1_000 * length_ms)

    def run(self, length_ms: int) -> list[LinkValue]:
        reported: list[LinkValue] = []
        for _ in range(0, length_ms, FRAME_MS):
            self.now_us = self.later(FRAME_MS)
            reported += self.board.poll(self.now_us)
        return reported


@pytest.fixture(params=["stand-in", pytest.param("firmware", marks=pytest.mark.slow)])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    start_us = Micros(1_000_000)
    board: VirtualBoard
    if request.param == "stand-in":
        board = StandIn(RIG.slot_count, rig=RIG.fingerprint(), now_us=start_us, folder=tmp_path)
    else:
        board = emulator.Emulator(RIG, request.getfixturevalue("elf"), now_us=start_us, folder=tmp_path)
    table = Table(board, start_us)
    table.run(600)
    yield table
    table.board.close()


def test_each_change_is_reported_once_and_dated_by_the_tables_time(table: Table) -> None:
    for number in range(5):
        table.now_us = table.later(HOUR_MS)
        table.board.poll(table.now_us)
        laid_us = table.later(63)
        table.board.lay(range(number + 1), laid_us)
        (frame,) = table.run(400)
        assert isinstance(frame, ReedFrame)
        assert frame.occupied == tuple(range(number + 1))
        # A scan comes up to 2.5 ms later, and the link dates it to a few milliseconds.
        assert laid_us - 5_000 <= frame.at_us <= laid_us + 10_000


def test_a_checker_lifted_and_put_within_a_moment_is_reported_twice(table: Table) -> None:
    table.board.lay([3], table.later(10))
    table.board.lay([], table.later(60))
    table.board.lay([4], table.later(110))
    assert [frame.occupied for frame in table.run(400) if isinstance(frame, ReedFrame)] == [(3,), (), (4,)]


def test_a_cable_pulled_while_the_board_dozes_is_missed_and_found_again(table: Table) -> None:
    table.run(2_000)
    table.board.board.unplug()
    reported = table.run(2_000)
    assert [type(value) for value in reported] == [LinkLost]
    table.board.lay([8, 9], table.later(1))
    table.board.board.plug_in()
    reported = table.run(2_000)
    assert [type(value) for value in reported] == [LinkBack, ReedFrame]
    assert reported[1] == ReedFrame(reported[1].at_us, (8, 9))


def test_a_pulled_plug_of_the_reeds_is_lost_sensors(table: Table) -> None:
    table.board.break_chain()
    assert [type(value) for value in table.run(4_000)] == [SensorsLost]
    table.board.mend_chain()
    assert SensorsBack in [type(value) for value in table.run(1_500)]


def test_commands_wake_it(table: Table) -> None:
    table.run(10_000)
    lamps = [m.Lamp(number, m.LampMode.ON) for number in range(5)]
    for lamp in lamps:
        table.board.send(lamp)
    assert [value.command for value in table.run(400) if isinstance(value, CommandDone)] == lamps


def test_without_the_avr_tools_the_stand_in_is_under_the_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    board = emulator.virtual_board(RIG, folder=tmp_path)
    assert isinstance(board, StandIn)
    assert emulator.missing() == "no AVR compiler: apt install gcc-avr avr-libc"
    board.close()
    assert list(tmp_path.iterdir()) == []
