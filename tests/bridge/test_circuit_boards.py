"""The circuit boards, switched on in the head: netlists against rig, firmware header and the chips' data sheets."""

import re
from pathlib import Path

import pytest

from firmware_bridge.emulator import FIRMWARE
from firmware_bridge.rig import HOMES, Rig
from hardware import drawings
from hardware.netlist import Netlist, NetlistError

pytestmark = pytest.mark.slow  # SKiDL checks every net

FULL = Rig.load("full")
HARDWARE = HOMES[1].parent
BOARDS = {name: Netlist.parse(drawings.circuit_path(name).read_text("utf-8")) for name in drawings.CIRCUITS}

# 74HC165 (Nexperia, table 2): pins of D0 to D7, and the rest by what they do.
INPUTS = ("11", "12", "13", "14", "3", "4", "5", "6")
LOAD, CLOCK, GROUND, OUTPUT, SERIAL, INHIBIT, SUPPLY = "1", "2", "8", "9", "10", "15", "16"
# ATmega328P in TQFP-32 (data sheet, figure 1-1).
MCU = {
    "PB0": "12", "PB1": "13", "PB2": "14", "PB3": "15", "PB4": "16", "PB5": "17", "PC0": "23", "PC1": "24",
    "PC2": "25", "PC3": "26", "PC4": "27", "PC5": "28", "PD0": "30", "PD1": "31", "PD2": "32", "PD3": "1", "PD4": "2",
    "PD5": "9", "PD6": "10", "PD7": "11",
}  # fmt: skip
HIGH, LOW = 1, 0


class Chain:
    """The sensor boards one behind the other, joined by straight cables, as a scan by the firmware sees them."""

    def __init__(self, boards: list[Netlist]) -> None:
        self.boards = boards

    def scan(self, closed: set[tuple[int, str]]) -> list[int]:
        """Return the levels at the controller's plug, one a clock, for reeds (number of the board, ref) held closed.

        The scan goes one register further than the chain, as the firmware's does.
        """
        latched: dict[tuple[int, str], list[int]] = {}
        for number, board in enumerate(self.boards):
            for register in board.of_symbol("74HC165"):
                assert board.net_of(register.ref, INHIBIT) == board.net_of(register.ref, GROUND) == "GND"
                assert board.net_of(register.ref, SUPPLY) == "3V3"
                assert board.net_of(register.ref, LOAD) == board.net_of("J1", "3")
                assert board.net_of(register.ref, CLOCK) == board.net_of("J1", "4")
                latched[number, register.ref] = [self._level(number, register.ref, pin, closed) for pin in INPUTS]
        seen = []
        for _ in range(8 * (len(latched) + 1)):
            seen.append(self._driven(0, self.boards[0].net_of("J1", "5"), latched))
            shifted = {}
            for (number, ref), bits in latched.items():
                serial = self._driven(number, self.boards[number].net_of(ref, SERIAL), latched)
                shifted[number, ref] = [serial, *bits[:-1]]
            latched = shifted
        return seen

    def _level(self, number: int, ref: str, pin: str, closed: set[tuple[int, str]]) -> int:
        board = self.boards[number]
        net = board.net_of(ref, pin)
        assert net is not None
        pulled = [
            board.net_of(other.ref, "1")
            for other in board.nets[net]
            if other.ref.startswith("RN") and other.number != "1"
        ]
        assert pulled == ["3V3"], f"{ref}.{pin} floats"
        for reed in board.of_symbol("SW_Reed"):
            ends = {board.net_of(reed.ref, "1"), board.net_of(reed.ref, "2")}
            if net in ends and (number, reed.ref) in closed:
                assert ends == {net, "GND"}
                return LOW
        return HIGH

    def _driven(self, number: int, net: str | None, latched: dict[tuple[int, str], list[int]]) -> int:
        """Return the level of a net between registers, over the plug to the next board if it leads there."""
        board = self.boards[number]
        assert net is not None
        if net == "GND":
            return LOW
        for pin in board.nets[net]:
            if (number, pin.ref) in latched and pin.number == OUTPUT:
                return latched[number, pin.ref][-1]
        assert ("J2", "5") in {(pin.ref, pin.number) for pin in board.nets[net]}, f"nothing drives {net}"
        if number + 1 < len(self.boards):
            return self._driven(number + 1, self.boards[number + 1].net_of("J1", "5"), latched)
        ends = [{board.net_of(part.ref, "1"), board.net_of(part.ref, "2")} for part in board.of_symbol("R")]
        assert {net, "3V3"} in ends, f"{net} floats when the plug is out"
        return HIGH


