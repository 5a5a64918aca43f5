"""OGXM, the binary match format of OpenGammon: the short games written and read, through its own codec.

The codec is the package ``ogxm`` (extra ``ogxm``); it replays every match that it writes and reads. Its JSON view has
points from 0 (White's bar) to 25 (Black's bar), on which White moves up, and colour 1 for White. Where the board or the
turn became another one than the plays say, a ply sets the position: after an order, and for an illegal play that
stands, whose dice have no place in the format.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from itertools import combinations_with_replacement
from typing import Any

from controller.formats.mat import Answered, Doubled, MatGame, MatMatch, Moved, Placed
from controller.formats.record import CubeAction, CubeRecord, ExportError, GameRecord, MatchRecord, TurnRecord
from controller.rules import (
    Game,
    Legal,
    NotationError,
    Play,
    Position,
    Roll,
    Ruleset,
    Side,
    judge_steps,
    ruleset,
    start,
)

VARIANTS = {Game.SHORT: ("backgammon", "short-wbgf"), Game.NACKGAMMON: ("nackgammon", "nackgammon")}
"""The format's word and the preset whose rules it plays by."""
BEYOND = 25
COLOURS = {Side.BLACK: 0, Side.WHITE: 1}
WINNERS = {Side.WHITE: 0, Side.BLACK: 1, None: 255}
RESULTS = {None: 0, Side.WHITE: 1, Side.BLACK: 2}
TRANSCRIBED = 3
ROLLS = list(combinations_with_replacement(range(1, 7), 2))
DOUBLE, TAKE, DROP, SET_POSITION = 21, 22, 23, 31
CUBE_ACTIONS = {CubeAction.DOUBLE: DOUBLE, CubeAction.TAKE: TAKE, CubeAction.PASS: DROP}

Ply = dict[str, Any]
"""A ply as the codec's JSON view has it."""


def ogxm_file(record: MatchRecord) -> bytes:
    """Write ``record``.

    Raises ExportError for a game that the format does not know, a match that breaks its rules (an order of the arbiter
    may have brought that about), a beaver, and where the package is missing.
    """
    codec = _codec()
    if record.game not in VARIANTS:
        known = ", ".join(game.value for game in VARIANTS)
        raise ExportError("no_ogxm", known=known, game=record.game.value)
    match = {
        "match_length": record.length,
        "variant": VARIANTS[record.game][0],
        "player_white": record.white or "White",
        "player_black": record.black or "Black",
        "white_score": record.score.white,
        "black_score": record.score.black,
        "result": RESULTS[record.winner],
        "source": TRANSCRIBED,
        "crawford": record.crawford_rule,
        "cube_limit": 0,
        "games": [_game(number, game, record.game) for number, game in enumerate(record.games)],
    }
    if why := codec.v2_problem(match):
        raise ExportError("no_ogxm_match", why=why)
    written: bytes = codec.json_to_binary(match)
    return written


def read_ogxm(content: bytes) -> MatMatch:
    """Read a match.

    Raises NotationError for what the codec refuses or cannot replay, and ExportError where the package is missing.
    """
    codec = _codec()
    try:
        view = codec.binary_to_json(content)
    except codec.OgxmError as error:
        msg = f"no OGXM match: {error}"
        raise NotationError(msg) from error
    if not view.get("replay_complete", False):
        msg = "an OGXM match whose plays cannot be replayed"
        raise NotationError(msg)
    variants = {word: (game, preset) for game, (word, preset) in VARIANTS.items()}
    if view["variant"] not in variants:
        msg = f"OGXM variant {view['variant']!r}: known are {', '.join(variants)}"
        raise NotationError(msg)
    white = black = 0
    games: list[MatGame] = []
    sides = {number: side for side, number in WINNERS.items()}
    for game in view["games"]:
        winner, points = sides.get(game["winner"]), int(game.get("points_won", 0))
        games.append(MatGame((white, black), tuple(_actions(game["plies"])), winner, points))
        white += points if winner is Side.WHITE else 0
        black += points if winner is Side.BLACK else 0
    tags = (("Variation", str(view["variant"])),)
    return MatMatch(view["player_white"], view["player_black"], int(view["match_length"]), tuple(games), tags)


def _codec() -> Any:
    try:
        return import_module("ogxm")
    except ImportError as missing:
        raise ExportError("ogxm_missing") from missing


