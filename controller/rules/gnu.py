"""GNU Backgammon's Position ID and Match ID (GNU Backgammon manual, 11.6 and 11.7)."""

import base64
import binascii
from collections.abc import Iterable

from controller.rules.cube import Cube
from controller.rules.errors import NotationError
from controller.rules.game import Game, Side
from controller.rules.position import Position
from controller.rules.roll import Roll
from controller.rules.situation import Situation, cube_exponent, short_only, with_off

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
    short_only(game)
    bits: list[int] = []
    for view in (position.turned(game), position):
        for count in (*view.points, view.bar[0]):
            bits += [1] * max(count, 0) + [0]
    return _text(bits, _POSITION_BITS)


def position_from_id(text: str, game: Game = Game.SHORT) -> Position:
    """Read a Position ID; raises NotationError that quotes ``text``."""
    short_only(game)
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
    cube, roll = situation.cube, situation.roll
    mover = _player(situation.mover)
    decides = 1 - mover if cube.offered_by else mover
    owner = _CENTRED if cube.owner is None else _player(cube.owner)
    fields = (
        (cube_exponent(cube.value), 4),
        (owner, 2),
        (mover, 1),
        (situation.crawford, 1),
        (_PLAYING, 3),
        (decides, 1),
        (cube.offered_by is not None, 1),
        (0, 2),
        (roll.high if roll else 0, 3),
        (roll.low if roll else 0, 3),
        (situation.length, 15),
        (situation.score[0], 15),
        (situation.score[1], 15),
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
    for width in (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15):
        values.append(sum(bit << i for i, bit in enumerate(bits[:width])))
        bits = bits[width:]
    exponent, owner, mover, crawford, _, _, offered, _, die, other, length, white, black = values
    if owner == 2 or max(die, other) > 6 or (die == 0) != (other == 0):
        msg = f"no cube owner {owner} or no roll {die}-{other} in Match ID {match_text!r}"
        raise NotationError(msg)
    side = _side(mover)
    return Situation(
        position,
        side,
        game,
        Roll.of(die, other) if die else None,
        Cube(
            1 << exponent,
            None if owner == _CENTRED else _side(owner),
            doubles=exponent,
            offered_by=side if offered else None,
        ),
        (white, black),
        length,
        crawford=bool(crawford),
    )


def _player(side: Side) -> int:
    return 0 if side is Side.WHITE else 1


def _side(player: int) -> Side:
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
