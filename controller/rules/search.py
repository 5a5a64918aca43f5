"""The search for all ends of a turn, laid out for speed: a referee asks for thousands of turns a second.

Points are 0-based here: index i is the mover's point i + 1, index 24 is his bar, a negative target is off.
"""

from collections.abc import Sequence
from typing import NamedTuple

from controller.rules.block import BlockRule, points_break, within_reach
from controller.rules.play import Play, Step
from controller.rules.position import Position

UNLIMITED = 99
"""A head limit that no turn reaches."""
Ends = dict[Position, Play]

_BAR = 24
_HEAD = 23
_QUIET = tuple(tuple(Step(i + 1, max(i + 1 - die, 0)) for i in range(25)) for die in range(7))
_HIT = tuple(tuple(Step(i + 1, max(i + 1 - die, 0), hit=True) for i in range(25)) for die in range(7))
_new = tuple.__new__
"""Makes a Position, whose counts are right by construction, without checking them again."""


class Laws(NamedTuple):
    """What the search must respect in this turn."""

    open_above: int
    """A point is open to the mover if its signed count is above this: -1 in long games, -2 where he hits."""
    head_limit: int
    exact: bool
    block: BlockRule
    block_each_step: bool


def all_ends(position: Position, dice: Sequence[int], laws: Laws) -> Ends:
    """Return every end of a turn with ``dice`` (two different, larger first, or any number of equal ones).

    As many dice as possible are played; of two of which only one can be, the larger. No end means: no play.
    """
    points = position.points
    check = laws.block != "free" and within_reach(points, dice, position.off[1], laws.block)
    if dice[0] == dice[-1]:
        if laws.exact or (check and laws.block_each_step):
            return _equal_in_any_order(position, dice[0], len(dice), laws, check=check)
        return _equal(position, dice[0], len(dice), laws, check=check)
    own = [i for i, count in enumerate(points) if count > 0]
    outside = own and own[-1] > 5 and (points[own[-1]] > 1 or (len(own) > 1 and own[-2] > 5))
    if not outside or position.bar[0] or (check and laws.block_each_step):
        return _two(position, own, dice[0], dice[1], laws, check=check)
    return _two_outside(position, own, dice[0], dice[1], laws, check=check)


def _unblocked(ends: Ends, laws: Laws) -> Ends:
    return {end: play for end, play in ends.items() if not points_break(end.points, end.off[1], laws.block)}


def _two_outside(  # noqa: PLR0915 - one flat loop: a call for each end would double its time
    position: Position, own: list[int], high: int, low: int, laws: Laws, *, check: bool
) -> Ends:
    """Two different dice with nothing on the bar and nothing to bear off.

    The order of the dice only matters for the way of a single checker, so ends are pairs of steps.
    """
    points = position.points
    closed = laws.open_above
    off = position.off
    mine, theirs = position.bar
    bars = ((mine, theirs), (mine, theirs + 1), (mine, theirs + 2))
    one_head = laws.head_limit == 1
    base = list(points)
    highs = [i for i in own if i >= high and points[i - high] > closed]
    lows = [i for i in own if i >= low and points[i - low] > closed]
    quiet_high, quiet_low, hit_high, hit_low = _QUIET[high], _QUIET[low], _HIT[high], _HIT[low]
    ends: Ends = {}
    for x in highs:
        t = x - high
        after = base.copy()
        after[x] -= 1
        if points[t] < 0:
            after[t] = 1
            hits, first = 1, hit_high[x]
        else:
            after[t] += 1
            hits, first = 0, quiet_high[x]
        seconds = lows
        if points[t] <= 0 and t >= low and after[t - low] > closed:
            seconds = [*lows, t]
        for y in seconds:
            if y == x and (not after[x] or (one_head and x == _HEAD)):
                continue
            u = y - low
            end = after.copy()
            end[y] -= 1
            if end[u] < 0:
                end[u] = 1
                ends[_new(Position, (tuple(end), bars[hits + 1], off))] = _new(Play, ((first, hit_low[y]),))
                continue
            end[u] += 1
            # The farther checker first, unless the second step only works after the first.
            steps = (quiet_low[y], first) if y > x and u != t else (first, quiet_low[y])
            ends[_new(Position, (tuple(end), bars[hits], off))] = _new(Play, (steps,))
    for y in lows:
        t = y - low
        u = t - high
        # The same checker, smaller die first, where that is another end: the other way is closed or hits differently.
        if points[t] > 0 or u < 0 or points[u] <= closed or (points[t] == 0 and points[y - high] >= 0):
            continue
        end = base.copy()
        end[y] -= 1
        first, hits = (hit_low[y], 1) if points[t] < 0 else (quiet_low[y], 0)
        end[t] = 0
        if points[u] < 0:
            end[u] = 1
            second, hits = hit_high[t], hits + 1
        else:
            end[u] += 1
            second = quiet_high[t]
        ends.setdefault(_new(Position, (tuple(end), bars[hits], off)), _new(Play, ((first, second),)))
    if check:
        ends = _unblocked(ends, laws)
    return ends or _two(position, own, high, low, laws, check=check)


