"""The messages of protocol.toml. Made by ``python -m firmware_bridge.generate``; do not edit."""

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar

PROTOCOL_MAJOR = 1
PROTOCOL_MINOR = 0
PROTOCOL_TABLES = 0x159FDB95
BAUD = 250000
MAX_ENCODED_BYTES = 64
KEYFRAME_US = 1_000_000
STAT_US = 5_000_000
BUTTON_RETRY_US = 50_000
HELLO_TIMEOUT_US = 2_500_000
COMMAND_RETRY_US = 100_000
PING_US = 984_000
COMMAND_TRIES = 3
EDGES_PER_FRAME = 12
PENDING_PRESSES = 8
MAX_SLOTS = 200


class Button(IntEnum):
    """A key on the clock."""

    WHITE = 1
    BLACK = 2
    PAUSE = 3


class LampMode(IntEnum):
    """What a lamp does."""

    OFF = 0
    ON = 1
    BLINK = 2


class ResetCause(IntEnum):
    """Why the microcontroller started."""

    UNKNOWN = 0
    POWER_ON = 1
    EXTERNAL = 2
    BROWN_OUT = 4
    WATCHDOG = 8


class Refusal(IntEnum):
    """Why the board did not carry out a command."""

    UNKNOWN_COMMAND = 1
    BAD_LENGTH = 2
    BAD_VALUE = 3


@dataclass(frozen=True, slots=True)
class Hello:
    """Who the board is; sent after each start and on request."""

    CODE: ClassVar[int] = 0x01
    FIXED: ClassVar[struct.Struct] = struct.Struct("<BBIBBBHBBHH16s")
    TAIL: ClassVar[str] = ""
    major: int
    """protocol version; the host refuses another one"""
    minor: int
    """protocol version; the host warns about another one"""
    tables: int
    """hash of protocol.toml the firmware was built from"""
    firmware_major: int
    """version of the firmware"""
    firmware_minor: int
    """version of the firmware"""
    firmware_patch: int
    """version of the firmware"""
    rig: int
    """fingerprint of the rig file the firmware was built from"""
    slots: int
    """reed slots in the chain"""
    reset_cause: int
    """ResetCause, several may be set"""
    boots: int
    """starts of this board since it was made"""
    session: int
    """the start at which the press counter last began at zero"""
    board_id: bytes
    """unique number of the board"""


@dataclass(frozen=True, slots=True)
class Keyframe:
    """All slots at t_us. Heals whatever was lost before it."""

    CODE: ClassVar[int] = 0x02
    FIXED: ClassVar[struct.Struct] = struct.Struct("<B")
    TAIL: ClassVar[str] = "B"
    held: int
    """buttons held down, bit 0 white, 1 black, 2 pause"""
    slots: tuple[int, ...]
    """bit i of byte k is slot 8k+i; 1 = a checker lies there"""


@dataclass(frozen=True, slots=True)
class Edge:
    """Slots that changed; t_us is the scan that saw the change first."""

    CODE: ClassVar[int] = 0x03
    FIXED: ClassVar[struct.Struct] = struct.Struct("<")
    TAIL: ClassVar[str] = "H"
    changes: tuple[int, ...]
    """slot number, bit 15 set when a checker came"""


@dataclass(frozen=True, slots=True)
class Press:
    """A button went down at t_us. Sent again until PressAck; the next one waits, so presses arrive in order."""

    CODE: ClassVar[int] = 0x04
    FIXED: ClassVar[struct.Struct] = struct.Struct("<BHH")
    TAIL: ClassVar[str] = ""
    button: int
    """Button"""
    session: int
    """as in Hello"""
    count: int
    """number of the press in its session, from 1"""


@dataclass(frozen=True, slots=True)
class Stat:
    """Counters since the start, for the health page."""

    CODE: ClassVar[int] = 0x05
    FIXED: ClassVar[struct.Struct] = struct.Struct("<HHHBBHHB")
    TAIL: ClassVar[str] = ""
    rx_bad: int
    """frames from the host with a wrong CRC, length or COBS code"""
    tx_wait: int
    """times a frame had to wait for room in the ring"""
    rx_lost: int
    """bytes from the host that found the ring full"""
    rx_high: int
    """most bytes waiting in the receive ring"""
    tx_high: int
    """most bytes waiting in the send ring"""
    loop_max_us: int
    """longest round of the main loop, microseconds"""
    chain_bad: int
    """scans thrown away because the end mark of the chain was wrong"""
    press_lost: int
    """presses that found the waiting list full"""


