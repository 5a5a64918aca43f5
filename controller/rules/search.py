"""The search for all ends of a turn; the one place where speed decides the style.

Points are 0-based here: index i is the mover's point i + 1, index 24 is his bar, -1 is off.
"""

from collections.abc import Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Laws:
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
    check = laws.block != "free" and within_reach(position.points, dice, position.off[1], laws.block)
    if (check and laws.block_each_step) or laws.exact:
        return _in_any_order(position, dice, laws, check=check)
    double = dice[0] == dice[-1]
    if double:
        return _double(position, dice[0], len(dice), laws, check=check)
    if position.bar[0] or _outside(position.points) < 2:
        return _in_any_order(position, dice, laws, check=check)
    return _pairs(position, dice[0], dice[1], laws, check=check)


def _outside(points: Sequence[int]) -> int:
    return sum(count for count in points[6:24] if count > 0)


def _pairs(position: Position, high: int, low: int, laws: Laws, *, check: bool) -> Ends:
    """Two different dice, nothing on the bar and nothing borne off: the order matters only for one checker's way."""
    points = position.points
    closed = laws.open_above
    off = position.off
    mine, theirs = position.bar
    bars = ((mine, theirs), (mine, theirs + 1), (mine, theirs + 2))
    one_head = laws.head_limit == 1
    base = list(points)
    own = [i for i, count in enumerate(points) if count > 0]
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
            if y == x and ((one_head and x == _HEAD) or not after[x]):
                continue
            u = y - low
            end = after.copy()
            end[y] -= 1
            if end[u] < 0:
                end[u] = 1
                key = _new(Position, (tuple(end), bars[hits + 1], off))
                ends[key] = _new(Play, ((first, hit_low[y]),))
            else:
                end[u] += 1
                key = _new(Position, (tuple(end), bars[hits], off))
                # The farther checker first, unless the second step only works after the first.
                if y > x and u != t:
                    ends[key] = _new(Play, ((quiet_low[y], first),))
                else:
                    ends[key] = _new(Play, ((first, quiet_low[y]),))
    for y in lows:
        t = y - low
        u = t - high
        # The same checker, smaller die first, where that is another end: the other way is closed or hits differently.
        if points[t] > 0 or u < 0 or points[u] <= closed:
            continue
        other = points[y - high]
        if other > closed and other >= 0 and points[t] == 0:
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
        key = _new(Position, (tuple(end), bars[hits], off))
        if key not in ends:
            ends[key] = _new(Play, ((first, second),))
    if check:
        ends = _unblocked(ends, laws)
    if ends:
        return ends
    for sources, die in ((highs, high), (lows, low)):
        for x in sources:
            end = base.copy()
            end[x] -= 1
            hit = end[x - die] < 0
            end[x - die] = 1 if hit else end[x - die] + 1
            key = _new(Position, (tuple(end), bars[hit], off))
            ends[key] = _new(Play, (((_HIT if hit else _QUIET)[die][x],),))
        if check:
            ends = _unblocked(ends, laws)
        if ends:
            return ends
    return ends


def _unblocked(ends: Ends, laws: Laws) -> Ends:
    return {end: play for end, play in ends.items() if not points_break(end.points, end.off[1], laws.block)}


