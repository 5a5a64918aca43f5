"""The rule about six points in a row, long games only.

A run is counted along the opponent's road 24..1, which in the mover's own numbering reads 13..24, 1..12 from its
end: a run over the mover's 24|1 border counts, one over the 12|13 border does not, since the opponent starts there.
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import Literal

BlockRule = Literal["ahead", "home", "never", "free"]

_ROAD = 0xFFFFFF
_HOME = 0x3F
_SIX = bytes([1]) * 6
Windows = tuple[int, ...]
"""Sixes in a row, each as the bits of the mover's points (bit 0 is point 1)."""


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
    (text 002 line 52; 003 line 63; 004 line 15). ``home``: unless one is in its home or borne off (000 line 127).
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


def windows_in_reach(points: Sequence[int], dice: Sequence[int], opponent_off: int, rule: BlockRule) -> Windows:
    """Return the sixes in a row that a turn with ``dice`` could close against ``rule``, mostly none.

    On the way of that turn the rule is broken exactly when every point of one of them is the mover's; none of their
    points is the opponent's.
    """
    if opponent_off and rule != "never":
        return ()
    mine, theirs = _masks(points)
    road = road_mask(theirs)
    if rule == "home" and road & _HOME:
        return ()
    levels = _levels(mine, theirs, dice)
    reach = mine
    for level in levels:
        reach |= level
    sixes = _runs(road_mask(reach))
    if rule == "ahead" and road:
        # Runs that an opponent's checker is past already are harmless.
        sixes &= ((road & -road) << 1) - 1
    found = []
    while sixes:
        nearest = sixes & -sixes
        sixes ^= nearest
        window = road_mask(nearest * _HOME)
        if _steps_to_fill(window & ~mine, levels) <= len(dice):
            found.append(window)
    return tuple(found)


def _levels(mine: int, theirs: int, dice: Sequence[int]) -> list[int]:
    """Return the points that a checker can get to with one die, with two, and so on."""
    if len(dice) == 2 and dice[0] != dice[1]:
        one = [mine >> die & ~theirs for die in dice]
        return [one[0] | one[1], (one[0] >> dice[1] | one[1] >> dice[0]) & ~theirs]
    levels = [mine >> dice[0] & ~theirs]
    for die in dice[1:]:
        levels.append(levels[-1] >> die & ~theirs)
    return levels


def _steps_to_fill(gaps: int, levels: list[int]) -> int:
    """Return the fewest steps that could bring a checker to each of ``gaps``."""
    needed = 0
    for steps, level in enumerate(levels, start=1):
        needed += steps * (gaps & level).bit_count()
        gaps &= ~level
    return needed


def closes(points: Sequence[int], windows: Windows) -> bool:
    """Whether ``points`` close one of ``windows``."""
    for window in windows:  # noqa: SIM110 - any() would take three times as long
        if 0 not in _PICK[window](points):
            return True
    return False


_PICK = {road_mask(_HOME << bit): itemgetter(*((bit + k + 12) % 24 for k in range(6))) for bit in range(19)}
"""By window, how to pick its points out of 24 or more."""


def bits_held(points: Sequence[int]) -> int:
    """Return the mover's points as bits."""
    return _masks(points)[0]


def _masks(points: Sequence[int]) -> tuple[int, int]:
    mine = theirs = 0
    for index, count in enumerate(points):
        if count > 0:
            mine |= 1 << index
        elif count < 0:
            theirs |= 1 << index
    return mine, theirs
