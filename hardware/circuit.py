"""The circuit boards of a rig in SKiDL, checked by its electrical rules: ``python circuit.py RIG FOLDER``.

Three boards: ``controller`` (the ATmega328P and its plugs), ``strip`` (three registers under four points; six of the
same) and ``end`` (bar and trays, the end of the chain). FOLDER gets a netlist of each. drawings.py runs this where
``pip install skidl`` and KiCad's symbols (Debian: ``kicad-symbols``) are there, in a process of its own: SKiDL keeps
one circuit, its loggers and its caches for the whole process.
"""

import logging
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import skidl
from skidl.logger import stop_log_file_output

from firmware_bridge.rig import POINTS, Rig, RigError
from hardware.drawings import CHAIN_WIRES, SERIES_OHMS, STRIP_POINTS, STRIP_REGISTERS
from hardware.netlist import Netlist, Part, Pin

logger = logging.getLogger("circuit")

SERIAL_PLUG = ("GND", "", "3V3", "RXD", "TXD", "DTR")
"""The row of an FTDI adapter; the pin left open is its CTS."""
MCU_SUPPLY = {"VCC": "3V3", "AVCC": "3V3", "GND": "GND", "AREF": "AREF", "~{RESET}/PC6": "RESET"}
MCU_FIXED = {
    "PD0": "RXD", "PD1": "TXD", "PB3": "MOSI", "PB4": "MISO", "PB5": "SCK", "XTAL1/PB6": "XTAL1", "XTAL2/PB7": "XTAL2",
}  # fmt: skip
FOOTPRINTS = {
    "74HC165": "Package_SO:SOIC-16_3.9x9.9mm_P1.27mm",
    "ATmega328P-A": "Package_QFP:TQFP-32_7x7mm_P0.8mm",
    "AVR-ISP-6": "Connector_PinHeader_2.54mm:PinHeader_2x03_P2.54mm_Vertical",
    "C": "Capacitor_SMD:C_0805_2012Metric",
    "Conn_01x02": "Connector_JST:JST_XH_B2B-XH-A_1x02_P2.50mm_Vertical",
    "Conn_01x05": "Connector_JST:JST_XH_B5B-XH-A_1x05_P2.50mm_Vertical",
    "Conn_01x06": "Connector_PinHeader_2.54mm:PinHeader_1x06_P2.54mm_Horizontal",
    "R": "Resistor_SMD:R_0805_2012Metric",
    "R_Network08": "Resistor_THT:R_Array_SIP9",
    "Resonator": "Crystal:Resonator-3Pin_W8.0mm_H3.5mm",
    # 14 mm of glass and two straight legs bent down: holes 20 mm apart.
    "SW_Reed": "Resistor_THT:R_Axial_DIN0414_L11.9mm_D4.5mm_P20.32mm_Horizontal",
}


class CircuitError(RuntimeError):
    """SKiDL's electrical rules found something; it has printed what."""


class Desk:
    """Where one board is drawn: its parts and nets by name."""

    def __init__(self) -> None:
        self._circuit = skidl.Circuit()
        self._nets: dict[str, skidl.Net] = {}
        for supply in ("3V3", "GND"):
            self.net(supply).drive = skidl.POWER

    def net(self, name: str) -> skidl.Net:
        """Return the net of that name."""
        if name not in self._nets:
            self._nets[name] = skidl.Net(name, circuit=self._circuit)
        return self._nets[name]

    def put(self, symbol: str, ref: str, value: str, pins: dict[str, str]) -> None:
        """Add a part with its pins, by number or name, on nets; pins on no net are left open on purpose."""
        library, _, name = symbol.partition(":")
        part = skidl.Part(
            library, name, ref=ref, value=value, footprint=FOOTPRINTS[name], tag=ref, circuit=self._circuit
        )
        for pin, net in pins.items():
            self.net(net).connect(*_legs(part, pin))
        if idle := [leg for leg in part.pins if not leg.is_connected()]:
            self._circuit.NC.connect(*idle)

    def plug(self, ref: str, value: str, nets: tuple[str, ...]) -> None:
        """Add a plug; a pin with no name is left open."""
        pins = {str(number): net for number, net in enumerate(nets, 1) if net}
        self.put(f"Connector_Generic:Conn_01x{len(nets):02}", ref, value, pins)

    def pair(self, symbol: str, ref: str, value: str, one: str, other: str) -> None:
        """Add a part with two legs."""
        self.put(symbol, ref, value, {"1": one, "2": other})

    def checked(self, title: str) -> Netlist:
        """Return the netlist.

        Raises CircuitError when an electrical rule is broken.
        """
        self._circuit.ERC()
        found = skidl.erc_logger.error.count + skidl.erc_logger.warning.count
        if found:
            msg = f"{title}: {found} electrical rules broken"
            raise CircuitError(msg)
        parts = tuple(
            Part(part.ref, f"{Path(part.lib.filename).stem}:{part.name}", part.value, part.footprint)
            for part in self._circuit.parts
        )
        nets = {
            net.name: tuple(Pin(leg.part.ref, str(leg.num), _plain(leg.name)) for leg in net.pins)
            for net in self._circuit.get_nets()
        }
        return Netlist(title, parts, nets)


