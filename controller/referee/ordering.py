"""The arbiter's orders. Each is possible only where it means something; elsewhere it is refused with the reason."""

from dataclasses import replace
from typing import assert_never

from controller.referee.answering import confirm, overrule
from controller.referee.calling import call_kestum
from controller.referee.correcting import correct, set_roll, undo, void_throw
from controller.referee.games import begin_game, crawford_game, finish_game
from controller.referee.orders import (
    Begin,
    CallKestum,
    Confirm,
    Correct,
    Double,
    Drop,
    Order,
    OrderRefusedError,
    Pause,
    Refuse,
    Resign,
    Resume,
    SetClock,
    SetRoll,
    SetScore,
    Take,
    Undo,
    VoidThrow,
)
from controller.referee.pressing import paused, resumed
from controller.referee.rulings import Ruling
from controller.referee.state import CubeTurned, PauseReason, Phase, State
from controller.referee.touch import ended_by_next_throw
from controller.rules import Cube, Kind, Side, drop, offer, offer_refusal, passed, raised, resignation, take

Ruled = tuple[State, tuple[Ruling, ...]]


def ordered(state: State, order: Order) -> Ruled:
    """Carry an order out.

    Raises OrderRefusedError, whose argument is the key of the reason in the text catalogue.
    """
    match order:
        case Confirm():
            return confirm(state, order)
        case Begin():
            _need(state, (Phase.SETUP,), "game_has_begun")
            return begin_game(replace(state, light=state.light or Side.WHITE, setup_faults=())), ()
        case Undo():
            return undo(state), ()
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
            return paused(state), ()
        case Resume():
            if state.paused is PauseReason.PLEASE_LOOK:
                why = "question_is_open"
                raise OrderRefusedError(why)
            return resumed(state), ()
        case SetClock():
            return _set_clock(state, order), ()
        case SetScore():
            return _set_score(state, order), ()
        case Resign():
            return _resign(state, order), ()
        case Double(side=side):
            return _offer(state, side), ()
        case Take() | Drop():
            return _answer(state, order), ()
        case _ as never:
            assert_never(never)


def _need(state: State, phases: tuple[Phase, ...], why: str) -> None:
    if state.phase not in phases:
        raise OrderRefusedError(why)


def _set_clock(state: State, order: SetClock) -> State:
    if min(order.white_ms, order.black_ms) < 0:
        why = "no_such_time"
        raise OrderRefusedError(why)
    clock = state.clock.with_reserve(Side.WHITE, order.white_ms, state.at)
    return replace(state, clock=clock.with_reserve(Side.BLACK, order.black_ms, state.at))


def _set_score(state: State, order: SetScore) -> State:
    """Set the points of a match that goes on: games and resignations end it, not a slip of the finger."""
    too_many = state.rules.play == "match" and max(order.white, order.black) >= state.rules.length
    if too_many or min(order.white, order.black) < 0:
        why = "no_such_score"
        raise OrderRefusedError(why)
    score = (order.white, order.black)
    return replace(state, score=score, game=replace(state.game, score=score))


def _resign(state: State, order: Resign) -> State:
    """Score a resignation as the kind of loss that is conceded."""
    _need(state, (Phase.TO_THROW, Phase.TO_PLAY, Phase.DECIDING, Phase.OPENING), "no_game_to_resign")
    white = state.white_position()
    own = white if order.side is Side.WHITE else white.turned(state.rules.game)
    try:
        conceded = resignation(own, Kind(order.kind), state.rules, state.cube)
    except ValueError:
        # No kind at all, or none of this ruleset's.
        why = "no_such_result"
        raise OrderRefusedError(why) from None
    return finish_game(state, order.side.other, conceded.result)


def _offer(state: State, side: Side) -> State:
    """Put a double on the table: before the throw, on one's own turn, by the owner (004:L45)."""
    _need(state, (Phase.TO_THROW, Phase.TO_PLAY), "no_game_for_a_cube")
    if state.turn is None:
        why = "no_game_for_a_cube"
        raise OrderRefusedError(why)
    cube = state.cube
    thrown = state.phase is Phase.TO_PLAY
    crawford = crawford_game(state)
    why_not = offer_refusal(cube, side, state.rules, turn=state.turn, thrown=thrown, crawford_game=crawford)
    if why_not:
        raise OrderRefusedError(why_not)
    offered = offer(cube, side, state.rules, turn=state.turn, thrown=thrown, crawford_game=crawford)
    value = raised(cube.value, state.rules) or cube.value
    return _with_cube(state, offered, CubeTurned(len(state.game.turns), side, "double", value))


def _answer(state: State, order: Take | Drop) -> State:
    """Take the offered cube, or pass and lose the game at the value before."""
    if state.cube.offered_by is not order.side.other or state.turn is None or state.position is None:
        why = "no_offer"
        raise OrderRefusedError(why)
    if isinstance(order, Take):
        taken = take(state.cube, state.rules)
        return _with_cube(state, taken, CubeTurned(len(state.game.turns), order.side, "take", taken.value))
    winner, value = passed(state.cube, state.rules)
    return finish_game(state, winner, drop(state.position, winner.other, state.turn, state.rules, value))


def _with_cube(state: State, cube: Cube, turned: CubeTurned) -> State:
    return replace(state, cube=cube, game=replace(state.game, cube=(*state.game.cube, turned)))
