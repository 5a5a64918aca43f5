"""The firmware's parser and debouncer, compiled for this machine, against their counterparts in Python."""

import ctypes
import random
import shutil

import pytest
from c_parser import agree, load, mutated, random_message, rightly_summed
from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.frames import Flaw, Frame, encode
from firmware_bridge.messages import MAX_ENCODED_BYTES
from firmware_bridge.rig import Rig

ROUNDS = 20_000


@pytest.fixture(scope="module")
def c(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    for tool in ("cc", "make"):
        if shutil.which(tool) is None:
            pytest.skip(f"no {tool}: apt install gcc make")
    return load(tmp_path_factory.mktemp("native"))


def test_both_parsers_agree_on_random_and_mutated_frames(c: ctypes.CDLL) -> None:
    rng = random.Random(1)
    seen = {
        agree(c, mutated(encode(Frame(random_message(rng), rng.randrange(65536), rng.getrandbits(32)))[:-1], rng))
        for _ in range(ROUNDS)
    }
    assert {None, Flaw.CHECKSUM, Flaw.STUFFING} <= seen


def test_both_parsers_agree_on_right_checksums_over_any_body(c: ctypes.CDLL) -> None:
    rng = random.Random(2)
    seen = {agree(c, rightly_summed(c, rng)) for _ in range(ROUNDS // 3)}
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
