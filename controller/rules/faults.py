"""Finding everything that is wrong with the end of a turn."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from controller.rules.block import points_break
from controller.rules.clauses import FaultKind
from controller.rules.legal import laws_of
from controller.rules.play import BAR, OFF
from controller.rules.position import Position
from controller.rules.ruleset import Ruleset
from controller.rules.search import Ends
from controller.rules.story import Story, legs, opponent_places, stories


@dataclass(frozen=True, slots=True)
class Case:
    """A turn whose end is not legal: ``dice`` in order, ``limit`` checkers from the head, all ``legal`` ends."""

    before: Position
    dice: tuple[int, ...]
    after: Position
    ruleset: Ruleset
    limit: int
    legal: Ends

    @property
    def most_dice(self) -> int:
        """The dice that a legal play uses."""
        return max((len(play.steps) for play in self.legal.values()), default=0)


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault with the sentence that tells it and what fills the sentence in."""

    kind: FaultKind
    sentence: str
    details: tuple[tuple[str, str | int], ...] = ()


def findings(case: Case) -> tuple[Finding, ...]:
    """Return every fault of ``case``, at least one, in the order of FaultKind.

    Of several ways in which the checkers could have come where they are, the one with the fewest faults counts.
    """
    if case.after.total != case.ruleset.game.checkers:
        return (*_counts(case, None), *_opponent(case, None))
    fixed = (*_head(case), *_block(case))
    told = [(*_broken(story), *_unplayed(case, story), *_opponent(case, story)) for story in _stories(case, case.dice)]
    if not told:
        extra = tuple(sorted(case.dice * 2, reverse=True))[:8]
        told = [(_extra(case, story), *_broken(story), *_opponent(case, story)) for story in _stories(case, extra)]
    if not told:
        told = [(*_distances(case), *_opponent(case, None))]
    best = min(told, key=lambda found: len({finding.kind for finding in (*found, *fixed)}))
    return _merged((*best, *fixed))


def _merged(found: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Return each kind once, in the order of FaultKind."""
    order = list(FaultKind)
    first = {finding.kind: finding for finding in reversed(found)}
    return tuple(sorted(first.values(), key=lambda finding: order.index(finding.kind)))


def _stories(case: Case, dice: tuple[int, ...]) -> Iterator[Story]:
    cascade = len(case.dice) > 1 and case.dice[0] < case.dice[-1]
    if cascade and dice is not case.dice:
        return iter(())
    return stories(case.before, dice, case.after, laws_of(case.ruleset, case.limit), in_order=cascade)


def _broken(story: Story) -> Iterator[Finding]:
    for kind, point in story.broken:
        yield Finding(kind, kind.value, (("point", point),))


def _unplayed(case: Case, story: Story) -> Iterator[Finding]:
    played = len(story.steps)
    if played < case.most_dice:
        dice = ", ".join(map(str, story.left))
        yield Finding(
            FaultKind.DIE_NOT_USED,
            FaultKind.DIE_NOT_USED.value,
            (("dice", dice), ("played", played), ("possible", case.most_dice)),
        )
    elif played == case.most_dice == 1 and len(case.dice) == 2 and not story.broken and story.left[0] > case.dice[1]:
        yield Finding(
            FaultKind.LARGER_DIE,
            FaultKind.LARGER_DIE.value,
            (("larger", case.dice[0]), ("smaller", case.dice[1])),
        )


def _extra(case: Case, story: Story) -> Finding:
    used = Counter(max(step.source - step.target, 0) for step in story.steps)
    die = next((die for die, times in used.items() if times > case.dice.count(die)), case.dice[0])
    return Finding(
        FaultKind.EXTRA_STEP,
        FaultKind.EXTRA_STEP.value,
        (("die", die), ("played", len(story.steps)), ("thrown", len(case.dice))),
    )


def _distances(case: Case) -> Iterator[Finding]:
    """Tell the ways that no dice explain, or all of them if each alone could be one."""
    sums = {0, *case.dice, sum(case.dice[:2]), sum(case.dice[:3]), sum(case.dice[:4])}
    ways = legs(case.before, case.after)
    for source, target in ways:
        if target > source or source == OFF:
            yield Finding(
                FaultKind.BACKWARDS, FaultKind.BACKWARDS.value, (("source", _name(source)), ("target", _name(target)))
            )
    wrong = [(s, t) for s, t in ways if s > t and (s - t not in sums and not (t == OFF and s <= max(case.dice)))]
    backwards = any(t > s for s, t in ways)
    for source, target in wrong or (() if backwards else ways):
        yield Finding(
            FaultKind.WRONG_DISTANCE,
            FaultKind.WRONG_DISTANCE.value,
            (
                ("source", _name(source)),
                ("target", _name(target)),
                ("distance", source - target),
                ("dice", "-".join(map(str, dict.fromkeys(case.dice)))),
            ),
        )


def _head(case: Case) -> Iterator[Finding]:
    left = max(case.before.points[23], 0) - max(case.after.points[23], 0)
    if left > case.limit:
        yield Finding(FaultKind.HEAD, FaultKind.HEAD.value, (("left", left), ("allowed", case.limit)))


def _block(case: Case) -> Iterator[Finding]:
    if points_break(case.after.points, case.after.off[1], case.ruleset.block):
        sentence = FaultKind.BLOCK_OF_SIX.value if case.ruleset.block != "never" else "block_never"
        yield Finding(FaultKind.BLOCK_OF_SIX, sentence, (("point", ""),))


def _counts(case: Case, story: Story | None) -> Iterator[Finding]:
    del story
    yield Finding(
        FaultKind.CHECKER_COUNT,
        FaultKind.CHECKER_COUNT.value,
        (("seen", case.after.total), ("expected", case.ruleset.game.checkers)),
    )


def _opponent(case: Case, story: Story | None) -> Iterator[Finding]:
    """Tell what is wrong with the opponent's checkers, given those that ``story`` hits."""
    expected = story.theirs if story else opponent_places(case.before)
    seen = opponent_places(case.after)
    covered = {point for kind, point in story.broken if kind is FaultKind.BLOCKED_POINT} if story else set()
    wrong = [i + 1 for i in range(25) if expected[i] != seen[i] and i + 1 not in covered]
    if not wrong and case.after.off[1] == case.before.off[1]:
        return
    hit = {step.target for step in story.steps if step.hit} if story else set()
    short_on_bar = expected[24] - seen[24]
    if short_on_bar > 0 and hit and set(wrong) <= hit | {BAR}:
        yield Finding(FaultKind.HIT_LEFT, FaultKind.HIT_LEFT.value, (("point", _listed(hit)),))
    elif case.after.opponent_total != case.ruleset.game.checkers and not covered:
        yield Finding(
            FaultKind.CHECKER_COUNT,
            "checker_count_opponent",
            (("seen", case.after.opponent_total), ("expected", case.ruleset.game.checkers)),
        )
    else:
        yield Finding(FaultKind.OPPONENT_MOVED, FaultKind.OPPONENT_MOVED.value, (("points", _listed(set(wrong))),))


def _listed(points: set[int]) -> str:
    return ", ".join(_name(point) for point in sorted(points, reverse=True))


def _name(place: int) -> str:
    return "bar" if place == BAR else "off" if place == OFF else str(place)
