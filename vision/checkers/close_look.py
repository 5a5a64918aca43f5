"""Looks again at stacks, from twice as close: where a second layer lies, a tenth of a checker decides.

The first look sees a checker 24 pixels wide, which is enough to count rows, at a cost that allows all points. A layer
seen from above shows as a crescent of one or two such pixels. The close look cuts the few points that may hold a stack
at twice the detail, all at once, so that they show each other how thick this board's checkers are.
"""

from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from vision.board.geometry import BoardPose, Frame
from vision.checkers.strip_net import StripScores
from vision.checkers.strips import CLOSE, cut_strips, strip_views
from vision.inference import WEIGHTS, Floats, measured, open_net

STACKS: Final = WEIGHTS / "stacks.onnx"
ROW: Final = 5
"""From so many checkers on there may be a second layer."""
WORTH_A_LOOK: Final = 0.02
"""Probability of a stack from which a point is looked at again, unless its count is sure."""
SURE: Final = 0.9
"""Counts surer than this are left alone: on 150 drawn boards no more was right when those up to 0.98 were asked."""
MOST: Final = 4
"""Stacks looked at in one picture: the most doubtful ones, since each costs time."""


class CloseLook:
    """The trained network, loaded once."""

    def __init__(self, weights: Path = STACKS) -> None:
        self._session = open_net(weights)
        self._measured = measured(self._session)

    def sharpen(self, scores: StripScores, frame: Frame, pose: BoardPose, asked: list[int]) -> StripScores:
        """Return the scores with the counts of the points ``asked`` (strips, at least one) weighed by a close look."""
        odds = self.likelihood(frame, pose, asked)
        counts = scores.counts.copy()
        weighed = self._measured["first_weight"] * np.log(counts[asked] + 1e-9) + self._measured["close_weight"] * odds
        shares = np.exp(weighed - weighed.max(1, keepdims=True))
        counts[asked] = shares / shares.sum(1, keepdims=True)
        return replace(scores, counts=counts)

    def likelihood(self, frame: Frame, pose: BoardPose, strips: list[int]) -> Floats:
        """Log likelihood (up to a constant) of 0..15 checkers on each of these points, shape (n, 16)."""
        pixels = cut_strips(frame, pose, strips, CLOSE).transpose(0, 3, 1, 2)
        inputs = {"strips": np.ascontiguousarray(pixels, np.float32), "views": strip_views(pose)[strips]}
        logits = self._session.run(["count"], inputs)[0]
        return np.asarray(logits - np.logaddexp.reduce(logits, 1)[:, None], np.float32)


def possible_stacks(scores: StripScores, certainty: Floats) -> list[int]:
    """Points that may hold a stack, are in doubt and not covered: the most doubtful first, ``MOST`` of them at most.

    ``certainty`` is that of p1..p24 by all that is known, shape (24,).
    """
    stack = scores.counts[:24, ROW:].sum(1)
    worth = (stack > WORTH_A_LOOK) & (certainty < SURE) & (scores.hidden[:24] < 0.5)
    return [int(strip) for strip in np.argsort(certainty) if worth[strip]][:MOST]
