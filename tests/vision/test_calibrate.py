"""Markers are found, and a board or camera that was bumped is noticed and found again."""

import time

import cv2
import numpy as np
import pytest

from tests.vision.conftest import SHORT_START, Table
from vision.calibrate import PoseFinding, PoseWatch, find_board
from vision.geometry import BoardNotFoundError, Frame
from vision.markers import find_marked_corners, marker_sheet
from vision.synthetic.clutter import Hand
from vision.synthetic.layout import Tidiness, lay_position


@pytest.fixture(scope="module")
def quiet(table: Table) -> Frame:
    return table.renderer.noisy(table.picture(), 1)


def shifted(frame: Frame, x: float, y: float, turn_deg: float = 0.0) -> tuple[Frame, np.ndarray]:
    height, width = frame.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, 1.0)
    matrix[:, 2] += (x, y)
    moved = cv2.warpAffine(frame, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8), matrix


def test_a_board_that_stands_still_is_in_place_whatever_is_played(table: Table, quiet: Frame) -> None:
    watch = PoseWatch(quiet, table.pose)
    played = table.renderer.noisy(table.picture((*SHORT_START[:5], 3, 1, 3, 0, 0, 1, *SHORT_START[11:])), 2)
    assert watch.check(played).finding is PoseFinding.IN_PLACE


def test_a_hand_does_not_move_the_board(table: Table, quiet: Frame) -> None:
    checkers = lay_position(table.renderer.style, SHORT_START, (0, 0), Tidiness(), np.random.default_rng(5))
    frame = table.renderer.render(checkers, hand=Hand((0.1, 0.0), (0.1, -0.6))).frame
    assert PoseWatch(quiet, table.pose).check(frame).finding is PoseFinding.IN_PLACE


@pytest.mark.parametrize(("x", "y", "turn"), [(6, 0, 0.0), (0, -9, 0.0), (14, 8, 1.5), (-60, 25, -6.0)])
def test_a_bumped_camera_is_noticed_and_the_board_found_again(
    table: Table, quiet: Frame, x: float, y: float, turn: float
) -> None:
    moved, matrix = shifted(quiet, x, y, turn)
    check = PoseWatch(quiet, table.pose).check(moved)
    assert check.finding is PoseFinding.MOVED
    assert check.pose is not None
    true = table.pose.corners @ matrix[:, :2].T + matrix[:, 2]
    width = float(np.linalg.norm(true[0] - true[1]))
    assert np.abs(check.pose.corners - true).max() < 0.004 * width


def test_a_board_taken_away_is_out_of_view(table: Table, quiet: Frame) -> None:
    other = np.random.default_rng(1).integers(0, 255, quiet.shape, np.uint8)
    assert PoseWatch(quiet, table.pose).check(other).finding is PoseFinding.OUT_OF_VIEW


def test_a_check_costs_a_fraction_of_a_look(table: Table, quiet: Frame) -> None:
    watch = PoseWatch(quiet, table.pose)
    start = time.process_time()
    for _ in range(3):
        watch.check(quiet)
    assert (time.process_time() - start) / 3 < 0.04


def with_markers(table: Table, *, missing: int | None = None) -> Frame:
    """Lay the printed markers flat beside the board, their inner corners on the surface's corners."""
    frame = table.picture()
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    side = 0.09
    for label, (u, v) in enumerate(((1, 0), (0, 0), (0, 1), (1, 1))):
        if label == missing:
            continue
        picture = np.full((120, 120), 255, np.uint8)
        picture[15:105, 15:105] = cv2.aruco.generateImageMarker(dictionary, label, 90)
        left, bottom = (u if u else -side), (v if v else -side / table.pose.aspect)
        edge = side * 15 / 90
        corners = [(left - edge, bottom + side / table.pose.aspect + edge), (left + side + edge, bottom - edge)]
        (x0, y0), (x1, y1) = corners
        target = table.pose.to_picture([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]).astype(np.float32)
        source = np.array([(0, 0), (120, 0), (120, 120), (0, 120)], np.float32)
        matrix = cv2.getPerspectiveTransform(source, target)
        warped = cv2.warpPerspective(picture, matrix, (1280, 720))
        inside = cv2.warpPerspective(np.full_like(picture, 255), matrix, (1280, 720)) > 127
        frame[inside] = warped[inside, None]
    return frame


def test_four_markers_give_the_corners(table: Table) -> None:
    found = find_marked_corners(with_markers(table))
    assert np.abs(found - table.pose.corners).max() < 4


def test_a_missing_marker_is_named_by_its_corner(table: Table) -> None:
    with pytest.raises(BoardNotFoundError, match=r"markers of corners p13 not in view; markers seen: \[0, 1, 3\]"):
        find_marked_corners(with_markers(table, missing=2))


def test_an_empty_table_is_a_board_not_found_not_a_crash() -> None:
    with pytest.raises(BoardNotFoundError, match="board not found: no markers in view"):
        find_board(np.full((720, 1280, 3), 120, np.uint8))


def test_a_marked_board_is_found_with_its_bar(table: Table) -> None:
    pose = find_board(with_markers(table))
    assert pose.shape.bar == pytest.approx(table.pose.shape.bar, abs=0.015)


def test_the_printed_sheet_shows_all_four_markers() -> None:
    sheet = marker_sheet(dots_per_mm=4.0)
    _, labels, _ = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)).detectMarkers(
        sheet
    )
    assert sorted(int(label) for label in np.ravel(labels)) == [0, 1, 2, 3]
