"""The arbiter's orders. Each is possible only where it means something; elsewhere it is refused with the reason."""

from dataclasses import replace
from typing import assert_never

from controller.referee.games import begin_game, crawford_game, finish_game, finish_turn
from controller.referee.orders import (
    Begin,
    Confirm,
    Correct,
    Double,
    Drop,
    Order,
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
from controller.referee.playing import refuse
from controller.referee.pressing import paused, resumed
from controller.referee.rulings import Judge, PlayRuling, PlayVerdict, Ruling
from controller.referee.state import PauseReason, Phase, State
from controller.referee.throw import DieTrack, VoidReason
from controller.referee.throwing import throw_counts, throw_is_void
from controller.rules import GameResult, Kind, Side, drop, offer, offer_refusal, passed, start, take, worth

Ruled = tuple[State, tuple[Ruling, ...]]


class OrderRefusedError(ValueError):
    """An order that cannot be carried out now; the message key says why."""


def ordered(state: State, order: Order) -> Ruled:
    """Carry an order out.

    Raises OrderRefusedError, whose argument is the key of the reason in the text catalogue.
    """
    match order:
        case Confirm(ruling=number, story=story):
            return _confirm(state, number, story)
        case Begin():
            _need(state, (Phase.SETUP,), "game_has_begun")
            return begin_game(replace(state, light=state.light or Side.WHITE, setup_faults=())), ()
        case Undo():
            return _undo(state), ()
        case Refuse(ruling=number):
            return _refuse(state, number)
        case Correct():
            return _correct(state, order), ()
        case SetRoll(first=first, second=second):
            _need(state, (Phase.OPENING, Phase.TO_THROW), "no_throw_awaited")
            return throw_counts(state, (first, second), _dice_showing(state, first, second), Judge.ARBITER)
        case VoidThrow():
            return _void(state)
        case Pause():
            return paused(state, PauseReason.ORDERED), ()
        case Resume():
            return resumed(state), ()
        case SetClock(white_ms=white, black_ms=black):
            clock = state.clock.with_reserve(Side.WHITE, white, state.at).with_reserve(Side.BLACK, black, state.at)
            return replace(state, clock=clock), ()
        case SetScore(white=white_points, black=black_points):
            return replace(state, score=(white_points, black_points)), ()
        case Resign():
            return _resign(state, order), ()
        case Double(side=side):
            return _offer(state, side), ()
        case Take() | Drop():
            return _answer(state, order), ()
        case _ as never:
            assert_never(never)


def _dice_showing(state: State, first: int, second: int) -> tuple[DieTrack, ...]:
    """The dice on the board that most likely show these two numbers; fewer where they cannot be seen."""
    left = [die for die in state.sight.dice.tracks if die.on_board]
    shown: list[DieTrack] = []
    for face in (first, second):
        if left:
            best = max(left, key=lambda die: die.faces[face - 1])
            left.remove(best)
            shown.append(best)
    return tuple(shown)


def _need(state: State, phases: tuple[Phase, ...], why: str) -> None:
    if state.phase not in phases:
        raise OrderRefusedError(why)


def _asked(state: State, number: int) -> PlayRuling:
    """Return the ruling on the play that is still open, if it is the one the order names."""
    ruling = state.ruling
    if not isinstance(ruling, PlayRuling) or ruling.number != number or state.roll is None:
        why = "ruling_is_past"
        raise OrderRefusedError(why)
    return ruling


def _confirm(state: State, number: int, story: int) -> Ruled:
    """Let a play stand that the referee refused or asked about."""
    asked = _asked(state, number)
    chosen = asked.stories[story] if story < len(asked.stories) else None
    after = chosen.after if chosen else asked.after
    notation = chosen.notation if chosen else asked.notation
    ruling = replace(
        asked,
        number=state.rulings + 1,
        at=state.at,
        verdict=PlayVerdict.ACCEPTED,
        judge=Judge.ARBITER,
        after=after,
        notation=notation,
    )
    state = resumed(state) if state.paused is PauseReason.PLEASE_LOOK else state
    state = replace(state, ruling=ruling, rulings=ruling.number)
    return finish_turn(state, after, notation, PlayVerdict.ACCEPTED), (ruling,)


def _refuse(state: State, number: int) -> Ruled:
    """Refuse a play that the referee asked about, or take back the one it has just accepted."""
    ruling = state.ruling
    if isinstance(ruling, PlayRuling) and ruling.number == number and ruling.verdict is PlayVerdict.ACCEPTED:
        return refuse(_undo(state), ruling.after, (), Judge.ARBITER)
    asked = _asked(state, number)
    return refuse(state, asked.after, (), Judge.ARBITER)


def _undo(state: State) -> State:
    """Give the last turn of this game back to its mover, with the roll he had."""
    _need(state, (Phase.TO_THROW, Phase.TO_PLAY, Phase.DECIDING), "nothing_to_undo")
    if not state.game.turns:
        why = "nothing_to_undo"
        raise OrderRefusedError(why)
    *earlier, last = state.game.turns
    before = earlier[-1].after.turned(state.rules.game) if earlier else start(state.rules.game)
    clock = state.clock.stopped(state.at)
    return replace(
        state,
        phase=Phase.TO_PLAY,
        turn=last.side,
        position=before,
        roll=last.roll,
        roll_dice=(),
        own_dice=(),
        pressed_at=None,
        clock_before_press=None,
        refused=last.refused,
        voids=last.voids,
        game=replace(state.game, turns=tuple(earlier)),
        clock=clock.start(last.side, state.at) if state.clock.turn else clock,
    )


def _correct(state: State, order: Correct) -> State:
    """Put the position and the turn as the arbiter says; the throw comes next."""
    _need(state, (Phase.SETUP, Phase.OPENING, Phase.TO_THROW, Phase.TO_PLAY, Phase.DECIDING), "match_is_over")
    position = order.position if order.turn is Side.WHITE else order.position.turned(state.rules.game)
    starter = state.game.starter or order.turn
    light = state.light or Side.WHITE
    state = resumed(state) if state.paused is PauseReason.PLEASE_LOOK else state
    return replace(
        state,
        phase=Phase.TO_THROW,
        light=light,
        game=replace(state.game, starter=starter),
        turn=order.turn,
        position=position,
        roll=None,
        roll_dice=(),
        own_dice=(),
        pressed_at=None,
        clock_before_press=None,
        refused=(),
        setup_faults=(),
    )


def _void(state: State) -> Ruled:
    """Have the dice thrown again, also after they were read as a roll."""
    _need(state, (Phase.OPENING, Phase.TO_THROW, Phase.TO_PLAY), "no_throw_to_void")
    dice = state.roll_dice or state.sight.dice.tracks
    if state.phase is Phase.TO_PLAY:
        state = replace(state, phase=Phase.TO_THROW, roll=None, roll_dice=(), own_dice=(), pressed_at=None, refused=())
    return throw_is_void(state, VoidReason.BY_ARBITER, dice, Judge.ARBITER)


def _resign(state: State, order: Resign) -> State:
    """Score a resignation as the kind of loss that is conceded."""
    _need(state, (Phase.TO_THROW, Phase.TO_PLAY, Phase.DECIDING, Phase.OPENING), "no_game_to_resign")
    points = worth(Kind(order.kind), state.rules) if order.kind in {kind.value for kind in Kind} else 0
    if not points:
        why = "no_such_result"
        raise OrderRefusedError(why)
    return finish_game(state, order.side.other, GameResult(Kind(order.kind), points * state.cube.value))


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
    return replace(state, cube=offer(cube, side, state.rules, turn=state.turn, thrown=thrown, crawford_game=crawford))


def _answer(state: State, order: Take | Drop) -> State:
    """Take the offered cube, or pass and lose the game at the value before."""
    if state.cube.offered_by is not order.side.other or state.turn is None or state.position is None:
        why = "no_offer"
        raise OrderRefusedError(why)
    if isinstance(order, Take):
        return replace(state, cube=take(state.cube, state.rules))
    winner, value = passed(state.cube, state.rules)
    return finish_game(state, winner, drop(state.position, winner.other, state.turn, state.rules, value))