def _sources(points: list[int], own: list[int], die: int, laws: Laws) -> list[int]:
    """Return where a step with ``die`` can start; ``own`` are the mover's points, rising."""
    if points[_BAR]:
        return [_BAR] if points[_BAR - die] > laws.open_above else []
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


def _stepped(points: list[int], own: list[int], s: int, t: int) -> tuple[list[int], list[int], int]:
    """Return points and own points after a step, and 1 if it hits."""
    after = points.copy()
    after[s] -= 1
    hit = 0
    if t >= 0:
        if after[t] < 0:
            after[t] = hit = 1
        else:
            after[t] += 1
    if s != _BAR and not after[s]:
        own = [i for i in own if i != s]
    if t >= 0 and after[t] == 1:
        own = sorted([*own, t])
    return after, own, hit


def _two(position: Position, own: list[int], high: int, low: int, laws: Laws, *, check: bool) -> Ends:
    """Two different dice in both orders; a single die if both cannot be played."""
    theirs = position.bar[1]
    off_mine, off_theirs = position.off
    begin = [*position.points, position.bar[0]]
    each_step = check and laws.block_each_step
    both: Ends = {}
    single: dict[int, Ends] = {high: {}, low: {}}
    for one, other in ((high, low), (low, high)):
        for s in _sources(begin, own, one, laws):
            t = s - one
            after, left, hit = _stepped(begin, own, s, t)
            if each_step and points_break(after[:24], off_theirs, laws.block):
                continue
            first = (_HIT if hit else _QUIET)[one][s]
            off = off_mine + (t < 0)
            for y in _sources(after, left, other, laws):
                if y == _HEAD == s and laws.head_limit == 1:
                    continue
                u = y - other
                end = after.copy()
                end[y] -= 1
                hits = hit
                second = _QUIET[other][y]
                if u >= 0:
                    if end[u] < 0:
                        end[u] = 1
                        hits += 1
                        second = _HIT[other][y]
                    else:
                        end[u] += 1
                key = _new(Position, (tuple(end[:24]), (end[_BAR], theirs + hits), (off + (u < 0), off_theirs)))
                if key not in both:
                    both[key] = _new(Play, ((first, second),))
            if not both:
                key = _new(Position, (tuple(after[:24]), (after[_BAR], theirs + hit), (off, off_theirs)))
                single[one][key] = _new(Play, ((first,),))
    if check:
        both = _unblocked(both, laws)
        if not both:
            single = _single_ends(position, own, high, low, laws)
    return both or single[high] or single[low]


def _single_ends(position: Position, own: list[int], high: int, low: int, laws: Laws) -> dict[int, Ends]:
    """Return the ends of each die alone that the block rule allows."""
    begin = [*position.points, position.bar[0]]
    found: dict[int, Ends] = {}
    for die in (high, low):
        ends: Ends = {}
        for s in _sources(begin, own, die, laws):
            after, _, hit = _stepped(begin, own, s, s - die)
            bar, off = (after[_BAR], position.bar[1] + hit), (position.off[0] + (s < die), position.off[1])
            ends[_new(Position, (tuple(after[:24]), bar, off))] = _new(Play, (((_HIT if hit else _QUIET)[die][s],),))
        found[die] = _unblocked(ends, laws)
    return found


