"""The arbiter puts right what was ruled: overrules, takes a turn back, replaces a position, a roll or a throw."""

from dataclasses import replace

from controller.fusion.hypotheses import HypothesisKind
from controller.referee.dice import SURE, VoidReason, opening_order
from controller.referee.flags import taken_up_again
from controller.referee.games import can_stand, finish_game, finish_turn, unfinished_turn
from controller.referee.orders import Confirm, Correct, OrderRefusedError, Refuse, SetRoll, SetTurn
from controller.referee.plays import refuse
from controller.referee.presses import answered, given_back, given_to
from controller.referee.rulings import DieAtRest, Judge, PlayRuling, PlayVerdict, Ruling, ThrowOutcome, ThrowRuling
from controller.referee.sight import beside_the_board
from controller.referee.state import Phase, Ruled, State, Turn, TurnInPlay
from controller.referee.throws import dice_showing, roll_replaced, throw_counts, throw_is_void
from controller.rules import PositionError, Side, check_position, last_move_due, result


def undo_turn(state: State) -> State:
    """Give the last turn of this game back to its mover, with the roll they had.

    Between games that is the turn that ended the last one; a resignation or a passed double is taken back alone.
    Raises OrderRefusedError when there is nothing of that.
    """
    if state.phase in {Phase.SETUP, Phase.MATCH_OVER} and state.ended is not None:
        played = _ended_by_a_play(state.ended)
        state = taken_up_again(state)
        if not played:
            return state
    if state.phase not in {Phase.TO_THROW, Phase.TO_PLAY, Phase.DECIDING} or not state.game.turns:
        why = "nothing_to_undo"
        raise OrderRefusedError(why)
    *earlier, last = state.game.turns
    state = _cube_turned_back(unfinished_turn(answered(state)), last)
    # The opponent's dice may still lie there; from now on they do not count as thrown over the play.
    dice = tuple(track for track in state.sight.dice.tracks if track.on_board)
    return replace(
        state,
        phase=Phase.TO_PLAY if last.roll else Phase.TO_THROW,
        done=None,
        turn=last.side,
        position=last.before,
        in_play=TurnInPlay(
            last.roll,
            state.at,
            dice,
            dice,
            refused=last.refused,
            taken_back=last.after,
            voids=last.voids,
            rest=last.rest,
            beside=beside_the_board(state.sight.dice),
        ),
        game=replace(state.game, turns=tuple(earlier)),
        clock=given_to(state.clock, last.side, state.at),
        first_home=last.side.other if last.before.off[1] == state.rules.game.checkers else None,
    )


def _cube_turned_back(state: State, last: Turn) -> State:
    """Take back with the ``last`` turn what the players did with the cube after it; the arbiter's own word stays."""
    earlier = tuple(turned for turned in state.game.cube if turned.turns < last.number)
    if earlier == state.game.cube:
        return state
    return replace(state, cube=last.cube, game=replace(state.game, cube=earlier))


def _ended_by_a_play(ended: State) -> bool:
    """Whether the game was over with the turn that its log ends with, and not by a word."""
    last = ended.game.turns[-1] if ended.game.turns else None
    return last is not None and last.side is ended.turn and last.before == ended.position and last.roll == ended.roll


def correct(state: State, order: Correct) -> State:
    """Put the position and the turn as the arbiter says; the throw comes next.

    Where no turn is named it stays whose it was, and a roll that lies on the table stays to be played.
    Raises OrderRefusedError for a position in which no game can be.
    """
    game = state.rules.game
    turn = order.turn or state.turn
    if turn is None:
        why = "say_whose_turn"
        raise OrderRefusedError(why)
    position = order.position.seen_by(turn, game)
    try:
        check_position(position, game)
    except PositionError:
        why = "impossible_position"
        raise OrderRefusedError(why) from None
    before, state = state, answered(state)
    kept = state.in_play if order.turn is None and position.off[0] < game.checkers else TurnInPlay()
    clock = given_back(state) if kept.roll else given_to(state.clock, turn, state.at)
    state = unfinished_turn(state)
    in_play = TurnInPlay(
        kept.roll, kept.known_at, kept.dice, kept.own_dice, voids=kept.voids, rest=kept.rest, beside=kept.beside
    )
    state = replace(
        state,
        phase=Phase.TO_PLAY if kept.roll else Phase.TO_THROW,
        light=state.light or Side.WHITE,
        game=replace(state.game, starter=state.game.starter or turn),
        turn=turn,
        position=position,
        setup_faults=(),
        in_play=in_play if kept.roll else TurnInPlay(voids=kept.voids),
        first_home=None,
        clock=clock,
    )
    return _ended(state, before) if game.checkers in position.off else state


def set_turn(state: State, order: SetTurn) -> State:
    """Give the turn to ``order.side``, to throw; what was thrown does not count, the position stays."""
    if state.phase not in {Phase.OPENING, Phase.TO_THROW, Phase.TO_PLAY, Phase.DECIDING}:
        why = "no_game_yet"
        raise OrderRefusedError(why)
    return correct(state, Correct(state.white_position(), order.side))


def _ended(state: State, before: State) -> State:
    """Score the game that the corrected position ends, unless the side on turn has its last one (002:L62).

    ``before`` is what comes back if the correction was a mistake.
    Raises OrderRefusedError when nobody could have reached it.
    """
    mover, position, checkers = state.turn, state.position, state.rules.game.checkers
    if mover is None or position is None or position.off == (checkers, checkers):
        why = "impossible_position"
        raise OrderRefusedError(why)
    winner = mover if position.off[0] == checkers else mover.other
    final = position if winner is mover else position.turned(state.rules.game)
    began = state.game.starter is winner
    if winner is not mover and last_move_due(final, state.rules, winner_began=began):
        return replace(state, first_home=winner)
    done = finish_game(state, winner, result(final, state.rules, state.cube))
    return replace(done, ended=replace(before, ended=None, clock=before.clock.pause(before.at)))


