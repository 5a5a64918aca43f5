"""Make messages.py, firmware/protocol.h and the tables of protocol.md from protocol.toml, firmware/rig.h from a rig.

``python -m firmware_bridge.generate`` writes them; with ``--check`` it only says which are out of date (exit code 1).
"""

import hashlib
import json
import logging
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.rig import Rig

logger = logging.getLogger(__name__)

HERE = Path(__file__).parent
MARK = "<!-- tables: made by firmware_bridge.generate from protocol.toml -->"
DEFAULT_RIG = "full"
HEADER_BYTES, CRC_BYTES = 7, 2

# name in protocol.toml -> (struct code, Python type, C type, bytes; an open end has its item's negative size)
KINDS: Mapping[str, tuple[str, str, str, int]] = {
    "u8": ("B", "int", "uint8_t", 1),
    "u16": ("H", "int", "uint16_t", 2),
    "u32": ("I", "int", "uint32_t", 4),
    "bytes16": ("16s", "bytes", "uint8_t", 16),
    "u8[]": ("", "tuple[int, ...]", "uint8_t", -1),
    "u16[]": ("", "tuple[int, ...]", "uint16_t", -2),
}
TAILS: Mapping[str, str] = {"u8[]": "B", "u16[]": "H"}


class ProtocolError(ValueError):
    """protocol.toml contradicts itself."""


@dataclass(frozen=True, slots=True)
class Field:
    """One number of a message."""

    name: str
    kind: str
    doc: str


@dataclass(frozen=True, slots=True)
class Message:
    """One kind of frame."""

    name: str
    code: int
    sender: str
    doc: str
    acknowledged: bool
    fields: tuple[Field, ...]

    @property
    def fixed(self) -> tuple[Field, ...]:
        """Fields of fixed size, which come before the open-ended one."""
        return tuple(field for field in self.fields if KINDS[field.kind][3] > 0)

    @property
    def tail(self) -> Field | None:
        """The open-ended last field, if the message has one."""
        return next((field for field in self.fields if KINDS[field.kind][3] < 0), None)

    @property
    def fixed_bytes(self) -> int:
        """Size of the fixed fields in bytes."""
        return sum(KINDS[field.kind][3] for field in self.fixed)

    @property
    def constant(self) -> str:
        """Name in C."""
        return "".join(f"_{letter}" if letter.isupper() else letter for letter in self.name).strip("_").upper()


@dataclass(frozen=True, slots=True)
class Enumeration:
    """Named values of a field."""

    name: str
    doc: str
    values: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Protocol:
    """protocol.toml as read."""

    major: int
    minor: int
    baud: int
    max_encoded_bytes: int
    timing_ms: Mapping[str, int]
    limits: Mapping[str, int]
    enums: tuple[Enumeration, ...]
    messages: tuple[Message, ...]
    tables: int
    """First 32 bits of the SHA-256 of everything the two ends have to agree on (comments and texts are left out)."""


def load(path: Path = HERE / "protocol.toml") -> Protocol:
    """Read and check protocol.toml.

    Raises ProtocolError when a code is used twice, a field kind is unknown or a message cannot fit a frame.
    """
    tree = tomllib.loads(path.read_text("utf-8"))
    enums = tuple(
        Enumeration(item["name"], item["doc"], tuple((name, value) for name, value in item["values"]))
        for item in tree["enum"]
    )
    messages = tuple(
        Message(
            item["name"],
            item["code"],
            item["sender"],
            item["doc"],
            item.get("acknowledged", False),
            tuple(Field(*field) for field in item["fields"]),
        )
        for item in tree["message"]
    )
    _check(messages, tree["max_encoded_bytes"])
    agreed = [
        tree["major"],
        tree["minor"],
        tree["baud"],
        tree["max_encoded_bytes"],
        tree["timing_ms"],
        tree["limits"],
        [[item.name, item.values] for item in enums],
        [[item.name, item.code, item.sender, [[f.name, f.kind] for f in item.fields]] for item in messages],
    ]
    digest = hashlib.sha256(json.dumps(agreed, sort_keys=True).encode()).digest()
    return Protocol(
        tree["major"],
        tree["minor"],
        tree["baud"],
        tree["max_encoded_bytes"],
        tree["timing_ms"],
        tree["limits"],
        enums,
        messages,
        int.from_bytes(digest[:4], "big"),
    )


def _check(messages: tuple[Message, ...], max_encoded_bytes: int) -> None:
    seen: dict[int, str] = {}
    # COBS adds one byte to frames this short, the delimiter is one more.
    room = max_encoded_bytes - 2 - HEADER_BYTES - CRC_BYTES
    for message in messages:
        if message.code in seen:
            msg = f"code {message.code:#04x} belongs to both {seen[message.code]} and {message.name}"
            raise ProtocolError(msg)
        seen[message.code] = message.name
        if unknown := [field.kind for field in message.fields if field.kind not in KINDS]:
            msg = f"{message.name}: unknown field kind {unknown[0]!r}; known: {', '.join(KINDS)}"
            raise ProtocolError(msg)
        if any(KINDS[field.kind][3] < 0 for field in message.fields[:-1]):
            msg = f"{message.name}: only the last field may be open-ended"
            raise ProtocolError(msg)
        if message.fixed_bytes > room:
            msg = f"{message.name} needs {message.fixed_bytes} bytes, a frame has room for {room}"
            raise ProtocolError(msg)


