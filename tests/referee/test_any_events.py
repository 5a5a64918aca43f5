"""Laws that hold whatever happens at the table, in whatever order."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.locale import Lang, catalogue
from controller.ports.entries import ENTRIES
from controller.referee.fold import replayed
from controller.referee.state import PauseReason, Phase, State
from controller.rules import Side, check_position, ruleset, varied
from tests.referee.random_events import RandomEvents
from tests.referee.tabletop import Table

pytestmark = pytest.mark.slow  # many examples

RULESETS = {
    **{
        name: ruleset(name)
        for name in (
            "short-wbgf", "short-money", "long-fnr", "long-classic", "long-club", "short-us", "hyper", "khachapuri",
            "long-treegame",
        )
    },
    "penalty points": varied(ruleset("short-wbgf"), {"flag": "penalty_points", "illegal": "condone"}),
    "what comes too early": varied(
        ruleset("short-us"), {"premature": "opponent_chooses", "early_press": "taken_back", "early_lift": "delay_lost"}
    ),
    "raccoons, the bar tapped": varied(ruleset("short-money"), {"raccoon": True, "turn_end_without_clock": "bar_tap"}),
    "sets by throw": varied(ruleset("long-fnr"), {"colour_by_throw": True, "illegal": "responsible"}),
}  # fmt: skip

seeds = st.integers(0, 2**32)


def check_checkers(state: State) -> None:
    if state.position is not None:
        check_position(state.position, state.rules.game)
    for game in (*state.finished, state.game):
        for turn in game.turns:
            check_position(turn.before, state.rules.game)
            check_position(turn.after, state.rules.game)


def check_clock(state: State) -> None:
    clock = state.clock
    if state.paused or state.phase is Phase.MATCH_OVER:
        assert clock.running is None
    if state.phase in {Phase.SETUP, Phase.OPENING, Phase.MATCH_OVER}:
        assert clock.turn is None
    if state.phase is Phase.DECIDING and clock.turn:
        assert state.paused
    if state.paused is PauseReason.PLEASE_LOOK:
        assert state.phase is Phase.DECIDING
    if clock.turn is None or state.turn is None:
        return
    offered = state.cube.answerer is state.turn.other
    over = state.pressed_at is not None or offered
    assert clock.turn is (state.turn.other if over else state.turn)


def check_phase(state: State) -> None:
    under_way = state.phase in {Phase.TO_PLAY, Phase.DECIDING}
    # An opening throw that is played waits for the sets to be exchanged where it decides about them too.
    waits = state.phase is Phase.SETUP and state.game.starter is not None
    assert (state.roll is not None) == under_way or state.phase is Phase.MATCH_OVER or waits
    if under_way or state.phase is Phase.TO_THROW:
        assert state.turn is not None
        assert state.position is not None
        assert state.light is not None
    if state.cube.offered_by is not None and state.phase is not Phase.MATCH_OVER:
        assert state.phase is Phase.TO_THROW
    if state.rules.play == "match" and max(state.score) >= state.rules.length:
        assert state.phase is Phase.MATCH_OVER


def carry_on(seed: int, steps: int) -> RandomEvents:
    rng = random.Random(seed)
    random_events = RandomEvents(Table(RULESETS[rng.choice(list(RULESETS))]), rng)
    for _ in range(steps):
        random_events.step()
        state = random_events.table.state
        check_checkers(state)
        check_clock(state)
        check_phase(state)
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


@settings(max_examples=25, deadline=None)
@given(seeds)
def test_no_clock_gains(seed: int) -> None:
    random_events = carry_on(seed, 30)
    state = random_events.table.state
    if not random_events.clocks_set:
        most = state.rules.reserve_ms() if state.rules.turn_ends_by == "clock" else 0
        assert all(state.clock.reserve(side, state.at) <= most for side in Side)


@pytest.mark.parametrize("name", RULESETS)
def test_random_events_reach_the_play(name: str) -> None:
    rng = random.Random(name)
    random_events = RandomEvents(Table(RULESETS[name]), rng)
    reached: set[Phase] = set()
    for _ in range(60):
        random_events.step()
        reached.add(random_events.table.state.phase)
    assert {Phase.TO_THROW, Phase.TO_PLAY} <= reached
