"""Board, link and pump in real time, as the service runs them."""

import queue
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge import messages as m
from firmware_bridge.clocks import monotonic_us
from firmware_bridge.emulator import Emulator, missing, virtual_board
from firmware_bridge.link import BoardLink, Pump
from firmware_bridge.ports import open_port
from firmware_bridge.rig import Rig
from firmware_bridge.standin import StandIn
from firmware_bridge.values import ButtonPress, CommandDone, LinkBack, LinkValue, ReedFrame

RIG = Rig.load("full")
PATIENCE_S = 20.0


class Running:
    """A stand-in that lives in real time while somebody waits for something."""

    def __init__(self, folder: Path) -> None:
        self.board = StandIn(RIG.slot_count, rig=RIG.fingerprint(), now_us=monotonic_us(), folder=folder)
        self.link = BoardLink(self.board.port, expected=RIG.expected())
        self.reported: queue.Queue[LinkValue] = queue.Queue()
        self.pump = Pump(self.link, self.reported.put)

    def wait_for(self, kind: type[LinkValue]) -> LinkValue:
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            self.board.advance(monotonic_us())
            try:
                value = self.reported.get(timeout=0.005)
            except queue.Empty:
                continue
            if isinstance(value, kind):
                return value
        pytest.fail(f"no {kind.__name__} within {PATIENCE_S:g} s")


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    running = Running(tmp_path)
    yield running
    running.pump.close()
    running.board.close()


def test_a_pump_carries_presses_reeds_and_answers_to_the_queue(running: Running) -> None:
    running.wait_for(LinkBack)
    assert isinstance(frame := running.wait_for(ReedFrame), ReedFrame)
    assert frame.occupied == ()
    before_us = monotonic_us()
    running.board.press("black")
    press = running.wait_for(ButtonPress)
    assert isinstance(press, ButtonPress)
    assert press.button == "black"
    # Dated near the press, whenever this busy machine got round to telling it.
    assert before_us - 100_000 <= press.at_us <= monotonic_us()
    running.link.send(m.Lamp(1, m.LampMode.ON))
    done = running.wait_for(CommandDone)
    assert isinstance(done, CommandDone)
    assert done.answered
    assert running.board.lamps == {1: m.LampMode.ON}


def test_closing_a_pump_gives_the_port_back(running: Running) -> None:
    running.wait_for(LinkBack)
    running.pump.close()
    open_port(running.board.port).close()


def test_the_virtual_board_is_the_real_firmware_where_it_can_be_built(tmp_path: Path) -> None:
    board = virtual_board(RIG, folder=tmp_path)
    assert isinstance(board, StandIn if missing() else Emulator)
    board.close()
