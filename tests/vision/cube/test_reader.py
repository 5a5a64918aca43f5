"""The doubling cube is read where it lies, told from dice, and not guessed at."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.board.geometry import BoardPose, BoardShape
from vision.cube.reader import CubeReader, probabilities, side_at
from vision.readings import CUBE_VALUES, CubeColumn, CubeSide
from vision.synthetic.cube_faces import Lettering
from vision.synthetic.dice import Die, DieLook, flat_pose, project
from vision.synthetic.numerals import Handwriting
from vision.synthetic.scene import DieOnTable, Renderer
from vision.synthetic.style import club_style
from vision.synthetic.viewpoint import overhead_camera
from vision.training.calibrate_cube import observe

SIZE = (1280, 720)
TEXTS = tuple(str(value) for value in CUBE_VALUES)
CUBE = DieLook(size_m=0.03, texts=TEXTS, lettering=Lettering(hand=Handwriting(pen=0.16)), rounding=0.12)


@pytest.fixture(scope="module")
def reader() -> CubeReader:
    return CubeReader()


@pytest.fixture(scope="module")
def club() -> Renderer:
    style = club_style()
    return Renderer(style, overhead_camera(style.dims, SIZE, tilt_deg=15.0, fill=0.75), SIZE)


@pytest.fixture(scope="module")
def pose(club: Renderer) -> BoardPose:
    return BoardPose(club.corners_px, BoardShape(club.style.dims.bar_edges), SIZE)


def put(number: int, x: float, y: float, floor: float = 0.0, yaw: float = 0.3, look: DieLook = CUBE) -> DieOnTable:
    return DieOnTable(Die(look, flat_pose(CUBE_VALUES.index(number) + 1, look, (x, y, floor), yaw)), floor)


@pytest.mark.parametrize("number", CUBE_VALUES)
@pytest.mark.parametrize("yaw", [0.1, 1.7, 3.3])
def test_each_number_is_read_whichever_way_it_is_turned(
    reader: CubeReader, club: Renderer, pose: BoardPose, number: int, yaw: float
) -> None:
    cube = put(number, 0.0, 0.0, club.style.dims.bar_height, yaw)
    read = reader.read(club.render((), (cube,)).frame, pose)
    assert read is not None
    assert read.odds[0][0] == number
    assert read.value in {number, None}
    assert (read.column, read.side) == (CubeColumn.BAR, CubeSide.MIDDLE)
    (x, y), *_ = project(club.camera, [(0.0, 0.0, club.style.dims.bar_height + CUBE.size_m)])
    assert np.hypot(read.x_px - x, read.y_px - y) < 5
    assert sum(chance for _, chance in read.odds) <= 1 + 1e-6


@pytest.mark.parametrize(
    ("along", "across", "column", "side"),
    [
        (1.15, 0.0, CubeColumn.RIGHT, CubeSide.MIDDLE),
        (-1.15, 0.8, CubeColumn.LEFT, CubeSide.FAR),
        (1.15, -0.8, CubeColumn.RIGHT, CubeSide.NEAR),
        (0.5, 0.1, CubeColumn.RIGHT, CubeSide.MIDDLE),
    ],
)
def test_it_is_told_where_the_cube_lies_and_whose_it_is(
    reader: CubeReader,
    club: Renderer,
    pose: BoardPose,
    along: float,
    across: float,
    column: CubeColumn,
    side: CubeSide,
) -> None:
    dims = club.style.dims
    cube = put(64, along * dims.half_width, across * dims.half_depth)
    read = reader.read(club.render((), (cube,)).frame, pose)
    assert read is not None
    assert (read.column, read.side) == (column, side)
    assert read.u == pytest.approx(0.5 + along / 2, abs=0.02)


def test_an_empty_board_has_no_cube(reader: CubeReader, club: Renderer, pose: BoardPose) -> None:
    assert reader.read(club.render(()).frame, pose) is None


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5, 6])
def test_a_die_is_no_cube(reader: CubeReader, club: Renderer, pose: BoardPose, value: int) -> None:
    look = DieLook(size_m=0.018)
    die = DieOnTable(Die(look, flat_pose(value, look, (0.12, 0.02, 0.0), 0.4)))
    assert reader.read(club.render((), (die,)).frame, pose) is None


def test_the_number_of_a_bare_face_is_not_guessed(reader: CubeReader, club: Renderer, pose: BoardPose) -> None:
    bare = DieLook(size_m=0.03, texts=("",) * 6, rounding=0.12)
    read = reader.read(club.render((), (put(8, 0.0, 0.0, club.style.dims.bar_height, look=bare),)).frame, pose)
    assert read is None or read.value is None


@given(st.floats(-0.3, 1.3))
def test_the_same_place_seen_from_the_other_side_is_the_other_players(v: float) -> None:
    turned = {CubeSide.NEAR: CubeSide.FAR, CubeSide.FAR: CubeSide.NEAR}
    here, there = side_at(v), side_at(1 - v)
    assert there is turned.get(here, here) or min(abs(v - edge) for edge in (0.3, 0.38, 0.62, 0.7)) < 1e-9


@given(st.lists(st.floats(-8, 8), min_size=7, max_size=7), st.floats(0.5, 4))
def test_a_higher_temperature_makes_nobody_surer(kinds: list[float], heat: float) -> None:
    cool, warm = probabilities(tuple(kinds), heat), probabilities(tuple(kinds), 1.5 * heat)
    assert cool.sum() == pytest.approx(1)
    assert warm.max() <= cool.max() + 1e-12


def test_half_of_all_sorts_of_drawn_cubes_are_found_and_hardly_any_number_is_called_wrongly(reader: CubeReader) -> None:
    meaning = reader.measured
    seen = [each for each in observe(reader, 14, first_seed=77) if each.cube]
    found = [each for each in seen if each.read and each.read.is_cube >= meaning.cube_above]
    assert len(found) > 0.45 * len(seen)
    wrong = 0
    for each in found:
        assert each.read is not None
        chances = probabilities(each.read.kinds, meaning.value_temperature)[: len(CUBE_VALUES)]
        called = chances.max() >= meaning.value_above
        wrong += bool(called and CUBE_VALUES[int(chances.argmax())] != each.number)
    assert wrong <= 1
