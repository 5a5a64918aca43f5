"""``nardy-referee read``: the board's place as it is given, and dice in words of both languages."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from controller.cli.board import pose_of
from controller.cli.group import build
from controller.locale import Lang
from vision.synthetic.dice import Die, DieLook, flat_pose
from vision.synthetic.scene import DieOnTable, Renderer
from vision.synthetic.style import club_style
from vision.synthetic.viewpoint import overhead_camera

pytestmark = pytest.mark.slow  # loads the networks

SIZE = (1280, 720)
CORNERS = [[900.0, 600.0], [200.0, 600.0], [200.0, 100.0], [900.0, 100.0]]
EMPTY = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)


@pytest.mark.parametrize(
    ("lang", "words"),
    [(Lang.EN, "die 5 (# %), flat, right half"), (Lang.RU, "зар 5 (# %), лежит ровно, правая половина")],
)
def test_a_die_is_told_in_words(tmp_path: Path, lang: Lang, words: str) -> None:
    style = club_style()
    club = Renderer(style, overhead_camera(style.dims, SIZE, tilt_deg=12.0), SIZE)
    look = DieLook(size_m=0.017)
    die = DieOnTable(Die(look, flat_pose(5, look, (0.5 * style.dims.half_width, 0.0, 0.0), 0.3)))
    picture = tmp_path / "board.png"
    cv2.imwrite(str(picture), club.render((), (die,)).frame)
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in club.corners_px)
    said = CliRunner().invoke(build(lang), ["read", str(picture), "--corners", corners]).output
    before, after = words.split("# %")
    (line,) = [line for line in said.splitlines() if line.startswith(before)]
    assert line.endswith(after)


def test_a_given_bar_goes_before_the_label_beside_the_picture(tmp_path: Path) -> None:
    picture = tmp_path / "board.png"
    picture.with_suffix(".json").write_text(json.dumps({"corners": CORNERS, "bar": [0.45, 0.53]}))
    assert pose_of(EMPTY, picture, None, None).shape.bar == (0.45, 0.53)
    given = pose_of(EMPTY, picture, None, "0.48,0.52")
    assert given.shape.bar == (0.48, 0.52)
    assert given.corners.tolist() == CORNERS
