"""The .mat text of Jellyfish, as GNU Backgammon 1.07 writes and reads it: backgammon, nackgammon and hypergammon.

There is no formal specification. White is the left column. ``bar`` and ``off`` are read for 25 and 0. The format knows
neither void throws nor rulings; the score sheet has them.
"""

import re
from dataclasses import dataclass, field

from controller.formats.record import CubeAction, CubeRecord, ExportError, GameRecord, MatchRecord, TurnRecord
from controller.rules import Game, NotationError, Play, Roll, RulesError, Ruleset, Side, ruleset, varied

VARIATIONS = {Game.SHORT: "Backgammon", Game.NACKGAMMON: "NackGammon", Game.HYPER: "HyperGammon"}
COLUMN = 27
HEAD_COLUMN = 32
PRESETS = {
    "": "short-wbgf",
    "standard": "short-wbgf",
    "backgammon": "short-wbgf",
    "nackgammon": "nackgammon",
    "hypergammon": "hyper",
    "hypergammon (3)": "hyper",
    "long nardy": "long-fnr",
}
"""Presets by the ``Variation`` of the header, in small letters."""
_RIGHT_COLUMN = 25
"""The first entry of a line that begins here or later belongs to the right player."""
_ENTRY = re.compile(
    r"(?P<dice>[1-6]{2}):(?P<moves>(?:\s+(?:bar|\d{1,2})/\S+)*)"
    r"|Doubles => (?P<value>\d{1,5})|Beavers => (?P<beaver>\d{1,5})"
    r"|(?P<take>Takes)|(?P<drop>Drops)|Wins (?P<points>\d{1,5}) points?",
    re.ASCII,
)
_NUMBER = re.compile(r"\s*\d{1,4}\)", re.ASCII)
_SCORE = re.compile(r"\s*(?P<left>.+?) : (?P<white>\d{1,4})\s{2,}(?P<right>.+?) : (?P<black>\d{1,4})\s*", re.ASCII)
_TAG = re.compile(r';\s*\[(?P<name>[^\s"]+) "(?P<value>[^"]*)"\]\s*')


def mat(record: MatchRecord) -> str:
    """Return ``record`` as a .mat file.

    Raises ExportError for a long game, and for a turn that is no play, with its place.
    """
    if record.game not in VARIATIONS:
        known = ", ".join(game.value for game in VARIATIONS)
        raise ExportError("no_mat", known=known, game=record.game.value)
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
            CubeAction.BEAVER: f" Beavers => {turn.value}",
            CubeAction.TAKE: " Takes",
            CubeAction.PASS: " Drops",
        }[turn.action]
    if turn.roll is None:
        # A closed-out player has not thrown: the place in their column stays empty.
        return ""
    try:
        play = Play.parse(turn.notation)
    except NotationError as error:
        roll = f"{turn.roll[0]}-{turn.roll[1]}"
        raise ExportError("no_mat_play", number=number, roll=roll, notation=turn.notation) from error
    steps = [f"{step.source}/{step.target}{'*' if step.hit else ''}" for step in play.steps]
    return f"{turn.roll[0]}{turn.roll[1]}: {' '.join(steps)}".rstrip()


@dataclass(frozen=True, slots=True)
class Moved:
    """A roll and how it was played."""

    side: Side
    roll: Roll
    play: Play


@dataclass(frozen=True, slots=True)
class Doubled:
    """A double to ``value``."""

    side: Side
    value: int


@dataclass(frozen=True, slots=True)
class Answered:
    """A double taken or dropped."""

    side: Side
    took: bool


@dataclass(frozen=True, slots=True)
class Beavered:
    """A double turned once more, to ``value``, by who was offered it."""

    side: Side
    value: int


Action = Moved | Doubled | Beavered | Answered


@dataclass(frozen=True, slots=True)
class MatGame:
    """One game: score before it (left, right), what happened and who won what; no winner in an unfinished one."""

    score: tuple[int, int]
    actions: tuple[Action, ...]
    winner: Side | None = None
    points: int = 0


