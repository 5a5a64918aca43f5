"""Does the firmware do under simavr what it does under yasimavr? HELLO, keyframes, a magnet, a button, a lamp.

    python tests/bench/bridge_second_emulator.py

The two emulators have nothing in common but the data sheet: what one of them reads wrongly the other shows. Needs
``gcc-avr avr-libc libsimavr-dev libelf-dev gcc``; some seconds, no part of the test suite.
"""

import logging
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from firmware_bridge import messages as m
from firmware_bridge.emulator import CLOCK_HZ, build
from firmware_bridge.frames import Frame, Reject, Splitter, encode
from firmware_bridge.rig import Rig

logger = logging.getLogger("simavr")

HERE = Path(__file__).parent
HEADER = Path("/usr/include/simavr/sim_avr.h")
STEP_MS = 5
DEBOUNCE_MS = 40
"""A magnet is told at the latest after this: 5 ms of rest, the scan and the line."""

T = TypeVar("T")


def missing() -> str | None:
    """Return what keeps this lane from running here, or None."""
    for tool, package in (("avr-gcc", "gcc-avr avr-libc"), ("make", "make"), ("cc", "gcc")):
        if shutil.which(tool) is None:
            return f"no {tool}: apt install {package}"
    return None if HEADER.is_file() else "no libsimavr: apt install libsimavr-dev libelf-dev"


class Board:
    """The board as simavr runs it."""

    def __init__(self, harness: Path, elf: Path, rig: Rig) -> None:
        assert rig.chain is not None
        self.rig = rig
        self.frames: list[Frame] = []
        pins = [pin.removeprefix("P") for pin in (rig.chain.load, rig.chain.clock, rig.chain.output)]
        self._split = Splitter()
        self._seq = 0
        self.life = subprocess.Popen(
            [harness, elf, *pins, str(rig.slot_count)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for button in rig.buttons:
            self.hold(button, down=False)

    def tell(self, line: str) -> str:
        """Give the harness one line and return its answer, frames taken out."""
        assert self.life.stdin is not None
        assert self.life.stdout is not None
        self.life.stdin.write(line + "\n")
        self.life.stdin.flush()
        answer = self.life.stdout.readline().removeprefix("at").strip()
        if line.startswith("run"):
            for frame in self._split.feed(bytes.fromhex(answer)):
                assert not isinstance(frame, Reject), f"the board sent what is no frame: {frame}"
                self.frames.append(frame)
        return answer

    def run(self, length_ms: int) -> list[m.Message]:
        """Let time pass and return what the board said meanwhile."""
        before = len(self.frames)
        for _ in range(0, length_ms, STEP_MS):
            self.tell(f"run {CLOCK_HZ * STEP_MS // 1000}")
        return [frame.message for frame in self.frames[before:]]

    def hold(self, button: str, *, down: bool) -> None:
        """Press a button or let go of it."""
        self.tell(f"pin {dict(self.rig.buttons)[button][1:]} {0 if down else 1}")

    def lay(self, slot: int, *, there: bool) -> None:
        """Put a magnet on a slot or take it away."""
        self.tell(f"slot {slot} {int(there)}")

    def send(self, *orders: m.Message) -> None:
        """Send frames back to back."""
        line = b""
        for order in orders:
            line += encode(Frame(order, self._seq, 0))
            self._seq += 1
        self.tell(f"send {line.hex()}")


def only(said: list[m.Message], kind: type[T]) -> list[T]:
    """Return the messages of one kind."""
    return [message for message in said if isinstance(message, kind)]


def play(board: Board) -> None:
    """Do what hands do and hold the board's answers against it.

    Raises AssertionError when they differ.
    """
    rig = board.rig
    (hello,) = only(board.run(300), m.Hello)
    assert (hello.major, hello.minor, hello.tables) == (m.PROTOCOL_MAJOR, m.PROTOCOL_MINOR, m.PROTOCOL_TABLES)
    assert (hello.rig, hello.slots) == (rig.fingerprint(), rig.slot_count)
    logger.info("%s", hello)

    keyframes = only(board.run(4000), m.Keyframe)
    assert 2 <= len(keyframes) <= 4
    assert not any(any(frame.slots) or frame.held for frame in keyframes)
    logger.info("%d keyframes of an empty board in 4 s", len(keyframes))

    for slot in (0, 77, 159):
        board.lay(slot, there=True)
    (edge,) = only(board.run(DEBOUNCE_MS), m.Edge)
    logger.info("three magnets: %s", edge)
    board.send(m.AskKeyframe(), m.AskStat())
    said = board.run(50)
    (keyframe,) = only(said, m.Keyframe)
    occupied = [slot for slot in range(rig.slot_count) if keyframe.slots[slot // 8] >> slot % 8 & 1]
    assert occupied == [0, 77, 159], keyframe
    (stat,) = only(said, m.Stat)
    assert (stat.rx_bad, stat.rx_lost, stat.chain_bad, stat.press_lost) == (0, 0, 0, 0), stat
    logger.info("two requests back to back: %s", stat)

    for count, button in enumerate(rig.buttons, 1):
        board.hold(button, down=True)
        told = only(board.run(300), m.Press)
        board.hold(button, down=False)
        assert len(told) > 1, "a press is told again until it is acknowledged"
        assert {(press.button, press.count) for press in told} == {(m.Button[button.upper()], count)}, told
        board.send(m.PressAck(told[0].session, told[0].count))
        board.run(50)
        assert not only(board.run(500), m.Press), "an acknowledged press is told no more"
    logger.info("%d presses, each told until it was acknowledged", len(rig.buttons))

    lamp = "accepted"
    pin = rig.pins()[f"lamp {lamp}"][1:]
    assert board.tell(f"level {pin}") == "0", f"{lamp} is dark before it is lit"
    board.send(m.Lamp(rig.lamp_number(lamp), m.LampMode.ON))
    (ack,) = only(board.run(50), m.Ack)
    assert board.tell(f"level {pin}") == "1", f"{lamp} is lit"
    logger.info("lamp %s lit: %s", lamp, ack)


@contextmanager
def powered(rig: Rig) -> Iterator[Board]:
    """Build harness and firmware, run the board and switch it off at the end."""
    with tempfile.TemporaryDirectory() as scratch:
        harness = Path(scratch) / "second_emulator"
        source = HERE / "second_emulator.c"
        flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra"]
        subprocess.run(["cc", *flags, "-o", harness, source, "-lsimavr", "-lelf", "-lm"], check=True)
        board = Board(harness, build(Path(scratch) / "firmware"), rig)
        try:
            yield board
        finally:
            board.life.kill()
            board.life.wait()


def main() -> int:
    """Play; return 2 when the lane cannot run here."""
    logging.basicConfig(format="%(message)s", level=logging.INFO)
    if reason := missing():
        logger.error("skipped: %s", reason)
        return 2
    with powered(Rig.load("full")) as board:
        play(board)
    logger.info("simavr says the same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
