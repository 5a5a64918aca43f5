"""The rules keep up with their fastest peer in pure Python; skipped where it or the oracle's rows are not there."""

from pathlib import Path

import pytest

from controller.rules import ruleset
from tests.bench.rules_speed import gym_backgammon, ours, rows, timed, unknown_dice

PASSES = 3
SLACK = 1.25
"""Shared machines measure unevenly; the quiet figures are in ``docs/benchmarks.md``."""


@pytest.fixture(scope="module")
def oracle(shared: Path) -> Path:
    return shared / "oracle" / "dev"


def test_short_plays_merged_are_no_slower_than_gym_backgammon_unmerged(oracle: Path) -> None:
    recorded = rows(oracle / "backgammon.jsonl.gz")
    try:
        peer = gym_backgammon(recorded)
    except ImportError:
        pytest.skip("gym-backgammon is not installed: pip install gym-backgammon")
    assert ours("short", recorded, ruleset("short-wbgf")).us <= SLACK * peer.us


def test_long_plays_take_at_most_twice_the_short_ones_and_a_half(oracle: Path) -> None:
    short = ours("short", rows(oracle / "backgammon.jsonl.gz"), ruleset("short-wbgf"))
    long = ours("long", rows(oracle / "long_narde.jsonl.gz"), ruleset("long-fnr"))
    assert long.us <= 2.5 * SLACK * short.us


def test_a_position_with_unknown_dice_costs_no_more_than_its_rolls(oracle: Path) -> None:
    recorded = rows(oracle / "backgammon.jsonl.gz")
    rules = ruleset("short-wbgf")
    assert unknown_dice("all rolls", recorded, rules).us <= 30 * SLACK * ours("one roll", recorded, rules).us


def test_a_timing_is_the_mean_of_the_best_pass() -> None:
    assert timed("nothing", [lambda: None] * 10, passes=PASSES).us < 50