@dataclass(frozen=True, slots=True)
class MatMatch:
    """A match; the left column is white, ``length`` 0 is money."""

    white: str
    black: str
    length: int
    games: tuple[MatGame, ...]
    tags: tuple[tuple[str, str], ...] = ()

    @property
    def rules(self) -> Ruleset:
        """The preset of the header's variation with the match's length.

        Raises NotationError for a variation that is not known.
        """
        variation = dict(self.tags).get("Variation", "").lower()
        if variation not in PRESETS:
            msg = f"no game for the variation {variation!r}; known are {', '.join(sorted(PRESETS))}"
            raise NotationError(msg)
        preset = ruleset(PRESETS[variation])
        if not self.length:
            return varied(preset, {"play": "money", "crawford": False})
        crawford = dict(self.tags).get("Crawford", "On").lower() != "off"
        return varied(preset, {"length": self.length, "crawford": preset.cube and crawford})


@dataclass(slots=True)
class _Reading:
    """What is read so far."""

    tags: list[tuple[str, str]] = field(default_factory=list)
    length: int = 0
    names: tuple[str, str] = ("", "")
    games: list[MatGame] = field(default_factory=list)
    score: tuple[int, int] = (0, 0)
    actions: list[Action] = field(default_factory=list)
    open_game: bool = False

    def close(self, winner: Side | None = None, points: int = 0) -> None:
        """End the game that is read."""
        if self.open_game:
            self.games.append(MatGame(self.score, tuple(self.actions), winner, points))
        self.actions, self.open_game = [], False


def read_mat(text: str) -> MatMatch:
    """Read a .mat file; raises NotationError that quotes the line."""
    reading = _Reading()
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            _read_line(line, reading)
        except RulesError as error:
            msg = f"line {number} of the .mat file, {line.strip()!r}: {error}"
            raise NotationError(msg) from None
    reading.close()
    if not reading.games:
        msg = f"a .mat file has lines like 'Game 1' and ' 1) 31: 8/5 6/5', got {text[:80]!r}"
        raise NotationError(msg)
    return MatMatch(*reading.names, reading.length, tuple(reading.games), tuple(reading.tags))


def _read_line(line: str, reading: _Reading) -> None:
    if not line.strip():
        return
    if tag := _TAG.fullmatch(line):
        reading.tags.append((tag["name"], tag["value"]))
    elif line.lstrip().startswith(";"):
        return
    elif length := re.fullmatch(r"\s*(\d{1,4}) point match\s*", line, re.ASCII):
        reading.length = int(length[1])
    elif re.fullmatch(r"\s*Game \d{1,4}\s*", line, re.ASCII):
        reading.close()
        reading.open_game = True
    elif reading.open_game and not reading.actions and (score := _SCORE.fullmatch(line)):
        reading.names = (score["left"], score["right"])
        reading.score = (int(score["white"]), int(score["black"]))
    elif reading.open_game:
        _read_entries(line, reading)
    else:
        msg = "not a line of a match"
        raise NotationError(msg)


def _read_entries(line: str, reading: _Reading) -> None:
    number = _NUMBER.match(line)
    rest_from = number.end() if number else 0
    side: Side | None = None
    left_over = line[rest_from:]
    for entry in _ENTRY.finditer(line, rest_from):
        leftmost = Side.WHITE if entry.start() < _RIGHT_COLUMN else Side.BLACK
        side = side.other if side else leftmost
        left_over = left_over.replace(entry[0], "", 1)
        if entry["points"]:
            reading.close(side, int(entry["points"]))
            break
        reading.actions.append(_action(entry, side))
    if side is None or left_over.strip():
        msg = f"unknown entry {left_over.strip()!r}"
        raise NotationError(msg)


def _action(entry: re.Match[str], side: Side) -> Action:
    if entry["dice"]:
        return Moved(side, Roll.parse(entry["dice"]), Play.parse(entry["moves"]))
    if entry["value"]:
        return Doubled(side, int(entry["value"]))
    if entry["beaver"]:
        return Beavered(side, int(entry["beaver"]))
    return Answered(side, took=bool(entry["take"]))
