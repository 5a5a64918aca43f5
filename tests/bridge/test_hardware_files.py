"""Rig, firmware header, wiring plan, bill and printed parts agree; the magnets are strong enough and not too strong."""

import importlib.util
import math
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from gpiozero.pins.mock import MockFactory

from firmware_bridge.emulator import FIRMWARE
from firmware_bridge.rig import HOMES, Rig, RigError

HARDWARE = HOMES[1].parent


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, HARDWARE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


drawings, magnetics = script("drawings"), script("magnetics")
FULL = Rig.load("full")


@pytest.mark.parametrize("path", drawings.outputs(), ids=lambda path: str(path.relative_to(HARDWARE)))
def test_what_is_made_from_the_rigs_is_up_to_date(path: Path) -> None:
    assert path.read_text("utf-8") == drawings.outputs()[path]


def test_the_firmware_header_has_the_pins_of_the_rig() -> None:
    header = (FIRMWARE / "rig.h").read_text("utf-8")
    ports = dict(re.findall(r"#define (\w+)_PORT PORT(\w)", header))
    bits = dict(re.findall(r"#define (\w+)_BIT (\d)", header))
    pins = {name: f"P{port}{bits[name]}" for name, port in ports.items()}
    lamps = [f"P{port}{bit}" for port, bit in re.findall(r"\{&PORT(\w), 1 << (\d)\}", header)]
    assert lamps == list(FULL.lamps.values())
    assert pins == {
        use.replace(" ", "_").upper(): pin for use, pin in FULL.pins().items() if not use.startswith("lamp")
    }


@pytest.mark.parametrize("name", drawings.RIGS)
def test_every_pin_of_a_rig_is_wired_once_in_its_plan(name: str) -> None:
    rig = Rig.load(name)
    plan = (HARDWARE / "wiring" / f"{name}.yml").read_text("utf-8")
    wired = [pin for pins in re.findall(r"- - CONTROLLER: \[(.*)\]", plan) for pin in pins.split(", ")]
    serial = {"RXD", "TXD", "DTR"}
    assert sorted(pin for pin in wired if pin not in {"GND", "3V3"} | serial) == sorted(rig.pins().values())


@pytest.mark.parametrize("name", ["camera_only", "full_pi"])
def test_a_plan_gives_the_places_on_the_pis_header(name: str) -> None:
    plan = (HARDWARE / "wiring" / f"{name}.yml").read_text("utf-8")
    (numbers,) = re.findall(r"CONTROLLER:\n.*\n    pins: \[(.*)\]", plan)
    labels = re.findall(r"    pinlabels: \[(GND, 3V3, .*)\]", plan)[0]
    # gpiozero has its own table of a Pi's header.
    header = MockFactory().board_info.headers["J8"].pins
    assert labels.split(", ") == [header[int(number)].name for number in numbers.split(", ")]


def test_the_bill_has_a_reed_a_slot_and_a_magnet_a_checker() -> None:
    counts = {line.part.split(",")[0].split(" ")[0]: line.count for line in drawings.bill(FULL)}
    assert counts["reed"] == 160
    assert counts["74HC165"] == 20
    assert counts["disc"] >= 30


def test_no_tray_lies_under_the_bar_and_every_point_is_over_one() -> None:
    trays = [set(tray) for tray in drawings.trays(FULL)]
    assert sorted(point for tray in trays for point in tray) == list(range(1, 25))
    # As on every board: the bar is between p6 and p7, p18 and p19; p12 and p13 face each other.
    assert not any({here, here + 1} <= tray for tray in trays for here in (6, 12, 18))
    printed = {line.part: line.count for line in drawings.bill(FULL) if line.part.startswith("printed tray")}
    assert printed == {"printed tray of 4 points": 4, "printed tray of 2 points": 4}


def test_trays_of_both_sides_leave_room_between_them() -> None:
    board = FULL.board
    assert board is not None
    free = board.field_depth_mm - 2 * 6 * board.slot_pitch_mm
    assert f"in the {free:.0f} mm that stay free" in (HARDWARE / "README.md").read_text("utf-8")
    assert free > 0


