"""A throw at the table, from dice at rest to a roll that has to be played: ruled on, voided, thrown twice."""

from dataclasses import replace

from controller.referee.dice import (
    DICE,
    LOOKS_TO_RULE,
    DieTrack,
    Doubtful,
    TrackedDice,
    Valid,
    Void,
    VoidReason,
    judge_throw,
    right_half,
)
from controller.referee.presses import answered, counted, played_unread
from controller.referee.rulings import DieAtRest, Judge, ThrowOutcome, ThrowRuling
from controller.referee.sight import beside_the_board, whole, with_known_dice, with_ruled_throw
from controller.referee.state import GameLog, PauseReason, Phase, Ruled, State, TurnInPlay
from controller.rules import Roll, Side, Started, Tie, opening


def watch_throw(state: State) -> Ruled:
    """Rule on the dice when they lie at rest; until then nothing happens."""
    thrower = None if state.phase is Phase.OPENING else state.turn
    watch = _without_the_opponents(state)
    verdict = judge_throw(watch, state.sight.known_dice, thrower, state.rules, state.sight.false_dice)
    match verdict:
        case Valid(first=first, second=second, dice=dice) if _out_of_turn(state, dice):
            return _asked(state, (first, second), dice, VoidReason.OUT_OF_TURN)
        case Void(reason=VoidReason.WRONG_HALF, dice=dice) if _out_of_turn(state, dice):
            return _asked(state, None, dice, VoidReason.OUT_OF_TURN)
        case Valid(first=first, second=second, dice=dice) if _in_each_others_halves(state, dice):
            return _asked(state, (first, second), dice)
        case Valid(dice=dice) if state.rules.premature == "void" and _thrown_early(state, dice):
            return throw_is_void(state, VoidReason.PREMATURE, dice, Judge.REFEREE)
        case Valid(first=first, second=second, dice=dice) if _opponent_chooses(state, dice):
            return _opponent_asked(state, (first, second), dice)
        case Valid(first=first, second=second, dice=dice) if _thrown_early(state, dice):
            return _early_throw_counts(state, (first, second), dice)
        case Valid(first=first, second=second, dice=dice):
            return throw_counts(state, (first, second), dice, Judge.REFEREE)
        case Void(reason=reason, dice=dice):
            return throw_is_void(state, reason, dice, Judge.REFEREE)
        case Doubtful(dice=(_,) as dice):
            return _one_fell(state, dice)
        case Doubtful(first=first, second=second, dice=dice):
            return _asked(state, (first, second) if first and second else None, dice)
        case None:
            return _found_again(state), ()


def _one_fell(state: State, dice: tuple[DieTrack, ...]) -> Ruled:
    """Ask about a throw of which one die is in view; the other lies on the floor, and the clocks may stand for it."""
    asked, rulings = _asked(state, None, dice)
    if not rulings or state.rules.fallen_dice != "clock_stops" or state.clock.running is None:
        return asked, rulings
    return replace(asked, clock=asked.clock.pause(asked.at), paused=PauseReason.FALLEN_DIE), rulings


def _found_again(state: State) -> State:
    """Let the clock run on when the die that was left on the board is taken up: the other one has been found."""
    if state.paused is not PauseReason.FALLEN_DIE or not whole(state.sight, LOOKS_TO_RULE):
        return state
    lying = [die for die in state.sight.dice.without(state.sight.known_dice) if die.on_board]
    return state if lying else answered(state)


def _asked(
    state: State, values: tuple[int, int] | None, dice: tuple[DieTrack, ...], reason: VoidReason | None = None
) -> Ruled:
    """Ask what was thrown, once; ``values`` are the best guess, ``reason`` is why it may not count."""
    if state.sight.asked:
        return state, ()
    ruling = _ruling(state, ThrowOutcome.PLEASE_LOOK, values, reason, dice, Judge.REFEREE)
    asked = replace(state, sight=replace(state.sight, asked=True))
    return _ruled(asked, ruling, dice), (ruling,)


def _opponent_chooses(state: State, dice: tuple[DieTrack, ...]) -> bool:
    return state.rules.premature == "opponent_chooses" and _thrown_early(state, dice)


def _opponent_asked(state: State, values: tuple[int, int], dice: tuple[DieTrack, ...]) -> Ruled:
    """Ask the opponent whether an early throw stands; nobody's time runs while they think."""
    asked, rulings = _asked(state, values, dice, VoidReason.OPPONENT_CHOOSES)
    if not rulings or asked.clock.running is None:
        return asked, rulings
    return replace(asked, clock=asked.clock.pause(asked.at), paused=PauseReason.EARLY_THROW), rulings


def _without_the_opponents(state: State) -> TrackedDice:
    """The dice at rest, without the opponent's own where more than a pair lies there."""
    watch, colours, side = state.sight.dice, state.sight.dice_colours, state.turn
    fresh = watch.without(state.sight.known_dice)
    if side is None or len(fresh) <= DICE:
        return watch
    own = tuple(track for track in watch.tracks if track not in fresh or colours.owner(track.colour) is not side.other)
    return replace(watch, tracks=own)