def python_source(protocol: Protocol) -> str:
    """Return the text of messages.py."""
    lines = [
        '"""The messages of protocol.toml. Made by ``python -m firmware_bridge.generate``; do not edit."""',
        "",
        "import struct",
        "from dataclasses import dataclass",
        "from enum import IntEnum",
        "from typing import ClassVar",
        "",
        f"PROTOCOL_MAJOR = {protocol.major}",
        f"PROTOCOL_MINOR = {protocol.minor}",
        f"PROTOCOL_TABLES = 0x{protocol.tables:08X}",
        f"BAUD = {protocol.baud}",
        f"MAX_ENCODED_BYTES = {protocol.max_encoded_bytes}",
        *(f"{name.upper()}_US = {1_000 * value:_}" for name, value in protocol.timing_ms.items()),
        *(f"{name.upper()} = {value}" for name, value in protocol.limits.items()),
    ]
    for enum in protocol.enums:
        lines += ["", "", f"class {enum.name}(IntEnum):", f'    """{enum.doc}"""', ""]
        lines += [f"    {name} = {value}" for name, value in enum.values]
    for message in protocol.messages:
        lines += ["", "", *_python_message(message)]
    union = " | ".join(message.name for message in protocol.messages)
    lines += ["", "", f"Message = (\n    {union.replace(' | ', chr(10) + '    | ')}\n)"]
    commands = [message.name for message in protocol.messages if message.acknowledged]
    lines += [f"Command = {' | '.join(commands)}"]
    lines += ["", "BY_CODE: dict[int, type[Message]] = {"]
    lines += [f"    {message.name}.CODE: {message.name}," for message in protocol.messages]
    return "\n".join([*lines, "}", ""])


def _python_message(message: Message) -> list[str]:
    layout = "<" + "".join(KINDS[field.kind][0] for field in message.fixed)
    lines = [
        "@dataclass(frozen=True, slots=True)",
        f"class {message.name}:",
        f'    """{message.doc}"""',
        "",
        f"    CODE: ClassVar[int] = 0x{message.code:02X}",
        f'    FIXED: ClassVar[struct.Struct] = struct.Struct("{layout}")',
        f'    TAIL: ClassVar[str] = "{TAILS[message.tail.kind] if message.tail else ""}"',
    ]
    for field in message.fields:
        lines += [f"    {field.name}: {KINDS[field.kind][1]}", f'    """{field.doc}"""']
    return lines


def c_header(protocol: Protocol) -> str:
    """Return the text of firmware/protocol.h."""
    lines = [
        "/* Made by `python -m firmware_bridge.generate` from protocol.toml; do not edit. */",
        "#ifndef NARDY_PROTOCOL_H",
        "#define NARDY_PROTOCOL_H",
        "#include <stdint.h>",
        "",
        f"#define PROTOCOL_MAJOR {protocol.major}",
        f"#define PROTOCOL_MINOR {protocol.minor}",
        f"#define PROTOCOL_TABLES 0x{protocol.tables:08X}UL",
        f"#define BAUD {protocol.baud}UL",
        f"#define MAX_ENCODED_BYTES {protocol.max_encoded_bytes}",
        *(f"#define {name.upper()}_MS {value}" for name, value in protocol.timing_ms.items()),
        *(f"#define {name.upper()} {value}" for name, value in protocol.limits.items()),
    ]
    for enum in protocol.enums:
        prefix = "".join(f"_{letter}" if letter.isupper() else letter for letter in enum.name).strip("_").upper()
        values = ", ".join(f"{prefix}_{name} = {value}" for name, value in enum.values)
        lines += ["", f"/* {enum.doc} */", f"enum {{ {values} }};"]
    for message in protocol.messages:
        lines += ["", f"/* {message.doc} */", f"#define MSG_{message.constant} 0x{message.code:02X}"]
        lines += [f"#define SIZE_{message.constant} {message.fixed_bytes}"]
        if message.fixed:
            lines += [f"struct __attribute__((packed)) {message.constant.lower()} {{"]
            for field in message.fixed:
                many = "[16]" if field.kind == "bytes16" else ""
                lines += [f"    {KINDS[field.kind][2]} {field.name}{many}; /* {field.doc} */"]
            lines += ["};"]
    lines += ["", "/* Every message: code, bytes of its fixed fields, bytes of one item of its open end (0: none). */"]
    lines += [f"#define MESSAGE_COUNT {len(protocol.messages)}", "#define MESSAGE_TABLE \\"]
    for message in protocol.messages:
        step = -KINDS[message.tail.kind][3] if message.tail else 0
        lines += [f"    {{MSG_{message.constant}, SIZE_{message.constant}, {step}}}, \\"]
    return "\n".join([*lines[:-1], lines[-1].removesuffix(", \\"), "", "#endif", ""])


