"""The rule about six points in a row, long games only.

A run is counted along the opponent's road 24..1, which in the mover's own numbering reads 13..24, 1..12 from its
end: a run over the mover's 24|1 border counts, one over his 12|13 border does not, since the opponent starts there.
"""

from collections.abc import Sequence
from typing import Literal

BlockRule = Literal["ahead", "home", "never", "free"]

_ROAD = 0xFFFFFF
_HOME = 0x3F
_SIX = bytes([1]) * 6


def road_mask(mask: int) -> int:
    """Return the bits of the mover's points (bit 0 is point 1) as bits of the opponent's road (bit 0 is its end)."""
    return (mask << 12 | mask >> 12) & _ROAD


def _runs(mine: int) -> int:
    """Return a bit at the nearer end of every six bits in a row."""
    pairs = mine & mine >> 1
    return pairs & pairs >> 2 & pairs >> 4


def breaks(mine: int, theirs: int, opponent_off: int, rule: BlockRule) -> bool:
    """Whether points ``mine`` against the opponent's ``theirs`` (both as road masks) break ``rule``.

    ``ahead``: a run of six or more is illegal unless an opponent's checker is past the whole run or borne off
    (text 002 line 52; 003 line 63; 004 line 15). ``home``: unless one is in his home or borne off (000 line 127).
    ``never``: always illegal. ``free``: never.
    """
    sixes = _runs(mine)
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
    """Whether the mover's checkers on 24 ``points`` (signed counts, point 1 first) break ``rule``."""
    held = bytes([count > 0 for count in points])
    if _SIX not in held[12:] + held[:12]:
        return False
    mine, theirs = _masks(points)
    return breaks(road_mask(mine), road_mask(theirs), opponent_off, rule)


def within_reach(points: Sequence[int], dice: Sequence[int], opponent_off: int, rule: BlockRule) -> bool:
    """Whether any position on the way of ``dice`` could break ``rule``: cheap, and never wrongly False."""
    if rule == "free" or (opponent_off and rule != "never"):
        return False
    mine, theirs = _masks(points)
    if rule == "home" and road_mask(theirs) & _HOME:
        return False
    reach = mine
    for die in dice:
        reach |= reach >> die & ~theirs
    if len(dice) == 2:
        reach |= (mine | mine >> dice[1] & ~theirs) >> dice[0] & ~theirs
    sixes = _runs(road_mask(reach))
    road = road_mask(theirs)
    if rule == "ahead" and road:
        # Runs that an opponent's checker is past already are harmless.
        sixes &= ((road & -road) << 1) - 1
    held = road_mask(mine)
    while sixes:
        nearest = sixes & -sixes
        window = nearest * _HOME
        if (window & ~held).bit_count() <= len(dice):
            return True
        sixes ^= nearest
    return False


def _masks(points: Sequence[int]) -> tuple[int, int]:
    mine = theirs = 0
    for index, count in enumerate(points):
        if count > 0:
            mine |= 1 << index
        elif count < 0:
            theirs |= 1 << index
    return mine, theirs
