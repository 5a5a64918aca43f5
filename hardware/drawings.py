"""Make wiring plans, circuits, bills of materials and the measures of the printed parts from the rig files.

``python hardware/drawings.py`` writes them, with ``--check`` it only says which are out of date; ``make -C hardware``
renders them. The netlists of the circuit boards are made by circuit.py where SKiDL is; elsewhere they stay as they are.
"""

import csv
import io
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from firmware_bridge.rig import POINTS, Rig
from hardware.netlist import Netlist
from hardware.schematic import schematic

logger = logging.getLogger("drawings")

HERE = Path(__file__).parent

RIGS = ("full", "full_pi", "camera_only")
CIRCUIT_RIG = "full"
CIRCUITS = {
    "controller": "Controller: the ATmega328P and its plugs",
    "strip": "Strip under four points, one of six",
    "end": "Bar and trays, the end of the chain",
}
SYMBOLS = Path(os.environ.get("KICAD6_SYMBOL_DIR", "/usr/share/kicad/symbols"))
STRIP_POINTS, STRIP_REGISTERS = 4, 3
CHECKERS, SPARE = 30, 2
MADE = "made by hardware/drawings.py from hardware/rig/{rig}.toml; do not edit"
CHAIN_WIRES = ("GND", "3V3", "LOAD", "CLOCK", "OUTPUT")
CHAIN_COLOURS = ("BK", "RD", "YE", "GN", "BU")
SERIES_OHMS = 100
"""In LOAD and CLOCK where they leave the controller: 2 m of cable would ring, and a ringing clock counts twice."""
HEADER = {
    "GND": 9, "3V3": 1,
    "GPIO2": 3, "GPIO3": 5, "GPIO4": 7, "GPIO17": 11, "GPIO27": 13, "GPIO22": 15, "GPIO10": 19, "GPIO9": 21,
    "GPIO11": 23, "GPIO5": 29, "GPIO6": 31, "GPIO13": 33, "GPIO19": 35, "GPIO26": 37, "GPIO14": 8, "GPIO15": 10,
    "GPIO18": 12, "GPIO23": 16, "GPIO24": 18, "GPIO25": 22, "GPIO8": 24, "GPIO7": 26, "GPIO12": 32, "GPIO16": 36,
    "GPIO20": 38, "GPIO21": 40,
}  # fmt: skip
"""Places on the 40-pin header of a Raspberry Pi (raspberrypi.com, GPIO and the 40-pin header)."""
PRO_MINI = {"GND": "GND", "3V3": "VCC", **{f"PC{n}": f"A{n}" for n in range(6)}} | {
    **{f"PD{n}": str(n) for n in range(8)},
    **{f"PB{n}": str(8 + n) for n in range(6)},
}
"""What is printed beside the pins of an Arduino Pro Mini."""
CONTROLLERS = {
    "atmega328p": ("Arduino Pro Mini, as printed on it", PRO_MINI, "more GND beside RAW and beside TXO"),
    "pi": ("Raspberry Pi, 40-pin header", HEADER, "more GND on 6, 14, 20, 25, 30, 34, 39"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a bill of materials."""

    count: int
    part: str
    note: str


def strips(rig: Rig) -> list[str]:
    """Return the names of the sensor boards in the order of the chain, nearest to the controller first."""
    if rig.chain is None:
        return []
    points = [f"p{first}-p{first + STRIP_POINTS - 1}" for first in range(1, len(POINTS), STRIP_POINTS)]
    rest = rig.chain.registers - STRIP_REGISTERS * len(points)
    return [*points, *(["bar-trays"] if rest else [])]


def bill(rig: Rig) -> list[Line]:
    """Return what has to be bought for ``rig``."""
    lines = []
    if rig.controller == "atmega328p":
        lines += [
            Line(1, "Arduino Pro Mini 3.3 V / 8 MHz (ATmega328P)", "safe for a Pi: nothing on the board exceeds 3.3 V"),
            Line(1, "USB serial adapter with 3.3 V levels (FT232R, CP2102)", "must know 250,000 baud"),
        ]
    else:
        lines += [Line(1, "Raspberry Pi 4 or 5", "buttons, lamps and, if any, the chain on its 40-pin header")]
    if rig.chain:
        slots = sum(map(len, rig.slots.values()))
        registers = rig.chain.registers
        lines += [
            Line(registers, "74HC165 shift register, SO-16", "at 3.3 V"),
            Line(slots, "reed switch, glass 14 mm, AT 15-20, normally open", "one a slot, see hardware/README.md"),
            Line(registers, "resistor network 8 x 10 kOhm, common pin", "pull-ups, one a register"),
            Line(registers, "capacitor 100 nF ceramic", "one beside each register"),
            Line(
                len(strips(rig)) - 1,
                "resistor 10 kOhm",
                "one at the plug for the next board: an open plug reads as ones",
            ),
            Line(
                len(strips(rig)) * 2,
                "connector JST-XH 5-pin",
                "one at the controller; in and out of each board but the last",
            ),
            Line(len(strips(rig)), "capacitor 10 uF ceramic", "one a board, beside the plug its supply comes in by"),
            Line(2, f"resistor {SERIES_OHMS} Ohm", "in LOAD and CLOCK where they leave the controller"),
            Line(1, "ribbon cable 5 x 0.14 mm2, 3 m", "twist CLOCK with GND when longer"),
        ]
    if rig.magnet:
        size = f"{rig.magnet.diameter_mm:g} x {rig.magnet.height_mm:g} mm"
        lines += [Line(CHECKERS + SPARE, f"disc magnet {size}, N42", "one a checker, all with the same pole down")]
    lines += [
        Line(len(rig.buttons), "push button, normally open, gold contacts", ", ".join(rig.buttons)),
        Line(len(rig.lamps), "LED 5 mm", ", ".join(rig.lamps)),
        Line(len(rig.lamps), "resistor 330 Ohm", "one a LED"),
    ]
    if rig.buzzer and rig.controller == "atmega328p":
        lines += [Line(1, "passive piezo buzzer", f"on {rig.buzzer.pin}")]
    elif rig.buzzer:
        lines += [
            Line(1, "active buzzer 3.3 V", "between 3V3 and the transistor's collector"),
            Line(
                1,
                "NPN transistor (BC547, 2N3904)",
                f"on {rig.buzzer.pin}: a pin gives 16 mA, a buzzer wants 30",
            ),
            Line(1, "resistor 1 kOhm", "before the transistor's base"),
            Line(1, "diode 1N4148", "across the buzzer, its ring at 3V3: a coil kicks back"),
        ]
    return lines


def bill_csv(rig: Rig) -> str:
    """Return the bill of materials as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["count", "part", "note"])
    writer.writerows([line.count, line.part, line.note] for line in bill(rig))
    return text.getvalue()


def wiring_yaml(rig: Rig) -> str:
    """Return the wiring plan in the language of WireViz."""
    pins = rig.pins()
    kind, printed, notes = CONTROLLERS[rig.controller]
    labels = ["GND", "3V3", *pins.values()]
    if rig.chain:
        notes += f"; {SERIES_OHMS} Ohm in {rig.chain.load} and {rig.chain.clock} before they leave"
    lines = [f"# {MADE.format(rig=rig.name)}", "", "connectors:"]
    lines += [
        "  CONTROLLER:",
        f"    type: {kind}",
        f"    pins: [{', '.join(str(printed[name]) for name in labels)}]",
        f"    pinlabels: [{', '.join(labels)}]",
        f"    notes: {notes}",
    ]
    for use in pins:
        if not use.startswith("chain"):
            lines += [f"  {label(use)}:", f"    type: {use.replace('_', ' ')}"]
            lines += [f"    pinlabels: [{', '.join(end for end, _ in ends(rig, use))}]"]
            if driven(rig, use):
                lines += ["    notes: collector to the buzzer's -; diode across the buzzer, its ring at +"]
    boards, wires = strips(rig), ", ".join(CHAIN_WIRES)
    for board in boards:
        for end in ("IN", "OUT") if board != boards[-1] else ("IN",):
            lines += [f"  {label(board)}-{end}:", f"    type: sensor board {board}", f"    pinlabels: [{wires}]"]
    lines += ["", "cables:", *cables(rig), "", "connections:", *connections(rig), ""]
    return "\n".join(lines)


def driven(rig: Rig, use: str) -> bool:
    """Whether a pin needs a transistor to drive what hangs on it."""
    return use == "buzzer" and rig.controller == "pi"


def ends(rig: Rig, use: str) -> list[tuple[str, str]]:
    """Return what the wires of a pin are soldered to, and what they come from."""
    pin = rig.pins()[use]
    match use.partition(" ")[0]:
        case "lamp":
            return [("330 Ohm to LED", pin), ("GND", "GND")]
        case "button":
            return [("contact", pin), ("GND", "GND")]
        case _ if driven(rig, use):
            return [("1 kOhm to base", pin), ("+ of the buzzer", "3V3"), ("emitter", "GND")]
        case _:
            return [("+", pin), ("GND", "GND")]


def label(name: str) -> str:
    """Return ``name`` as WireViz can use it."""
    return name.upper().replace(" ", "-").replace("_", "-")


def cables(rig: Rig) -> Iterator[str]:
    """Yield the cables of a wiring plan."""
    for number, _ in enumerate(strips(rig), 1):
        yield f"  CHAIN{number}: {{wirecount: 5, colors: [{', '.join(CHAIN_COLOURS)}], gauge: 0.14 mm2, length: 0.4}}"
    for use in rig.pins():
        if not use.startswith("chain"):
            wires = ends(rig, use)
            colours = ", ".join(CHAIN_COLOURS[CHAIN_WIRES.index(at)] if at in CHAIN_WIRES else "WH" for _, at in wires)
            yield f"  W-{label(use)}: {{wirecount: {len(wires)}, colors: [{colours}], gauge: 0.14 mm2, length: 0.5}}"


def connections(rig: Rig) -> Iterator[str]:
    """Yield the connections of a wiring plan."""
    if rig.chain:
        order = ["GND", "3V3", rig.chain.load, rig.chain.clock, rig.chain.output]
        source = f"CONTROLLER: [{', '.join(order)}]"
        for number, strip in enumerate(strips(rig), 1):
            yield f"  - - {source}"
            yield f"    - CHAIN{number}: [1-5]"
            yield f"    - {label(strip)}-IN: [1-5]"
            source = f"{label(strip)}-OUT: [1-5]"
    for use in rig.pins():
        if not use.startswith("chain"):
            wires = ends(rig, use)
            numbers = ", ".join(str(number) for number, _ in enumerate(wires, 1))
            yield f"  - - CONTROLLER: [{', '.join(at for _, at in wires)}]"
            yield f"    - W-{label(use)}: [{numbers}]"
            yield f"    - {label(use)}: [{numbers}]"


def measures_scad(rig: Rig) -> str:
    """Return the measures of the printed parts for OpenSCAD."""
    lines = [f"// {MADE.format(rig=rig.name)}", ""]
    for part in (rig.board, rig.magnet, rig.reed):
        if part is not None:
            kind = type(part).__name__.lower()
            lines += [f"{kind}_{name} = {value:g};" for name, value in part.model_dump().items()]
    lines += [f"slots = {len(rig.slots['p1'])};", f"strip_points = {STRIP_POINTS};", f"lamps = {len(rig.lamps)};"]
    return "\n".join([*lines, ""])


def missing_for_circuits() -> str | None:
    """Return what keeps SKiDL from drawing circuits here, or None."""
    if find_spec("skidl") is None:
        return "no SKiDL: pip install skidl"
    if not (SYMBOLS / "74xx.kicad_sym").is_file():
        return f"no KiCad symbols in {SYMBOLS}: apt install kicad-symbols, or say KICAD6_SYMBOL_DIR"
    return None


def netlists(rig: str | Path = CIRCUIT_RIG) -> dict[str, str]:
    """Return the netlist of every circuit board as SKiDL makes it, by the board's name.

    Raises ValueError with SKiDL's words when its electrical rules or the rig say no.
    """
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(  # noqa: S603  # our own script
            [sys.executable, HERE / "circuit.py", str(rig), scratch],
            cwd=scratch,
            env={**os.environ, "XDG_DATA_HOME": scratch, "KICAD6_SYMBOL_DIR": str(SYMBOLS)},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise ValueError(done.stderr.strip())
        return {path.stem: path.read_text("utf-8") for path in Path(scratch).glob("*.net")}


def make_circuits() -> None:
    """Write the netlists anew where SKiDL is, and say so where it is not."""
    if reason := missing_for_circuits():
        logger.warning("%s; the circuits stay as they are", reason)
        return
    for name, text in netlists().items():
        path = circuit_path(name)
        if not path.exists() or path.read_text("utf-8") != text:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
            logger.info("wrote %s", path.relative_to(HERE))


def circuit_path(board: str) -> Path:
    """Return where the netlist of a circuit board lies."""
    return HERE / "circuit" / f"{board}.net"


def outputs() -> dict[Path, str]:
    """Return every file made from the rigs with the text it should have."""
    files = {}
    for name in RIGS:
        rig = Rig.load(HERE / "rig" / f"{name}.toml")
        files[HERE / "wiring" / f"{name}.yml"] = wiring_yaml(rig)
        files[HERE / "bom" / f"{name}.csv"] = bill_csv(rig)
    for board, title in CIRCUITS.items():
        netlist = Netlist.parse(circuit_path(board).read_text("utf-8"))
        files[HERE / "pictures" / f"circuit_{board}.svg"] = schematic(netlist, title)
    files[HERE / "printed" / "measures.scad"] = measures_scad(Rig.load(HERE / "rig" / "full.toml"))
    return files


def main(arguments: list[str]) -> int:
    """Write the files, or with ``--check`` say which differ."""
    logging.basicConfig(format="%(message)s", level=logging.INFO)
    if "--check" not in arguments:
        make_circuits()
    wanted = outputs()
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    if "--check" in arguments:
        for path in stale:
            logger.error("%s is out of date: run python hardware/drawings.py", path.relative_to(HERE))
        return 1 if stale else 0
    for path in stale:
        path.parent.mkdir(exist_ok=True)
        path.write_text(wanted[path], "utf-8")
        logger.info("wrote %s", path.relative_to(HERE))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
