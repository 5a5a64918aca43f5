"""Does another emulator make the same of the firmware? One script of hands and host, played in both.

    python -m tests.bench.bridge_second_emulator [MOVES]

yasimavr, in which the tests run, against libsimavr: they share no code. Needs a C compiler and Debian's ``libsimavr-dev
libelf-dev`` besides the emulator's own tools; where they are absent it says so and ends with 77. Both must report
the same edges, presses and answers in the same order; times may differ by a scan.
"""

import logging
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge import emulator
from firmware_bridge import messages as m
from firmware_bridge.clocks import Micros
from firmware_bridge.frames import Frame, Splitter, encode
from firmware_bridge.rig import Rig

logger = logging.getLogger("second emulator")
RIG = Rig.load("full")
HARNESS = Path(__file__).with_name("second_emulator.c")
SKIPPED = 77
SCAN_US, CLOCK_US = 2_500, 500
"""A reed is seen by one scan or the next; what interrupts do is dated finer."""
FINGER_US = 80_000
SESSION = 0
"""The first of a board whose EEPROM has counted no start yet."""


@dataclass(frozen=True)
class Action:
    """Something that hands or host do at one moment of the board."""

    at_us: int
    verb: str
    what: tuple[str, ...] = ()


Reports = list[tuple[int, m.Message]]


def missing() -> str | None:
    """Return what keeps the second emulator from working here, or None."""
    if reason := emulator.missing():
        return reason
    if shutil.which("cc") is None:
        return "no C compiler: apt install gcc"
    if not Path("/usr/include/simavr/sim_avr.h").is_file():
        return "no libsimavr: apt install libsimavr-dev libelf-dev"
    return None


def script(moves: int) -> list[Action]:
    """Return a game of ``moves`` moves: checkers come and go, buttons are pressed and acknowledged, the host asks."""
    rng = random.Random(moves)
    occupied = set(rng.sample(range(144), 30))
    actions = [Action(150_000, "slots", tuple(map(str, sorted(occupied))))]
    at_us = 300_000
    for number in range(moves):
        occupied.remove(rng.choice(sorted(occupied)))
        actions.append(Action(at_us, "slots", tuple(map(str, sorted(occupied)))))
        at_us += rng.randint(30_000, 90_000)
        occupied.add(rng.choice(sorted(set(range(160)) - occupied)))
        actions.append(Action(at_us, "slots", tuple(map(str, sorted(occupied)))))
        at_us += rng.randint(30_000, 90_000)
        pin = RIG.buttons["white" if number % 2 else "black"]
        actions.append(Action(at_us, "low", (pin,)))
        said = (m.PressAck(SESSION, number + 1), m.Lamp(number % 6, m.LampMode.ON), m.AskKeyframe())
        for place, message in enumerate(said):
            frame = encode(Frame(message, 3 * number + place, 0)).hex()
            actions.append(Action(at_us + 20_000 + 5_000 * place, "host", (frame,)))
        actions.append(Action(at_us + FINGER_US, "high", (pin,)))
        at_us += FINGER_US + rng.randint(30_000, 90_000)
    actions.append(Action(at_us + 500_000, "end"))
    return actions


def in_yasimavr(actions: list[Action], elf: Path) -> Reports:
    """Play the script in the emulator of the tests."""
    log = _FrameLog()
    board = emulator.Emulator(RIG, elf, tap=log)
    buttons = {pin: name for name, pin in RIG.buttons.items()}
    host = os.open(board.port, os.O_RDWR | os.O_NOCTTY)
    os.set_blocking(host, False)
    for action in actions:
        board.advance(Micros(action.at_us))
        match action.verb:
            case "slots":
                board.set_slots(map(int, action.what))
            case "low":
                board.hold(buttons[action.what[0]], FINGER_US)
            case "host":
                os.write(host, bytes.fromhex(action.what[0]))
        # Nobody reads the port but the tap; a full one would hold the board up.
        with suppress(BlockingIOError):
            os.read(host, 1 << 16)
    os.close(host)
    board.close()
    return log.reported


def in_simavr(actions: list[Action], elf: Path, folder: Path) -> Reports:
    """Play the script in libsimavr."""
    harness = folder / "second_emulator"
    subprocess.run(["cc", "-std=gnu11", "-O2", "-Wall", "-o", harness, HARNESS, "-lsimavr", "-lelf", "-lm"], check=True)
    assert RIG.chain is not None
    done = subprocess.run(
        [harness, elf, str(RIG.slot_count), RIG.chain.load, RIG.chain.clock, RIG.chain.output],
        input="".join(f"{action.at_us} {action.verb} {' '.join(action.what)}\n" for action in actions),
        text=True,
        capture_output=True,
        check=True,
    )
    log = _FrameLog()
    for line in done.stdout.splitlines():
        if line.startswith("byte "):
            _, at_us, byte = line.split()
            log(round(float(at_us)), int(byte, 16))
    return log.reported


class _FrameLog:
    """Puts bytes together to messages, with the moments at which they ended."""

    def __init__(self) -> None:
        self.reported: Reports = []
        self._splitter = Splitter()

    def __call__(self, at_us: int, byte: int) -> None:
        for got in self._splitter.feed(bytes([byte])):
            assert isinstance(got, Frame), f"a frame that cannot be read at {at_us} µs: {got}"
            self.reported.append((got.t_us, got.message))


def of_hands(reported: Reports) -> Reports:
    """The reports of reeds, buttons and orders, without the board's own counters and its clock's keyframes."""
    return [(at, message) for at, message in reported if isinstance(message, m.Edge | m.Press | m.Ack | m.Nak)]


def main(arguments: list[str]) -> int:
    """Play and compare; 1 where the emulators differ."""
    logging.basicConfig(format="%(message)s", level=logging.INFO)
    if reason := missing():
        logger.info("skipped: %s", reason)
        return SKIPPED
    moves = int(arguments[0]) if arguments else 100
    actions = script(moves)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        elf = emulator.build(folder / "firmware")
        first, second = in_yasimavr(actions, elf), in_simavr(actions, elf, folder)
    ours, theirs = of_hands(first), of_hands(second)
    hello, other = (
        next(message for _, message in reported if isinstance(message, m.Hello)) for reported in (first, second)
    )
    differences = [one - two for (one, _), (two, _) in zip(ours, theirs, strict=False)]
    # They take unlike times to write the EEPROM at the start, before the board's clock runs.
    later_us = statistics.median(differences)
    apart_us = max(abs(difference - later_us) for difference in differences)
    same = [message for _, message in ours] == [message for _, message in theirs] and hello == other
    logger.info("%d moves, %.1f s of the board's life", moves, actions[-1].at_us / 1_000_000)
    for kind in (m.Edge, m.Press, m.Ack, m.Nak, m.Keyframe):
        counts = [sum(isinstance(message, kind) for _, message in reported) for reported in (first, second)]
        logger.info("%-8s yasimavr %4d, libsimavr %4d", kind.__name__, *counts)
    same = same and apart_us <= SCAN_US + CLOCK_US
    logger.info(
        "clocks %.2f ms apart; beyond that times differ by at most %.2f ms", abs(later_us) / 1_000, apart_us / 1_000
    )
    logger.info("the same" if same else "DIFFERENT")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
