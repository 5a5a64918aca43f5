"""Read the dice in a picture: where each lies, which face is up, whether it lies flat.

Two small nets do it (their cards in docs/models say what they learnt from). The finder looks once over a
level view of the board and the table near it; the reader looks at each detection, cut out of the full picture and
levelled, knowing where the camera stands: a flat die's sides must fall along the nadir, a cocked one's do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardPose, Frame
from vision.dice.finder import Detection, detect
from vision.dice.views import (
    DIE_PER_CHECKER,
    FINDER_DIE_PX,
    DieCrop,
    LevelView,
    area_in_view,
    crop_input,
    die_crop,
    level_picture,
    level_view,
    upright,
)
from vision.inference import WEIGHTS, Floats, measured, open_net, probability_of
from vision.readings import DieReading, DieState

READER: Final = WEIGHTS / "dice_reader.onnx"
MARGIN: Final = 0.25
"""How far beside the surface dice are looked for, in widths."""
LEAST_SCORE: Final = 0.25
NEAREST_FOUND: Final = 0.6
NEAREST_DICE: Final = 0.85
"""Least distances of two detections, of two dice, in die sizes: bodies keep a whole one; middles are a little off."""
WORTH_A_LOOK: Final = 0.2
LIKE_SIZES: Final = 1.9
LEAST_TRUST: Final = 0.5
MOST_DICE: Final = 12
FREE_SIZES_PX: Final = (12.0, 19.0, 30.0, 48.0, 77.0, 123.0, 197.0, 315.0)
"""Sizes of dice tried where no board gives the scale."""
EDGE: Final = 0.004
"""A die whose middle is this far outside the surface (in widths) still counts as on it."""


@dataclass(frozen=True, slots=True)
class DieScores:
    """The reading net's scores of one detection."""

    is_die: float
    """Probability."""
    faces: tuple[float, ...]
    cocked: float
    """Log odds."""
    on_checker: float
    moving: float

    @property
    def trust(self) -> float:
        """How far to believe that this is a die: less where no face can be made out."""
        return self.is_die * (0.5 + 0.5 * max(self.faces))


@dataclass(frozen=True, slots=True)
class ReadDie:
    """A detection, its place corrected, and what was read there."""

    detection: Detection
    scores: DieScores


@dataclass(frozen=True, slots=True)
class DiceCalibration:
    """What the reading net's scores mean, measured on drawn throws that training never saw."""

    face_temperature: float = 1.0
    """Temperature of the faces' probabilities."""
    flat_below: float = 0.0
    cocked_above: float = 0.0
    """Log odds below which a die is called flat, above which cocked; between them it is unsure."""
    state_temperature: float = 1.0
    """How slowly the one passes into the other."""

    def states(self, cocked: float) -> tuple[float, float]:
        """Probabilities of flat and of cocked for the net's log odds; the rest is doubt."""
        return (
            probability_of((self.flat_below - cocked) / self.state_temperature),
            probability_of((cocked - self.cocked_above) / self.state_temperature),
        )


