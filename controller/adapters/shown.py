"""What of a state is shown to people: on pages and lamps, on the virtual table's display, to the watch over the reeds.

Between two turns the last position stays on the screen, between two games the last game.
"""

from enum import Enum
from typing import assert_never

from controller.referee.state import GameLog, Phase, State
from controller.rules import Position, Side, start


class ShownPhase(Enum):
    """What is going on: the referee's phase, a pause, or the time between two games."""

    SETUP = Phase.SETUP.value
    OPENING = Phase.OPENING.value
    TO_THROW = Phase.TO_THROW.value
    TO_PLAY = Phase.TO_PLAY.value
    DECIDING = Phase.DECIDING.value
    PAUSED = "paused"
    GAME_OVER = "game_over"
    MATCH_OVER = Phase.MATCH_OVER.value


def phase_shown(state: State) -> ShownPhase:
    """What is going on; a question to the arbiter goes before the pause that it brings."""
    if state.paused and state.phase is not Phase.DECIDING:
        return ShownPhase.PAUSED
    match state.phase:
        case Phase.SETUP:
            return ShownPhase.GAME_OVER if state.finished and not state.sight.settled.looks else ShownPhase.SETUP
        case Phase.OPENING:
            return ShownPhase.OPENING
        case Phase.TO_THROW:
            return ShownPhase.TO_THROW
        case Phase.TO_PLAY:
            return ShownPhase.TO_PLAY
        case Phase.DECIDING:
            return ShownPhase.DECIDING
        case Phase.MATCH_OVER:
            return ShownPhase.MATCH_OVER
        case _ as never:
            assert_never(never)


def game_shown(state: State) -> GameLog:
    """The game on the screen: the last one until the next has begun."""
    fresh = not state.game.turns and state.game.starter is None and state.phase is Phase.SETUP
    return state.finished[-1] if fresh and state.finished else state.game


def position_shown(state: State) -> Position:
    """The position on the screen, in White's numbering."""
    if state.position is not None and state.turn is not None:
        return white_view(state, state.position, state.turn)
    turns = game_shown(state).turns
    if turns:
        return white_view(state, turns[-1].after, turns[-1].side)
    return start(state.rules.game)


def white_view(state: State, position: Position, mover: Side) -> Position:
    """A position in the mover's numbering as White sees it."""
    return position.seen_by(mover, state.rules.game)
