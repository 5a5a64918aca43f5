"""A camera too far from the dice is reported: on the panel from the dice it saw, by `read` from the picture."""

from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from controller.adapters.mqtt.health_messages import health_message
from controller.cli.group import build
from controller.locale import Lang
from controller.referee.events import Device, DieSeen
from controller.rules import ruleset
from tests.referee.tabletop import Table, die
from vision.synthetic.dice import Die, DieLook, flat_pose
from vision.synthetic.scene import DieOnTable, Renderer
from vision.synthetic.style import club_style
from vision.synthetic.viewpoint import overhead_camera

pytestmark = pytest.mark.slow  # loads the networks

ALL = frozenset(Device)


def sized(seen: DieSeen, size_px: float) -> DieSeen:
    return replace(seen, size_px=size_px)


def after_a_throw(*sizes_px: float) -> Table:
    table = Table(ruleset("short-wbgf"))
    table.rest()
    table.throw(sized(die(5, 0.75, 0.3), sizes_px[0]), sized(die(3, 0.25, 0.3), sizes_px[1]))
    assert table.state.game.openings == ((5, 3),)
    return table


def test_dice_under_sixteen_pixels_make_the_camera_weak_in_both_languages() -> None:
    camera = health_message(after_a_throw(18.0, 15.9).state, ALL).devices["camera"]
    assert camera.state == "weak"
    assert camera.texts is not None
    assert "too far from the dice: a die is 15 pixels across, 16 are needed" in camera.texts.en
    assert "15 пикс." in camera.texts.ru


def test_the_warning_stays_when_the_dice_are_taken_up() -> None:
    table = after_a_throw(12.0, 12.0)
    table.throw()
    assert health_message(table.state, ALL).devices["camera"].state == "weak"


def test_dice_of_sixteen_pixels_are_no_reason_to_warn() -> None:
    assert health_message(after_a_throw(16.0, 17.0).state, ALL).devices["camera"].state == "ok"


@pytest.mark.parametrize(("width", "warned"), [(1280, False), (640, True)])
def test_read_says_when_the_picture_is_too_small_for_its_dice(tmp_path: Path, width: int, warned: bool) -> None:
    size = (width, width * 9 // 16)
    style = club_style()
    club = Renderer(style, overhead_camera(style.dims, size, tilt_deg=10.0, fill=0.93), size)
    look = DieLook(size_m=0.017)
    dice = tuple(DieOnTable(Die(look, flat_pose(4, look, (x, 0.0, 0.0), 0.4))) for x in (0.1, 0.2))
    picture = tmp_path / "board.png"
    cv2.imwrite(str(picture), club.render((), dice).frame)
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in club.corners_px)
    done = CliRunner().invoke(build(Lang.EN), ["read", str(picture), "--corners", corners])
    assert done.exit_code == 0, done.output
    assert "die 4" in done.output
    assert ("The camera is too far from the dice" in done.output) is warned