class DiceReader:
    """Reads dice. Holds the nets, nothing about earlier pictures."""

    def __init__(self, weights: Path = READER) -> None:
        self._finder = open_net(WEIGHTS / "dice_finder.onnx")
        self._reader = open_net(weights)
        self._measured = DiceCalibration(**measured(self._reader))

    def read(self, frame: Frame, pose: BoardPose | None) -> tuple[DieReading, ...]:
        """Read every die on the board and near it; without a pose, every die in the picture (u, v are then 0)."""
        view = _view(frame, pose)
        return tuple(_reading(frame, view, pose, item, self._measured) for item in self.look(frame, pose))

    def look(self, frame: Frame, pose: BoardPose | None) -> list[ReadDie]:
        """Return the nets' scores of every die, one entry a die, before it is put into states."""
        view = _view(frame, pose)
        found = self._find_anywhere(frame, view) if pose is None else self._find_near(frame, view, pose)[:MOST_DICE]
        if not found:
            return []
        read = [item for item in self._look(frame, view, found) if item.scores.trust >= LEAST_TRUST]
        return _separate(view, read if pose is not None else _alike(read))

    def _find_near(self, frame: Frame, view: LevelView, pose: BoardPose) -> list[Detection]:
        """Search the surface and a strip round it, as far as the picture shows them."""
        die = DIE_PER_CHECKER * pose.shape.checker_width
        low, high = area_in_view(view, pose.aspect, MARGIN, die, (frame.shape[1], frame.shape[0]))
        step = die / FINDER_DIE_PX
        size = (int((high[0] - low[0]) / step), int((high[1] - low[1]) / step))
        corner = (float(low[0]), float(high[1]))
        picture = level_picture(frame, view, upright(corner, step), die, size)
        found = detect(self._finder, picture, FINDER_DIE_PX, LEAST_SCORE)
        return _apart([detection.in_level(corner, step) for detection in found])

    def _find_anywhere(self, frame: Frame, view: LevelView) -> list[Detection]:
        """Search the whole picture at several scales."""
        height, width = frame.shape[:2]
        found: list[tuple[float, Detection]] = []
        for die in FREE_SIZES_PX:
            if die > min(height, width) / 2:
                break
            step = die / FINDER_DIE_PX
            size = (max(16, int(width / step)), max(16, int(height / step)))
            corner = (0.0, float(height))
            picture = level_picture(frame, view, upright(corner, step), die, size)
            found += [
                (_trust(detection), detection.in_level(corner, step))
                for detection in detect(self._finder, picture, FINDER_DIE_PX, LEAST_SCORE)
            ]
        return _apart([detection for _, detection in sorted(found, key=lambda item: -item[0])])

    def _look(self, frame: Frame, view: LevelView, found: list[Detection]) -> list[ReadDie]:
        """Ask the reading net about each detection, and again where the die's middle and size really are."""
        crops = [die_crop(frame, view, detection.place, detection.size) for detection in found]
        first = self._scores(crops, mirrored=False)
        likely = [row for row in range(len(found)) if probability_of(first[row, 0]) >= WORTH_A_LOOK]
        if not likely:
            return []
        moved = [_moved(found[row], crops[row], first[row]) for row in likely]
        second = self._scores(
            [die_crop(frame, view, detection.place, detection.size) for detection in moved], mirrored=True
        )
        return [
            ReadDie(detection, _mean_scores(first[row], again, self._measured.face_temperature))
            for detection, row, again in zip(moved, likely, second, strict=True)
        ]

    def _scores(self, crops: list[DieCrop], *, mirrored: bool) -> Floats:
        """Scores of the reading net, shape (n, 16)."""
        scores: Floats = self._reader.run(None, {"picture": crop_input(crops, mirrored=mirrored)})[0]
        return scores


def _view(frame: Frame, pose: BoardPose | None) -> LevelView:
    return LevelView.of_picture(frame.shape[0]) if pose is None else level_view(pose)


def _moved(detection: Detection, crop: DieCrop, scores: Floats) -> Detection:
    """Correct place and size by what the reading net saw (off by more than a third of a die it is not believed)."""
    log_size, x, y = (float(np.clip(value, -0.35, 0.35)) for value in scores[11:14])
    right, away = crop.to_level(x, y)
    return detection.moved(right, away, log_size)


def _trust(detection: Detection) -> float:
    """Score, less where the die is far from the size the finder was made for."""
    return float(detection.score - 0.5 * abs(np.log(detection.size / FINDER_DIE_PX)))


def _apart(found: list[Detection], nearest: float = NEAREST_FOUND) -> list[Detection]:
    """Drop detections nearer than so many die sizes to a better one; the best come first."""
    kept: list[Detection] = []
    for detection in found:
        if all(
            np.hypot(detection.place[0] - other.place[0], detection.place[1] - other.place[1])
            > nearest * max(detection.size, other.size)
            for other in kept
        ):
            kept.append(detection)
    return kept


def _separate(view: LevelView, reads: list[ReadDie]) -> list[ReadDie]:
    """Keep one reading a die: of a top and a side face that both look like tops, the one the nadir points away from."""

    def rank(item: ReadDie) -> tuple[float, float]:
        right, down = view.nadir(item.detection.place, item.detection.size)
        below = item.detection.place[0] * right - item.detection.place[1] * down
        return -round(item.scores.is_die, 1), below

    best = sorted(reads, key=rank)
    kept = _apart([item.detection for item in best], NEAREST_DICE)
    return [item for item in best if any(item.detection is detection for detection in kept)]


