"""Are the dice fair? Faces and their order over a match or a season, tested and reported in plain words. Pure.

Tests: chi-square of the faces (Pearson 1900; NIST/SEMATECH e-Handbook 1.3.5.15), runs of high and low faces (Wald and
Wolfowitz 1940; e-Handbook 1.3.5.13), repeats of the face before, doubles. Many tests over many dice find something by
chance, so only what stays unusual after Holm's correction (1979) is reported.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Final

from controller.locale import Lang, text

FACES: Final = 6
DICE: Final = 2
"""Dice of a throw; in the opening throw each set shows one."""
UNUSUAL: Final = 0.01
"""Probability at which fair dice may be called unusual once in a report, all its tests together."""
FEWEST_FACES: Final = 60
"""Below ten of each face on average chi-square says nothing; the other tests are no better off."""

Faces = Sequence[int]
"""Faces 1..6 of one set of dice."""


class FairnessTest(Enum):
    """What was compared with fair dice."""

    FACES = "faces"
    RUNS = "runs"
    REPEATS = "repeats"
    DOUBLES = "doubles"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One test on one set of dice.

    ``p_value``: how often fair dice stray at least this far; ``seen`` and ``expected``: counts of what is tested
    (for the faces: of the face that strays most, named by ``face``).
    """

    test: FairnessTest
    dice: str
    p_value: float
    seen: int
    expected: float
    face: int | None = None


@dataclass(frozen=True, slots=True)
class FairnessReport:
    """All tests, and those that remain unusual when all are taken together.

    An opening throw counts among ``throws`` once for each set.
    """

    throws: int
    outcomes: tuple[Outcome, ...]
    unusual: tuple[Outcome, ...]

    def sentences(self, lang: Lang) -> tuple[str, ...]:
        """Say it to players."""
        if not self.outcomes:
            return (text(lang, "fairness.too_few", throws=self.throws),)
        if not self.unusual:
            return (text(lang, "fairness.nothing_unusual", throws=self.throws),)
        return tuple(
            text(
                lang,
                f"fairness.{outcome.test.value}",
                dice=outcome.dice,
                face=outcome.face,
                seen=outcome.seen,
                expected=round(outcome.expected, 1),
                odds=_one_in(outcome.p_value),
            )
            for outcome in self.unusual
        )


def report(throws: Mapping[str, Sequence[tuple[int, ...]]]) -> FairnessReport:
    """Test every set of dice; ``throws`` gives each set's throws in order: two faces, or one in an opening throw.

    Raises ValueError for a face outside 1..6.
    """
    outcomes: list[Outcome] = []
    for dice, thrown in throws.items():
        faces = [face for throw in thrown for face in throw]
        wrong = [face for face in faces if not 1 <= face <= FACES]
        if wrong:
            msg = f"a die shows 1..6, the log of set {dice!r} has {wrong[0]}"
            raise ValueError(msg)
        if len(faces) >= FEWEST_FACES:
            # The two dice of a throw lie in no order, so order is tested from throw to throw only. A single die has
            # no sum and makes no double: it counts for its face alone.
            pairs = [(throw[0], throw[1]) for throw in thrown if len(throw) == DICE]
            outcomes += [_faces(dice, faces), _runs(dice, pairs), _repeats(dice, pairs), _doubles(dice, pairs)]
    return FairnessReport(sum(map(len, throws.values())), tuple(outcomes), _holm(outcomes))


def _faces(dice: str, faces: Faces) -> Outcome:
    counts = [faces.count(face) for face in range(1, FACES + 1)]
    expected = len(faces) / FACES
    statistic = sum((count - expected) ** 2 / expected for count in counts)
    worst = max(range(FACES), key=lambda index: abs(counts[index] - expected))
    p_value = chi_square_tail(statistic, FACES - 1)
    return Outcome(FairnessTest.FACES, dice, p_value, counts[worst], expected, worst + 1)


