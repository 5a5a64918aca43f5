"""Finding everything that is wrong with the end of a turn."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from controller.rules.block import points_break
from controller.rules.clauses import FaultKind
from controller.rules.explanation import Explanation, Seen, explanations, legs, opponent_places, places
from controller.rules.game import Point
from controller.rules.legal import laws_of
from controller.rules.play import BAR, OFF, Play, place_name
from controller.rules.position import Position
from controller.rules.ruleset import Ruleset
from controller.rules.steps import Ends


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
    """A fault, the sentence that explains it and what fills the sentence in."""

    kind: FaultKind
    sentence: str
    details: tuple[tuple[str, str | int], ...] = ()


def findings(case: Case) -> tuple[tuple[Finding, ...], Play | None]:
    """Return every fault of ``case``, at least one, in the order of FaultKind, and the play that has them.

    Of several ways in which the checkers could have come where they are, the one with the fewest faults counts. The
    play is None where no steps of the dice lead there.
    """
    if sum(case.seen.mine) != case.ruleset.game.checkers:
        return (_count(case), *_opponent(case, None)), None
    candidates = [(_all_of(case, way), way) for way in _explanations(case, case.dice)]
    if not candidates and not _odd(case):
        extra = tuple(sorted(case.dice * 2, reverse=True))[:8]
        candidates = [((_extra(case, way), *_all_of(case, way)), way) for way in _explanations(case, extra)]
    if not candidates:
        return _merged((*_distances(case), *_block(case, None), *_opponent(case, None), *_head(case))), None
    found, way = min(candidates, key=lambda candidate: len({finding.kind for finding in candidate[0]}))
    return _merged((*found, *_head(case))), Play(way.steps)


def _all_of(case: Case, explanation: Explanation) -> tuple[Finding, ...]:
    return (
        *_broken(explanation),
        *_unplayed(case, explanation),
        *_block(case, explanation),
        *_opponent(case, explanation),
    )


def _merged(found: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Return each kind once, in the order of FaultKind."""
    order = list(FaultKind)
    first = {finding.kind: finding for finding in reversed(found)}
    return tuple(sorted(first.values(), key=lambda finding: order.index(finding.kind)))


def _explanations(case: Case, dice: tuple[int, ...]) -> Iterator[Explanation]:
    cascade = len(case.dice) > 1 and case.dice[0] < case.dice[-1]
    if cascade and dice is not case.dice:
        return iter(())
    return explanations(case.before, dice, case.seen.mine, laws_of(case.ruleset, case.limit), in_order=cascade)


def _broken(explanation: Explanation) -> Iterator[Finding]:
    for kind, point in explanation.broken:
        yield Finding(kind, kind.value, (("point", point),))


def _unplayed(case: Case, explanation: Explanation) -> Iterator[Finding]:
    played = len(explanation.steps)
    if played < case.most_dice:
        dice = ", ".join(map(str, explanation.left))
        kind = FaultKind.DIE_NOT_USED
        yield Finding(kind, kind.value, (("dice", dice), ("played", played), ("possible", case.most_dice)))
    elif (
        played == case.most_dice == 1
        and len(case.dice) == 2
        and not explanation.broken
        and explanation.left == case.dice[:1]
    ):
        kind = FaultKind.LARGER_DIE
        yield Finding(kind, kind.value, (("larger", case.dice[0]), ("smaller", case.dice[1])))


def _extra(case: Case, explanation: Explanation) -> Finding:
    used = Counter(max(step.source - step.target, 0) for step in explanation.steps)
    die = next((die for die, times in used.items() if times > case.dice.count(die)), case.dice[0])
    kind = FaultKind.EXTRA_STEP
    return Finding(kind, kind.value, (("die", die), ("played", len(explanation.steps)), ("thrown", len(case.dice))))


def _odd(case: Case) -> list[tuple[Point, Point]]:
    """Return the ways of single checkers that neither a die nor a sum of dice gives, backward ones too."""
    sums = {sum(case.dice[:count]) for count in range(1, 5)} | set(case.dice)
    ways = legs(places(case.before), case.seen.mine)
    return [(s, t) for s, t in ways if s - t not in sums and not (t == OFF and 0 < s <= max(case.dice))]


def _distances(case: Case) -> Iterator[Finding]:
    """Name the ways that no dice explain, or all of them if each alone could be one."""
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


def _block(case: Case, explanation: Explanation | None) -> Iterator[Finding]:
    theirs = case.seen.theirs or (explanation.theirs if explanation else opponent_places(case.before))
    signed = [case.seen.mine[i + 1] or -theirs[i] for i in range(24)]
    if points_break(signed, case.seen.theirs_off, case.ruleset.block):
        sentence = {"home": "block_home", "never": "block_never"}.get(case.ruleset.block, "block_of_six")
        yield Finding(FaultKind.BLOCK_OF_SIX, sentence)


def _count(case: Case) -> Finding:
    kind = FaultKind.CHECKER_COUNT
    return Finding(kind, kind.value, (("seen", sum(case.seen.mine)), ("expected", case.ruleset.game.checkers)))


def _opponent(case: Case, explanation: Explanation | None) -> Iterator[Finding]:
    """Name what is wrong with the opponent's checkers, given those that ``explanation`` hits."""
    seen = case.seen.theirs
    if seen is None:
        return
    expected = explanation.theirs if explanation else opponent_places(case.before)
    # Where the mover landed on the opponent's checkers, a board cannot show both: some may have gone to the bar.
    broken = explanation.broken if explanation else ()
    covered = {point for kind, point in broken if kind is FaultKind.BLOCKED_POINT}
    if covered:
        covered.add(BAR)
    wrong = {Point(i + 1) for i in range(25) if expected[i] != seen[i]} - covered
    if not wrong and case.seen.theirs_off == case.before.off[1]:
        return
    hit = {step.target for step in explanation.steps if step.hit} if explanation else set()
    total = sum(seen) + case.seen.theirs_off
    if expected[24] > seen[24] and hit and wrong <= hit | {BAR}:
        yield Finding(FaultKind.HIT_LEFT, FaultKind.HIT_LEFT.value, (("point", _listed(hit)),))
    elif total != case.ruleset.game.checkers and not covered:
        details = (("seen", total), ("expected", case.ruleset.game.checkers))
        yield Finding(FaultKind.CHECKER_COUNT, "checker_count_opponent", details)
    else:
        yield Finding(FaultKind.OPPONENT_MOVED, FaultKind.OPPONENT_MOVED.value, (("points", _listed(wrong)),))


def _listed(points: set[Point]) -> str:
    return ", ".join(place_name(point) for point in sorted(points, reverse=True))
