"""Runs the strip readers' weights."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardPose, Frame
from vision.checkers.strips import cut_strips, strip_views
from vision.inference import WEIGHTS, Floats, measured, open_net, probabilities_of

CHECKERS, CHECKERS_PHOTO = WEIGHTS / "checkers.onnx", WEIGHTS / "checkers_photo.onnx"
SURE_AT_ONCE: Final = 0.95
"""Points less sure than this after the first look are looked at twice."""


@dataclass(frozen=True, slots=True, eq=False)
class StripScores:
    """The network's scores of each strip (p1..p24, bar near, bar far), before the sets are separated."""

    counts: Floats
    """Probability of 0..15 checkers, shape (26, 16); meaningless for the bar's strips."""
    hidden: Floats
    """Probability that something covers the place, shape (26,)."""
    centres: Floats
    """Log odds that a checker's middle lies in a cell of 4 x 4 strip pixels, shape (26, 42, 10)."""
    tops: Floats
    """Probability that a cell lies on a top of this very place, shape (26, 42, 10)."""
    features: Floats
    """Features of a cell that separate the sets: tops of one set lie close together, shape (26, 8, 42, 10)."""
    side_features: Floats
    """The same for each point as a whole, in the light of all the others, shape (26, 8)."""
    light: Floats
    """Mean colour of each cell, BGR 0..255, shape (26, 42, 10, 3)."""
    colour_weight: float
    """What a unit of CIE Lab counts beside the features."""

    def features_of(self, strip: int, share: Floats) -> Floats:
        """Mean features of a strip's cells weighted by ``share`` (42, 10).

        Shape (19,): 8 of the cells, 3 of their plain colour, 8 of the side; (11,) on the bar, whose strips can show
        both sets.
        """
        weight = share / max(float(share.sum()), 1e-6)
        cells = (self.features[strip] * weight).sum((1, 2))
        colour = cv2.cvtColor((self.colour_of(strip, share) / 255).reshape(1, 1, 3), cv2.COLOR_BGR2LAB).reshape(3)
        parts = (
            (cells, colour * self.colour_weight)
            if strip >= 24
            else (cells, colour * self.colour_weight, self.side_features[strip])
        )
        return np.concatenate(parts).astype(np.float32)

    def colour_of(self, strip: int, share: Floats) -> Floats:
        """Mean colour of a strip's cells weighted by ``share`` (42, 10), BGR, shape (3,)."""
        weight = share / max(float(share.sum()), 1e-6)
        return np.asarray((self.light[strip] * weight[..., None]).sum((0, 1)), np.float32)


class StripNet:
    """The trained networks, loaded once.

    The first one's features tell the two sets apart. What it says of counts, tops and covered places is averaged with
    what the others say, which learnt otherwise and so make other mistakes.
    """

    def __init__(self, *weights: Path) -> None:
        """Read with these weights, or with those that ship."""
        self._sessions = [open_net(each) for each in weights or (CHECKERS, CHECKERS_PHOTO)]
        self._measured = [measured(session) for session in self._sessions]
        self.calibration = self._measured[0] | {
            name: float(np.mean([each[name] for each in self._measured])) for name in ("bar_gain", "bar_offset")
        }

    def look(self, frame: Frame, pose: BoardPose) -> StripScores:
        """Read all strips of a picture."""
        return self.read(cut_strips(frame, pose), strip_views(pose))

    def read(self, strips: npt.NDArray[np.uint8], views: Floats) -> StripScores:
        """Read strips cut before, with the views that belong to them.

        Where the first look leaves doubt, a second one at the mirrored board is averaged in.
        """
        outputs = self._run(strips, views)
        if self._doubts(outputs):
            mirrored = self._run(strips[:, :, ::-1], views * np.array([-1, 1], np.float32))
            mirrored = (*mirrored[:2], mirrored[2][..., ::-1], mirrored[3][..., ::-1], mirrored[4])
            outputs = _averaged([outputs, mirrored])
        count, hidden, maps, features, side_features = outputs
        column = np.asarray(strips, np.float32).reshape(-1, strips.shape[2], 3)
        cells = cv2.resize(column, (10, 26 * 42), interpolation=cv2.INTER_AREA)
        light = np.asarray(cells, np.float32).reshape(26, 42, 10, 3)
        return StripScores(
            _odds(count),
            probabilities_of(hidden),
            maps[:, 0],
            probabilities_of(maps[:, 1]),
            features,
            side_features,
            light,
            self.calibration["colour_weight"],
        )

    def _run(self, strips: npt.NDArray[np.uint8], views: Floats) -> tuple[Floats, ...]:
        """Log odds of counts and covered places, calibrated, and maps, of all networks; features of the first one."""
        pixels = np.ascontiguousarray(strips.transpose(0, 3, 1, 2), np.float32)
        said: list[tuple[Floats, ...]] = []
        for session, scale in zip(self._sessions, self._measured, strict=True):
            count, hidden, *rest = session.run(None, {"strips": pixels, "views": np.asarray(views, np.float32)})
            scaled = count / scale["count_temperature"]
            scaled -= np.logaddexp.reduce(scaled, 1)[:, None]
            said.append((scaled, hidden / scale["hidden_temperature"], *rest))
        together = _averaged([each[:3] for each in said])
        return (*together, *said[0][3:])

    def _doubts(self, outputs: tuple[Floats, ...]) -> bool:
        odds = _odds(outputs[0][:24])
        # From five on the doubt is about layers that lie under others: the same picture can't settle it.
        return bool(((odds.max(1) < SURE_AT_ONCE) & (odds.argmax(1) < 5)).any())


def _averaged(outputs: list[tuple[Floats, ...]]) -> tuple[Floats, ...]:
    return tuple(np.asarray(np.mean(each, 0), np.float32) for each in zip(*outputs, strict=True))


def _odds(count: Floats) -> Floats:
    odds = np.exp(count - count.max(1, keepdims=True))
    return np.asarray(odds / odds.sum(1, keepdims=True), np.float32)
