"""Every value of every option of a ruleset changes what the referee does: the same events end differently.

For each option there are scenes: a base ruleset, values of the option, and what happens at the table. The state and the
rulings afterwards have to differ for every two values.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import get_args, get_type_hints

import pytest

from controller.referee.events import DieState
from controller.referee.orders import (
    Beaver,
    Take,
)
from controller.rules import Game, Ruleset, Score, Side, allowed, ruleset, varied
from controller.rules.ruleset import OPTIONS
from tests.referee.option_scenes import (
    HEADS,
    Counts,
    Scene,
    all_of,
    cocked,
    cube_in_game,
    doubles,
    doubles_and_turns,
    flag_falls,
    illegal,
    in_the_delay,
    kestum,
    last_turn,
    lifted_early,
    lost_by,
    moved_to_the_bar,
    next_game,
    one_on_the_floor,
    opening,
    outcome,
    pressed_early,
    single_play,
    thrown,
    thrown_again,
    thrown_early,
    timed,
    turn_ended,
    two_breaks,
    undoubled_mars,
    won_at,
)

pytestmark = pytest.mark.slow  # plays a game under every value of every option

WHITE, BLACK = Side.WHITE, Side.BLACK
LONG = {"turn_end": "clock", "clock": "simple_delay", "delay_s": 12, "reserve_s_per_point": 120}
"""Turns of the long games are ended by a press here, so that scenes need no dice to be lifted."""
D_BOARD: Counts = {24: 6, 15: 3, 11: 2, 10: 1, 9: 1, 8: 1, 7: 1}
D_CLOSED: Counts = {24: 5, 23: 1, 15: 3, 11: 1, 10: 1, 9: 1, 8: 1, 7: 1, 6: 1}
D_THROUGH: Counts = {24: 9, 13: 1, 11: 1, 10: 1, 9: 1, 8: 1, 6: 1}
TWO_LEAVE = {6: {24: 13, 18: 2}, 5: {24: 13, 14: 2}, 4: {24: 13, 16: 2}, 3: {24: 13, 18: 2}}
"""By double, the board after two checkers have left the head."""


@dataclass(frozen=True)
class Trial:
    """Values of one option over a base preset, and a scene that tells them apart."""

    base: str
    scene: Scene
    values: tuple[object, ...] = ()
    """Those that the base can have; none: all that are allowed."""
    options: Mapping[str, object] | None = None
    """Other answers that the scene needs."""
    with_value: Callable[[object], Mapping[str, object]] = lambda _: {}
    """And those that a value needs."""


TRIALS: dict[str, tuple[Trial, ...]] = {
    "game": (
        Trial(
            "short-ru",
            opening(5, 3),
            options={"koks_when": "never"},
        ),
    ),
    "first_mover": (Trial("long-classic", lambda play: play.table.rest()),),
    "opening_dice": (Trial("long-fnr", opening(5, 3)),),
    "next_start": (Trial("long-classic", all_of(next_game(WHITE, 200), next_game(BLACK, 200), next_game(WHITE, 201))),),
    "colour_by_throw": (Trial("long-fnr", opening(2, 5)),),
    "head": (
        Trial("long-fnr", single_play(HEADS, HEADS, (6, 5), {24: 13, 18: 1, 19: 1}), options={"head_first": "none"}),
    ),
    "head_first": (
        Trial(
            "long-fnr",
            all_of(
                *(single_play(HEADS, {24: 14, 21: 1}, (face, face), after) for face, after in TWO_LEAVE.items()),
                single_play(HEADS, {24: 14, 21: 1}, (5, 5), TWO_LEAVE[5], second=True),
            ),
        ),
    ),
    "head_exception": (Trial("long-fnr", single_play(HEADS, HEADS, (6, 6), {24: 14, 18: 1})),),
    "block": (
        Trial(
            "long-fnr",
            all_of(
                single_play(D_BOARD, HEADS, (5, 1), D_CLOSED),
                single_play(D_BOARD, {24: 14, 17: 1}, (5, 1), D_CLOSED),
                single_play(D_BOARD, {24: 14, 5: 1}, (5, 1), D_CLOSED),
            ),
        ),
    ),
    "block_check": (Trial("long-fnr", single_play(D_THROUGH, HEADS, (6, 1), {24: 9, 11: 1, 10: 1, 9: 1, 8: 1, 6: 2})),),
    "bear_off": (Trial("long-fnr", single_play({6: 2, 3: 1}, {10: 15}, (4, 3), {6: 1, 3: 1, 2: 1})),),
    "cascade": (Trial("long-fnr", single_play({24: 1, 2: 14}, {10: 15}, (4, 4), {8: 1, 2: 14})),),
    "cascade_free_turns": (
        Trial("crazy", single_play(HEADS, HEADS, (2, 2), {24: 14, 4: 1}), values=(0, 3), options=LONG | {"length": 5}),
    ),
    "handover": (Trial("crazy", single_play(HEADS, HEADS, (2, 2), {24: 14, 4: 1}), options=LONG | {"length": 5}),),
    "score": (Trial("long-fnr", lost_by({10: 15})),),
    "oin": (Trial("long-fnr", lost_by({10: 14}), values=(1, 2)),),
    "mars": (Trial("long-fnr", lost_by({10: 15}), values=(0, 2, 3)),),
    "koks": (Trial("long-classic", lost_by({24: 1, 10: 14}), values=(2, 3), options=LONG),),
    "koks_when": (
        Trial(
            "long-classic",
            all_of(lost_by({24: 1, 10: 14}), lost_by({20: 1, 10: 14})),
            values=("first_quarter", "head", "never"),
            options=LONG,
            with_value=lambda value: {"koks": 0 if value == "never" else 3},
        ),
        Trial(
            "short-wbgf",
            lost_by({20: 1, 10: 14}),
            values=("bar_or_home", "never"),
            with_value=lambda value: {"koks": 0 if value == "never" else 3},
        ),
    ),
    "home_mars": (Trial("long-classic", lost_by({3: 15}), values=(0, 3), options=LONG),),
    "last_move": (Trial("long-fnr", last_turn),),
    "play": (
        Trial(
            "short-wbgf",
            all_of(next_game(WHITE, 200), won_at(Score(6, 0))),
            options={"crawford": False, "resign_contact": "allowed"},
        ),
    ),
    "length": (Trial("short-wbgf", won_at(Score(2, 0)), values=(3, 5), options={"resign_contact": "allowed"}),),
    "cube": (Trial("short-wbgf", doubles(Take()), options={"crawford": False}),),
    "cube_progression": (Trial("short-wbgf", doubles(Take(), Take()), options={"cube_limit": 0}),),
    "cube_limit": (Trial("short-wbgf", doubles(Take(), Take(), Take()), values=(0, 2, 4)),),
    "crawford": (Trial("short-wbgf", cube_in_game(Score(6, 0))),),
    "jacoby": (Trial("short-money", undoubled_mars, options=LONG),),
    "beaver": (Trial("short-money", doubles(Beaver())),),
    "raccoon": (Trial("short-money", doubles_and_turns),),
    "auto_double": (Trial("short-money", all_of(opening(3, 3), opening(2, 2)), values=(0, 1)),),
    "dice_area": (
        Trial(
            "short-wbgf",
            all_of(
                thrown((5, 0.2, DieState.FLAT), (3, 0.3, DieState.FLAT)),
                thrown((5, 0.2, DieState.FLAT), (3, 0.8, DieState.FLAT)),
            ),
        ),
    ),
    "on_checker": (Trial("short-wbgf", thrown((5, 0.7, DieState.FLAT), (3, 0.8, DieState.ON_CHECKER))),),
    "kestum": (Trial("long-classic", all_of(kestum(WHITE, 1), kestum(BLACK, 1))),),
    "kestum_per_turn": (Trial("long-classic", kestum(BLACK, 3), values=(1, 2)),),
    "premature": (Trial("short-us", thrown_early),),
    "premature_delay": (Trial("short-wbgf", thrown_early),),
    "fallen_dice": (Trial("short-wbgf", one_on_the_floor),),
    "opening_die": (Trial("long-fnr", moved_to_the_bar),),
    "early_lift": (Trial("short-wbgf", lifted_early),),
    "early_press": (Trial("short-wbgf", pressed_early),),
    "resign_contact": (Trial("short-wbgf", next_game(WHITE, 200)),),
    "breaks": (Trial("short-wbgf", two_breaks, values=(0, 1)),),
    "call_reroll": (Trial("short-wbgf", thrown_again),),
    "illegal": (Trial("short-wbgf", illegal),),
    "turn_end": (Trial("short-wbgf", turn_ended),),
    "turn_end_without_clock": (Trial("short-ru", turn_ended),),
    "clock": (
        Trial(
            "short-wbgf",
            all_of(timed(20, 4), in_the_delay),
            with_value=lambda value: {
                "none": {"delay_s": 0, "reserve_s_per_point": 0},
                "sudden_death": {"delay_s": 0},
                "hourglass": {"delay_s": 0},
            }.get(str(value), {}),
        ),
    ),
    "delay_s": (Trial("short-wbgf", timed(20), values=(8, 12)),),
    "reserve_s_per_point": (Trial("short-wbgf", timed(20), values=(60, 120)),),
    "reserve_s": (Trial("short-wbgf", timed(20), values=(0, 60, 120)),),
    "flag": (Trial("short-wbgf", flag_falls),),
    "cocked_clock": (Trial("short-wbgf", cocked),),
}


def values_of(option: str, trial: Trial) -> tuple[object, ...]:
    return trial.values or allowed(option)


def pairs() -> Iterator[tuple[str, int, object, object]]:
    for option, trials in TRIALS.items():
        for number, trial in enumerate(trials):
            for one, other in combinations(values_of(option, trial), 2):
                yield option, number, one, other


def rules_with(option: str, trial: Trial, value: object) -> Ruleset:
    return varied(ruleset(trial.base), {**(trial.options or {}), **trial.with_value(value), option: value})


@pytest.mark.parametrize(("option", "number", "one", "other"), list(pairs()))
def test_two_values_of_an_option_are_told_apart(option: str, number: int, one: object, other: object) -> None:
    trial = TRIALS[option][number]
    outcomes = {outcome(rules_with(option, trial, value), trial.scene) for value in (one, other)}
    assert len(outcomes) == 2, f"{option}={one!r} and {other!r} end in the same state with the same rulings"


def test_every_option_and_every_value_has_a_trial() -> None:
    assert set(TRIALS) == set(OPTIONS)
    for option, trials in TRIALS.items():
        kind = get_type_hints(Ruleset)[option]
        if kind is int:
            continue
        tried = {value for trial in trials for value in values_of(option, trial)}
        expected = set(get_args(kind)) or {True, False}
        assert tried == (expected if kind is not Game else set(allowed(option))), option
