"""Undo: what was done last is taken back, be it an order or a finished turn."""

from dataclasses import replace

from controller.clock import Clock, Millis
from controller.referee.corrections import undo_turn
from controller.referee.events import Ordered
from controller.referee.match_orders import swap
from controller.referee.orders import (
    Adjourn,
    AnswerClaim,
    Beaver,
    Claim,
    Correct,
    Double,
    IntroduceClock,
    Late,
    Penalise,
    SetClock,
    SetCube,
    SetLength,
    SetRoll,
    SetScore,
    SetTurn,
    Swap,
    Take,
    TakeBreak,
    VoidThrow,
    Warn,
)
from controller.referee.presses import BY_THE_REFEREE, paused, resumed
from controller.referee.state import DoneOrder, PauseReason, Phase, State
from controller.rules import Side

BESIDE_THE_PLAY = (
    SetScore | SetLength | SetClock | IntroduceClock | SetCube | Late | Penalise | Warn | Swap | TakeBreak | Adjourn
    | Claim | AnswerClaim
)  # fmt: skip
"""Orders that leave the turn under way alone: what was thrown and played since stays when they are taken back."""
IN_THE_PLAY = Correct | SetTurn | SetRoll | VoidThrow | Double | Take | Beaver
"""Orders that change the turn under way: the match goes back to before them."""


def remembered(before: State, event: Ordered, after: State) -> State:
    """The state that knows which order was carried out, so that it can be taken back.

    Pauses, answers to rulings and what has ended a game are taken back otherwise.
    """
    order = event.order
    ended = after.phase is Phase.MATCH_OVER is not before.phase or len(after.finished) > len(before.finished)
    if ended or not isinstance(order, BESIDE_THE_PLAY | IN_THE_PLAY):
        return after
    return replace(after, done=DoneOrder(order, after.at, before, after.rulings))


def take_back(state: State) -> State:
    """Take back the last order since a turn ended, else that turn.

    Raises OrderRefusedError when there is nothing of that.
    """
    done = state.done
    if done is None:
        return undo_turn(state)
    if done.before.phase is Phase.MATCH_OVER or isinstance(done.order, IN_THE_PLAY):
        return _as_before(state, done)
    return _beside_the_play(state, done)


def _as_before(state: State, done: DoneOrder) -> State:
    """The state before the order, with what was learnt since: rulings, devices, what the sensors show."""
    before = done.before
    unruled = state.rulings == done.rulings
    phase = Phase.TO_PLAY if before.phase is Phase.DECIDING and not unruled else before.phase
    since = phase is not Phase.MATCH_OVER and state.paused not in {None, *BY_THE_REFEREE}
    halted = state.paused if since else before.paused
    clock = _clock_before(state, done)
    return replace(
        before,
        at=state.at,
        phase=phase,
        paused=halted,
        paused_at=state.paused_at if halted is state.paused else before.paused_at,
        clock=clock.pause(state.at) if halted else clock,
        ruling=before.ruling if unruled or phase is not Phase.DECIDING else None,
        rulings=state.rulings,
        devices=state.devices,
        doubted=state.doubted,
        board_checked=state.board_checked,
        die_px=state.die_px,
        sight=replace(
            state.sight,
            known_dice=before.sight.known_dice,
            thrown=before.sight.thrown,
            asked=before.sight.asked,
        ),
    )


def _clock_before(state: State, done: DoneOrder) -> Clock[Side]:
    """The clock of before. Whose time has run ever since pays for it; else nobody pays for a mistaken order."""
    clock = done.before.clock
    if clock.running is None or clock.running is state.clock.running:
        return clock
    return clock.pause(done.at).resume(state.at)


def _beside_the_play(state: State, done: DoneOrder) -> State:
    """The state without what the order has changed."""
    before = done.before
    state = replace(state, done=before.done)
    match done.order:
        case SetScore() | Late() | Penalise():
            game = replace(state.game, score=before.game.score, penalty=before.game.penalty)
            return replace(state, score=before.score, game=game)
        case SetLength():
            return replace(state, rules=before.rules)
        case SetClock() as order:
            return replace(state, clock=_unset(state, order, done))
        case IntroduceClock():
            return replace(state, rules=before.rules, clock=before.clock, turn_end=before.turn_end)
        case SetCube():
            return replace(state, cube=before.cube)
        case Warn():
            return replace(state, warnings=before.warnings)
        case Swap() as order:
            return replace(swap(state, order), ended=before.ended)
        case TakeBreak() | Adjourn() | Claim() | AnswerClaim():
            return _halted_as(replace(state, breaks=before.breaks, claim=before.claim), before)
        case _:
            return state


def _unset(state: State, order: SetClock, done: DoneOrder) -> Clock[Side]:
    """The clock with the reserves that would be left if they had not been set."""
    clock = state.clock
    for side, set_ms in ((Side.WHITE, order.white_ms), (Side.BLACK, order.black_ms)):
        if set_ms is not None:
            gained = set_ms - done.before.clock.reserve(side, done.at)
            clock = clock.with_reserve(side, Millis(max(0, clock.reserve(side, state.at) - gained)), state.at)
    return clock


def _halted_as(state: State, before: State) -> State:
    """The state with its clocks stopped for the reason of before, or running as then; another pause since stays."""
    if state.paused is before.paused or state.paused in {PauseReason.ORDERED, PauseReason.RESTART}:
        return state
    if before.paused in {None, *BY_THE_REFEREE}:
        in_play = before.in_play if state.paused is PauseReason.ADJOURNED else state.in_play
        return resumed(replace(state, in_play=in_play))
    return replace(paused(state, state.at), paused=before.paused, paused_at=before.paused_at)
