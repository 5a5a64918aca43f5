"""From the referee's state to the neutral record that exports and score sheets are made of."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum

from controller.formats.notation import play_text
from controller.formats.record import (
    ClockTimes,
    CubeAction,
    CubeRecord,
    GameEnd,
    GameRecord,
    MatchRecord,
    OrderRecord,
    RulingNote,
    TurnRecord,
)
from controller.locale import Lang, text
from controller.ports.entries import Entry, Heard, Ruled
from controller.referee.events import MatchOpened, Ordered
from controller.referee.fold import fold, open_match
from controller.referee.orders import Beaver, Double, Order, OrderRefusedError, Pass, Swap, Take, Undo
from controller.referee.rulings import PlayVerdict
from controller.referee.state import CubeTurned, GameLog, Phase, State, Turn
from controller.rules import Kind, Position, Score, crawford_game


@dataclass(frozen=True, slots=True)
class GivenOrder:
    """An order that was carried out in a game, after so many of its turns."""

    game: int
    turns: int
    order: OrderRecord


@dataclass(frozen=True, slots=True)
class History:
    """What a state no longer knows: the orders that led to it, and the scores at which games began."""

    orders: tuple[GivenOrder, ...] = ()
    began: Mapping[int, Score] = field(default_factory=dict)


def history_of(entries: Iterable[Entry]) -> tuple[State, History] | None:
    """Fold what a journal holds and keep what the state at its end does not tell; None for an empty one."""
    state: State | None = None
    history = History()
    for event in entries:
        if isinstance(event, Ruled | Heard):
            continue
        if isinstance(event, MatchOpened):
            state, history = open_match(event), History()
        elif state is not None:
            before = state
            try:
                state, _ = fold(before, event)
            except OrderRefusedError:
                continue
            history = _with_event(history, before, event.order if isinstance(event, Ordered) else None, state, event)
    return None if state is None else (state, history)


def _with_event(history: History, before: State, order: Order | None, after: State, event: object) -> History:
    orders = history.orders
    undone = before.done.order if before.done and isinstance(order, Undo) else None
    if isinstance(order, Undo) and undone is None:
        # What was said over turns that are taken back stays before those that are played instead.
        orders = tuple(_kept(given, after) for given in orders)
    if order is not None and isinstance(event, Ordered) and not isinstance(order, Double | Take | Beaver | Pass):
        game = after.game.number if isinstance(order, Undo) else before.game.number
        details = (("order", undone.verb),) if undone else _details(order)
        if isinstance(order, Undo) and not undone and _turns(before, game) > _turns(after, game):
            details = (("turn", str(_turns(before, game))),)
        given = OrderRecord(order.verb, event.who, event.note, details)
        orders = (*orders, GivenOrder(game, _turns(after, game), given))
    number = after.game.number
    began = history.began
    if isinstance(undone or order, Swap) and before.score != after.score:
        # The players have changed seats, and with them whose points are whose.
        began = {played: Score(score.black, score.white) for played, score in began.items()}
    if after.phase is Phase.SETUP and began.get(number) != after.game.score:
        began = {**began, number: after.game.score}
    return History(orders, began)


def _kept(given: GivenOrder, state: State) -> GivenOrder:
    game = min(given.game, state.game.number)
    return replace(given, game=game, turns=min(given.turns, _turns(state, game)))


def _turns(state: State, number: int) -> int:
    """How many turns of a game are finished."""
    return next((len(log.turns) for log in state.games if log.number == number), 0)


def _details(order: Order) -> tuple[tuple[str, str], ...]:
    values = ((part.name, getattr(order, part.name)) for part in fields(order) if part.name != "verb")
    return tuple((name, _detail(value)) for name, value in values if value is not None)


def _detail(value: object) -> str:
    match value:
        case Position():
            return str(value)
        case Enum():
            return str(value.value)
        case bool():
            return "yes" if value else "no"
        case tuple():
            return "-".join(map(str, value))
        case _:
            return str(value)


def match_record(
    state: State, lang: Lang = Lang.EN, *, history: History | None = None, date: str = "", place: str = ""
) -> MatchRecord:
    """The match so far, the game under way included; ``lang`` names players who have given no name.

    Without its ``history`` the record has no orders, and a score that was set in a game is the one it began at.
    """
    rules = state.rules
    past = history or History()
    logs = _logs(state, past)
    scores = [log.score for log in logs]
    games = tuple(
        replace(
            _game(log, past, crawford=crawford_game(rules, scores[: number + 1])),
            after=log.after if log in state.finished else state.score,
        )
        for number, log in enumerate(logs)
    )
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


def _logs(state: State, history: History) -> tuple[GameLog, ...]:
    """All games, also one that a fallen flag has ended; a next one in which nothing has happened yet is none."""
    game = state.game
    ended = bool(state.finished) and state.finished[-1].number == game.number
    ordered = any(given.game == game.number for given in history.orders)
    begun = game.openings or game.opening_voids or game.turns or ordered or not state.finished
    return state.finished if ended or not begun else (*state.finished, game)


def _game(log: GameLog, history: History, *, crawford: bool) -> GameRecord:
    end = GameEnd(log.winner, log.result.kind.value, log.result.points) if log.result else None
    return GameRecord(
        log.number,
        history.began.get(log.number, log.score),
        log.starter,
        log.openings,
        tuple(reason.value for reason in log.opening_voids),
        tuple(_entries(log, [given for given in history.orders if given.game == log.number])),
        end,
        crawford,
        log.penalty,
    )


def _entries(log: GameLog, orders: list[GivenOrder]) -> Iterator[TurnRecord | CubeRecord | OrderRecord]:
    """The turns, and before each what was ordered and done about the cube; a pass ends the game."""
    cube = list(log.cube)
    for number, turn in enumerate(log.turns):
        yield from (given.order for given in orders if given.turns == number)
        while cube and cube[0].turns <= number:
            yield _cube(cube.pop(0))
        yield _turn(turn)
    yield from (given.order for given in orders if given.turns >= len(log.turns))
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
        str(turn.before),
        str(turn.after),
    )