def set_roll(state: State, order: SetRoll) -> Ruled:
    """Take the two numbers as thrown, instead of what was read where something was.

    Raises OrderRefusedError for numbers that no die shows, and when no throw is awaited.
    """
    values = order.roll
    if not all(1 <= value <= 6 for value in values):
        why = "no_such_roll"
        raise OrderRefusedError(why)
    if state.cube.offered_by is not None:
        why = "answer_first"
        raise OrderRefusedError(why)
    if state.in_play.rest:
        why = "no_throw_awaited"
        raise OrderRefusedError(why)
    if state.phase in {Phase.TO_PLAY, Phase.DECIDING} or _sets_change_hands(state):
        if not opening_just_thrown(state):
            return roll_replaced(answered(state), values, Judge.ARBITER)
        state = opening_undone(state)
    if state.phase not in {Phase.OPENING, Phase.TO_THROW}:
        why = "no_throw_awaited"
        raise OrderRefusedError(why)
    return throw_counts(state, values, dice_showing(state, *values), Judge.ARBITER)


def void_throw(state: State) -> Ruled:
    """Have the dice thrown again, also after they were read as a roll.

    Raises OrderRefusedError when no throw is awaited and none waits to be played.
    """
    may_throw = state.phase in {Phase.OPENING, Phase.TO_THROW, Phase.TO_PLAY} or _sets_change_hands(state)
    if not may_throw or state.in_play.rest:
        why = "no_throw_to_void"
        raise OrderRefusedError(why)
    dice = state.in_play.dice or state.sight.dice.tracks
    if state.phase in {Phase.TO_PLAY, Phase.SETUP}:
        state = opening_undone(state) if opening_just_thrown(state) else _thrown_anew(state)
    return throw_is_void(state, VoidReason.BY_ARBITER, dice, Judge.ARBITER)


def opening_just_thrown(state: State) -> bool:
    """Whether the last that was ruled is who starts."""
    ruling = state.ruling
    valid = isinstance(ruling, ThrowRuling) and ruling.outcome is ThrowOutcome.VALID and ruling.side is None
    return valid and (state.phase in {Phase.TO_THROW, Phase.TO_PLAY} or _sets_change_hands(state))


def _sets_change_hands(state: State) -> bool:
    """Whether the board is being set up anew because the opening throw gave the starter the other set (003:L13)."""
    return state.phase is Phase.SETUP and state.game.starter is not None


def opening_undone(state: State) -> State:
    """Go back to before the throw that decided who starts."""
    game = replace(state.game, starter=None, openings=state.game.openings[:-1])
    undone = unfinished_turn(state)
    clock = undone.clock.stopped(state.at)
    if _sets_change_hands(state) and state.light is not None:
        undone = replace(undone, light=state.light.other, setup_faults=())
    return replace(undone, phase=Phase.OPENING, turn=None, position=None, game=game, clock=clock, paused=None)


def _thrown_anew(state: State) -> State:
    return replace(unfinished_turn(state), phase=Phase.TO_THROW, clock=given_back(state))


def confirm(state: State, order: Confirm) -> Ruled:
    """Let a play or throw count that the referee refused or asked about.

    Raises OrderRefusedError when the ruling is past or what it is about cannot be.
    """
    match _open_ruling(state, order.ruling):
        case PlayRuling() as asked if state.roll is not None:
            return _confirm_play(state, asked, order.hypothesis)
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
            return refuse(_play_undone(state), after, (), Judge.ARBITER)
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


def _play_undone(state: State) -> State:
    """The state before the last play; a pass or a resignation that has ended the game since goes with it."""
    undone = undo_turn(state)
    return undone if undone.roll is not None else undo_turn(undone)


def _open_ruling(state: State, number: int) -> Ruling:
    """Return the last ruling, if it is the one that the order names and it still means something."""
    if state.ruling is None or state.ruling.number != number:
        why = "ruling_is_past"
        raise OrderRefusedError(why)
    return state.ruling


def _confirm_play(state: State, asked: PlayRuling, number: int) -> Ruled:
    if not 0 <= number < max(1, len(asked.hypotheses)):
        why = "no_such_hypothesis"
        raise OrderRefusedError(why)
    chosen = asked.hypotheses[number] if asked.hypotheses else None
    after = chosen.after if chosen else asked.after
    play = chosen.play if chosen else asked.play
    if (chosen and chosen.kind is HypothesisKind.ODD) or not can_stand(state, after):
        why = "impossible_position"
        raise OrderRefusedError(why)
    ruling = replace(
        asked,
        number=state.rulings + 1,
        at=state.at,
        verdict=PlayVerdict.ACCEPTED,
        judge=Judge.ARBITER,
        after=after,
        play=play,
    )
    state = replace(answered(state), ruling=ruling, rulings=ruling.number)
    return finish_turn(state, after, play, PlayVerdict.ACCEPTED), (ruling,)


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


def _values(dice: tuple[DieAtRest, ...], *, opening: bool) -> tuple[int, int] | None:
    """What a void throw shows, White's number first in the opening; None where it cannot be told surely."""
    if len(dice) != 2 or dice[0].probability * dice[1].probability < SURE:
        return None
    if opening:
        if dice[0].half == dice[1].half:
            return None
        dice = tuple(sorted(dice, key=lambda die: opening_order(die.half)))
    return dice[0].face, dice[1].face