def test_the_chain_is_no_longer_than_the_guide_allows() -> None:
    plan = (HARDWARE / "wiring" / "full_pi.yml").read_text("utf-8")
    lengths = [float(length) for length in re.findall(r"  CHAIN\d+: .*length: ([\d.]+)", plan)]
    assert len(lengths) == 7
    assert sum(lengths) <= 2


def test_serial_lines_cross_between_adapter_and_board() -> None:
    plan = (HARDWARE / "wiring" / "full.yml").read_text("utf-8")
    (adapter,) = re.findall(r"SERIAL-ADAPTER:\n.*\n    pinlabels: \[(.*)\]", plan)
    (board,) = re.findall(r"CONTROLLER: \[(.*)\]\n.*\n    - SERIAL-ADAPTER: \[1-5\]", plan)
    wires = dict(zip(adapter.split(", "), board.split(", "), strict=True))
    assert wires == {"GND": "GND", "3V3": "3V3", "TXD": "RXD", "RXD": "TXD", "DTR": "DTR"}


def test_the_examples_buttons_are_where_the_plan_has_them() -> None:
    example = (HARDWARE / "referee.toml").read_text("utf-8")
    pins = {name: f"GPIO{pin}" for name, pin in re.findall(r"^# (\w+) = (\d+)$", example, re.MULTILINE)}
    rig = Rig.load("camera_only")
    assert rig.buzzer is not None
    assert [pins[name] for name in rig.buttons] == list(rig.buttons.values())
    assert (pins["lamp_white"], pins["lamp_black"]) == (rig.lamps["white_turn"], rig.lamps["black_turn"])
    assert (pins["lamp_ruling"], pins["buzzer"]) == (rig.lamps["please_look"], rig.buzzer.pin)


def test_the_field_on_the_axis_is_the_textbooks() -> None:
    magnet = FULL.magnet
    assert magnet is not None
    radius, height = magnet.diameter_mm / 2, magnet.height_mm
    for below in (1.0, 3.0, 10.0):
        near, far = below, below + height
        expected = magnet.remanence_t / 2 * (far / math.hypot(far, radius) - near / math.hypot(near, radius))
        assert magnetics.magnet_field(magnet, 1e-6, below)[1] == pytest.approx(expected, rel=0.02)


def test_far_away_a_magnet_is_a_dipole() -> None:
    magnet = FULL.magnet
    assert magnet is not None
    volume = math.pi * (magnet.diameter_mm / 2) ** 2 * magnet.height_mm
    rho, below = 60.0, 40.0
    z = below + magnet.height_mm / 2
    r = math.hypot(rho, z)
    strength = magnet.remanence_t * volume / (4 * math.pi)
    radial, axial = magnetics.magnet_field(magnet, rho, below)
    assert radial == pytest.approx(-3 * strength * rho * z / r**5, rel=0.02)
    assert axial == pytest.approx(strength * (3 * z * z - r * r) / r**5, rel=0.05)


@pytest.mark.parametrize("name", ["full", "full_pi"])
def test_each_reed_sees_its_own_checker_and_no_other(name: str) -> None:
    rig = Rig.load(name)
    assert rig.reed is not None
    assert magnetics.weakest_t(rig) > magnetics.MARGIN * magnetics.rating_t(rig, rig.reed.operate_at)
    assert magnetics.strongest_t(rig) * magnetics.MARGIN < magnetics.rating_t(rig, rig.reed.release_at)


def test_a_reed_exactly_under_its_magnet_would_see_nothing() -> None:
    assert abs(magnetics.along_reed(FULL, magnetics.Spot(0.0, 0.0, 3.0))) < 1e-9


def test_a_rig_without_reeds_is_refused_in_one_line() -> None:
    with pytest.raises(RigError, match=r"rig camera_only has no \[board\], \[magnet\] and \[reed\] to compute with"):
        magnetics.report(Rig.load("camera_only"))


def test_the_figures_in_the_guide_are_the_computed_ones() -> None:
    guide = (HARDWARE / "README.md").read_text("utf-8")
    assert f"at least {magnetics.weakest_t(FULL) * 1e3:.2f} mT" in guide
    assert f"at most {magnetics.strongest_t(FULL) * 1e3:.2f} mT" in guide
    assert f"{magnetics.stack_force_n(FULL):.2f} N" in guide
