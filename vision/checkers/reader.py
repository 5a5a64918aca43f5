"""Reads the checkers of a board it may never have seen: odds for every place, never a bare guess.

The network counts on each point and finds tops; which set a top belongs to is decided across the whole board, since
only the other checkers show what "the lighter set" means here. A learnt profile replaces that comparison.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.board.geometry import BoardPose, Frame
from vision.checkers.borne_off import UNKNOWN, ZoneNet, ZoneScores
from vision.checkers.close_look import CloseLook, possible_stacks
from vision.checkers.conservation import SET_SIZE, Odds, conserve
from vision.checkers.memory import BoardMemory, KnownCheckers, Recalled
from vision.checkers.profile import Profile, ProfileError, learn_from
from vision.checkers.sets import Sets, known_sets, possible_sets
from vision.checkers.strip_net import StripNet, StripScores
from vision.checkers.strips import cut_strips, strip_height, strip_to_picture, strip_views
from vision.inference import Floats
from vision.readings import BoardReading, PlaceReading

SMALLEST_ODDS: Final = 0.001
HIDDEN_FROM: Final = 0.5
SURE: Final = 0.98
"""A board each of whose places is surer than this, and which holds both sets, is not looked at again."""
IN_PLAY: Final = np.array(
    [0.8, 1.4, 1.7, 1.6, 1.6, 0.93, 0.65, 0.6, 0.6, 0.6, 0.6, 0.55, 0.5, 0.45, 0.4, 0.35], np.float32
)
"""How many times as often a point holds 0..15 checkers in play as in the training pictures, whose odds the net carries.

