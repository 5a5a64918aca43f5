"""A board is found by its own look, and what is no board, or not for sure, is not found."""

import numpy as np
import pytest

from controller.evaluate.corners import CornersScore, FoundBoard, off_share
from tests.vision.table import make_table
from vision.board.calibrate import find_corners, pose_from_corners
from vision.board.canvas import fit_into
from vision.board.finder import BoardFinder
from vision.board.geometry import BoardNotFoundError
from vision.synthetic.style import club_style
from vision.training.pictures.samples import shots


@pytest.fixture(scope="module")
def finder() -> BoardFinder:
    return BoardFinder()


@pytest.mark.parametrize("tilt_deg", [5.0, 30.0])
def test_a_club_board_is_found_to_a_hundredth_of_its_width(finder: BoardFinder, tilt_deg: float) -> None:
    table = make_table(club_style(), tilt_deg=tilt_deg)
    assert off_share(finder.find(table.picture()).corners, table.pose.corners) < 0.01


def test_of_the_two_ways_round_p1_is_at_the_lower_right(finder: BoardFinder) -> None:
    table = make_table(club_style())
    found, true = finder.find(table.picture()).corners, table.pose.corners
    width = float(np.linalg.norm(true[0] - true[1]))
    assert np.linalg.norm(found - true, axis=1).max() < 0.01 * width
    upside_down = np.ascontiguousarray(table.picture()[::-1, ::-1])
    assert np.linalg.norm(finder.find(upside_down).corners[0] - ((1279, 719) - true[2])) < 0.01 * width


def test_a_found_board_has_its_bar_too() -> None:
    table = make_table(club_style())
    picture = table.picture()
    pose = pose_from_corners(picture, find_corners(picture))
    assert pose.shape.bar == pytest.approx(table.pose.shape.bar, abs=0.015)


@pytest.mark.parametrize(
    "frame",
    [
        np.zeros((720, 1280, 3), np.uint8),
        np.full((480, 640, 3), 200, np.uint8),
        np.zeros((2000, 3, 3), np.uint8),
        np.zeros((1, 2000, 3), np.uint8),
    ],
    ids=["dark", "grey", "a standing line", "a lying line"],
)
def test_an_empty_table_is_a_board_not_found_not_a_crash(finder: BoardFinder, frame: np.ndarray) -> None:
    with pytest.raises(BoardNotFoundError, match=r"board not found.*give the four corners"):
        finder.find(frame)


def test_noise_is_no_board(finder: BoardFinder) -> None:
    with pytest.raises(BoardNotFoundError):
        finder.find(np.random.default_rng(3).integers(0, 255, (720, 1280, 3), np.uint8))


def test_boards_nobody_saw_before_are_found_or_refused_but_not_misplaced(finder: BoardFinder) -> None:
    offs = []
    for seed in range(40, 70):
        shot = shots(seed, 1)[0]
        try:
            offs.append(off_share(finder.find(shot.frame).corners, shot.corners))
        except BoardNotFoundError:
            continue
    assert len(offs) >= 9
    assert np.median(offs) < 0.015
    # An edge that a near rim hides may be guessed a little off; a tray or another half is never taken for the field.
    assert max(offs) < 0.05


def test_a_board_is_scored_by_its_worst_corner_the_other_way_round_too() -> None:
    true = np.array([(100, 80), (0, 80), (0, 0), (100, 0)], np.float32)
    moved = np.roll(true, 2, 0)
    moved[1, 0] += 2.5
    assert off_share(moved, true) == pytest.approx(0.025)


def test_misplaced_boards_are_named_and_those_not_found_counted_apart() -> None:
    score = CornersScore([FoundBoard("a", 0.004), FoundBoard("b", 0.02), FoundBoard("c", 0.2), FoundBoard("d", None)])
    assert score.totals() == {
        "pictures": 4,
        "within_1_percent": 0.25,
        "off_by_1_to_3_percent": 0.25,
        "off_by_more": 0.25,
        "not_found": 0.25,
    }
    assert score.lines()[0] == "c: board misplaced by 20.0% of its width"


@pytest.mark.parametrize("size", [(640, 480), (1280, 720), (720, 1280)])
def test_fitting_keeps_the_shape_and_tells_scale_and_offset(size: tuple[int, int]) -> None:
    frame = np.zeros((size[1], size[0], 3), np.uint8)
    fitted, scale, (left, top) = fit_into(frame, (256, 160))
    assert fitted.shape == (160, 256, 3)
    black = np.argwhere(fitted[..., 0] == 0)
    assert tuple(black.min(0)) == (top, left)
    assert black.max(0)[0] - black.min(0)[0] + 1 == round(size[1] * scale)
