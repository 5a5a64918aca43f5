"""Trays beside the field: what is borne off lies in them, and a wall hides what lies behind it."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.synthetic.dice_shape import project
from vision.synthetic.pieces import CheckerOnTable
from vision.synthetic.scene import Renderer
from vision.synthetic.style import club_style, random_style
from vision.synthetic.trays import lay_borne_off, tray_area, with_trays
from vision.synthetic.viewpoint import outer_corners, overhead_camera, to_pixels

TRAYED = replace(club_style(), dims=replace(club_style().dims, tray=0.05))


@given(st.integers(0, 1 << 31), st.integers(0, 15), st.integers(0, 15))
def test_borne_off_checkers_lie_in_trays_of_the_box(seed: int, light: int, dark: int) -> None:
    rng = np.random.default_rng(seed)
    style = with_trays(random_style(rng), rng)
    dims = style.dims
    laid = lay_borne_off(style, (light, dark), rng)
    assert sum(c.light for c in laid) <= light
    assert sum(not c.light for c in laid) <= dark
    assert laid or not light + dark
    for checker in laid:
        area = tray_area(dims, 1 if checker.x_m > 0 else -1)
        assert dims.has_tray(1 if checker.x_m > 0 else -1)
        crooked = 0.1 * dims.checker
        assert area.left <= checker.x_m <= area.right
        assert area.near - crooked <= checker.y_m <= area.far + crooked


def test_a_checker_on_edge_shows_its_wall_above_its_tray() -> None:
    size = (960, 540)
    camera = overhead_camera(TRAYED.dims, size, tilt_deg=5)
    dims, area = TRAYED.dims, tray_area(TRAYED.dims, 1)
    x = (area.left + area.right) / 2
    standing = CheckerOnTable(light=True, x_m=x, y_m=0.0, z_m=dims.checker / 2, place="off", lean_rad=np.pi / 2)
    renderer = Renderer(TRAYED, camera, size)
    changed = np.abs(renderer.render([standing]).frame.astype(int) - renderer.render([]).frame).sum(2) > 120
    rows, columns = np.nonzero(changed)
    checker_px = np.ptp(to_pixels(camera, [(x, 0, 0.02), (x + dims.checker, 0, 0.02)])[:, 0])
    # As wide as a checker, as long as one is thick.
    assert abs(np.ptp(columns) - checker_px) < 0.25 * checker_px
    assert np.ptp(rows) < 0.7 * checker_px


def test_a_near_wall_hides_what_lies_close_behind_it() -> None:
    dims = replace(TRAYED.dims, rim_height=0.04)
    style, size = replace(TRAYED, dims=dims), (960, 540)
    camera = overhead_camera(dims, size, tilt_deg=60)
    area = tray_area(dims, 1)
    close = CheckerOnTable(True, (area.left + area.right) / 2, area.near + dims.checker / 2, 0.0, "off")  # noqa: FBT003
    far = replace(close, y_m=0.0)
    renderer = Renderer(style, camera, size)
    bare = renderer.render([]).frame.astype(int)
    shown = [(np.abs(renderer.render([c]).frame - bare).sum(2) > 90).sum() for c in (close, far)]
    assert shown[0] < 0.5 * shown[1]


def test_a_box_with_one_tray_reaches_further_at_that_end() -> None:
    one = replace(TRAYED.dims, tray_ends=(-1,))
    ends = outer_corners(one)[:, 0]
    assert ends.max() == TRAYED.dims.half_width + TRAYED.dims.rim_width
    assert -ends.min() == outer_corners(TRAYED.dims)[:, 0].max()
    camera = overhead_camera(one, (960, 540))
    assert (project(camera, outer_corners(one)) > 0).all()
