"""Which play a player makes of a roll: a random legal one, now and then an illegal one, then a corrected one."""

from random import Random

from controller.rules import Game, Illegal, Play, Position, Roll, judge, legal_plays
from controller.simulator.actions import Chose, PlannedFault
from controller.simulator.crossing import difference, moves_of, position_of, table_position
from controller.simulator.layout import SLOTS
from controller.simulator.misplays import misplays
from controller.simulator.plan import Habits
from controller.simulator.table_state import TableState

GLANCES = 2
"""How many legal plays a player considers."""


def first_choice(state: TableState, habits: Habits) -> Chose:
    """Return the play of this turn; illegal when that fault is due and the roll leaves something to get wrong."""
    turn, game = state.turn, habits.ruleset.game
    before = position_of(state.world.position(), turn.side, game)
    legal = _legal(state, habits)
    rng = habits.rng(state.game, turn.number, "play")
    due = habits.due_fault(state.game, turn.number, state.committed, frozenset({PlannedFault.ILLEGAL_PLAY}))
    if due is not None:
        for end in misplays(before, _roll(state), legal, game, rng):
            wrong = wrongs(state, end, habits)
            if wrong:
                position = table_position(end, turn.side, game)
                return Chose("", position, difference(state.world.position(), position), wrong)
    end, play = _pick(legal, game, rng)
    return Chose(str(play), table_position(end, turn.side, game), moves_of(play, turn.side, game))


def corrected(state: TableState, habits: Habits) -> Chose:
    """Return a legal play reached from what lies on the table; if that is legal already, it is shown again."""
    turn, game = state.turn, habits.ruleset.game
    legal = _legal(state, habits)
    lies = position_of(state.world.position(), turn.side, game)
    if lies in legal:
        return Chose(str(legal[lies]), state.world.position(), ())
    end, play = _pick(legal, game, habits.rng(state.game, turn.number, "play", turn.tries))
    position = table_position(end, turn.side, game)
    return Chose(str(play), position, difference(state.world.position(), position))


def wrongs(state: TableState, end: Position, habits: Habits) -> tuple[str, ...]:
    """Return what is wrong with ending the turn at ``end``, empty for a legal end."""
    verdict = judge(_before(state, habits), _roll(state), end, habits.ruleset, **_occasion(state))
    if isinstance(verdict, Illegal):
        return tuple(found.fault.value for found in verdict.faults)
    return ()


def _legal(state: TableState, habits: Habits) -> dict[Position, Play]:
    return legal_plays(_before(state, habits), _roll(state), habits.ruleset, **_occasion(state))


def _before(state: TableState, habits: Habits) -> Position:
    turn = state.turn
    if turn.before is None:
        msg = f"turn {turn.number} has no roll yet"
        raise RuntimeError(msg)
    return position_of(turn.before, turn.side, habits.ruleset.game)


def _roll(state: TableState) -> Roll:
    if state.turn.roll is None:
        msg = f"turn {state.turn.number} has no roll yet"
        raise RuntimeError(msg)
    return Roll.of(*state.turn.roll)


def _occasion(state: TableState) -> dict[str, bool]:
    return {"first_turn": state.turn.number <= 2, "second_player": state.turn.side is not state.starter}


def _pick(legal: dict[Position, Play], game: Game, rng: Random) -> tuple[Position, Play]:
    """Pick the more sensible of a few random plays, so that games come to an end and the board stays readable."""
    ends = sorted(legal)
    end = min((rng.choice(ends) for _ in range(GLANCES)), key=lambda seen: _clumsiness(seen, game))
    return end, legal[end]


def _clumsiness(end: Position, game: Game) -> int:
    """Count heaps; in a hitting game also the mover's single checkers and those that were hit, which make it longer."""
    mine = [count for count in end.points if count > 0]
    heaps = sum(count - SLOTS for count in mine if count > SLOTS)
    return heaps + (2 * end.bar[1] + mine.count(1) if game.opposed else 0)
