"""A board's memory: what is unchanged is known, what has changed is read anew, what is strange is forgotten at once."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.table import SHORT_START, Table, make_table
from vision.board.geometry import Frame
from vision.checkers.memory import BoardMemory, KnownCheckers
from vision.checkers.reader import CheckerReader
from vision.readings import BoardReading
from vision.synthetic.clutter import Hand
from vision.synthetic.dice import Die, DieLook, flat_pose
from vision.synthetic.scene import DieOnTable, Renderer
from vision.synthetic.style import club_style, random_style, relit
from vision.training.pictures.layout import Tidiness, lay_position

PLAYED = (-2, 0, 0, 0, 1, 4, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2)
"""The start position with a checker played from p6 to p5."""
HIT = (-2, 0, 0, 0, -1, 4, 0, 3, 0, 0, 0, -4, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2)
NO_BAR = (0, 0)


@pytest.fixture(scope="module")
def reader() -> CheckerReader:
    return CheckerReader()


def counts(reading: BoardReading) -> tuple[int, ...]:
    return tuple(place.count for place in reading.points)


def noisy(table: Table, frame: Frame, moment: int) -> Frame:
    return table.renderer.noisy(frame, moment)


def learnt(
    reader: CheckerReader, table: Table, points: tuple[int, ...] = SHORT_START, *, least: float = 0.02
) -> BoardMemory:
    memory = BoardMemory()
    frame = noisy(table, table.picture(), 1)
    reader.learn(memory, frame, table.pose, KnownCheckers(points, NO_BAR, least))
    return memory


def read(reader: CheckerReader, table: Table, frame: Frame, memory: BoardMemory) -> BoardReading:
    return reader.read(frame, table.pose, memory=memory)


def test_an_unchanged_board_is_nearly_certain(reader: CheckerReader, table: Table) -> None:
    reading = read(reader, table, noisy(table, table.picture(), 2), learnt(reader, table))
    assert counts(reading) == SHORT_START
    assert min(place.certainty for place in (*reading.points, reading.bar_light, reading.bar_dark)) > 0.98


@pytest.mark.parametrize("gain", [0.75, 1.2])
def test_a_camera_that_exposes_otherwise_changes_nothing(reader: CheckerReader, table: Table, gain: float) -> None:
    frame = np.asarray(cv2.convertScaleAbs(table.picture(), alpha=gain), np.uint8)
    memory = learnt(reader, table)
    reading = read(reader, table, noisy(table, frame, 3), memory)
    assert counts(reading) == SHORT_START
    assert memory.reading is not None


@pytest.mark.parametrize(("points", "bar"), [(PLAYED, (0, 0)), (HIT, (1, 0))])
def test_what_was_played_is_read_anew(
    reader: CheckerReader, table: Table, points: tuple[int, ...], bar: tuple[int, int]
) -> None:
    reading = read(reader, table, noisy(table, table.picture(points, bar), 4), learnt(reader, table))
    assert counts(reading) == points
    assert (reading.bar_light.count, reading.bar_dark.count) == bar


def test_a_place_is_known_again_when_the_die_on_it_is_gone(reader: CheckerReader, table: Table) -> None:
    memory = learnt(reader, table)
    style = table.renderer.style
    checkers = lay_position(style, SHORT_START, NO_BAR, Tidiness(), np.random.default_rng(5))
    look = DieLook(size_m=0.017)
    die = DieOnTable(Die(look, flat_pose(5, look, (style.dims.column_x(3), -0.1, 0.0), 0.4)))
    lying = table.renderer.render(checkers, (die,)).frame
    assert counts(read(reader, table, noisy(table, lying, 5), memory)) == SHORT_START
    reader.learn(memory, lying, table.pose, KnownCheckers(SHORT_START, NO_BAR, 0.5))
    for frame in (lying, table.picture()):
        reading = read(reader, table, noisy(table, frame, 6), memory)
        assert counts(reading) == SHORT_START
        assert reading.points[2].certainty > 0.98


def test_another_board_is_noticed_within_one_look(reader: CheckerReader, table: Table) -> None:
    memory = learnt(reader, table)
    other = replace(random_style(np.random.default_rng(11)), dims=table.renderer.style.dims)
    exchanged = Table(Renderer(other, table.renderer.camera), table.pose)
    frame = exchanged.picture(PLAYED)
    cold = reader.read(frame, table.pose)
    assert read(reader, table, frame, memory) == cold
    assert memory.profile is None


def test_a_lamp_that_is_switched_is_noticed_and_the_board_read_all_the_same(
    reader: CheckerReader, table: Table
) -> None:
    memory = learnt(reader, table)
    style = table.renderer.style
    lamp = replace(style.light, direction=(-0.9, -0.5, 0.5), ambient=0.3, diffuse=0.7, slope=(1.2, -0.6))
    frame = Renderer(relit(style, lamp), table.renderer.camera).render(
        lay_position(style, PLAYED, NO_BAR, Tidiness(), np.random.default_rng(5))
    )
    assert counts(read(reader, table, frame.frame, memory)) == PLAYED


def test_a_hand_over_a_known_place_hides_it(reader: CheckerReader, table: Table) -> None:
    style = table.renderer.style
    checkers = lay_position(style, SHORT_START, NO_BAR, Tidiness(), np.random.default_rng(5))
    hand = Hand((style.dims.column_x(6), -0.08), (style.dims.column_x(6), -0.75))
    frame = table.renderer.render(checkers, hand=hand).frame
    reading = read(reader, table, frame, learnt(reader, table))
    assert reading.points[5].hidden
    assert not reading.points[18].hidden
    assert reading.points[18].certainty > 0.98


def test_what_is_read_as_something_else_is_not_learnt(reader: CheckerReader, table: Table) -> None:
    wrong = (-2, 0, 0, 0, 2, 3, 0, 3, *SHORT_START[8:])
    reading = read(reader, table, noisy(table, table.picture(), 7), learnt(reader, table, wrong))
    assert counts(reading) == SHORT_START


def test_what_was_learnt_of_the_places_can_be_forgotten(reader: CheckerReader, table: Table) -> None:
    memory = learnt(reader, table)
    memory.forget_places()
    frame = noisy(table, table.picture(PLAYED), 8)
    assert read(reader, table, frame, memory) == reader.read(frame, table.pose, memory.profile)


def test_a_stack_that_grows_by_a_checker_is_not_taken_for_the_old_one(reader: CheckerReader) -> None:
    table = make_table(club_style(), tilt_deg=10.0)
    five = SHORT_START
    six = (*five[:5], 6, 0, 2, *five[8:])
    reading = read(reader, table, noisy(table, table.picture(six), 9), learnt(reader, table))
    assert reading.points[5].probability(5) < 0.5
    assert counts(reading)[7] == 2
