from collections.abc import Iterator

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory
from registers import Registers

from firmware_bridge.clocks import Micros
from firmware_bridge.pi_chain import SCAN_US, PiChain
from firmware_bridge.pins import PinError
from firmware_bridge.rig import Rig
from firmware_bridge.values import LinkValue, ReedFrame, SensorsBack, SensorsLost

RIG = Rig.load("full_pi")


class Board:
    """The chain, a clock, and what was reported."""

    def __init__(self, pins: MockFactory) -> None:
        self.now_us = Micros(0)
        self.registers = Registers(pins)
        self.chain = PiChain(RIG, now_us=lambda: self.now_us, pin_factory=pins)

    def run(self, length_us: int) -> list[LinkValue]:
        reported: list[LinkValue] = []
        end_us = self.now_us + length_us
        while self.now_us < end_us:
            self.now_us = Micros(self.now_us + SCAN_US)
            reported += self.chain.poll()
        return reported


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Iterator[Board]:
    pins = MockFactory()
    # gpiozero's software SPI, which its mock uses, looks for the default factory whatever it was given.
    monkeypatch.setattr(gpiozero.Device, "pin_factory", pins)
    board = Board(pins)
    yield board
    board.chain.close()


def test_what_lies_there_at_the_start_is_reported_first(board: Board) -> None:
    board.registers.occupied = {0, 7, 8, 143, 159}
    assert board.run(SCAN_US) == [ReedFrame(Micros(5_000), (0, 7, 8, 143, 159))]


def test_a_checker_is_reported_with_the_time_of_the_scan_that_saw_it(board: Board) -> None:
    board.run(100_000)
    board.registers.occupied = {77}
    assert board.run(100_000) == [ReedFrame(Micros(105_000), (77,))]


def test_a_magnet_passing_by_is_no_checker(board: Board) -> None:
    board.run(100_000)
    board.registers.occupied = {77}
    board.run(2 * SCAN_US)
    board.registers.occupied = set()
    assert board.run(200_000) == []


@pytest.mark.slow
def test_a_pulled_plug_is_lost_sensors_and_no_lifted_checkers(board: Board) -> None:
    board.registers.occupied = {1, 2}
    board.run(100_000)
    board.registers.plugged = False
    reported = board.run(4_000_000)
    assert [type(value) for value in reported] == [SensorsLost]
    board.registers.plugged = True
    reported = board.run(100_000)
    assert [type(value) for value in reported] == [SensorsBack, ReedFrame]
    assert reported[1] == ReedFrame(reported[1].at_us, (1, 2))


def test_a_rig_without_a_chain_is_refused_in_one_line() -> None:
    with pytest.raises(PinError, match="rig camera_only has no chain of reeds on the Pi's own pins"):
        PiChain(Rig.load("camera_only"))