def _out_of_turn(state: State, dice: tuple[DieTrack, ...]) -> bool:
    """Whether this may be a throw of the side that is not on turn.

    Their dice have their own colour. Where colours say nothing: they lie in that side's right half, and the side on
    turn has pressed without having played.
    """
    side = state.turn if state.phase is Phase.TO_THROW else None
    if side is None:
        return False
    owners = {state.sight.dice_colours.owner(die.colour) for die in dice}
    if owners != {None}:
        return owners == {side.other}
    pressed = state.in_play.early_press is not None and not played_unread(state)
    return pressed and all(die.half is right_half(side.other) for die in dice)


def _in_each_others_halves(state: State, dice: tuple[DieTrack, ...]) -> bool:
    """Whether a die of the opening throw (White's first) has the colour of the other side than its place says."""
    owners = [state.sight.dice_colours.owner(die.colour) for die in dice]
    return state.phase is Phase.OPENING and any(
        owner not in {None, side} for owner, side in zip(owners, Side, strict=True)
    )


def _with_colours(state: State, dice: tuple[DieTrack, ...]) -> State:
    """Learn whose dice have which colour from a throw that counts."""
    dice_colours = state.sight.dice_colours
    for side in Side if state.turn is None else (state.turn,):
        own = [die for die in dice if state.turn is side or die.half is right_half(side)]
        colours = [die.colour for die in own if die.colour is not None]
        if colours:
            blue, green, red = (sum(parts) // len(parts) for parts in zip(*colours, strict=True))
            dice_colours = dice_colours.thrown(side, (blue, green, red))
    return replace(state, sight=replace(state.sight, dice_colours=dice_colours))


def _thrown_early(state: State, dice: tuple[DieTrack, ...]) -> bool:
    """Whether these dice lay there before the opponent had ended the turn before (R13)."""
    early = state.sight.early_dice
    return all(any(die.near(past) and die.face[0] == past.face[0] for past in early) for die in dice)


def _early_throw_counts(state: State, values: tuple[int, int], dice: tuple[DieTrack, ...]) -> Ruled:
    """Take a throw that came before its time (R12): it stands, and may cost the delay of the turn (WBGF)."""
    if state.rules.premature_delay == "lost":
        state = replace(state, clock=state.clock.forfeit_delay(state.at))
    state, rulings = throw_counts(state, values, dice, Judge.REFEREE)
    marked = tuple(replace(ruling, early=True) for ruling in rulings if isinstance(ruling, ThrowRuling))
    return replace(state, ruling=marked[-1]), marked


def throw_counts(state: State, values: tuple[int, int], dice: tuple[DieTrack, ...], judge: Judge) -> Ruled:
    """Take ``values`` as thrown (White's first in the opening throw)."""
    state = answered(state)
    ruling = _ruling(state, ThrowOutcome.VALID, values, None, dice, judge)
    state = with_known_dice(with_ruled_throw(_ruled(state, ruling, dice), dice), dice)
    state = _with_colours(state, dice)
    if state.phase is Phase.OPENING:
        return _opening_counts(state, values, dice), (ruling,)
    return _to_play(state, Roll.of(*values), dice, dice), (ruling,)


def roll_replaced(state: State, values: tuple[int, int], judge: Judge) -> Ruled:
    """Take ``values`` for a roll that was read otherwise; what has been played is judged by them."""
    ruling = _ruling(state, ThrowOutcome.VALID, values, None, state.in_play.dice, judge)
    in_play = replace(state.in_play, roll=Roll.of(*values), lifted_looks=0, taken_back=None)
    state = replace(_ruled(state, ruling, ()), phase=Phase.TO_PLAY, in_play=in_play)
    return replace(state, sight=replace(state.sight, asked=False)), (ruling,)


def dice_showing(state: State, first: int, second: int) -> tuple[DieTrack, ...]:
    """The dice on the board that most likely show these two numbers; fewer where they cannot be seen."""
    left = [die for die in state.sight.dice.tracks if die.on_board]
    shown: list[DieTrack] = []
    for face in (first, second):
        if left:
            best = max(left, key=lambda die: die.faces[face - 1])
            left.remove(best)
            shown.append(best)
    return tuple(shown)


def throw_is_void(state: State, reason: VoidReason, dice: tuple[DieTrack, ...], judge: Judge) -> Ruled:
    """Have both dice thrown again (000:L6)."""
    state = answered(state)
    ruling = _ruling(state, ThrowOutcome.RE_ROLL, None, reason, dice, judge)
    state = with_known_dice(with_ruled_throw(_ruled(state, ruling, dice), dice), dice)
    state = replace(state, sight=replace(state.sight, early_dice=()), in_play=replace(state.in_play, early_press=None))
    if state.phase is Phase.OPENING:
        game = replace(state.game, opening_voids=(*state.game.opening_voids, reason))
        return replace(state, game=game), (ruling,)
    clock = state.clock
    if state.rules.cocked_clock == "delay_restarts":
        clock = clock.restart_delay(state.at)
    in_play = replace(state.in_play, voids=(*state.in_play.voids, reason))
    return replace(state, in_play=in_play, clock=clock), (ruling,)


def _opening_counts(state: State, values: tuple[int, int], dice: tuple[DieTrack, ...]) -> State:
    """A tie is thrown again; otherwise the higher die starts, with these numbers or with a new throw (see A02, A03)."""
    game = replace(state.game, openings=(*state.game.openings, values))
    decided = opening(*values, state.rules, state.cube)
    if isinstance(decided, Tie):
        return replace(state, game=game, cube=decided.cube)
    starter = decided.starter
    if decided.takes_white and state.light is not starter:
        return _sets_change_hands(state, game, decided)
    position = state.white_position()
    state = replace(
        state,
        game=replace(game, starter=starter),
        turn=starter,
        position=position.seen_by(starter, state.rules.game),
    )
    if decided.roll is not None:
        return _to_play(state, decided.roll, dice, dice[:1] if starter is Side.WHITE else dice[1:])
    return replace(state, phase=Phase.TO_THROW)


def _sets_change_hands(state: State, game: GameLog, decided: Started) -> State:
    """The starter also gets the white set, which the other has: the board is set up anew before the game goes on."""
    game = replace(game, starter=decided.starter)
    return replace(state, phase=Phase.SETUP, light=decided.starter, in_play=TurnInPlay(decided.roll), game=game)


def _to_play(state: State, roll: Roll, dice: tuple[DieTrack, ...], own: tuple[DieTrack, ...]) -> State:
    before = state.in_play
    beside = beside_the_board(state.sight.dice)
    in_play = TurnInPlay(roll, state.at, dice, own, early_press=before.early_press, voids=before.voids, beside=beside)
    sight = replace(state.sight, early_dice=(), asked=False)
    return counted(replace(state, phase=Phase.TO_PLAY, in_play=in_play, sight=sight))


def _ruled(state: State, ruling: ThrowRuling, dice: tuple[DieTrack, ...]) -> State:
    die_px = min((die.size_px for die in dice if die.on_board), default=state.die_px)
    return replace(state, ruling=ruling, rulings=ruling.number, die_px=die_px)


def _ruling(
    state: State,
    outcome: ThrowOutcome,
    values: tuple[int, int] | None,
    reason: VoidReason | None,
    dice: tuple[DieTrack, ...],
    judge: Judge,
) -> ThrowRuling:
    side = None if state.phase is Phase.OPENING else state.turn
    return ThrowRuling(
        state.rulings + 1, state.at, side, outcome, judge, values, reason, tuple(die_at_rest(die) for die in dice)
    )


def die_at_rest(die: DieTrack) -> DieAtRest:
    """The die as a ruling keeps it."""
    face, probability = die.face
    return DieAtRest(round(die.u, 4), round(die.v, 4), face, round(probability, 4), die.state[0], die.half)


def watch_rethrow(state: State) -> Ruled:
    """Say once that the mover has thrown again before ending the turn; until then nothing happens.

    The opponent's early throw is not meant: those dice have their own colour, or lie in that side's own right half.
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
        return replace(state, in_play=replace(state.in_play, dice=dice, own_dice=dice, lifted_looks=0)), ()
    ruling = ThrowRuling(
        state.rulings + 1,
        state.at,
        state.turn,
        ThrowOutcome.VALID,
        Judge.REFEREE,
        roll,
        None,
        tuple(die_at_rest(die) for die in dice),
        rethrown=values,
    )
    in_play = replace(state.in_play, own_dice=dice, lifted_looks=0)
    state = replace(with_known_dice(state, dice), in_play=in_play, ruling=ruling, rulings=ruling.number)
    if state.rules.call_reroll == "opponent_agrees" and state.clock.running is not None:
        state = replace(state, paused=PauseReason.RETHROWN, clock=state.clock.pause(state.at))
    return state, (ruling,)


def _thrown_again(state: State, mover: Side) -> Valid | None:
    """The valid throw that lies there instead of the mover's dice; None while they lie, or nothing else does."""
    old = state.in_play.own_dice or state.in_play.dice
    lying = state.sight.dice.tracks
    if not old or any(_same(die, track) for die in old for track in lying):
        return None
    own = replace(state.sight.dice, tracks=tuple(track for track in lying if _thrown_by(state, mover, track)))
    known = (*state.sight.known_dice, *state.in_play.dice)
    verdict = judge_throw(own, known, mover, state.rules, state.sight.false_dice)
    return verdict if isinstance(verdict, Valid) else None


def _thrown_by(state: State, mover: Side, die: DieTrack) -> bool:
    owner = state.sight.dice_colours.owner(die.colour)
    return die.half is right_half(mover) if owner is None else owner is mover


def _same(die: DieTrack, track: DieTrack) -> bool:
    return die.near(track) and die.face[0] == track.face[0]
