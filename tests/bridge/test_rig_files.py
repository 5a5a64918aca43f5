import re
from pathlib import Path

import pytest

from firmware_bridge.rig import HOMES, PLACES, POINTS, Rig, RigError

RIGS = sorted(HOMES[1].glob("*.toml"))
FULL = (HOMES[1] / "full.toml").read_text("utf-8")


def test_the_full_board_has_six_slots_a_point_and_no_idle_bit() -> None:
    rig = Rig.load("full")
    assert rig.slot_count == 160
    assert {place: len(slots) for place, slots in rig.slots.items()} == dict.fromkeys(POINTS, 6) | {
        "bar_white": 2,
        "bar_black": 2,
        "tray_white": 6,
        "tray_black": 6,
    }
    assert sorted(slot for slots in rig.slots.values() for slot in slots) == list(range(160))


@pytest.mark.parametrize("path", RIGS, ids=lambda path: path.stem)
def test_every_rig_loads_and_finds_its_slots_again(path: Path) -> None:
    rig = Rig.load(path.stem)
    for place, slots in rig.slots.items():
        assert place in PLACES
        assert [rig.place_of(slot) for slot in slots] == [(place, index) for index in range(len(slots))]


def test_a_reed_frame_is_read_by_place() -> None:
    rig = Rig.load("full")
    assert rig.occupied_places((0, 1, 7, 145)) == {"p1": (0, 1), "p2": (1,), "bar_white": (1,)}


def test_the_same_board_with_or_without_microcontroller_has_the_same_slots() -> None:
    assert Rig.load("full").slots == Rig.load("full_pi").slots


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("p2 = [6", "p2 = [5", "slots.p2: two sensors on bit 5; p1 has it already"),
        ('black = "PC1"', 'black = "PC0"', "pin PC0 is used twice: for button white and for button black"),
        ('black = "PC1"', 'black = "PD0"', "button black: 'PD0' is no free pin of the atmega328p; allowed: PB0, "),
        (
            "registers = 20",
            "registers = 19",
            "slots.tray_white: bit 152 is not in the chain, which has 152 bits from 0",
        ),
        ("registers = 20", "registers = 200", "chain.registers: Input should be less than or equal to 25"),
        ("p24 =", "p25 =", "slots.p25: no such place; places: p1 to p24, bar_white, "),
        ('white = "PC0"\n', "", "buttons: the white clock button has no pin"),
        ('pin = "PB1"', 'pin = "PB3"', "buzzer.pin: on the atmega328p only PB1 (OC1A) can sound a pitch, got 'PB3'"),
        ("load = ", "lode = ", "chain.load: Field required"),
        ("p1 = [0, 1, 2, 3, 4, 5]", "p1 = []", "slots.p1: every point needs at least one slot"),
        ("[slots]", "[slots", "Expected ']' at the end of a table declaration"),
    ],
)
def test_a_contradiction_is_reported_in_one_line_with_file_and_key(
    tmp_path: Path, old: str, new: str, complaint: str
) -> None:
    assert old in FULL
    path = tmp_path / "mine.toml"
    path.write_text(FULL.replace(old, new, 1), "utf-8")
    with pytest.raises(RigError, match=re.escape(f"{path}: {complaint}")) as caught:
        Rig.load(path)
    assert "\n" not in str(caught.value)


def test_an_unknown_rig_names_those_there_are() -> None:
    with pytest.raises(RigError, match="no rig 'ful'; known: camera_only, full, full_pi, or give a path"):
        Rig.load("ful")


def test_a_missing_file_is_reported_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(RigError, match=r"mine\.toml: No such file or directory"):
        Rig.load(tmp_path / "mine.toml")


def test_a_slot_of_no_place_and_a_lamp_that_is_not_there_are_errors() -> None:
    rig = Rig.load("camera_only")
    with pytest.raises(RigError, match="rig camera_only: no place has slot 3"):
        rig.place_of(3)
    with pytest.raises(RigError, match="rig camera_only: no lamp 'blue'; it has white_turn, black_turn"):
        rig.lamp_number("blue")
