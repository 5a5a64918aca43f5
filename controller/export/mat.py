"""The .mat text of Jellyfish, as GNU Backgammon writes and reads it: backgammon, nackgammon and hypergammon.

White is the left column. The format knows neither void throws nor rulings; the score sheet has them.
"""

from controller.export.record import CubeAction, CubeRecord, ExportError, GameRecord, MatchRecord, TurnRecord
from controller.rules import Game, NotationError, Play, Side

VARIATIONS = {Game.SHORT: "Backgammon", Game.NACKGAMMON: "NackGammon", Game.HYPER: "HyperGammon"}
COLUMN = 27
HEAD_COLUMN = 32


def mat(record: MatchRecord) -> str:
    """Return ``record`` as a .mat file.

    Raises ExportError for a long game, and for a turn that is no play, with its place.
    """
    if record.game not in VARIATIONS:
        known = ", ".join(game.value for game in VARIATIONS)
        msg = ".mat holds {known}; this match is {game}: take text, csv or json"
        raise ExportError(msg, known=known, game=record.game.value)
    lines = [*_tags(record), "", f" {record.length} point match"]
    for game in record.games:
        lines += ["", f" Game {game.number}", _head(record, game), *_moves(game)]
    return "\n".join(lines) + "\n"


def _tags(record: MatchRecord) -> list[str]:
    tags = {
        "Site": record.place,
        "Player 1": record.white,
        "Player 2": record.black,
        "EventDate": record.date.replace("-", "."),
        "Variation": VARIATIONS[record.game],
        "Crawford": "On" if record.crawford_rule else "Off",
    }
    return [f'; [{tag} "{_quotable(value)}"]' for tag, value in tags.items() if value]


def _quotable(value: str) -> str:
    return value.replace('"', "'").replace("\n", " ")


def _name(name: str) -> str:
    """Return the name as readers of .mat take it: it ends at a colon, and two blanks part the columns."""
    return " ".join(name.replace(":", " ").split()) or "?"


def _head(record: MatchRecord, game: GameRecord) -> str:
    left = f" {_name(record.white)} : {game.score[0]}"
    right = f"{_name(record.black)} : {game.score[1]}"
    # A long name still needs two blanks to part it from the other.
    return f"{left:<{max(HEAD_COLUMN, len(left) + 2)}}{right}"


def _moves(game: GameRecord) -> list[str]:
    cells = [(turn.side, _cell(turn, game.number)) for turn in game.turns]
    if game.end is not None and game.end.winner is not None:
        points = game.end.points
        cells.append((game.end.winner, f" Wins {points} point{'' if points == 1 else 's'}"))
    rows: list[list[str]] = []
    for side, cell in cells:
        if side is Side.WHITE:
            rows.append([cell, ""])
        elif rows and not rows[-1][1]:
            rows[-1][1] = cell
        else:
            rows.append(["", cell])
    lines = []
    for number, (left, right) in enumerate(rows, 1):
        numbered = "     " if "Wins" in left + right and not (left and right) else f"{number:>3}) "
        lines.append(f"{numbered}{left:<{COLUMN}} {right}".rstrip())
    return lines


def _cell(turn: TurnRecord | CubeRecord, number: int) -> str:
    if isinstance(turn, CubeRecord):
        return {
            CubeAction.DOUBLE: f" Doubles => {turn.value}",
            CubeAction.TAKE: " Takes",
            CubeAction.PASS: " Drops",
        }[turn.action]
    try:
        play = Play.parse(turn.notation)
    except NotationError as error:
        msg = "game {number}: the turn {roll} {notation!r} is no play that .mat can hold"
        roll = f"{turn.roll[0]}-{turn.roll[1]}"
        raise ExportError(msg, number=number, roll=roll, notation=turn.notation) from error
    steps = [f"{step.source}/{step.target}{'*' if step.hit else ''}" for step in play.steps]
    return f"{turn.roll[0]}{turn.roll[1]}: {' '.join(steps)}".rstrip()