def whole() -> list[Netlist]:
    return [BOARDS["end" if name == "bar-trays" else "strip"] for name in drawings.strips(FULL)]


def test_no_reed_reads_as_ones_and_then_the_end_mark() -> None:
    assert Chain(whole()).scan(set()) == [HIGH] * 160 + [LOW] * 8


def test_each_reed_pulls_the_bit_of_its_own_slot() -> None:
    boards, found = whole(), {}
    for number, board in enumerate(boards):
        for reed in board.of_symbol("SW_Reed"):
            levels = Chain(boards).scan({(number, reed.ref)})[:160]
            assert levels.count(LOW) == 1
            slot = levels.index(LOW)
            place, index = FULL.place_of(slot)
            at = re.sub(r"\d+", lambda digits: str((int(digits[0]) - 1) % 4 + 1), place)
            assert reed.value == f"{at}.{index + 1}"
            found[slot] = number
    assert sorted(found) == list(range(160))


@pytest.mark.parametrize("plugged", [1, 3, 6])
def test_a_plug_that_is_out_leaves_no_end_mark(plugged: int) -> None:
    levels = Chain(whole()[:plugged]).scan(set())
    assert levels == [HIGH] * 8 * (3 * plugged + 1)


def test_rig_netlist_and_firmware_header_have_the_same_pins() -> None:
    header = (FIRMWARE / "rig.h").read_text("utf-8")
    bits = dict(re.findall(r"#define (\w+)_BIT (\d)", header))
    flashed = {use: f"P{port}{bits[use]}" for use, port in re.findall(r"#define (\w+)_PORT PORT(\w)", header)}
    lamps = [f"P{port}{bit}" for port, bit in re.findall(r"\{&PORT(\w), 1 << (\d)\}", header)]
    flashed |= {f"LAMP_{name.upper()}": pin for name, pin in zip(FULL.lamps, lamps, strict=True)}
    board = BOARDS["controller"]
    nets = {use: board.net_of("U1", MCU[pin]) for use, pin in flashed.items()}
    assert nets == {use: "OUTPUT" if use == "CHAIN_OUTPUT" else use for use in nets}
    assert flashed == {use.upper().replace(" ", "_"): pin for use, pin in FULL.pins().items()}
    used = {board.net_of("U1", number) for pin, number in MCU.items() if pin not in flashed.values()}
    assert used == {None, "RXD", "TXD", "MOSI", "MISO", "SCK"}


def test_every_wire_of_the_rig_reaches_a_plug_with_the_name_of_its_use() -> None:
    board = BOARDS["controller"]
    plugs = {part.value: part.ref for part in board.parts if part.ref.startswith("J")}
    chain = [board.net_of(plugs["chain"], str(number)) for number in range(1, 6)]
    assert chain == [BOARDS["strip"].net_of("J1", str(number)) for number in range(1, 6)]
    # What the controller drives over the long cable goes through a resistor, so that it does not ring.
    for wire in ("LOAD", "CLOCK"):
        series = [part.ref for part in board.of_symbol("R") if part.value == "100"]
        ends = [{board.net_of(ref, "1"), board.net_of(ref, "2")} for ref in series]
        assert ends.count({f"CHAIN_{wire}", wire}) == 1
    for use in FULL.pins():
        if not use.startswith("chain"):
            plug = plugs[use.replace("_", " ")]
            assert board.net_of(plug, "2") == "GND"
            net = board.net_of(plug, "1")
            if use.startswith("lamp"):
                (resistor,) = [pin.ref for pin in board.nets[net or ""] if pin.ref.startswith("R")]
                net = board.net_of(resistor, "1")
            assert net == use.upper().replace(" ", "_")


