"""What a single step may do: the ground that the searches for whole turns share.

Points are 0-based in these modules: index i is the mover's point i + 1, index 24 the bar, a negative target is off.
"""

from bisect import insort
from typing import NamedTuple

from controller.rules.block import BlockRule, Windows, closes
from controller.rules.game import Point
from controller.rules.play import Play, Step
from controller.rules.position import Position

UNLIMITED = 99
"""A head limit that no turn reaches."""
Ends = dict[Position, Play]

BAR_INDEX = 24
"""The mover's bar in a list of 25."""
HEAD_INDEX = 23
"""The head of the long games."""
QUIET = tuple(tuple(Step(Point(i + 1), Point(max(i + 1 - die, 0))) for i in range(25)) for die in range(7))
HIT = tuple(tuple(step._replace(hit=True) for step in steps) for steps in QUIET)
make = tuple.__new__
"""Makes a Position, whose counts are right by construction, without checking them again."""


class Laws(NamedTuple):
    """What the search must respect in this turn."""

    open_above: int
    """A point is open to the mover if its signed count is above this: -1 in long games, -2 in the short ones."""
    head_limit: int
    exact: bool
    block: BlockRule
    block_each_step: bool


def open_ends(ends: Ends, windows: Windows) -> Ends:
    """Take the ends out that close one of ``windows``."""
    closing = [end for end in ends if closes(end.points, windows)] if windows else []
    for end in closing:
        del ends[end]
    return ends


def sources(points: list[int], own: list[int], die: int, laws: Laws) -> list[int]:
    """Return where a step with ``die`` can start; ``own`` are the mover's points, rising."""
    if points[BAR_INDEX]:
        return [BAR_INDEX] if points[BAR_INDEX - die] > laws.open_above else []
    closed = laws.open_above
    if not own or own[-1] > 5:
        return [i for i in own if i >= die and points[i - die] > closed]
    if laws.exact:
        return [die - 1] if points[die - 1] > 0 else []
    found = [i for i in own if i >= die and points[i - die] > closed]
    if points[die - 1] > 0:
        found.append(die - 1)
    elif own[-1] < die - 1:
        found.append(own[-1])
    return found


def stepped(points: list[int], own: list[int], s: int, t: int) -> tuple[list[int], list[int], int]:
    """Return points and own points after a step, and 1 if it hits."""
    after = points.copy()
    after[s] -= 1
    hit = 0
    if t >= 0:
        if after[t] < 0:
            after[t] = hit = 1
        else:
            after[t] += 1
    leaves, arrives = s != BAR_INDEX and not after[s], t >= 0 and after[t] == 1
    if leaves or arrives:
        own = own.copy()
        if leaves:
            own.remove(s)
        if arrives:
            insort(own, t)
    return after, own, hit
