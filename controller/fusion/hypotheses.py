"""What could have been played, weighed against what was seen.

The board is never snapped to the nearest legal position: illegal ends are hypotheses too, with a prior of their own,
and the decision is left to whoever asks for the probabilities.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from math import exp, log

from controller.fusion.evidence import Counts, Evidence
from controller.rules import Game, Play, Position, Side


class HypothesisKind(Enum):
    """What kind of end a hypothesis is about."""

    LEGAL = "legal"
    UNMOVED = "unmoved"
    ILLEGAL = "illegal"
    """All checkers are there, but no legal play leads here."""
    ODD = "odd"
    """Checkers are missing or too many: one is in a hand, or the board was misread."""


LOG_PRIOR = {
    HypothesisKind.LEGAL: 0.0,
    HypothesisKind.UNMOVED: log(0.02),
    HypothesisKind.ILLEGAL: log(1e-4),
    HypothesisKind.ODD: log(1e-6),
}
"""Illegal plays are rare and there are hundreds of them, so one of them needs two places that deny every legal end."""


@dataclass(frozen=True, slots=True)
class View:
    """How the reader's colours and places turn into one mover's numbering.

    ``light`` plays the lighter set; ``checkers`` is how many a side has in this game.
    """

    game: Game
    light: Side
    mover: Side
    checkers: int

    @property
    def sign(self) -> int:
        """Sign of the mover's checkers in the reader's colours."""
        return 1 if self.mover is self.light else -1

    def counts(self, position: Position) -> Counts:
        """``position`` (in the mover's numbering) as the reader would see it."""
        white = position.seen_by(self.mover, self.game)
        sign = 1 if self.light is Side.WHITE else -1
        bar_light, bar_dark = white.bar if sign > 0 else white.bar[::-1]
        return Counts(tuple(sign * count for count in white.points), bar_light, bar_dark)

    def position(self, counts: Counts) -> Position:
        """What was seen in the mover's numbering; checkers that are not on the board count as borne off."""
        sign = 1 if self.light is Side.WHITE else -1
        points = tuple(sign * count for count in counts.points)
        bars = (counts.bar_light, counts.bar_dark)
        bar = bars if sign > 0 else bars[::-1]
        off = (
            max(0, self.checkers - sum(n for n in points if n > 0) - bar[0]),
            max(0, self.checkers + sum(n for n in points if n < 0) - bar[1]),
        )
        white = Position(points, bar, off)
        return white.seen_by(self.mover, self.game)


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One way the turn may have ended; ``after`` in the mover's numbering, ``play`` when it is a legal one.

    ``misfit`` is by how much (log-likelihood) the likeliest board, possible or not, fits what was seen better.
    """

    kind: HypothesisKind
    after: Position
    play: Play | None
    probability: float
    misfit: float


def hypotheses(
    evidence: Evidence, before: Position, legal: Mapping[Position, Play], view: View, keep: int = 6
) -> tuple[Hypothesis, ...]:
    """Rank the ways the turn may have ended, likeliest first; probabilities are of all, ``keep`` are returned.

    ``legal`` maps every legal end (mover's numbering) to its play; a forced pass maps ``before`` to the empty play.
    """
    evidence = evidence.remembering(view.counts(before), view.sign)
    found: dict[Position, tuple[HypothesisKind, Play | None, float]] = {}
    for after, play in legal.items():
        found[after] = (HypothesisKind.LEGAL, play, evidence.log_likelihood(view.counts(after)))
    if before not in found:
        found[before] = (HypothesisKind.UNMOVED, None, evidence.log_likelihood(view.counts(before)))
    for counts, likelihood in evidence.likeliest(view.checkers, view.checkers):
        seen = view.position(counts)
        if seen not in found:
            found[seen] = (_kind(before, seen), None, likelihood)
    spread = {HypothesisKind.LEGAL: log(max(1, len(legal)))}
    weights = {after: LOG_PRIOR[kind] - spread.get(kind, 0.0) + fit for after, (kind, _, fit) in found.items()}
    best, best_fit = max(weights.values()), max(fit for _, _, fit in found.values())
    chances = {after: exp(weight - best) for after, weight in weights.items()}
    total = sum(chances.values())
    ranked = sorted(found, key=lambda after: -chances[after])[:keep]
    return tuple(
        Hypothesis(found[after][0], after, found[after][1], chances[after] / total, best_fit - found[after][2])
        for after in ranked
    )


def _kind(before: Position, seen: Position) -> HypothesisKind:
    """Tell an illegal play from a board that cannot be: nobody takes a borne-off checker back."""
    mine, theirs = seen.off[0] - before.off[0], seen.off[1] - before.off[1]
    bearing_off = mine > 0 and max((p for p, n in enumerate(before.points, 1) if n > 0), default=0) <= 12
    whole = theirs == 0 and (mine == 0 or (bearing_off and mine <= 4))
    return HypothesisKind.ILLEGAL if whole else HypothesisKind.ODD
