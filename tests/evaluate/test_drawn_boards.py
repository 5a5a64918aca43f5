"""Drawn boards are labelled like photographed ones, and what the labels say is what the picture shows."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from controller.evaluate.board_figures import draw_confusion
from controller.evaluate.boards import find_boards, score_boards
from vision.training.drawn_boards import draw_boards


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drawn")
    draw_boards(folder, 6, 3)
    return folder


def test_every_drawn_board_can_be_evaluated(drawn: Path) -> None:
    boards = find_boards(drawn)
    assert len(boards) == 6
    for board in boards:
        assert all(sum(counts) <= 15 for counts in zip(*board.points, strict=True))
        height, width = board.load().shape[:2]
        inside = (np.array(board.corners) > -0.2 * width) & (np.array(board.corners) < 1.2 * width)
        assert inside.all(), (board.corners, width, height)


def test_labels_and_pictures_agree(drawn: Path) -> None:
    score = score_boards(find_boards(drawn))
    assert score.totals()["points_exact"] > 0.85  # one place off, a mirrored label, and it is about a half


def test_the_confusion_sheet_shows_what_was_confused(drawn: Path) -> None:
    score = score_boards(find_boards(drawn))
    right = [place for place in score.places if place.place != "bar" and place.right]
    one = next(place for place in right if place.true == 1)
    confused = [replace(one, read=3), *right]
    assert (draw_confusion(confused) != draw_confusion(right)).any()
