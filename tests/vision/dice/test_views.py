"""Level views look straight down wherever the camera stands."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.board.geometry import BoardPose, BoardShape
from vision.dice.views import CROP_DIE_PX, CROP_PX, LevelView, die_crop, level_view
from vision.synthetic.dice import Die, DieLight, DieLook, draw_die, flat_pose, project
from vision.synthetic.style import BoardDims
from vision.synthetic.viewpoint import overhead_camera, surface_corners
from vision.training.pictures.dice_samples import level_of

DIMS = BoardDims()
SIZE = (1280, 720)


@settings(max_examples=20, deadline=None)
@given(st.floats(0, 55), st.floats(-180, 180), st.floats(-0.2, 0.2), st.floats(-0.15, 0.15), st.floats(0, 6.2))
def test_a_flat_dies_top_is_a_centred_square_in_its_crop_from_any_side(
    tilt: float, azimuth: float, x: float, y: float, yaw: float
) -> None:
    camera = overhead_camera(DIMS, SIZE, tilt_deg=tilt, azimuth_deg=azimuth)
    frame = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    look = DieLook(rounding=0.05, body=(255, 0, 255), pips=(255, 0, 255), gloss=0.0, size_m=0.03)
    light = DieLight(direction=(0.0, 0.0, 1.0), ambient=0.1, strength=0.9, shadow=0.0)
    draw_die(frame, camera, Die(look, flat_pose(1, look, (x, y, 0.0), yaw)), light, np.random.default_rng(0))
    crop = die_crop(frame, level_of(camera), (x, y), look.size_m).picture
    bright = ((crop[..., 0] > 200) & (crop[..., 1] < 60)).astype(np.uint8)
    moments = cv2.moments(bright, binaryImage=True)
    assert np.sqrt(moments["m00"]) == pytest.approx(CROP_DIE_PX, rel=0.13)
    middle = (moments["m10"] / moments["m00"], moments["m01"] / moments["m00"])
    assert middle == pytest.approx(((CROP_PX - 1) / 2,) * 2, abs=0.8)


@given(st.floats(0, 60), st.floats(-180, 180))
def test_the_nadir_is_the_tangent_of_the_cameras_angle(tilt: float, azimuth: float) -> None:
    camera = overhead_camera(DIMS, SIZE, tilt_deg=tilt, azimuth_deg=azimuth)
    x, y = level_of(camera).nadir((0.0, 0.0), 0.002)
    assert np.hypot(x, y) == pytest.approx(np.tan(np.radians(tilt)), abs=0.02)


@given(st.floats(5, 60), st.floats(-180, 180), st.floats(-0.3, 0.3), st.floats(-0.3, 0.3))
def test_a_crop_is_turned_so_that_the_nadir_points_down(tilt: float, azimuth: float, x: float, y: float) -> None:
    view = level_of(overhead_camera(DIMS, SIZE, tilt_deg=tilt, azimuth_deg=azimuth))
    crop = die_crop(np.zeros((SIZE[1], SIZE[0], 3), np.uint8), view, (0.0, 0.0), 0.016)
    right, down = view.nadir((0.0, 0.0), 0.016)
    assert crop.of_level(right, -down) == pytest.approx((0.0, crop.slant), abs=1e-9)
    assert crop.of_level(*crop.to_level(x, y)) == pytest.approx((x, y), abs=1e-9)


def test_a_picture_without_a_board_has_no_nadir() -> None:
    view = LevelView.of_picture(400)
    assert not view.known
    assert view.nadir((10.0, 20.0), 15.0) == (0.0, 0.0)
    assert view.to_picture([(10.0, 20.0)], 5.0).tolist() == [[10.0, 380.0]]


@settings(max_examples=20, deadline=None)
@given(st.floats(0, 50), st.floats(-120, -60))
def test_a_pose_from_corners_sees_heights_as_the_true_camera_does(tilt: float, azimuth: float) -> None:
    camera = overhead_camera(DIMS, SIZE, tilt_deg=tilt, azimuth_deg=azimuth)
    pose = BoardPose(project(camera, surface_corners(DIMS)), BoardShape(DIMS.bar_edges), SIZE)
    width = 2 * DIMS.half_width
    u, v = 0.7, 0.3
    foot = (u, v * pose.aspect)
    top = level_view(pose).to_picture([foot], 0.016 / width)[0]
    true = project(camera, [((u - 0.5) * width, (v - 0.5) * 2 * DIMS.half_depth, 0.016)])[0]
    assert top == pytest.approx(true, abs=2.5)
