"""The search for all ends of a turn, laid out for speed: a referee asks for thousands of turns a second.

Points are 0-based here: index i is the mover's point i + 1, index 24 is his bar, a negative target is off.
"""

from bisect import insort
from collections.abc import Sequence
from typing import NamedTuple

from controller.rules.block import BlockRule, Windows, bits_held, closes, windows_in_reach
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
    windows: Windows = ()
    if laws.block != "free":
        windows = windows_in_reach(points, dice, position.off[1], laws.block)
    each_step = bool(windows) and laws.block_each_step
    if dice[0] == dice[-1]:
        if laws.exact:
            return _equal_in_any_order(position, dice[0], len(dice), laws, windows)
        ends = _equal(position, dice[0], len(dice), laws, windows)
        if not each_step or not ends:
            return ends
        begin = list(points)
        stepwise = {end: play for end, play in ends.items() if _open_on_the_way(begin, play.steps, dice[0], windows)}
        return stepwise or _equal_in_any_order(position, dice[0], len(dice), laws, windows)
    closed = laws.open_above
    if position.bar[0] and points[_BAR - dice[0]] <= closed and points[_BAR - dice[1]] <= closed:
        return {}
    own = [i for i, count in enumerate(points) if count > 0]
    outside = own and own[-1] > 5 and (points[own[-1]] > 1 or (len(own) > 1 and own[-2] > 5))
    if position.bar[0]:
        return _entering(position, own, dice[0], dice[1], laws)
    if not outside or each_step:
        return _two(position, own, dice[0], dice[1], laws, windows)
    return _two_outside(position, own, dice[0], dice[1], laws, windows)


def _open_ends(ends: Ends, windows: Windows) -> Ends:
    """Take the ends out that close one of ``windows``."""
    closing = [end for end in ends if closes(end.points, windows)] if windows else []
    for end in closing:
        del ends[end]
    return ends


