"""The .mat text of Jellyfish, as GNU Backgammon 1.07 writes and reads it: backgammon, nackgammon and hypergammon.

There is no formal specification. White is the left column. ``bar`` and ``off`` are read for 25 and 0. An illegal play
that stands, and a position that the arbiter put right, are ``Illegal play (...)`` with the position in Snowie's text:
GNU Backgammon takes it as a position set, and the header says in comments what happened. A game's score is the one that
its points were added to. Void throws and rulings stand only in the score sheet.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from controller.formats.identifiers import with_off
from controller.formats.record import (
    CubeAction,
    CubeRecord,
    ExportError,
    GameRecord,
    MatchRecord,
    OrderRecord,
    TurnRecord,
)
from controller.rules import (
    Game,
    Legal,
    NotationError,
    Play,
    Position,
    Roll,
    RulesError,
    Ruleset,
    Score,
    Side,
    judge_steps,
    ruleset,
    start,
    varied,
)

VARIATIONS = {Game.SHORT: "Backgammon", Game.NACKGAMMON: "NackGammon", Game.HYPER: "HyperGammon (3)"}
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
    r"(?P<dice>[1-6]{2}):\s*(?:(?P<resigned>\?{3,4})|Cannot Move|Illegal play\s*\((?P<set>[^)]*)\)"
    r"|(?P<moves>(?:\s*(?:bar|\d{1,2})/\S+)*))"
    r"|Doubles => (?P<value>\d{1,5})|(?:Beavers|Raccoons)(?: => (?P<beaver>\d{1,5}))?"
    r"|(?P<take>Takes)|(?P<drop>Drops)|Wins (?P<points>\d{1,5}) points?(?: and the match)?",
    re.ASCII | re.IGNORECASE,
)
_NUMBER = re.compile(r"\s*\d{1,4}\)", re.ASCII)
_SCORE = re.compile(
    r"\s*(?P<left>.+?)\s*:\s*(?P<white>\d{1,4})\s{2,}(?P<right>.+?)\s*:\s*(?P<black>\d{1,4})\s*", re.ASCII
)
_SET_BEFORE = re.compile(r";\s*Set Pos=(?P<places>[-A-Oa-o]{26})/.*")
_TAG = re.compile(r';\s*\[(?P<name>[^\s"]+) "(?P<value>[^"]*)"\]\s*')


def mat(record: MatchRecord) -> str:
    """Return ``record`` as a .mat file.

    Raises ExportError for a long game, and for a turn that is no play, with its place.
    """
    if record.game not in VARIATIONS:
        known = ", ".join(game.value for game in VARIATIONS)
        raise ExportError("no_mat", known=known, game=record.game.value)
    lines = [*_tags(record), *_comments(record), "", f" {record.length} point match"]
    for game in record.games:
        lines += ["", f" Game {game.number}", _head(record, game), *_moves(record, game)]
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


def _comments(record: MatchRecord) -> Iterator[str]:
    """What the columns cannot say: orders, and turns that no rule allows."""
    for game in record.games:
        for number, entry in game.numbered:
            if isinstance(entry, OrderRecord):
                parts = " ".join(f"{name} {value}" for name, value in entry.details)
                note = f" ({entry.note})" if entry.note else ""
                yield _comment(f"Game {game.number}: {entry.who} ordered {entry.verb} {parts}{note}")
            elif isinstance(entry, TurnRecord) and entry.verdict != "accepted":
                played = entry.notation or "steps unknown"
                yield _comment(f"Game {game.number}, turn {number}: an illegal play stands: {played}")
        if game.score != _counted_from(game):
            yield _comment(f"Game {game.number} began at {game.score.white}-{game.score.black}")


def _comment(words: str) -> str:
    return f"; {' '.join(words.split())}"


def _counted_from(game: GameRecord) -> Score:
    """The score to which the game's points were added: readers of .mat add them up."""
    if game.end is None or game.end.winner is None:
        return game.score_after
    return game.score_after.plus(game.end.winner, -game.end.points)


def _head(record: MatchRecord, game: GameRecord) -> str:
    score = _counted_from(game)
    left = f" {_name(record.white)} : {score.white}"
    right = f"{_name(record.black)} : {score.black}"
    # A long name still needs two blanks to part it from the other.
    return f"{left:<{max(HEAD_COLUMN, len(left) + 2)}}{right}"


