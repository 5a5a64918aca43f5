"""What every evaluation gives: lines for people, and totals for whoever compares."""

from collections.abc import Iterable, Mapping
from typing import Protocol

Totals = Mapping[str, object]
"""JSON-friendly figures; ratios are 0..1, counts are whole numbers."""


class Scores(Protocol):
    """The outcome of one evaluation."""

    def lines(self) -> Iterable[str]:
        """Table for people, one line a row, the totals last."""
        ...

    def totals(self) -> Totals:
        """Return the figures, by their published names."""
        ...


def share(part: int, whole: int) -> float | None:
    """Return ``part / whole``, or None where there is nothing to measure."""
    return round(part / whole, 5) if whole else None