def _legs(part: skidl.Part, pin: str) -> list[skidl.Pin]:
    legs = [leg for leg in part.pins if pin in (str(leg.num), leg.name)]
    if not legs:
        msg = f"{part.name} has no pin {pin!r}; it has {', '.join(leg.name for leg in part.pins)}"
        raise CircuitError(msg)
    return legs


def _plain(name: str) -> str:
    """Return a pin's name with a stroke in front of what KiCad draws a line over."""
    return name.replace("~{", "/").replace("}", "")


def reeds(rig: Rig, first: int, registers: int) -> dict[int, str]:
    """Return what the bits of a sensor board read ("p1.6"), counting bits and points from the board's first."""
    found = {}
    for place, slots in rig.slots.items():
        for index, slot in enumerate(slots, 1):
            bit = slot - 8 * first
            if 0 <= bit < 8 * registers:
                at = f"p{POINTS.index(place) % STRIP_POINTS + 1}" if place in POINTS else place
                found[bit] = f"{at}.{index}"
    return dict(sorted(found.items()))


def strip_reeds(rig: Rig) -> dict[int, str]:
    """Return what the bits of a strip read.

    Raises RigError when one board cannot serve under all points.
    """
    firsts = range(0, STRIP_REGISTERS * len(POINTS) // STRIP_POINTS, STRIP_REGISTERS)
    strips = [reeds(rig, first, STRIP_REGISTERS) for first in firsts]
    for number, strip in enumerate(strips):
        if strip != strips[0]:
            msg = (
                f"rig {rig.name}: slots.{POINTS[STRIP_POINTS * number]} and the three points after it lie in another "
                "order than slots.p1 to p4; one circuit board has to serve under all points"
            )
            raise RigError(msg)
    return strips[0]


def boards(rig: Rig) -> dict[str, Callable[[Desk], None]]:
    """Return how each board of the rig is drawn, by its name.

    Raises RigError when the rig has no chain on a microcontroller.
    """
    if rig.chain is None or rig.controller != "atmega328p":
        msg = f'rig {rig.name} has no circuit boards: they need controller = "atmega328p" and a [chain]'
        raise RigError(msg)
    before = STRIP_REGISTERS * len(POINTS) // STRIP_POINTS
    rest = rig.chain.registers - before
    if rest <= 0:
        msg = f"rig {rig.name}: chain.registers: the boards need one register more than the {before} under the points"
        raise RigError(msg)
    return {
        "controller": partial(controller, rig=rig),
        "strip": partial(sensors, reads=strip_reeds(rig), registers=STRIP_REGISTERS, last=False),
        "end": partial(sensors, reads=reeds(rig, before, rest), registers=rest, last=True),
    }


def sensors(desk: Desk, reads: dict[int, str], registers: int, *, last: bool) -> None:
    """Draw registers with their reeds; output of each to the serial input of the one nearer to the controller."""
    desk.plug("J1", "to the controller", CHAIN_WIRES)
    far = "GND" if last else "FAR"
    desk.pair("Device:C", f"C{registers + 1}", "10u", "3V3", "GND")
    if not last:
        desk.plug("J2", "away from the controller", (*CHAIN_WIRES[:-1], far))
        # An open plug must read as ones: zeros after the last slot are the mark of a whole chain.
        desk.pair("Device:R", "R1", "10k", "3V3", far)
    for number in range(registers):
        nearer = f"SHIFT_{number}" if number else "OUTPUT"
        farther = f"SHIFT_{number + 1}" if number + 1 < registers else far
        bits = range(8 * number, 8 * number + 8)
        wired = {"VCC": "3V3", "GND": "GND", "~{PL}": "LOAD", "CP": "CLOCK", "~{CE}": "GND"}
        # D7 comes out first, and slots are numbered as they come.
        inputs = {f"D{8 * number + 7 - bit}": f"SLOT_{bit}" for bit in bits}
        desk.put("74xx:74HC165", f"U{number + 1}", "74HC165", wired | inputs | {"Q7": nearer, "DS": farther})
        desk.pair("Device:C", f"C{number + 1}", "100n", "3V3", "GND")
        pulls = {str(leg): f"SLOT_{bit}" for leg, bit in enumerate(bits, 2)}
        desk.put("Device:R_Network08", f"RN{number + 1}", "8x 10k", {"1": "3V3"} | pulls)
    for bit, read in reads.items():
        desk.pair("Switch:SW_Reed", f"SW{bit}", read, f"SLOT_{bit}", "GND")


def controller(desk: Desk, rig: Rig) -> None:
    """Draw the microcontroller with the pins of the rig on plugs."""
    uses = {use: use.upper().replace(" ", "_") for use in rig.pins()} | {"chain output": "OUTPUT"}
    taken = {pin: uses[use] for use, pin in rig.pins().items()}
    # The programmer shares its pins with whatever the rig has put there.
    wired = MCU_FIXED | taken
    desk.put("MCU_Microchip_ATmega:ATmega328P-A", "U1", "ATmega328P", MCU_SUPPLY | wired)
    isp = (wired["PB4"], "3V3", wired["PB5"], wired["PB3"], "RESET", "GND")
    desk.put("Connector:AVR-ISP-6", "J3", "programmer", {str(leg): net for leg, net in enumerate(isp, 1)})
    desk.put("Device:Resonator", "Y1", "8 MHz", {"1": "XTAL1", "2": "GND", "3": "XTAL2"})
    desk.pair("Device:R", "R1", "10k", "3V3", "RESET")
    for number, (one, other) in enumerate((("3V3", "GND"), ("3V3", "GND"), ("AREF", "GND"), ("DTR", "RESET")), 1):
        desk.pair("Device:C", f"C{number}", "100n", one, other)
    desk.pair("Device:C", "C5", "10u", "3V3", "GND")
    for ref, wire in (("R2", "LOAD"), ("R3", "CLOCK")):
        desk.pair("Device:R", ref, str(SERIES_OHMS), f"CHAIN_{wire}", wire)
    desk.plug("J1", "chain", CHAIN_WIRES)
    desk.plug("J2", "serial adapter", SERIAL_PLUG)
    plugs = [(use, net) for use, net in uses.items() if not use.startswith("chain")]
    resistors = 3
    for number, (use, net) in enumerate(plugs, 4):
        out = net
        if use.startswith("lamp"):
            resistors += 1
            out = net.replace("LAMP", "LED")
            desk.pair("Device:R", f"R{resistors}", "330", net, out)
        desk.plug(f"J{number}", use.replace("_", " "), (out, "GND"))


def main(arguments: list[str]) -> int:
    """Write the netlists of the boards; return 1 when the rig or the electrical rules say no."""
    logging.basicConfig(format="%(message)s", level=logging.INFO)
    skidl.set_default_tool(skidl.KICAD6)
    stop_log_file_output()
    rig, folder = Rig.load(arguments[0]), Path(arguments[1])
    try:
        for name, draw in boards(rig).items():
            desk = Desk()
            draw(desk)
            netlist = desk.checked(f"{name} board of rig {rig.name}")
            (folder / f"{name}.net").write_text(netlist.text(), "utf-8")
    except (RigError, CircuitError) as error:
        logger.error("%s", error)  # noqa: TRY400  # one line, its own words
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