def _moves(record: MatchRecord, game: GameRecord) -> list[str]:
    cells: list[tuple[Side, str]] = []
    thrower: Side | None = None
    for entry, after in _ends(game, record.game):
        # Who throws twice in a row plays the other's checkers in GNU Backgammon: it is told where they stand instead.
        again = isinstance(entry, TurnRecord) and entry.side is thrower
        cells.append((entry.side, _cell(entry, after, record, game, again=again)))
        thrower = entry.side if isinstance(entry, TurnRecord) and entry.roll is not None else thrower
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
    lines = list(_set_before(record, game))
    for number, (left, right) in enumerate(rows, 1):
        numbered = "     " if "Wins" in left + right and not (left and right) else f"{number:>3}) "
        # Behind a position two blanks part the columns: it has no place of its own in the left one.
        width = len(left) + 1 if "Illegal play" in left else COLUMN
        lines.append(f"{numbered}{left:<{width}} {right}".rstrip())
    return lines


def _ends(game: GameRecord, kind: Game) -> Iterator[tuple[TurnRecord | CubeRecord, Position | None]]:
    """Each turn with the position that the next one begins from, which an order may have made another than its own."""
    entries = [entry for entry in game.turns if not isinstance(entry, OrderRecord)]
    for number, entry in enumerate(entries):
        if isinstance(entry, CubeRecord) or not entry.after:
            yield entry, None
            continue
        following = next((turn for turn in entries[number + 1 :] if isinstance(turn, TurnRecord)), None)
        after = Position.parse(entry.after)
        if following is not None and following.before:
            after = Position.parse(following.before)
            after = after if following.side is entry.side else after.turned(kind)
        yield entry, after


def _set_before(record: MatchRecord, game: GameRecord) -> Iterator[str]:
    """The line that sets up a game which did not begin from the start, as eXtreme Gammon writes it."""
    first = next((turn for turn in game.turns if isinstance(turn, TurnRecord) and turn.before), None)
    if first is None:
        return
    white = Position.parse(first.before).seen_by(first.side, record.game)
    if white != start(record.game):
        counts = (-white.bar[1], *white.points, white.bar[0])
        places = "".join("-" if n == 0 else chr(64 + n) if n > 0 else chr(96 - n) for n in counts)
        yield f"; Set Pos={places}/0"


def _cell(
    turn: TurnRecord | CubeRecord, after: Position | None, record: MatchRecord, game: GameRecord, *, again: bool
) -> str:
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
    dice = f"{turn.roll[0]}{turn.roll[1]}:"
    try:
        play = Play.parse(turn.notation)
    except NotationError as error:
        if after is not None:
            return f"{dice} {_set(turn.side, after, record)}"
        roll = f"{turn.roll[0]}-{turn.roll[1]}"
        raise ExportError("no_mat_play", number=game.number, roll=roll, notation=turn.notation) from error
    if after is not None and turn.before and (again or not _leads_to(turn, play, after, record.game)):
        return f"{dice} {_set(turn.side, after, record)}"
    steps = [f"{step.source}/{step.target}{'*' if step.hit else ''}" for step in play.steps]
    return f"{dice} {' '.join(steps)}".rstrip()


def _leads_to(turn: TurnRecord, play: Play, after: Position, game: Game) -> bool:
    """Whether other programs, by backgammon's own rules, come to ``after`` with the play."""
    if turn.roll is None:
        return False
    rules = ruleset(PRESETS[VARIATIONS[game].lower()])
    verdict = judge_steps(Position.parse(turn.before), Roll.of(*turn.roll), play, rules)
    return isinstance(verdict, Legal) and verdict.end == after


def _set(side: Side, after: Position, record: MatchRecord) -> str:
    """``after`` in Snowie's text: match, turn, names, score, cube, both bars around the points, dice."""
    names = [re.sub("[;:()]", " ", record.player(player)).strip() or "?" for player in (side, side.other)]
    # On roll is the other player, although the board is the mover's: so GNU Backgammon writes and reads it.
    match = [record.length, 0, 0, int(not record.length), int(side is Side.WHITE), *names, 0, 0, 0, 1, 0]
    fields = (*match, -after.bar[1], *after.points, after.bar[0], 0, 0)
    return f"Illegal play ({';'.join(map(str, fields))};)"


@dataclass(frozen=True, slots=True)
class Moved:
    """A roll and how it was played."""

    side: Side
    roll: Roll
    play: Play


@dataclass(frozen=True, slots=True)
class Placed:
    """A roll after which the board is as set, by no legal play; ``after`` in the mover's numbering.

    ``roll`` is None where a file sets the board and names no dice.
    """

    side: Side
    roll: Roll | None
    after: tuple[tuple[int, ...], tuple[int, int]]
    """Points and bar: what lies on neither is borne off."""


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


