"""Readings of boards: whole positions on rendered boards, honest doubt, sets told apart, hidden places unknown."""

import dataclasses
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.table import SHORT_START, Table, make_table
from vision.annotate import annotate
from vision.board.geometry import BoardNotFoundError, BoardPose, BoardShape
from vision.checkers.profile import Profile, ProfileError, learn_from
from vision.checkers.reader import CheckerReader
from vision.checkers.strip_net import StripScores
from vision.errors import VisionError
from vision.readings import BoardReading, PlaceReading
from vision.synthetic.clutter import Hand
from vision.synthetic.style import club_style
from vision.training.pictures.layout import Tidiness, lay_position

LONG_MIDDLE = (-6, 0, 1, -1, 0, 2, 0, 0, -2, 0, 0, -1, 5, 1, 0, 2, 0, -3, 1, 0, 0, 3, -2, 0)


@pytest.fixture(scope="module")
def reader() -> CheckerReader:
    return CheckerReader()


def counts(reading: BoardReading) -> tuple[int, ...]:
    return tuple(place.count for place in reading.points)


@pytest.mark.parametrize("tilt_deg", [5.0, 35.0])
@pytest.mark.parametrize("points", [SHORT_START, LONG_MIDDLE])
def test_a_club_board_is_read_whole(reader: CheckerReader, tilt_deg: float, points: tuple[int, ...]) -> None:
    table = make_table(club_style(), tilt_deg=tilt_deg)
    assert counts(reader.read(table.picture(points), table.pose)) == points


def test_checkers_on_the_bar_are_counted_by_set(reader: CheckerReader, table: Table) -> None:
    hit = (0, *SHORT_START[1:12], 4, *SHORT_START[13:])
    reading = reader.read(table.picture(hit, (1, 2)), table.pose)
    assert (reading.bar_light.count, reading.bar_dark.count) == (1, -2)


def test_every_place_has_odds_that_sum_to_one_and_fall(reader: CheckerReader, table: Table) -> None:
    reading = reader.read(table.picture(), table.pose)
    for place in (*reading.points, reading.bar_light, reading.bar_dark):
        chances = [chance for _, chance in place.odds]
        assert sum(chances) == pytest.approx(1, abs=0.02)
        assert chances == sorted(chances, reverse=True)
        assert min(chances) >= 0.001


def test_what_a_hand_covers_is_unknown_not_empty(reader: CheckerReader, table: Table) -> None:
    style = table.renderer.style
    checkers = lay_position(style, SHORT_START, (0, 0), Tidiness(), np.random.default_rng(5))
    hand = Hand((style.dims.column_x(6), -0.08), (style.dims.column_x(6), -0.75))
    reading = reader.read(table.renderer.render(checkers, hand=hand).frame, table.pose)
    assert reading.points[5].hidden
    assert reading.points[5].certainty < 0.9
    assert not reading.points[18].hidden


def test_a_learnt_profile_keeps_the_sets_apart_when_one_is_gone(reader: CheckerReader, table: Table) -> None:
    profile = learn_from(reader.net.look(table.picture(), table.pose), SHORT_START, name="club")
    only_dark = tuple(min(0, count) for count in SHORT_START)
    assert counts(reader.read(table.picture(only_dark), table.pose, profile)) == only_dark
    only_light = tuple(max(0, count) for count in SHORT_START)
    assert counts(reader.read(table.picture(only_light), table.pose, profile)) == only_light


def test_a_profile_survives_its_file(reader: CheckerReader, table: Table, tmp_path: Path) -> None:
    profile = learn_from(reader.net.look(table.picture(), table.pose), SHORT_START, name="club")
    profile.save(tmp_path / "club.json")
    assert Profile.load(tmp_path / "club.json") == profile


