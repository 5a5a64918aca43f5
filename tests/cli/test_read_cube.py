"""``nardy-referee read`` tells the doubling cube apart: in words of both languages, as JSON, in the picture."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from controller.cli.group import build
from controller.locale import Lang
from vision.synthetic.cube_faces import Lettering
from vision.synthetic.dice import Die, DieLook, flat_pose
from vision.synthetic.numerals import Handwriting
from vision.synthetic.scene import DieOnTable, Renderer
from vision.synthetic.style import club_style
from vision.synthetic.viewpoint import overhead_camera

pytestmark = pytest.mark.slow  # loads the networks

SIZE = (1280, 720)
TEXTS = ("2", "4", "8", "16", "32", "64")


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A picture of a board with the cube at 8 beside it, on the far player's side, and how to read it."""
    style = club_style()
    club = Renderer(style, overhead_camera(style.dims, SIZE, tilt_deg=12.0, fill=0.75), SIZE)
    look = DieLook(size_m=0.031, texts=TEXTS, lettering=Lettering(hand=Handwriting(pen=0.17), share=0.6), rounding=0.12)
    place = (1.16 * style.dims.half_width, 0.7 * style.dims.half_depth, 0.0)
    cube = DieOnTable(Die(look, flat_pose(3, look, place, 0.2)))
    picture = tmp_path_factory.mktemp("cube") / "board.png"
    cv2.imwrite(str(picture), club.render((), (cube,)).frame)
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in club.corners_px)
    return ["read", str(picture), "--corners", corners]


def said(lang: Lang, command: list[str]) -> str:
    done = CliRunner().invoke(build(lang), command)
    assert done.exit_code == 0, done.output
    return done.output


def test_number_place_and_side_are_printed(asked: list[str]) -> None:
    (line,) = [line for line in said(Lang.EN, asked).splitlines() if line.startswith("cube")]
    assert line.startswith("cube 8 (8 ")
    assert line.endswith("), right, with the player at p13..p24")
    assert "куб 8 (8 " in said(Lang.RU, asked)


def test_the_json_has_the_odds_and_no_die(asked: list[str]) -> None:
    told = json.loads(said(Lang.EN, [*asked, "--json"]))
    assert told["dice"] == []
    assert told["cube"]["value"] == 8
    assert (told["cube"]["column"], told["cube"]["side"]) == ("right", "far")
    assert max(told["cube"]["odds"], key=told["cube"]["odds"].get) == "8"


def test_the_annotated_picture_frames_the_cube(asked: list[str], tmp_path: Path) -> None:
    out = tmp_path / "read.png"
    x, y = json.loads(said(Lang.EN, [*asked, "--json", "--out", str(out)]))["cube"]["center"]
    before, after = cv2.imread(asked[1]), cv2.imread(str(out))
    changed = np.argwhere((before != after).any(2))
    near = np.abs(changed - [y, x]).max(1) < 60
    assert near.any()


def test_without_a_cube_none_is_told(tmp_path: Path) -> None:
    style = club_style()
    club = Renderer(style, overhead_camera(style.dims, SIZE, tilt_deg=12.0), SIZE)
    picture = tmp_path / "board.png"
    cv2.imwrite(str(picture), club.render(()).frame)
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in club.corners_px)
    command = ["read", str(picture), "--corners", corners]
    assert "cube" not in said(Lang.EN, command)
    assert json.loads(said(Lang.EN, [*command, "--json"]))["cube"] is None
