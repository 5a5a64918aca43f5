"""The firmware's parser and debouncer, compiled for this machine, against their counterparts in Python."""

import ctypes
import random
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import cobs
from firmware_bridge.emulator import FIRMWARE
from firmware_bridge.frames import Flaw, Frame, Reject, decode, encode
from firmware_bridge.messages import BY_CODE, MAX_ENCODED_BYTES, Message
from firmware_bridge.rig import Rig

FLAWS = [None, Flaw.TOO_LONG, Flaw.STUFFING, Flaw.TOO_SHORT, Flaw.CHECKSUM, Flaw.CODE, Flaw.FIELDS]
ROUNDS = 30_000


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


@pytest.fixture(scope="module")
def c(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    for tool in ("cc", "make"):
        if shutil.which(tool) is None:
            pytest.skip(f"no {tool}: apt install gcc make")
    target = tmp_path_factory.mktemp("native")
    subprocess.run(["make", "-C", FIRMWARE, f"BUILD={target}", "native"], check=True, capture_output=True)
    library = ctypes.CDLL(str(target / "libboard.so"))
    for function in (library.splitter_feed, library.encode, library.reeds_scan):
        function.restype = ctypes.c_uint8
    library.crc16.restype = ctypes.c_uint16
    return library


def c_decode(c: ctypes.CDLL, stuffed: bytes) -> tuple[Flaw | None, CFrame]:
    splitter, frame = CSplitter(), CFrame()
    for byte in stuffed:
        assert c.splitter_feed(ctypes.byref(splitter), byte) == 0
    assert c.splitter_feed(ctypes.byref(splitter), 0) == (1 if stuffed else 0)
    return FLAWS[c.decode(ctypes.byref(splitter), ctypes.byref(frame))], frame


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


def test_both_parsers_agree_on_random_and_mutated_frames(c: ctypes.CDLL) -> None:
    rng = random.Random(1)
    seen = {
        agree(c, mutated(encode(Frame(random_message(rng), rng.randrange(65536), rng.getrandbits(32)))[:-1], rng))
        for _ in range(ROUNDS)
    }
    assert {None, Flaw.CHECKSUM, Flaw.STUFFING} <= seen


def test_both_parsers_agree_on_right_checksums_over_any_body(c: ctypes.CDLL) -> None:
    rng = random.Random(2)
    seen = set()
    for _ in range(ROUNDS // 3):
        body = bytes([rng.choice(sorted(BY_CODE)) if rng.random() < 0.8 else rng.randrange(256)])
        body += rng.randbytes(rng.randrange(64))
        checksum = c.crc16(body, len(body))
        seen.add(agree(c, cobs.encode(body + checksum.to_bytes(2, "little"))))
    assert seen == {None, Flaw.TOO_LONG, Flaw.TOO_SHORT, Flaw.CODE, Flaw.FIELDS}


@given(st.binary(max_size=80).map(lambda noise: noise.replace(b"\0", b"")))
def test_both_parsers_agree_on_noise(c: ctypes.CDLL, noise: bytes) -> None:
    agree(c, noise)


def test_the_firmware_writes_frames_as_the_host_does(c: ctypes.CDLL) -> None:
    rng = random.Random(3)
    wire = (ctypes.c_uint8 * MAX_ENCODED_BYTES)()
    for _ in range(2000):
        frame = Frame(random_message(rng), rng.randrange(65536), rng.getrandbits(32))
        ours = encode(frame)
        payload = cobs.decode(ours[:-1])[7:-2]
        length = c.encode(frame.message.CODE, frame.seq, ctypes.c_uint32(frame.t_us), payload, len(payload), wire)
        assert bytes(wire[:length]) == ours


def test_a_slot_changes_only_after_three_equal_scans(c: ctypes.CDLL) -> None:
    registers = Rig.load("full").slot_count // 8
    reeds = (ctypes.c_uint8 * (3 * registers))()
    changes = (ctypes.c_uint16 * 12)()
    rng = random.Random(4)
    steady = [0] * 160
    run = [0] * 160
    for _ in range(3000):
        # Contacts that mostly stay, some that chatter.
        levels = [steady[slot] ^ (rng.random() < (0.6 if slot % 7 == 0 else 0.02)) for slot in range(160)]
        packed = bytes(sum(levels[8 * r + bit] << bit for bit in range(8)) for r in range(registers))
        count = c.reeds_scan(reeds, packed, changes)
        expected = []
        for slot, level in enumerate(levels):
            run[slot] = run[slot] + 1 if level != steady[slot] else 0
            if run[slot] == 3:
                steady[slot], run[slot] = level, 0
                expected.append(slot | level << 15)
        assert count == len(expected)
        assert list(changes[: min(count, 12)]) == expected[:12]