def _runs(dice: str, pairs: Sequence[tuple[int, int]]) -> Outcome:
    """Count runs of throws above and below seven; sevens are left out."""
    high = [sum(pair) > FACES + 1 for pair in pairs if sum(pair) != FACES + 1]
    above = sum(high)
    below = len(high) - above
    runs = 1 + sum(first != second for first, second in pairwise(high)) if high else 0
    total = above + below
    if above < 2 or below < 2:
        return Outcome(FairnessTest.RUNS, dice, 1.0, runs, float(runs))
    expected = 2 * above * below / total + 1
    variance = (expected - 1) * (expected - 2) / (total - 1)
    return Outcome(FairnessTest.RUNS, dice, two_sided(runs, expected, variance), runs, expected)


def _repeats(dice: str, pairs: Sequence[tuple[int, int]]) -> Outcome:
    """Count throws that show the same two faces as the throw before."""
    kinds = [tuple(sorted(pair)) for pair in pairs]
    seen = sum(first == second for first, second in pairwise(kinds))
    trials = max(0, len(kinds) - 1)
    # A double follows itself once in 36, any other throw once in 18.
    likely = (1 / 6) * (1 / 36) + (5 / 6) * (1 / 18)
    return Outcome(FairnessTest.REPEATS, dice, binomial_two_sided(seen, trials, likely), seen, trials * likely)


def _doubles(dice: str, pairs: Sequence[tuple[int, int]]) -> Outcome:
    seen = sum(first == second for first, second in pairs)
    p_value = binomial_two_sided(seen, len(pairs), 1 / FACES)
    return Outcome(FairnessTest.DOUBLES, dice, p_value, seen, len(pairs) / FACES)


def _holm(outcomes: Sequence[Outcome]) -> tuple[Outcome, ...]:
    """Keep what is unusual when all tests are taken together."""
    kept: list[Outcome] = []
    for rank, outcome in enumerate(sorted(outcomes, key=lambda item: item.p_value)):
        if outcome.p_value > UNUSUAL / (len(outcomes) - rank):
            break
        kept.append(outcome)
    return tuple(kept)


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Probability that a chi-square variable exceeds ``statistic``: the regularised upper incomplete gamma function.

    Series below, continued fraction (Lentz) above its turning point, as in Numerical Recipes 6.2.
    """
    shape, at = freedom / 2, statistic / 2
    if at <= 0:
        return 1.0
    front = math.exp(-at + shape * math.log(at) - math.lgamma(shape))
    if at < shape + 1:
        term = total = 1 / shape
        step = shape
        while abs(term) > 1e-15 * abs(total):
            step += 1
            term *= at / step
            total += term
        return max(0.0, 1 - front * total)
    tiny = 1e-300
    b = at + 1 - shape
    c, d = 1 / tiny, 1 / b
    fraction = d
    for index in range(1, 1000):
        a = -index * (index - shape)
        b += 2
        d = 1 / (a * d + b or tiny)
        c = b + a / c or tiny
        fraction *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return front * fraction


def two_sided(seen: float, expected: float, variance: float) -> float:
    """Probability of straying at least this far, by the normal curve with a half's continuity correction."""
    apart = max(0.0, abs(seen - expected) - 0.5)
    return math.erfc(apart / math.sqrt(2 * variance))


def binomial_two_sided(seen: int, trials: int, likely: float) -> float:
    """Exact probability of a count no likelier than ``seen`` among ``trials``, each with probability ``likely``."""
    if trials == 0:
        return 1.0

    def log_probability(count: int) -> float:
        ways = math.lgamma(trials + 1) - math.lgamma(count + 1) - math.lgamma(trials - count + 1)
        return ways + count * math.log(likely) + (trials - count) * math.log1p(-likely)

    limit = log_probability(seen) + 1e-9
    return min(1.0, sum(math.exp(value) for value in map(log_probability, range(trials + 1)) if value <= limit))


def _one_in(p_value: float) -> str:
    """Write a small probability as "1000" in "once in 1000", two digits kept."""
    if p_value < 1e-9:
        return "1000000000+"
    odds = 1 / p_value
    digits = max(0, int(math.log10(odds)) - 1)
    return str(int(round(odds, -digits)))
