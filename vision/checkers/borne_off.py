"""Counts checkers beside the board: in trays, in rows and piles on the table. Odds for each set, never a bare guess.

What lies on the board shows what the two sets look like; how many are missing there follows from the sum
(``conservation``).
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardPose, Frame
from vision.checkers.conservation import ALL_THERE, SET_SIZE, Column, out_of_sight
from vision.checkers.zones import ZONES, cut_zones, shares_in_picture, zone_views
from vision.inference import WEIGHTS, Floats, measured, open_net, probabilities_of

BORNE_OFF: Final = WEIGHTS / "borne_off.onnx"
UNKNOWN: Final = -128.0
"""Stands for the colour of a set of which nothing is seen on the board."""
IN_VIEW: Final = 0.95
"""Share of a zone within the picture from which its count counts."""
HIDDEN_FROM: Final = 0.5
SETTLED: Final = 0.9
"""How sure it must be whether anything of a set lies on a bare table."""
KEPT_WHERE_SEEN: Final = 0.97
"""Chance that nobody keeps borne-off checkers elsewhere (in the hand, in a pocket), where a place for them is seen."""
NOWHERE_ELSE: Final = 0.82
"""The same where all beside the board is bare: of sets that are not all there two in three would lie there."""
MISTAKEN: Final = 0.03
"""Probability that what the network reads in a zone is worth nothing: it is never believed beyond that."""
NONE_BORNE_OFF: Final = 0.75
"""Share of the looks at a game in which a set has not begun to bear off."""
PARTED: Final = 0.15
"""Chance that a set's borne-off checkers reach over the middle of a side, so that both its zones show some."""
ENDS: Final = ((0, 3), (1, 2))
"""The two zones of each short side."""


@dataclass(frozen=True, slots=True, eq=False)
class ZoneScores:
    """The network's scores of the zones beside the corners p1, p12, p13, p24."""

    counts: Floats
    """Probability of 0..15 checkers of the lighter and the darker set, shape (4, 2, 16)."""
    hidden: Floats
    """Probability that something covers the zone, shape (4,)."""
    trays: Floats
    """Probability that the box has a tray there, shape (4,)."""
    shares: Floats
    """How much of the zone is within the picture, shape (4,)."""
    empty_share: float
    """How often a zone showed none of a set in training: the odds carry it."""

    @property
    def seen(self) -> npt.NDArray[np.bool_]:
        """Which zones are in view and readable, shape (4,)."""
        empty = self.counts[:, :, 0]
        # On a bare table dice and cups lie, too: what may be checkers and may be not proves nothing about the set.
        doubtful = ((empty > 1 - SETTLED) & (empty < SETTLED)).any(1) & (self.trays < HIDDEN_FROM)
        return np.asarray((self.shares >= IN_VIEW) & (self.hidden < HIDDEN_FROM) & ~doubtful)

    @property
    def all_seen(self) -> bool:
        """Whether nothing can lie beside the board without being seen."""
        return bool(self.seen.all())

    def probabilities(self, set_size: int = SET_SIZE) -> tuple[Column, Column]:
        """Chances of 0..n checkers of the lighter and of the darker set that lie neither on points nor on the bar."""
        lying = [self._lying(which) for which in (0, 1)]
        # A tray, or a checker of either set beside the board, shows where checkers are kept that are borne off.
        bare = lying[0][0] * lying[1][0] * float(np.where(self.seen, 1 - self.trays, 1.0).prod())
        watched = bare * NOWHERE_ELSE + (1 - bare) * KEPT_WHERE_SEEN
        elsewhere = out_of_sight(set_size, ALL_THERE + (watched - ALL_THERE) * float(self.seen.mean()))
        light, dark = (np.convolve(column, elsewhere)[: set_size + 1] for column in lying)
        return light / light.sum(), dark / dark.sum()

    def _lying(self, which: int) -> Column:
        """Chances of 0..n checkers of one set in all zones that are in view: a set is borne off to one place."""
        if not self.seen.any():
            return np.ones(1)
        most = self.counts.shape[2] - 1
        usual = np.array([self.empty_share, *[(1 - self.empty_share) / most] * most])
        odds = (1 - MISTAKEN) * self.counts[:, which].astype(np.float64) + MISTAKEN * usual
        # How many times as probable the picture is with so many in the zone as with none.
        ratios = (odds / usual) / (odds / usual)[:, :1] * self.seen[:, None]
        ratios[:, 0] = 0.0
        one = ratios.mean(0) / most
        two = sum((np.convolve(ratios[near], ratios[far]) for near, far in ENDS), np.zeros(2 * most + 1))
        column = (1 - NONE_BORNE_OFF) * ((1 - PARTED) * one + PARTED * two[: most + 1] / len(ENDS) / most**2)
        column[0] = NONE_BORNE_OFF
        return np.asarray(column / column.sum())


class ZoneNet:
    """The trained network, loaded once."""

    def __init__(self, weights: Path = BORNE_OFF) -> None:
        self._session = open_net(weights)
        self.calibration = measured(self._session)

    def look(self, frame: Frame, pose: BoardPose, references: Floats) -> ZoneScores:
        """Read what lies beside the board; ``references`` are both sets' colours, BGR, shape (2, 3)."""
        shares = shares_in_picture(pose)
        if not (shares >= IN_VIEW).any():
            return nothing_seen(shares)
        return self.read(cut_zones(frame, pose), zone_views(pose), references, shares)

    def read(self, zones: npt.NDArray[np.uint8], views: Floats, references: Floats, shares: Floats) -> ZoneScores:
        """Read zones cut before."""
        inputs = {
            "zones": np.ascontiguousarray(zones.transpose(0, 3, 1, 2), np.float32),
            "views": views,
            "references": references[None],
        }
        count, hidden, tray = self._session.run(None, inputs)
        scaled = count / self.calibration["count_temperature"]
        odds = np.exp(scaled - scaled.max(2, keepdims=True))
        return ZoneScores(
            np.asarray(odds / odds.sum(2, keepdims=True), np.float32),
            probabilities_of(hidden / self.calibration["hidden_temperature"]),
            probabilities_of(tray / self.calibration["tray_temperature"]),
            shares,
            self.calibration["empty_share"],
        )


def nothing_seen(shares: Floats) -> ZoneScores:
    """Return what a look is worth when no zone is in view."""
    return ZoneScores(
        np.full((ZONES, 2, SET_SIZE + 1), 1 / (SET_SIZE + 1), np.float32),
        np.ones(ZONES, np.float32),
        np.zeros(ZONES, np.float32),
        shares,
        0.5,
    )
