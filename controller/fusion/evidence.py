"""What quiet looks and reeds say together about the counts on every place.

A look gives odds for each place. Several looks at one scene repeat each other's mistakes, so their logarithms are
averaged and then weighted as a few independent looks, never as many: ``effective_looks`` saturates.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from operator import itemgetter

Odds = tuple[tuple[int, float], ...]
"""(signed count, probability) pairs of one place: +n checkers of the lighter set, -n of the darker, 0 empty."""

MOST = 15
"""The most checkers a place can hold."""

POINTS = 24
BAR_LIGHT, BAR_DARK = 24, 25
"""Rows of the bar's two halves; rows 0..23 are p1..p24."""
ROWS = 26

DOUBT_FLOOR = 0.004
"""Share of a reading that is taken to be wrong in a way the reader does not know of, spread over all counts."""

CORRELATION = 0.45
"""How much one quiet look repeats the next: n looks weigh n / (1 + (n - 1) * CORRELATION), at most about 2.2."""

REED_MISS = 0.02
"""Chance that a place's reeds do not show what lies on it: a dead switch, a weak magnet, a checker off its slots."""

NEW_COLOUR, OPPONENTS_COLOUR = 0.05, 1e-4
"""Where reeds tell without a look: chance that a place changed to the mover's colour, or to the opponent's."""

CHANGE = 0.01
"""By how much (log-likelihood) a checker more or less is unlikelier than none: it decides only where reeds say nothing,
as on a stack higher than its switches."""


@dataclass(frozen=True, slots=True)
class BoardLook:
    """One quiet look at the board, in the reader's colours.

    ``points`` has 24 odds, p1 first. ``hidden`` lists the rows (see ``BAR_LIGHT``) that could not be seen.
    """

    points: tuple[Odds, ...]
    bar_light: Odds
    bar_dark: Odds
    hidden: tuple[int, ...] = ()

    def rows(self) -> tuple[Odds, ...]:
        """All 26 odds: p1..p24, the lighter set's bar, the darker set's bar."""
        return (*self.points, self.bar_light, self.bar_dark)


@dataclass(frozen=True, slots=True)
class Counts:
    """A position in the reader's colours: 24 signed counts and the bar of each set (both as positive numbers)."""

    points: tuple[int, ...]
    bar_light: int
    bar_dark: int

    def rows(self) -> tuple[int, ...]:
        """All 26 signed counts, in the order of ``BoardLook.rows``."""
        return (*self.points, self.bar_light, -self.bar_dark)


def effective_looks(looks: int) -> float:
    """How many independent looks ``looks`` correlated ones are worth."""
    return looks / (1 + (looks - 1) * CORRELATION) if looks else 0.0


def _logarithms(odds: Odds) -> dict[int, float]:
    """Log-likelihood of each count the odds name, above that of a count they do not name."""
    base = DOUBT_FLOOR / (2 * MOST + 1)
    return {count: log(((1 - DOUBT_FLOOR) * chance + base) / base) for count, chance in odds if chance > 0}


def _fits(row: int, count: int) -> bool:
    """Whether ``count`` can stand in ``row``: each half of the bar holds one set only."""
    return not (row == BAR_LIGHT and count < 0) and not (row == BAR_DARK and count > 0)


