"""A press before the throw has been read: it is kept, and counts from the finger's moment once the roll is known."""

from dataclasses import replace

from controller.referee.pressing import given_back, turn_ended
from controller.referee.rulings import Judge, Ruling, ThrowOutcome, ThrowRuling
from controller.referee.sight import whole
from controller.referee.state import Phase, State
from controller.referee.throw import LOOKS_TO_RULE

Ruled = tuple[State, tuple[Ruling, ...]]

CHANGED = 12.0
"""Log-likelihood by which the position before must fit the looks worse than another: somebody has surely played. As
much as two looks weigh that agree on another count on one place."""


def counted(state: State) -> State:
    """The state with an early press taken for the end of the turn whose roll has just become known."""
    early, clock = state.sight.early_press, state.clock
    if early is None or state.phase is not Phase.TO_PLAY or state.paused:
        return state
    if clock.turn is not None and (clock.running is not state.turn or (clock.since or 0) > early):
        # Somebody has stopped or set the clock since: he has the say.
        return _forgotten(state)
    ended = turn_ended(state, early)
    return replace(ended, looks_since_press=state.sight.evidence.looks)


def unread(state: State) -> Ruled:
    """Ask about a throw that was pressed over and lifted before anybody could read it; forget a press without one."""
    if state.sight.early_press is None or state.phase is not Phase.TO_THROW or not whole(state.sight, LOOKS_TO_RULE):
        return state, ()
    if any(die.on_board for die in state.sight.dice.without(state.sight.known_dice)):
        return state, ()
    if not _played(state):
        return _forgotten(state), ()
    if state.sight.asked:
        return state, ()
    ruling = ThrowRuling(
        state.rulings + 1, state.at, state.turn, ThrowOutcome.PLEASE_LOOK, Judge.REFEREE, None, None, ()
    )
    asked = replace(state, ruling=ruling, rulings=ruling.number, sight=replace(state.sight, asked=True))
    return asked, (ruling,)


def pressed_too_early(state: State) -> bool:
    """Whether the turn that is being ruled on was ended by a press before its roll was known."""
    return state.pressed_at is not None and state.pressed_at == state.sight.early_press


def taken_back(state: State) -> State:
    """The state as if the early press had not been: nothing has been played yet."""
    back = replace(state, clock=given_back(state), pressed_at=None, clock_before_press=None, looks_since_press=0)
    return _forgotten(back)


def _forgotten(state: State) -> State:
    return replace(state, sight=replace(state.sight, early_press=None))


def _played(state: State) -> bool:
    """Whether the board surely shows another position than the one before the throw."""
    if state.turn is None or state.light is None or state.position is None:
        return False
    view, evidence = state.view(state.turn, state.light), state.sight.evidence
    likeliest = evidence.likeliest(view.checkers, view.checkers, keep=1)[0][1]
    return likeliest - evidence.log_likelihood(view.counts(state.position)) >= CHANGED
