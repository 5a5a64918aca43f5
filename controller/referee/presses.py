"""The buttons on the table. A press counts from the moment of the finger, whatever the camera still has to see."""

from dataclasses import replace

from controller.clock import Clock, Millis
from controller.referee.dice import LOOKS_TO_RULE
from controller.referee.events import LATE_MS, Button, Pressed, Scene, TurnEnd
from controller.referee.rulings import Judge, ThrowOutcome, ThrowRuling
from controller.referee.sight import whole
from controller.referee.state import PauseReason, Phase, Press, Ruled, State
from controller.rules import Side

GIVEN_BACK_MS = 3_000
"""The most that is given back to a player whose press came before the referee could see what it ended.

A hand leaves the board within a second or two of the press, and the referee needs a second for its looks. Whoever
covers the board for longer does it on their own time.
"""

BY_THE_REFEREE = {PauseReason.PLEASE_LOOK, PauseReason.EARLY_THROW, PauseReason.FALLEN_DIE}
"""Pauses that end with what the referee waits for."""

SIDES = {Button.WHITE: Side.WHITE, Button.BLACK: Side.BLACK}


def pressed(state: State, event: Pressed) -> State:
    """Take a press: the mover ends their turn, the lower opening die starts the clock, or somebody pauses.

    It counts from the moment of the finger, at most ``LATE_MS`` before the last that is known.
    """
    at = finger(state, event)
    if event.button is Button.PAUSE:
        if state.claim is not None:
            # The clocks wait for the arbiter's answer.
            return state
        return resumed(state) if state.paused else delay_claimed(paused(_contested(state), at))
    side = SIDES[event.button]
    if state.turn_end is not TurnEnd.PRESS or state.turn is None or state.phase is Phase.DECIDING:
        return state
    if state.paused is PauseReason.ORDERED and state.paused_at is not None and at < state.paused_at:
        running = replace(state, paused=None, paused_at=None, clock=state.clock.unpaused(state.paused_at))
        return paused(_pressed(running, side, at), state.paused_at)
    return _pressed(resumed(state) if state.paused is PauseReason.RESTART else state, side, at)


def finger(state: State, event: Pressed) -> Millis:
    """When the finger was on the button, at most ``LATE_MS`` before the last moment that is known."""
    return Millis(max(event.at, state.at - LATE_MS))


def _pressed(state: State, side: Side, at: Millis) -> State:
    if state.cube.offered_by is not None:
        # The offer has handed the clock over; only an answer gives it back.
        return state
    if side is not state.turn:
        return _started(state, at)
    if state.phase is Phase.TO_THROW and not state.paused:
        early = at if state.in_play.early_press is None else state.in_play.early_press
        return replace(state, in_play=replace(state.in_play, early_press=early))
    if state.phase is not Phase.TO_PLAY or state.pressed_at is not None or state.paused:
        return state
    return turn_ended(state, at)


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
        in_play=replace(
            state.in_play, press=Press(at, state.clock, early=at < state.in_play.known_at), pressed_unplayed=False
        ),
        clock=clock,
        sight=replace(state.sight, asked=False),
    )


def _started(state: State, at: Millis) -> State:
    """Start the time of the side on turn: the player with the lower opening die does that (Q11)."""
    if state.clock.turn is not None or state.turn is None or state.paused:
        return state
    return replace(state, clock=state.clock.start(state.turn, at))


def paused(state: State, at: Millis) -> State:
    """Stop both clocks at ``at`` until somebody orders otherwise, also where they stood for another reason."""
    return replace(state, paused=PauseReason.ORDERED, paused_at=at, clock=state.clock.pause(at))


def lifted_early(state: State) -> bool:
    """Whether the dice were taken off the board before the turn ended, where a press ends it (003:L21)."""
    lifted = state.in_play.lifted_looks >= LOOKS_TO_RULE and state.turn_end is TurnEnd.PRESS
    return lifted and state.phase is Phase.TO_PLAY and state.roll is not None and state.pressed_at is None


def _contested(state: State) -> State:
    """The state with the pause that comes now taken for a word about the dice: they are gone, or a hand is there."""
    may_be_gone = lifted_early(state) or state.sight.scene is not Scene.QUIET
    contests = state.phase is Phase.TO_PLAY and state.pressed_at is None and may_be_gone
    return replace(state, in_play=replace(state.in_play, contested=True)) if contests else state


def delay_claimed(state: State) -> State:
    """See whether the mover has stopped the clocks over dice that were lifted before the turn ended (WBGF 4.3).

    Nobody sees whose hand it was: who stops the clocks at the table says so. The looks may come during the pause.
    """
    if state.rules.early_lift != "delay_lost" or not state.in_play.contested or not lifted_early(state):
        return state
    return replace(state, in_play=replace(state.in_play, delay_claimed=True))


