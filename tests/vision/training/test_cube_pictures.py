"""Drawn doubling cubes show the numbers that their labels say."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.cube.views import CROP_CUBE_PX, CROP_PX, CubeCrop, cube_crop
from vision.dice.views import LevelView
from vision.synthetic.cube_faces import Lettering, paint_faces
from vision.synthetic.dice import Die, DieLight, DieLook, PinholeCamera, draw_die, flat_pose
from vision.synthetic.numerals import Handwriting, numeral, random_hand
from vision.training.pictures.cube_boards import cube_shots
from vision.training.pictures.cube_samples import cube_samples
from vision.training.pictures.cubes import number_on, random_cube
from vision.training.pictures.dice_samples import ViewedScene, level_of
from vision.training.pictures.dice_scenes import SceneDie


def pieces_and_holes(text: str, hand: Handwriting) -> tuple[int, int]:
    """How many separate figures are written, and how many holes they have together."""
    ink = (numeral(text, hand, 160, 0.6) > 0.5).astype(np.uint8)
    pieces = cv2.connectedComponents(ink)[0] - 1
    return pieces, cv2.connectedComponents(1 - ink, connectivity=4)[0] - 2


@pytest.mark.parametrize(
    ("text", "pieces", "holes"), [("2", 1, 0), ("4", 1, 1), ("8", 1, 2), ("16", 2, 1), ("32", 2, 0), ("64", 2, 2)]
)
def test_each_number_has_its_figures_and_their_holes(text: str, pieces: int, holes: int) -> None:
    assert pieces_and_holes(text, Handwriting()) == (pieces, holes)


def test_an_open_four_has_no_hole_and_a_straight_six_has_one() -> None:
    assert pieces_and_holes("4", Handwriting(open_four=True)) == (1, 0)
    assert pieces_and_holes("6", Handwriting(straight_six=True)) == (1, 1)


def test_a_digit_that_no_cube_has_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="cubes show the digits 1, 2, 3, 4, 6 and 8, got '7'"):
        numeral("7", Handwriting(), 40, 0.5)


@given(st.integers(0, 10_000), st.sampled_from(["2", "4", "8", "16", "32", "64"]), st.floats(0.3, 0.72))
def test_any_hand_writes_within_the_face(seed: int, text: str, share: float) -> None:
    ink = numeral(text, random_hand(np.random.default_rng(seed)), 64, share)
    border = np.concatenate([ink[0], ink[-1], ink[:, 0], ink[:, -1]])
    assert border.max() == 0
    assert 0.01 < ink.mean() < 0.6


def test_each_face_has_the_text_of_its_value_and_a_bare_one_none() -> None:
    faces = paint_faces(("2", "4", "8", "16", "32", ""), Lettering(depth=0.03), (200, 200, 200), (10, 10, 10))
    dark = (faces.colours.max(axis=3) < 100).mean(axis=(1, 2))
    assert (dark[:5] > 0.03).all()
    assert dark[5] == 0
    assert faces.depth[:5].max(axis=(1, 2)) == pytest.approx(0.03, rel=0.2)
    assert faces.depth[5].max() == 0


def test_a_one_counts_as_sixty_four_and_a_logo_as_nothing() -> None:
    look = DieLook(texts=("2", "1", "Q", "", "32", "64"))
    assert [number_on(look, value) for value in range(1, 7)] == [2, 64, None, None, 32, 64]


@given(st.integers(0, 10_000))
def test_numbers_stand_out_from_what_they_stand_on(seed: int) -> None:
    look = random_cube(np.random.default_rng(seed), 0.027)
    under = look.lettering.ground_colour if look.lettering.ground in {"disc", "panel"} else look.body
    luma = [0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2] for colour in (look.pips, under)]
    assert abs(luma[0] - luma[1]) > 40


def test_boards_with_cubes_are_the_same_for_the_same_seed_and_most_have_one_of_a_cubes_size() -> None:
    first, again = cube_shots(3, 1)[0], cube_shots(3, 1)[0]
    assert (first.frame == again.frame).all()
    cubes = [die for seed in range(8) for shot in cube_shots(seed, 1) for die in shot.dice if die.rest is None]
    assert len(cubes) >= 4
    assert all(0.012 < die.die.look.size_m < 0.06 for die in cubes)


@given(st.floats(0, 6.28), st.floats(-1, 1), st.floats(-1, 1))
def test_level_directions_turn_into_a_crops_and_back(turn: float, x: float, y: float) -> None:
    crop = CubeCrop(np.zeros((CROP_PX, CROP_PX, 3), np.uint8), (0, 0), (float(np.cos(turn)), float(np.sin(turn))))
    assert crop.other_way(*crop.other_way(x, y)) == pytest.approx((x, y), abs=1e-9)


def test_a_crop_turned_by_a_quarter_shows_the_same_place_turned() -> None:
    frame = np.zeros((200, 200, 3), np.uint8)
    cv2.circle(frame, (120, 100), 6, (255, 255, 255), -1)  # right of the middle by 20 pixels
    view = LevelView.of_picture(200)
    for turn, expected in ((0.0, (1.0, 0.0)), (np.pi / 2, (0.0, -1.0))):
        crop = cube_crop(frame, view, (100.0, 100.0), 40.0, turn)
        rows, columns = np.nonzero(crop.picture[..., 0] > 128)
        spot = (np.array([columns.mean(), rows.mean()]) - (CROP_PX - 1) / 2) / CROP_CUBE_PX
        assert spot == pytest.approx(0.5 * np.array(expected), abs=0.04)
        assert crop.other_way(0.5, 0.0) == pytest.approx(0.5 * np.array(expected), abs=1e-9)


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5, 6])
def test_the_crop_turned_to_the_number_shows_it_upright(value: int) -> None:
    look = DieLook(size_m=0.03, texts=("4",) * 6, lettering=Lettering(hand=Handwriting(pen=0.12)), gloss=0.0)
    camera = PinholeCamera(
        np.array([[2000, 0, 100], [0, 2000, 100], [0, 0, 1]], np.float64),
        np.diag([1.0, -1.0, -1.0]),
        np.array([0, 0, 1.0]),
    )
    frame = np.full((200, 200, 3), 120, np.uint8)
    cube = Die(look, flat_pose(value, look, (0.0, 0.0, 0.0), 0.8))
    image = draw_die(frame, camera, cube, DieLight(), np.random.default_rng(0), floor_m=None)
    scene = SceneDie(cube, None, image)
    seen = ViewedScene(frame, (scene,), level_of(camera), 0.03, 0.03, image.face_px)
    upright = next(sample for sample in cube_samples(np.random.default_rng(1), seen, 0) if sample.kind == 1)
    seen_ink = (cv2.cvtColor(upright.crop.picture, cv2.COLOR_BGR2GRAY) < 90).astype(np.float32)
    wanted = numeral("4", look.lettering.hand, CROP_CUBE_PX, look.lettering.share)
    fits = [
        float(cv2.matchTemplate(np.ascontiguousarray(np.rot90(seen_ink, turn)), wanted, cv2.TM_CCOEFF_NORMED).max())
        for turn in range(4)
    ]
    assert int(np.argmax(fits)) == 0
    assert fits[0] > 0.6