@dataclass(frozen=True, slots=True)
class Pong:
    """Answer to Ping; t_us is when its last byte came in."""

    CODE: ClassVar[int] = 0x06
    FIXED: ClassVar[struct.Struct] = struct.Struct("<H")
    TAIL: ClassVar[str] = ""
    ping_seq: int
    """seq of the Ping"""


@dataclass(frozen=True, slots=True)
class Ack:
    """A command was carried out (or had been: a repeated seq is answered, not repeated)."""

    CODE: ClassVar[int] = 0x07
    FIXED: ClassVar[struct.Struct] = struct.Struct("<H")
    TAIL: ClassVar[str] = ""
    command_seq: int
    """seq of the command"""


@dataclass(frozen=True, slots=True)
class Nak:
    """A command was not carried out."""

    CODE: ClassVar[int] = 0x08
    FIXED: ClassVar[struct.Struct] = struct.Struct("<HB")
    TAIL: ClassVar[str] = ""
    command_seq: int
    """seq of the command"""
    refusal: int
    """Refusal"""


@dataclass(frozen=True, slots=True)
class AskHello:
    """Say who you are."""

    CODE: ClassVar[int] = 0x41
    FIXED: ClassVar[struct.Struct] = struct.Struct("<")
    TAIL: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class AskKeyframe:
    """Send a keyframe now."""

    CODE: ClassVar[int] = 0x42
    FIXED: ClassVar[struct.Struct] = struct.Struct("<")
    TAIL: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class AskStat:
    """Send the counters now."""

    CODE: ClassVar[int] = 0x43
    FIXED: ClassVar[struct.Struct] = struct.Struct("<")
    TAIL: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class Ping:
    """Ask for the time of the board."""

    CODE: ClassVar[int] = 0x44
    FIXED: ClassVar[struct.Struct] = struct.Struct("<")
    TAIL: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class PressAck:
    """The press is in safe hands; also sent for a press seen before."""

    CODE: ClassVar[int] = 0x45
    FIXED: ClassVar[struct.Struct] = struct.Struct("<HH")
    TAIL: ClassVar[str] = ""
    session: int
    """as in Press"""
    count: int
    """as in Press"""


@dataclass(frozen=True, slots=True)
class Lamp:
    """Command: switch a lamp."""

    CODE: ClassVar[int] = 0x50
    FIXED: ClassVar[struct.Struct] = struct.Struct("<BB")
    TAIL: ClassVar[str] = ""
    lamp: int
    """number of the lamp in the rig file"""
    mode: int
    """LampMode"""


@dataclass(frozen=True, slots=True)
class Buzz:
    """Command: sound the buzzer."""

    CODE: ClassVar[int] = 0x51
    FIXED: ClassVar[struct.Struct] = struct.Struct("<HH")
    TAIL: ClassVar[str] = ""
    pitch_hz: int
    """100 to 8000"""
    length_ms: int
    """at most 5000; 0 silences"""


@dataclass(frozen=True, slots=True)
class Brightness:
    """Command: brightness of the lamps."""

    CODE: ClassVar[int] = 0x52
    FIXED: ClassVar[struct.Struct] = struct.Struct("<B")
    TAIL: ClassVar[str] = ""
    level: int
    """0 dark to 255 full"""


@dataclass(frozen=True, slots=True)
class SelfTest:
    """Command: each lamp in turn and a chirp, then a Stat and a Keyframe."""

    CODE: ClassVar[int] = 0x53
    FIXED: ClassVar[struct.Struct] = struct.Struct("<")
    TAIL: ClassVar[str] = ""


Message = (
    Hello
    | Keyframe
    | Edge
    | Press
    | Stat
    | Pong
    | Ack
    | Nak
    | AskHello
    | AskKeyframe
    | AskStat
    | Ping
    | PressAck
    | Lamp
    | Buzz
    | Brightness
    | SelfTest
)
Command = Lamp | Buzz | Brightness | SelfTest

BY_CODE: dict[int, type[Message]] = {
    Hello.CODE: Hello,
    Keyframe.CODE: Keyframe,
    Edge.CODE: Edge,
    Press.CODE: Press,
    Stat.CODE: Stat,
    Pong.CODE: Pong,
    Ack.CODE: Ack,
    Nak.CODE: Nak,
    AskHello.CODE: AskHello,
    AskKeyframe.CODE: AskKeyframe,
    AskStat.CODE: AskStat,
    Ping.CODE: Ping,
    PressAck.CODE: PressAck,
    Lamp.CODE: Lamp,
    Buzz.CODE: Buzz,
    Brightness.CODE: Brightness,
    SelfTest.CODE: SelfTest,
}
