"""Before the first throw: whether the start position is on the board, and who plays which colour."""

from dataclasses import replace
from math import exp

from controller.fusion.evidence import Evidence
from controller.referee.games import begin_game
from controller.referee.sight import whole
from controller.referee.state import State
from controller.referee.throw import SURE
from controller.rules import Side, start

LOOKS_TO_START = 2
LOG_SETUP_PRIOR = 7.0
"""A board that nearly shows the start position shows it: about a thousand to one against any other single position."""


def check_setup(state: State) -> State:
    """Begin the game when the start position is seen; else say which places differ from it."""
    if not whole(state.sight, LOOKS_TO_START):
        return state
    evidence = state.sight.evidence
    light, weight = max(((side, _start_weight(state, evidence, side)) for side in _colours(state)), key=lambda p: p[1])
    if weight >= SURE:
        return begin_game(replace(state, light=light, setup_faults=()))
    return replace(state, setup_faults=_differences(state, evidence, light))


def _colours(state: State) -> tuple[Side, ...]:
    """Who may play the lighter set: known from the first game on, unless colours change from game to game."""
    settled = state.light is not None and state.rules.next_start != "swap_black"
    return (state.light,) if settled and state.light else (Side.WHITE, Side.BLACK)


def _start_weight(state: State, evidence: Evidence, light: Side) -> float:
    """Probability of the start position with ``light`` playing the lighter set."""
    view = state.view(Side.WHITE, light)
    expected = view.counts(start(state.rules.game))
    here = evidence.log_likelihood(expected) + LOG_SETUP_PRIOR
    others = [w for counts, w in evidence.likeliest(view.checkers, view.checkers) if counts != expected]
    best = max(here, *others) if others else here
    return exp(here - best) / (exp(here - best) + sum(exp(w - best) for w in others))


def _differences(state: State, evidence: Evidence, light: Side) -> tuple[tuple[int, int, int], ...]:
    """Return (row, seen, expected) in White's signs for each place that differs."""
    view = state.view(Side.WHITE, light)
    expected = view.counts(start(state.rules.game)).rows()
    seen = evidence.likeliest(view.checkers, view.checkers, keep=1)[0][0].rows()
    sign = 1 if light is Side.WHITE else -1
    return tuple(
        (row, sign * got, sign * want)
        for row, (got, want) in enumerate(zip(seen, expected, strict=True))
        if got != want
    )
