"""The search for all ends of a turn, laid out for speed: a referee asks for thousands of turns a second."""

from collections.abc import Sequence

from controller.rules.block import Windows, closes, windows_in_reach
from controller.rules.equal import equal_dice
from controller.rules.play import Play
from controller.rules.position import Position
from controller.rules.steps import BAR_INDEX, HEAD_INDEX, HIT, QUIET, Ends, Laws, make, open_ends, sources, stepped


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
        return equal_dice(position, dice, laws, windows)
    closed = laws.open_above
    if position.bar[0] and points[BAR_INDEX - dice[0]] <= closed and points[BAR_INDEX - dice[1]] <= closed:
        return {}
    own = [i for i, count in enumerate(points) if count > 0]
    outside = own and own[-1] > 5 and (points[own[-1]] > 1 or (len(own) > 1 and own[-2] > 5))
    if position.bar[0]:
        return _entering(position, own, dice[0], dice[1], laws)
    if not outside or each_step:
        return _two(position, own, dice[0], dice[1], laws, windows)
    return _two_outside(position, own, dice[0], dice[1], laws, windows)


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
    quiet_high, quiet_low, hit_high, hit_low = QUIET[high], QUIET[low], HIT[high], HIT[low]
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
            if y == x and (not after[x] or (one_head and x == HEAD_INDEX)):
                continue
            u = y - low
            end = after.copy()
            end[y] -= 1
            if end[u] < 0:
                end[u] = 1
                ends[make(Position, (tuple(end), bars[hits + 1], off))] = make(Play, ((first, hit_low[y]),))
                continue
            end[u] += 1
            # The farther checker first, unless the second step only works after the first.
            steps = (quiet_low[y], first) if y > x and u != t else (first, quiet_low[y])
            ends[make(Position, (tuple(end), bars[hits], off))] = make(Play, (steps,))
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
        ends.setdefault(make(Position, (tuple(end), bars[hits], off)), make(Play, ((first, second),)))
    return open_ends(ends, windows) or _two(position, own, high, low, laws, windows)


def _entering(position: Position, own: list[int], high: int, low: int, laws: Laws) -> Ends:
    """Two different dice with a checker on the bar: one of them enters it, the other does anything."""
    bar, theirs = position.bar
    off = position.off
    both: Ends = {}
    single: list[tuple[Position, Play]] = []
    for one, other in ((high, low), (low, high)):
        t = BAR_INDEX - one
        if position.points[t] <= laws.open_above:
            continue
        after = [*position.points, bar - 1]
        hit = after[t] < 0
        after[t] = 1 if hit else after[t] + 1
        first = (HIT if hit else QUIET)[one][BAR_INDEX]
        seconds = sources(after, own if after[t] > 1 else [*own, t], other, laws)
        if not seconds and not both:
            key = make(Position, (tuple(after[:24]), (bar - 1, theirs + hit), off))
            single.append((key, make(Play, ((first,),))))
        for y in seconds:
            u = y - other
            end = after.copy()
            end[y] -= 1
            hits = end[u] < 0
            end[u] = 1 if hits else end[u] + 1
            key = make(Position, (tuple(end[:24]), (end[BAR_INDEX], theirs + hit + hits), off))
            if key not in both:
                both[key] = make(Play, ((first, (HIT if hits else QUIET)[other][y]),))
        if bar > 1 and both:
            break
    return both or dict(single[:1])


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
            after, left, hit = stepped(begin, own, s, t)
            if each_step and closes(after, windows):
                continue
            first = (HIT if hit else QUIET)[one][s]
            off = off_mine + (t < 0)
            for y in sources(after, left, other, laws):
                if y == HEAD_INDEX == s and laws.head_limit == 1:
                    continue
                u = y - other
                end = after.copy()
                end[y] -= 1
                hits = hit
                second = QUIET[other][y]
                if u >= 0:
                    if end[u] < 0:
                        end[u] = 1
                        hits += 1
                        second = HIT[other][y]
                    else:
                        end[u] += 1
                key = make(Position, (tuple(end[:24]), (end[BAR_INDEX], theirs + hits), (off + (u < 0), off_theirs)))
                if key not in both:
                    both[key] = make(Play, ((first, second),))
            if not both:
                key = make(Position, (tuple(after[:24]), (after[BAR_INDEX], theirs + hit), (off, off_theirs)))
                single[one][key] = make(Play, ((first,),))
    if windows:
        both = open_ends(both, windows)
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
            after, _, hit = stepped(begin, own, s, s - die)
            bar, off = (after[BAR_INDEX], position.bar[1] + hit), (position.off[0] + (s < die), position.off[1])
            ends[make(Position, (tuple(after[:24]), bar, off))] = make(Play, (((HIT if hit else QUIET)[die][s],),))
        found[die] = open_ends(ends, windows)
    return found
