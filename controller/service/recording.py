"""From the referee's state to the neutral record that exports and score sheets are made of."""

from controller.export.record import ClockTimes, GameEnd, GameRecord, MatchRecord, RulingNote, TurnRecord
from controller.locale import Lang, text
from controller.referee.rulings import PlayVerdict
from controller.referee.state import GameLog, Phase, State, Turn


def match_record(state: State, lang: Lang = Lang.EN, *, date: str = "", place: str = "") -> MatchRecord:
    """The match so far, the game under way included; ``lang`` names players who have given no name."""
    logs = state.finished if state.phase is Phase.MATCH_OVER else (*state.finished, state.game)
    games: list[GameRecord] = []
    score = (0, 0)
    for log in logs:
        game = _game(log, score)
        score = game.score_after
        games.append(game)
    rules = state.rules
    return MatchRecord(
        rules.game,
        state.ruleset,
        rules.length if rules.play == "match" else 0,
        state.white or text(lang, "sheet.white"),
        state.black or text(lang, "sheet.black"),
        tuple(games),
        date,
        place,
        rules.crawford,
    )


def _game(log: GameLog, score: tuple[int, int]) -> GameRecord:
    end = GameEnd(log.winner, log.result.kind.value, log.result.points) if log.result else None
    return GameRecord(
        log.number,
        score,
        log.starter,
        log.openings,
        tuple(reason.value for reason in log.opening_voids),
        tuple(_turn(turn) for turn in log.turns),
        end,
    )


def _turn(turn: Turn) -> TurnRecord:
    notes = tuple(RulingNote(PlayVerdict.REFUSED.value, reason=", ".join(refused.faults)) for refused in turn.refused)
    return TurnRecord(
        turn.side,
        (turn.roll.high, turn.roll.low),
        turn.notation,
        turn.verdict.value,
        tuple(reason.value for reason in turn.voids),
        notes,
        ClockTimes(turn.white_ms, turn.black_ms),
    )
