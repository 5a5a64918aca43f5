"""Positions and situations of the short games in one line: GNU Backgammon's ids and eXtreme Gammon's XGID.

GNU Backgammon manual, 11.6 and 11.7; the XGID is described in eXtreme Gammon's help.
"""

import base64
import binascii
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from controller.rules import Cube, Game, NotationError, Position, Roll, Side


@dataclass(frozen=True, slots=True)
class Situation:
    """Position in the view of ``mover``, dice (None: not thrown), cube, score (white, black) and match.

    ``length`` 0 is money. With ``cube.offered_by`` set the opponent decides. White is player 0 of GNU Backgammon and
    the lower player of eXtreme Gammon.
    """

    position: Position
    mover: Side
    game: Game = Game.SHORT
    dice: tuple[int, int] | None = None
    """In the order in which they are named: both kinds of identifier keep it."""
    cube: Cube = field(default_factory=Cube)
    score: tuple[int, int] = (0, 0)
    length: int = 0
    crawford: bool = False
    jacoby: bool = False
    beaver: bool = False
    most_cube_exponent: int = 10
    """The cube goes up to two to this power; only an XGID says so."""

    @property
    def roll(self) -> Roll | None:
        """The dice as a roll, the larger first."""
        return Roll.of(*self.dice) if self.dice else None


def _short_only(game: Game) -> None:
    """Raise NotationError unless ``game`` is one that the identifiers of other programs know."""
    if not game.opposed:
        msg = f"XGID and GNU ids hold the short games, not {game.value}"
        raise NotationError(msg)


def with_off(points: tuple[int, ...], bar: tuple[int, int], game: Game, text: str) -> Position:
    """Return the position whose missing checkers are borne off; raises NotationError that quotes ``text``."""
    off = (
        game.checkers - bar[0] - sum(count for count in points if count > 0),
        game.checkers - bar[1] + sum(count for count in points if count < 0),
    )
    if min(off) < 0:
        msg = f"{game.value} has {game.checkers} checkers a side, got more in {text!r}"
        raise NotationError(msg)
    return Position(points, bar, off)


def _cube_exponent(value: int) -> int:
    """Return the power of two that ``value`` is; raises NotationError for a cube with other faces."""
    if value < 1 or value & (value - 1):
        msg = f"XGID and GNU ids hold cubes of 1, 2, 4 ..., got {value}"
        raise NotationError(msg)
    return value.bit_length() - 1


_POSITION_BITS = 80
_MATCH_BITS = 72
_CENTRED = 3
_PLAYING = 1


def position_id(position: Position, game: Game = Game.SHORT) -> str:
    """Return the 14 characters of ``position``, the mover being the player on roll.

    >>> from controller.rules import start
    >>> position_id(start(Game.SHORT))
    '4HPwATDgc/ABMA'
    """
    _short_only(game)
    bits: list[int] = []
    for view in (position.turned(game), position):
        for count in (*view.points, view.bar[0]):
            bits += [1] * max(count, 0) + [0]
    return _text(bits, _POSITION_BITS)


def position_from_id(text: str, game: Game = Game.SHORT) -> Position:
    """Read a Position ID; raises NotationError that quotes ``text``."""
    _short_only(game)
    bits = _bits(text, _POSITION_BITS, "a Position ID has 14 characters of base 64")
    counts: list[int] = [0]
    for bit in bits:
        if bit:
            counts[-1] += 1
        else:
            counts.append(0)
    theirs, mine, rest = counts[:25], counts[25:50], counts[50:]
    if len(mine) < 25 or any(rest):
        msg = f"a Position ID has 25 places for each side, got {text!r}"
        raise NotationError(msg)
    points = [count or -theirs[23 - i] for i, count in enumerate(mine[:24])]
    if any(mine[i] and theirs[23 - i] for i in range(24)):
        msg = f"both colours on one point in {text!r}"
        raise NotationError(msg)
    return with_off(tuple(points), (mine[24], theirs[24]), game, text)


def match_id(situation: Situation) -> str:
    """Return the 12 characters that hold cube, turn, roll, score and match of ``situation``."""
    cube, dice = situation.cube, situation.dice or (0, 0)
    mover = _player(situation.mover)
    decides = 1 - mover if cube.offered_by else mover
    owner = _CENTRED if cube.owner is None else _player(cube.owner)
    fields = (
        (_cube_exponent(cube.value), 4),
        (owner, 2),
        (mover, 1),
        (situation.crawford, 1),
        (_PLAYING, 3),
        (decides, 1),
        (cube.offered_by is not None, 1),
        (0, 2),
        (dice[0], 3),
        (dice[1], 3),
        (situation.length, 15),
        (situation.score[0], 15),
        (situation.score[1], 15),
        (situation.jacoby, 1),
    )
    bits: list[int] = []
    for value, width in fields:
        if value >= 1 << width:
            msg = f"{value} does not fit into a Match ID"
            raise NotationError(msg)
        bits += [value >> i & 1 for i in range(width)]
    return _text(bits, _MATCH_BITS)


