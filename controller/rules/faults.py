"""Finding everything that is wrong with the end of a turn."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from controller.rules.block import points_break
from controller.rules.clauses import FaultKind
from controller.rules.legal import laws_of
from controller.rules.play import BAR, OFF, place_name
from controller.rules.position import Position
from controller.rules.ruleset import Ruleset
from controller.rules.steps import Ends
from controller.rules.story import Seen, Story, legs, opponent_places, places, stories


@dataclass(frozen=True, slots=True)
class Case:
    """A turn whose end is not legal: ``dice`` in order, ``limit`` checkers from the head, all ``legal`` ends."""

    before: Position
    dice: tuple[int, ...]
    seen: Seen
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
    if sum(case.seen.mine) != case.ruleset.game.checkers:
        return (_count(case), *_opponent(case, None))
    told = [_told(case, story) for story in _stories(case, case.dice)]
    if not told and not _odd(case):
        extra = tuple(sorted(case.dice * 2, reverse=True))[:8]
        told = [(_extra(case, story), *_told(case, story)) for story in _stories(case, extra)]
    if not told:
        told = [(*_distances(case), *_block(case, None), *_opponent(case, None))]
    best = min(told, key=lambda found: len({finding.kind for finding in found}))
    return _merged((*best, *_head(case)))


def _told(case: Case, story: Story) -> tuple[Finding, ...]:
    return (*_broken(story), *_unplayed(case, story), *_block(case, story), *_opponent(case, story))


def _merged(found: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Return each kind once, in the order of FaultKind."""
    order = list(FaultKind)
    first = {finding.kind: finding for finding in reversed(found)}
    return tuple(sorted(first.values(), key=lambda finding: order.index(finding.kind)))


def _stories(case: Case, dice: tuple[int, ...]) -> Iterator[Story]:
    cascade = len(case.dice) > 1 and case.dice[0] < case.dice[-1]
    if cascade and dice is not case.dice:
        return iter(())
    return stories(case.before, dice, case.seen.mine, laws_of(case.ruleset, case.limit), in_order=cascade)


def _broken(story: Story) -> Iterator[Finding]:
    for kind, point in story.broken:
        yield Finding(kind, kind.value, (("point", point),))


def _unplayed(case: Case, story: Story) -> Iterator[Finding]:
    played = len(story.steps)
    if played < case.most_dice:
        dice = ", ".join(map(str, story.left))
        kind = FaultKind.DIE_NOT_USED
        yield Finding(kind, kind.value, (("dice", dice), ("played", played), ("possible", case.most_dice)))
    elif played == case.most_dice == 1 and len(case.dice) == 2 and not story.broken and story.left == case.dice[:1]:
        kind = FaultKind.LARGER_DIE
        yield Finding(kind, kind.value, (("larger", case.dice[0]), ("smaller", case.dice[1])))


def _extra(case: Case, story: Story) -> Finding:
    used = Counter(max(step.source - step.target, 0) for step in story.steps)
    die = next((die for die, times in used.items() if times > case.dice.count(die)), case.dice[0])
    kind = FaultKind.EXTRA_STEP
    return Finding(kind, kind.value, (("die", die), ("played", len(story.steps)), ("thrown", len(case.dice))))


def _odd(case: Case) -> list[tuple[int, int]]:
    """Return the ways of single checkers that neither a die nor a sum of dice gives, backward ones too."""
    sums = {sum(case.dice[:count]) for count in range(1, 5)} | set(case.dice)
    ways = legs(places(case.before), case.seen.mine)
    return [(s, t) for s, t in ways if s - t not in sums and not (t == OFF and 0 < s <= max(case.dice))]


def _distances(case: Case) -> Iterator[Finding]:
    """Tell the ways that no dice explain, or all of them if each alone could be one."""
    for source, target in _odd(case) or legs(places(case.before), case.seen.mine):
        ends = (("source", place_name(source)), ("target", place_name(target)))
        if target > source:
            yield Finding(FaultKind.BACKWARDS, FaultKind.BACKWARDS.value, ends)
            continue
        dice = "-".join(map(str, dict.fromkeys(case.dice)))
        kind = FaultKind.WRONG_DISTANCE
        yield Finding(kind, kind.value, (*ends, ("distance", source - target), ("dice", dice)))


def _head(case: Case) -> Iterator[Finding]:
    left = max(case.before.points[23], 0) - case.seen.mine[24]
    if left > case.limit:
        yield Finding(FaultKind.HEAD, FaultKind.HEAD.value, (("left", left), ("allowed", case.limit)))


def _block(case: Case, story: Story | None) -> Iterator[Finding]:
    theirs = case.seen.theirs or (story.theirs if story else opponent_places(case.before))
    signed = [case.seen.mine[i + 1] or -theirs[i] for i in range(24)]
    if points_break(signed, case.seen.theirs_off, case.ruleset.block):
        sentence = {"home": "block_home", "never": "block_never"}.get(case.ruleset.block, "block_of_six")
        yield Finding(FaultKind.BLOCK_OF_SIX, sentence)


def _count(case: Case) -> Finding:
    kind = FaultKind.CHECKER_COUNT
    return Finding(kind, kind.value, (("seen", sum(case.seen.mine)), ("expected", case.ruleset.game.checkers)))


def _opponent(case: Case, story: Story | None) -> Iterator[Finding]:
    """Tell what is wrong with the opponent's checkers, given those that ``story`` hits."""
    seen = case.seen.theirs
    if seen is None:
        return
    expected = story.theirs if story else opponent_places(case.before)
    # Where the mover landed on the opponent's checkers, a board cannot show both: some may have gone to the bar.
    covered = {point for kind, point in story.broken if kind is FaultKind.BLOCKED_POINT} if story else set()
    if covered:
        covered.add(BAR)
    wrong = {i + 1 for i in range(25) if expected[i] != seen[i]} - covered
    if not wrong and case.seen.theirs_off == case.before.off[1]:
        return
    hit = {step.target for step in story.steps if step.hit} if story else set()
    total = sum(seen) + case.seen.theirs_off
    if expected[24] > seen[24] and hit and wrong <= hit | {BAR}:
        yield Finding(FaultKind.HIT_LEFT, FaultKind.HIT_LEFT.value, (("point", _listed(hit)),))
    elif total != case.ruleset.game.checkers and not covered:
        details = (("seen", total), ("expected", case.ruleset.game.checkers))
        yield Finding(FaultKind.CHECKER_COUNT, "checker_count_opponent", details)
    else:
        yield Finding(FaultKind.OPPONENT_MOVED, FaultKind.OPPONENT_MOVED.value, (("points", _listed(wrong)),))


def _listed(points: set[int]) -> str:
    return ", ".join(place_name(point) for point in sorted(points, reverse=True))
