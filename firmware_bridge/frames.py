"""Frames of the wire, both ways between bytes and messages. Pure; the layout is in protocol.md."""

import binascii
import struct
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from enum import Enum

from cobs import cobs

from firmware_bridge.clocks import TICKS_US
from firmware_bridge.messages import BY_CODE, MAX_ENCODED_BYTES, Message

HEADER = struct.Struct("<BHI")
CRC = struct.Struct("<H")
SEQS = 1 << 16


class Flaw(Enum):
    """What was wrong with the bytes between two zeros."""

    TOO_LONG = "too long"
    STUFFING = "COBS code"
    TOO_SHORT = "too short"
    CHECKSUM = "checksum"
    CODE = "unknown code"
    FIELDS = "length of the fields"


@dataclass(frozen=True, slots=True)
class Frame:
    """A message with its place and time in the sender's stream."""

    message: Message
    seq: int
    """0 to 65535, one up with each frame sent."""
    t_us: int
    """When it happened, microseconds of the sender's clock modulo 2**32."""


@dataclass(frozen=True, slots=True)
class Reject:
    """Bytes between two zeros that are not a frame we know."""

    flaw: Flaw
    received: bytes
    seq: int | None = None
    """Its number, when the checksum was right and only the message is unknown."""


class FrameError(ValueError):
    """A message that cannot travel."""


def encode(frame: Frame) -> bytes:
    """Return the bytes of ``frame`` on the wire, closing zero included.

    Raises FrameError when a field is out of range or the frame is longer than 64 bytes.
    """
    message = frame.message
    fields = list(astuple(message))
    tail = fields.pop() if message.TAIL else ()
    try:
        body = (
            HEADER.pack(message.CODE, frame.seq % SEQS, frame.t_us % TICKS_US)
            + message.FIXED.pack(*fields)
            + struct.pack(f"<{len(tail)}{message.TAIL or 'x'}", *tail)
        )
    except struct.error as error:
        msg = f"{message} does not fit its fields: {error}"
        raise FrameError(msg) from None
    wire: bytes = cobs.encode(body + CRC.pack(crc(body))) + b"\0"
    if len(wire) > MAX_ENCODED_BYTES:
        msg = f"{type(message).__name__} would take {len(wire)} bytes, at most {MAX_ENCODED_BYTES} may travel"
        raise FrameError(msg)
    return wire


def decode(stuffed: bytes) -> Frame | Reject:
    """Read the bytes before a closing zero."""
    body = _body(stuffed)
    if isinstance(body, Flaw):
        return Reject(body, stuffed)
    code, seq, t_us = HEADER.unpack_from(body)
    kind = BY_CODE.get(code)
    if kind is None:
        return Reject(Flaw.CODE, stuffed, seq)
    payload = body[HEADER.size :]
    fixed, tail = payload[: kind.FIXED.size], payload[kind.FIXED.size :]
    step = struct.calcsize(kind.TAIL)
    if len(fixed) < kind.FIXED.size or (len(tail) % step if step else tail):
        return Reject(Flaw.FIELDS, stuffed, seq)
    fields = list(kind.FIXED.unpack(fixed))
    if step:
        fields.append(struct.unpack(f"<{len(tail) // step}{kind.TAIL}", tail))
    return Frame(kind(*fields), seq, t_us)


def _body(stuffed: bytes) -> bytes | Flaw:
    if len(stuffed) >= MAX_ENCODED_BYTES:
        return Flaw.TOO_LONG
    try:
        whole: bytes = cobs.decode(stuffed)
    except cobs.DecodeError:
        return Flaw.STUFFING
    body = whole[: -CRC.size]
    if len(body) < HEADER.size:
        return Flaw.TOO_SHORT
    return body if CRC.pack(crc(body)) == whole[-CRC.size :] else Flaw.CHECKSUM


def crc(body: bytes) -> int:
    """Return the CRC-16/CCITT-FALSE of ``body``."""
    return binascii.crc_hqx(body, 0xFFFF)


class Splitter:
    """Cuts a stream of bytes at its zeros. Finds its feet again at the next zero after any garbage."""

    def __init__(self) -> None:
        self._waiting = b""

    def feed(self, received: bytes) -> Iterator[Frame | Reject]:
        """Yield what ``received`` completes, in order. Each call has to be read to its end before the next."""
        *closed, rest = received.split(b"\0")
        # One byte more than fits is kept, so that decode sees that it is too long; the rest is dropped.
        for piece in closed:
            stuffed = (self._waiting + piece)[:MAX_ENCODED_BYTES]
            self._waiting = b""
            if stuffed:
                yield decode(stuffed)
        self._waiting = (self._waiting + rest)[:MAX_ENCODED_BYTES]
