"""A flag that falls ends the match, and what may still show that it fell too late: a press in time, a game won before.

Also how the arbiter takes the end of a match back.
"""

from dataclasses import replace

from controller.clock import EXTRA_RESERVE_MS, FlagFall, Millis, flag_points
from controller.referee.events import LATE_MS, Event, Pressed
from controller.referee.games import awarded, match_ended, next_game
from controller.referee.orders import (
    AnswerClaim,
    Claim,
    Correct,
    Order,
    OrderRefusedError,
    Resume,
    SetClock,
    SetLength,
    SetScore,
    Undo,
)
from controller.referee.plays import won_in_view
from controller.referee.presses import GIVEN_BACK_MS, SIDES, given_to
from controller.referee.state import PauseReason, Phase, State, TurnInPlay
from controller.rules import Ruleset, Score, Side, match_over


def watch_flag(state: State) -> State:
    """End the match when a flag has fallen (Q16); of two flags the one that fell first counts.

    A game that was won before waits for the looks that show it, at most as long as a press may be late.
    """
    early = state.in_play.early_press
    # A finger that was in time holds the flag until its throw is known, as long as time is given back for it.
    now = state.at
    if early is not None:
        now = early if state.blind else Millis(max(early, state.at - GIVEN_BACK_MS))
    flags = state.clock.flags(now)
    if not flags:
        return state
    fall = flags[0]
    still_open = state.at < fall.at_ms + LATE_MS
    match state.rules.flag:
        case "match_lost" if still_open and won_in_view(state, fall.at_ms):
            return state
        case "match_lost":
            return replace(match_ended(state, fall.side.other, state), flag=fall)
        case "penalty_points":
            # Points are not taken back by a press that is heard late: they wait for it.
            return state if still_open else _penalised(state, fall)


def _penalised(state: State, fall: FlagFall[Side]) -> State:
    """The opponent has points; the side whose flag fell plays on with five minutes more."""
    side = fall.side
    over_ms = state.at - fall.at_ms if state.clock.running is side else 0
    left = Millis(max(0, EXTRA_RESERVE_MS - over_ms))
    points = flag_points(state.fallen_flags.count(side))
    clock = state.clock.with_reserve(side, left, state.at)
    # What was ordered before a flag has cost points is not taken back any more.
    state = replace(state, clock=clock, fallen_flags=(*state.fallen_flags, side), done=None)
    return awarded(state, side.other, points)


def heard_late(state: State, event: Event) -> State | None:
    """The match as it was before a flag fell, when ``event`` is that side's press from before; None when it is not.

    Only a press that is heard at most ``LATE_MS`` late counts; what comes later the arbiter has to judge.
    """
    fall, before = state.flag, state.ended
    if fall is None or before is None or not isinstance(event, Pressed):
        return None
    in_time = event.at < fall.at_ms and state.at - event.at <= LATE_MS
    # After a restart the clock of before stands, and what was pressed before it is not heard any more.
    if not in_time or before.clock.running is None or SIDES.get(event.button) is not fall.side:
        return None
    return _as_before(state, before)


def afterwards(state: State, event: Event) -> State:
    """The state after something happened at the table of a match that is over: only time passes, while it matters."""
    return replace(state, at=max(state.at, event.at)) if state.may_be_reopened else state


def taken_up_again(state: State) -> State:
    """The game or match that has just ended as if it had not; the clock stands until somebody lets it run.

    Raises OrderRefusedError when nothing has ended that can be taken back.
    """
    ended = state.ended
    if ended is None:
        why = "nothing_to_undo"
        raise OrderRefusedError(why)
    clock = ended.clock.pause(ended.at)
    if _game_ended(state, ended) and ended.in_play.press is not None and ended.turn is not None:
        clock = given_to(clock, ended.turn, ended.at)
    # After a game the dice are elsewhere and the press has been ruled on; after a flag all is as it was.
    fresh = TurnInPlay(
        ended.roll,
        ended.in_play.known_at,
        refused=ended.in_play.refused,
        voids=ended.in_play.voids,
        rest=ended.in_play.rest,
        beside=ended.in_play.beside,
    )
    return replace(
        _as_before(state, ended),
        phase=Phase.TO_PLAY if ended.phase is Phase.DECIDING else ended.phase,
        in_play=fresh if _game_ended(state, ended) else ended.in_play.unseen(),
        clock=clock,
        paused=PauseReason.ORDERED if clock.turn is not None else None,
        paused_at=state.at if clock.turn is not None else None,
    )


def _game_ended(state: State, ended: State) -> bool:
    """Whether it was a game that ended, and the match with it or not; else the match ended in the middle of one."""
    return len(state.finished) > len(ended.finished)


def _as_before(state: State, ended: State) -> State:
    """The state that has ended, with what was learnt since: rulings, devices, what the sensors show."""
    return replace(
        ended,
        at=state.at,
        ruling=state.ruling,
        rulings=state.rulings,
        devices=state.devices,
        doubted=state.doubted,
        board_checked=state.board_checked,
        die_px=state.die_px,
        sight=state.sight,
        setup_faults=(),
        ended=ended.ended,
        flag=None,
    )


def _played_on(state: State, rules: Ruleset, score: Score) -> State:
    """The match as it goes on where ``score`` does not win it by ``rules``."""
    if state.flag is not None or state.ended is None or match_over(rules, score):
        return state
    # The last game stays played; it was not the last one of the match.
    return next_game(state) if _game_ended(state, state.ended) else taken_up_again(state)


def reopened(state: State, order: Order) -> State:
    """The match that is over as ``order`` takes it up again, before the order itself is carried out.

    Raises OrderRefusedError, with what to do instead, for orders that mean nothing then.
    """
    match order:
        case Undo() | Claim() | AnswerClaim():
            return state
        case SetScore(score=score):
            return _played_on(state, state.rules, score)
        case SetLength(points=points) if points > max(state.score):
            again = _played_on(state, replace(state.rules, length=points), state.score)
            # Points that have won the match too early stay won.
            return replace(again, score=state.score, game=replace(again.game, penalty=state.game.penalty))
        case SetClock() | Correct():
            return taken_up_again(state)
        case Resume() if state.flag is not None:
            why = "flag_is_down"
            raise OrderRefusedError(why)
        case _:
            why = "match_is_over"
            raise OrderRefusedError(why)
