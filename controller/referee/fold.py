"""The turn machine: (state, event) -> (state, rulings). It touches no device, no file and no wall clock.

So any ruling can be replayed from the journal, and a crash is a replay.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from controller.clock import Clock, Millis, control_of
from controller.fusion.evidence import Evidence
from controller.referee.calling import called_by_button, rolled_out, with_glimpse
from controller.referee.cube_watch import after_look
from controller.referee.early_press import unread
from controller.referee.events import (
    BoardChecked,
    DeviceChanged,
    Event,
    Glimpsed,
    Looked,
    MatchOpened,
    Ordered,
    Pressed,
    ReedsChanged,
    Restarted,
    SceneChanged,
    SlotDoubted,
    Ticked,
    TurnEnd,
)
from controller.referee.games import crawford_game
from controller.referee.ordering import ordered
from controller.referee.orders import OrderRefusedError, Undo
from controller.referee.playing import rule_on_play, watch_play
from controller.referee.pressing import pressed
from controller.referee.rethrowing import watch_rethrow
from controller.referee.rulings import Ruling
from controller.referee.setting_up import check_setup
from controller.referee.sight import notice_idle_dice, with_doubt, with_look, with_reeds, with_scene
from controller.referee.state import PauseReason, Phase, Sight, State
from controller.referee.throwing import watch_throw
from controller.referee.touch import nothing_tells, rule_by_touch, with_device
from controller.rules import Side

Folded = tuple[State, tuple[Ruling, ...]]

AFTER_THE_MATCH = MatchOpened | Restarted | DeviceChanged | BoardChecked
"""Events that still mean something when the match is over."""


def open_match(event: MatchOpened) -> State:
    """The state with which a match begins."""
    rules = event.rules
    # Without a button to press nobody's time can be charged.
    control = control_of(rules.clock if event.turn_end is TurnEnd.PRESS else "none", rules.delay_s)
    clock = Clock.fresh(control, (Side.WHITE, Side.BLACK), Millis(rules.reserve_ms()))
    return State(event.at, event.ruleset, rules, event.white, event.black, clock, turn_end=event.turn_end)


def fold(state: State, event: Event) -> Folded:
    """Take one event.

    Raises OrderRefusedError for an order that means nothing now; the state is then unchanged.
    """
    taken_back = isinstance(event, Ordered) and isinstance(event.order, Undo) and state.ended is not None
    if state.phase is Phase.MATCH_OVER and not taken_back and not isinstance(event, AFTER_THE_MATCH):
        return _afterwards(state, event)
    if not isinstance(event, Restarted):
        state = replace(state, at=max(state.at, event.at))
    match event:
        case MatchOpened():
            return open_match(event), ()
        case Looked():
            return _look(_with_cube(with_look(state, event), event))
        case Glimpsed():
            return with_glimpse(state, event), ()
        case SceneChanged():
            return with_scene(state, event), ()
        case ReedsChanged():
            return with_reeds(state, event), ()
        case Pressed():
            called = called_by_button(state, event)
            return called or (pressed(state, event), ())
        case Ordered(order=order):
            return ordered(state, order)
        case Ticked():
            return _tick(state)
        case Restarted(at=at):
            return _restart(state, at), ()
        case DeviceChanged():
            return with_device(state, event), ()
        case SlotDoubted():
            return with_doubt(state, event), ()
        case BoardChecked():
            return replace(state, board_checked=event), ()
        case _ as never:
            assert_never(never)


def _afterwards(state: State, event: Event) -> Folded:
    """Nothing that happens on the table after the last game changes the match, and no order but to take it back."""
    if isinstance(event, Ordered):
        why = "match_is_over"
        raise OrderRefusedError(why)
    return state, ()


def replayed(events: Iterable[Event]) -> State:
    """Fold a whole journal; the first event opens the match.

    Raises ValueError when it does not.
    """
    remaining = iter(events)
    first = next(remaining, None)
    if not isinstance(first, MatchOpened):
        msg = f"a journal begins with match_opened, got {first.kind if first else 'no event at all'}"
        raise ValueError(msg)  # noqa: TRY004 - the journal's content is wrong, not the caller's type
    state = open_match(first)
    for event in remaining:
        state, _ = fold(state, event)
    return state


def _with_cube(state: State, event: Looked) -> State:
    """See whether the doubling cube is as it is in the match, while it can be turned and no double waits."""
    if state.phase is Phase.DECIDING:
        # What is decided is a play or a throw: the cube stays as doubtful as it was.
        return state
    played = state.rules.cube and state.phase in {Phase.OPENING, Phase.TO_THROW, Phase.TO_PLAY}
    doubt = None
    if played and state.cube.offered_by is None and not crawford_game(state):
        doubt = after_look(state.sight.cube_doubt, event.cube, state.cube, state.rules, event.at)
    if doubt == state.sight.cube_doubt:
        return state
    return replace(state, sight=replace(state.sight, cube_doubt=doubt))


def _look(state: State) -> Folded:
    """What a quiet look means depends on what the referee waits for."""
    if state.phase is Phase.SETUP:
        return check_setup(state), ()
    rulings: tuple[Ruling, ...] = ()
    if state.phase in {Phase.TO_PLAY, Phase.DECIDING}:
        state, rulings = watch_rethrow(state)
        if not rulings:
            state, rulings = watch_play(state)
    # Dice mean nothing while a double waits for its answer.
    if state.phase in {Phase.OPENING, Phase.TO_THROW} and state.cube.offered_by is None:
        voided = rolled_out(state)
        state, thrown = (voided, ()) if voided else watch_throw(state)
        if not thrown:
            state, thrown = unread(state)
        rulings = (*rulings, *thrown)
    return notice_idle_dice(state), rulings


def _tick(state: State) -> Folded:
    """See whether a flag has fallen (Q16), or a pressed turn has not been seen for too long."""
    # A finger that was in time holds the flag until its throw is known.
    fallen = state.clock.flag(state.sight.early_press or state.at)
    if fallen is not None and state.rules.flag == "match_lost":
        stopped = state.clock.stopped(state.at)
        return replace(state, phase=Phase.MATCH_OVER, winner=fallen.other, clock=stopped, paused=None), ()
    state, felt = rule_by_touch(state)
    if felt:
        return state, felt
    return rule_on_play(state, Evidence(), patient=False) if nothing_tells(state) else (state, ())


def _restart(state: State, at: Millis) -> State:
    """Come back after a crash: same turn, same roll, clocks standing as they were last known."""
    timed = state.clock.turn is not None
    pressed_at = state.at if state.pressed_at is None else state.pressed_at
    return replace(
        state,
        at=at,
        clock=state.clock.rebased(state.at, at),
        clock_before_press=state.clock_before_press.rebased(pressed_at, at) if state.clock_before_press else None,
        pressed_at=at if state.pressed_at is not None else None,
        looks_since_press=0,
        lifted_looks=0,
        devices=(),
        doubted=(),
        paused=state.paused or (PauseReason.RESTART if timed else None),
        sight=Sight(
            known_dice=state.sight.known_dice,
            fixtures=state.sight.fixtures,
            thrown=state.sight.thrown,
            pairs=state.sight.pairs,
        ),
        board_checked=None,
    )
