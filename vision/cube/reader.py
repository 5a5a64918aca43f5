"""Read the doubling cube in a picture: where it lies and which number is on top.

Two small nets do it, trained only on pictures that ``vision.synthetic`` makes. The finder looks once over a coarse
level view of the board and the table near it; the reader looks at what may be a cube, cut out of the full picture and
levelled, and once more from its four sides: nobody puts a cube down so that its number stands upright.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardPose, Frame
from vision.cube.views import CUBE_PER_CHECKER, FINDER_CUBE_PX, CubeCrop, crop_input, cube_crop
from vision.dice.finder import Detection, detect
from vision.dice.views import LevelView, area_in_view, level_picture, level_view, upright
from vision.inference import WEIGHTS, Floats, measured, open_net, probability_of
from vision.readings import CUBE_VALUES, CubeColumn, CubeReading, CubeSide

READER: Final = WEIGHTS / "cube_reader.onnx"
MARGIN: Final = 0.28
"""How far beside the surface a cube is looked for, in widths: trays are as wide as a checker and a half."""
LEAST_SCORE: Final = 0.2
MOST_DETECTIONS: Final = 6
WORTH_A_LOOK: Final = 0.5
ONE_BODY: Final = 1.7
"""In cubes: two faces of one cube are seen no farther apart."""
QUARTERS: Final = 4
"""Ways in which a number can stand on a cube whose edges are known."""
NUMBERS: Final = slice(1, 1 + len(CUBE_VALUES))
NO_NUMBER: Final = 1 + len(CUBE_VALUES)
EDGES: Final = slice(NO_NUMBER + 1, NO_NUMBER + 3)
PLACE: Final = slice(NO_NUMBER + 3, NO_NUMBER + 6)
"""Where the reading net's scores are; the first is that of being a cube."""
FARTHEST_MOVE: Final = 0.4
"""By how much, in cubes and in logarithms of its size, the reader may correct the finder."""
MIDDLE_V: Final = (0.38, 0.62)
"""A cube in the middle third or so, by v, is nobody's."""
OWNED_V: Final = (0.3, 0.7)
"""Below the one it is the near player's, above the other the far one's."""
BAR_EDGE: Final = 0.01
"""How far over the bar's edge a cube's middle may lie, in widths."""


@dataclass(frozen=True, slots=True)
class CubeCalibration:
    """What the reading net's scores mean, measured on drawn boards that training never saw."""

    value_temperature: float = 1.0
    """Temperature of the numbers' probabilities."""
    cube_above: float = 0.5
    """Mean probability from which something is a cube."""
    value_above: float = 0.9
    """Probability from which a number is called; below it is unsure."""


@dataclass(frozen=True, slots=True)
class ReadCube:
    """A detection in level coordinates, its place corrected, and the reading net's scores of it."""

    detection: Detection
    is_cube: float
    """Probability."""
    kinds: tuple[float, ...]
    """Log odds of CUBE_VALUES and of no number at all, before the temperature."""


class CubeReader:
    """Reads the doubling cube. Holds the nets, nothing about earlier pictures."""

    def __init__(self, weights: Path = READER) -> None:
        self._finder = open_net(WEIGHTS / "cube_finder.onnx")
        self._reader = open_net(weights)
        self.measured = CubeCalibration(**measured(self._reader))

    def read(self, frame: Frame, pose: BoardPose) -> CubeReading | None:
        """Read the cube on the board or near it; None where none is seen."""
        view = level_view(pose)
        cubes = [seen for seen in self.look(frame, pose) if seen.is_cube >= self.measured.cube_above]
        return _reading(view, pose, top_of(view, cubes), self.measured) if cubes else None

    def look(self, frame: Frame, pose: BoardPose) -> list[ReadCube]:
        """Return the nets' scores of every spot that may be a cube."""
        view = level_view(pose)
        found = self._find(frame, view, pose)
        if not found:
            return []
        crops = [cube_crop(frame, view, detection.place, detection.size, 0.0) for detection in found]
        first = self._scores(crops)
        cubes = []
        for detection, crop, seen in zip(found, crops, first, strict=True):
            if probability_of(seen[0]) < WORTH_A_LOOK:
                continue
            moved = _moved(detection, crop, seen)
            cosine, sine = (float(score) for score in seen[EDGES])
            turns = np.arctan2(sine, cosine) / QUARTERS + np.arange(QUARTERS) * 2 * np.pi / QUARTERS
            again = self._scores([cube_crop(frame, view, moved.place, moved.size, float(turn)) for turn in turns])
            # The number stands upright in one of the four; the others that none does.
            numbers = (again[:, NUMBERS] - again[:, NO_NUMBER, None]).max(0)
            is_cube = float(np.mean([probability_of(score) for score in again[:, 0]]))
            cubes.append(ReadCube(moved, is_cube, (*(float(number) for number in numbers), 0.0)))
        return cubes

    def _find(self, frame: Frame, view: LevelView, pose: BoardPose) -> list[Detection]:
        """What may be a cube, in level coordinates, likeliest first."""
        usual = CUBE_PER_CHECKER * pose.shape.checker_width
        low, high = area_in_view(view, pose.aspect, MARGIN, usual, (frame.shape[1], frame.shape[0]))
        step = usual / FINDER_CUBE_PX
        size = (int((high[0] - low[0]) / step), int((high[1] - low[1]) / step))
        corner = (float(low[0]), float(high[1]))
        picture = level_picture(frame, view, upright(corner, step), usual, size)
        found = detect(self._finder, picture, FINDER_CUBE_PX, LEAST_SCORE)[:MOST_DETECTIONS]
        return [detection.in_level(corner, step) for detection in found]

    def _scores(self, crops: list[CubeCrop]) -> Floats:
        """Scores of the reading net, shape (n, 13)."""
        scores: Floats = self._reader.run(None, {"picture": crop_input(crops)})[0]
        return scores


