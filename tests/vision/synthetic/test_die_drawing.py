"""Dice are drawn where and how their pose says; the pips that can be counted are the pips that were asked for."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.synthetic.dice import (
    Die,
    DieLight,
    DieLook,
    PinholeCamera,
    cocked_pose,
    die_image,
    draw_die,
    flat_pose,
    lowest_m,
    project,
    random_look,
    top_face,
)
from vision.synthetic.dice_shape import face_values

FACES = st.integers(1, 6)
TURNS = st.floats(0, 2 * np.pi)
SEEDS = st.integers(0, 2**32)


def above(size_px: int = 200, focal: float = 4000.0) -> PinholeCamera:
    """Return a camera one metre over the board's middle, looking straight down."""
    matrix = np.array([[focal, 0, size_px / 2], [0, focal, size_px / 2], [0, 0, 1]], np.float64)
    return PinholeCamera(matrix, np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 1.0]))


@given(FACES, TURNS, SEEDS)
def test_a_flat_die_shows_its_value_and_stands_on_its_support(value: int, yaw: float, seed: int) -> None:
    look = random_look(np.random.default_rng(seed))
    pose = flat_pose(value, look, (0.1, -0.05, 0.02), yaw)
    shown, tilt = top_face(pose, look)
    assert shown == value
    assert tilt == pytest.approx(0, abs=1e-4)
    assert pose.z_m + lowest_m(pose.rotation, look) == pytest.approx(0.02, abs=1e-6)


@given(FACES, TURNS, st.floats(1, 44), st.floats(-0.7, 0.7), SEEDS)
def test_a_cocked_die_is_tilted_as_asked_and_touches_its_support(
    value: int, yaw: float, tilt_deg: float, edge: float, seed: int
) -> None:
    look = random_look(np.random.default_rng(seed))
    pose = cocked_pose(value, look, (0.0, 0.0, 0.01), yaw, np.radians(tilt_deg), edge_rad=edge)
    shown, tilt = top_face(pose, look)
    assert shown == value
    assert tilt == pytest.approx(tilt_deg, abs=1e-3)
    assert pose.z_m + lowest_m(pose.rotation, look) == pytest.approx(0.01, abs=1e-6)
    assert np.linalg.det(pose.rotation) == pytest.approx(1)


@pytest.mark.parametrize("mirrored", [False, True])
def test_opposite_faces_of_every_die_add_up_to_seven(mirrored: bool) -> None:
    values = face_values(DieLook(mirrored=mirrored))
    assert [values[i] + values[i + 1] for i in (0, 2, 4)] == [7, 7, 7]
    assert sorted(values) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("value", range(1, 7))
@settings(max_examples=10, deadline=None)
@given(yaw=TURNS)
def test_the_dark_spots_on_a_white_die_seen_from_above_are_its_pips(value: int, yaw: float) -> None:
    frame = np.full((200, 200, 3), 120, np.uint8)
    die = Die(DieLook(gloss=0.0), flat_pose(value, DieLook(), (0.0, 0.0, 0.0), yaw))
    image = draw_die(frame, above(), die, DieLight(), np.random.default_rng(0))
    inside = np.zeros((200, 200), np.uint8)
    cv2.fillConvexPoly(inside, image.top_face_px.astype(np.int32), 255)
    inside = cv2.erode(inside, np.ones((9, 9), np.uint8))  # rounded corners show the dark ground
    dark = ((cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY) < 100) & (inside > 0)).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    big = [row for row in range(1, count) if stats[row, cv2.CC_STAT_AREA] >= 8]
    assert len(big) == value


def test_a_die_without_a_shadow_changes_no_pixel_outside_its_outline() -> None:
    frame = np.full((200, 200, 3), 120, np.uint8)
    die = Die(DieLook(), cocked_pose(3, DieLook(), (0.0, 0.0, 0.0), 0.4, 0.5))
    image = draw_die(frame, above(), die, DieLight(), np.random.default_rng(0), floor_m=None)
    around = np.zeros((200, 200), np.uint8)
    cv2.fillConvexPoly(around, image.outline_px.astype(np.int32), 255)
    around = cv2.dilate(around, np.ones((5, 5), np.uint8))
    assert (frame[around == 0] == 120).all()
    assert (frame[around > 0] != 120).any()


def test_a_die_outside_the_picture_is_no_trouble() -> None:
    frame = np.full((200, 200, 3), 120, np.uint8)
    die = Die(DieLook(), flat_pose(3, DieLook(), (1.0, 1.0, 0.0), 0.4))
    draw_die(frame, above(), die, DieLight(), np.random.default_rng(0))
    assert (frame == 120).all()


def test_the_middle_of_the_top_face_is_a_die_height_above_the_surface() -> None:
    look = DieLook(size_m=0.016)
    image = die_image(above(), Die(look, flat_pose(2, look, (0.01, 0.02, 0.0), 0.3)))
    assert image.centre_px == pytest.approx(project(above(), [(0.01, 0.02, 0.016)])[0], abs=1e-3)
    # Sixteen millimetres at 4000 pixels focal length, a metre less the die's height away.
    assert image.face_px == pytest.approx(4000 * 0.016 / (1 - 0.016), rel=1e-3)


def test_a_doubling_cube_has_figures_and_no_pips() -> None:
    frame = np.full((200, 200, 3), 120, np.uint8)
    look = DieLook(texts=("2", "4", "8", "16", "32", "64"), gloss=0.0)
    die = Die(look, flat_pose(6, look, (0.0, 0.0, 0.0), 0.0))
    image = draw_die(frame, above(), die, DieLight(), np.random.default_rng(0))
    x, y = (int(value) for value in image.top_face_px.min(axis=0))
    top = frame[y + 6 : y + 58, x + 6 : x + 58]
    dark = (cv2.cvtColor(top, cv2.COLOR_BGR2GRAY) < 100).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    # "64" is two figures, not six pips.
    assert len([row for row in range(1, count) if stats[row, cv2.CC_STAT_AREA] >= 8]) == 2
