"""eXtreme Gammon's XGID: position, cube, turn, roll, score and match in one line."""

import re

from controller.rules.cube import Cube
from controller.rules.errors import NotationError
from controller.rules.game import Game, Side
from controller.rules.position import Position
from controller.rules.roll import Roll
from controller.rules.situation import Situation, cube_exponent, short_only, with_off

_MOST_CUBE_EXPONENT = 10
_FORM = re.compile(
    r"(?:XGID=)?(?P<points>[-A-Oa-o]{26}):(?P<cube>[0-9]{1,2}):(?P<owner>-1|0|1):(?P<turn>-1|1):"
    r"(?P<dice>[1-6]{2}|00|D|B|R):(?P<white>[0-9]{1,4}):(?P<black>[0-9]{1,4}):(?P<rule>[0-3]):"
    r"(?P<length>[0-9]{1,4}):(?P<most>[0-9]{1,2})",
    re.ASCII,
)


def xgid(situation: Situation) -> str:
    """Return ``situation`` as an XGID, white being the lower player.

    >>> from controller.rules import start
    >>> xgid(Situation(start(Game.SHORT), Side.WHITE, roll=Roll(3, 1), length=7))
    'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10'
    """
    short_only(situation.game)
    white = situation.mover is Side.WHITE
    view = situation.position if white else situation.position.turned(situation.game)
    counts = (-view.bar[1], *view.points, view.bar[0])
    points = "".join("-" if n == 0 else chr(64 + n) if n > 0 else chr(96 - n) for n in counts)
    cube = situation.cube
    if cube.offered_by:
        dice = "B" if cube.beavered else "D"
    else:
        dice = f"{situation.roll.high}{situation.roll.low}" if situation.roll else "00"
    rule = int(situation.crawford) if situation.length else situation.jacoby + 2 * situation.beaver
    fields = (
        points,
        cube_exponent(cube.value),
        0 if cube.owner is None else _sign(cube.owner),
        _sign(situation.mover),
        dice,
        *situation.score,
        rule,
        situation.length,
        _MOST_CUBE_EXPONENT,
    )
    return "XGID=" + ":".join(map(str, fields))


def situation_from_xgid(text: str, game: Game = Game.SHORT) -> Situation:
    """Read an XGID, with or without ``XGID=``; raises NotationError that quotes ``text``."""
    short_only(game)
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
    exponent = int(match["cube"])
    owner = int(match["owner"])
    if exponent > _MOST_CUBE_EXPONENT:
        msg = f"no cube of two to the {exponent} in {text!r}"
        raise NotationError(msg)
    return Situation(
        position if mover is Side.WHITE else position.turned(game),
        mover,
        game,
        Roll.of(int(dice[0]), int(dice[1])) if dice[0] in "123456" else None,
        Cube(
            1 << exponent,
            _side(owner) if owner else None,
            doubles=exponent,
            offered_by=mover if dice in {"D", "B", "R"} else None,
            beavered=dice in {"B", "R"},
        ),
        (int(match["white"]), int(match["black"])),
        length,
        crawford=bool(length) and rule == 1,
        jacoby=not length and bool(rule & 1),
        beaver=not length and bool(rule & 2),
    )


def _sign(side: Side) -> int:
    return 1 if side is Side.WHITE else -1


def _side(sign: int) -> Side:
    return Side.WHITE if sign > 0 else Side.BLACK