def _double(position: Position, die: int, times: int, laws: Laws, *, check: bool) -> Ends:
    """Equal dice: steps by falling source reach every end exactly once, so nothing needs to be merged."""
    points = [*position.points, position.bar[0]]
    closed = laws.open_above
    theirs = position.bar[1]
    off_mine, off_theirs = position.off
    head_left = laws.head_limit
    quiet, hit = _QUIET[die], _HIT[die]
    reached = {i for i, count in enumerate(points) if count > 0}
    for i in range(_BAR, -1, -1):
        if i in reached and i >= die and points[i - die] > closed:
            reached.add(i - die)
    sources = [i for i in range(_BAR, -1, -1) if i in reached and (i < die or points[i - die] > closed)]
    steps: list[Step] = []
    ends: Ends = {}
    best = 1

    def record() -> None:
        nonlocal best, ends
        end = _new(Position, (tuple(points[:24]), (points[_BAR], theirs), (off_mine, off_theirs)))
        if check and points_break(end.points, off_theirs, laws.block):
            return
        if len(steps) > best:
            best, ends = len(steps), {}
        ends[end] = _new(Play, (tuple(steps),))

    def walk(first: int) -> None:
        nonlocal theirs, off_mine, head_left
        last = len(steps) == times - 1
        for j in range(first, len(sources)):
            s = sources[j]
            if points[s] <= 0 or (s == _HEAD and not head_left):
                continue
            if points[_BAR] and s != _BAR:
                return
            t = s - die
            if t < 0:
                # Everything at home, and a larger number takes the farthest checker only.
                if any(count > 0 for count in points[(6 if t == -1 else s + 1) :]):
                    continue
                points[s] -= 1
                off_mine += 1
                steps.append(quiet[s])
                if last:
                    record()
                else:
                    if len(steps) >= best:
                        record()
                    walk(j)
                steps.pop()
                off_mine -= 1
                points[s] += 1
                continue
            was = points[t]
            points[s] -= 1
            if s == _HEAD:
                head_left -= 1
            if was < 0:
                points[t] = 1
                theirs += 1
                steps.append(hit[s])
            else:
                points[t] = was + 1
                steps.append(quiet[s])
            if last:
                record()
            else:
                if len(steps) >= best:
                    record()
                walk(j)
            steps.pop()
            points[t] = was
            if was < 0:
                theirs -= 1
            if s == _HEAD:
                head_left += 1
            points[s] += 1

    walk(0)
    return ends


@dataclass(frozen=True, slots=True)
class _Stage:
    """A position on the way: 25 points with the bar last, hits so far, checkers off, what left the head."""

    points: tuple[int, ...]
    hits: int
    off: int
    from_head: int


def _in_any_order(position: Position, dice: Sequence[int], laws: Laws, *, check: bool) -> Ends:
    """Search step by step in every order of the dice: slower, but right for every rule."""
    begin = _Stage((*position.points, position.bar[0]), 0, position.off[0], 0)
    double = dice[0] == dice[-1]
    orders = [tuple(dice)] if double else [tuple(dice), tuple(reversed(dice))]
    best = 0
    ends: Ends = {}
    for order in orders:
        stages: dict[_Stage, tuple[Step, ...]] = {begin: ()}
        for depth, die in enumerate(order, start=1):
            stages = _next_stages(stages, die, laws, check=check and laws.block_each_step)
            # Of two dice of which only one can be played the larger counts: its order comes first.
            if depth < best or (depth == best == 1 and order is not orders[0]) or not stages:
                continue
            found = {_end(position, stage): Play(steps) for stage, steps in stages.items()}
            if check:
                found = _unblocked(found, laws)
            if not found:
                continue
            ends = found if depth > best else {**found, **ends}
            best = depth
    return ends


def _end(position: Position, stage: _Stage) -> Position:
    return Position(stage.points[:24], (stage.points[_BAR], position.bar[1] + stage.hits), (stage.off, position.off[1]))


def _next_stages(
    stages: dict[_Stage, tuple[Step, ...]], die: int, laws: Laws, *, check: bool
) -> dict[_Stage, tuple[Step, ...]]:
    following: dict[_Stage, tuple[Step, ...]] = {}
    for stage, steps in stages.items():
        for s, t in moves(stage.points, die, laws):
            if s == _HEAD and stage.from_head >= laws.head_limit:
                continue
            points = list(stage.points)
            points[s] -= 1
            hit = t >= 0 and points[t] < 0
            if t >= 0:
                points[t] = 1 if hit else points[t] + 1
            after = _Stage(tuple(points), stage.hits + hit, stage.off + (t < 0), stage.from_head + (s == _HEAD))
            if after in following or (check and points_break(after.points[:24], 0, laws.block)):
                continue
            following[after] = (*steps, Step(s + 1, t + 1, hit))
    return following


def moves(points: Sequence[int], die: int, laws: Laws) -> list[tuple[int, int]]:
    """Return (source, target) of every step with ``die`` on 25 ``points``, whatever the head and block rules say."""
    if points[_BAR]:
        return [(_BAR, _BAR - die)] if points[_BAR - die] > laws.open_above else []
    own = [i for i in range(_HEAD, -1, -1) if points[i] > 0]
    found = [(s, s - die) for s in own if s >= die and points[s - die] > laws.open_above]
    if own and own[0] < 6:
        if laws.exact:
            return [(s, -1) for s in own if s == die - 1]
        found.extend((s, -1) for s in own if s == die - 1 or (s < die - 1 and s == own[0]))
    return found
