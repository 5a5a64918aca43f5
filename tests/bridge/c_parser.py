"""The firmware's parser, compiled for this machine, and its comparison with the Python one."""

import ctypes
import random
import subprocess
from pathlib import Path

from cobs import cobs

from firmware_bridge.emulator import FIRMWARE
from firmware_bridge.frames import Flaw, Frame, Reject, decode
from firmware_bridge.messages import BY_CODE, MAX_ENCODED_BYTES, Message

FLAWS = [None, Flaw.TOO_LONG, Flaw.STUFFING, Flaw.TOO_SHORT, Flaw.CHECKSUM, Flaw.CODE, Flaw.FIELDS]


class CFrame(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint8),
        ("seq", ctypes.c_uint16),
        ("t_us", ctypes.c_uint32),
        ("size", ctypes.c_uint8),
        ("payload", ctypes.c_uint8 * (MAX_ENCODED_BYTES - 11)),
    )


class CSplitter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint8), ("stuffed", ctypes.c_uint8 * MAX_ENCODED_BYTES))


def load(target: Path) -> ctypes.CDLL:
    """Build the firmware's pure parts into the folder ``target`` and load them."""
    subprocess.run(["make", "-C", FIRMWARE, f"BUILD={target}", "native"], check=True, capture_output=True)
    library = ctypes.CDLL(str(target / "libboard.so"))
    for function in (library.splitter_feed, library.encode, library.reeds_scan):
        function.restype = ctypes.c_uint8
    library.crc16.restype = ctypes.c_uint16
    return library


def c_decode(c: ctypes.CDLL, stuffed: bytes) -> tuple[Flaw | None, CFrame]:
    splitter, frame = CSplitter(), CFrame()
    at = ctypes.byref(splitter)
    for byte in stuffed:
        assert c.splitter_feed(at, byte) == 0
    assert c.splitter_feed(at, 0) == (1 if stuffed else 0)
    return FLAWS[c.decode(at, ctypes.byref(frame))], frame


def c_encode(c: ctypes.CDLL, frame: CFrame) -> bytes:
    """Return the bytes the firmware would send for ``frame``."""
    wire = (ctypes.c_uint8 * MAX_ENCODED_BYTES)()
    t_us = ctypes.c_uint32(frame.t_us)
    return bytes(wire[: c.encode(frame.code, frame.seq, t_us, frame.payload, frame.size, wire)])


def agree(c: ctypes.CDLL, stuffed: bytes) -> Flaw | None:
    """Check that both parsers make the same of ``stuffed``; return the flaw they found."""
    flaw, frame = c_decode(c, stuffed)
    got = decode(stuffed)
    match got:
        case Reject(flaw=ours, seq=seq):
            assert ours is flaw, stuffed.hex()
            assert seq is None or seq == frame.seq
        case Frame(message=message, seq=seq, t_us=t_us):
            assert flaw is None, stuffed.hex()
            assert (frame.code, frame.seq, frame.t_us) == (message.CODE, seq, t_us)
            body = cobs.decode(stuffed)
            assert bytes(frame.payload[: frame.size]) == body[7:-2]
    return flaw


def random_message(rng: random.Random) -> Message:
    kind = rng.choice(sorted(BY_CODE.values(), key=lambda kind: kind.CODE))
    values: list[object] = list(kind.FIXED.unpack(rng.randbytes(kind.FIXED.size)))
    if kind.TAIL:
        values.append(tuple(rng.randrange(256) for _ in range(rng.randrange(20))))
    return kind(*values)


def mutated(wire: bytes, rng: random.Random) -> bytes:
    spoilt = bytearray(wire)
    for _ in range(rng.randrange(4)):
        at = rng.randrange(len(spoilt) + 1)
        match rng.randrange(4):
            case 0 if at < len(spoilt):
                spoilt[at] ^= 1 << rng.randrange(8)
            case 1:
                spoilt[at:at] = rng.randbytes(1)
            case 2:
                del spoilt[at : at + rng.randrange(1, 4)]
            case _:
                spoilt[at:at] = spoilt[at : at + 3]
    return bytes(spoilt).replace(b"\0", b"")


def rightly_summed(c: ctypes.CDLL, rng: random.Random) -> bytes:
    """Return any body with a right checksum, so that what lies behind the checksum is reached."""
    body = bytes([rng.choice(sorted(BY_CODE)) if rng.random() < 0.8 else rng.randrange(256)])
    body += rng.randbytes(rng.randrange(64))
    return cobs.encode(body + c.crc16(body, len(body)).to_bytes(2, "little"))
