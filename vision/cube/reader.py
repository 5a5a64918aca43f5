"""Read the doubling cube in a picture: where it lies and which number is on top.

Two small nets do it, trained only on pictures that ``vision.synthetic`` makes. The finder looks once over a coarse
level view of the board and the table near it; the reader looks at what may be a cube, cut out of the full picture and
levelled, and once more from its four sides: nobody puts a cube down so that its number stands upright.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardPose
from vision.cube.views import CUBE_PER_CHECKER, FINDER_CUBE_PX, CubeCrop, crop_input, cube_crop
from vision.dice.finder import find_spots
from vision.dice.views import Frame, LevelView, area_in_view, level_picture, level_view, upright
from vision.inference import WEIGHTS, chance_of, measured, open_net
from vision.readings import CUBE_VALUES, CubeColumn, CubeReading, CubeSide

MARGIN: Final = 0.28
"""How far beside the surface a cube is looked for, in widths: trays are as wide as a checker and a half."""
LEAST_HEAT: Final = 0.2
MOST_SPOTS: Final = 6
WORTH_A_LOOK: Final = 0.5
ONE_BODY: Final = 1.7
"""In cubes: two faces of one cube are seen no farther apart."""
QUARTERS: Final = 4
"""Ways in which a number can stand on a cube whose edges are known."""
NUMBERS: Final = slice(1, 1 + len(CUBE_VALUES))
NO_NUMBER: Final = 1 + len(CUBE_VALUES)
EDGES: Final = slice(NO_NUMBER + 1, NO_NUMBER + 3)
PLACE: Final = slice(NO_NUMBER + 3, NO_NUMBER + 6)
"""Where the reading net's scores are; the first says whether this is a cube."""
FARTHEST_MOVE: Final = 0.4
"""By how much, in cubes and in logarithms of its size, the reader may correct the finder."""
MIDDLE_V: Final = (0.38, 0.62)
"""A cube in the middle third or so, by v, is nobody's."""
OWNED_V: Final = (0.3, 0.7)
"""Below the one it is the near player's, above the other the far one's."""
BAR_EDGE: Final = 0.01
"""How far over the bar's edge a cube's middle may lie, in widths."""

Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Measured:
    """What the reading net's scores mean, measured on drawn boards that training never saw (``calibrate_cube``)."""

    value_heat: float = 1.0
    """Temperature of the numbers' probabilities."""
    cube_above: float = 0.5
    """Mean probability from which something is a cube."""
    value_above: float = 0.9
    """Probability from which a number is called; below it is unsure."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the nets say about one spot, place and size in level coordinates."""

    place: tuple[float, float]
    size: float
    is_cube: float
    kinds: tuple[float, ...]
    """Log odds of CUBE_VALUES and of no number at all, before the temperature."""


class CubeReader:
    """Reads the doubling cube. Holds the nets, nothing about earlier pictures."""

    def __init__(self) -> None:
        self._finder = open_net(WEIGHTS / "cube_finder.onnx")
        self._reader = open_net(WEIGHTS / "cube_reader.onnx")
        self.measured = Measured(**measured(self._reader))

    def read(self, frame: Frame, pose: BoardPose) -> CubeReading | None:
        """Read the cube on the board or near it; None where none is seen."""
        view = level_view(pose)
        cubes = [seen for seen in self.look(frame, pose) if seen.is_cube >= self.measured.cube_above]
        return _reading(view, pose, top_of(view, cubes), self.measured) if cubes else None

    def look(self, frame: Frame, pose: BoardPose) -> list[Opinion]:
        """Return what the nets say of every spot that may be a cube."""
        view = level_view(pose)
        places = self._find(frame, view, pose)
        if not places:
            return []
        crops = [cube_crop(frame, view, place, size, 0.0) for place, size in places]
        first = self._scores(crops)
        opinions = []
        for (place, size), crop, seen in zip(places, crops, first, strict=True):
            if chance_of(seen[0]) < WORTH_A_LOOK:
                continue
            place, size = _moved(place, size, crop, seen)  # noqa: PLW2901 - the corrected one takes its place
            cosine, sine = (float(score) for score in seen[EDGES])
            turns = np.arctan2(sine, cosine) / QUARTERS + np.arange(QUARTERS) * 2 * np.pi / QUARTERS
            again = self._scores([cube_crop(frame, view, place, size, float(turn)) for turn in turns])
            # The number stands upright in one of the four; the others say that none does.
            numbers = (again[:, NUMBERS] - again[:, NO_NUMBER, None]).max(0)
            is_cube = float(np.mean([chance_of(score) for score in again[:, 0]]))
            opinions.append(Opinion(place, size, is_cube, (*(float(number) for number in numbers), 0.0)))
        return opinions

    def _find(self, frame: Frame, view: LevelView, pose: BoardPose) -> list[tuple[tuple[float, float], float]]:
        """Places and sizes of what may be a cube, likeliest first."""
        usual = CUBE_PER_CHECKER * pose.shape.checker_width
        low, high = area_in_view(view, pose.aspect, MARGIN, usual, (frame.shape[1], frame.shape[0]))
        step = usual / FINDER_CUBE_PX
        size = (int((high[0] - low[0]) / step), int((high[1] - low[1]) / step))
        picture = level_picture(frame, view, upright((float(low[0]), float(high[1])), step), usual, size)
        spots = find_spots(self._finder, picture, LEAST_HEAT)[:MOST_SPOTS]
        return [((low[0] + s.x * step, high[1] - s.y * step), usual * s.scale) for s in spots]

    def _scores(self, crops: list[CubeCrop]) -> Scores:
        """Scores of the reading net, shape (n, 13)."""
        scores: Scores = self._reader.run(None, {"picture": crop_input(crops)})[0]
        return scores


