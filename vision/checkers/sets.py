"""Tells the two sets of checkers apart: which looks belong together, and how sure that is.

No colour is known beforehand. Every split of the occupied points into two sets that comes near the best one goes on
beside it: what the whole board adds up to decides between them, and where it does not, the reading is unsure.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.checkers.conservation import SET_SIZE
from vision.checkers.profile import Profile
from vision.checkers.strip_net import StripScores
from vision.inference import Floats

ONE_SET_DISTANCE: Final = 2.0
"""Features closer than this belong to one set (the training's even odds are at distance 2)."""
ODD_FEATURES: Final = 8.0
"""Squared distance from its set beyond which features are just odd and count no more."""
STEEPNESS: Final = 4.0
TOLERANCE: Final = 2.8
"""How odds grow with distance: like a power, not exponentially, since looks that are far from both sets belong to
neither. Fitted on four families of generated boards, each left out in turn (docs/vision.md)."""
SPLIT_STEEPNESS: Final = 0.5
"""What one occupied point's squared distance from its set counts against a split, in log odds."""
MOST_SPLITS: Final = 6
LEAST_WEIGHT: Final = 0.02
"""Splits less likely than this share of the best one's odds are given up."""
MISFIT: Final = 0.3
"""What each checker beyond a set's size counts against a split, in squared distance of every point."""
ROUNDS: Final = 5
LIKENESS_SPREAD: Final = 4.0
LIKENESS_STEEPNESS: Final = 3.0
ODD_CHECKERS: Final = 0.02
USUAL_LIKENESS: Final = 0.6
"""What looks like neither set (a logo, a dark point) is seldom a checker: how fast likeness to a set falls with squared
distance, how often a checker looks odd all the same, and from which likeness nothing is taken off."""


@dataclass(frozen=True, slots=True, eq=False)
class Sets:
    """The two sets' features on this board, lighter first."""

    light: Floats
    dark: Floats
    certainty: float
    """Probability that the lighter one really is the lighter one."""
    sharpness: float
    weight: float = 1.0
    """How likely this split of the board is beside the best one."""

    def light_odds(self, features: Floats) -> float:
        """Probability that features belong to the lighter set."""
        size = len(features)  # shorter on the bar, where only cells and colour count
        dark, light = (float(((features - own[:size]) ** 2).sum()) for own in (self.dark, self.light))
        tolerance = TOLERANCE / self.sharpness
        power = ((tolerance + dark) / (tolerance + light)) ** STEEPNESS
        same = power / (1 + power)
        return float(self.certainty * same + (1 - self.certainty) * (1 - same))

    def likeness(self, features: Floats) -> float:
        """How well features fit a checker of either set, 0..1: what it says for there being one at all.

        It says nothing while not both sets are known.
        """
        if self.certainty < 1:
            return 1.0
        nearest = min(float(((features - own) ** 2).sum()) for own in (self.dark, self.light))
        like = float((1 + nearest / LIKENESS_SPREAD) ** -LIKENESS_STEEPNESS)
        return min(1.0, (like + ODD_CHECKERS) / (USUAL_LIKENESS + ODD_CHECKERS))


def known_sets(profile: Profile, sharpness: float) -> Sets:
    """Return the sets as a profile knows them."""
    return Sets(np.array(profile.light_look, np.float32), np.array(profile.dark_look, np.float32), 1.0, sharpness)


def possible_sets(scores: StripScores, sharpness: float) -> list[Sets]:
    """Split the tops in view into two sets by their features, in each likely way; the brighter one is the lighter."""
    seen = [strip for strip in range(24) if (1 - scores.counts[strip, 0]) * (1 - scores.hidden[strip]) > 0.5]
    if not seen:
        nothing = np.zeros_like(scores.features_of(0, scores.tops[0]))
        return [Sets(nothing, nothing, 0.5, sharpness)]
    features = np.array([scores.features_of(strip, scores.tops[strip]) for strip in seen])
    number = np.arange(scores.counts.shape[1])
    occupied = OccupiedPoints(features, np.sqrt(scores.tops[seen].sum((1, 2))), scores.counts[seen] @ number)
    level = np.array([_luma(scores.colour_of(strip, scores.tops[strip])) for strip in seen])
    splits = occupied.splits()
    if not splits:
        # One set only: lighter or darker than what, nothing on this board can show.
        middle = np.asarray(np.average(features, 0, occupied.weight), np.float32)
        away = np.asarray(middle + ONE_SET_DISTANCE, np.float32)
        brighter = float(np.average(level, weights=occupied.weight)) > 110
        return [Sets(middle if brighter else away, away if brighter else middle, 0.75, sharpness)]
    least = min(split.misfit for split in splits)
    found = []
    for split in splits:
        weight = float(np.exp(-SPLIT_STEEPNESS * len(seen) * (split.misfit - least)))
        if weight > LEAST_WEIGHT:
            lumas = [float(np.average(level, weights=share)) for share in split.shares]
            lighter = int(lumas[1] > lumas[0])
            light, dark = split.centres[lighter], split.centres[1 - lighter]
            found.append(Sets(light, dark, 1.0, sharpness, weight))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """A way to part the occupied points in two sets."""

    misfit: float
    """What speaks against it."""
    centres: Floats
    """Mean features of both parts, shape (2, 19)."""
    shares: Floats
    """What each point counts in each part, shape (2, k)."""


@dataclass(frozen=True, slots=True, eq=False)
class OccupiedPoints:
    """Occupied points: features (k, 19), how much of each is seen (k,), checkers expected (k,)."""

    features: Floats
    weight: Floats
    checkers: Floats

    def splits(self) -> list[Split]:
        """The best ways to part the points in two, the best first; none if all look like one set.

        2-means from every pair of points that differ, robust against single odd ones (glare, shadow, a logo).
        """
        apart = ((self.features[:, None] - self.features[None]) ** 2).sum(-1)
        first, second = np.nonzero(np.triu(apart >= ONE_SET_DISTANCE**2, 1))
        if not len(first):
            return []
        parts, own = apart[first] > apart[second], np.minimum(apart[first], apart[second])
        for _ in range(ROUNDS):
            distances = self._distances(self._shares(parts, own))
            nearer = distances[1] < distances[0]
            whole = nearer.any(1) & ~nearer.all(1)
            following = np.where(whole[:, None], nearer, parts)
            own = np.where(following, distances[1], distances[0])
            if (following == parts).all():
                break
            parts = following
        parts, rows = np.unique(parts ^ parts[:, :1], axis=0, return_index=True)
        shares = self._shares(parts, own[rows])
        distances = self._distances(shares)
        own = np.where(parts, distances[1], distances[0])
        spread = np.minimum(own, ODD_FEATURES) @ self.weight / self.weight.sum()
        excess = sum(np.maximum(0, part @ self.checkers - SET_SIZE - 0.5) for part in (parts, ~parts))
        misfits = spread + MISFIT * excess
        shares = self._shares(parts, own)
        middles = _middles(shares, self.features)
        best = np.argsort(misfits, kind="stable")[:MOST_SPLITS]
        return [Split(float(misfits[row]), middles[:, row], shares[:, row]) for row in best]

    def _shares(self, parts: npt.NDArray[np.bool_], own: Floats) -> Floats:
        """What each point counts in the first and second part of each split, shape (2, splits, k).

        ``parts`` (splits, k) says which points are in the second, ``own`` how far each is from its part's middle.
        """
        worth = self.weight / (1 + own / ODD_FEATURES)
        return np.asarray([~parts * worth, parts * worth], np.float32)

    def _distances(self, shares: Floats) -> Floats:
        """Squared distances of all points from the middles of both parts, shape (2, splits, k)."""
        middles = _middles(shares, self.features)
        size = (self.features**2).sum(1)
        return np.asarray(size - 2 * middles @ self.features.T + (middles**2).sum(-1, keepdims=True), np.float32)


def _middles(shares: Floats, features: Floats) -> Floats:
    return np.asarray(shares @ features / shares.sum(-1, keepdims=True), np.float32)


def _luma(colour: Floats) -> float:
    return float(colour @ np.array([0.114, 0.587, 0.299], np.float32))
