"""How fast is the way from finger and magnet to the host, and what does the host's side cost?

    python -m tests.bench.bridge_speed

The first figures are in the board's own time: the real firmware in the emulator, from the moment a contact closes to
the moment the last byte of its frame has left. The last two are this machine's processor time for a stream of one Edge
frame of twelve changes a scan, which is all a board can say: for the parsing alone, and for the whole way over a pty,
pyserial and the thread that listens, in real time.
"""

import logging
import multiprocessing
import os
import random
import statistics
import sys
import tempfile
import time
import tty
from contextlib import suppress
from pathlib import Path

from firmware_bridge import emulator
from firmware_bridge import messages as m
from firmware_bridge.clocks import Micros
from firmware_bridge.frames import Frame, Splitter, encode
from firmware_bridge.handshake import Expected
from firmware_bridge.link import BoardLink, Pump
from firmware_bridge.rig import Rig
from firmware_bridge.session import Session
from firmware_bridge.values import LinkValue

logger = logging.getLogger("bench")
ROUNDS = 300
DEBOUNCE_US = 5_000
SCANS_A_SECOND = 400


class FrameLog:
    """Notes when the frames of one kind ended."""

    def __init__(self) -> None:
        self.splitter = Splitter()
        self.ends: list[tuple[m.Message, int]] = []

    def __call__(self, at_us: int, byte: int) -> None:
        for got in self.splitter.feed(bytes([byte])):
            if isinstance(got, Frame):
                self.ends.append((got.message, at_us))

    def first(self, kind: type[m.Message], since_us: int) -> int:
        return next(at_us for message, at_us in self.ends if isinstance(message, kind) and at_us > since_us)


def latencies(baud: int, folder: Path) -> tuple[list[float], list[float]]:
    """Return the milliseconds from magnet to Edge (debounce taken off) and from finger to Press."""
    log = FrameLog()
    elf = emulator.build(folder / str(baud), baud=baud)
    board = emulator.Emulator(Rig.load("full"), elf, baud=baud, tap=log)
    host = os.open(board.port, os.O_RDWR | os.O_NOCTTY)
    rng = random.Random(1)
    now_us = Micros(100_000)
    board.advance(now_us)
    magnets, fingers = [], []
    for number in range(ROUNDS):
        now_us = Micros(now_us + rng.randint(30_000, 60_000))
        board.advance(now_us)
        board.set_slots([number % 160])
        advance_finely(board, now_us, 20)
        magnets.append((log.first(m.Edge, now_us) - now_us - DEBOUNCE_US) / 1_000)
        now_us = Micros(now_us + rng.randint(120_000, 160_000))
        board.advance(now_us)
        board.press("white" if number % 2 else "black")
        advance_finely(board, now_us, 12)
        fingers.append((log.first(m.Press, now_us) - now_us) / 1_000)
        press = next(message for message, _ in reversed(log.ends) if isinstance(message, m.Press))
        os.write(host, encode(Frame(m.PressAck(press.session, press.count), number, 0)))
        os.read(host, 4096)
    os.close(host)
    board.close()
    return magnets, fingers


def advance_finely(board: emulator.Emulator, now_us: Micros, length_ms: int) -> None:
    """Advance in steps of a twentieth of a millisecond, so that a byte's time is known that well."""
    for step in range(1, 20 * length_ms + 1):
        board.advance(Micros(now_us + 50 * step))


def fullest_stream(seconds: int) -> list[bytes]:
    """Return the frames of a board all of whose slots change all the time."""
    hello = m.Hello(m.PROTOCOL_MAJOR, m.PROTOCOL_MINOR, m.PROTOCOL_TABLES, 0, 1, 0, 0, 160, 1, 1, 1, bytes(16))
    words: list[tuple[m.Message, int]] = [(hello, 0)]
    for scan in range(SCANS_A_SECOND * seconds):
        if scan % SCANS_A_SECOND == 0:
            words.append((m.Keyframe(0, (0,) * 20), 2500 * scan))
        came = 0x8000 if scan // 13 % 2 else 0
        words.append((m.Edge(tuple((12 * scan + slot) % 160 | came for slot in range(12))), 2500 * scan))
    return [encode(Frame(message, seq, t_us)) for seq, (message, t_us) in enumerate(words)]


def parsing_share(seconds: int = 20) -> float:
    """Return the share of one core that the session needs for the fullest stream a board can send."""
    session = Session(Expected())
    session.begin(Micros(0))
    stream = fullest_stream(seconds)
    began = time.process_time()
    reported = 0
    for number, wire in enumerate(stream):
        now_us = Micros(number * 1_000_000 // SCANS_A_SECOND)
        reported += len(list(session.receive(wire, now_us))) + len(list(session.tick(now_us)))
        session.outgoing()
    spent = time.process_time() - began
    _check(reported, seconds)
    return spent / seconds


def link_share(seconds: int = 10) -> float:
    """Return the share of one core that link, pyserial and the listening thread need for the same stream on a pty."""
    far, near = os.openpty()
    tty.setraw(near)
    os.set_blocking(far, False)
    reported: list[LinkValue] = []
    link = BoardLink(os.ttyname(near))
    # Opened before the first byte, or the port would drop it.
    link.poll()
    board = multiprocessing.get_context("fork").Process(target=_send, args=(far, fullest_stream(seconds)))
    board.start()
    began, cpu = time.monotonic(), time.process_time()
    pump = Pump(link, reported.append)
    board.join()
    share = (time.process_time() - cpu) / (time.monotonic() - began)
    pump.close()
    os.close(far)
    os.close(near)
    _check(len(reported), seconds)
    return share


def _send(port: int, stream: list[bytes]) -> None:
    began = time.monotonic()
    for number, wire in enumerate(stream):
        time.sleep(max(0.0, began + number / SCANS_A_SECOND - time.monotonic()))
        os.write(port, wire)
        with suppress(BlockingIOError):
            os.read(port, 4096)


def _check(reported: int, seconds: int) -> None:
    if reported < SCANS_A_SECOND * seconds // 2:
        msg = f"only {reported} values came out of {SCANS_A_SECOND * seconds} frames"
        raise RuntimeError(msg)


def main() -> int:
    """Print the figures; return 1 when one misses its target."""
    logging.basicConfig(format="%(message)s", level=logging.INFO)
    if reason := emulator.missing():
        logger.error("%s", reason)
        return 2
    fit = True
    with tempfile.TemporaryDirectory() as folder:
        for baud in (115_200, m.BAUD):
            for name, figures, limit in zip(
                ("magnet to Edge, less 5 ms debounce", "finger to Press"),
                latencies(baud, Path(folder)),
                (12.0, 8.0),
                strict=True,
            ):
                p95 = statistics.quantiles(figures, n=20)[-1]
                fit = fit and p95 < limit
                logger.info(
                    "%d baud, %s: median %.2f ms, p95 %.2f ms (limit %.0f)",
                    baud,
                    name,
                    statistics.median(figures),
                    p95,
                    limit,
                )
    parsing, link = parsing_share(), link_share()
    logger.info(
        "host, 400 full Edge frames a second: parsing %.2f %%, the whole link %.2f %% of one core (limit 3)",
        100 * parsing,
        100 * link,
    )
    return 0 if fit and max(parsing, link) < 0.03 else 1


if __name__ == "__main__":
    sys.exit(main())