def test_a_file_that_is_no_profile_is_named(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text('{"name": "x"}')
    with pytest.raises(ProfileError, match=r"x\.json is not a board profile"):
        Profile.load(file)


@given(st.floats(0, 1))
def test_blending_stays_between_old_and_new(share: float) -> None:
    old = Profile("a", (0.0, 2.0), (1.0, 1.0), (10.0, 20.0, 30.0), (0.0, 0.0, 0.0))
    new = Profile("b", (4.0, 2.0), (1.0, 3.0), (20.0, 20.0, 20.0), (9.0, 9.0, 9.0))
    mixed = old.blended(new, share)
    assert mixed.light_look == pytest.approx((4 * share, 2.0))
    assert mixed.light_colour == pytest.approx((10 + 10 * share, 20.0, 30 - 10 * share))
    assert mixed.name == "a"


def test_one_set_alone_cannot_be_learnt_from(reader: CheckerReader, table: Table) -> None:
    scores = reader.net.look(table.picture(), table.pose)
    with pytest.raises(ProfileError, match="both sets must be in view"):
        learn_from(scores, [max(0, count) for count in SHORT_START])


def crafted(levels: dict[int, float], features: dict[int, float]) -> StripScores:
    """What a network might say: one checker on each strip named, of a grey level and a look along one axis."""
    odds = np.zeros((26, 16), np.float32)
    odds[:, 0] = 1
    tops = np.zeros((26, 42, 10), np.float32)
    embedding = np.zeros((26, 8, 42, 10), np.float32)
    light = np.full((26, 42, 10, 3), 60, np.float32)
    for strip, level in levels.items():
        odds[strip, :2] = (0.0, 1.0)
        tops[strip, 5:10, 3:7] = 1
        light[strip, 5:10, 3:7] = level
        embedding[strip, 0] = features[strip]
    hidden, centres, side_features = (
        np.zeros(26, np.float32),
        np.full((26, 42, 10), -9, np.float32),
        np.zeros((26, 8), np.float32),
    )
    return StripScores(odds, hidden, centres, tops, embedding, side_features, light, 0.0)


def test_the_lighter_cluster_is_the_lighter_set(reader: CheckerReader, table: Table) -> None:
    scores = crafted({0: 200, 5: 40, 12: 190, 20: 50}, {0: 5.0, 5: 0.0, 12: 5.2, 20: 0.1})
    reading = reader.judge(scores, table.pose)
    assert [reading.points[strip].count for strip in (0, 5, 12, 20)] == [1, -1, 1, -1]


def test_a_single_set_leaves_doubt_about_which_it_is(reader: CheckerReader, table: Table) -> None:
    reading = reader.judge(crafted({0: 200, 5: 195}, {0: 1.0, 5: 1.1}), table.pose)
    assert reading.points[0].count == 1
    assert 0.15 < reading.points[0].probability(-1) < 0.4


def test_an_empty_board_is_empty(reader: CheckerReader, table: Table) -> None:
    assert counts(reader.read(table.picture((0,) * 24), table.pose)) == (0,) * 24


@pytest.mark.parametrize("level", [0, 255])
def test_a_black_or_white_picture_is_no_crash_and_no_sure_crowd(
    reader: CheckerReader, table: Table, level: int
) -> None:
    reading = reader.read(np.full((720, 1280, 3), level, np.uint8), table.pose)
    assert not any(place.count and place.certainty > 0.9 and not place.hidden for place in reading.points)


@pytest.mark.parametrize("size", [(640, 480), (720, 1280), (3840, 2160)])
def test_other_picture_sizes_are_read(reader: CheckerReader, size: tuple[int, int]) -> None:
    table = make_table(club_style(), size)
    assert counts(reader.read(table.picture(), table.pose)) == SHORT_START


def test_a_tiny_picture_is_refused_with_the_reason() -> None:
    table_corners = np.array([(120, 90), (80, 90), (80, 60), (120, 60)], np.float32)
    with pytest.raises(BoardNotFoundError, match="picture too small"):
        BoardPose(table_corners, BoardShape(), (160, 120))


def test_a_frame_of_another_size_is_refused(reader: CheckerReader, table: Table) -> None:
    with pytest.raises(VisionError, match="the frame is 640x480 pixels, the board was set up in one of 1280x720"):
        reader.read(np.zeros((480, 640, 3), np.uint8), table.pose)


def test_equal_pictures_give_equal_readings(reader: CheckerReader, table: Table) -> None:
    frame = table.picture()
    assert reader.read(frame, table.pose) == reader.read(frame.copy(), table.pose)


def test_the_annotated_picture_marks_every_point(reader: CheckerReader, table: Table) -> None:
    frame = table.picture()
    reading = reader.read(frame, table.pose)
    hidden = dataclasses.replace(reading, points=(PlaceReading(((0, 1.0),), hidden=True), *reading.points[1:]))
    drawn = annotate(frame, table.pose, hidden)
    assert drawn.shape == frame.shape
    for number in range(1, 25):
        v = -0.045 if number <= 12 else 1.045
        x, y = table.pose.to_picture([(table.pose.shape.middle(number), v)])[0].round().astype(int)
        patch = (slice(max(0, y - 8), y + 9), slice(max(0, x - 8), x + 9))
        assert cv2.absdiff(drawn[patch], frame[patch]).max() > 40
