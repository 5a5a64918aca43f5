"""Do the firmware's parser and the host's make the same of a million random and mutated frames?

    python -m tests.bench.bridge_fuzz                  a million frames, one by one
    python -m tests.bench.bridge_fuzz --frames 5000    or as many as you like
    python -m tests.bench.bridge_fuzz --seconds 600    streams of them through both parsers and the host's session

Streams have zeros in the wrong places and are cut anywhere. The session that hears them has to live: whatever comes in,
it raises nothing, believes no press that was never sent, and greets a board right after. The C parser alone, under
sanitizers: `make -C firmware_bridge/firmware fuzz SECONDS=600`.
"""

import argparse
import ctypes
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from firmware_bridge import messages as m
from firmware_bridge.clocks import Micros
from firmware_bridge.frames import Flaw, Frame, Reject, Splitter, encode
from firmware_bridge.handshake import Expected
from firmware_bridge.session import Session
from firmware_bridge.values import ButtonPress, LinkBack
from tests.bridge.c_parser import (
    FLAWS,
    CFrame,
    CSplitter,
    agree,
    c_encode,
    load,
    mutated,
    random_message,
    rightly_summed,
)

logger = logging.getLogger("fuzz")
SEED = 1_000_000
STREAM_FRAMES = 200
HELLO = m.Hello(m.PROTOCOL_MAJOR, m.PROTOCOL_MINOR, m.PROTOCOL_TABLES, 0, 1, 0, 0, 160, 1, 1, 1, bytes(16))


def pieces(c: ctypes.CDLL, rng: random.Random, frames: int) -> Iterator[bytes]:
    """Yield what may stand between two zeros: noise, any body rightly summed, frames with a few bytes spoilt."""
    for number in range(frames):
        if number % 4 == 0:
            yield rng.randbytes(rng.randrange(80)).replace(b"\0", b"")
        elif number % 4 == 1:
            yield rightly_summed(c, rng)
        else:
            yield mutated(encode(Frame(random_message(rng), rng.randrange(65536), rng.getrandbits(32)))[:-1], rng)


def stream(c: ctypes.CDLL, rng: random.Random) -> bytes:
    """Return pieces with their zeros, of which some are missing and some were never sent."""
    out = bytearray()
    for piece in pieces(c, rng, STREAM_FRAMES):
        out += piece
        if rng.random() < 0.05:
            out.insert(rng.randrange(len(out) + 1), 0)
        if rng.random() > 0.02:
            out.append(0)
    return bytes(out) + b"\0"


def read_in_c(c: ctypes.CDLL, data: bytes) -> list[tuple[Flaw | None, bytes]]:
    """Return what the firmware's parser makes of a stream: each flaw, and the wire bytes of what it takes for good."""
    splitter, found = CSplitter(), []
    at = ctypes.byref(splitter)
    for byte in data:
        if c.splitter_feed(at, byte):
            frame = CFrame()
            flaw = FLAWS[c.decode(at, ctypes.byref(frame))]
            found.append((flaw, b"" if flaw else c_encode(c, frame)))
    return found


def read_in_python(data: bytes, rng: random.Random) -> list[tuple[Flaw | None, bytes]]:
    """Return what the host's parser makes of the same stream, cut anywhere."""
    splitter, found = Splitter(), []
    at = 0
    while at < len(data):
        end = at + rng.randrange(1, 200)
        found += [
            (got.flaw, b"") if isinstance(got, Reject) else (None, encode(got)) for got in splitter.feed(data[at:end])
        ]
        at = end
    return found


def survives(data: bytes, rng: random.Random) -> None:
    """Let a session that has greeted its board hear the stream, and then the board again after a new start."""
    session, now_us = Session(Expected()), Micros(0)
    session.begin(now_us)
    greeting = encode(Frame(HELLO, 0, 0))
    list(session.receive(greeting, now_us))
    sent = {
        (got.message.session, got.message.count)
        for got in Splitter().feed(data)
        if isinstance(got, Frame) and isinstance(got.message, m.Press)
    }
    for at in range(0, len(data), 100):
        now_us = Micros(now_us + rng.randrange(20_000))
        reported = [*session.receive(data[at : at + 100], now_us), *session.tick(now_us)]
        assert all((one.session, one.count) in sent for one in reported if isinstance(one, ButtonPress))
        session.confirm_presses()
        session.outgoing()
        if session.failure:
            # A Hello that cannot be accepted: the link would open the port again.
            session.begin(now_us)
            list(session.receive(greeting, now_us))
    session.begin(now_us)
    again = list(session.receive(encode(Frame(replace(HELLO, boots=2), 0, 0)), now_us))
    assert any(isinstance(one, LinkBack) for one in again)


def one_by_one(c: ctypes.CDLL, frames: int) -> None:
    """Compare frame by frame."""
    found: Counter[str] = Counter()
    for piece in pieces(c, random.Random(SEED), frames):
        flaw = agree(c, piece)
        found[flaw.value if flaw else "good"] += 1
    logger.info("%d frames, both parsers agree: %s", frames, dict(found))


def in_streams(c: ctypes.CDLL, seconds: float) -> None:
    """Compare stream by stream until the time is over."""
    end = time.monotonic() + seconds
    rng = random.Random(SEED)
    found: Counter[str] = Counter()
    streams = 0
    while time.monotonic() < end:
        data = stream(c, rng)
        ours, theirs = read_in_python(data, rng), read_in_c(c, data)
        assert ours == theirs, data.hex()
        survives(data, rng)
        found.update(flaw.value if flaw else "good" for flaw, _ in ours)
        streams += 1
    logger.info("%d streams in %.0f s, both parsers agree, the session lives: %s", streams, seconds, dict(found))


def main() -> int:
    """Compare; an AssertionError shows the first bytes on which they differ."""
    logging.basicConfig(format="%(message)s", level=logging.INFO)
    parser = argparse.ArgumentParser()
    parser.add_argument("--frames", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        c = load(Path(folder))
        if arguments.seconds is None:
            one_by_one(c, arguments.frames)
        else:
            in_streams(c, arguments.seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
