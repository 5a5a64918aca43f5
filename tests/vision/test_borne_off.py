"""What lies beside the board: where one looks for it, what it says about the set, and what can't be seen."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.conftest import Table, make_table
from vision.borne_off import Beside, nothing_seen
from vision.conservation import ALL_THERE, out_of_sight
from vision.geometry import BoardPose
from vision.synthetic.style import club_style
from vision.zones import INWARDS, OUTSIDE, PITCH_PX, ZONES, cut_zones, shares_in_picture, zone_to_picture

TRAYED = replace(club_style(), dims=replace(club_style().dims, tray=0.05))


@pytest.fixture(scope="module")
def trayed() -> Table:
    return make_table(TRAYED)


def seen(light: int, *, tray: float = 1.0, hidden: float = 0.0) -> Beside:
    """All zones in view, all empty but the first, which holds some of the lighter set."""
    counts = np.zeros((ZONES, 2, 16), np.float32)
    counts[:, :, 0] = 1
    counts[0, 0] = np.eye(16)[light]
    zones = np.ones(ZONES, np.float32)
    return Beside(counts, hidden * zones, tray * zones, zones, empty_share=0.85)


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
        for chances in beside.chances():
            assert chances == pytest.approx(out_of_sight())


def test_an_empty_tray_makes_a_set_complete_more_surely_than_an_empty_table() -> None:
    bare, tray = (seen(0, tray=chance).chances()[0][0] for chance in (0.0, 1.0))
    assert bare == pytest.approx(ALL_THERE, abs=0.08)
    assert tray > 0.85


def test_what_lies_in_a_tray_is_counted() -> None:
    light, dark = seen(4).chances()
    assert light.argmax() == 4
    assert light[4] > 0.85
    assert dark.argmax() == 0


def test_no_more_than_a_set_is_borne_off() -> None:
    assert len(seen(3).chances(set_size=3)[0]) == 4
    assert seen(3).chances(set_size=3)[0].sum() == pytest.approx(1)