Training draws stacks too often, so that they get learnt. Counted over 80 games each of short and long nardy that the
rules engine played by itself, half at random, half avoiding blots and stacks; geometric mean, smoothed.
"""
FOLLOWED: Final = 0.25
"""Share by which the learnt look of the sets follows each look at a known position: light changes slowly."""
LEAST_CELLS: Final = 6.0
"""Cells on tops of a set, half a checker, from which its colour is known."""
_CELL_PX: Final = 4
BarTop = tuple[float, Floats]
"""How likely something on the bar is a checker, and its features."""


@dataclass(frozen=True, slots=True)
class SplitOdds:
    """Odds of p1..p24 and of both sets on the bar, each place by itself, for one way to split the checkers in sets."""

    places: list[Odds]
    weight: float
    """How likely this split is beside the others."""


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

    def read(
        self, frame: Frame, pose: BoardPose, profile: Profile | None = None, memory: BoardMemory | None = None
    ) -> BoardReading:
        """Return the odds of every place; ``profile`` describes the two sets if they are known.

        With a ``memory`` of this board what looks as it did when it was known is not read again.
        """
        strips = cut_strips(frame, pose)
        recalled = None
        if memory is not None:
            recalled = memory.recall(strips)
            profile = memory.profile
            if recalled is not None and recalled.whole and memory.reading is not None:
                return _as_known(recalled, memory.reading)
        scores = self.net.read(strips, strip_views(pose))
        if recalled is not None:
            scores = replace(scores, hidden=scores.hidden * (1 - recalled.same))
        return self._read(frame, pose, scores, profile, recalled)

    def learn(self, memory: BoardMemory, frame: Frame, pose: BoardPose, known: KnownCheckers) -> None:
        """Let ``memory`` learn a look in which the checkers are known.

        Raises ProfileError, and learns nothing, while it was never learnt how the sets look and not both are in view.
        """
        strips = cut_strips(frame, pose)
        scores = self.net.read(strips, strip_views(pose))
        try:
            newer = learn_from(scores, known.points)
        except ProfileError:
            if memory.profile is None:
                raise
        else:
            memory.profile = newer if memory.profile is None else memory.profile.blended(newer, FOLLOWED)
        reading = self._read(frame, pose, scores, memory.profile, None)
        memory.remember(strips, reading, known)

    def _read(
        self,
        frame: Frame,
        pose: BoardPose,
        scores: StripScores,
        profile: Profile | None,
        recalled: Recalled | None,
    ) -> BoardReading:
        """Read what the network saw, look closer where that leaves doubt, and weigh what has been seen before."""
        splits = self._splits(scores, pose, profile, recalled)
        reading = self._settled(scores, splits, None)
        places = mixed([split.places for split in splits], [split.weight for split in splits])
        if self._adds_up(places, reading):
            # Whoever sees all checkers on the board knows without a look beside it that none lies there.
            off_light, off_dark = (replace(off, hidden=False) for off in (reading.off_light, reading.off_dark))
            return replace(reading, off_light=off_light, off_dark=off_dark)
        beside = self._zones.look(frame, pose, reference_colours(scores, places))
        reading = self._settled(scores, splits, beside)
        asked = possible_stacks(scores, np.array([place.certainty for place in reading.points], np.float32))
        if asked:
            splits = self._splits(self._close.sharpen(scores, frame, pose, asked), pose, profile, recalled)
            reading = self._settled(scores, splits, beside)
        return reading

    def _adds_up(self, places: list[Odds], reading: BoardReading) -> bool:
        """Whether all places are sure and hold both sets even before the sum is asked: no closer look is needed."""
        likeliest = [max(odds, key=odds.__getitem__) for odds in places]
        whole = all(sum(max(0, sign * count) for count in likeliest) == self._set_size for sign in (1, -1))
        seen = (*reading.points, reading.bar_light, reading.bar_dark)
        return whole and all(place.certainty >= SURE and not place.hidden for place in seen)

    def judge(self, scores: StripScores, pose: BoardPose, profile: Profile | None = None) -> BoardReading:
        """Turn what the network saw on the board into odds of signed counts; nobody looked beside it."""
        return self._settled(scores, self._splits(scores, pose, profile, None), None)

    def _splits(
        self, scores: StripScores, pose: BoardPose, profile: Profile | None, recalled: Recalled | None
    ) -> list[SplitOdds]:
        """Odds of all places for each likely way to tell the two sets apart."""
        sharpness = self.net.calibration["set_sharpness"]
        found = [known_sets(profile, sharpness)] if profile is not None else possible_sets(scores, sharpness)
        features = [scores.features_of(strip, scores.tops[strip]) for strip in range(24)]
        tops = self._bar_tops(scores, pose)
        splits = []
        for sets in found:
            points = [_point_odds(counts, own, sets) for counts, own in zip(scores.counts[:24], features, strict=True)]
            places = [*points, *_bar_odds(tops, sets)]
            splits.append(SplitOdds(places if recalled is None else recalled.weighed(places), sets.weight))
        return splits

    def _settled(self, scores: StripScores, splits: list[SplitOdds], beside: ZoneScores | None) -> BoardReading:
        """Weigh all places by what is covered, by what lies beside the board and by each other.

        Each split of the checkers in sets is weighed by how well it adds up; what they disagree about stays in doubt.
        """
        hidden = [float(probability) for probability in scores.hidden[:24]] + [float(scores.hidden[24:].max())] * 2
        covered = [probability > HIDDEN_FROM for probability in hidden]
        aside = None if beside is None else beside.probabilities(self._set_size)
        settled = [
            conserve(
                [_faded(odds, probability) for odds, probability in zip(split.places, hidden, strict=True)],
                covered,
                self._set_size,
                aside,
            )
            for split in splits
        ]
        weights = [split.weight * one.evidence for split, one in zip(splits, settled, strict=True)]
        readings = [
            PlaceReading(_listed(odds), hides)
            for odds, hides in zip(mixed([one.places for one in settled], weights), covered, strict=True)
        ]
        out_of_view = beside is None or not beside.all_seen
        off = [PlaceReading(_listed(odds), out_of_view) for odds in mixed([one.borne_off for one in settled], weights)]
        return BoardReading(tuple(readings[:24]), readings[24], readings[25], off[0], off[1])

    def _bar_tops(self, scores: StripScores, pose: BoardPose) -> list[BarTop]:
        """What may be checkers on the bar, and how likely each is one."""
        gain, offset = self.net.calibration["bar_gain"], self.net.calibration["bar_offset"]
        return [
            (
                1 / (1 + np.exp(-(gain * logit + offset))),
                scores.features_of(strip, _disc(row, column) * scores.tops[strip] + 1e-6),
            )
            for strip, row, column, logit in _bar_peaks(scores, pose)
        ]


def _as_known(recalled: Recalled, reading: BoardReading) -> BoardReading:
    """Return what was read when the board looked like this, each place as it is known."""
    then = [dict(place.odds) for place in (*reading.points, reading.bar_light, reading.bar_dark)]
    places = [PlaceReading(_listed(odds)) for odds in recalled.weighed(then)]
    return replace(reading, points=tuple(places[:24]), bar_light=places[24], bar_dark=places[25])


def mixed(alternatives: Sequence[Sequence[Odds]], weights: Sequence[float]) -> list[Odds]:
    """Odds of each place where one of several alternatives holds, each as likely as its weight."""
    total = sum(weights)
    shares = [weight / total if total > 0 else 1 / len(weights) for weight in weights]
    places: list[Odds] = []
    for of_place in zip(*alternatives, strict=True):
        odds: Odds = {}
        for own, share in zip(of_place, shares, strict=True):
            for count, probability in own.items():
                odds[count] = odds.get(count, 0.0) + share * probability
        places.append(odds)
    return places


def _bar_odds(tops: list[BarTop], sets: Sets) -> list[Odds]:
    """Odds of the lighter, then of the darker set on the bar."""
    odds = [np.array([1.0]), np.array([1.0])]
    for there, features in tops:
        light = sets.light_odds(features)
        for index, probability in ((0, there * light), (1, there * (1 - light))):
            odds[index] = np.convolve(odds[index], [1 - probability, probability])
    return [
        {sign * count: float(probability) for count, probability in enumerate(column)}
        for sign, column in zip((1, -1), odds, strict=True)
    ]


def _point_odds(counts: Floats, features: Floats, sets: Sets) -> Odds:
    """Odds of a point's signed counts: of how many, as the network says, and of which set, if of any."""
    weighed = counts * IN_PLAY
    weighed[1:] *= sets.likeness(features)
    weighed /= weighed.sum()
    light = sets.light_odds(features)
    odds = {0: float(weighed[0])}
    for count in range(1, len(weighed)):
        odds[count] = float(weighed[count]) * light
        odds[-count] = float(weighed[count]) * (1 - light)
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


def _disc(row: int, column: int, radius: float = 1.8) -> Floats:
    rows, columns = np.mgrid[0:42, 0:10]
    return np.asarray((rows - row) ** 2 + (columns - column) ** 2 <= radius**2, np.float32)


def _bar_peaks(scores: StripScores, pose: BoardPose) -> list[tuple[int, int, int, float]]:
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
