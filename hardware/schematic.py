"""A netlist as a schematic in SVG: every wire short and named, so that what is drawn is what is joined.

SKiDL draws schematics too, but its own places for 24 reeds lie on top of each other.
"""

import re
from html import escape

from hardware.netlist import Netlist, Part, Pin, natural

INK, PAPER, FILL, NAMES = "#222", "#fff", "#fff8d8", "#0a5"
ROW, STUB, CHIP = 40, 36, 96
"""Pixels from an input of a register to the next, of a wire to its name, and across a chip."""
BLOCK = 530
"""Width of a register with its reeds."""
SMALL = 264
"""Width of the place of a small part."""
MARGIN, HEAD = 30, 56


class Sheet:
    """Shapes, and how far down they go."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.bottom = 0.0
        self._shapes: list[str] = []

    def line(self, *points: tuple[float, float]) -> None:
        """Draw a wire through ``points``."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._shapes.append(f'<polyline points="{path}"/>')
        self._reach(*(y for _, y in points))

    def box(self, x: float, y: float, width: float, height: float, *, fill: str = FILL) -> None:
        """Draw the body of a part."""
        self._shapes.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"/>')
        self._reach(y + height)

    def dot(self, x: float, y: float) -> None:
        """Mark a joint."""
        self._shapes.append(f'<circle cx="{x:g}" cy="{y:g}" r="3"/>')

    def text(self, x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> None:
        """Write ``words``; ``kind`` is "net", "small", "title" or nothing."""
        self._shapes.append(f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>')
        self._reach(y)

    def svg(self) -> str:
        """Return the picture."""
        height = self.bottom + MARGIN
        style = (
            f"polyline,rect{{stroke:{INK};stroke-width:1.4}}polyline{{fill:none}}circle{{fill:{INK}}}"
            f"text{{font:13px sans-serif;fill:{INK}}}.net{{fill:{NAMES};font-weight:bold}}"
            ".small{font-size:11px}.title{font-size:20px}"
        )
        size = f'viewBox="0 0 {self.width} {height:g}" width="{self.width}" height="{height:g}"'
        head = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', f"<style>{style}</style>"]
        head += [f'<rect width="100%" height="100%" fill="{PAPER}" style="stroke:none"/>']
        return "\n".join([*head, *self._shapes, "</svg>", ""])

    def _reach(self, *down: float) -> None:
        self.bottom = max(self.bottom, *down)


def schematic(netlist: Netlist, title: str) -> str:
    """Return the schematic of one board as SVG."""
    registers = netlist.of_symbol("74HC165")
    sheet = Sheet(2 * MARGIN + max(BLOCK * len(registers), 5 * SMALL))
    sheet.text(MARGIN, MARGIN + 8, title, "title")
    drawn: set[str] = set()
    for column, register in enumerate(registers):
        drawn |= _register(sheet, netlist, register, MARGIN + BLOCK * column, HEAD + 30)
    for chip in netlist.of_symbol("ATmega328P-A"):
        _controller(sheet, netlist, chip, (sheet.width - 2 * CHIP) / 2, HEAD + 30)
        drawn.add(chip.ref)
    _others(sheet, netlist, [part for part in netlist.parts if part.ref not in drawn])
    return sheet.svg()


def _register(sheet: Sheet, netlist: Netlist, register: Part, x: float, y: float) -> set[str]:
    """Draw a register with the reed and the pull-up of each input; return the parts drawn."""
    drawn = {register.ref}
    body = x + BLOCK - CHIP - STUB - 60
    pins = netlist.pins_of(register.ref)
    inputs = sorted((pin for pin in pins if re.fullmatch(r"D\d", pin.name)), key=lambda pin: pin.name, reverse=True)
    others = [pin for pin in pins if pin not in inputs and pin.name != "Q7"]
    sheet.box(body, y, CHIP, ROW * len(inputs) + 22 * len(others) + 16)
    sheet.text(body + CHIP / 2, y - 6, f"{register.ref} {register.value}", anchor="middle")
    for row, pin in enumerate(inputs):
        at = y + 28 + ROW * row
        joint = body - 124
        sheet.line((body, at), (joint, at))
        _label(sheet, pin, body, at, left=True)
        for other in netlist.nets[netlist.net_of(pin.ref, pin.number) or ""]:
            if other.ref != register.ref:
                drawn.add(other.ref)
                _branch(sheet, netlist, other, joint, at)
    at = y + 28 + ROW * len(inputs)
    for row, pin in enumerate(others):
        _wire(sheet, netlist, pin, body, at + 22 * row, left=True)
    for pin in pins:
        if pin.name == "Q7":
            _wire(sheet, netlist, pin, body + CHIP, y + 28, left=False)
    return drawn


def _branch(sheet: Sheet, netlist: Netlist, pin: Pin, joint: float, at: float) -> None:
    """Draw what hangs on the input of a register: its reed, or its resistor of a network."""
    part = next(part for part in netlist.parts if part.ref == pin.ref)
    sheet.dot(joint, at)
    if part.symbol.endswith(":SW_Reed"):
        sheet.line((joint, at), (joint - 40, at), (joint - 66, at - 8))
        sheet.line((joint - 70, at), (joint - 120, at))
        sheet.text(joint - 60, at - 12, f"{part.ref} {part.value}", "small", "middle")
        far = netlist.net_of(pin.ref, "1" if pin.number == "2" else "2")
        _end(sheet, far, joint - 120, at, left=True)
    else:
        up = at - 15
        sheet.line((joint, at), (joint, up), (joint + 8, up))
        sheet.box(joint + 8, up - 4, 24, 8, fill=PAPER)
        sheet.text(joint + 36, up + 4, f"{netlist.net_of(pin.ref, '1')} {part.ref}.{pin.number}", "small")


def _controller(sheet: Sheet, netlist: Netlist, chip: Part, x: float, y: float) -> None:
    """Draw the microcontroller: supply, reset and resonator on the left, ports on the right."""
    pins = sorted(netlist.pins_of(chip.ref), key=lambda pin: natural(pin.name))
    ports = [pin for pin in pins if re.fullmatch(r"P[BCD]\d", pin.name)]
    rest = [pin for pin in pins if pin not in ports]
    sheet.box(x, y, 2 * CHIP, 22 * max(len(ports), len(rest)) + 16)
    sheet.text(x + CHIP, y - 6, f"{chip.ref} {chip.value}", anchor="middle")
    for side, left in ((rest, True), (ports, False)):
        for row, pin in enumerate(side):
            _wire(sheet, netlist, pin, x if left else x + 2 * CHIP, y + 20 + 22 * row, left=left)


def _others(sheet: Sheet, netlist: Netlist, parts: list[Part]) -> None:
    """Draw plugs and small parts in rows, each wire with the name of its net."""
    across = (sheet.width - 2 * MARGIN) // SMALL
    parts = sorted(parts, key=lambda part: (len(netlist.pins_of(part.ref)), natural(part.ref)))
    for first in range(0, len(parts), across):
        y = sheet.bottom + HEAD
        for column, part in enumerate(parts[first : first + across]):
            x = MARGIN + SMALL * column + 10
            pins = netlist.pins_of(part.ref)
            sheet.text(x, y - 6, f"{part.ref} {part.value}")
            sheet.box(x, y, 60, 22 * len(pins) + 6)
            for row, pin in enumerate(pins):
                _wire(sheet, netlist, pin, x + 60, y + 16 + 22 * row, left=False)


def _wire(sheet: Sheet, netlist: Netlist, pin: Pin, x: float, y: float, *, left: bool) -> None:
    """Draw a short wire from a pin at the edge of its part to the name of its net."""
    end = x + (-STUB if left else STUB)
    sheet.line((x, y), (end, y))
    _label(sheet, pin, x, y, left=left)
    _end(sheet, netlist.net_of(pin.ref, pin.number), end, y, left=left)


def _label(sheet: Sheet, pin: Pin, x: float, y: float, *, left: bool) -> None:
    """Write a pin's name inside its part and its number outside."""
    inward, outward = (("start", "end"), ("end", "start"))[not left]
    away = 1 if left else -1
    if pin.name not in ("~", pin.number) and not pin.name.startswith("Pin_"):
        sheet.text(x + 6 * away, y + 4, pin.name, anchor=inward)
    sheet.text(x - 4 * away, y - 3, pin.number, "small", outward)


def _end(sheet: Sheet, net: str | None, x: float, y: float, *, left: bool) -> None:
    sheet.text(x + (-4 if left else 4), y + 4, net or "open", "net", "end" if left else "start")
