"""A referee looks only at quiet scenes: noise, flicker and compression are quiet, hands and rolling dice are not."""

import cv2
import numpy as np
import pytest

from tests.vision.table import SHORT_START, Table
from vision.board.geometry import Frame
from vision.camera.motion import FROZEN_MS, HAND_MS, SceneState, SceneWatch
from vision.synthetic.clutter import Hand
from vision.training.pictures.layout import Tidiness, lay_position

EVERY_MS = 40


@pytest.fixture(scope="module")
def quiet(table: Table) -> Frame:
    return table.picture()


@pytest.fixture(scope="module")
def with_hand(table: Table) -> Frame:
    checkers = lay_position(table.renderer.style, SHORT_START, (0, 0), Tidiness(), np.random.default_rng(5))
    return table.renderer.render(checkers, hand=Hand((0.1, 0.0), (0.1, -0.6))).frame


def watched(table: Table, frames: list[Frame], every_ms: int = EVERY_MS) -> list[SceneState]:
    watch = SceneWatch(table.pose)
    return [watch.update(frame, number * every_ms) for number, frame in enumerate(frames)]


def test_sensor_noise_and_jpeg_are_quiet(table: Table, quiet: Frame) -> None:
    frames = []
    for number in range(8):
        noisy = table.renderer.noisy(quiet, number)
        frames.append(cv2.imdecode(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 60])[1], cv2.IMREAD_COLOR))
    assert watched(table, frames)[1:] == [SceneState.QUIET] * 7


def test_flickering_light_is_quiet(table: Table, quiet: Frame) -> None:
    frames = []
    for number in range(6):
        brighter = table.renderer.noisy(quiet, number) * (1 + 0.05 * (-1) ** number)
        frames.append(np.clip(brighter, 0, 255).astype(np.uint8))
    assert watched(table, frames)[1:] == [SceneState.QUIET] * 5


def test_a_moved_checker_is_motion_for_a_moment(table: Table, quiet: Frame) -> None:
    moved = table.picture((*SHORT_START[:5], 4, *SHORT_START[6:22], 1, 2))
    assert watched(table, [quiet, quiet, moved, moved], 500) == [
        SceneState.MOVING,
        SceneState.QUIET,
        SceneState.MOVING,
        SceneState.QUIET,
    ]


def test_a_hand_held_still_over_the_board_is_a_hand(table: Table, quiet: Frame, with_hand: Frame) -> None:
    frames = [quiet, quiet, with_hand, with_hand, quiet, quiet]
    scenes = watched(table, frames, 500)
    assert scenes == [
        SceneState.MOVING,
        SceneState.QUIET,
        SceneState.MOVING,
        SceneState.HAND,
        SceneState.MOVING,
        SceneState.QUIET,
    ]


def test_what_stays_for_good_becomes_part_of_the_scene(table: Table, quiet: Frame, with_hand: Frame) -> None:
    watch = SceneWatch(table.pose)
    for number, frame in enumerate([quiet, quiet, with_hand]):
        watch.update(frame, number * 500)
    noisy = [table.renderer.noisy(with_hand, number) for number in range(2)]
    scenes = [watch.update(noisy[n % 2], 1500 + n * 1000) for n in range(HAND_MS // 1000 + 2)]
    assert scenes[0] is SceneState.HAND
    assert scenes[-1] is SceneState.QUIET


def test_a_dark_and_a_blinding_picture_have_names(table: Table, quiet: Frame) -> None:
    assert watched(table, [(quiet * 0.03).astype(np.uint8)]) == [SceneState.DARK]
    assert watched(table, [np.full_like(quiet, 253)]) == [SceneState.OVEREXPOSED]


def test_a_camera_that_hangs_is_frozen(table: Table, quiet: Frame) -> None:
    scenes = watched(table, [quiet] * 12, 1000)
    assert SceneState.FROZEN not in scenes[: FROZEN_MS // 1000]
    assert scenes[-1] is SceneState.FROZEN


def test_a_creeping_checker_is_not_quiet(table: Table, quiet: Frame) -> None:
    frames = []
    for number in range(20):
        frame = quiet.copy()
        cv2.circle(frame, (500 + number * 2, 350), 22, (230.0, 230.0, 230.0), -1)
        frames.append(frame)
    assert SceneState.QUIET not in watched(table, frames)[8:]


def test_what_happens_far_from_the_board_is_of_no_interest(table: Table, quiet: Frame) -> None:
    elsewhere = quiet.copy()
    elsewhere[:100, :40] = 255
    assert watched(table, [quiet, elsewhere], 500)[-1] is SceneState.QUIET
