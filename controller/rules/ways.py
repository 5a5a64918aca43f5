"""Every way to move to one legal end."""

from collections.abc import Iterator

from controller.rules.block import closes, windows_in_reach
from controller.rules.explanation import places
from controller.rules.legal import head_limit, laws_of, legal_plays
from controller.rules.play import Play, Roll, Step
from controller.rules.position import Position
from controller.rules.ruleset import Ruleset
from controller.rules.steps import sources


def ways(
    position: Position,
    roll: Roll,
    end: Position,
    ruleset: Ruleset,
    *,
    first_turn: bool = False,
    second_player: bool = False,
) -> tuple[Play, ...]:
    """Return every distinct set of steps that plays ``roll`` from ``position`` to ``end``, each in one possible order.

    Empty if ``end`` is not legal, or is reached by a cascade of crazy nardy. The other arguments are those of
    ``legal_plays``.

    >>> from controller.rules import Game, ruleset, start
    >>> begin, short = start(Game.SHORT), ruleset("short-wbgf")
    >>> end = next(end for end, play in legal_plays(begin, Roll(2, 1), short).items() if str(play) == "24/22 22/21")
    >>> [str(way) for way in ways(begin, Roll(2, 1), end, short)]
    ['24/22 22/21', '24/23 23/21']
    """
    legal = legal_plays(position, roll, ruleset, first_turn=first_turn, second_player=second_player)
    if end not in legal:
        return ()
    length = len(legal[end].steps)
    limit = head_limit(position, roll, ruleset, first_turn=first_turn, second_player=second_player)
    laws = laws_of(ruleset, limit)
    windows = windows_in_reach(position.points, roll.dice, position.off[1], laws.block) if laws.block != "free" else ()
    goal = places(end)

    def walk(points: list[int], hits: int, off: int, left: tuple[int, ...], steps: tuple[Step, ...]) -> Iterator[Play]:
        if len(steps) == length:
            here = (off, *(max(count, 0) for count in points[:24]), points[24])
            if here == goal and position.bar[1] + hits == end.bar[1]:
                yield Play(steps)
            return
        for die in dict.fromkeys(left):
            rest = list(left)
            rest.remove(die)
            own = [i for i in range(24) if points[i] > 0]
            for source in sources(points, own, die, laws):
                target = source - die
                if source == 23 and sum(step.source == 24 for step in steps) >= limit:
                    continue
                after = points.copy()
                after[source] -= 1
                hit = target >= 0 and after[target] < 0
                if target >= 0:
                    after[target] = 1 if hit else after[target] + 1
                if laws.block_each_step and windows and closes(after, windows):
                    continue
                step = Step(source + 1, max(target + 1, 0), hit)
                yield from walk(after, hits + hit, off + (target < 0), tuple(rest), (*steps, step))

    found: dict[tuple[Step, ...], Play] = {}
    begin = [*position.points, position.bar[0]]
    for play in walk(begin, 0, position.off[0], roll.dice, ()):
        found.setdefault(tuple(sorted(play.steps)), play)
    return tuple(found.values())
