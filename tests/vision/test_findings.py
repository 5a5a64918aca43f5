"""A picture in which no board can be read is refused with a name and a number; every good one is let through."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.table import Table, make_table
from vision.board.geometry import BoardNotFoundError, BoardPose, BoardShape, Frame
from vision.checkers.reader import CheckerReader
from vision.findings import PictureError, examine, recognised
from vision.synthetic.style import club_style


@pytest.fixture(scope="module")
def quiet(table: Table) -> Frame:
    return table.renderer.noisy(table.picture(), 1)


def accept(frame: Frame, pose: BoardPose) -> None:
    examine(frame, pose)
    recognised(CheckerReader().read(frame, pose))


def test_a_black_frame_is_too_dark(table: Table) -> None:
    with pytest.raises(PictureError, match=r"too dark: the board's brightness is 0 of 255, 12 needed"):
        examine(np.zeros((720, 1280, 3), np.uint8), table.pose)


def test_a_blinding_frame_is_overexposed(table: Table, quiet: Frame) -> None:
    blinding = np.clip(quiet.astype(np.int16) * 3 + 150, 0, 255).astype(np.uint8)
    with pytest.raises(PictureError, match=r"overexposed: (9\d|100)% of the board is white, at most 70% may be"):
        examine(blinding, table.pose)


def test_a_lens_out_of_focus_is_named(table: Table, quiet: Frame) -> None:
    blurred = cv2.GaussianBlur(quiet, (0, 0), 0.25 * table.pose.checker_px)
    with pytest.raises(PictureError, match=r"blurred: sharpness 0\.\d\d, 0\.13 needed"):
        examine(np.asarray(blurred, np.uint8), table.pose)


def test_half_a_board_is_named_by_the_corners_that_are_missing(table: Table, quiet: Frame) -> None:
    left = np.ascontiguousarray(quiet[:, :640])
    pose = BoardPose(table.pose.corners, table.pose.shape, (640, 720))
    with pytest.raises(BoardNotFoundError, match=r"corners 1 \(p1\), 4 \(p24\) missing from a picture of 640x720"):
        examine(left, pose)


def test_a_board_far_away_is_too_small_by_its_checkers(table: Table, quiet: Frame) -> None:
    share = 11.0 / table.pose.checker_px
    size = (round(1280 * share), round(720 * share))
    small = np.asarray(cv2.resize(quiet, size, interpolation=cv2.INTER_AREA), np.uint8)
    with pytest.raises(BoardNotFoundError, match=r"picture too small: a checker is 1[01] pixels, 12 needed"):
        examine(small, BoardPose(table.pose.corners * share, table.pose.shape, size))


@pytest.mark.parametrize("pattern", ["carpet", "snow", "planks"])
def test_a_table_without_a_board_is_not_recognised(table: Table, pattern: str) -> None:
    rng = np.random.default_rng(4)
    small = {
        "carpet": rng.integers(70, 150, (60, 100, 3), np.uint8),
        "snow": rng.integers(0, 255, (720, 1280, 3), np.uint8),
        "planks": np.repeat(rng.integers(60, 160, (12, 1, 3), np.uint8), 20, 1),
    }[pattern]
    frame = np.asarray(cv2.resize(small, (1280, 720), interpolation=cv2.INTER_LINEAR), np.uint8)
    with pytest.raises((BoardNotFoundError, PictureError)):
        accept(frame, table.pose)


@pytest.mark.parametrize("size", [(640, 480), (720, 1280), (3840, 2160)], ids=["4:3", "portrait", "4K"])
def test_pictures_of_every_shape_are_let_through(size: tuple[int, int]) -> None:
    table = make_table(club_style(), size)
    frame = table.picture()
    accept(frame, table.pose)


def test_no_real_photo_is_refused(shared: Path) -> None:
    seen = 0
    for label in sorted((shared / "boards").glob("*.json")):
        known = json.loads(label.read_text("utf-8"))
        pictures = [file for file in label.parent.glob(f"{label.stem}.*") if file.suffix != ".json"]
        if "corners" not in known or not pictures:
            continue
        frame = np.asarray(cv2.imread(str(pictures[0])), np.uint8)
        shape = BoardShape(tuple(known.get("bar", (0.46, 0.54))))
        pose = BoardPose(np.array(known["corners"], np.float32), shape, (frame.shape[1], frame.shape[0]))
        accept(frame, pose)
        seen += 1
    assert seen >= 20
