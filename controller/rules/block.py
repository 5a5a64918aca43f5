"""The rule about six points in a row, long games only.

A run is counted along the opponent's road 24..1, which in the mover's own numbering reads 13..24, 1..12 from its
end: a run over the mover's 24|1 border counts, one over his 12|13 border does not, since the opponent starts there.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

BlockRule = Literal["ahead", "home", "never", "free"]

_ROAD = 0xFFFFFF
_HOME = 0x3F


def road_mask(points: Iterable[int]) -> int:
    """Return a bit for each of ``points`` (0 is the mover's point 1), bit 0 the last point of the opponent's road."""
    mask = 0
    for index in points:
        mask |= 1 << index
    return turn_mask(mask)


def turn_mask(mask: int) -> int:
    """Return the bits of the mover's points as bits of the opponent's road, and back."""
    return (mask << 12 | mask >> 12) & _ROAD


def breaks(mine: int, theirs: int, opponent_off: int, rule: BlockRule) -> bool:
    """Whether points ``mine`` against the opponent's ``theirs`` (both as road masks) break ``rule``.

    ``ahead``: a run of six or more is illegal unless an opponent's checker is past the whole run or borne off
    (text 002 line 52; 003 line 63; 004 line 15). ``home``: unless one is in his home or borne off (000 line 127).
    ``never``: always illegal. ``free``: never.
    """
    pairs = mine & mine >> 1
    fours = pairs & pairs >> 2
    sixes = fours & pairs >> 4
    if not sixes or rule == "free":
        return False
    if rule == "never":
        return True
    if opponent_off:
        return False
    if rule == "home":
        return not theirs & _HOME
    # The run that ends nearest to the opponent's goal is the hardest to be past.
    return not theirs or theirs & -theirs >= sixes & -sixes


def points_break(points: Sequence[int], opponent_off: int, rule: BlockRule) -> bool:
    """Whether the mover's checkers on ``points`` (signed counts, point 1 first) break ``rule``."""
    mine = road_mask(i for i, count in enumerate(points) if count > 0)
    if not mine & mine >> 1 & mine >> 2:
        return False
    return breaks(mine, road_mask(i for i, count in enumerate(points) if count < 0), opponent_off, rule)


def within_reach(points: Sequence[int], dice: Sequence[int], opponent_off: int, rule: BlockRule) -> bool:
    """Whether any position on the way of ``dice`` could break ``rule``: cheap, and never wrongly False."""
    if rule == "free" or (opponent_off and rule != "never"):
        return False
    mine = theirs = 0
    for index, count in enumerate(points):
        if count > 0:
            mine |= 1 << index
        elif count < 0:
            theirs |= 1 << index
    reach = mine
    for die in dice:
        reach |= reach >> die & ~theirs
    if len(dice) == 2:
        reach |= (mine | mine >> dice[1] & ~theirs) >> dice[0] & ~theirs
    return breaks(turn_mask(reach), turn_mask(theirs), opponent_off, rule)
