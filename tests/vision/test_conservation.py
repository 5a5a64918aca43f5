"""The sum over a board: it settles doubt, conjures nothing up, and leaves what is hidden alone."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.conservation import ALL_THERE, TOO_MANY, Odds, conserve

EMPTY: Odds = {0: 1.0}


def chances(size: int) -> st.SearchStrategy[list[float]]:
    return st.lists(st.floats(0.01, 1), min_size=size, max_size=size).map(lambda raw: [x / math.fsum(raw) for x in raw])


places = st.lists(
    st.tuples(st.lists(st.integers(-4, 4), min_size=3, max_size=3, unique=True), chances(3)).map(
        lambda pair: dict(zip(*pair, strict=True))
    ),
    min_size=2,
    max_size=4,
)


@given(places)
def test_one_sets_sum_is_weighed_exactly_as_by_trying_all_boards(odds: list[Odds]) -> None:
    only_light = [{abs(count): 0.0 for count in place} for place in odds]
    for mine, place in zip(only_light, odds, strict=True):
        for count, chance in place.items():
            mine[abs(count)] += chance
    set_size = 5

    def prior(total: int) -> float:
        return ALL_THERE if total == set_size else (1 - ALL_THERE) / set_size if total < set_size else TOO_MANY

    truth: list[dict[int, float]] = [dict.fromkeys(place, 0.0) for place in only_light]
    for board in itertools.product(*(place.items() for place in only_light)):
        weight = math.prod(chance for _, chance in board) * prior(sum(count for count, _ in board))
        for index, (count, _) in enumerate(board):
            truth[index][count] += weight
    result = conserve(only_light, [False] * len(odds), set_size)
    for mine, place in zip(result, truth, strict=True):
        total = math.fsum(place.values())
        # The other set's sum is always 0 here and weighs all boards alike.
        assert mine == pytest.approx({count: weight / total for count, weight in place.items()}, rel=1e-6, abs=1e-9)


@given(places)
def test_odds_stay_odds(odds: list[Odds]) -> None:
    for before, after in zip(odds, conserve(odds, [False] * len(odds)), strict=True):
        assert math.fsum(after.values()) == pytest.approx(1)
        assert after.keys() == before.keys()


def test_a_doubtful_stack_is_settled_by_the_others() -> None:
    odds = [{10: 1.0}, {5: 0.4, 4: 0.6}, *[EMPTY] * 24]
    assert conserve(odds, [False] * 26)[1][5] > 0.9


def test_a_sixteenth_checker_is_not_believed() -> None:
    odds = [{15: 1.0}, {1: 0.9, 0: 0.1}, *[EMPTY] * 24]
    assert conserve(odds, [False] * 26)[1][1] < 0.01


def test_a_sure_count_stays_sure_though_checkers_are_missing() -> None:
    odds = [{3: 0.999, 4: 0.001}, *[EMPTY] * 25]
    assert conserve(odds, [False] * 26)[0][3] > 0.99


def test_what_is_hidden_is_not_concluded_from_the_rest() -> None:
    unknown = dict.fromkeys(range(16), 1 / 16)
    odds = [{10: 1.0}, unknown, *[EMPTY] * 24]
    assert conserve(odds, [False, True, *[False] * 24])[1] == unknown
