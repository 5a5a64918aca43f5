"""What only the real firmware has: pins, bounces, RAM that outlives a reset, an EEPROM, and its size."""

import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench_table import MS, Bench, Spoiler

from firmware_bridge import messages as m
from firmware_bridge.clocks import Micros
from firmware_bridge.emulator import FIRMWARE, Emulator, build, missing
from firmware_bridge.rig import Rig
from firmware_bridge.values import ButtonPress, LinkBack

pytestmark = pytest.mark.slow  # runs the firmware in the emulator

RIG = Rig.load("full")


@pytest.fixture
def board(elf: Path, tmp_path: Path) -> Iterator[Emulator]:
    board = Emulator(RIG, elf, folder=tmp_path)
    yield board
    board.close()


@pytest.fixture
def bench(board: Emulator) -> Iterator[Bench]:
    table = Bench(board, Spoiler())
    table.run(300)
    yield table
    table.link.close()


def test_flash_and_ram_stay_under_half(elf: Path) -> None:
    said = subprocess.run(
        ["make", "-C", FIRMWARE, f"BUILD={elf.parent}", "size"], check=True, capture_output=True, text=True
    ).stdout
    shares = [int(share) for share in re.findall(r"\((\d+) %\)", said)]
    assert len(shares) == 2
    assert all(share < 50 for share in shares)


def test_the_firmware_is_built_into_any_folder_of_the_callers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if reason := missing():
        pytest.skip(reason)
    monkeypatch.chdir(tmp_path)
    assert build(Path("my games")).read_bytes().startswith(b"\x7fELF")
    assert [path.name for path in tmp_path.rglob("*.elf")] == ["board.elf"]


@pytest.mark.parametrize("seed", range(3))
def test_a_bouncing_button_is_one_press_from_its_first_bounce(bench: Bench, board: Emulator, seed: int) -> None:
    rng = random.Random(seed)
    bench.run(1500)
    pressed_us = bench.now_us
    for _ in range(rng.randint(2, 6)):
        board.hold("white", rng.randint(100, 800))
        bench.run(2, step_ms=0.5)
    board.press("white")
    bench.run(200)
    (press,) = bench.all(ButtonPress)
    assert abs(press.at_us - pressed_us) <= 2 * MS


def test_a_spark_on_the_cable_is_no_press(bench: Bench, board: Emulator) -> None:
    for _ in range(20):
        board.hold("black", 1 * MS)
        bench.run(30)
    assert bench.presses() == []


def test_lamps_light_blink_and_dim(bench: Bench, board: Emulator) -> None:
    def share(lamp: str, length_ms: int) -> float:
        seen = []
        for _ in range(length_ms * 8):
            bench.leave_alone(0.125)
            seen.append(board.lamp_level(lamp) == "H")
        return sum(seen) / len(seen)

    assert share("refused", 40) == 0
    bench.link.send(m.Lamp(RIG.lamp_number("refused"), m.LampMode.ON))
    bench.run(50)
    assert share("refused", 40) == 1
    assert share("accepted", 40) == 0
    bench.link.send(m.Brightness(128))
    bench.run(50)
    assert share("refused", 80) == pytest.approx(0.5, abs=0.05)
    bench.link.send(m.Brightness(255))
    bench.link.send(m.Lamp(RIG.lamp_number("refused"), m.LampMode.BLINK))
    bench.run(50)
    assert share("refused", 1000) == pytest.approx(0.5, abs=0.05)


def test_every_start_is_counted_in_the_eeprom(bench: Bench, board: Emulator) -> None:
    for _ in range(2):
        board.unplug()
        bench.run(100)
        board.plug_in()
        bench.run(1000, step_ms=5)
    boots = [back.hello.boots for back in bench.all(LinkBack)]
    assert boots == [boots[0], boots[0] + 1, boots[0] + 2]
    assert {back.hello.board_id for back in bench.all(LinkBack)} == {bytes(range(16))}


def test_two_runs_of_the_emulator_are_the_same_to_the_byte(elf: Path, tmp_path: Path) -> None:
    def life() -> list[tuple[int, int]]:
        reported: list[tuple[int, int]] = []
        board = Emulator(RIG, elf, tap=lambda at_us, byte: reported.append((at_us, byte)), folder=tmp_path)
        for number in range(10):
            board.set_slots(range(number))
            board.press("white")
            board.advance(Micros(200_000 * (number + 1)))
        board.close()
        return reported

    first = life()
    assert len(first) > 500
    assert life() == first
