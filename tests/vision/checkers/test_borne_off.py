"""What lies beside the board: where one looks for it, what it says about the set, and what can't be seen."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.table import SHORT_START, Table, make_table
from vision.board.geometry import BoardPose, Frame
from vision.checkers.borne_off import NOWHERE_ELSE, UNKNOWN, ZoneNet, ZoneScores, nothing_seen
from vision.checkers.conservation import ALL_THERE, out_of_sight
from vision.checkers.reader import CheckerReader, reference_colours
from vision.checkers.zones import INWARDS, OUTSIDE, PITCH_PX, ZONES, cut_zones, shares_in_picture, zone_to_picture
from vision.readings import BoardReading
from vision.synthetic.clutter import Hand
from vision.synthetic.pieces import CheckerOnTable
from vision.synthetic.style import club_style
from vision.synthetic.trays import tray_area
from vision.training.pictures.layout import Tidiness, lay_position

TRAYED = replace(club_style(), dims=replace(club_style().dims, tray=0.05))


@pytest.fixture(scope="module")
def trayed() -> Table:
    return make_table(TRAYED)


def seen(light: int, *, tray: float = 1.0, hidden: float = 0.0) -> ZoneScores:
    """All zones in view, all empty but the first, which holds some of the lighter set."""
    counts = np.zeros((ZONES, 2, 16), np.float32)
    counts[:, :, 0] = 1
    counts[0, 0] = np.eye(16)[light]
    zones = np.ones(ZONES, np.float32)
    return ZoneScores(counts, hidden * zones, tray * zones, zones, empty_share=0.85)


@pytest.mark.parametrize("zone", range(ZONES))
def test_each_zone_begins_at_its_corner(trayed: Table, zone: int) -> None:
    pose = trayed.pose
    x, y, z = zone_to_picture(pose, zone) @ (INWARDS * PITCH_PX, OUTSIDE * PITCH_PX, 1.0)
    corner = pose.to_picture([((1, 0), (0, 0), (0, 1), (1, 1))[zone]], pose.shape.checker_height)[0]
    assert np.allclose((x / z, y / z), corner, atol=0.01)


def test_a_zone_shows_its_tray_outwards_of_the_rim(trayed: Table) -> None:
    frame = trayed.renderer.render([]).frame
    zones = cut_zones(frame, trayed.pose)
    dims = TRAYED.dims
    middle = round((INWARDS + (dims.rim_width + dims.tray / 2) / dims.pitch) * PITCH_PX)
    outer = round((INWARDS + (1.5 * dims.rim_width + dims.tray) / dims.pitch) * PITCH_PX)
    for zone in zones.astype(float):
        assert np.abs(zone[60:80, middle].mean(0) - zone[60:80, outer].mean(0)).sum() > 10


def test_zones_outside_of_the_picture_are_not_in_view(trayed: Table) -> None:
    shares = shares_in_picture(trayed.pose)
    assert (shares == 1).all()
    left = trayed.pose.corners[:, 0].min()
    shifted = trayed.pose.corners - np.array([left, 0], np.float32)
    shares = shares_in_picture(BoardPose(shifted, trayed.pose.shape, trayed.pose.frame_size))
    assert (shares[[0, 3]] == 1).all()
    assert (shares[[1, 2]] < 0.3).all()


def test_an_unseen_table_says_nothing() -> None:
    for beside in (nothing_seen(np.zeros(ZONES, np.float32)), seen(7, hidden=1.0)):
        assert not beside.all_seen
        for chances in beside.probabilities():
            assert chances == pytest.approx(out_of_sight())


def test_what_is_seen_to_be_empty_makes_a_set_complete_more_surely() -> None:
    bare, tray = (seen(0, tray=chance).probabilities()[0][0] for chance in (0.0, 1.0))
    assert ALL_THERE < bare < tray
    assert bare == pytest.approx(NOWHERE_ELSE, abs=0.03)
    assert tray > 0.93


def test_what_lies_in_a_tray_is_counted() -> None:
    light, dark = seen(4).probabilities()
    assert light.argmax() == 4
    assert light[4] > 0.85
    assert dark.argmax() == 0


def test_no_more_than_a_set_is_borne_off() -> None:
    assert len(seen(3).probabilities(set_size=3)[0]) == 4
    assert seen(3).probabilities(set_size=3)[0].sum() == pytest.approx(1)


def in_tray(end: int, count: int, *, light: bool) -> list[CheckerOnTable]:
    """A row in the tray at an end of the box, from its near side."""
    dims, area = TRAYED.dims, tray_area(TRAYED.dims, end)
    first, step = area.near + 0.6 * dims.checker, 1.06 * dims.checker
    places = [((area.left + area.right) / 2, first + slot * step) for slot in range(count)]
    return [CheckerOnTable(light, x, y, 0.0, "off") for x, y in places]


def late(table: Table, light_off: int) -> Frame:
    """The start of a short game, as many of the lighter set borne off from p8 and p6 as asked."""
    points = list(SHORT_START)
    for point in [8] * min(3, light_off) + [6] * max(0, light_off - 3):
        points[point - 1] -= 1
    checkers = lay_position(TRAYED, points, (0, 0), Tidiness(), np.random.default_rng(5))
    return table.renderer.render(checkers + in_tray(1, light_off, light=True)).frame


@pytest.fixture(scope="module")
def reader() -> CheckerReader:
    return CheckerReader()


@pytest.mark.parametrize("count", [0, 2, 5])
def test_checkers_in_a_tray_are_read(reader: CheckerReader, trayed: Table, count: int) -> None:
    reading = reader.read(late(trayed, count), trayed.pose)
    assert (reading.off_light.count, reading.off_dark.count) == (count, 0)
    assert not reading.off_light.hidden
    assert min(reading.off_light.certainty, reading.off_dark.certainty) > 0.6


def test_the_tray_itself_is_read_not_only_the_sum(reader: CheckerReader, trayed: Table) -> None:
    pose = trayed.pose
    expected = []
    for count in (0, 3, 5):
        frame = late(trayed, count)
        colours = reference_colours(reader.net.look(frame, pose), [{n: 1.0} for n in (*SHORT_START, 0, 0)])
        odds = ZoneNet().look(frame, pose, colours).counts[0, 0]
        assert odds[count] > 0.05
        expected.append(float(odds @ np.arange(16)))
    # From above three in a row may as well be piles: the tray says more than one, the sum says how many.
    assert expected[0] < 0.2
    assert 1.5 < expected[1] < expected[2]


def test_the_colours_of_the_sets_are_taken_from_the_board(reader: CheckerReader, trayed: Table) -> None:
    glimpse = reader.net.look(trayed.picture(), trayed.pose)
    light, dark = reference_colours(glimpse, [{n: 1.0} for n in (*SHORT_START, 0, 0)])
    assert light.min() > 150
    assert dark.max() < 90
    alone = reference_colours(glimpse, [{max(0, n): 1.0} for n in (*SHORT_START, 0, 0)])
    assert (alone[1] == UNKNOWN).all()


def test_what_lies_outside_of_the_picture_is_unknown_unless_all_are_seen_on_the_board(reader: CheckerReader) -> None:
    board = make_table(club_style())
    style, pose = board.renderer.style, board.pose
    left, right = (round(float(edge)) for edge in (pose.corners[:, 0].min() - 30, pose.corners[:, 0].max() + 30))
    moved = BoardPose(pose.corners - np.array([left, 0], np.float32), pose.shape, (right - left, 720))

    def reading(hand: Hand | None) -> BoardReading:
        checkers = lay_position(style, SHORT_START, (0, 0), Tidiness(), np.random.default_rng(5))
        frame = board.renderer.render(checkers, hand=hand).frame
        return reader.read(np.ascontiguousarray(frame[:, left:right]), moved)

    clear = reading(None)
    assert (clear.off_light.count, clear.off_dark.count) == (0, 0)
    assert not clear.off_light.hidden
    covered = reading(Hand((style.dims.column_x(6), -0.08), (style.dims.column_x(6), -0.75)))
    assert covered.off_light.hidden
    assert covered.off_dark.hidden