def top_of(view: LevelView, cubes: list[Opinion]) -> Opinion:
    """The surest of what reads as a cube; where a side face does so too, the top, which the nadir points away from."""
    best = max(cubes, key=lambda seen: seen.is_cube)
    right, down = view.nadir(best.place, best.size)

    def below(seen: Opinion) -> float:
        return (seen.place[0] - best.place[0]) * right - (seen.place[1] - best.place[1]) * down

    return min((seen for seen in cubes if _apart(seen, best) < ONE_BODY), key=below)


def _apart(one: Opinion, other: Opinion) -> float:
    """Distance in cubes."""
    return float(np.hypot(one.place[0] - other.place[0], one.place[1] - other.place[1])) / other.size


def probabilities(kinds: tuple[float, ...], heat: float) -> npt.NDArray[np.float64]:
    """Probabilities of CUBE_VALUES and of no number, from log odds."""
    odds = np.exp((np.array(kinds) - max(kinds)) / heat)
    return np.asarray(odds / odds.sum(), np.float64)


def side_at(v: float) -> CubeSide:
    """Whose a cube at ``v`` is."""
    if v < OWNED_V[0]:
        return CubeSide.NEAR
    if v > OWNED_V[1]:
        return CubeSide.FAR
    return CubeSide.MIDDLE if MIDDLE_V[0] <= v <= MIDDLE_V[1] else CubeSide.BETWEEN


def _moved(
    place: tuple[float, float], size: float, crop: CubeCrop, scores: Scores
) -> tuple[tuple[float, float], float]:
    """Correct place and size by what the reading net saw, within reason."""
    log_size, x, y = (float(np.clip(value, -FARTHEST_MOVE, FARTHEST_MOVE)) for value in scores[PLACE])
    right, away = crop.other_way(x, y)
    return (place[0] + right * size, place[1] + away * size), size * float(np.exp(log_size))


def _reading(view: LevelView, pose: BoardPose, opinion: Opinion, meaning: Measured) -> CubeReading:
    x_px, y_px = view.to_picture([opinion.place], opinion.size)[0]
    u, v = opinion.place[0], opinion.place[1] / pose.aspect
    left, right = pose.shape.bar
    column = CubeColumn.LEFT if u < left - BAR_EDGE else CubeColumn.RIGHT if u > right + BAR_EDGE else CubeColumn.BAR
    chances = probabilities(opinion.kinds, meaning.value_heat)[: len(CUBE_VALUES)]
    odds = sorted(zip(CUBE_VALUES, (float(chance) for chance in chances), strict=True), key=lambda entry: -entry[1])
    return CubeReading(
        u=float(u),
        v=float(v),
        x_px=float(x_px),
        y_px=float(y_px),
        size_px=view.scale_px(opinion.place, opinion.size),
        certainty=opinion.is_cube,
        odds=tuple((value, chance) for value, chance in odds if chance >= 0.001),
        value=odds[0][0] if odds[0][1] >= meaning.value_above else None,
        column=column,
        side=side_at(float(v)),
    )
