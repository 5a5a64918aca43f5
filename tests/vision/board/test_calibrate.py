"""A board with printed markers is found, its bar too, and what is missing is named."""

import cv2
import numpy as np
import pytest

from tests.vision.table import Table, with_markers
from vision.board.calibrate import find_corners, fit_bar, pose_from_corners
from vision.board.geometry import BoardNotFoundError, BoardShape
from vision.board.markers import find_marked_corners, marker_sheet

LONG_START = (*[0] * 11, -15, *[0] * 11, 15)


def test_four_markers_give_the_corners(table: Table) -> None:
    found = find_marked_corners(with_markers(table))
    assert np.abs(found - table.pose.corners).max() < 4


def test_a_missing_marker_is_named_by_its_corner(table: Table) -> None:
    with pytest.raises(BoardNotFoundError, match=r"markers of corners p13 not in view; markers seen: 0, 1, 3"):
        find_marked_corners(with_markers(table, missing=2))


def test_an_empty_table_is_a_board_not_found_not_a_crash() -> None:
    with pytest.raises(BoardNotFoundError, match="board not found: nothing in view looks like one"):
        find_corners(np.full((720, 1280, 3), 120, np.uint8))


def test_a_marked_board_is_found_with_its_bar(table: Table) -> None:
    picture = with_markers(table)
    pose = pose_from_corners(picture, find_corners(picture))
    assert pose.shape.bar == pytest.approx(table.pose.shape.bar, abs=0.015)


def test_the_printed_sheet_shows_all_four_markers() -> None:
    sheet = marker_sheet(dots_per_mm=4.0)
    _, labels, _ = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)).detectMarkers(
        sheet
    )
    assert sorted(int(label) for label in np.ravel(labels)) == [0, 1, 2, 3]


def test_checkers_at_the_sides_alone_do_not_tell_the_bar(table: Table) -> None:
    # Fitted to them it came out three times as wide.
    picture = table.picture(LONG_START)
    assert fit_bar(picture, table.pose.corners) is None
    built = BoardShape((0.47, 0.53), 0.9, 0.3)
    assert pose_from_corners(picture, table.pose.corners, usual=built).shape == built
