"""Reads the checkers of a board it may never have seen: odds for every place, never a bare guess.

The network counts on each point and finds tops; which set a top belongs to is decided across the whole board, since
only the other checkers show what "the lighter set" means here. A learnt profile replaces that comparison.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardPose, Frame
from vision.checkers.borne_off import UNKNOWN, ZoneNet, ZoneScores
from vision.checkers.close_look import CloseLook, possible_stacks
from vision.checkers.conservation import SET_SIZE, Odds, conserve
from vision.checkers.profile import Profile
from vision.checkers.strip_net import StripNet, StripScores
from vision.checkers.strips import strip_height, strip_to_picture
from vision.inference import Floats
from vision.readings import BoardReading, PlaceReading

SMALLEST_ODDS: Final = 0.001
HIDDEN_FROM: Final = 0.5
SURE: Final = 0.98
"""A board each of whose places is surer than this, and which holds both sets, is not looked at again."""
ONE_SET_DISTANCE: Final = 2.0
"""Features closer than this belong to one set (the training's even odds are at distance 2)."""
ODD_FEATURES: Final = 8.0
"""Squared distance from its set beyond which features are just odd and counts no more."""
IN_PLAY: Final = np.array(
    [0.8, 1.4, 1.7, 1.6, 1.6, 0.93, 0.65, 0.6, 0.6, 0.6, 0.6, 0.55, 0.5, 0.45, 0.4, 0.35], np.float32
)
"""How many times as often a point holds 0..15 checkers in play as in the training pictures, whose odds the net carries.

Training draws stacks too often, so that they get learnt. Counted over 80 games each of short and long nardy that the
rules engine played by itself, half at random, half avoiding blots and stacks; geometric mean, smoothed.
"""
LEAST_CELLS: Final = 6.0
"""Cells on tops of a set, half a checker, from which its colour is known."""
_CELL_PX: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class Sets:
    """The two sets' features on this board, lighter first."""

    light: Floats
    dark: Floats
    certainty: float
    """Probability that the lighter one really is the lighter one."""
    sharpness: float

    def light_odds(self, features: Floats) -> float:
        """Probability that features belong to the lighter set."""
        size = len(features)  # shorter on the bar, where only cells and colour count
        score = float(((features - self.dark[:size]) ** 2).sum() - ((features - self.light[:size]) ** 2).sum())
        same = 1 / (1 + np.exp(-np.clip(self.sharpness * score, -30, 30)))
        return float(self.certainty * same + (1 - self.certainty) * (1 - same))


class CheckerReader:
    """Reads the checkers of a picture."""

    def __init__(
        self, net: StripNet | None = None, close: CloseLook | None = None, *, set_size: int = SET_SIZE
    ) -> None:
        """Read with ``net`` and look again with ``close``; each set has ``set_size`` checkers, less in hyper-nardy."""
        self.net = net or StripNet()
        self._close = close or CloseLook()
        self._zones = ZoneNet()
        self._set_size = set_size

    def read(self, frame: Frame, pose: BoardPose, profile: Profile | None = None) -> BoardReading:
        """Return the odds of every place; ``profile`` describes the two sets if they are known."""
        scores = self.net.look(frame, pose)
        places = self._places(scores, pose, profile)
        reading = self._settled(scores, places, None)
        if self._adds_up(places, reading):
            # Whoever sees all checkers on the board knows without a look beside it that none lies there.
            off_light, off_dark = (replace(off, hidden=False) for off in (reading.off_light, reading.off_dark))
            return replace(reading, off_light=off_light, off_dark=off_dark)
        beside = self._zones.look(frame, pose, reference_colours(scores, places))
        reading = self._settled(scores, places, beside)
        asked = possible_stacks(scores, np.array([place.certainty for place in reading.points], np.float32))
        if asked:
            places = self._places(self._close.sharpen(scores, frame, pose, asked), pose, profile)
            reading = self._settled(scores, places, beside)
        return reading

    def _adds_up(self, places: list[Odds], reading: BoardReading) -> bool:
        """Whether all places are sure and hold both sets even before the sum is asked: no closer look is needed."""
        likeliest = [max(odds, key=odds.__getitem__) for odds in places]
        whole = all(sum(max(0, sign * count) for count in likeliest) == self._set_size for sign in (1, -1))
        seen = (*reading.points, reading.bar_light, reading.bar_dark)
        return whole and all(place.certainty >= SURE and not place.hidden for place in seen)

    def judge(self, scores: StripScores, pose: BoardPose, profile: Profile | None = None) -> BoardReading:
        """Turn what the network saw on the board into odds of signed counts; nobody looked beside it."""
        return self._settled(scores, self._places(scores, pose, profile), None)

    def _places(self, scores: StripScores, pose: BoardPose, profile: Profile | None) -> list[Odds]:
        """Odds of p1..p24 and of both sets on the bar, each place by itself."""
        sharpness = self.net.calibration["set_sharpness"]
        sets = known_sets(profile, sharpness) if profile is not None else find_sets(scores, sharpness)
        return [_point_odds(scores, strip, sets) for strip in range(24)] + self._bar_odds(scores, pose, sets)

    def _settled(self, scores: StripScores, places: list[Odds], beside: ZoneScores | None) -> BoardReading:
        """Weigh all places by what is covered, by what lies beside the board and by each other."""
        hidden = [float(probability) for probability in scores.hidden[:24]] + [float(scores.hidden[24:].max())] * 2
        spread = [_faded(odds, covered) for odds, covered in zip(places, hidden, strict=True)]
        aside = None if beside is None else beside.probabilities(self._set_size)
        settled = conserve(spread, [covered > HIDDEN_FROM for covered in hidden], self._set_size, aside)
        readings = [
            PlaceReading(_listed(odds), covered > HIDDEN_FROM)
            for odds, covered in zip(settled.places, hidden, strict=True)
        ]
        out_of_view = beside is None or not beside.all_seen
        off = [PlaceReading(_listed(odds), out_of_view) for odds in settled.borne_off]
        return BoardReading(tuple(readings[:24]), readings[24], readings[25], off[0], off[1])

    def _bar_odds(self, scores: StripScores, pose: BoardPose, sets: Sets) -> list[Odds]:
        """Odds of the lighter, then of the darker set on the bar."""
        calibration = self.net.calibration
        odds = [np.array([1.0]), np.array([1.0])]
        for strip, row, column, logit in _bar_tops(scores, pose):
            there = 1 / (1 + np.exp(-(calibration["bar_gain"] * logit + calibration["bar_offset"])))
            light = sets.light_odds(scores.features_of(strip, _disc(row, column) * scores.tops[strip] + 1e-6))
            for index, probability in ((0, there * light), (1, there * (1 - light))):
                odds[index] = np.convolve(odds[index], [1 - probability, probability])
        return [
            {sign * count: float(probability) for count, probability in enumerate(column)}
            for sign, column in zip((1, -1), odds, strict=True)
        ]


def _point_odds(scores: StripScores, strip: int, sets: Sets) -> Odds:
    counts = scores.counts[strip] * IN_PLAY
    counts /= counts.sum()
    light = sets.light_odds(scores.features_of(strip, scores.tops[strip]))
    odds = {0: float(counts[0])}
    for count in range(1, len(counts)):
        odds[count] = float(counts[count]) * light
        odds[-count] = float(counts[count]) * (1 - light)
    return odds


def reference_colours(scores: StripScores, places: Sequence[Odds]) -> Floats:
    """Mean colours of both sets' tops on the points, lighter first, BGR, shape (2, 3); UNKNOWN where none is seen."""
    whose = np.array([[sum(odds[n] for n in odds if sign * n > 0) for sign in (1, -1)] for odds in places[:24]])
    tops = scores.tops[:24]
    cells = whose * ((1 - scores.hidden[:24]) * tops.sum((1, 2)))[:, None]
    colours = np.einsum("prc,prcb->pb", tops, scores.light[:24]) / np.maximum(tops.sum((1, 2)), 1e-6)[:, None]
    total = cells.sum(0)
    mean = cells.T @ colours / np.maximum(total, 1e-6)[:, None]
    return np.where(total[:, None] > LEAST_CELLS, mean, UNKNOWN).astype(np.float32)


def known_sets(profile: Profile, sharpness: float) -> Sets:
    """Return the sets as a profile knows them."""
    return Sets(np.array(profile.light_look, np.float32), np.array(profile.dark_look, np.float32), 1.0, sharpness)


def find_sets(scores: StripScores, sharpness: float) -> Sets:
    """Split the tops in view into two sets by their features; the brighter one is the lighter set."""
    seen = [strip for strip in range(24) if (1 - scores.counts[strip, 0]) * (1 - scores.hidden[strip]) > 0.5]
    if not seen:
        nothing = np.zeros(19, np.float32)
        return Sets(nothing, nothing, 0.5, sharpness)
    features = np.array([scores.features_of(strip, scores.tops[strip]) for strip in seen])
    number = np.arange(scores.counts.shape[1])
    occupied = OccupiedPoints(features, np.sqrt(scores.tops[seen].sum((1, 2))), scores.counts[seen] @ number)
    level = np.array([_luma(scores.colour_of(strip, scores.tops[strip])) for strip in seen])
    split = occupied.split()
    if split is None:
        # One set only: lighter or darker than what, nothing on this board can show.
        middle = np.asarray(np.average(features, 0, occupied.weight), np.float32)
        away = np.asarray(middle + ONE_SET_DISTANCE, np.float32)
        brighter = float(np.average(level, weights=occupied.weight)) > 110
        return Sets(middle if brighter else away, away if brighter else middle, 0.75, sharpness)
    centres = occupied.centres(split)
    lumas = [float(np.average(level[split == k], weights=occupied.weight[split == k])) for k in (0, 1)]
    lighter = int(lumas[1] > lumas[0])
    return Sets(centres[lighter], centres[1 - lighter], 1.0, sharpness)


@dataclass(frozen=True, slots=True, eq=False)
class OccupiedPoints:
    """Occupied points: features (k, 19), how much of each is seen (k,), checkers expected (k,)."""

    features: Floats
    weight: Floats
    checkers: Floats

    def centres(self, split: npt.NDArray[np.int64]) -> Floats:
        """Mean features of both parts, shape (2, 19)."""
        parts = [np.average(self.features[split == k], 0, self.weight[split == k]) for k in (0, 1)]
        return np.asarray(parts, np.float32)

    def split(self) -> npt.NDArray[np.int64] | None:
        """Part 0 or 1 of each point, None if all look like one set.

        2-means from several starts, robust against single odd ones (glare, shadow); a set has at most 15 checkers.
        """
        apart = ((self.features[:, None] - self.features[None]) ** 2).sum(-1)
        best: tuple[float, npt.NDArray[np.int64] | None] = (np.inf, None)
        for first, second in {tuple(sorted((i, int(apart[i].argmax())))) for i in range(len(apart))}:
            if apart[first, second] < ONE_SET_DISTANCE**2:
                continue
            split = (apart[first] > apart[second]).astype(np.int64)
            for _ in range(5):
                distance = ((self.features[:, None] - self.centres(split)) ** 2).sum(-1)
                following = distance.argmin(1)
                if (following == split).all() or len(set(following.tolist())) < 2:
                    break
                split = following
            distance = ((self.features - self.centres(split)[split]) ** 2).sum(-1)
            spread = float(self.weight @ np.minimum(distance, ODD_FEATURES)) / float(self.weight.sum())
            excess = sum(max(0.0, float(self.checkers[split == k].sum()) - SET_SIZE - 0.5) for k in (0, 1))
            best = min(best, (spread + 0.3 * excess, split), key=lambda entry: entry[0])
        return best[1]


def _luma(colour: Floats) -> float:
    return float(colour @ np.array([0.114, 0.587, 0.299], np.float32))


def _disc(row: int, column: int, radius: float = 1.8) -> Floats:
    rows, columns = np.mgrid[0:42, 0:10]
    return np.asarray((rows - row) ** 2 + (columns - column) ** 2 <= radius**2, np.float32)


def _bar_tops(scores: StripScores, pose: BoardPose) -> list[tuple[int, int, int, float]]:
    """Peaks of the centre maps on the bar: (strip, row, column, log odds), each checker once."""
    found: list[tuple[int, int, int, float]] = []
    places: list[tuple[float, float]] = []
    candidates = [
        (strip, row, column, float(scores.centres[strip, row, column]))
        for strip in (24, 25)
        for row, column in zip(*np.nonzero(scores.centres[strip] > -2.5), strict=True)
    ]
    # Nearer to the bar's middle than to that of the next column: a narrow bar's strip shows the points beside it, too.
    half = (pose.shape.bar[1] - pose.shape.bar[0] + pose.shape.pitch(1)) / 4
    for strip, row, column, logit in sorted(candidates, key=lambda entry: -entry[3]):
        spot = strip_to_picture(pose, strip) @ ((column + 0.5) * _CELL_PX, (row + 0.5) * _CELL_PX, 1.0)
        u, v = pose.to_surface([spot[:2] / spot[2]], strip_height(pose, strip))[0]
        if (v > 0.5 if strip == 24 else v <= 0.5) or not -0.02 < v < 1.02:
            continue
        if abs(u - sum(pose.shape.bar) / 2) > half:
            continue
        reach = 0.7 * pose.shape.checker_width
        if any(np.hypot(u - x, (v - y) * pose.aspect) < reach for x, y in places):
            continue
        places.append((float(u), float(v)))
        found.append((strip, int(row), int(column), logit))
    return found


def _faded(odds: Odds, hidden: float) -> Odds:
    """What can't be seen is unknown, not empty: the odds of a covered place fade into "anything"."""
    if hidden <= HIDDEN_FROM:
        return odds
    share = min(0.95, hidden)
    return {count: (1 - share) * probability + share / len(odds) for count, probability in odds.items()}


def _listed(odds: Odds) -> tuple[tuple[int, float], ...]:
    """Counts and their probabilities, falling, the negligible left out."""
    total = sum(odds.values())
    falling = sorted(((count, probability / total) for count, probability in odds.items()), key=lambda entry: -entry[1])
    return tuple((count, round(probability, 6)) for count, probability in falling if probability >= SMALLEST_ODDS)
