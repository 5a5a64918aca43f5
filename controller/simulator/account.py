"""The referee's record in the shape that the virtual table compares with what was really played."""

from controller.formats.notation import play_text
from controller.referee.state import GameLog, Phase, State, Turn
from controller.rules import Game, Position, Side
from controller.simulator.truth import Account, GameAccount, RefusedAccount, TurnAccount
from controller.simulator.world import TablePosition


def account(state: State) -> Account:
    """Everything that was recorded, the game under way included when it has begun."""
    under_way = state.phase is not Phase.MATCH_OVER and (state.game.openings or state.game.turns)
    logs = (*state.finished, state.game) if under_way else state.finished
    return Account(tuple(_game(log, state.rules.game) for log in logs), state.score)


def _game(log: GameLog, game: Game) -> GameAccount:
    return GameAccount(
        log.number,
        log.openings,
        tuple(reason.value for reason in log.opening_voids),
        tuple(_turn(turn, game=game) for turn in log.turns),
        log.winner,
        log.result.kind.value if log.result else "",
        log.result.points if log.result else 0,
    )


def _turn(turn: Turn, *, game: Game) -> TurnAccount:
    return TurnAccount(
        turn.number,
        turn.side,
        tuple(reason.value for reason in turn.voids),
        (turn.roll.high, turn.roll.low) if turn.roll else None,
        tuple(RefusedAccount(_table_position(r.after, turn.side, game=game), r.faults) for r in turn.refused),
        _table_position(turn.after, turn.side, game=game),
        play_text(turn.play),
    )


def _table_position(after: Position, mover: Side, *, game: Game) -> TablePosition:
    white = after.seen_by(mover, game)
    return TablePosition(white.points, white.bar, white.off)