Action = Moved | Placed | Doubled | Beavered | Answered


@dataclass(frozen=True, slots=True)
class MatGame:
    """One game: score before it (left, right), what happened and who won what; no winner in an unfinished one."""

    score: tuple[int, int]
    actions: tuple[Action, ...]
    winner: Side | None = None
    points: int = 0
    set_up: tuple[tuple[int, ...], tuple[int, int]] | None = None
    """Points and bars in White's numbering, where the game begins from no usual start."""


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
    set_up: tuple[tuple[int, ...], tuple[int, int]] | None = None

    def close(self, winner: Side | None = None, points: int = 0) -> None:
        """End the game that is read."""
        if self.open_game:
            self.games.append(MatGame(self.score, tuple(self.actions), winner, points, self.set_up))
        self.actions, self.open_game, self.set_up = [], False, None


def read_mat(text: str) -> MatMatch:
    """Read a .mat file; raises NotationError that quotes the line."""
    reading = _Reading()
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
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
    elif places := _SET_BEFORE.fullmatch(line.strip()):
        counts = [0 if c == "-" else ord(c) - 64 if c.isupper() else 96 - ord(c) for c in places["places"]]
        reading.set_up = tuple(counts[1:25]), (max(counts[25], 0), max(-counts[0], 0))
    elif line.lstrip().startswith((";", "#")):
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
        if not entry["resigned"]:
            reading.actions.append(_action(entry, side, reading))
    if side is None or left_over.strip():
        msg = f"unknown entry {left_over.strip()!r}"
        raise NotationError(msg)


def _action(entry: re.Match[str], side: Side, reading: _Reading) -> Action:
    if entry["set"] is not None:
        return Placed(side, Roll.parse(entry["dice"]), _snowie(entry["set"], side))
    if entry["dice"]:
        # Some programs put the mark of a hit behind the number of times: 6/1(2)*.
        moves = re.sub(r"(\(\d\))\*", r"*\1", entry["moves"] or "")
        return Moved(side, Roll.parse(entry["dice"]), Play.parse(moves))
    if entry["value"]:
        return Doubled(side, int(entry["value"]))
    if entry[0].lower().startswith(("beavers", "raccoons")):
        offered = next((a.value for a in reversed(reading.actions) if isinstance(a, Doubled | Beavered)), 1)
        return Beavered(side, int(entry["beaver"] or 2 * offered))
    return Answered(side, took=bool(entry["take"]))


_SNOWIE_FIELDS = 12
"""What stands before the board: match, turn, names, score and cube."""


def _snowie(words: str, side: Side) -> tuple[tuple[int, ...], tuple[int, int]]:
    """Points and bars of Snowie's text in ``side``'s numbering; raises NotationError that quotes it."""
    parts = words.split(";")
    try:
        black, counts = int(parts[4]), [int(part) for part in parts[_SNOWIE_FIELDS : _SNOWIE_FIELDS + 26]]
    except (ValueError, IndexError):
        counts, black = [], 0
    if len(counts) != 26:
        msg = f"a position in Snowie's text has 12 fields and 26 places, got {words!r}"
        raise NotationError(msg)
    view = Position(tuple(counts[1:25]), (abs(counts[25]), abs(counts[0])))
    view = view if (black == 1) is (side is Side.WHITE) else view.turned(Game.SHORT)
    return view.points, view.bar


@dataclass(frozen=True, slots=True)
class Shown:
    """An action of a game with the position after it, in White's numbering; ``legal`` by the rules of the variation."""

    action: Action
    position: Position
    legal: bool = True


def positions(game: MatGame, rules: Ruleset) -> Iterator[Shown]:
    """Play ``game`` over and yield what each action leaves on the board.

    Raises NotationError for more checkers than the game has, and RulesError for a play that no board can show.
    """
    position = with_off(*game.set_up, rules.game, "Set Pos") if game.set_up else start(rules.game)
    for action in game.actions:
        legal = True
        if isinstance(action, Placed):
            placed = with_off(*action.after, rules.game, "Illegal play")
            position, legal = placed.seen_by(action.side, rules.game), False
        elif isinstance(action, Moved):
            verdict = judge_steps(position.seen_by(action.side, rules.game), action.roll, action.play, rules)
            if not isinstance(verdict, Legal):
                msg = f"{action.side.value} {action.roll}: {action.play} is no legal play"
                raise NotationError(msg)
            position = verdict.end.seen_by(action.side, rules.game)
        yield Shown(action, position, legal)
