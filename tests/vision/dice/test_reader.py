"""The reader on pictures it has never seen: drawn throws here, real photos where they lie beside the project."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.board.geometry import BoardPose, BoardShape
from vision.dice.reader import DiceCalibration, DiceReader
from vision.readings import DieState
from vision.synthetic.dice import Die, DieLook, cocked_pose, flat_pose, project
from vision.synthetic.scene import DieOnTable, Renderer
from vision.synthetic.style import club_style
from vision.synthetic.viewpoint import overhead_camera

SIZE = (1280, 720)


@pytest.fixture(scope="module")
def reader() -> DiceReader:
    return DiceReader()


@pytest.fixture(scope="module")
def club() -> Renderer:
    style = club_style()
    return Renderer(style, overhead_camera(style.dims, SIZE, tilt_deg=15.0), SIZE)


@pytest.fixture(scope="module")
def pose(club: Renderer) -> BoardPose:
    return BoardPose(club.corners_px, BoardShape(club.style.dims.bar_edges), SIZE)


def flat(value: int, x: float, y: float, yaw: float = 0.5) -> DieOnTable:
    look = DieLook(size_m=0.017)
    return DieOnTable(Die(look, flat_pose(value, look, (x, y, 0.0), yaw)))


def test_an_empty_board_has_no_dice(reader: DiceReader, club: Renderer, pose: BoardPose) -> None:
    assert reader.read(club.render(()).frame, pose) == ()


@pytest.mark.parametrize(("first", "second"), [(1, 2), (3, 4), (5, 6), (6, 6)])
def test_both_dice_of_a_throw_are_read_where_they_lie(
    reader: DiceReader, club: Renderer, pose: BoardPose, first: int, second: int
) -> None:
    thrown = (flat(first, 0.12, 0.01), flat(second, 0.2, -0.03, 1.1))
    read = sorted(reader.read(club.render((), thrown).frame, pose), key=lambda die: die.x_px)
    assert [die.face for die in read] == [first, second]
    assert [die.state for die in read] == [DieState.FLAT, DieState.FLAT]
    assert [die.half for die in read] == ["right", "right"]
    for die, put in zip(read, thrown, strict=True):
        spot = put.die.pose
        (x, y), *_ = project(club.camera, [(spot.x_m, spot.y_m, 0.017)])
        assert np.hypot(die.x_px - x, die.y_px - y) < 3
        width = 2 * club.style.dims.half_width
        assert die.u == pytest.approx(spot.x_m / width + 0.5, abs=0.006)
        assert die.v == pytest.approx(spot.y_m / (2 * club.style.dims.half_depth) + 0.5, abs=0.006)
        assert sum(die.faces) == pytest.approx(1)
        assert min(die.colour) > 150


def test_a_throw_over_the_bar_lies_in_two_halves(reader: DiceReader, club: Renderer, pose: BoardPose) -> None:
    read = reader.read(club.render((), (flat(3, -0.1, 0.0), flat(5, 0.1, 0.0))).frame, pose)
    assert {(die.face, die.half) for die in read} == {(3, "left"), (5, "right")}


def test_a_die_beside_the_board_is_off_it(reader: DiceReader, club: Renderer, pose: BoardPose) -> None:
    x = club.style.dims.half_width + club.style.dims.rim_width + 0.03
    (die,) = reader.read(club.render((), (flat(4, x, 0.0),)).frame, pose)
    assert die.state is DieState.OFF_BOARD
    assert die.half == "none"


def test_a_die_leaning_at_thirty_degrees_is_not_a_flat_one(reader: DiceReader, club: Renderer, pose: BoardPose) -> None:
    look = DieLook(size_m=0.017)
    leaning = cocked_pose(4, look, (0.15, 0.02, 0.0), 0.7, np.radians(30))
    (die,) = reader.read(club.render((), (DieOnTable(Die(look, leaning)),)).frame, pose)
    assert die.state in {DieState.COCKED, DieState.UNSURE}


def test_a_doubling_cube_is_not_a_die(reader: DiceReader, club: Renderer, pose: BoardPose) -> None:
    look = DieLook(size_m=0.024, texts=("2", "4", "8", "16", "32", "64"))
    cube = DieOnTable(Die(look, flat_pose(6, look, (0.0, 0.0, club.style.dims.bar_height), 0.2)))
    assert reader.read(club.render((), (cube,)).frame, pose) == ()


def test_without_a_board_every_die_in_the_picture_is_read(reader: DiceReader, club: Renderer) -> None:
    frame = club.render((), (flat(2, 0.12, 0.01), flat(6, 0.2, -0.03, 1.1))).frame
    read = reader.read(frame[150:600, 500:1150], None)
    assert sorted(die.face for die in read) == [2, 6]
    assert {(die.u, die.v, die.half) for die in read} == {(0.0, 0.0, "none")}


@given(st.floats(-12, 12), st.floats(-6, 6), st.floats(0, 8), st.floats(0.3, 6))
def test_between_flat_and_cocked_lies_doubt(odds: float, below: float, apart: float, temperature: float) -> None:
    meaning = DiceCalibration(flat_below=below, cocked_above=below + apart, state_temperature=temperature)
    flat_chance, cocked_chance = meaning.states(odds)
    assert flat_chance + cocked_chance <= 1 + 1e-9
    assert flat_chance > 0.5 or odds >= below - 1e-9
    assert cocked_chance > 0.5 or odds <= below + apart + 1e-9
    nearer = meaning.states(odds + 0.5)
    assert nearer[0] <= flat_chance
    assert nearer[1] >= cocked_chance
