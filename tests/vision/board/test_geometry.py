"""Surface and picture agree with an independent camera, and bad corners are refused in words."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vision.board.geometry import BoardNotFoundError, BoardPose, BoardShape, in_picture_order
from vision.synthetic.dice_shape import project
from vision.synthetic.style import BoardDims
from vision.synthetic.viewpoint import overhead_camera, surface_corners

SIZE = (1280, 720)
DIMS = BoardDims()

tilts = st.floats(0, 60)
azimuths = st.floats(-180, 180)
shares = st.floats(0, 1)


def pose_seen(tilt: float, azimuth: float) -> tuple[BoardPose, object]:
    camera = overhead_camera(DIMS, SIZE, tilt_deg=tilt, azimuth_deg=azimuth)
    corners = project(camera, surface_corners(DIMS))
    return BoardPose(corners, BoardShape(DIMS.bar_edges), SIZE), camera


@given(tilts, azimuths, shares, shares, st.floats(0, 0.05))
def test_picture_and_surface_are_inverse(tilt: float, azimuth: float, u: float, v: float, height: float) -> None:
    pose, _ = pose_seen(tilt, azimuth)
    there_and_back = pose.to_surface(pose.to_picture([(u, v)], height), height)
    assert there_and_back == pytest.approx(np.array([(u, v)]), abs=1e-6)


@given(tilts, azimuths, shares, shares)
def test_a_checkers_top_lands_where_the_real_camera_sees_it(tilt: float, azimuth: float, u: float, v: float) -> None:
    pose, camera = pose_seen(tilt, azimuth)
    place = ((2 * u - 1) * DIMS.half_width, (2 * v - 1) * DIMS.half_depth, DIMS.thickness)
    true = project(camera, [place])[0]  # type: ignore[arg-type]
    guessed = pose.to_picture([(u, v)], DIMS.thickness / (2 * DIMS.half_width))[0]
    # The focal length is estimated, so a top may be off, but by less than a sixth of a checker.
    assert float(np.linalg.norm(true - guessed)) < pose.checker_px / 6


@given(tilts, azimuths)
def test_the_surface_shape_is_recovered_from_its_corners(tilt: float, azimuth: float) -> None:
    pose, _ = pose_seen(tilt, azimuth)
    assert pose.aspect == pytest.approx(DIMS.half_depth / DIMS.half_width, rel=0.12)
    assert pose.tilt_deg == pytest.approx(tilt, abs=12)


@given(tilts, azimuths)
def test_mirrored_corner_order_still_lifts_towards_the_camera(tilt: float, azimuth: float) -> None:
    assume(tilt > 10)
    pose, _ = pose_seen(tilt, azimuth)
    mirrored = BoardPose(pose.corners[[1, 0, 3, 2]], pose.shape, SIZE)
    same = pose.to_picture([(0.2, 0.3)], 0.03)
    assert mirrored.to_picture([(0.8, 0.3)], 0.03) == pytest.approx(same, abs=0.5)


def test_column_middles_run_from_the_right_and_leave_the_bar_free() -> None:
    shape = BoardShape((0.46, 0.54))
    assert shape.middle(1) == pytest.approx(1 - 0.46 / 12)
    assert shape.middle(6) == pytest.approx(0.54 + 0.46 / 12)
    assert shape.middle(7) == pytest.approx(0.46 - 0.46 / 12)
    assert [shape.middle(point) for point in range(1, 13)] == [shape.middle(25 - point) for point in range(1, 13)]


def test_crossed_corners_are_refused_with_their_numbers() -> None:
    corners = np.array([(900, 600), (100, 100), (100, 600), (900, 100)], np.float32)
    with pytest.raises(BoardNotFoundError, match="must go once round the board, got 900,600, 100,100"):
        BoardPose(corners, BoardShape(), SIZE)


def test_a_board_too_small_to_read_names_the_pixels_it_lacks() -> None:
    corners = np.array([(90, 60), (40, 60), (40, 20), (90, 20)], np.float32)
    with pytest.raises(BoardNotFoundError, match=r"picture too small: a checker is 3 pixels, 12 needed"):
        BoardPose(corners, BoardShape(), SIZE)


def test_corners_outside_the_picture_are_named() -> None:
    corners = np.array([(1400, 600), (100, 620), (120, 80), (1100, 80)], np.float32)
    assert BoardPose(corners, BoardShape(), SIZE).corners_missing() == (0,)


@pytest.mark.parametrize("bar", [(0.6, 0.5), (0.1, 0.5), (0.5, 0.9)])
def test_an_impossible_bar_is_refused(bar: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="bar's edges"):
        BoardShape(bar)


@pytest.mark.parametrize("start", range(4))
@pytest.mark.parametrize("mirrored", [False, True])
def test_corners_in_picture_order_begin_at_the_top_left_however_the_board_lies(start: int, mirrored: bool) -> None:
    picture = np.array([(240, 70), (1040, 75), (1105, 655), (172, 650)], np.float32)
    board = np.roll(picture[::-1] if mirrored else picture, start, 0)
    assert (in_picture_order(board) == picture).all()
