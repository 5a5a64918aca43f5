"""Numbers of ends from the start positions: fixed tables that any change of the generator has to keep.

The short game's and nackgammon's were also counted with bgsage 2.0 (C++), the first ply of each with the second
generator of these tests.
"""

import pytest

from controller.rules import ALL_ROLLS, Position, Ruleset, legal_plays, ruleset, start
from controller.rules.legal import head_limit
from tests.rules.naive import naive_ends

pytestmark = pytest.mark.slow  # counts hundreds of thousands of plays

PERFT = {
    "short-wbgf": (447, 202_782),
    "nackgammon": (547, 324_161),
    "hyper": (195, 38_017),
    "long-fnr": (22, 484, 35_387),
    "long-club": (22, 489, 35_722),
    "khachapuri": (118, 13_260),
}
"""Ends after one roll, two rolls and so on, summed over all 21 rolls of each turn."""


def perft(position: Position, rules: Ruleset, depth: int, turn: int = 0) -> int:
    total = 0
    for roll in ALL_ROLLS:
        ends = legal_plays(position, roll, rules, first_turn=turn < 2, second_player=turn == 1)
        if depth == 1:
            total += len(ends)
        else:
            total += sum(perft(end.turned(rules.game), rules, depth - 1, turn + 1) for end in ends)
    return total


@pytest.mark.parametrize(
    ("preset", "depth", "count"),
    [(preset, depth, count) for preset, counts in PERFT.items() for depth, count in enumerate(counts, start=1)],
)
def test_perft(preset: str, depth: int, count: int) -> None:
    rules = ruleset(preset)
    assert perft(start(rules.game), rules, depth) == count


@pytest.mark.parametrize("preset", PERFT)
def test_the_second_generator_counts_the_same_first_ply(preset: str) -> None:
    rules = ruleset(preset)
    begin = start(rules.game)
    for roll in ALL_ROLLS:
        limit = head_limit(begin, roll, rules, first_turn=True)
        assert set(legal_plays(begin, roll, rules, first_turn=True)) == naive_ends(begin, roll, rules, limit)


@pytest.mark.parametrize("preset", ["long-fnr", "long-club"])
def test_the_second_generator_counts_the_same_second_ply_in_long_nardy(preset: str) -> None:
    rules = ruleset(preset)
    turn = {"first_turn": True, "second_player": True}
    for first in ALL_ROLLS:
        for end in legal_plays(start(rules.game), first, rules, first_turn=True):
            position = end.turned(rules.game)
            for roll in ALL_ROLLS:
                limit = head_limit(position, roll, rules, **turn)
                assert set(legal_plays(position, roll, rules, **turn)) == naive_ends(position, roll, rules, limit)
