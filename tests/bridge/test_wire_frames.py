import struct
from dataclasses import fields

import pytest
from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import messages
from firmware_bridge.frames import Flaw, Frame, FrameError, Reject, Splitter, crc, decode, encode
from firmware_bridge.messages import BY_CODE, MAX_ENCODED_BYTES, Edge, Message, Ping

RANGES = {"B": 0xFF, "H": 0xFFFF, "I": 0xFFFFFFFF}


@st.composite
def some_messages(draw: st.DrawFn) -> Message:
    kind = draw(st.sampled_from(sorted(BY_CODE.values(), key=lambda kind: kind.CODE)))
    values: list[object] = [
        draw(st.binary(min_size=16, max_size=16) if code == "S" else st.integers(0, RANGES[code]))
        for code in kind.FIXED.format.strip("<").replace("16s", "S")
    ]
    if kind.TAIL:
        room = (MAX_ENCODED_BYTES - 11 - kind.FIXED.size) // struct.calcsize(kind.TAIL)
        values.append(tuple(draw(st.lists(st.integers(0, RANGES[kind.TAIL]), max_size=room))))
    assert len(values) == len(fields(kind))
    return kind(*values)


some_frames = st.builds(Frame, some_messages(), st.integers(0, 0xFFFF), st.integers(0, 0xFFFFFFFF))


@given(some_frames)
def test_a_frame_survives_the_wire(frame: Frame) -> None:
    wire = encode(frame)
    assert len(wire) <= MAX_ENCODED_BYTES
    assert wire.count(0) == 1
    assert wire[-1] == 0
    assert decode(wire[:-1]) == frame


def test_the_number_after_the_highest_is_zero() -> None:
    frame = decode(encode(Frame(Ping(), 0x10000, 0))[:-1])
    assert isinstance(frame, Frame)
    assert frame.seq == 0


def test_the_checksum_is_ccitt_false() -> None:
    # The check value of the catalogue of CRC algorithms for CRC-16/CCITT-FALSE (IBM-3740).
    assert crc(b"123456789") == 0x29B1


@given(some_frames, st.data())
def test_a_burst_of_up_to_16_bits_never_passes(frame: Frame, data: st.DataObject) -> None:
    body = cobs.decode(encode(frame)[:-1])
    start = data.draw(st.integers(0, 8 * len(body) - 16))
    burst = data.draw(st.integers(1, 0xFFFF))
    spoilt = (int.from_bytes(body, "little") ^ burst << start).to_bytes(len(body), "little")
    # CRCs are sent low byte first, so a burst across the two CRC bytes counts from the body's side: see the frame rule.
    if start + burst.bit_length() <= 8 * (len(body) - 2):
        assert decode(cobs.encode(spoilt)) == Reject(Flaw.CHECKSUM, cobs.encode(spoilt))


@given(st.lists(some_frames, max_size=5), st.data())
def test_the_way_bytes_are_cut_does_not_matter(frames: list[Frame], data: st.DataObject) -> None:
    stream = b"".join(map(encode, frames))
    splitter, got, rest = Splitter(), [], stream
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        got += splitter.feed(rest[:size])
        rest = rest[size:]
    assert got == frames


@given(st.binary(max_size=300), some_frames)
def test_after_any_garbage_the_next_zero_is_a_fresh_start(garbage: bytes, frame: Frame) -> None:
    got = list(Splitter().feed(garbage + b"\0" + encode(frame)))
    assert got[-1] == frame


@given(st.binary(min_size=65, max_size=1000).map(lambda noise: noise.replace(b"\0", b"\1")))
def test_noise_without_an_end_takes_no_memory(noise: bytes) -> None:
    splitter = Splitter()
    assert list(splitter.feed(noise)) == []
    (reject,) = splitter.feed(b"\0")
    assert isinstance(reject, Reject)
    assert reject.flaw is Flaw.TOO_LONG
    assert len(reject.received) == MAX_ENCODED_BYTES


def test_a_number_too_big_for_its_field_is_refused_by_name() -> None:
    with pytest.raises(FrameError, match=r"Lamp\(lamp=256, mode=0\) does not fit its fields"):
        encode(Frame(messages.Lamp(256, 0), 0, 0))


def test_a_frame_longer_than_the_limit_is_refused() -> None:
    with pytest.raises(FrameError, match="Edge would take 71 bytes, at most 64 may travel"):
        encode(Frame(Edge(tuple([1] * 30)), 0, 0))


def test_an_unknown_message_keeps_its_number() -> None:
    body = bytes([0x77]) + struct.pack("<HI", 5, 0)
    reject = decode(cobs.encode(body + struct.pack("<H", crc(body))))
    assert isinstance(reject, Reject)
    assert (reject.flaw, reject.seq) == (Flaw.CODE, 5)


def test_a_ping_takes_eleven_bytes() -> None:
    assert len(encode(Frame(Ping(), 1, 0))) == 11
