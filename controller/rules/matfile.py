"""Matches in the .mat text of Jellyfish and GNU Backgammon: read, and replayed under the rules.

There is no formal specification; what is read here is what GNU Backgammon 1.07 writes, and ``bar``/``off`` for 25/0.
"""

import re
from dataclasses import dataclass, field

from controller.rules.cube import Cube, offer, passed, raised, take
from controller.rules.errors import NotationError, RulesError
from controller.rules.game import Side
from controller.rules.match import MatchScore
from controller.rules.options import varied
from controller.rules.play import Play
from controller.rules.presets import ruleset
from controller.rules.result import GameResult, Kind, finished, result
from controller.rules.roll import Roll
from controller.rules.ruleset import Ruleset
from controller.rules.setup import start
from controller.rules.verdict import Illegal, judge_steps

VARIATIONS = {
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
    r"|Doubles => (?P<value>\d{1,5})|(?P<take>Takes)|(?P<drop>Drops)|Wins (?P<points>\d{1,5}) points?",
    re.ASCII,
)
_NUMBER = re.compile(r"\s*\d{1,4}\)", re.ASCII)
_SCORE = re.compile(r"\s*(?P<left>.+?) : (?P<white>\d{1,4})\s{2,}(?P<right>.+?) : (?P<black>\d{1,4})\s*", re.ASCII)
_TAG = re.compile(r';\s*\[(?P<name>[^\s"]+) "(?P<value>[^"]*)"\]\s*')


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


Action = Moved | Doubled | Answered


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
        if variation not in VARIATIONS:
            msg = f"no game for the variation {variation!r}; known are {', '.join(sorted(VARIATIONS))}"
            raise NotationError(msg)
        preset = ruleset(VARIATIONS[variation])
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
    return Answered(side, took=bool(entry["take"]))


@dataclass(frozen=True, slots=True)
class Replayed:
    """A game as the rules see it."""

    winner: Side | None
    result: GameResult | None
    turns: int
    resigned: bool = False


class ReplayError(RulesError):
    """A recorded match breaks the rules; the message says where and how."""


def replay(match: MatMatch) -> tuple[tuple[Replayed, ...], MatchScore]:
    """Replay ``match`` and return its games and the final score.

    Raises ReplayError for an illegal play, a double that may not be, or a score that does not follow.
    """
    rules = match.rules
    score = MatchScore.new(rules)
    replayed = []
    for number, game in enumerate(match.games, start=1):
        if game.score != score.points:
            msg = f"game {number} begins at {game.score}, the games before it give {score.points}"
            raise ReplayError(msg)
        one = _replay_game(game, number, rules, crawford_game=score.crawford_game)
        replayed.append(one)
        if one.result is not None:
            score = score.after(one.winner, one.result)
    return tuple(replayed), score


def _replay_game(game: MatGame, number: int, rules: Ruleset, *, crawford_game: bool) -> Replayed:
    position, view, cube = start(rules.game), Side.WHITE, Cube()
    played = {Side.WHITE: 0, Side.BLACK: 0}
    first: Side | None = None
    for action in game.actions:
        if isinstance(action, Doubled):
            cube = _doubled(cube, action, number, rules, crawford_game=crawford_game)
        elif isinstance(action, Answered):
            if action.took:
                cube = take(cube, rules)
                continue
            winner, value = passed(cube, rules)
            return _checked(game, number, Replayed(winner, GameResult(Kind.DROP, value), sum(played.values())))
        else:
            if action.side is not view:
                position, view = position.turned(rules.game), action.side
            first = first or view
            verdict = judge_steps(
                position,
                action.roll,
                action.play,
                rules,
                first_turn=not played[view],
                second_player=view is not first,
            )
            if isinstance(verdict, Illegal):
                faults = ", ".join(fault.key for fault in verdict.faults)
                msg = f"game {number}, {view.value} {action.roll}: {action.play} is illegal: {faults}"
                raise ReplayError(msg)
            position = verdict.end
            played[view] += 1
            if finished(position, rules):
                return _checked(game, number, Replayed(view, result(position, rules, cube), sum(played.values())))
    if game.winner is None:
        return Replayed(None, None, sum(played.values()))
    return _resigned(game, number, cube, rules, sum(played.values()))


def _doubled(cube: Cube, action: Doubled, number: int, rules: Ruleset, *, crawford_game: bool) -> Cube:
    try:
        offered = offer(cube, action.side, rules, turn=action.side, thrown=False, crawford_game=crawford_game)
    except RulesError as error:
        msg = f"game {number}: {error}"
        raise ReplayError(msg) from None
    if raised(cube.value, rules) != action.value:
        msg = f"game {number}: a double from {cube.value} goes to {raised(cube.value, rules)}, not to {action.value}"
        raise ReplayError(msg)
    return offered


def _checked(game: MatGame, number: int, replayed: Replayed) -> Replayed:
    points = replayed.result.points if replayed.result else 0
    if (replayed.winner, points) != (game.winner, game.points):
        msg = f"game {number}: {replayed.winner} wins {points}, recorded are {game.winner} and {game.points}"
        raise ReplayError(msg)
    return replayed


def _resigned(game: MatGame, number: int, cube: Cube, rules: Ruleset, turns: int) -> Replayed:
    worth = {rules.oin: Kind.OIN, rules.mars: Kind.MARS, rules.koks: Kind.KOKS}
    times, rest = divmod(game.points, cube.value)
    if rest or times not in worth or not times:
        msg = f"game {number}: {game.points} points cannot be resigned with the cube at {cube.value}"
        raise ReplayError(msg)
    return Replayed(game.winner, GameResult(worth[times], game.points), turns, resigned=True)