def rig_header(rig: Rig) -> str:
    """Return the text of firmware/rig.h.

    Raises ProtocolError when the rig has no ATmega328P or no chain.
    """
    if rig.controller != "atmega328p" or rig.chain is None:
        msg = f'rig {rig.name} has no microcontroller to flash: it needs controller = "atmega328p" and a [chain]'
        raise ProtocolError(msg)
    lines = [
        f"/* Made by `python -m firmware_bridge.generate` from hardware/rig/{rig.name}.toml; do not edit. */",
        "#ifndef NARDY_RIG_H",
        "#define NARDY_RIG_H",
        "",
        f"#define RIG_FINGERPRINT 0x{rig.fingerprint():04X}",
        f"#define REGISTERS {rig.chain.registers}",
        f"#define SLOTS {rig.slot_count}",
    ]
    for use, pin in rig.pins().items():
        if not use.startswith("lamp"):
            lines += ["", *_pin_defines(use.replace(" ", "_").upper(), pin, buttons=use.startswith("button"))]
    lines += ["", f"#define LAMPS {len(rig.lamps)}", "/* port and bit of each lamp, by its number */"]
    lamps = ", ".join(f"{{&PORT{pin[1]}, 1 << {pin[2]}}}" for pin in rig.lamps.values())
    lines += [f"#define LAMP_TABLE {lamps}", "#define LAMPS_OUTPUT() \\"]
    lines += [f"    DDR{pin[1]} |= 1 << {pin[2]}; \\" for pin in rig.lamps.values()]
    return "\n".join([*lines[:-1], lines[-1].removesuffix(" \\"), "", "#endif", ""])


def _pin_defines(name: str, pin: str, *, buttons: bool) -> list[str]:
    port, bit = pin[1], pin[2]
    lines = [f"#define {name}_{kind} {kind}{port}" for kind in ("PORT", "DDR", "PIN")]
    lines += [f"#define {name}_BIT {bit}"]
    if buttons:
        lines += [f"#define {name}_PCMSK PCMSK{'BCD'.index(port)}"]
    return lines


def tables(protocol: Protocol) -> str:
    """Return the tables of protocol.md in Markdown."""
    lines = [f"Version {protocol.major}.{protocol.minor}, hash of the tables `{protocol.tables:08x}`.", ""]
    for sender, title in (("board", "From the board"), ("host", "From the host")):
        lines += [f"### {title}", "", "| code | message | fields | meaning |", "|---|---|---|---|"]
        for message in protocol.messages:
            if message.sender == sender:
                fields = "<br>".join(f"`{f.name}` {f.kind}: {f.doc}" for f in message.fields) or "none"
                lines += [f"| `0x{message.code:02X}` | {message.name} | {fields} | {message.doc} |"]
        lines += [""]
    lines += ["### Values", "", "| name | values |", "|---|---|"]
    for enum in protocol.enums:
        lines += [f"| {enum.name} | {', '.join(f'{value} {name.lower()}' for name, value in enum.values)} |"]
    lines += ["", "### Times and limits", "", "| name | value |", "|---|---|"]
    lines += [f"| {name.replace('_', ' ')} | {value} ms |" for name, value in protocol.timing_ms.items()]
    lines += [f"| {name.replace('_', ' ')} | {value} |" for name, value in protocol.limits.items()]
    return "\n".join([*lines, ""])


def outputs(protocol: Protocol, rig: str = DEFAULT_RIG) -> dict[Path, str]:
    """Return every generated file with the text it should have."""
    document = HERE / "protocol.md"
    prose = document.read_text("utf-8").partition(MARK)[0]
    return {
        HERE / "messages.py": python_source(protocol),
        HERE / "firmware" / "protocol.h": c_header(protocol),
        HERE / "firmware" / "rig.h": rig_header(Rig.load(rig)),
        document: f"{prose}{MARK}\n\n{tables(protocol)}",
    }


def main(arguments: list[str]) -> int:
    """Write the generated files, or with ``--check`` say which differ. ``--rig NAME`` builds for another rig."""
    logging.basicConfig(format="%(message)s", level=logging.INFO)
    rig = arguments[arguments.index("--rig") + 1] if "--rig" in arguments else DEFAULT_RIG
    wanted = outputs(load(), rig)
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    if "--check" in arguments:
        for path in stale:
            logger.error("%s is out of date: run python -m firmware_bridge.generate", path.name)
        return 1 if stale else 0
    for path, text in wanted.items():
        if path in stale:
            path.write_text(text, "utf-8")
            logger.info("wrote %s", path.name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
