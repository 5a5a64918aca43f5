"""Score the reader of the doubling cube on labelled pictures: found, its number right, and never taken for a die."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any, Final

from controller.evaluate.scores import Totals, share
from vision.readings import CubeReading, DieReading

NEAR: Final = 0.7
"""A reading within so many cubes of the label is of this cube."""
BODY: Final = 0.9
"""A die read within so many cubes of the middle of its top is no die but the cube."""
LEAST_INSIDE_PX: Final = 8.0
"""A cube whose top's middle is nearer to the picture's edge is cut off by it."""


@dataclass(frozen=True, slots=True)
class LabelledCube:
    """A cube as labelled."""

    value: int | None
    """None: a logo or a bare face is on top, or the number cannot be read."""
    x_px: float
    y_px: float


@dataclass(frozen=True, slots=True)
class CubeScore:
    """What one picture gave; without a label there is no cube in it."""

    picture: str
    label: LabelledCube | None
    reading: CubeReading | None
    read_as_dice: int = 0
    """Dice read where the cube is."""

    @property
    def found(self) -> bool:
        """Whether the cube is read where it is."""
        return self.label is not None and self.reading is not None and _near(self.reading, self.label)

    @property
    def value(self) -> int | None:
        """The labelled number."""
        return None if self.label is None else self.label.value

    @property
    def called(self) -> int | None:
        """The number that was called for this cube; None where it was not found or is unsure."""
        return self.reading.value if self.found and self.reading is not None else None

    @property
    def invented(self) -> bool:
        """Whether a cube is read where none is."""
        return self.reading is not None and not self.found

    def line(self) -> str | None:
        """What is wrong, None where all is right."""
        there = "no cube" if self.label is None else f"a cube with {self.label.value or 'no number'}"
        if self.reading is None:
            read = None if self.label is None else "nothing"
        else:
            value, probability = self.reading.odds[0] if self.reading.odds else (None, 0.0)
            sure = "" if self.reading.value else ", unsure"
            wrong = not self.found or (self.label is not None and self.reading.value != self.label.value)
            at = f"{self.reading.x_px:.0f},{self.reading.y_px:.0f}"
            read = f"{value} ({probability:.1%}{sure}) at {at}" if wrong else None
        if self.read_as_dice:
            read = f"{read or 'the cube'} and {self.read_as_dice} dice on it"
        return f"{self.picture}: {there} was read as {read}" if read else None


def score_cube(
    picture: str,
    label: dict[str, Any] | None,
    size: tuple[int, int],
    reading: CubeReading | None,
    dice: Iterable[DieReading],
    others: Sequence[tuple[float, float]],
) -> CubeScore | None:
    """Compare a reading with a label as in ``boards`` or ``rendered``; None where the label's cube is cut off.

    ``size`` is the picture's (width, height), ``others`` the places (pixels) of its labelled dice.
    """
    if not label:
        return CubeScore(picture, None, reading)
    x, y = label.get("top_centre_px") or label["center"]
    if not (LEAST_INSIDE_PX < x < size[0] - LEAST_INSIDE_PX and LEAST_INSIDE_PX < y < size[1] - LEAST_INSIDE_PX):
        return None
    cube = LabelledCube(label["value"], x, y)
    size_px = reading.size_px if reading is not None and _near(reading, cube) else 0.0
    taken = 0
    for die in dice:
        reach = BODY * max(size_px, 2 * die.size_px)
        real = any(hypot(die.x_px - a, die.y_px - b) < die.size_px for a, b in others)
        taken += hypot(die.x_px - x, die.y_px - y) < reach and not real
    return CubeScore(picture, cube, reading, taken)


def cube_lines(scores: Sequence[CubeScore]) -> Iterator[str]:
    """One line for every picture whose cube is not read as labelled."""
    yield from (line for score in scores if (line := score.line()) is not None)


def cube_totals(scores: Sequence[CubeScore]) -> Totals:
    """Counts and ratios; nothing where no picture has a cube and none was read."""
    labelled = [score for score in scores if score.label is not None]
    if not labelled and not any(score.reading for score in scores):
        return {}
    numbered = [score for score in labelled if score.label is not None and score.label.value is not None]
    return {
        "cubes": len(labelled),
        "cubes_found": share(sum(score.found for score in labelled), len(labelled)),
        "cubes_invented": share(sum(score.invented for score in scores), len(scores)),
        "cube_value_right": share(sum(score.called == score.value for score in numbered), len(numbered)),
        "cube_value_unsure": share(sum(score.found and score.called is None for score in numbered), len(numbered)),
        "cube_value_wrong": share(sum(score.called not in {None, score.value} for score in labelled), len(labelled)),
        "cube_read_as_die": sum(score.read_as_dice > 0 for score in labelled),
    }


def _near(reading: CubeReading, label: LabelledCube) -> bool:
    return hypot(reading.x_px - label.x_px, reading.y_px - label.y_px) < NEAR * reading.size_px
