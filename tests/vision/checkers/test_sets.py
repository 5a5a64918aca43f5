"""Telling the two sets apart: splits compete, odd looks belong to nobody, and doubt about the split stays doubt."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.table import SHORT_START, make_table
from vision.checkers.reader import CheckerReader, mixed
from vision.checkers.sets import OccupiedPoints, Sets
from vision.synthetic.style import CheckerLook, Style, club_style

LIGHT, DARK = np.zeros(19, np.float32), np.full(19, 1.0, np.float32)
SETS = Sets(LIGHT, DARK, certainty=1.0, sharpness=1.0)


def test_what_looks_like_a_set_belongs_to_it_and_what_looks_like_neither_to_nobody() -> None:
    odd = np.full(19, 40.0, np.float32)
    odd[0] = -40.0
    assert SETS.light_odds(LIGHT) > 0.99
    assert SETS.light_odds(DARK) < 0.01
    assert 0.2 < SETS.light_odds(odd) < 0.8
    assert SETS.likeness(odd) < 0.1 < SETS.likeness(LIGHT)


def points(looks: list[tuple[float, float]], checkers: list[float]) -> OccupiedPoints:
    features = np.zeros((len(looks), 19), np.float32)
    features[:, :2] = looks
    return OccupiedPoints(features, np.ones(len(looks), np.float32), np.array(checkers, np.float32))


def test_one_look_is_not_split() -> None:
    assert points([(0.0, 0.1), (0.1, 0.0), (0.2, 0.1)], [5, 5, 5]).splits() == []


def test_a_board_that_can_be_split_in_two_ways_keeps_both() -> None:
    square = [(0.0, 0.0), (0.0, 4.0), (4.0, 0.0), (4.0, 4.0)]
    first, second, *_ = points(square, [8, 7, 7, 8]).splits()
    assert first.misfit == pytest.approx(second.misfit, abs=0.1)
    assert not np.allclose(first.centres, second.centres)


def test_a_split_with_more_checkers_than_a_set_has_comes_second() -> None:
    square = [(0.0, 0.0), (0.0, 4.0), (4.0, 0.0), (4.0, 4.0)]
    best, *_ = points(square, [10, 10, 5, 5]).splits()
    # Ten and ten do not go together: each part takes one of them.
    heavy = best.shares[:, :2] > 0
    assert heavy.sum(1).tolist() == [1, 1]


def test_a_single_odd_point_does_not_make_a_set_of_its_own() -> None:
    looks = [(0.0, 0.0)] * 5 + [(3.0, 0.0)] * 5 + [(9.0, 9.0)]
    best, *_ = points(looks, [3] * 10 + [1]).splits()
    assert sorted((best.shares[:, :10] > 0).sum(1).tolist()) == [5, 5]


def test_what_two_equal_splits_disagree_about_is_even_and_what_they_share_is_sure() -> None:
    odds = mixed([[{3: 1.0}, {0: 1.0}], [{-3: 1.0}, {0: 1.0}]], [2.0, 2.0])
    assert odds == [{3: 0.5, -3: 0.5}, {0: 1.0}]


def gold_and_silver() -> Style:
    """Two bright metal sets on points of black and tan: the points differ more than the sets."""
    style = club_style()
    gold = CheckerLook((70, 150, 190), (60, 130, 170), (60, 130, 170), gloss=0.8)
    silver = CheckerLook((185, 190, 190), (165, 170, 170), (165, 170, 170), gloss=0.8)
    board = replace(style.board, field=(60, 80, 60), first=(12, 12, 14), second=(110, 150, 180))
    return replace(style, board=board, light_set=silver, dark_set=gold)


@pytest.mark.parametrize("tilt_deg", [10.0, 45.0])
def test_gold_and_silver_on_black_points_are_told_apart_or_doubted(tilt_deg: float) -> None:
    table = make_table(gold_and_silver(), tilt_deg=tilt_deg)
    reading = CheckerReader().read(table.picture(SHORT_START), table.pose)
    signs = [1, -1]
    wrong = min(
        sum(
            place.count * sign != true and place.certainty > 0.9
            for place, true in zip(reading.points, SHORT_START, strict=True)
        )
        for sign in signs
    )
    assert wrong == 0
