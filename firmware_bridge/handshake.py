"""The handshake: is this the board we expect? Judges its Hello. Pure."""

from dataclasses import dataclass

from cobs import cobs

from firmware_bridge.frames import CRC, HEADER, Flaw, Reject
from firmware_bridge.messages import PROTOCOL_MAJOR, PROTOCOL_MINOR, PROTOCOL_TABLES, Hello
from firmware_bridge.values import Trouble


def flash_command(port: str | None = None) -> str:
    """Return the command that flashes the board at ``port``; without one it asks for the port itself."""
    make = "make -C firmware_bridge/firmware flash"
    return f"{make} PORT={port}" if port else make


FLASH = flash_command()


@dataclass(frozen=True, slots=True)
class Expected:
    """What the rig file says about the board; None accepts any."""

    slots: int | None = None
    rig: int | None = None
    """Fingerprint of the rig file."""


def objection(hello: Hello, expected: Expected) -> tuple[Trouble, str] | None:
    """Return why the board must be refused, or None."""
    if hello.major != PROTOCOL_MAJOR:
        return Trouble.OLD_FIRMWARE, wrong_version(hello.major, hello.minor)
    if expected.slots is not None and hello.slots != expected.slots:
        detail = (
            f"the board's firmware reads {hello.slots} slots, the rig file has {expected.slots}: "
            f"choose the right rig file or flash the board with `{FLASH}`"
        )
        return Trouble.WRONG_RIG, detail
    return None


def warnings(hello: Hello, expected: Expected) -> tuple[str, ...]:
    """Return what is odd about the board but does not keep it from serving."""
    odd = []
    if hello.minor != PROTOCOL_MINOR or hello.tables != PROTOCOL_TABLES:
        odd.append(
            f"the board speaks protocol {hello.major}.{hello.minor} (tables {hello.tables:08x}), this program "
            f"{PROTOCOL_MAJOR}.{PROTOCOL_MINOR} ({PROTOCOL_TABLES:08x}): flash it when convenient with `{FLASH}`"
        )
    if expected.rig is not None and hello.rig != expected.rig:
        odd.append(
            f"the board was built from rig {hello.rig:04x}, the rig file is {expected.rig:04x}: "
            f"if pins were changed, flash it with `{FLASH}`"
        )
    return tuple(odd)


def foreign_major(reject: Reject) -> str | None:
    """Return the complaint about a Hello of another major version, whose other fields we cannot read.

    Every version of the protocol begins its Hello with code 0x01 and, after the header, major and minor.
    """
    if reject.flaw is not Flaw.FIELDS:
        return None
    body = cobs.decode(reject.received)[: -CRC.size]
    if body[0] != Hello.CODE or len(body) < HEADER.size + 2 or body[HEADER.size] == PROTOCOL_MAJOR:
        return None
    return wrong_version(body[HEADER.size], body[HEADER.size + 1])


def wrong_version(major: int, minor: int) -> str:
    """Return the line for a board of another major version."""
    return f"the board speaks protocol {major}.{minor}, this program {PROTOCOL_MAJOR}.x: flash it with `{FLASH}`"