def situation_from_ids(position_text: str, match_text: str, game: Game = Game.SHORT) -> Situation:
    """Read a Position ID with its Match ID; raises NotationError that quotes them.

    >>> situation = situation_from_ids("4HPwATDgc/ABMA", "QYkqASAAIAAA")
    >>> situation.mover, str(situation.roll), situation.cube.value, situation.score, situation.length
    (<Side.BLACK: 'black'>, '5-2', 2, (2, 4), 9)
    """
    position = position_from_id(position_text, game)
    bits = _bits(match_text, _MATCH_BITS, "a Match ID has 12 characters of base 64")
    values = []
    for width in (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1):
        values.append(sum(bit << i for i, bit in enumerate(bits[:width])))
        bits = bits[width:]
    exponent, owner, mover, crawford, _, _, offered, _, die, other, length, white, black, jacoby = values
    if owner == 2 or max(die, other) > 6 or (die == 0) != (other == 0):
        msg = f"no cube owner {owner} or no roll {die}-{other} in Match ID {match_text!r}"
        raise NotationError(msg)
    side = _seat(mover)
    return Situation(
        position,
        side,
        game,
        (die, other) if die else None,
        Cube(
            1 << exponent,
            None if owner == _CENTRED else _seat(owner),
            doubles=exponent,
            offered_by=side if offered else None,
        ),
        (white, black),
        length,
        crawford=bool(crawford),
        jacoby=bool(jacoby),
    )


def _player(side: Side) -> int:
    return 0 if side is Side.WHITE else 1


def _seat(player: int) -> Side:
    return Side.BLACK if player else Side.WHITE


def _text(bits: Iterable[int], size: int) -> str:
    number = sum(bit << i for i, bit in enumerate(bits))
    if number >> size:
        msg = f"more checkers than GNU Backgammon's {size} bits hold"
        raise NotationError(msg)
    return base64.b64encode(number.to_bytes(size // 8, "little")).decode().rstrip("=")


def _bits(text: str, size: int, expected: str) -> list[int]:
    characters = -(-size // 6)
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    if len(text) != characters or len(raw) != size // 8:
        msg = f"{expected}, got {text!r}"
        raise NotationError(msg)
    number = int.from_bytes(raw, "little")
    return [number >> i & 1 for i in range(size)]


_FORM = re.compile(
    r"(?:XGID=)?(?P<points>[-A-Oa-o]{26}):(?P<cube>[0-9]{1,2}):(?P<owner>-1|0|1):(?P<turn>-1|1):"
    r"(?P<dice>[1-6]{2}|00|D|B|R):(?P<white>[0-9]{1,4}):(?P<black>[0-9]{1,4}):(?P<rule>[0-3]):"
    r"(?P<length>[0-9]{1,4}):(?P<most>[0-9]{1,2})",
    re.ASCII,
)


def xgid(situation: Situation) -> str:
    """Return ``situation`` as an XGID, white being the lower player.

    >>> from controller.rules import start
    >>> xgid(Situation(start(Game.SHORT), Side.WHITE, dice=(3, 1), length=7))
    'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10'
    """
    _short_only(situation.game)
    view = situation.position.seen_by(situation.mover, situation.game)
    counts = (-view.bar[1], *view.points, view.bar[0])
    points = "".join("-" if n == 0 else chr(64 + n) if n > 0 else chr(96 - n) for n in counts)
    cube = situation.cube
    if cube.offered_by:
        dice = "R" if cube.raccooned else "B" if cube.beavered else "D"
    else:
        dice = f"{situation.dice[0]}{situation.dice[1]}" if situation.dice else "00"
    rule = int(situation.crawford) if situation.length else situation.jacoby + 2 * situation.beaver
    fields = (
        points,
        _cube_exponent(cube.value),
        0 if cube.owner is None else _sign(cube.owner),
        _sign(situation.mover),
        dice,
        *situation.score,
        rule,
        situation.length,
        situation.most_cube_exponent,
    )
    return "XGID=" + ":".join(map(str, fields))


def situation_from_xgid(text: str, game: Game = Game.SHORT) -> Situation:
    """Read an XGID, with or without ``XGID=``; raises NotationError that quotes ``text``."""
    _short_only(game)
    match = _FORM.fullmatch(text.strip())
    if not match:
        msg = f"an XGID reads 'XGID=<26 places>:cube:owner:turn:dice:score:score:rule:length:most', got {text!r}"
        raise NotationError(msg)
    counts = [0 if c == "-" else ord(c) - 64 if c.isupper() else 96 - ord(c) for c in match["points"]]
    if counts[0] > 0 or counts[25] < 0:
        msg = f"an XGID begins with the upper player's bar and ends with the lower player's, got {text!r}"
        raise NotationError(msg)
    position: Position = with_off(tuple(counts[1:25]), (counts[25], -counts[0]), game, text)
    mover = _side(int(match["turn"]))
    length, rule, dice = int(match["length"]), int(match["rule"]), match["dice"]
    exponent, most = int(match["cube"]), int(match["most"])
    owner = int(match["owner"])
    if exponent > most:
        msg = f"the cube is two to the {exponent}, above its largest, two to the {most}, in {text!r}"
        raise NotationError(msg)
    return Situation(
        position.seen_by(mover, game),
        mover,
        game,
        (int(dice[0]), int(dice[1])) if dice[0] in "123456" else None,
        Cube(
            1 << exponent,
            _side(owner) if owner else None,
            doubles=exponent,
            offered_by=mover if dice in {"D", "B", "R"} else None,
            beavered=dice in {"B", "R"},
            raccooned=dice == "R",
        ),
        (int(match["white"]), int(match["black"])),
        length,
        crawford=bool(length) and rule == 1,
        jacoby=not length and bool(rule & 1),
        beaver=not length and bool(rule & 2),
        most_cube_exponent=most,
    )


def _sign(side: Side) -> int:
    return 1 if side is Side.WHITE else -1


def _side(sign: int) -> Side:
    return Side.WHITE if sign > 0 else Side.BLACK