def _two_outside(  # noqa: PLR0915 - one flat loop: a call for each end would double its time
    position: Position, own: list[int], high: int, low: int, laws: Laws, windows: Windows
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
    return _open_ends(ends, windows) or _two(position, own, high, low, laws, windows)


def _entering(position: Position, own: list[int], high: int, low: int, laws: Laws) -> Ends:
    """Two different dice with a checker on the bar: one of them enters it, the other does anything."""
    bar, theirs = position.bar
    off = position.off
    both: Ends = {}
    single: list[tuple[Position, Play]] = []
    for one, other in ((high, low), (low, high)):
        t = _BAR - one
        if position.points[t] <= laws.open_above:
            continue
        after = [*position.points, bar - 1]
        hit = after[t] < 0
        after[t] = 1 if hit else after[t] + 1
        first = (_HIT if hit else _QUIET)[one][_BAR]
        seconds = sources(after, own if after[t] > 1 else [*own, t], other, laws)
        if not seconds and not both:
            key = _new(Position, (tuple(after[:24]), (bar - 1, theirs + hit), off))
            single.append((key, _new(Play, ((first,),))))
        for y in seconds:
            u = y - other
            end = after.copy()
            end[y] -= 1
            hits = end[u] < 0
            end[u] = 1 if hits else end[u] + 1
            key = _new(Position, (tuple(end[:24]), (end[_BAR], theirs + hit + hits), off))
            if key not in both:
                both[key] = _new(Play, ((first, (_HIT if hits else _QUIET)[other][y]),))
        if bar > 1 and both:
            break
    return both or dict(single[:1])


def sources(points: list[int], own: list[int], die: int, laws: Laws) -> list[int]:
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
    leaves, arrives = s != _BAR and not after[s], t >= 0 and after[t] == 1
    if leaves or arrives:
        own = own.copy()
        if leaves:
            own.remove(s)
        if arrives:
            insort(own, t)
    return after, own, hit


def _two(position: Position, own: list[int], high: int, low: int, laws: Laws, windows: Windows) -> Ends:
    """Two different dice in both orders; a single die if both cannot be played."""
    theirs = position.bar[1]
    off_mine, off_theirs = position.off
    begin = [*position.points, position.bar[0]]
    each_step = bool(windows) and laws.block_each_step
    both: Ends = {}
    single: dict[int, Ends] = {high: {}, low: {}}
    for one, other in ((high, low), (low, high)):
        for s in sources(begin, own, one, laws):
            t = s - one
            after, left, hit = _stepped(begin, own, s, t)
            if each_step and closes(after, windows):
                continue
            first = (_HIT if hit else _QUIET)[one][s]
            off = off_mine + (t < 0)
            for y in sources(after, left, other, laws):
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
    if windows:
        both = _open_ends(both, windows)
        if not both:
            single = _single_ends(position, own, high, low, laws, windows)
    return both or single[high] or single[low]


def _single_ends(
    position: Position, own: list[int], high: int, low: int, laws: Laws, windows: Windows
) -> dict[int, Ends]:
    """Return the ends of each die alone that the block rule allows."""
    begin = [*position.points, position.bar[0]]
    found: dict[int, Ends] = {}
    for die in (high, low):
        ends: Ends = {}
        for s in sources(begin, own, die, laws):
            after, _, hit = _stepped(begin, own, s, s - die)
            bar, off = (after[_BAR], position.bar[1] + hit), (position.off[0] + (s < die), position.off[1])
            ends[_new(Position, (tuple(after[:24]), bar, off))] = _new(Play, (((_HIT if hit else _QUIET)[die][s],),))
        found[die] = _open_ends(ends, windows)
    return found


def _equal(  # noqa: PLR0915 - one recursion that undoes what it does
    position: Position, die: int, times: int, laws: Laws, windows: Windows
) -> Ends:
    """Equal dice: steps by falling source reach every end exactly once, so nothing needs to be merged."""
    points = list(position.points)
    closed = laws.open_above
    bar, theirs = position.bar
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
    may_bear_off = sum([count for count in points[6:] if count > 0]) < times - len(entered)
    ways = [
        (s, s - die, quiet[s], hit[s])
        for s in range(_HEAD, -1, -1)
        if reached[s] and (points[s - die] > closed if s >= die else may_bear_off)
    ]
    onward = {way[0]: ways[j:] for j, way in enumerate(ways)}
    ends: Ends = {}
    best = len(entered) + 1

    def walk(
        ways: list[tuple[int, int, Step, Step]],
        steps: tuple[Step, ...],
        bars: tuple[int, int],
        offs: tuple[int, int],
        head_left: int,
        held: int,
    ) -> None:
        nonlocal best, ends
        depth = len(steps) + 1
        for s, t, step, hitting in ways:
            have = points[s]
            if have <= 0 or (s == _HEAD and not head_left):
                continue
            bars_then, offs_then, was = bars, offs, 0
            held_then = held if have > 1 else held & ~(1 << s)
            if t >= 0:
                held_then |= 1 << t
                was = points[t]
                points[s] = have - 1
                if was >= 0:
                    points[t] = was + 1
                else:
                    points[t] = 1
                    step, bars_then = hitting, (0, bars[1] + 1)  # noqa: PLW2901
            # Everything at home, and a larger number takes the farthest checker only.
            elif max(points[(6 if t == -1 else s + 1) :]) > 0:
                continue
            else:
                points[s] = have - 1
                offs_then = (offs[0] + 1, offs[1])
            if depth >= best:
                for window in windows:
                    if window & held_then == window:
                        break
                else:
                    if depth > best:
                        best, ends = depth, {}
                    ends[_new(Position, (tuple(points), bars_then, offs_then))] = _new(Play, ((*steps, step),))
            if depth < times:
                left = head_left - 1 if s == _HEAD else head_left
                walk(onward[s], (*steps, step), bars_then, offs_then, left, held_then)
            points[s] = have
            if t >= 0:
                points[t] = was

    walk(ways, entered, (0, theirs), position.off, laws.head_limit, bits_held(points))
    if not ends and entered:
        return {Position(tuple(points), (bar, theirs), position.off): Play(entered)}
    return ends


def _open_on_the_way(points: list[int], steps: tuple[Step, ...], die: int, windows: Windows) -> bool:
    """Whether equal dice ``die`` can be played as ``steps`` in some order that never closes one of ``windows``."""
    if not steps:
        return True
    tried = None
    for i, step in enumerate(steps):
        source, target, _ = step
        if step == tried or points[source - 1] <= 0:
            continue
        tried = step
        if not target and (max(points[6:]) > 0 or (source < die and max(points[source:]) > 0)):
            continue
        after = points.copy()
        after[source - 1] -= 1
        if target:
            after[target - 1] += 1
        if not closes(after, windows) and _open_on_the_way(after, steps[:i] + steps[i + 1 :], die, windows):
            return True
    return False


def _equal_in_any_order(position: Position, die: int, times: int, laws: Laws, windows: Windows) -> Ends:
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
            for s in sources(begin, own, die, laws):
                if s == _HEAD and head - points[_HEAD] >= laws.head_limit:
                    continue
                after, _, hit = _stepped(begin, own, s, s - die)
                key = (tuple(after), bar + hit, borne + (s < die))
                if key in following:
                    continue
                if laws.block_each_step and windows and closes(after, windows):
                    continue
                following[key] = (*steps, (_HIT if hit else _QUIET)[die][s])
        found = {
            Position(points[:24], (points[_BAR], bar), (borne, off[1])): Play(steps)
            for (points, bar, borne), steps in following.items()
        }
        ends = _open_ends(found, windows) or ends
        stages = following
    return ends
