"""A board is found by its own look, and what is no board is not found."""

import numpy as np
import pytest

from tests.vision.conftest import make_table
from vision.board_finder import BoardFinder, fit_into
from vision.calibrate import find_board
from vision.geometry import BoardNotFoundError
from vision.synthetic.samples import shots
from vision.synthetic.style import club_style


@pytest.fixture(scope="module")
def finder() -> BoardFinder:
    return BoardFinder()


@pytest.mark.parametrize("tilt_deg", [5.0, 30.0])
def test_a_club_board_is_found_to_a_hundredth_of_its_width(finder: BoardFinder, tilt_deg: float) -> None:
    table = make_table(club_style(), tilt_deg=tilt_deg)
    found = finder.find(table.picture())
    width = float(np.linalg.norm(table.pose.corners[0] - table.pose.corners[1]))
    assert np.linalg.norm(found - table.pose.corners, axis=1).max() < 0.015 * width


def test_a_found_board_has_its_bar_too() -> None:
    table = make_table(club_style())
    pose = find_board(table.picture())
    assert pose.shape.bar == pytest.approx(table.pose.shape.bar, abs=0.015)


@pytest.mark.parametrize("frame", [np.zeros((720, 1280, 3), np.uint8), np.full((480, 640, 3), 200, np.uint8)])
def test_an_empty_table_is_a_board_not_found_not_a_crash(finder: BoardFinder, frame: np.ndarray) -> None:
    with pytest.raises(BoardNotFoundError, match="board not in view"):
        finder.find(frame)


def test_noise_is_no_board(finder: BoardFinder) -> None:
    with pytest.raises(BoardNotFoundError):
        finder.find(np.random.default_rng(3).integers(0, 255, (720, 1280, 3), np.uint8))


def test_most_boards_nobody_saw_before_are_found_or_refused_but_not_misplaced(finder: BoardFinder) -> None:
    near, wrong = 0, 0
    for seed in range(40, 60):
        shot = shots(seed, 1)[0]
        width = float(np.linalg.norm(shot.corners[0] - shot.corners[1]))
        try:
            found = finder.find(shot.frame)
        except BoardNotFoundError:
            continue
        # Which corner is p1 is a convention: the other way round is right as well.
        off = (
            min(float(np.linalg.norm(np.roll(found, turn, 0) - shot.corners, axis=1).max()) for turn in (0, 2)) / width
        )
        near += off < 0.03
        wrong += off > 0.1
    assert near >= 8
    assert wrong <= 4


@pytest.mark.parametrize("size", [(640, 480), (1280, 720), (720, 1280)])
def test_fitting_keeps_the_shape_and_tells_scale_and_offset(size: tuple[int, int]) -> None:
    frame = np.zeros((size[1], size[0], 3), np.uint8)
    fitted, scale, (left, top) = fit_into(frame, (384, 216))
    assert fitted.shape == (216, 384, 3)
    black = np.argwhere(fitted[..., 0] == 0)
    assert tuple(black.min(0)) == (top, left)
    assert black.max(0)[0] - black.min(0)[0] + 1 == round(size[1] * scale)
