"""Laws that hold whatever happens at the table, in whatever order."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.locale import Lang, catalogue
from controller.ports.entries import ENTRIES
from controller.referee.fold import replayed
from controller.referee.state import Phase
from tests.referee.laws import WatchedTable
from tests.referee.random_events import RandomEvents
from tests.referee.random_turns import OPTION_SETS, play

pytestmark = pytest.mark.slow  # many examples

seeds = st.integers(0, 2**32)


def carry_on(seed: int, steps: int) -> RandomEvents:
    rng = random.Random(seed)
    random_events = RandomEvents(WatchedTable(OPTION_SETS[rng.choice(list(OPTION_SETS))]), rng)
    for _ in range(steps):
        random_events.step()
    return random_events


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_nothing_that_happens_breaks_the_laws_of_the_table(seed: int) -> None:
    random_events = carry_on(seed, 40)
    known = catalogue(Lang.EN)
    assert {f"order.{key}" for key in random_events.refusals} <= set(known)


@settings(max_examples=15, deadline=None)
@given(seeds)
def test_the_journal_text_of_anything_folds_to_the_same_state(seed: int) -> None:
    table = carry_on(seed, 25).table
    written = [ENTRIES.dump_json(event) for event in table.events]
    assert replayed(ENTRIES.validate_json(text) for text in written) == table.state  # type: ignore[misc] # no rulings


@pytest.mark.parametrize("name", OPTION_SETS)
def test_random_turns_keep_the_laws(name: str) -> None:
    """The long form of this is ``python -m tests.bench.random_run --turns 5000``."""
    played = play(name, 10)
    assert played.faults == {}
    assert {f"order.{key}" for key in played.refusals} <= set(catalogue(Lang.EN)) & set(catalogue(Lang.RU))


@pytest.mark.parametrize("name", OPTION_SETS)
def test_random_events_reach_the_play(name: str) -> None:
    rng = random.Random(name)
    random_events = RandomEvents(WatchedTable(OPTION_SETS[name]), rng)
    reached: set[Phase] = set()
    for _ in range(60):
        random_events.step()
        reached.add(random_events.table.state.phase)
    assert {Phase.TO_THROW, Phase.TO_PLAY} <= reached
