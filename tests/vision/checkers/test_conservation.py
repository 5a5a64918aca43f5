"""The sum over a board: it settles doubt, conjures nothing up, and leaves what is hidden alone."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.checkers.conservation import ALL_THERE, TOO_MANY, Odds, conserve, out_of_sight

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

    def aside(count: int) -> float:
        return ALL_THERE if count == 0 else (1 - ALL_THERE) / set_size

    truth: list[dict[int, float]] = [dict.fromkeys(place, 0.0) for place in only_light]
    borne_off = dict.fromkeys(range(set_size + 1), 0.0)
    for board in itertools.product(*(place.items() for place in only_light)):
        for off in borne_off:
            lying = off + sum(count for count, _ in board)
            likely = 1.0 if lying == set_size else TOO_MANY if lying > set_size else 0.0
            weight = math.prod(chance for _, chance in board) * aside(off) * likely
            borne_off[off] += weight
            for index, (count, _) in enumerate(board):
                truth[index][count] += weight
    result = conserve(only_light, [False] * len(odds), set_size)
    for mine, place in zip([*result.places, result.borne_off[0]], [*truth, borne_off], strict=True):
        total = math.fsum(place.values())
        # The other set's sum is always 0 here and weighs all boards alike.
        assert mine == pytest.approx({count: weight / total for count, weight in place.items()}, rel=1e-6, abs=1e-9)


@given(places)
def test_odds_stay_odds(odds: list[Odds]) -> None:
    for before, after in zip(odds, conserve(odds, [False] * len(odds)).places, strict=True):
        assert math.fsum(after.values()) == pytest.approx(1)
        assert after.keys() == before.keys()


def test_a_doubtful_stack_is_settled_by_the_others() -> None:
    odds = [{10: 1.0}, {5: 0.4, 4: 0.6}, *[EMPTY] * 24]
    assert conserve(odds, [False] * 26).places[1][5] > 0.9


def test_a_sixteenth_checker_is_not_believed() -> None:
    odds = [{15: 1.0}, {1: 0.9, 0: 0.1}, *[EMPTY] * 24]
    assert conserve(odds, [False] * 26).places[1][1] < 0.01


def test_a_sure_count_stays_sure_though_checkers_are_missing() -> None:
    odds = [{3: 0.999, 4: 0.001}, *[EMPTY] * 25]
    assert conserve(odds, [False] * 26).places[0][3] > 0.99


def test_what_is_hidden_is_not_concluded_from_the_rest() -> None:
    unknown = dict.fromkeys(range(16), 1 / 16)
    odds = [{10: 1.0}, unknown, *[EMPTY] * 24]
    assert conserve(odds, [False, True, *[False] * 24]).places[1] == unknown


def test_a_tray_seen_to_hold_three_leaves_twelve_on_the_board() -> None:
    odds = [{7: 1.0}, {5: 0.3, 8: 0.7}, *[EMPTY] * 24]
    three = np.zeros(16)
    three[3] = 1.0
    alone, seen = conserve(odds, [False] * 26), conserve(odds, [False] * 26, borne_off=(three, out_of_sight()))
    assert alone.places[1][8] > 0.9
    assert seen.places[1][5] > 0.9
    assert seen.borne_off[0][3] > 0.99


def test_what_is_missing_was_borne_off() -> None:
    odds: list[Odds] = [{9: 1.0}, {-15: 1.0}, *[EMPTY] * 24]
    light, dark = conserve(odds, [False] * 26).borne_off
    assert light[6] > 0.99
    assert dark[0] > 0.99