def _alike(reads: list[ReadDie]) -> list[ReadDie]:
    """Drop specks: the dice on one table differ in size by less than a factor of two, seen from one side."""
    if not reads:
        return []
    ranked = sorted(reads, key=lambda item: item.detection.size)
    weights = np.cumsum([item.scores.trust * item.detection.size**2 for item in ranked])
    usual = ranked[int(np.searchsorted(weights, weights[-1] / 2))].detection.size
    return [item for item in reads if usual / LIKE_SIZES < item.detection.size < usual * LIKE_SIZES]


def _mean_scores(first: Floats, second: Floats, face_temperature: float) -> DieScores:
    """Average two looks at the same die, so that looks that differ leave doubt.

    The second is better centred and counts twice.
    """

    def faces(scores: Floats) -> npt.NDArray[np.float64]:
        weights = np.exp((scores[1:7] - scores[1:7].max()) / face_temperature).astype(np.float64)
        return np.asarray(weights / weights.sum(), np.float64)

    def both(index: int) -> float:
        return (probability_of(float(first[index])) + 2 * probability_of(float(second[index]))) / 3

    mean = (faces(first) + 2 * faces(second)) / 3
    return DieScores(both(0), tuple(float(p) for p in mean), float(first[7] + 2 * second[7]) / 3, both(9), both(10))


def _reading(
    frame: Frame, view: LevelView, pose: BoardPose | None, item: ReadDie, meaning: DiceCalibration
) -> DieReading:
    detection, scores = item.detection, item.scores
    x_px, y_px = view.to_picture([detection.place], detection.size)[0]
    u, v, half = 0.0, 0.0, "none"
    if pose is not None:
        u, v = detection.place[0], detection.place[1] / pose.aspect
        left, right = pose.shape.bar
        if -EDGE <= u <= 1 + EDGE and -EDGE <= v <= 1 + EDGE:
            half = "left" if u < left else "right" if u > right else "none"
    size_px = view.scale_px(detection.place, detection.size)
    one, two, three, four, five, six = scores.faces
    return DieReading(
        u=float(u),
        v=float(v),
        x_px=float(x_px),
        y_px=float(y_px),
        size_px=size_px,
        faces=(one, two, three, four, five, six),
        states=_states(scores, pose, (float(u), float(v)), meaning),
        half=half,
        colour=_colour(frame, float(x_px), float(y_px), size_px),
    )


def _states(
    scores: DieScores, pose: BoardPose | None, place: tuple[float, float], meaning: DiceCalibration
) -> tuple[tuple[DieState, float], ...]:
    """Probabilities of the die's states; where it lies decides first, how it lies second."""
    # What may be no die at all has no state either.
    still = (1 - scores.moving) * scores.is_die
    probabilities = {DieState.MOVING: scores.moving * scores.is_die, DieState.UNSURE: 1 - scores.is_die}
    u, v = place
    if pose is not None and not (-EDGE <= u <= 1 + EDGE and -EDGE <= v <= 1 + EDGE):
        probabilities[DieState.OFF_BOARD] = still
    elif pose is not None and pose.shape.bar[0] < u < pose.shape.bar[1]:
        probabilities[DieState.ON_BAR] = still
    else:
        # Where the net wavers between flat and cocked, neither is called.
        flat, cocked = meaning.states(scores.cocked)
        probabilities[DieState.UNSURE] += still * max(0.0, 1 - flat - cocked)
        probabilities[DieState.COCKED] = still * cocked
        level = still * flat
        raised = scores.on_checker if pose is not None else 0.0
        probabilities[DieState.ON_CHECKER] = level * raised
        probabilities[DieState.FLAT] = level * (1 - raised)
    ranked = sorted(probabilities.items(), key=lambda item: -item[1])
    return tuple((state, probability) for state, probability in ranked if probability >= 0.001)


def _colour(frame: Frame, x: float, y: float, size: float) -> tuple[int, int, int]:
    """Median colour of the die's top, BGR: pips cover less than half of it."""
    reach = max(1, int(size * 0.3))
    height, width = frame.shape[:2]
    column, row = int(np.clip(x, 0, width - 1)), int(np.clip(y, 0, height - 1))
    patch = frame[max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1]
    blue, green, red = np.median(patch.reshape(-1, 3), axis=0)
    return int(blue), int(green), int(red)
