"""The arbiter's word on a ruling: what was asked about, refused or void counts, or what was accepted does not."""

from dataclasses import replace

from controller.fusion.stories import Tale
from controller.referee.correcting import opening_just_thrown, opening_undone, undo, void_throw
from controller.referee.games import can_stand, finish_turn
from controller.referee.orders import Confirm, OrderRefusedError, Refuse
from controller.referee.playing import refuse
from controller.referee.pressing import answered
from controller.referee.rulings import DieLies, Judge, PlayRuling, PlayVerdict, Ruling, ThrowOutcome, ThrowRuling
from controller.referee.state import Phase, State
from controller.referee.throw import SURE, right_half
from controller.referee.throwing import dice_showing, throw_counts
from controller.rules import Side

Ruled = tuple[State, tuple[Ruling, ...]]


def confirm(state: State, order: Confirm) -> Ruled:
    """Let a play or throw count that the referee refused or asked about.

    Raises OrderRefusedError when the ruling is past or what it tells of cannot be.
    """
    match _open_ruling(state, order.ruling):
        case PlayRuling() as asked if state.roll is not None:
            return _confirm_play(state, asked, order.story)
        case ThrowRuling() as asked if asked.outcome is not ThrowOutcome.VALID:
            return _confirm_throw(state, asked)
        case _:
            why = "ruling_is_past"
            raise OrderRefusedError(why)


def overrule(state: State, order: Refuse) -> Ruled:
    """Let a play or throw not count that the referee accepted or asked about.

    Raises OrderRefusedError when the ruling is past.
    """
    match _open_ruling(state, order.ruling):
        case PlayRuling(verdict=PlayVerdict.ACCEPTED, after=after):
            return refuse(undo(state), after, (), Judge.ARBITER)
        case PlayRuling(verdict=PlayVerdict.PLEASE_LOOK, after=after):
            return refuse(state, after, (), Judge.ARBITER)
        case ThrowRuling(outcome=ThrowOutcome.VALID) if opening_just_thrown(state):
            return void_throw(opening_undone(state))
        case ThrowRuling(outcome=ThrowOutcome.VALID) if state.phase is Phase.TO_PLAY:
            return void_throw(state)
        case ThrowRuling(outcome=ThrowOutcome.PLEASE_LOOK):
            return void_throw(state)
        case _:
            why = "ruling_is_past"
            raise OrderRefusedError(why)


def _open_ruling(state: State, number: int) -> Ruling:
    """Return the last ruling, if it is the one that the order names and it still means something."""
    if state.ruling is None or state.ruling.number != number:
        why = "ruling_is_past"
        raise OrderRefusedError(why)
    return state.ruling


def _confirm_play(state: State, asked: PlayRuling, story: int) -> Ruled:
    if not 0 <= story < max(1, len(asked.stories)):
        why = "no_such_story"
        raise OrderRefusedError(why)
    chosen = asked.stories[story] if asked.stories else None
    after = chosen.after if chosen else asked.after
    notation = chosen.notation if chosen else asked.notation
    if (chosen and chosen.tale is Tale.ODD) or not can_stand(state, after):
        why = "impossible_position"
        raise OrderRefusedError(why)
    ruling = replace(
        asked,
        number=state.rulings + 1,
        at=state.at,
        verdict=PlayVerdict.ACCEPTED,
        judge=Judge.ARBITER,
        after=after,
        notation=notation,
    )
    state = replace(answered(state), ruling=ruling, rulings=ruling.number)
    return finish_turn(state, after, notation, PlayVerdict.ACCEPTED), (ruling,)


def _confirm_throw(state: State, asked: ThrowRuling) -> Ruled:
    """Take the numbers that the dice of the ruling show."""
    if state.phase not in {Phase.OPENING, Phase.TO_THROW}:
        why = "no_throw_awaited"
        raise OrderRefusedError(why)
    if state.cube.offered_by is not None:
        why = "answer_first"
        raise OrderRefusedError(why)
    values = asked.values or _values(asked.dice, opening=state.phase is Phase.OPENING)
    if values is None:
        why = "say_the_roll"
        raise OrderRefusedError(why)
    return throw_counts(state, values, dice_showing(state, *values), Judge.ARBITER)


def _values(dice: tuple[DieLies, ...], *, opening: bool) -> tuple[int, int] | None:
    """What a void throw shows, White's number first in the opening; None where it cannot be told surely."""
    if len(dice) != 2 or dice[0].chance * dice[1].chance < SURE:
        return None
    if opening:
        if dice[0].half == dice[1].half:
            return None
        dice = tuple(sorted(dice, key=lambda die: die.half != right_half(Side.WHITE).value))
    return dice[0].face, dice[1].face