def _game(number: int, game: GameRecord, kind: Game) -> Ply:
    plies = _Plies(kind, ruleset(VARIANTS[kind][1]), start(kind))
    for entry in game.turns:
        if isinstance(entry, CubeRecord):
            plies.cube(entry, game.number)
        elif isinstance(entry, TurnRecord):
            plies.turn_of(entry)
    winner = game.end.winner if game.end else None
    return {
        "game_index": number,
        "winner": WINNERS[winner],
        "points_won": game.end.points if game.end and winner else 0,
        "is_crawford": game.crawford,
        "plies": plies.written,
    }


@dataclass(slots=True)
class _Plies:
    """The plies of a game so far, and the position (White's) and turn to which they lead."""

    kind: Game
    rules: Ruleset
    position: Position
    turn: Side | None = None
    written: list[Ply] = field(default_factory=list)

    def cube(self, action: CubeRecord, game: int) -> None:
        """Add what a side did about the cube."""
        if action.action not in CUBE_ACTIONS:
            raise ExportError("no_ogxm_beaver", number=game)
        side = action.side if action.action is CubeAction.DOUBLE else action.side.other
        self._lead_to(side, self.position)
        self.written.append({"color": COLOURS[action.side], "action_id": CUBE_ACTIONS[action.action]})

    def turn_of(self, entry: TurnRecord) -> None:
        """Add a turn, as its play where backgammon's rules lead there, else as the position that it left."""
        if not entry.before or not entry.after:
            return
        before, after = (Position.parse(text).seen_by(entry.side, self.kind) for text in (entry.before, entry.after))
        self._lead_to(entry.side, before)
        if entry.roll is None or not (ply := self._play(entry)):
            self._lead_to(entry.side.other, after)
            return
        self.written.append(ply)
        self.position, self.turn = after, entry.side.other

    def _play(self, entry: TurnRecord) -> Ply | None:
        """The ply of a legal play; None where the checkers came by no such play to where they are."""
        if entry.roll is None or not entry.notation:
            return None
        play = Play.parse(entry.notation)
        verdict = judge_steps(Position.parse(entry.before), Roll.of(*entry.roll), play, self.rules)
        if not isinstance(verdict, Legal) or verdict.end != Position.parse(entry.after):
            return None
        low, high = sorted(entry.roll)
        steps = [{"from": _point(entry.side, step.source), "pips": step.source - step.target} for step in play.steps]
        kind = ROLLS.index((low, high))
        return {
            "color": COLOURS[entry.side],
            "action_id": kind,
            "d1": entry.roll[0],
            "d2": entry.roll[1],
            "moves": steps,
        }

    def _lead_to(self, side: Side, position: Position) -> None:
        """Set position and turn where they are others than the plies lead to."""
        if position != self.position or (self.turn is not None and self.turn is not side):
            self.written.append({"color": COLOURS[side], "action_id": SET_POSITION, "set_position": _places(position)})
        self.position, self.turn = position, side


def _point(side: Side, own: int) -> int:
    """The format's number of a point that has ``own`` in the mover's numbering."""
    return BEYOND - own if side is Side.WHITE else own


def _places(white: Position) -> list[int]:
    """Checkers by the format's points, White's positive."""
    places = [0] * (BEYOND + 1)
    for own, checkers in enumerate(white.points, 1):
        places[BEYOND - own] = checkers
    places[0], places[BEYOND] = white.bar[0], -white.bar[1]
    return places


def _actions(plies: list[Ply]) -> Iterator[Moved | Placed | Doubled | Answered]:
    """What happened, as ``controller.formats.mat`` has it; positions that were set belong to who is on turn then."""
    cube = 1
    for ply in plies:
        side = Side.WHITE if ply["color"] == COLOURS[Side.WHITE] else Side.BLACK
        action = int(ply["action_id"])
        if action < len(ROLLS):
            steps = " ".join(_step(side, int(move["from"]), int(move["pips"])) for move in ply["moves"])
            yield Moved(side, Roll.of(int(ply["d1"]), int(ply["d2"])), Play.parse(steps or "pass"))
        elif action == DOUBLE:
            cube *= 2
            yield Doubled(side, cube)
        elif action in {TAKE, DROP}:
            yield Answered(side, action == TAKE)
        elif action == SET_POSITION:
            yield _placed(side, [int(count) for count in ply["set_position"]])


def _step(side: Side, place: int, pips: int) -> str:
    source = BEYOND - place if side is Side.WHITE else place
    return f"{source}/{max(0, source - pips)}"


def _placed(side: Side, places: list[int]) -> Placed:
    white = tuple(places[BEYOND - own] for own in range(1, BEYOND))
    view = Position(white, (places[0], -places[BEYOND]))
    own = view if side is Side.WHITE else view.turned(Game.SHORT)
    return Placed(side, None, (own.points, own.bar))
