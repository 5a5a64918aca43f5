"""The buttons on the table. A press counts from the moment of the finger, whatever the camera still has to see."""

from dataclasses import replace

from controller.clock import Clock, Millis
from controller.referee.events import Button, Pressed, TurnEnd
from controller.referee.state import PauseReason, Phase, State
from controller.rules import Side

SIDES = {Button.WHITE: Side.WHITE, Button.BLACK: Side.BLACK}


def pressed(state: State, event: Pressed) -> State:
    """Take a press: the mover ends his turn, the lower opening die starts the clock, or somebody pauses."""
    if event.button is Button.PAUSE:
        return resumed(state) if state.paused else paused(state)
    side = SIDES[event.button]
    if state.turn_end is TurnEnd.LIFT or state.turn is None or state.phase is Phase.DECIDING:
        return state
    state = resumed(state) if state.paused is PauseReason.RESTART else state
    if side is not state.turn:
        return _started(state)
    if state.phase is Phase.TO_THROW and not state.paused:
        early = state.at if state.sight.early_press is None else state.sight.early_press
        return replace(state, sight=replace(state.sight, early_press=early))
    if state.phase is not Phase.TO_PLAY or state.pressed_at is not None or state.paused:
        return state
    return turn_ended(state, state.at)


def turn_ended(state: State, at: Millis) -> State:
    """The state after the side on turn, which has a roll to play, has pressed at ``at``."""
    side = state.turn
    if side is None:
        return state
    if state.clock.running is side:
        clock = state.clock.press(at)
    else:
        clock = state.clock.start(side.other, at) if state.clock.turn is None else state.clock
    return replace(
        state,
        pressed_at=at,
        clock_before_press=state.clock,
        clock=clock,
        looks_since_press=0,
        sight=replace(state.sight, asked=False),
    )


def _started(state: State) -> State:
    """Start the time of the side on turn: the player with the lower opening die does that (Q11)."""
    if state.clock.turn is not None or state.turn is None or state.paused:
        return state
    return replace(state, clock=state.clock.start(state.turn, state.at))


def paused(state: State) -> State:
    """Stop both clocks until somebody says otherwise, also where they stood for another reason."""
    return replace(state, paused=PauseReason.ORDERED, clock=state.clock.pause(state.at))


def resumed(state: State) -> State:
    """Let the clock that was running run on; an open question goes on stopping it."""
    if state.phase is Phase.DECIDING:
        return replace(state, paused=PauseReason.PLEASE_LOOK if state.clock.turn else None)
    clock = state.clock.resume(state.at) if state.clock.paused else state.clock
    return replace(state, paused=None, clock=clock)


def answered(state: State) -> State:
    """Let the clock run on if it was the referee's question that stopped it."""
    if state.paused is not PauseReason.PLEASE_LOOK:
        return state
    clock = state.clock.resume(state.at) if state.clock.paused else state.clock
    return replace(state, paused=None, clock=clock)


def given_back(state: State) -> Clock[Side]:
    """The clock with the press undone: the mover's time runs on, the opponent has lost none.

    Where somebody has stopped both clocks they go on standing.
    """
    clock = state.clock
    if state.clock_before_press is not None and state.pressed_at is not None and state.turn is not None:
        clock = state.clock_before_press.pause(state.pressed_at)
        clock = clock.start(state.turn, state.at) if clock.turn is None else clock
    if state.paused not in {None, PauseReason.PLEASE_LOOK}:
        return clock.pause(state.at)
    return clock.resume(state.at) if clock.paused else clock


def handed_to(clock: Clock[Side], side: Side, now: Millis) -> Clock[Side]:
    """The clock with a turn of ``side`` on it, as if the other had pressed; a clock that stood stands."""
    if clock.turn is None or clock.turn is side:
        return clock
    return clock.press(now) if clock.running else given_to(clock, side, now)


def given_to(clock: Clock[Side], side: Side, now: Millis) -> Clock[Side]:
    """The clock with a new turn of ``side`` on it, whoever's it timed; a clock that stood stands."""
    if clock.turn is None:
        return clock
    given = clock.stopped(now).start(side, now)
    return given if clock.running else given.pause(now)