@dataclass(frozen=True)
class Evidence:
    """Looks at one quiet scene, added up, with what the reeds say of it."""

    looks: int = 0
    sums: tuple[tuple[tuple[int, float], ...], ...] = ((),) * ROWS
    visible: tuple[int, ...] = (0,) * ROWS
    reeds: tuple[tuple[int, int, int], ...] = ()
    """(row, closed switches, switches in the row) of every row that has reeds, as they are now."""
    remembered: tuple[int, ...] = ()
    """Signed counts of all rows before the play, to tell the colours of rows that no look has seen."""
    mover: int = 0
    """Sign of the mover's checkers, with ``remembered``."""

    def with_look(self, look: BoardLook) -> "Evidence":
        """These looks and one more."""
        sums, visible = [], []
        for row, odds in enumerate(look.rows()):
            if row in look.hidden:
                sums.append(self.sums[row])
                visible.append(self.visible[row])
                continue
            total = dict(self.sums[row])
            for count, value in _logarithms(odds).items():
                total[count] = total.get(count, 0.0) + value
            sums.append(tuple(sorted(total.items())))
            visible.append(self.visible[row] + 1)
        return Evidence(self.looks + 1, tuple(sums), tuple(visible), self.reeds)

    def with_reeds(self, reeds: Sequence[tuple[int, int, int]]) -> "Evidence":
        """These looks with the reeds as they are now: (row, closed switches, switches in the row)."""
        return Evidence(self.looks, self.sums, self.visible, tuple(reeds))

    def remembering(self, before: Counts, mover: int) -> "Evidence":
        """These looks and reeds by somebody who knows the board before the play; ``mover`` is the mover's sign.

        Reeds feel checkers, not colours. A colour that stood there before stands there still, or the mover has hit it.
        """
        return Evidence(self.looks, self.sums, self.visible, self.reeds, before.rows(), mover)

    @cached_property
    def scores(self) -> tuple[dict[int, float], ...]:
        """For each of the 26 rows the log-likelihood of every count it can hold, unnamed counts left out as 0."""
        rows: list[dict[int, float]] = []
        for row in range(ROWS):
            seen = self.visible[row]
            weight = effective_looks(seen) / seen if seen else 0.0
            rows.append({count: value * weight for count, value in self.sums[row]})
        for row, shut, most in self.reeds:
            for count in range(-MOST, MOST + 1):
                miss = abs(min(abs(count), most) - shut)
                chance = 1 - REED_MISS if not miss else REED_MISS * 0.5**miss
                memory = self._memory(row, count) if self.remembered and not self.visible[row] else 0.0
                rows[row][count] = rows[row].get(count, 0.0) + log(chance / (REED_MISS * 0.5**most)) + memory
        return tuple(rows)

    def _memory(self, row: int, count: int) -> float:
        """Log-likelihood of ``count`` on a row that was only felt, by what stood there before."""
        before = self.remembered[row]
        memory = -CHANGE * abs(count - before)
        if row < POINTS and count and count * before <= 0:
            memory += log(NEW_COLOUR if count * self.mover > 0 else OPPONENTS_COLOUR)
        return memory

    @property
    def hidden(self) -> tuple[int, ...]:
        """Rows that no look has seen."""
        return tuple(row for row, seen in enumerate(self.visible) if not seen)

    def felt(self, counts: Counts) -> bool:
        """Whether ``counts`` would close exactly the reeds that are closed; true also where there are none."""
        rows = counts.rows()
        return all(min(abs(rows[row]), most) == shut for row, shut, most in self.reeds)

    def log_likelihood(self, counts: Counts) -> float:
        """Log-likelihood of ``counts``, up to a constant that is the same for every position."""
        return sum(scores.get(count, 0.0) for scores, count in zip(self.scores, counts.rows(), strict=True))

    def likeliest(self, light_total: int, dark_total: int, keep: int = 48) -> list[tuple[Counts, float]]:
        """Return up to ``keep`` best positions with at most these many checkers of each set, best first.

        No rule of the game is asked: this is what the board looks like, whatever was played. A beam over the places.
        """
        # Boards under way: weight, lighter and darker checkers so far, counts as a chain from the last place back, so
        # that boards which differ late share what they have in common.
        beam: list[tuple[float, int, int, _Chain]] = [(0.0, 0, 0, ())]
        for row, scores in enumerate(self.scores):
            fitting = [(count, value) for count, value in scores.items() if _fits(row, count)]
            choices = sorted(fitting, key=lambda choice: -choice[1])[:4]
            steps = [
                (value, max(0, count), max(0, -count), count) for count, value in choices if value > choices[0][1] - 12
            ]
            grown: list[tuple[float, int, int, _Chain]] = [
                (total + value, light + more_light, dark + more_dark, (count, chain))
                for total, light, dark, chain in beam
                for value, more_light, more_dark, count in steps or [(0.0, 0, 0, 0)]
                if light + more_light <= light_total and dark + more_dark <= dark_total
            ]
            # Without a place that fits the totals, the board shows too many checkers; keep the hypothesis that it does.
            beam = grown or [(total, light, dark, (0, chain)) for total, light, dark, chain in beam]
            beam.sort(key=itemgetter(0), reverse=True)
            del beam[3 * keep :]
        return [(_counts(chain), total) for total, _, _, chain in beam[:keep]]


_Chain = tuple[()] | tuple[int, "_Chain"]


def _counts(chain: _Chain) -> Counts:
    """The board whose places ``chain`` holds, the last one first."""
    counts: list[int] = []
    while chain:
        count, chain = chain
        counts.append(count)
    counts.reverse()
    return Counts(tuple(counts[:POINTS]), counts[BAR_LIGHT], -counts[BAR_DARK])
