"""The renderer tells the truth: equal scenes give equal pictures, checkers are where the labels say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.table import SHORT_START, Table
from vision.synthetic.clutter import Hand
from vision.synthetic.dice_shape import project
from vision.synthetic.style import brightness, club_style, random_dims, random_style
from vision.training.pictures.layout import Tidiness, lay_point, lay_position, random_counts, random_tidiness
from vision.training.pictures.samples import SEEN, cut_sample, shots

seeds = st.integers(0, 1 << 31)


@given(seeds)
def test_random_positions_have_at_most_fifteen_of_each_set(seed: int) -> None:
    points, bar = random_counts(np.random.default_rng(seed))
    assert sum(n for n in points if n > 0) + bar[0] <= 15
    assert -sum(n for n in points if n < 0) + bar[1] <= 15


@given(seeds, st.integers(1, 24), st.integers(1, 15))
def test_checkers_of_a_point_stay_on_the_board_and_in_their_column(seed: int, point: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    dims = random_dims(rng)
    laid = lay_point(dims, point, count, random_tidiness(rng), rng, light=True)
    assert len(laid) == count
    for checker in laid:
        assert abs(checker.x_m - dims.column_x(point)) <= 0.41 * dims.checker
        assert abs(checker.y_m) <= dims.half_depth
        assert (checker.y_m > 0) == (point > 12) or abs(checker.y_m) < dims.checker * 2


@given(seeds)
@settings(max_examples=30)
def test_the_lighter_set_is_lighter(seed: int) -> None:
    style = random_style(np.random.default_rng(seed))
    if style.light_set.profile != "ring_inlay":
        assert brightness(style.light_set.colour) >= brightness(style.dark_set.colour)


def test_equal_scenes_give_equal_pictures(table: Table) -> None:
    assert np.array_equal(table.picture(), table.picture())


def test_a_checker_shows_its_colour_at_its_projected_top(table: Table) -> None:
    style = club_style()
    checkers = lay_position(style, SHORT_START, (0, 0), Tidiness(), np.random.default_rng(5))
    frame = table.renderer.render(checkers).frame
    for checker in checkers:
        x, y = project(table.renderer.camera, [(checker.x_m, checker.y_m, style.dims.thickness)])[0].round().astype(int)
        level = float(frame[y - 2 : y + 3, x - 2 : x + 3].mean())
        assert level > 150 if checker.light else level < 90


def test_a_hand_covers_what_it_says(table: Table) -> None:
    bare = table.renderer.render([]).frame
    shown = table.renderer.render([], hand=Hand((0.0, 0.0), (0.0, -0.6)))
    assert shown.covered is not None
    different = np.abs(shown.frame.astype(int) - bare).sum(2) > 60
    assert different[shown.covered].mean() > 0.8
    assert 0.01 < shown.covered.mean() < 0.5


@pytest.mark.parametrize("seed", [3, 11])
def test_training_samples_label_every_visible_checker(seed: int) -> None:
    shot = shots(seed, 1)[0]
    sample = cut_sample(shot, np.random.default_rng(1))
    assert sample is not None
    for strip in range(24):
        occupied = bool(sample.sets[strip].any())
        assert occupied == (sample.counts[strip] != 0)
        if sample.counts[strip] and sample.hidden[strip] == SEEN:
            assert sample.sets[strip].max() == (1 if sample.counts[strip] > 0 else 2)
