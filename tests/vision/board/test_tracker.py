"""A board or camera that was bumped is noticed, distrusted and found again; hands, checkers and lamps bump nothing."""

import cv2
import numpy as np
import pytest

from tests.vision.table import SHORT_START, Table, with_markers
from vision.board.geometry import Frame
from vision.board.pose_watch import PoseCheck, PoseFinding, PoseWatch, off_share
from vision.board.tracker import CHECK_MS, BoardTracker
from vision.synthetic.clutter import Hand
from vision.training.pictures.layout import Tidiness, lay_position

EVERY_MS = 100
LATE_GAME = (0, 2, 2, -2, 0, 3, -1, 0, 0, 0, 2, -3, 0, 0, 1, 0, -4, 0, -2, 3, 0, 2, -3, 0)


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


@pytest.mark.parametrize("gain", [0.5, 1.8])
def test_a_lamp_switched_on_or_off_moves_nothing(table: Table, quiet: Frame, gain: float) -> None:
    lit = np.clip(quiet * gain, 0, 255).astype(np.uint8)
    assert PoseWatch(quiet, table.pose).check(lit).finding is PoseFinding.IN_PLACE


def test_somebody_who_leans_over_two_thirds_of_the_board_moves_nothing(table: Table, quiet: Frame) -> None:
    leaning = quiet.copy()
    leaning[:, :850] = cv2.GaussianBlur(np.random.default_rng(3).integers(40, 90, (720, 850, 3), np.uint8), (0, 0), 9)
    assert PoseWatch(quiet, table.pose).check(leaning).finding is PoseFinding.IN_PLACE


def watched(tracker: BoardTracker, frames: list[Frame], first_ms: int = 0) -> list[PoseCheck]:
    return [tracker.check(frame, first_ms + number * EVERY_MS, due=False) for number, frame in enumerate(frames)]


def test_a_bump_is_named_within_a_second_and_the_new_pose_is_right(table: Table, quiet: Frame) -> None:
    moved, matrix = shifted(quiet, 25, -14, 1.2)
    tracker = BoardTracker(table.pose)
    watched(tracker, [quiet] * 3)
    findings = [check.finding for check in watched(tracker, [moved] * 10, 300)]
    assert PoseFinding.MOVED in findings
    assert findings[-1] is PoseFinding.IN_PLACE
    assert tracker.trusted
    true = (table.pose.corners @ matrix[:, :2].T + matrix[:, 2]).astype(np.float32)
    assert off_share(tracker.pose.corners, true) < 0.002


def test_looks_are_distrusted_from_the_first_frame_that_is_examined(table: Table, quiet: Frame) -> None:
    tracker = BoardTracker(table.pose)
    watched(tracker, [quiet] * 2)
    moved, _ = shifted(quiet, 25, -14, 1.2)
    tracker.check(moved, CHECK_MS, due=True)
    assert not tracker.trusted


def test_a_camera_that_still_swings_is_not_registered_before_it_rests(table: Table, quiet: Frame) -> None:
    tracker = BoardTracker(table.pose)
    watched(tracker, [quiet])
    swinging = [shifted(quiet, 30 - 4 * number, 5, 0.5)[0] for number in range(6)]
    assert watched(tracker, swinging, CHECK_MS)[-1].finding is PoseFinding.MOVED
    assert tracker.registrations == 1
    watched(tracker, [swinging[-1]] * 2, CHECK_MS + 700)
    assert (tracker.registrations, tracker.trusted) == (2, True)


def test_corners_that_left_the_picture_are_named_until_the_board_is_back(table: Table, quiet: Frame) -> None:
    tracker = BoardTracker(table.pose)
    watched(tracker, [quiet])
    away, _ = shifted(quiet, -420, 0)
    check = watched(tracker, [away] * 3, CHECK_MS)[-1]
    assert (check.finding, check.missing) == (PoseFinding.OUT_OF_VIEW, (1, 2))
    back = watched(tracker, [quiet] * 10, CHECK_MS + 300)
    assert back[-1].finding is PoseFinding.IN_PLACE
    assert off_share(tracker.pose.corners, table.pose.corners) < 0.002


def test_one_strange_frame_is_not_announced(table: Table, quiet: Frame) -> None:
    tracker = BoardTracker(table.pose)
    watched(tracker, [quiet])
    strange, _ = shifted(quiet, 40, 0)
    findings = [check.finding for check in watched(tracker, [strange, quiet, quiet], CHECK_MS)]
    assert findings == [PoseFinding.IN_PLACE] * 3
    assert tracker.trusted


def test_a_picture_of_another_size_is_named_with_its_size(table: Table, quiet: Frame) -> None:
    tracker = BoardTracker(table.pose)
    watched(tracker, [quiet])
    small = np.asarray(cv2.resize(quiet, (640, 480)), np.uint8)
    check = watched(tracker, [small] * 2, CHECK_MS)[-1]
    assert (check.finding, check.size) == (PoseFinding.OUT_OF_VIEW, (640, 480))


def test_a_marked_board_is_found_again_however_the_camera_was_hung_anew(table: Table) -> None:
    marked = with_markers(table)
    tracker = BoardTracker(table.pose)
    watched(tracker, [marked])
    turned = np.ascontiguousarray(marked[::-1, ::-1])
    watched(tracker, [turned] * 6, CHECK_MS)
    size = np.array([1279, 719], np.float32)
    assert tracker.trusted
    assert off_share(tracker.pose.corners, size - table.pose.corners) < 0.01


def test_a_game_wears_out_what_is_followed_and_it_is_taken_anew(table: Table, quiet: Frame) -> None:
    tracker = BoardTracker(table.pose)
    played = table.renderer.noisy(table.picture(LATE_GAME), 2)
    for number, frame in enumerate([quiet, played, played]):
        tracker.check(frame, number * CHECK_MS, due=True)
        tracker.quiet(frame)
    assert tracker.registrations == 1
    moved, _ = shifted(played, 12, 7, 0.4)
    assert PoseFinding.MOVED in [check.finding for check in watched(tracker, [moved] * 4, 4 * CHECK_MS)]
