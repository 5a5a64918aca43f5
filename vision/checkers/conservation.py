"""What a set's size implies for its places: fifteen checkers do not become sixteen, and seldom twelve.

A second layer seen from straight above, or a stack behind a rim, leaves honest doubt about its count; the sum over the
whole board settles much of it. This is arithmetic of the set, not of the game: no move is judged here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

SET_SIZE: Final = 15
ALL_THERE: Final = 0.6
"""Probability that no checker of a set is out of sight; else any number is, for all we know."""
REACH: Final = 48
"""No board sums to more in any reading worth having."""
TOO_MANY: Final = 1e-5
"""Probability of a checker that does not belong to the set."""

Odds = dict[int, float]
"""Signed count to probability."""
Column = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Conserved:
    """The odds of all places, in the light of all others."""

    places: list[Odds]
    borne_off: tuple[Odds, Odds]
    """Signed counts of the lighter and of the darker set that lie neither on points nor on the bar."""
    evidence: float
    """How probable the odds make it that both sets are complete: of two readings of a board, the likelier one's is
    greater."""


def out_of_sight(set_size: int = SET_SIZE, all_there: float = ALL_THERE) -> Column:
    """Probability that 0..n checkers of a set lie where nobody looks, ``all_there`` that none does."""
    probabilities = np.full(set_size + 1, (1 - all_there) / set_size)
    probabilities[0] = all_there
    return probabilities


def conserve(
    places: Sequence[Odds],
    fixed: Sequence[bool],
    set_size: int = SET_SIZE,
    borne_off: tuple[Column, Column] | None = None,
) -> Conserved:
    """Return the odds of all places, and of both sets' borne-off checkers, given ``set_size`` checkers of each set.

    ``fixed`` places take part with their odds but keep them: what is hidden must not be concluded from the rest.
    ``borne_off``: chances of 0..n checkers of the lighter and of the darker set that lie neither on points nor on the
    bar, as far as one sees; None where nobody looked.
    """
    updated = [dict(odds) for odds in places]
    aside = borne_off or (out_of_sight(set_size), out_of_sight(set_size))
    settled: list[Odds] = []
    evidence = 1.0
    for sign, own_aside in zip((1, -1), aside, strict=True):
        columns = [*(_own(odds, sign) for odds in updated), own_aside]
        *messages, rest = _messages(columns, _prior(set_size, len(columns)))
        for index, message in enumerate(messages):
            if not fixed[index]:
                weighed = {
                    count: probability * message[max(0, sign * count)] for count, probability in updated[index].items()
                }
                updated[index] = _scaled(weighed) or updated[index]
        weighed = {sign * count: float(probability * rest[count]) for count, probability in enumerate(own_aside)}
        evidence *= sum(weighed.values())
        settled.append(_scaled(weighed) or {sign * n: float(probability) for n, probability in enumerate(own_aside)})
    return Conserved(updated, (settled[0], settled[1]), evidence)


def _scaled(odds: Odds) -> Odds:
    """The same odds with a sum of one; empty where nothing is possible."""
    total = sum(odds.values())
    return {count: probability / total for count, probability in odds.items()} if total > 0 else {}


def _own(odds: Odds, sign: int) -> Column:
    """Probability of 0..n checkers of one set; places of the other set count as 0."""
    column = np.zeros(1 + max(15, *(sign * count for count in odds)))
    for count, probability in odds.items():
        column[max(0, sign * count)] += probability
    return column


def _prior(set_size: int, places: int) -> Column:
    prior = np.full(places * 16 + 64, TOO_MANY)
    prior[:set_size] = 0.0  # whatever is missing is out of sight
    prior[set_size] = 1.0
    return prior


def _messages(columns: Sequence[Column], prior: Column) -> list[Column]:
    """For each place: how probable the others' sum makes each count of its own."""
    longest = max(len(column) for column in columns)
    spread = np.zeros((len(columns), longest))
    for row, column in zip(spread, columns, strict=True):
        row[: len(column)] = column
    # Sums are products of spectra; those without one place are the products before it and after it.
    spectra = np.fft.rfft(spread, len(columns) * longest, axis=1)
    ones = np.ones((1, spectra.shape[1]))
    before = np.cumprod(np.concatenate([ones, spectra[:-1]]), axis=0)
    after = np.cumprod(np.concatenate([ones, spectra[:0:-1]]), axis=0)[::-1]
    rest = np.fft.irfft(before * after, len(columns) * longest, axis=1)[:, :REACH].clip(0)
    messages = rest @ np.array([prior[own : own + REACH] for own in range(longest)]).T
    return [message[: len(column)] for message, column in zip(messages, columns, strict=True)]
