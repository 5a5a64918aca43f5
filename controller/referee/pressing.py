"""The buttons on the table. A press counts from the moment of the finger, whatever the camera still has to see."""

from dataclasses import replace

from controller.referee.events import Button, Pressed, TurnEnd
from controller.referee.state import PauseReason, Phase, State
from controller.rules import Side

SIDES = {Button.WHITE: Side.WHITE, Button.BLACK: Side.BLACK}


def pressed(state: State, event: Pressed) -> State:
    """Take a press: the mover ends his turn, the lower opening die starts the clock, or somebody pauses."""
    if event.button is Button.PAUSE:
        return resumed(state) if state.paused else paused(state, PauseReason.ORDERED)
    side = SIDES[event.button]
    if state.turn_end is TurnEnd.LIFT or state.turn is None or state.phase is Phase.DECIDING:
        return state
    state = resumed(state) if state.paused is PauseReason.RESTART else state
    if side is not state.turn:
        return _started(state)
    if state.phase is not Phase.TO_PLAY or state.pressed_at is not None or state.paused:
        return state
    if state.clock.running is side:
        clock = state.clock.press(state.at)
    else:
        clock = state.clock.start(side.other, state.at) if state.clock.turn is None else state.clock
    return replace(state, pressed_at=state.at, clock_before_press=state.clock, clock=clock, looks_since_press=0)


def _started(state: State) -> State:
    """Start the time of the side on turn: the player with the lower opening die does that (Q11)."""
    if state.clock.turn is not None or state.turn is None:
        return state
    return replace(state, clock=state.clock.start(state.turn, state.at))


def paused(state: State, reason: PauseReason) -> State:
    """Stop both clocks."""
    return state if state.paused else replace(state, paused=reason, clock=state.clock.pause(state.at))


def resumed(state: State) -> State:
    """Let the clock that was running run on."""
    clock = state.clock.resume(state.at) if state.clock.paused else state.clock
    return replace(state, paused=None, clock=clock)