def resumed(state: State) -> State:
    """Let the clock that was running run on; an open question goes on stopping it."""
    if state.phase is Phase.DECIDING:
        return replace(state, paused=PauseReason.PLEASE_LOOK if state.clock.turn else None, paused_at=None)
    clock = state.clock.resume(state.at) if state.clock.paused else state.clock
    in_play = replace(state.in_play, contested=False)
    return replace(state, paused=None, paused_at=None, clock=clock, in_play=in_play)


def answered(state: State) -> State:
    """Let the clock run on if it was the referee's question that stopped it."""
    if state.paused not in BY_THE_REFEREE:
        return state
    clock = state.clock.resume(state.at) if state.clock.paused else state.clock
    return replace(state, paused=None, clock=clock)


def given_back(state: State) -> Clock[Side]:
    """The clock with the press undone: the mover's time runs on, the opponent has lost none.

    The mover pays for what the opponent's clock ran beyond ``GIVEN_BACK_MS``, the time that the referee needs. Where
    somebody has stopped both clocks they go on standing.
    """
    clock = state.clock
    press = state.in_play.press
    if press is not None and state.turn is not None:
        ran = clock.used(state.at) if clock.turn is state.turn.other else Millis(0)
        before = press.clock_before
        # Who pressed before anybody had started their clock began with that to have the time.
        clock = before.start(state.turn, press.at) if before.turn is None else before
        clock = clock.pause(Millis(press.at + max(0, ran - GIVEN_BACK_MS)))
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


CHANGED = 12.0
"""Log-likelihood by which the position before must fit the looks worse than another: somebody has surely played. As
much as two looks weigh that agree on another count on one place."""


def counted(state: State) -> State:
    """The state with an early press taken for the end of the turn whose roll has just become known.

    It counts at most ``GIVEN_BACK_MS`` before the first look that could show the throw: a hand stops no clock. Only
    where the camera sees no board at all, and the arbiter enters the throw, the finger alone counts.
    """
    early, clock = state.in_play.early_press, state.clock
    if early is None or state.phase is not Phase.TO_PLAY or state.paused:
        return state
    if clock.turn is not None and (clock.running is not state.turn or (clock.since or 0) > early):
        # Somebody has stopped or set the clock since: that counts.
        return _forgotten(state)
    seen_at = state.at if state.sight.first_look_at is None else state.sight.first_look_at
    at = early if state.blind else Millis(max(early, seen_at - GIVEN_BACK_MS))
    press = Press(at, state.clock, early=True, looks=state.sight.evidence.looks)
    ended = turn_ended(state, at)
    return replace(ended, in_play=replace(ended.in_play, press=press))


def unread(state: State) -> Ruled:
    """Ask about a throw that was pressed over and lifted before anybody could read it; forget a press without one."""
    if state.in_play.early_press is None or state.phase is not Phase.TO_THROW or not whole(state.sight, LOOKS_TO_RULE):
        return state, ()
    if any(die.on_board for die in state.sight.dice.without(state.sight.known_dice)):
        return state, ()
    if not played_unread(state):
        return _forgotten(state), ()
    if state.sight.asked:
        return state, ()
    ruling = ThrowRuling(
        state.rulings + 1, state.at, state.turn, ThrowOutcome.PLEASE_LOOK, Judge.REFEREE, None, None, ()
    )
    asked = replace(state, ruling=ruling, rulings=ruling.number, sight=replace(state.sight, asked=True))
    return asked, (ruling,)


def pressed_too_early(state: State) -> bool:
    """Whether the turn that is being ruled on was ended by a press that counts as none where nothing was played.

    So does one before its roll was known, and, where the rules say so, any that came by mistake (WBGF 4.3(iv)).
    """
    press = state.in_play.press
    return press is not None and (press.early or state.rules.early_press == "taken_back")


def taken_back(state: State) -> State:
    """The state as if the press had not been: nothing has been played yet, and a question about it is answered."""
    in_play = replace(state.in_play, press=None, early_press=None, pressed_unplayed=True)
    asked = state.phase is Phase.DECIDING
    return replace(
        state,
        phase=Phase.TO_PLAY,
        clock=given_back(state),
        paused=None if state.paused is PauseReason.PLEASE_LOOK else state.paused,
        ruling=None if asked else state.ruling,
        in_play=in_play,
    )


def _forgotten(state: State) -> State:
    return replace(state, in_play=replace(state.in_play, early_press=None))


def played_unread(state: State) -> bool:
    """Whether the board surely shows another position than the one before the throw."""
    if state.turn is None or state.light is None or state.position is None:
        return False
    view, evidence = state.view(state.turn, state.light), state.sight.evidence
    likeliest = evidence.likeliest(view.checkers, view.checkers, keep=1)[0][1]
    return likeliest - evidence.log_likelihood(view.counts(state.position)) >= CHANGED