def top_of(view: LevelView, cubes: list[ReadCube]) -> ReadCube:
    """The surest of what reads as a cube; where a side face does so too, the top, which the nadir points away from."""
    best = max(cubes, key=lambda seen: seen.is_cube)
    right, down = view.nadir(best.detection.place, best.detection.size)

    def below(seen: ReadCube) -> float:
        (x, y), (best_x, best_y) = seen.detection.place, best.detection.place
        return (x - best_x) * right - (y - best_y) * down

    return min((seen for seen in cubes if _apart(seen, best) < ONE_BODY), key=below)


def _apart(one: ReadCube, other: ReadCube) -> float:
    """Distance in cubes."""
    (x, y), (other_x, other_y) = one.detection.place, other.detection.place
    return float(np.hypot(x - other_x, y - other_y)) / other.detection.size


def probabilities(kinds: tuple[float, ...], temperature: float) -> npt.NDArray[np.float64]:
    """Probabilities of CUBE_VALUES and of no number, from log odds."""
    odds = np.exp((np.array(kinds) - max(kinds)) / temperature)
    return np.asarray(odds / odds.sum(), np.float64)


def side_at(v: float) -> CubeSide:
    """Whose a cube at ``v`` is."""
    if v < OWNED_V[0]:
        return CubeSide.NEAR
    if v > OWNED_V[1]:
        return CubeSide.FAR
    return CubeSide.MIDDLE if MIDDLE_V[0] <= v <= MIDDLE_V[1] else CubeSide.BETWEEN


def _moved(detection: Detection, crop: CubeCrop, scores: Floats) -> Detection:
    """Correct place and size by what the reading net saw, within reason."""
    log_size, x, y = (float(np.clip(value, -FARTHEST_MOVE, FARTHEST_MOVE)) for value in scores[PLACE])
    right, away = crop.other_way(x, y)
    return detection.moved(right, away, log_size)


def _reading(view: LevelView, pose: BoardPose, cube: ReadCube, meaning: CubeCalibration) -> CubeReading:
    place, size = cube.detection.place, cube.detection.size
    x_px, y_px = view.to_picture([place], size)[0]
    u, v = place[0], place[1] / pose.aspect
    left, right = pose.shape.bar
    column = CubeColumn.LEFT if u < left - BAR_EDGE else CubeColumn.RIGHT if u > right + BAR_EDGE else CubeColumn.BAR
    numbers = probabilities(cube.kinds, meaning.value_temperature)[: len(CUBE_VALUES)].tolist()
    odds = sorted(zip(CUBE_VALUES, numbers, strict=True), key=lambda entry: -entry[1])
    return CubeReading(
        u=float(u),
        v=float(v),
        x_px=float(x_px),
        y_px=float(y_px),
        size_px=view.scale_px(place, size),
        certainty=cube.is_cube,
        odds=tuple((value, probability) for value, probability in odds if probability >= 0.001),
        value=odds[0][0] if odds[0][1] >= meaning.value_above else None,
        column=column,
        side=side_at(float(v)),
    )
