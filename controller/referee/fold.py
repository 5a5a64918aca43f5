"""The turn machine: (state, event) -> (state, rulings). It touches no device, no file and no wall clock.

So any ruling can be replayed from the journal, and a crash is a replay. Every event and every order of the arbiter has
its arm here; what it does stands in the room that the arm calls.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from controller.clock import Clock, Millis, control_of
from controller.fusion.evidence import Evidence
from controller.referee.corrections import confirm, correct, overrule, set_roll, set_turn, void_throw
from controller.referee.cube import answer_cube, offer_cube, set_cube, watch_cube
from controller.referee.events import (
    BoardChecked,
    DeviceChanged,
    Event,
    Looked,
    MatchOpened,
    Ordered,
    Pressed,
    ReedsChanged,
    Restarted,
    RollingDice,
    SceneChanged,
    SlotDoubted,
    Ticked,
    TurnEnd,
)
from controller.referee.flags import afterwards, heard_late, reopened, watch_flag
from controller.referee.games import begin_as_it_lies, check_setup, passed_without_throw
from controller.referee.kestum import call_kestum, called_by_button, rolled_out, with_rolling_dice
from controller.referee.match_orders import ordered_of_match, taken_up
from controller.referee.misplaced import watch_checkers
from controller.referee.orders import (
    AnswerClaim,
    AwardGame,
    AwardMatch,
    Beaver,
    CallKestum,
    Claim,
    Confirm,
    Correct,
    Double,
    Draw,
    Late,
    Order,
    OrderOfMatch,
    OrderRefusedError,
    Pass,
    Pause,
    Penalise,
    Refuse,
    Resign,
    Resume,
    SetClock,
    SetCube,
    SetLength,
    SetRoll,
    SetScore,
    SetTurn,
    Start,
    Swap,
    Take,
    Undo,
    VoidThrow,
    Warn,
)
from controller.referee.plays import (
    closed_by_double,
    ended_by_next_throw,
    rule_by_reeds,
    rule_on_play,
    waited_too_long,
    watch_play,
)
from controller.referee.presses import delay_claimed, paused, pressed, resumed, unread
from controller.referee.resigning import resign, unless_repeated
from controller.referee.rulings import Ruling
from controller.referee.sight import notice_idle_dice, with_device, with_doubt, with_look, with_reeds, with_scene
from controller.referee.state import DoneOrder, PauseReason, Phase, Ruled, State
from controller.referee.taking_back import remembered, take_back
from controller.referee.throws import watch_rethrow, watch_throw
from controller.rules import Side

AFTER_THE_MATCH = MatchOpened | Restarted | DeviceChanged | BoardChecked
"""Events that still mean something when the match is over."""


OF_A_MATCH_UNDER_WAY = Looked | RollingDice | Pressed | Ticked
"""Events that mean nothing while the match is adjourned: others may use the board."""


SHOWS_CHECKERS = Looked | Ordered
"""Events after which the checkers may be seen to stand otherwise than in the match."""


def open_match(event: MatchOpened) -> State:
    """The state with which a match begins."""
    rules = event.rules
    # Without a button to press nobody's time can be charged, and a tap on the bar measures none.
    timed = event.turn_end is TurnEnd.PRESS and rules.turn_end == "clock"
    control = control_of(rules.clock if timed else "none", rules.delay_s)
    clock = Clock.fresh(control, (Side.WHITE, Side.BLACK), Millis(rules.reserve_ms()))
    return State(
        event.at, event.ruleset, rules, event.white, event.black, clock, turn_end=event.turn_end, seed=event.seed
    )


def fold(state: State, event: Event) -> Ruled:
    """Take one event.

    Raises OrderRefusedError for an order that means nothing now; the state is then unchanged.
    """
    if state.paused is PauseReason.ADJOURNED and isinstance(event, OF_A_MATCH_UNDER_WAY):
        return state, ()
    before = state
    if state.phase is Phase.MATCH_OVER and not isinstance(event, AFTER_THE_MATCH):
        again = reopened(state, event.order) if isinstance(event, Ordered) else heard_late(state, event)
        if again is None:
            return afterwards(state, event), ()
        state = again
    if not isinstance(event, Restarted):
        state = replace(state, at=max(state.at, event.at))
    state, rulings = _after(state, event)
    if isinstance(event, Ordered):
        state = remembered(before, event, state)
    return (watch_checkers(state, event) if isinstance(event, SHOWS_CHECKERS) else state), rulings


def _after(state: State, event: Event) -> Ruled:
    match event:
        case MatchOpened():
            return open_match(event), ()
        case Looked():
            return _look(watch_cube(delay_claimed(with_look(state, event)), event))
        case RollingDice():
            return with_rolling_dice(state, event), ()
        case SceneChanged():
            return with_scene(state, event), ()
        case ReedsChanged():
            return with_reeds(state, event), ()
        case Pressed():
            called = called_by_button(state, event)
            return called or (passed_without_throw(state, event) or pressed(state, event), ())
        case Ordered(order=order, note=note):
            return ordered(unless_repeated(state, order), order, note)
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


def _look(state: State) -> Ruled:
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


def _tick(state: State) -> Ruled:
    """See whether a flag has fallen (Q16), or a pressed turn has not been seen for too long."""
    state = watch_flag(state)
    if state.phase is Phase.MATCH_OVER:
        return state, ()
    state, felt = rule_by_reeds(state)
    if felt:
        return state, felt
    return rule_on_play(state, Evidence(), patient=False) if waited_too_long(state) else (state, ())


def _restart(state: State, at: Millis) -> State:
    """Come back after a crash: same turn, same roll, clocks standing as they were last known."""
    timed = state.clock.turn is not None
    press = state.in_play.press
    if press is not None:
        press = replace(press, at=at, clock_before=press.clock_before.rebased(press.at, at))
    return replace(
        state,
        at=at,
        clock=state.clock.rebased(state.at, at),
        in_play=replace(state.in_play, known_at=at, press=press, early_press=None).unseen(),
        devices=(),
        doubted=(),
        paused_at=None,
        flag=replace(state.flag, at_ms=Millis(state.flag.at_ms + at - state.at)) if state.flag else None,
        ended=_restart(state.ended, at) if state.ended else None,
        paused=state.paused or (PauseReason.RESTART if timed else None),
        sight=state.sight.forgotten(),
        done=_done_before(state.done, state.at, at) if state.done else None,
        board_checked=None,
    )


def _done_before(done: DoneOrder, old: Millis, now: Millis) -> DoneOrder:
    """An order that was carried out before a restart, in the new count of time."""
    return replace(done, at=Millis(done.at + now - old), before=_restart(done.before, now))


NEED_A_REASON = AwardGame | AwardMatch | Draw | Warn | Penalise
"""Orders that the record keeps only with a reason."""
WHILE_ADJOURNED = (
    Resume | Undo | SetClock | SetScore | SetLength | Late | Penalise | Warn | AwardGame | AwardMatch | Swap
    | Claim | AnswerClaim
)  # fmt: skip
"""Orders that may be given while the match is put aside."""


def _check(state: State, order: Order, note: str) -> None:
    """Raise OrderRefusedError for an order that lacks its reason, or has to wait for another one."""
    why = None
    if isinstance(order, NEED_A_REASON) and not note.strip():
        why = "say_why"
    elif state.paused is PauseReason.ADJOURNED and not isinstance(order, WHILE_ADJOURNED):
        why = "adjourned"
    elif isinstance(order, Resume) and state.claim is not None:
        why = "answer_the_claim"
    if why:
        raise OrderRefusedError(why)


def ordered(state: State, order: Order, note: str = "") -> Ruled:
    """Carry an order out; ``note`` is the reason that was given for it.

    Raises OrderRefusedError, whose argument is the key of the reason in the text catalogue.
    """
    _check(state, order, note)
    if isinstance(order, OrderOfMatch):
        return ordered_of_match(state, order), ()
    match order:
        case Confirm():
            return confirm(state, order)
        case Start():
            _need(state, (Phase.SETUP,), "game_has_begun")
            return begin_as_it_lies(state), ()
        case Undo():
            return take_back(state), ()
        case Refuse():
            return overrule(state, order)
        case Correct():
            return correct(state, order), ()
        case SetRoll():
            state, played = ended_by_next_throw(state)
            state, thrown = set_roll(state, order)
            return state, (*played, *thrown)
        case VoidThrow():
            return void_throw(state)
        case CallKestum(side=side):
            return call_kestum(state, side)
        case Pause():
            return paused(state, state.at), ()
        case Resume():
            if state.paused is PauseReason.PLEASE_LOOK:
                why = "question_is_open"
                raise OrderRefusedError(why)
            return (taken_up(state) if state.paused is PauseReason.ADJOURNED else resumed(state)), ()
        case Resign():
            return resign(state, order), ()
        case Double(side=side):
            state, played = closed_by_double(state, side)
            return offer_cube(state, side), played
        case Take() | Beaver() | Pass():
            return answer_cube(state, order), ()
        case SetTurn():
            return set_turn(state, order), ()
        case SetCube():
            return set_cube(state, order), ()
        case _ as never:
            assert_never(never)


def _need(state: State, phases: tuple[Phase, ...], why: str) -> None:
    if state.phase not in phases:
        raise OrderRefusedError(why)
