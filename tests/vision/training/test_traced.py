"""What the path tracer is given has the sizes of real things; its pictures agree with the drawn ones' labels."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.table import SHORT_START
from vision.synthetic.dice_shape import DieLook, face_values, project
from vision.synthetic.style import CheckerLook, club_style
from vision.synthetic.viewpoint import overhead_camera
from vision.training.pictures.carving import carve
from vision.training.pictures.layout import Tidiness, lay_position
from vision.training.pictures.traced_bodies import MARK, Mesh, checker_mesh, die_mesh, surface_points


def _corners(mesh: Mesh) -> np.ndarray:
    return np.asarray(mesh.places[mesh.faces])


def _areas(mesh: Mesh) -> np.ndarray:
    corners = _corners(mesh)
    return np.asarray(
        np.linalg.norm(np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]), axis=1) / 2
    )


def _volume(mesh: Mesh) -> float:
    """Volume by the divergence theorem: positive only if the faces look outwards."""
    corners = _corners(mesh)
    total = 0.0
    for second, third in ((1, 2), (2, 3)):
        total += float(np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, second], corners[:, third])).sum() / 6)
    return total


@pytest.mark.parametrize("profile", ["flat", "rim", "dish", "grooves", "dome", "ring_inlay"])
def test_a_checker_fills_its_cylinder(profile: str) -> None:
    look = replace(CheckerLook((0, 0, 0), (0, 0, 0), (0, 0, 0)), profile=profile)
    mesh = checker_mesh(look, 0.02, 0.01)
    cylinder = np.pi * 0.02**2 * 0.01
    assert 0.8 * cylinder < _volume(mesh) < 1.06 * cylinder
    assert np.hypot(mesh.places[:, 0], mesh.places[:, 1]).max() == pytest.approx(0.02)
    assert mesh.places[:, 2].min() == pytest.approx(0.0)


@pytest.mark.parametrize("mirrored", [False, True])
def test_each_face_of_a_die_has_its_pips(mirrored: bool) -> None:
    look = DieLook(size_m=0.016, pip_depth=0.0, pip_radius=0.18, one_radius=0.18, mirrored=mirrored)
    mesh = die_mesh(look)
    areas = _areas(mesh) * (mesh.materials == MARK)
    pip = np.pi * (0.18 * 0.008) ** 2
    counted = [round(float(part.sum()) / pip, 1) for part in np.split(areas, 6)]
    assert counted == pytest.approx(face_values(look), rel=0.12)
    assert 0.85 * 0.016**3 < _volume(mesh) <= 0.016**3


def test_the_points_of_a_die_lie_on_its_surface() -> None:
    look = DieLook(size_m=0.016, rounding=0.3)
    points = np.abs(surface_points(look))
    assert points.max() == pytest.approx(0.008)
    assert np.linalg.norm(points, axis=1).max() < 0.008 * np.sqrt(3) * 0.9


def test_a_carved_board_is_cut_into_not_built_upon() -> None:
    relief = carve(np.random.default_rng(4), club_style().dims, 300)
    assert relief.min() < -0.0002
    assert relief.max() < 0.002


def test_a_traced_picture_shows_checkers_where_the_drawn_ones_are() -> None:
    pytest.importorskip("bpy", reason="Blender is not installed: pip install 'nardy-referee[render]'")
    from vision.training.pictures.traced import TracedRenderer  # noqa: PLC0415 - only where Blender is

    style = club_style()
    camera = overhead_camera(style.dims, (320, 200), tilt_deg=20.0)
    checkers = lay_position(style, SHORT_START, (0, 0), Tidiness(), np.random.default_rng(5))
    frame = TracedRenderer(style, camera, (320, 200)).render(checkers).frame
    levels: dict[bool, list[float]] = {True: [], False: []}
    for checker in checkers:
        x, y = project(camera, [(checker.x_m, checker.y_m, style.dims.thickness)])[0].round().astype(int)
        levels[checker.light].append(float(frame[y - 1 : y + 2, x - 1 : x + 2].mean()))
    assert min(levels[True]) > max(levels[False]) + 40