def test_the_bill_has_the_parts_of_the_boards() -> None:
    counts = {line.part: line.count for line in drawings.bill(FULL)}
    parts = [part for board in whole() for part in board.parts]
    for symbol, value, bought in (
        ("74HC165", "", "74HC165 shift register, SO-16"),
        ("SW_Reed", "", "reed switch, glass 14 mm, AT 15-20, normally open"),
        ("R_Network08", "8x 10k", "resistor network 8 x 10 kOhm, common pin"),
        ("C", "100n", "capacitor 100 nF ceramic"),
        ("C", "10u", "capacitor 10 uF ceramic"),
        ("R", "10k", "resistor 10 kOhm"),
    ):
        used = [part for part in parts if part.symbol.endswith(f":{symbol}") and part.value in (value or part.value,)]
        assert counts[bought] == len(used), bought
    # One more than the sensor boards have: the controller's.
    fives = 1 + sum(part.symbol.endswith(":Conn_01x05") for part in parts)
    assert counts["connector JST-XH 5-pin, header and housing"] == fives
    assert counts["connector JST-XH 2-pin, header and housing"] == len(BOARDS["controller"].of_symbol("Conn_01x02"))


def test_every_chip_has_its_capacitor_and_every_board_a_large_one() -> None:
    for name, board in BOARDS.items():
        across = [part.value for part in board.of_symbol("C") if _ends(board, part.ref) == {"3V3", "GND"}]
        chips = len(board.of_symbol("74HC165")) + 2 * len(board.of_symbol("ATmega328P-A"))
        assert across.count("100n") == chips, name
        assert across.count("10u") == 1, name


def _ends(board: Netlist, ref: str) -> set[str | None]:
    return {board.net_of(ref, "1"), board.net_of(ref, "2")}


def test_a_netlist_survives_writing_and_reading() -> None:
    for board in BOARDS.values():
        again = Netlist.parse(board.text())
        assert again == board
        assert again.text() == board.text()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "nothing in it"),
        ('(export (version "D")', "a bracket was never closed"),
        (")", "a bracket closes that was never opened"),
        ("(kicad_pcb)", r"a netlist begins with \(export and ends with its bracket, got '\(kicad_pcb\)'"),
        ('(export (version "D"))', r"no \(components in it"),
    ],
)
def test_what_is_no_netlist_is_refused_in_one_line(text: str, why: str) -> None:
    with pytest.raises(NetlistError, match=why):
        Netlist.parse(text)


@pytest.fixture(scope="module")
def drawn() -> dict[str, str]:
    """The netlists as SKiDL makes them now; it refuses to when an electrical rule is broken."""
    if reason := drawings.missing_for_circuits():
        pytest.skip(reason)
    return drawings.netlists()


def test_skidl_finds_no_fault_and_the_netlists_are_up_to_date(drawn: dict[str, str]) -> None:
    assert drawn == {name: board.text() for name, board in BOARDS.items()}
    assert set(drawn) == set(drawings.CIRCUITS)


def test_strips_in_different_orders_are_refused_in_one_line(tmp_path: Path, drawn: dict[str, str]) -> None:
    assert drawn
    odd = (HARDWARE / "rig" / "full.toml").read_text("utf-8")
    odd = odd.replace("p5 = [24, 25,", "p5 = [25, 24,")
    (tmp_path / "odd.toml").write_text(odd, "utf-8")
    with pytest.raises(ValueError, match=r"slots\.p5 and the three points after it lie in another order"):
        drawings.netlists(tmp_path / "odd.toml")
