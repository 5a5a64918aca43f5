"""Matches of random turns under every preset and some more rulesets, with everything that can go wrong in between."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count

from controller.referee.fold import replayed
from controller.rules import Ruleset, presets, ruleset, varied
from tests.referee.laws import WatchedTable
from tests.referee.random_events import RandomEvents

ODD = 0.2
"""How often something odd happens between the turns of a match."""
STEPS = 300
"""So long a match goes on at most before another begins."""

REPLAYED = 5
"""Every so many matches are folded once more from their events."""


def _hurried(clock: str, delay_s: int = 0, **options: object) -> dict[str, object]:
    """A minute for the whole match: flags fall in most of them."""
    time = {"clock": clock, "delay_s": delay_s, "reserve_s": 60, "reserve_s_per_point": 0}
    return {"turn_end": "clock", **time, **options}


VARIANTS: Mapping[str, Mapping[str, object]] = {
    "sudden death": _hurried("sudden_death"),
    "hourglass": _hurried("hourglass"),
    "fischer": _hurried("fischer", 5),
    "bronstein": _hurried("bronstein", 10),
    "bronstein with credit": _hurried("bronstein_credit", 10),
    "simple delay": _hurried("simple_delay", 8, cocked_clock="delay_restarts"),
    "points for the flag": _hurried("simple_delay", 8, flag="penalty_points", illegal="condone"),
    "void when premature": {"illegal": "responsible", "premature": "void", "premature_delay": "kept"},
    "kestum": {"kestum": "either", "kestum_per_turn": 2, "call_reroll": "opponent_agrees"},
    "bar tapped": {"turn_end": "bar_tap"},
    "dice handed over": {"turn_end": "dice_handover"},
}
BASES = ("short-wbgf", "long-fnr", "crazy")
OPTION_SETS: dict[str, Ruleset] = {
    **{name: ruleset(name) for name in presets()},
    **{f"{base}, {name}": varied(ruleset(base), options) for name, options in VARIANTS.items() for base in BASES},
    "long-fnr, sets by throw": varied(ruleset("long-fnr"), {"colour_by_throw": True}),
    "short-us, what comes too early": varied(
        ruleset("short-us"), {"premature": "opponent_chooses", "early_press": "taken_back", "early_lift": "delay_lost"}
    ),
    "short-money, raccoons, the bar tapped": varied(
        ruleset("short-money"), {"raccoon": True, "turn_end_without_clock": "bar_tap"}
    ),
    "short-money, beavers": varied(ruleset("short-money"), {"beaver": True, "auto_double": 3}),
}


@dataclass
class Played:
    """What was played of one option set."""

    turns: int = 0
    games: int = 0
    matches: int = 0
    flags: int = 0
    events: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    faults: dict[int, str] = field(default_factory=dict)
    """By the seed of the match in which a law was broken: how."""


def play(name: str, turns: int) -> Played:
    """Play at least so many turns under an option set, always the same ones."""
    played = Played()
    for seed in count():
        if played.turns >= turns:
            return played
        play_match(name, seed, played, turns - played.turns)
    return played


def play_match(name: str, seed: int, played: Played, turns: int) -> None:
    """Play one match, as far as ``STEPS`` or ``turns`` go, and add it to ``played``; a law that is broken ends it."""
    rng = random.Random(f"{name}:{seed}")
    table = WatchedTable(OPTION_SETS[name])
    happens = RandomEvents(table, rng, ODD)
    try:
        for _ in range(STEPS):
            happens.step()
            if rng.random() < 0.1:
                table.check_undo()
            if table.finished_turns >= turns or (table.state.winner is not None and rng.random() < 0.1):
                break
        if seed % REPLAYED == 0:
            assert replayed(table.events) == table.state, "a replay of the same events ends otherwise"
    except Exception as broken:  # noqa: BLE001 - whatever is raised, a match may not end by it
        last = table.events[-1]
        played.faults[seed] = f"event {len(table.events)} ({last.kind}): {type(broken).__name__}: {broken}"
    played.turns += table.finished_turns
    played.games += table.finished_games
    played.matches += 1
    played.flags += table.flags
    played.events += len(table.events)
    played.refusals.update(happens.refusals)
