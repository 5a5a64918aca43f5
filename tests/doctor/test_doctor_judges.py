"""What the doctor makes of reeds, pictures and machines, without any device."""

import numpy as np
import pytest

from controller.doctor.findings import Finding, Grade
from controller.doctor.judges import (
    judge_clock,
    judge_disk,
    judge_picture,
    judge_pose,
    judge_power,
    judge_reeds,
    set_up,
)
from controller.locale import Lang
from controller.rules import ruleset
from firmware_bridge.clocks import Micros
from firmware_bridge.rig import Rig
from firmware_bridge.values import ReedFrame
from vision.board.geometry import BoardPose, BoardShape, Frame

FULL = Rig.load("full")
SHORT, LONG = ruleset("short-wbgf").game, ruleset("long-fnr").game


def reeds(*frames: frozenset[int], game: object = SHORT) -> list[Finding]:
    told = [ReedFrame(Micros(number), tuple(sorted(frame))) for number, frame in enumerate(frames)]
    return judge_reeds(FULL, game, told)  # type: ignore[arg-type] # one of the games


def in_english(findings: list[Finding]) -> str:
    assert all(finding.in_words(Lang.RU) for finding in findings)
    return " ".join(finding.in_words(Lang.EN) for finding in findings)


def begun() -> frozenset[int]:
    """The start position of short nardy as everybody knows it: 5 on p6, 3 on p8, 5 on p13, 2 on p24, and mirrored."""
    heights = {"p6": 5, "p8": 3, "p13": 5, "p24": 2, "p19": 5, "p17": 3, "p12": 5, "p1": 2}
    return frozenset(slot for place, height in heights.items() for slot in FULL.slots[place][:height])


def test_the_start_position_is_what_everybody_knows() -> None:
    assert set_up(FULL, SHORT) == begun()
    assert set_up(FULL, LONG) == frozenset((*FULL.slots["p24"], *FULL.slots["p12"]))


@pytest.mark.parametrize("closed", [frozenset[int](), begun()], ids=["empty", "set up"])
def test_reeds_that_show_what_lies_there_are_well(closed: frozenset[int]) -> None:
    (finding,) = reeds(closed)
    assert finding.grade is Grade.OK


def test_a_reed_that_is_stuck_on_an_empty_board_is_named() -> None:
    (finding,) = reeds(frozenset({FULL.slots["p15"][4]}))
    assert finding.grade is Grade.FAULT
    assert "the board is empty: Point 15, reed 5 from the rail." in finding.in_words(Lang.EN)
    assert "Пункт 15, геркон 5 от борта" in finding.in_words(Lang.RU)


def test_a_reed_that_is_dead_under_the_start_position_is_named_and_one_that_is_stuck_beside_it() -> None:
    dead, stuck = FULL.slots["p13"][1], FULL.slots["bar_white"][0]
    assert "Open though a checker lies there in the start position: Point 13, reed 2" in in_english(
        reeds(begun() - {dead})
    )
    assert "Closed though nothing lies there in the start position: White's bar, reed 1" in in_english(
        reeds(begun() | {stuck})
    )
    both = in_english(reeds(begun() - {dead} | {stuck}))
    assert "White's bar, reed 1" in both
    assert "Point 13, reed 2" in both


def test_another_position_accuses_no_reed() -> None:
    (finding,) = reeds(frozenset(range(0, 100, 7)))
    assert finding.grade is Grade.NOTE


def test_a_reed_that_chatters_over_nothing_is_named() -> None:
    slot = FULL.slots["p3"][0]
    on, off = frozenset({slot}), frozenset[int]()
    findings = reeds(off, on, off, on, off)
    assert [finding.grade for finding in findings] == [Grade.FAULT, Grade.OK]
    assert "nothing moves: Point 3, reed 1" in in_english(findings)


def grey(level: int) -> Frame:
    return np.full((720, 1280, 3), level, np.uint8)


@pytest.mark.parametrize(("level", "keys"), [(3, ["camera.dark"]), (252, ["camera.bright"]), (120, [])])
def test_light_is_judged(level: int, keys: list[str]) -> None:
    assert [finding.key for finding in judge_picture(grey(level), (1280, 720))] == keys


def test_strong_colours_are_no_lack_of_light() -> None:
    red = np.zeros((720, 1280, 3), np.uint8)
    red[:, :, 2] = 200
    assert list(judge_picture(red, (1280, 720))) == []


def test_pictures_of_another_size_than_asked_are_reported() -> None:
    (finding,) = judge_picture(grey(120), (1920, 1080))
    assert "1280x720" in finding.in_words(Lang.EN)
    assert "1920x1080" in finding.in_words(Lang.RU)


@pytest.mark.parametrize(
    ("corners", "grade", "word"),
    [
        ([[1100, 650], [170, 650], [240, 70], [1040, 70]], Grade.OK, "in view"),
        ([[1400, 650], [170, 650], [240, 70], [1040, 70]], Grade.FAULT, "p24): 1."),
        ([[400, 250], [170, 250], [170, 70], [400, 70]], Grade.NOTE, "too far"),
    ],
)  # fmt: skip
def test_the_boards_place_is_judged(corners: list[list[float]], grade: Grade, word: str) -> None:
    finding = judge_pose(BoardPose(np.array(corners, np.float32), BoardShape(), (1280, 720)))
    assert finding.grade is grade
    assert word in finding.in_words(Lang.EN)


def test_room_on_the_disk_is_judged() -> None:
    grades = [judge_disk("/j", free, writable=True).grade for free in (50, 500, 5000)]
    assert grades == [Grade.FAULT, Grade.NOTE, Grade.OK]
    assert judge_disk("/j", 5000, writable=False).grade is Grade.FAULT


def test_the_wall_clock_is_judged() -> None:
    grades = [judge_clock(*told).grade for told in ((1970, True), (2031, False), (2031, True), (2031, None))]
    assert grades == [Grade.FAULT, Grade.NOTE, Grade.OK, Grade.OK]


@pytest.mark.parametrize(
    ("said", "grades"),
    [
        ("throttled=0x0\n", [Grade.OK]),
        ("throttled=0x50005\n", [Grade.FAULT]),
        ("throttled=0x50000\n", [Grade.NOTE]),
        ("VCHI initialization failed\n", []),
    ],
)
def test_a_weak_supply_is_reported(said: str, grades: list[Grade]) -> None:
    assert [finding.grade for finding in judge_power(said)] == grades
