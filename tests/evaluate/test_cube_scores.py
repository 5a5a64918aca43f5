"""Scores of the doubling cube count what an arbiter would count."""

from typing import Any

from controller.evaluate.cubes import CubeScore, cube_lines, cube_totals, score_cube
from controller.evaluate.dice import DiceScores
from tests.evaluate.test_dice_scores import reading as die_reading
from vision.readings import CubeColumn, CubeReading, CubeSide, DieReading

SIZE = (640, 480)


def reading(value: int | None, x: float = 300.0, y: float = 200.0, best: int = 64) -> CubeReading:
    odds = ((value or best, 0.95 if value else 0.5),)
    return CubeReading(0.5, 0.5, x, y, 40.0, 0.99, odds, value, CubeColumn.BAR, CubeSide.MIDDLE)


def label(value: int | None, x: float = 300.0, y: float = 200.0) -> dict[str, Any]:
    return {"value": value, "center": [x, y]}


def score(
    labelled: dict[str, Any] | None, read: CubeReading | None, *dice: DieReading, others: tuple[Any, ...] = ()
) -> CubeScore:
    scored = score_cube("a.jpg", labelled, SIZE, read, dice, others)
    assert scored is not None
    return scored


def test_right_unsure_wrong_missed_and_invented_cubes_are_told_apart() -> None:
    scores = [
        score(label(64), reading(64)),
        score(label(2), reading(None)),
        score(label(4), reading(8)),
        score(label(16), None),
        score(None, reading(2)),
        score(None, None),
        score(label(32), reading(32, x=400.0)),
    ]
    assert cube_totals(scores) == {
        "cubes": 5,
        "cubes_found": 0.6,
        "cubes_invented": round(2 / 7, 5),
        "cube_value_right": 0.2,
        "cube_value_unsure": 0.2,
        "cube_value_wrong": 0.2,
        "cube_read_as_die": 0,
    }
    assert list(cube_lines(scores)) == [
        "a.jpg: a cube with 2 was read as 64 (50.0%, unsure) at 300,200",
        "a.jpg: a cube with 4 was read as 8 (95.0%) at 300,200",
        "a.jpg: a cube with 16 was read as nothing",
        "a.jpg: no cube was read as 2 (95.0%) at 300,200",
        "a.jpg: a cube with 32 was read as 32 (95.0%) at 400,200",
    ]


def test_a_number_read_off_a_logo_is_wrong_and_none_read_is_right() -> None:
    logo = [score(label(None), reading(64)), score(label(None), reading(None))]
    figures = cube_totals(logo)
    assert figures["cube_value_wrong"] == 0.5
    assert figures["cube_value_right"] is None


def test_a_die_read_on_the_cube_counts_unless_a_real_one_lies_there() -> None:
    on_it = die_reading(3, 310.0, 205.0)
    assert score(label(64), reading(64), on_it).read_as_dice == 1
    assert score(label(64), None, on_it).read_as_dice == 1
    assert score(label(64), reading(64), on_it, others=((312.0, 204.0),)).read_as_dice == 0
    assert score(label(64), reading(64), die_reading(3, 400.0, 205.0)).read_as_dice == 0


def test_a_cube_cut_off_by_the_pictures_edge_is_not_asked_for() -> None:
    assert score_cube("a.jpg", label(64, x=3.0), SIZE, None, (), ()) is None


def test_pictures_without_any_cube_keep_the_table_of_dice_as_it_was() -> None:
    assert not any(name.startswith("cube") for name in DiceScores((), (score(None, None),)).totals())
