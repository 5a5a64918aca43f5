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
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
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
BAR_AFTER = (6, 18)
"""Points behind which the bar lies: no tray can."""
TRAYS = {4: "under the points of one circuit board", 2: "the same where the bar comes between: either side of it"}
CHECKERS, SPARE = 30, 2
MADE = "made by hardware/drawings.py from hardware/rig/{rig}.toml; do not edit"
CHAIN_WIRES = ("GND", "3V3", "LOAD", "CLOCK", "OUTPUT")
CHAIN_COLOURS = ("BK", "RD", "YE", "GN", "BU")
FIRST_M, NEXT_M, WIRE_M = 0.5, 0.25, 0.5
"""From the clock case to the first sensor board, from one board to the next, and to buttons and lamps."""
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
SERIAL_WIRES = {"GND": "GND", "3V3": "3V3", "TXD": "RXD", "RXD": "TXD", "DTR": "DTR"}
"""Pins of a serial adapter, and of the controller they go to."""
SERIAL_COLOURS = ("BK", "RD", "OG", "WH", "GN")
PRO_MINI = {"GND": "GND", "3V3": "VCC", **{f"PC{n}": f"A{n}" for n in range(6)}} | {
    **{f"PD{n}": str(n) for n in range(2, 8)},
    **{f"PB{n}": str(8 + n) for n in range(6)},
    "RXD": "RXI",
    "TXD": "TXO",
    "DTR": "DTR",
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


def trays(rig: Rig) -> list[range]:
    """Return the points over each sensor tray: those of one strip, cut where the bar comes between."""
    if rig.chain is None:
        return []
    begins = sorted({*range(1, len(POINTS), STRIP_POINTS), *(after + 1 for after in BAR_AFTER)})
    return [range(begin, end) for begin, end in pairwise((*begins, len(POINTS) + 1))]


def bill(rig: Rig) -> list[Line]:
    """Return what has to be bought or printed for ``rig``."""
    lines = [Line(1, "USB camera, 1280 x 720 or better", "with a stand or arm: it sees the whole board from above")]
    if rig.controller == "atmega328p":
        lines += [
            Line(1, "Raspberry Pi 4 or 5 with its supply, or another computer with USB", "the referee runs on it"),
            Line(1, "Arduino Pro Mini 3.3 V / 8 MHz (ATmega328P)", "safe for a Pi: nothing on the board exceeds 3.3 V"),
            Line(1, "USB serial adapter, levels and supply pin 3.3 V (FT232R, CP2102)", "must know 250,000 baud"),
            Line(1, "AVR programmer that can give 3.3 V (USBasp)", "flashes the firmware, see hardware/README.md"),
        ]
    else:
        lines += [
            Line(1, "Raspberry Pi 4 or 5 with its supply", "buttons, lamps and, if any, the chain on its 40-pin header")
        ]
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
                "connector JST-XH 5-pin, header and housing",
                "one at the controller; in and out of each board but the last",
            ),
            Line(len(strips(rig)), "capacitor 10 uF ceramic", "one a board, beside the plug its supply comes in by"),
            Line(2, f"resistor {SERIES_OHMS} Ohm", "in LOAD and CLOCK where they leave the controller"),
            Line(1, f"ribbon cable 5 x 0.14 mm2, {chain_m(rig):g} m", "twist CLOCK with GND when longer"),
        ]
        sizes = Counter(map(len, trays(rig)))
        lines += [Line(count, f"printed tray of {points} points", TRAYS[points]) for points, count in sizes.items()]
    if rig.magnet:
        size = f"{rig.magnet.diameter_mm:g} x {rig.magnet.height_mm:g} mm"
        lines += [Line(CHECKERS + SPARE, f"disc magnet {size}, N42", "one a checker, all with the same pole down")]
    lines += [
        Line(2, "arcade button 30 mm, normally open", "white, black; gold contacts if to be had: little current flows"),
        *([Line(1, "push button 12 mm, normally open", "pause")] if "pause" in rig.buttons else []),
        Line(len(rig.lamps), "LED 5 mm, red, yellow or green", ", ".join(rig.lamps)),
        Line(len(rig.lamps), "resistor 330 Ohm", "one a LED"),
        Line(1, f"wire 0.14 mm2, {wire_m(rig):g} m", "to buttons, lamps and buzzer"),
        Line(1, "printed clock case", "top and bottom"),
    ]
    if rig.controller == "atmega328p":
        plugs = sum(not use.startswith("chain") for use in rig.pins())
        lines += [Line(plugs, "connector JST-XH 2-pin, header and housing", "buttons, lamps, buzzer")]
    if rig.buzzer and rig.controller == "atmega328p":
        note = f"on {rig.buzzer.pin} without more; one with a coil would draw too much"
        lines += [Line(1, "passive piezo buzzer", note)]
    elif rig.buzzer:
        lines += [
            Line(1, "active buzzer 3.3 V", "between 3V3 and the transistor's collector"),
            Line(
                1,
                "NPN transistor (BC547, 2N3904)",
                f"on {rig.buzzer.pin}: a pin gives 16 mA, a buzzer wants 30; the two have their legs in opposite order",
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
    if rig.controller == "atmega328p":
        labels += [name for name in SERIAL_WIRES.values() if name not in labels]
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
    if rig.controller == "atmega328p":
        lines += ["  SERIAL-ADAPTER:", "    type: USB serial adapter, set to 3.3 V"]
        lines += [f"    pinlabels: [{', '.join(SERIAL_WIRES)}]", "    notes: USB to the referee's computer"]
    lines += ["", "cables:", *cables(rig), "", "connections:", *connections(rig), ""]
    return "\n".join(lines)


def chain_m(rig: Rig) -> float:
    """Return the length of the chain's cables, metres."""
    return FIRST_M + NEXT_M * (len(strips(rig)) - 1)


def wire_m(rig: Rig) -> float:
    """Return the length of the wires to buttons, lamps and buzzer, metres."""
    return WIRE_M * sum(len(ends(rig, use)) for use in rig.pins() if not use.startswith("chain"))


def driven(rig: Rig, use: str) -> bool:
    """Whether a pin needs a transistor to drive what hangs on it."""
    return use == "buzzer" and rig.controller == "pi"


def ends(rig: Rig, use: str) -> list[tuple[str, str]]:
    """Return what the wires of a pin are soldered to, and what they come from."""
    pin = rig.pins()[use]
    match use.partition(" ")[0]:
        case "lamp":
            return [("330 Ohm to LED's long leg", pin), ("LED's short leg", "GND")]
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
        length = f"gauge: 0.14 mm2, length: {FIRST_M if number == 1 else NEXT_M}"
        yield f"  CHAIN{number}: {{wirecount: 5, colors: [{', '.join(CHAIN_COLOURS)}], {length}}}"
    for use in rig.pins():
        if not use.startswith("chain"):
            wires = ends(rig, use)
            colours = ", ".join(CHAIN_COLOURS[CHAIN_WIRES.index(at)] if at in CHAIN_WIRES else "WH" for _, at in wires)
            length = f"gauge: 0.14 mm2, length: {WIRE_M}"
            yield f"  W-{label(use)}: {{wirecount: {len(wires)}, colors: [{colours}], {length}}}"
    if rig.controller == "atmega328p":
        colours = ", ".join(SERIAL_COLOURS)
        yield f"  W-SERIAL: {{wirecount: 5, colors: [{colours}], gauge: 0.14 mm2, length: 0.1}}"


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
    if rig.controller == "atmega328p":
        yield f"  - - CONTROLLER: [{', '.join(SERIAL_WIRES.values())}]"
        yield "    - W-SERIAL: [1-5]"
        yield "    - SERIAL-ADAPTER: [1-5]"


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
