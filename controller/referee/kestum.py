"""Kestum: a word, or a button, that voids a throw while both dice roll (000:L86)."""

from dataclasses import replace

from controller.referee.dice import (
    SURE,
    DieTrack,
    VoidReason,
)
from controller.referee.events import DieState, Pressed, RollingDice, Scene
from controller.referee.false_dice import may_roll
from controller.referee.orders import OrderRefusedError
from controller.referee.presses import SIDES
from controller.referee.rulings import Judge, Ruling, ThrowRuling
from controller.referee.sight import with_known_dice
from controller.referee.state import Phase, Ruled, State
from controller.referee.throws import throw_is_void
from controller.rules import Side

ROLL_MS = 2_500
"""Dice that come to rest so soon after the call are those that it voided. A convention: dice roll for a second or two,
and nobody gathers and throws them again in less."""


FRAMES_AT_REST = 2
"""Moving frames in a row that show a die in one place, the same face up, before it counts as having stopped: the fewest
that can show it. A die that rolls goes farther than ``SAME_PLACE``, its own width, from one frame to the next."""


def with_rolling_dice(state: State, event: RollingDice) -> State:
    """Add what a moving frame shows of the dice; only where somebody may call it is asked for."""
    dice = may_roll(event.dice, state.sight.false_dice)
    return replace(state, sight=replace(state.sight, rolling=state.sight.rolling.with_look(dice)))


def rolling_dice_wanted(state: State) -> bool:
    """Whether dice have to be followed while they roll."""
    return state.rules.kestum != "off" and state.phase is Phase.TO_THROW


def call_kestum(state: State, side: Side | None) -> Ruled:
    """Void the throw that rolls, if none of its dice has stopped.

    Raises OrderRefusedError where the call means nothing: the throw then counts as if nobody had spoken.
    """
    why = _deaf(state, side or (state.turn.other if state.turn else None))
    if why:
        raise OrderRefusedError(why)
    dice = _fresh(state)
    state, rulings = throw_is_void(state, VoidReason.KESTUM, dice, Judge.REFEREE)
    marked = tuple(_rolling(ruling) for ruling in rulings)
    return replace(state, ruling=marked[-1], sight=replace(state.sight, kestum_at=state.at)), marked


def called_by_button(state: State, event: Pressed) -> Ruled | None:
    """What follows when the thrower's opponent hits their own button while the dice roll; None: it is no call.

    That button means nothing else at that time.
    """
    side = SIDES.get(event.button)
    timed = state.clock.turn is not None and not state.paused
    if not timed or side is None or side is state.turn or state.turn is None or _deaf(state, side):
        return None
    return call_kestum(state, side)


def rolled_out(state: State) -> State | None:
    """The state with the dice of a voided roll known for what they are, None where no such dice lie there."""
    called = state.sight.kestum_at
    if called is None:
        return None
    if state.at - called > ROLL_MS:
        return None
    lying = tuple(die for die in state.sight.dice.without(state.sight.known_dice) if die.on_board)
    return with_known_dice(state, lying) if lying else None


def _rolling(ruling: Ruling) -> Ruling:
    """The ruling with its dice as what they are: a tilted die that rolls is not cocked."""
    if not isinstance(ruling, ThrowRuling):
        return ruling
    return replace(ruling, dice=tuple(replace(die, state=DieState.MOVING) for die in ruling.dice))


def _deaf(state: State, side: Side | None) -> str:
    """Why a call is not heard, as a key of the texts under ``order``; "" when it is."""
    rules = state.rules
    if rules.kestum == "off":
        return "no_kestum"
    if state.phase is not Phase.TO_THROW:
        return "kestum_too_late" if state.phase is Phase.TO_PLAY else "no_throw_awaited"
    if rules.kestum == "opponent" and side is state.turn:
        return "kestum_is_the_opponents"
    if state.in_play.voids.count(VoidReason.KESTUM) >= rules.kestum_per_turn:
        return "kestum_is_spent"
    dice = _fresh(state)
    if any(_at_rest(die) for die in dice) or (dice and state.sight.scene is Scene.QUIET):
        return "kestum_too_late"
    # What nobody saw roll is not called void either: the arbiter may do that.
    return "" if dice else "no_dice_roll"


def _fresh(state: State) -> tuple[DieTrack, ...]:
    """The dice of the throw that is under way: at rest already, or as the moving frames show them."""
    sight = state.sight
    watch = sight.dice if sight.scene is Scene.QUIET else sight.rolling
    return tuple(die for die in watch.without(sight.known_dice) if die.on_board)


def _at_rest(die: DieTrack) -> bool:
    return die.looks >= FRAMES_AT_REST and die.state[0] is not DieState.MOVING and die.face[1] >= SURE
