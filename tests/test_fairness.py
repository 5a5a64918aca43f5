"""The fairness log finds dice known to be biased, and leaves fair ones alone."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.fairness import (
    UNUSUAL,
    FairnessReport,
    FairnessTest,
    binomial_two_sided,
    chi_square_tail,
    report,
    two_sided,
)
from controller.locale import Lang


def fair(rng: random.Random, throws: int) -> list[tuple[int, int]]:
    return [(rng.randint(1, 6), rng.randint(1, 6)) for _ in range(throws)]


def found(result: FairnessReport) -> set[FairnessTest]:
    return {outcome.test for outcome in result.unusual}


@pytest.mark.parametrize(
    ("statistic", "freedom", "chance"),
    # Critical values of the NIST/SEMATECH e-Handbook, table 1.3.6.7.4.
    [(9.236, 5, 0.10), (11.070, 5, 0.05), (15.086, 5, 0.01), (20.515, 5, 0.001), (3.841, 1, 0.05), (18.307, 10, 0.05)],
)
def test_chi_square_tail_agrees_with_printed_tables(statistic: float, freedom: int, chance: float) -> None:
    assert chi_square_tail(statistic, freedom) == pytest.approx(chance, rel=2e-3)


@given(st.floats(0.01, 200))
def test_chi_square_with_two_degrees_is_an_exponential(statistic: float) -> None:
    assert chi_square_tail(statistic, 2) == pytest.approx(math.exp(-statistic / 2), rel=1e-9)


@given(st.integers(1, 60), st.integers(0, 60))
def test_binomial_chance_agrees_with_adding_up_all_outcomes(trials: int, seen: int) -> None:
    seen = min(seen, trials)
    odds = [math.comb(trials, k) * 5 ** (trials - k) / 6**trials for k in range(trials + 1)]
    wanted = sum(chance for chance in odds if chance <= odds[seen] * (1 + 1e-9))
    assert binomial_two_sided(seen, trials, 1 / 6) == pytest.approx(wanted, rel=1e-6)


def test_two_sided_normal_chance_at_two_sigma() -> None:
    assert two_sided(70.5, 50, 100) == pytest.approx(0.0455, rel=1e-3)


def test_fair_dice_are_called_unusual_no_more_often_than_promised() -> None:
    rng = random.Random(7)
    logs = 400
    alarms = sum(bool(report({"A": fair(rng, 120), "B": fair(rng, 120)}).unusual) for _ in range(logs))
    # Promised at most one log in a hundred; three standard deviations of luck on top.
    assert alarms <= logs * UNUSUAL + 3 * math.sqrt(logs * UNUSUAL)


def test_a_die_loaded_towards_six_is_found_and_named() -> None:
    rng = random.Random(1)
    loaded = [(rng.choices(range(1, 7), (2, 3, 3, 3, 3, 5))[0], rng.randint(1, 6)) for _ in range(600)]
    result = report({"white": fair(rng, 600), "black": loaded})
    assert [(outcome.test, outcome.dice, outcome.face) for outcome in result.unusual] == [
        (FairnessTest.FACES, "black", 6)
    ]
    assert "black" in result.sentences(Lang.EN)[0]
    assert "the 6 came" in result.sentences(Lang.EN)[0]


def test_dice_put_down_instead_of_thrown_are_found_by_their_order() -> None:
    # Every face equally often, doubles as often as they should be: only the order is wrong.
    every = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    low_then_high = sorted(every, key=sum)
    result = report({"A": [throw for _ in range(4) for throw in low_then_high]})
    assert FairnessTest.RUNS in found(result)
    assert FairnessTest.FACES not in found(result)


def test_dice_that_are_not_shaken_repeat_the_throw_before() -> None:
    rng = random.Random(3)
    throws = fair(rng, 1)
    while len(throws) < 400:
        throws.append(throws[-1] if rng.random() < 0.2 else fair(rng, 1)[0])
    assert FairnessTest.REPEATS in found(report({"A": throws}))


def test_too_many_doubles_are_found() -> None:
    rng = random.Random(4)
    throws = [
        (face, face) if rng.random() < 0.2 else (face, rng.randint(1, 6))
        for face in (rng.randint(1, 6) for _ in range(500))
    ]
    assert found(report({"A": throws})) == {FairnessTest.DOUBLES}


@pytest.mark.parametrize("lang", list(Lang))
def test_an_ordinary_log_ends_in_one_calm_sentence(lang: Lang) -> None:
    (sentence,) = report({"A": fair(random.Random(2), 412)}).sentences(lang)
    assert "412" in sentence


def test_few_throws_are_said_to_be_few() -> None:
    (sentence,) = report({"A": fair(random.Random(2), 12)}).sentences(Lang.EN)
    assert sentence == "12 throws are too few to say anything about the dice."


def test_a_face_no_die_has_is_refused() -> None:
    with pytest.raises(ValueError, match=r"a die shows 1..6, the log of set 'A' has 7"):
        report({"A": [(7, 1)]})


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), max_size=120))
def test_chances_are_chances_and_swapping_the_dice_of_a_throw_changes_nothing(throws: list[tuple[int, int]]) -> None:
    result = report({"A": throws})
    assert all(0 <= outcome.p_value <= 1 + 1e-9 for outcome in result.outcomes)
    assert report({"A": [(b, a) for a, b in throws]}) == result
