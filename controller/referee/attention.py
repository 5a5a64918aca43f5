"""When the camera should look again although nothing moves: a ruling waits for what it sees."""

from controller.referee.state import Phase, State
from controller.referee.throw import LOOKS_TO_ASK

LOOKS_SPARE = 2
"""Looks beyond those after which the referee asks: a reader that misses one die in 16 (docs/dice.md, "missed") would
miss it in three independent looks in a row once in 4,000 times."""


def looks_wanted(state: State) -> bool:
    """Whether another look at the quiet scene can bring a ruling, or the question in its place."""
    if state.phase is Phase.SETUP:
        return True
    if state.phase is Phase.TO_PLAY:
        return state.pressed_at is not None and state.looks_since_press <= LOOKS_TO_ASK
    return state.phase in {Phase.OPENING, Phase.TO_THROW} and _dice_not_ruled_on(state)


def _dice_not_ruled_on(state: State) -> bool:
    """Whether dice lie there that nobody has ruled on or asked about yet."""
    sight = state.sight
    if sight.asked or state.cube.offered_by is not None or sight.dice.looks >= LOOKS_TO_ASK + LOOKS_SPARE:
        return False
    return any(die.on_board for die in sight.dice.without(sight.known_dice))
