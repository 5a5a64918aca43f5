"""Scores of dice count what a player would count."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.evaluate.dice import DiceScores, LabelledDie, PictureScore, Scored, by_place, by_values, evaluate_dice
from controller.evaluate.dice_generated import GeneratedScores, interval
from vision.readings import DieReading, DieState


def reading(face: int, x: float, y: float, sure: float = 0.9, state: DieState = DieState.FLAT) -> DieReading:
    odds = [(1 - sure) / 5] * 6
    odds[face - 1] = sure
    one, two, three, four, five, six = odds
    return DieReading(
        u=0.3,
        v=0.4,
        x_px=x,
        y_px=y,
        size_px=20.0,
        faces=(one, two, three, four, five, six),
        states=((state, 0.995),),
        half="left",
        colour=(0, 0, 0),
    )


def label(value: int | None, x: float, y: float, state: str = "flat", tilt: float = 0.0) -> LabelledDie:
    return LabelledDie(value, x, y, state, tilt, 20.0)


def totals(*pictures: PictureScore) -> dict[str, object]:
    return dict(DiceScores(pictures).totals())


def test_dice_are_matched_by_place_not_by_face() -> None:
    score = by_place("a", [label(3, 10, 10), label(5, 100, 10)], (reading(5, 12, 11), reading(3, 101, 9)))
    assert totals(score)["faces_exact"] == 0
    assert totals(score)["missed"] == 0


def test_missed_and_invented_dice_are_told_apart() -> None:
    score = by_place("a", [label(3, 10, 10), label(5, 100, 10)], (reading(3, 12, 11), reading(2, 300, 300)))
    assert totals(score) | {"missed": 0.5, "invented": 0.5, "faces_exact": 0.5, "pictures_exact": 0.0} == totals(score)


def test_a_die_that_cannot_be_read_is_neither_missed_nor_invented() -> None:
    score = by_place("a", [label(None, 10, 10)], (reading(3, 12, 11),))
    assert totals(score)["dice"] == 0
    assert totals(score)["invented"] is None
    assert totals(score)["pictures_exact"] == 1.0


def test_wrong_and_sure_takes_ninety_nine_percent() -> None:
    sure = by_place("a", [label(3, 10, 10)], (reading(2, 10, 10, sure=0.995),))
    doubting = by_place("a", [label(3, 10, 10)], (reading(2, 10, 10, sure=0.9),))
    right = by_place("a", [label(2, 10, 10)], (reading(2, 10, 10, sure=0.995),))
    assert [totals(s)["wrong_and_sure"] for s in (sure, doubting, right)] == [1.0, 0.0, 0.0]


def test_a_cocked_die_read_flat_with_certainty_is_wrong_and_sure() -> None:
    score = by_place("a", [label(3, 10, 10, "cocked", 20)], (reading(3, 10, 10),))
    assert totals(score)["wrong_and_sure"] == 1.0
    assert totals(score)["cocked_called"] == 0.0
    assert totals(score)["pictures_exact"] == 0.0


def test_cocked_dice_count_from_eight_degrees_on() -> None:
    called = reading(3, 10, 10, state=DieState.COCKED)
    slight = by_place("a", [label(3, 10, 10, "cocked", 5)], (called,))
    plain = by_place("b", [label(3, 10, 10, "cocked", 9)], (called,))
    assert totals(slight)["cocked"] == 0
    assert totals(plain)["cocked_called"] == 1.0


def test_values_without_places_are_matched_as_a_bag() -> None:
    score = by_values("a", [1, 3, 3], (reading(3, 0, 0), reading(1, 0, 0), reading(4, 0, 0, sure=0.995)))
    assert totals(score) | {"faces_exact": 0.66667, "missed": 0.0, "invented": 0.0} == totals(score)
    assert totals(score)["wrong_and_sure"] == pytest.approx(1 / 3, abs=1e-4)


@given(st.lists(st.integers(1, 6), max_size=6), st.lists(st.integers(1, 6), max_size=6))
def test_a_bag_is_exact_only_if_it_is_the_same_bag(values: list[int], read: list[int]) -> None:
    score = by_values("a", values, tuple(reading(face, 0, 0) for face in read))
    assert score.exact == (sorted(values) == sorted(read))


def test_a_picture_with_a_label_beside_it_is_read(tmp_path: Path) -> None:
    frame = np.full((480, 640, 3), (60, 90, 60), np.uint8)
    cv2.imwrite(str(tmp_path / "empty.png"), frame)
    corners = [[600, 440], [40, 440], [40, 40], [600, 40]]
    (tmp_path / "empty.json").write_text(json.dumps({"corners": corners, "bar": [0.47, 0.53], "dice": []}), "utf-8")
    scores = evaluate_dice(tmp_path)
    assert scores.totals() | {"pictures": 1, "pictures_exact": 1.0, "dice": 0} == scores.totals()
    assert evaluate_dice(tmp_path / "empty.png").totals() == scores.totals()


def test_a_folder_without_labels_says_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no labelled pictures"):
        evaluate_dice(tmp_path)


def test_lines_name_the_die_that_was_not_read_as_labelled() -> None:
    score = PictureScore("x.jpg", (Scored("x.jpg", label(3, 10, 20), None),))
    assert next(DiceScores((score,)).lines()) == "x.jpg: 3 (flat, 20 px) at 10,20 was read as nothing"


@given(st.integers(1, 3000), st.floats(0, 1))
def test_an_interval_holds_its_rate(trials: int, rate: float) -> None:
    hits = round(trials * rate)
    low, high = interval(hits, trials)
    assert -1e-9 <= low <= hits / trials + 1e-9
    assert hits / trials - 1e-9 <= high <= 1 + 1e-9


def test_an_interval_agrees_with_the_published_example() -> None:
    # Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I: 81 of 263.
    assert interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)


def test_the_table_of_drawn_throws_keeps_small_dice_apart_and_counts_what_was_invented() -> None:
    small = LabelledDie(3, 300, 10, "flat", 0.0, 12.0)
    score = by_place("a", [label(3, 10, 10), small], (reading(3, 10, 10), reading(5, 300, 10), reading(1, 90, 90)))
    lines = list(GeneratedScores(DiceScores((score,))).lines())
    large = lines.index("dice of 16 px and more")
    below = lines.index("dice under 16 px")
    assert lines[large + 1].startswith("  flat: face right: 1 of 1 (")
    assert lines[large + 3].startswith("  all: missed or invented: 1 of 2 (")
    assert lines[below + 1].startswith("  flat: face right: 0 of 1 (")
    assert lines[below + 3].startswith("  all: missed or invented: 0 of 1 (")


@pytest.mark.parametrize(
    ("flat", "face", "stands"),
    [
        pytest.param(0.995, 0.995, True, id="sure"),
        pytest.param(0.93, 0.995, True, id="nearly sure of every look"),
        pytest.param(0.80, 0.995, False, id="doubts how it lies"),
        pytest.param(0.995, 0.80, False, id="doubts the face"),
    ],
)
@pytest.mark.parametrize("state", ["flat", "cocked"])
def test_what_the_referee_would_let_stand_is_told_of_flat_and_of_cocked_dice(
    flat: float, face: float, state: str, *, stands: bool
) -> None:
    read = replace(reading(3, 10, 10, face), states=((DieState.FLAT, flat), (DieState.COCKED, 1 - flat)))
    score = totals(by_place("a", [label(3, 10, 10, state, 20.0)], (read,)))
    assert score[f"{state}_stands"] == float(stands)
    assert score["wrong_stands"] == 0.0
    wrong = totals(by_place("a", [label(4, 10, 10, state, 20.0)], (read,)))
    assert wrong["wrong_stands"] == float(stands)
