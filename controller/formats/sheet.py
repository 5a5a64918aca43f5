"""The score sheet of a match: a table for programs (CSV) and a page for people (text)."""

import csv
import io
from collections.abc import Iterator

from controller.formats.notation import position_text, standard
from controller.formats.record import CubeRecord, GameRecord, MatchRecord, OrderRecord, RulingNote, TurnRecord
from controller.locale import Lang, catalogue, text
from controller.rules import Game, NotationError, Play, Position, PositionError, Side

CSV_COLUMNS = (
    "game",
    "turn",
    "side",
    "player",
    "roll",
    "play",
    "verdict",
    "voids",
    "rulings",
    "white_clock",
    "black_clock",
    "white_score",
    "black_score",
    "position",
    "order",
    "note",
)
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def clock_text(left_ms: int) -> str:
    """Return a reserve as a clock shows it, m:ss or h:mm:ss, rounded up so that 0:00 means a fallen flag.

    >>> clock_text(287_000), clock_text(1), clock_text(3_600_000)
    ('4:47', '0:01', '1:00:00')
    """
    seconds = -(-left_ms // 1000)
    minutes, hours = seconds // 60 % 60, seconds // 3600
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"


def csv_sheet(record: MatchRecord) -> str:
    """Return one line a turn, cube action, order and result, comma-separated with a header, lines ended by CR LF.

    ``position`` is the one after the turn, in the mover's numbering, as ``Position.compact`` writes it. What people
    wrote and a spreadsheet would take for a formula gets an apostrophe in front.
    """
    out = io.StringIO()
    table = csv.DictWriter(out, CSV_COLUMNS, restval="")
    table.writeheader()
    for game in record.games:
        for number, turn in game.numbered:
            if isinstance(turn, OrderRecord):
                table.writerow({"game": game.number, **_csv_order(turn)})
                continue
            who = {"game": game.number, "side": turn.side.value, "player": _cell(record, turn.side)}
            table.writerow({**who, "turn": number or "", **_csv_turn(turn)})
        if game.end is not None:
            winner = game.end.winner
            table.writerow(
                {
                    "game": game.number,
                    "side": winner.value if winner else "",
                    "player": _cell(record, winner) if winner else "",
                    "verdict": f"{game.end.kind} {game.end.points}",
                    "white_score": game.score_after[0],
                    "black_score": game.score_after[1],
                }
            )
    return out.getvalue()


def text_sheet(record: MatchRecord, lang: Lang) -> str:
    """Return the whole match as a page of text in ``lang``: turns, clocks, void throws, rulings, results."""
    lines = [text(lang, "sheet.title"), *_head(record, lang)]
    for game in record.games:
        lines += ["", *_game(record, game, lang)]
    white, black = record.score
    lines += ["", text(lang, "sheet.score", white=record.white, black=record.black, left=white, right=black)]
    if record.winner is not None:
        lines.append(text(lang, "sheet.match_won", player=record.player(record.winner)))
    return "\n".join(lines) + "\n"


def _cell(record: MatchRecord, side: Side) -> str:
    return _no_formula(record.player(side))


def _no_formula(words: str) -> str:
    return f"'{words}" if words.startswith(FORMULA_STARTS) else words


def _csv_order(order: OrderRecord) -> dict[str, str]:
    parts = " ".join(f"{name}={value}" for name, value in order.details)
    return {
        "player": _no_formula(order.who),
        "order": f"{order.verb} {parts}".rstrip(),
        "note": _no_formula(order.note),
    }


def _csv_turn(turn: TurnRecord | CubeRecord) -> dict[str, str]:
    if isinstance(turn, CubeRecord):
        return {"play": f"{turn.action.value} {turn.value}"}
    row = {
        "roll": _roll(turn),
        "play": _as_players_write(turn.notation),
        "position": turn.after,
        "verdict": turn.verdict,
        "voids": " ".join(turn.voids),
        "rulings": "; ".join(
            " ".join(part for part in (note.verdict, note.reason, note.clause, note.judge) if part)
            for note in turn.rulings
        ),
    }
    if turn.times is not None:
        row["white_clock"] = clock_text(turn.times.white_ms)
        row["black_clock"] = clock_text(turn.times.black_ms)
    return row


def _head(record: MatchRecord, lang: Lang) -> Iterator[str]:
    about = [record.place, record.date, record.ruleset]
    if record.length:
        about.append(text(lang, "sheet.length", points=record.length))
    yield ", ".join(part for part in about if part)
    for side in Side:
        yield f"{text(lang, f'sheet.{side.value}')}: {record.player(side)}"


def _game(record: MatchRecord, game: GameRecord, lang: Lang) -> Iterator[str]:
    head = text(lang, "sheet.game", number=game.number, white=game.score[0], black=game.score[1])
    yield f"{head}, {text(lang, 'sheet.crawford')}" if game.crawford else head
    for reason in game.opening_voids:
        yield f"     {_void(reason, lang)}"
    if game.openings:
        throws = ", ".join(f"{white}-{black}" for white, black in game.openings)
        yield f"     {text(lang, 'sheet.opening', throws=throws)}"
    for number, turn in game.numbered:
        match turn:
            case OrderRecord():
                yield f"     {_order(turn, record.game, lang)}"
            case CubeRecord():
                side = text(lang, f"sheet.{turn.side.value}")
                yield f"     {side:<7} {text(lang, f'sheet.{turn.action.value}', value=turn.value)}"
            case TurnRecord():
                yield from _turn(number or 0, turn, record.game, lang)
    if any(game.penalty):
        yield f"     {text(lang, 'sheet.penalty', white=game.penalty.white, black=game.penalty.black)}"
    yield _end(record, game, lang)


def _turn(number: int, turn: TurnRecord, game: Game, lang: Lang) -> Iterator[str]:
    side = text(lang, f"sheet.{turn.side.value}")
    for reason in turn.voids:
        yield f"     {side:<7} {_void(reason, lang)}"
    for note in turn.rulings:
        yield f"     {side:<7} {_ruling(note, lang)}"
    line = f"{number:>4} {side:<7} {_roll(turn):<3}  {_play(turn, game, lang)}"
    if turn.times is not None:
        line = f"{line:<52} {clock_text(turn.times.white_ms):>8} {clock_text(turn.times.black_ms):>8}"
    yield line


def _play(turn: TurnRecord, game: Game, lang: Lang) -> str:
    """The play as players write it, and the board where the steps are not known or an illegal play stands."""
    if turn.verdict == "accepted" and turn.notation:
        return text(lang, "sheet.no_move") if turn.notation == "pass" else _as_players_write(turn.notation)
    said = text(lang, "sheet.unknown_steps" if not turn.notation else "sheet.stands")
    parts = (_as_players_write(turn.notation), f"({said})", _board(turn.after, game))
    return " ".join(part for part in parts if part)


def _as_players_write(notation: str) -> str:
    """One checker's steps joined: 24/21*/18; what is no play stays as it is."""
    try:
        return standard(Play.parse(notation)) if notation else ""
    except NotationError:
        return notation


def _board(compact: str, game: Game) -> str:
    try:
        return position_text(Position.parse(compact), game)
    except PositionError:
        return compact


def _order(order: OrderRecord, game: Game, lang: Lang) -> str:
    """Who ordered what, with the reason that they gave."""
    what = _named(f"sheet.order.{order.verb}", order.verb, lang)
    parts = ", ".join(
        f"{_named(f'sheet.part.{name}', name, lang)} {_part(name, value, game, lang)}" for name, value in order.details
    )
    who = _named(f"sheet.who.{order.who}", order.who, lang)
    line = f"{text(lang, 'sheet.ordered', who=who)}: {what}{f', {parts}' if parts else ''}"
    return f"{line} ({text(lang, 'sheet.because', note=order.note)})" if order.note else line


def _part(name: str, value: str, game: Game, lang: Lang) -> str:
    if name.endswith("_ms") and value.lstrip("-").isdigit():
        return clock_text(int(value))
    if name == "position":
        return _board(value, game)
    if name == "kind":
        return _kind(value, game, lang)
    kinds = {"about": "claim.", "what": "what.", "order": "order."}
    return _named(f"sheet.{kinds.get(name, '')}{value}", value, lang)


def _roll(turn: TurnRecord) -> str:
    return f"{turn.roll[0]}-{turn.roll[1]}" if turn.roll else ""


def _void(reason: str, lang: Lang) -> str:
    return _named(f"void.{reason}", reason, lang)


def _ruling(note: RulingNote, lang: Lang) -> str:
    said = _named(f"sheet.verdict.{note.verdict}", note.verdict, lang)
    faults = [_named(f"fault.{name}", name, lang) for name in note.reason.split(", ") if name]
    because = "; ".join([*faults, note.clause] if note.clause else faults)
    whom = text(lang, "sheet.by_arbiter") if note.judge == "arbiter" else ""
    return f"{said}{f': {because}' if because else ''}{f' ({whom})' if whom else ''}"


def _named(key: str, bare: str, lang: Lang) -> str:
    """Return the text for ``key``; a record of a later version may hold names that this one has no words for."""
    return catalogue(lang).get(key, bare)


def _kind(kind: str, game: Game, lang: Lang) -> str:
    """How a game was won, in backgammon's words or in those of nardy."""
    nardy = _named(f"sheet.kind.{kind}", kind, lang)
    return _named(f"sheet.kind.backgammon.{kind}", nardy, lang) if game.opposed else nardy


def _end(record: MatchRecord, game: GameRecord, lang: Lang) -> str:
    if game.end is None:
        return text(lang, "sheet.unfinished")
    kind = _kind(game.end.kind, record.game, lang)
    if game.end.winner is None:
        return text(lang, "sheet.draw", kind=kind)
    return text(lang, "sheet.wins", player=record.player(game.end.winner), kind=kind, points=game.end.points)
