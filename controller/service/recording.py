"""From the referee's state to the neutral record that exports and score sheets are made of."""

from collections.abc import Iterator

from controller.formats.notation import play_text
from controller.formats.record import (
    ClockTimes,
    CubeAction,
    CubeRecord,
    GameEnd,
    GameRecord,
    MatchRecord,
    RulingNote,
    TurnRecord,
)
from controller.locale import Lang, text
from controller.referee.rulings import PlayVerdict
from controller.referee.state import CubeTurned, GameLog, Phase, State, Turn
from controller.rules import Kind, crawford_game


def match_record(state: State, lang: Lang = Lang.EN, *, date: str = "", place: str = "") -> MatchRecord:
    """The match so far, the game under way included; ``lang`` names players who have given no name."""
    rules = state.rules
    logs = _logs(state)
    scores = [log.score for log in logs]
    games = tuple(_game(log, crawford=crawford_game(rules, scores[: number + 1])) for number, log in enumerate(logs))
    return MatchRecord(
        rules.game,
        state.ruleset,
        rules.length if rules.play == "match" else 0,
        state.white or text(lang, "sheet.white"),
        state.black or text(lang, "sheet.black"),
        games,
        date,
        place,
        rules.crawford,
        state.winner if state.phase is Phase.MATCH_OVER else None,
    )


def _logs(state: State) -> tuple[GameLog, ...]:
    """All games, also one that a fallen flag has ended; a next one in which nothing has happened yet is none."""
    game = state.game
    ended = bool(state.finished) and state.finished[-1].number == game.number
    begun = game.openings or game.opening_voids or game.turns or not state.finished
    return state.finished if ended or not begun else (*state.finished, game)


def _game(log: GameLog, *, crawford: bool) -> GameRecord:
    end = GameEnd(log.winner, log.result.kind.value, log.result.points) if log.result else None
    return GameRecord(
        log.number,
        log.score,
        log.starter,
        log.openings,
        tuple(reason.value for reason in log.opening_voids),
        tuple(_turns(log)),
        end,
        crawford,
        log.penalty,
    )


def _turns(log: GameLog) -> Iterator[TurnRecord | CubeRecord]:
    """The turns, and before each what was done about the cube; a pass ends the game."""
    cube = list(log.cube)
    for number, turn in enumerate(log.turns):
        while cube and cube[0].turns <= number:
            yield _cube(cube.pop(0))
        yield _turn(turn)
    yield from map(_cube, cube)
    if log.result and log.result.kind is Kind.DROP and log.winner and log.cube:
        yield CubeRecord(log.winner.other, CubeAction.PASS, log.cube[-1].value)


def _cube(turned: CubeTurned) -> CubeRecord:
    return CubeRecord(turned.side, CubeAction(turned.action), turned.value)


def _turn(turn: Turn) -> TurnRecord:
    notes = tuple(RulingNote(PlayVerdict.REFUSED.value, reason=", ".join(refused.faults)) for refused in turn.refused)
    return TurnRecord(
        turn.side,
        (turn.roll.high, turn.roll.low) if turn.roll else None,
        play_text(turn.play),
        turn.verdict.value,
        tuple(reason.value for reason in turn.voids),
        notes,
        ClockTimes(turn.white_ms, turn.black_ms),
    )
