"""A valid throw that is thrown once more: noticed, and the first throw stands (US 2008 4.2)."""

from dataclasses import replace

from controller.referee.rulings import Judge, Ruling, ThrowOutcome, ThrowRuling
from controller.referee.sight import with_known_dice
from controller.referee.state import PauseReason, Phase, State
from controller.referee.throw import DieTrack, Valid, judge_throw, right_half
from controller.referee.throwing import lies
from controller.rules import Side

Ruled = tuple[State, tuple[Ruling, ...]]


def watch_rethrow(state: State) -> Ruled:
    """Say once that the mover has thrown again before he ended his turn; until then nothing happens.

    The opponent's early throw is not meant: his dice have their own colour, or lie in his own right half.
    """
    if state.phase is not Phase.TO_PLAY or state.turn is None or state.roll is None or state.pressed_at is not None:
        return state, ()
    thrown = _thrown_again(state, state.turn)
    if thrown is None:
        return state, ()
    dice, values = thrown.dice, (thrown.first, thrown.second)
    roll = (state.roll.high, state.roll.low)
    if sorted(values) == sorted(roll):
        # Pushed aside to make room; where they lie now they are lifted from.
        return replace(state, roll_dice=dice, own_dice=dice, lifted_looks=0), ()
    ruling = ThrowRuling(
        state.rulings + 1,
        state.at,
        state.turn,
        ThrowOutcome.VALID,
        Judge.REFEREE,
        roll,
        None,
        tuple(lies(die) for die in dice),
        rethrown=values,
    )
    state = replace(with_known_dice(state, dice), own_dice=dice, ruling=ruling, rulings=ruling.number, lifted_looks=0)
    if state.rules.call_reroll == "opponent_agrees" and state.clock.running is not None:
        state = replace(state, paused=PauseReason.RETHROWN, clock=state.clock.pause(state.at))
    return state, (ruling,)


def _thrown_again(state: State, mover: Side) -> Valid | None:
    """The valid throw that lies there instead of the mover's dice; None while they lie, or nothing else does."""
    old = state.own_dice or state.roll_dice
    lying = state.sight.dice.tracks
    if not old or any(_same(die, track) for die in old for track in lying):
        return None
    his = replace(state.sight.dice, tracks=tuple(track for track in lying if _thrown_by(state, mover, track)))
    known = (*state.sight.known_dice, *state.roll_dice)
    verdict = judge_throw(his, known, mover, state.rules, state.sight.fixtures)
    return verdict if isinstance(verdict, Valid) else None


def _thrown_by(state: State, mover: Side, die: DieTrack) -> bool:
    owner = state.sight.pairs.owner(die.colour)
    return die.half is right_half(mover) if owner is None else owner is mover


def _same(die: DieTrack, track: DieTrack) -> bool:
    return die.near(track) and die.face[0] == track.face[0]
