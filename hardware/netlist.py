"""A circuit as parts and nets: KiCad's netlist format, read and written."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Self

Tree = str | list["Tree"]


class NetlistError(ValueError):
    """A text that is no netlist; the message says where it stops being one."""


@dataclass(frozen=True, slots=True)
class Part:
    """Something to solder in."""

    ref: str
    symbol: str
    """Library and name in KiCad, "74xx:74HC165"."""
    value: str
    footprint: str


@dataclass(frozen=True, slots=True)
class Pin:
    """One leg of a part."""

    ref: str
    number: str
    name: str


@dataclass(frozen=True)
class Netlist:
    """One circuit board."""

    title: str
    parts: tuple[Part, ...]
    nets: dict[str, tuple[Pin, ...]]
    """Pins by the name of what joins them."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a netlist as KiCad writes it.

        Raises NetlistError.
        """
        tree, rest = _read(_pieces(text))
        if rest or not isinstance(tree, list) or tree[:1] != ["export"]:
            msg = f"a netlist begins with (export and ends with its bracket, got {text[:40]!r}"
            raise NetlistError(msg)
        parts = []
        for comp in _all(_one(tree, "components"), "comp"):
            source = _one(comp, "libsource")
            symbol = f"{_word(source, 'lib')}:{_word(source, 'part')}"
            parts.append(Part(_word(comp, "ref"), symbol, _word(comp, "value"), _word(comp, "footprint")))
        nets = {
            _word(net, "name"): tuple(
                Pin(_word(node, "ref"), _word(node, "pin"), _word(node, "pinfunction")) for node in _all(net, "node")
            )
            for net in _all(_one(tree, "nets"), "net")
        }
        return cls(_word(_one(tree, "design"), "source"), tuple(parts), nets)

    def text(self) -> str:
        """Return the netlist as KiCad reads it, in an order that does not change from run to run."""
        lines = ['(export (version "D")', f'  (design (source "{self.title}"))', "  (components"]
        for part in sorted(self.parts, key=lambda part: natural(part.ref)):
            lib, _, name = part.symbol.partition(":")
            lines += [
                f'    (comp (ref "{part.ref}") (value "{part.value}") (footprint "{part.footprint}")',
                f'      (libsource (lib "{lib}") (part "{name}")))',
            ]
        lines += ["  )", "  (nets"]
        for code, (net, pins) in enumerate(sorted(self.nets.items(), key=lambda item: natural(item[0])), 1):
            lines += [f'    (net (code "{code}") (name "{net}")']
            for pin in sorted(pins, key=lambda pin: natural(f"{pin.ref} {pin.number}")):
                lines += [f'      (node (ref "{pin.ref}") (pin "{pin.number}") (pinfunction "{pin.name}"))']
            lines += ["    )"]
        return "\n".join([*lines, "  )", ")", ""])

    def net_of(self, ref: str, number: str) -> str | None:
        """Return the net on a pin, None for a pin left open."""
        return self._net_by_pin.get((ref, number))

    def pins_of(self, ref: str) -> list[Pin]:
        """Return the connected pins of a part in the order of their numbers."""
        found = [pin for pins in self.nets.values() for pin in pins if pin.ref == ref]
        return sorted(found, key=lambda pin: natural(pin.number))

    def of_symbol(self, name: str) -> list[Part]:
        """Return the parts whose symbol is called ``name``, whatever its library."""
        found = [part for part in self.parts if part.symbol.partition(":")[2] == name]
        return sorted(found, key=lambda part: natural(part.ref))

    @cached_property
    def _net_by_pin(self) -> dict[tuple[str, str], str]:
        return {(pin.ref, pin.number): net for net, pins in self.nets.items() for pin in pins}


def natural(name: str) -> list[tuple[str, int]]:
    """Return a key that sorts U2 before U10."""
    return [(word, int(digits or 0)) for word, digits in re.findall(r"(\D*)(\d*)", name)]


def _pieces(text: str) -> Iterator[str]:
    for quoted, other in re.findall(r'"((?:[^"\\]|\\.)*)"|([()]|[^\s()"]+)', text):
        # A quoted bracket is no bracket: the mark in front keeps it apart.
        yield other or f'"{quoted}'


def _read(pieces: Iterator[str]) -> tuple[Tree, list[str]]:
    stack: list[list[Tree]] = [[]]
    for piece in pieces:
        if piece == "(":
            stack.append([])
        elif piece == ")":
            if len(stack) == 1:
                msg = "a bracket closes that was never opened"
                raise NetlistError(msg)
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(piece.removeprefix('"'))
    if len(stack) > 1 or not stack[0]:
        msg = "a bracket was never closed" if len(stack) > 1 else "nothing in it"
        raise NetlistError(msg)
    return stack[0][0], [str(more) for more in stack[0][1:]]


def _all(tree: Tree, head: str) -> list[list[Tree]]:
    return [item for item in tree if isinstance(item, list) and item[:1] == [head]]


def _one(tree: Tree, head: str) -> list[Tree]:
    for item in _all(tree, head):
        return item
    msg = f"no ({head} in it"
    raise NetlistError(msg)


def _word(tree: Tree, head: str) -> str:
    """Return the word after ``head``, empty when there is none."""
    for item in _all(tree, head):
        return str(item[1]) if len(item) > 1 else ""
    return ""