def _equal(  # noqa: C901, PLR0915 - one recursion that undoes what it does
    position: Position, die: int, times: int, laws: Laws, *, check: bool
) -> Ends:
    """Equal dice: steps by falling source reach every end exactly once, so nothing needs to be merged."""
    points = list(position.points)
    closed = laws.open_above
    bar, theirs = position.bar
    off, off_theirs = position.off
    quiet, hit = _QUIET[die], _HIT[die]
    entered: tuple[Step, ...] = ()
    while bar and len(entered) < times and points[_BAR - die] > closed:
        hits = points[_BAR - die] < 0
        points[_BAR - die] = 1 if hits else points[_BAR - die] + 1
        bar, theirs = bar - 1, theirs + hits
        entered = (*entered, (hit if hits else quiet)[_BAR])
    if bar or len(entered) == times:
        return {Position(tuple(points), (bar, theirs), position.off): Play(entered)} if entered else {}
    reached = [count > 0 for count in points]
    for i in range(_HEAD, die - 1, -1):
        if reached[i] and points[i - die] > closed:
            reached[i - die] = True
    sources = [i for i in range(_HEAD, -1, -1) if reached[i] and (i < die or points[i - die] > closed)]
    ends: Ends = {}
    best = len(entered) + 1
    head_left = laws.head_limit

    def walk(first: int, steps: tuple[Step, ...]) -> None:
        nonlocal theirs, off, head_left, best, ends
        depth = len(steps) + 1
        for j in range(first, len(sources)):
            s = sources[j]
            if points[s] <= 0 or (s == _HEAD and not head_left):
                continue
            t = s - die
            if t >= 0:
                was = points[t]
                points[s] -= 1
                if was < 0:
                    points[t] = 1
                    theirs += 1
                    longer = (*steps, hit[s])
                else:
                    points[t] = was + 1
                    longer = (*steps, quiet[s])
            # Everything at home, and a larger number takes the farthest checker only.
            elif max(points[(6 if t == -1 else s + 1) :]) > 0:
                continue
            else:
                was = 0
                points[s] -= 1
                off += 1
                longer = (*steps, quiet[s])
            if s == _HEAD:
                head_left -= 1
            if depth >= best:
                end = _new(Position, (tuple(points), (0, theirs), (off, off_theirs)))
                if not check or not points_break(end.points, off_theirs, laws.block):
                    if depth > best:
                        best, ends = depth, {}
                    ends[end] = _new(Play, (longer,))
            if depth < times:
                walk(j, longer)
            points[s] += 1
            if s == _HEAD:
                head_left += 1
            if t < 0:
                off -= 1
                continue
            points[t] = was
            if was < 0:
                theirs -= 1

    walk(0, entered)
    if not ends and entered:
        return {Position(tuple(points), (bar, theirs), position.off): Play(entered)}
    return ends


def _equal_in_any_order(position: Position, die: int, times: int, laws: Laws, *, check: bool) -> Ends:
    """Equal dice where the order matters: each step is tested, or the home changes what a die may do."""
    head, theirs, off = max(position.points[_HEAD], 0), position.bar[1], position.off
    stages: dict[tuple[tuple[int, ...], int, int], tuple[Step, ...]] = {
        ((*position.points, position.bar[0]), theirs, off[0]): ()
    }
    ends: Ends = {}
    for _ in range(times):
        following: dict[tuple[tuple[int, ...], int, int], tuple[Step, ...]] = {}
        for (points, bar, borne), steps in stages.items():
            own = [i for i in range(_BAR) if points[i] > 0]
            begin = list(points)
            for s in _sources(begin, own, die, laws):
                if s == _HEAD and head - points[_HEAD] >= laws.head_limit:
                    continue
                after, _, hit = _stepped(begin, own, s, s - die)
                key = (tuple(after), bar + hit, borne + (s < die))
                if key in following:
                    continue
                if check and laws.block_each_step and points_break(after[:24], off[1], laws.block):
                    continue
                following[key] = (*steps, (_HIT if hit else _QUIET)[die][s])
        found = {
            Position(points[:24], (points[_BAR], bar), (borne, off[1])): Play(steps)
            for (points, bar, borne), steps in following.items()
        }
        ends = (_unblocked(found, laws) if check else found) or ends
        stages = following
    return ends
