"""The opening throw and every other throw, from dice at rest to a roll that has to be played."""

from dataclasses import replace

from controller.referee.early_press import counted
from controller.referee.events import DieState
from controller.referee.rulings import DieLies, Judge, Ruling, ThrowOutcome, ThrowRuling
from controller.referee.sight import with_known_dice, with_ruled_throw
from controller.referee.state import Phase, State
from controller.referee.throw import (
    DICE,
    DiceWatch,
    DieTrack,
    Doubtful,
    Valid,
    Void,
    VoidReason,
    judge_throw,
    right_half,
)
from controller.rules import Roll, Side

Ruled = tuple[State, tuple[Ruling, ...]]


def watch_throw(state: State) -> Ruled:
    """Rule on the dice when they lie at rest; until then nothing happens."""
    thrower = None if state.phase is Phase.OPENING else state.turn
    watch = _without_the_opponents(state)
    verdict = judge_throw(watch, state.sight.known_dice, thrower, state.rules, state.sight.fixtures)
    match verdict:
        case Valid(first=first, second=second, dice=dice) if _the_opponents(state, dice):
            return _asked(state, (first, second), dice)
        case Valid(dice=dice) if state.rules.premature == "void" and _thrown_early(state, dice):
            return throw_is_void(state, VoidReason.PREMATURE, dice, Judge.REFEREE)
        case Valid(first=first, second=second, dice=dice) if _thrown_early(state, dice):
            return _early_throw_counts(state, (first, second), dice)
        case Valid(first=first, second=second, dice=dice):
            return throw_counts(state, (first, second), dice, Judge.REFEREE)
        case Void(reason=reason, dice=dice):
            return throw_is_void(state, reason, dice, Judge.REFEREE)
        case Doubtful(first=first, second=second, dice=dice):
            return _asked(state, (first, second) if first and second else None, dice)
        case None:
            return state, ()


def _asked(state: State, values: tuple[int, int] | None, dice: tuple[DieTrack, ...]) -> Ruled:
    """Ask what was thrown, once; ``values`` are the best guess."""
    if state.sight.asked:
        return state, ()
    ruling = _ruling(state, ThrowOutcome.PLEASE_LOOK, values, None, dice, Judge.REFEREE)
    asked = replace(state, sight=replace(state.sight, asked=True))
    return _ruled(asked, ruling, dice), (ruling,)


def _without_the_opponents(state: State) -> DiceWatch:
    """The dice at rest, without the opponent's own where more than a pair lies there."""
    watch, pairs, side = state.sight.dice, state.sight.pairs, state.turn
    fresh = watch.without(state.sight.known_dice)
    if side is None or len(fresh) <= DICE:
        return watch
    his = tuple(track for track in watch.tracks if track not in fresh or pairs.owner(track.colour) is not side.other)
    return replace(watch, tracks=his)


def _the_opponents(state: State, dice: tuple[DieTrack, ...]) -> bool:
    """Whether this is not the pair of the side on turn: somebody has thrown out of turn, or the pairs were changed."""
    side = state.turn if state.phase is Phase.TO_THROW else None
    return side is not None and all(state.sight.pairs.owner(die.colour) is side.other for die in dice)


