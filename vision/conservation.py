"""What a set's size says about its places: fifteen checkers do not become sixteen, and seldom twelve.

A second layer seen from straight above, or a stack behind a rim, leaves honest doubt about its count; the sum over the
whole board settles much of it. This is arithmetic of the set, not of the game: no move is judged here.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

SET_SIZE: Final = 15
ALL_THERE: Final = 0.6
"""Chance that all of a set lies on points and bar; else any smaller number does, for all we know."""
TOO_MANY: Final = 1e-5
"""Chance of a checker that does not belong to the set."""

Odds = dict[int, float]
"""Signed count to probability."""
Column = npt.NDArray[np.float64]


def conserve(places: Sequence[Odds], fixed: Sequence[bool], set_size: int = SET_SIZE) -> list[Odds]:
    """Return the odds of all places given that each set has ``set_size`` checkers.

    ``fixed`` places take part with their odds but keep them: what is hidden must not be concluded from the rest.
    """
    updated = [dict(odds) for odds in places]
    for sign in (1, -1):
        columns = [_own(odds, sign) for odds in updated]
        for index, message in enumerate(_messages(columns, _prior(set_size, len(columns)))):
            if fixed[index]:
                continue
            weighed = {count: chance * message[max(0, sign * count)] for count, chance in updated[index].items()}
            total = sum(weighed.values())
            if total > 0:
                updated[index] = {count: chance / total for count, chance in weighed.items()}
    return updated


def _own(odds: Odds, sign: int) -> Column:
    """Probability of 0..n checkers of one set; places of the other set count as 0."""
    column = np.zeros(1 + max(15, *(sign * count for count in odds)))
    for count, chance in odds.items():
        column[max(0, sign * count)] += chance
    return column


def _prior(set_size: int, places: int) -> Column:
    prior = np.full(places * 16 + 64, TOO_MANY)
    prior[:set_size] = (1 - ALL_THERE) / set_size
    prior[set_size] = ALL_THERE
    return prior


def _messages(columns: Sequence[Column], prior: Column) -> list[Column]:
    """For each place: how probable the others' sum makes each count of its own."""
    reach = 48  # no board sums to more in any reading worth having
    before, after = [np.ones(1)], [np.ones(1)]
    for column in columns[:-1]:
        before.append(np.convolve(before[-1], column)[:reach])
    for column in columns[:0:-1]:
        after.append(np.convolve(after[-1], column)[:reach])
    messages = []
    for index, column in enumerate(columns):
        rest = np.convolve(before[index], after[len(columns) - 1 - index])[:reach]
        messages.append(np.correlate(prior[: len(rest) + len(column) - 1], rest, "valid"))
    return messages
