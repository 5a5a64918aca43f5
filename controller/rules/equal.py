"""The ends of equal dice."""

from collections.abc import Sequence

from controller.rules.block import Windows, bits_held, closes
from controller.rules.play import Play, Step
from controller.rules.position import Position
from controller.rules.steps import BAR_INDEX, HEAD_INDEX, HIT, QUIET, Ends, Laws, make, open_ends, sources, stepped


def equal_dice(position: Position, dice: Sequence[int], laws: Laws, windows: Windows) -> Ends:
    """Return every end of a turn with any number of equal ``dice``; ``windows`` are the blocks within reach."""
    die, times = dice[0], len(dice)
    if laws.exact:
        return _in_any_order(position, die, times, laws, windows)
    ends = _by_falling_source(position, die, times, laws, windows)
    if not (windows and laws.block_each_step and ends):
        return ends
    begin = list(position.points)
    stepwise = {end: play for end, play in ends.items() if _open_on_the_way(begin, play.steps, die, windows)}
    return stepwise or _in_any_order(position, die, times, laws, windows)


def _by_falling_source(  # noqa: PLR0915 - one recursion that undoes what it does
    position: Position, die: int, times: int, laws: Laws, windows: Windows
) -> Ends:
    """Equal dice: steps by falling source reach every end exactly once, so nothing needs to be merged."""
    points = list(position.points)
    closed = laws.open_above
    bar, theirs = position.bar
    quiet, hit = QUIET[die], HIT[die]
    entered: tuple[Step, ...] = ()
    while bar and len(entered) < times and points[BAR_INDEX - die] > closed:
        hits = points[BAR_INDEX - die] < 0
        points[BAR_INDEX - die] = 1 if hits else points[BAR_INDEX - die] + 1
        bar, theirs = bar - 1, theirs + hits
        entered = (*entered, (hit if hits else quiet)[BAR_INDEX])
    if bar or len(entered) == times:
        return {Position(tuple(points), (bar, theirs), position.off): Play(entered)} if entered else {}
    reached = [count > 0 for count in points]
    for i in range(HEAD_INDEX, die - 1, -1):
        if reached[i] and points[i - die] > closed:
            reached[i - die] = True
    may_bear_off = sum([count for count in points[6:] if count > 0]) < times - len(entered)
    ways = [
        (s, s - die, quiet[s], hit[s])
        for s in range(HEAD_INDEX, -1, -1)
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
            if have <= 0 or (s == HEAD_INDEX and not head_left):
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
                    ends[make(Position, (tuple(points), bars_then, offs_then))] = make(Play, ((*steps, step),))
            if depth < times:
                left = head_left - 1 if s == HEAD_INDEX else head_left
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


def _in_any_order(position: Position, die: int, times: int, laws: Laws, windows: Windows) -> Ends:
    """Equal dice where the order matters: each step is tested, or the home changes what a die may do."""
    head, theirs, off = max(position.points[HEAD_INDEX], 0), position.bar[1], position.off
    stages: dict[tuple[tuple[int, ...], int, int], tuple[Step, ...]] = {
        ((*position.points, position.bar[0]), theirs, off[0]): ()
    }
    ends: Ends = {}
    for _ in range(times):
        following: dict[tuple[tuple[int, ...], int, int], tuple[Step, ...]] = {}
        for (points, bar, borne), steps in stages.items():
            own = [i for i in range(BAR_INDEX) if points[i] > 0]
            begin = list(points)
            for s in sources(begin, own, die, laws):
                if s == HEAD_INDEX and head - points[HEAD_INDEX] >= laws.head_limit:
                    continue
                after, _, hit = stepped(begin, own, s, s - die)
                key = (tuple(after), bar + hit, borne + (s < die))
                if key in following:
                    continue
                if laws.block_each_step and windows and closes(after, windows):
                    continue
                following[key] = (*steps, (HIT if hit else QUIET)[die][s])
        found = {
            Position(points[:24], (points[BAR_INDEX], bar), (borne, off[1])): Play(steps)
            for (points, bar, borne), steps in following.items()
        }
        ends = open_ends(found, windows) or ends
        stages = following
    return ends