def _with_colours(state: State, dice: tuple[DieTrack, ...]) -> State:
    """Learn whose dice have which colour from a throw that counts."""
    pairs = state.sight.pairs
    for side in Side if state.turn is None else (state.turn,):
        own = [die for die in dice if state.turn is side or die.half is right_half(side)]
        colours = [die.colour for die in own if die.colour is not None]
        if colours:
            blue, green, red = (sum(parts) // len(parts) for parts in zip(*colours, strict=True))
            pairs = pairs.thrown(side, (blue, green, red))
    return replace(state, sight=replace(state.sight, pairs=pairs))


def _thrown_early(state: State, dice: tuple[DieTrack, ...]) -> bool:
    """Whether these dice lay there before the opponent had ended his turn (R13)."""
    early = state.sight.early_dice
    return all(any(die.near(past) and die.face[0] == past.face[0] for past in early) for die in dice)


def _early_throw_counts(state: State, values: tuple[int, int], dice: tuple[DieTrack, ...]) -> Ruled:
    """Take a throw that came before its time (R12): it stands, and may cost the delay of the turn (WBGF)."""
    if state.rules.premature_delay == "lost":
        state = replace(state, clock=state.clock.forfeit_delay(state.at))
    state, rulings = throw_counts(state, values, dice, Judge.REFEREE)
    told = tuple(replace(ruling, early=True) for ruling in rulings if isinstance(ruling, ThrowRuling))
    return replace(state, ruling=told[-1]), told


def throw_counts(state: State, values: tuple[int, int], dice: tuple[DieTrack, ...], judge: Judge) -> Ruled:
    """Take ``values`` as thrown (White's first in the opening throw)."""
    ruling = _ruling(state, ThrowOutcome.VALID, values, None, dice, judge)
    state = with_known_dice(with_ruled_throw(_ruled(state, ruling, dice), dice), dice)
    state = _with_colours(state, dice)
    if state.phase is Phase.OPENING:
        return _opening_counts(state, values, dice), (ruling,)
    return _to_play(state, Roll.of(*values), dice, dice), (ruling,)


def roll_replaced(state: State, values: tuple[int, int], judge: Judge) -> Ruled:
    """Take ``values`` for a roll that was read otherwise; what has been played is judged by them."""
    ruling = _ruling(state, ThrowOutcome.VALID, values, None, state.roll_dice, judge)
    state = replace(
        _ruled(state, ruling, ()), phase=Phase.TO_PLAY, roll=Roll.of(*values), lifted_looks=0, taken_back=None
    )
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
    ruling = _ruling(state, ThrowOutcome.RE_ROLL, None, reason, dice, judge)
    state = with_known_dice(with_ruled_throw(_ruled(state, ruling, dice), dice), dice)
    state = replace(state, sight=replace(state.sight, early_dice=(), early_press=None))
    if state.phase is Phase.OPENING:
        game = replace(state.game, opening_voids=(*state.game.opening_voids, reason))
        return replace(state, game=game), (ruling,)
    clock = state.clock
    if reason is VoidReason.COCKED and state.rules.cocked_clock == "delay_restarts":
        clock = clock.restart_delay(state.at)
    return replace(state, voids=(*state.voids, reason), clock=clock), (ruling,)


def _opening_counts(state: State, values: tuple[int, int], dice: tuple[DieTrack, ...]) -> State:
    """A tie is thrown again; otherwise the higher die starts, with these numbers or with a new throw (see A02, A03)."""
    white, black = values
    game = replace(state.game, openings=(*state.game.openings, values))
    if white == black:
        return replace(state, game=game, cube=state.cube.tied(state.rules))
    starter = Side.WHITE if white > black else Side.BLACK
    position = state.white_position()
    state = replace(
        state,
        game=replace(game, starter=starter),
        turn=starter,
        position=position if starter is Side.WHITE else position.turned(state.rules.game),
    )
    if state.rules.opening_dice == "use":
        return _to_play(state, Roll.of(white, black), dice, dice[:1] if starter is Side.WHITE else dice[1:])
    return replace(state, phase=Phase.TO_THROW)


def _to_play(state: State, roll: Roll, dice: tuple[DieTrack, ...], own: tuple[DieTrack, ...]) -> State:
    to_play = replace(
        state,
        phase=Phase.TO_PLAY,
        roll=roll,
        roll_dice=dice,
        own_dice=own,
        lifted_looks=0,
        refused=(),
        taken_back=None,
        sight=replace(state.sight, early_dice=(), asked=False),
    )
    return counted(to_play)


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
        state.rulings + 1, state.at, side, outcome, judge, values, reason, tuple(lies(die) for die in dice)
    )


def lies(die: DieTrack) -> DieLies:
    """How a ruling tells of a die."""
    face, chance = die.face
    state: DieState = die.state[0]
    return DieLies(round(die.u, 4), round(die.v, 4), face, round(chance, 4), state.value, die.half.value)
