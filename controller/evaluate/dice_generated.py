"""Score the dice reader on thrown dice that we draw: whole boards, dice, cameras and lights that training never saw."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from controller.evaluate.dice import (
    COCKED_FROM_DEG,
    SMALL_PX,
    DiceScores,
    LabelledDie,
    PictureScore,
    Scored,
    by_place,
)
from controller.evaluate.scores import Totals
from vision.board.geometry import BoardNotFoundError, BoardPose, BoardShape
from vision.dice.reader import DiceReader
from vision.readings import DieState
from vision.training.pictures.dice_scenes import SceneDie
from vision.training.pictures.dice_throws import ThrowPicture, throw_shots

FIRST_SEED: Final = 900_000_000
"""Training draws its boards' seeds from 2**40: it has met one of these with a chance of about one in a million."""
SEEDS_APART: Final = 1_000_000
"""Between the first boards of two seeds of the command: no run meets another's boards."""
PICTURES_A_BOARD: Final = 2
CORNER_ERROR: Final = 0.002
"""Standard error of the corners in widths of the board: a calibration a person made with care."""
READABLE_SHARE: Final = 0.85
"""A die whose top is hidden more than this leaves is not asked for."""
Z_95: Final = 1.96


def evaluate_generated(throws: int, first_seed: int = FIRST_SEED) -> DiceScores:
    """Read at least ``throws`` thrown boards."""
    reader = DiceReader()
    scores: list[PictureScore] = []
    seed = first_seed
    while len(scores) < throws:
        for number, shot in enumerate(throw_shots(seed, PICTURES_A_BOARD)):
            score = _score(reader, shot, f"{seed}.{number}")
            if score is not None:
                scores.append(score)
        seed += 1
    return DiceScores(tuple(scores))


def _score(reader: DiceReader, shot: ThrowPicture, name: str) -> PictureScore | None:
    rng = np.random.default_rng(int(name.replace(".", "")))
    spread = CORNER_ERROR * float(np.linalg.norm(shot.corners[0] - shot.corners[1]))
    corners = shot.corners + rng.normal(0, spread, (4, 2)).astype(np.float32)
    height, width = shot.frame.shape[:2]
    try:
        pose = BoardPose(corners, BoardShape(shot.dims.bar_edges), (width, height))
    except BoardNotFoundError:
        return None
    return by_place(name, [_label(die, (width, height)) for die in shot.dice], reader.read(shot.frame, pose))


def _label(die: SceneDie, size: tuple[int, int]) -> LabelledDie:
    x, y = die.image.centre_px
    inside = 0 <= x < size[0] and 0 <= y < size[1]
    value = die.image.value if inside and die.visible >= READABLE_SHARE else None
    return LabelledDie(value, x, y, die.rest.value if die.rest else "cube", die.image.tilt_deg, die.image.face_px)


def interval(hits: int, trials: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a rate."""
    if trials == 0:
        return 0.0, 1.0
    rate = hits / trials
    middle = (rate + Z_95**2 / (2 * trials)) / (1 + Z_95**2 / trials)
    reach = Z_95 / (1 + Z_95**2 / trials) * math.sqrt(rate * (1 - rate) / trials + Z_95**2 / (4 * trials**2))
    return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True, slots=True)
class GeneratedScores:
    """Scores of drawn throws, as the command prints them: rates with their intervals, and the figures."""

    scores: DiceScores

    def lines(self) -> Iterator[str]:
        """Rates with their 95 % intervals: dice of 16 pixels and more first, smaller ones apart."""
        dice = [die for picture in self.scores.pictures for die in picture.dice]
        large = [die for die in dice if die.label is not None and die.label.size_px >= SMALL_PX]
        small = [die for die in dice if die.label is not None and die.label.size_px < SMALL_PX]
        invented = [die for die in dice if die.label is None]
        yield f"{len(self.scores.pictures)} throws"
        yield f"dice of {SMALL_PX:.0f} px and more"
        yield from table(large, invented)
        yield f"dice under {SMALL_PX:.0f} px"
        yield from table(small, ())

    def totals(self) -> Totals:
        """Return the figures of ``evaluate dice``."""
        return self.scores.totals()


def table(dice: Sequence[Scored], invented: Sequence[Scored]) -> Iterator[str]:
    """Rates of labelled ``dice`` with their intervals, one line each; ``invented`` are counted against their number."""
    asked = [die for die in dice if die.label is not None and die.label.value is not None]
    flat = [die for die in asked if die.label is not None and die.label.state == "flat"]
    cocked = [die for die in asked if die.cocked]
    states = [
        die for die in asked if die.label is not None and die.label.state in {"on_checker", "on_bar", "off_board"}
    ]
    rows = {
        "flat: face right": [die.face_right for die in flat],
        "all: missed": [die.reading is None for die in asked],
        "all: missed or invented": [die.reading is None for die in asked] + [True] * len(invented),
        f"cocked {COCKED_FROM_DEG:.0f}+: called cocked": [die.called is DieState.COCKED for die in cocked],
        f"cocked {COCKED_FROM_DEG:.0f}+: cocked or unsure": [
            die.called in {DieState.COCKED, DieState.UNSURE} for die in cocked
        ],
        "flat: called cocked": [die.called is DieState.COCKED for die in flat],
        "on checker, bar, off board: called so": [
            die.label is not None and die.called is DieState(die.label.state) for die in states
        ],
        "wrong and sure": [die.wrong_and_sure for die in asked],
        "flat: stands in the referee's eyes": [die.stands for die in flat],
        f"cocked {COCKED_FROM_DEG:.0f}+: stands": [die.stands for die in cocked],
        "wrong face: stands": [die.stands and not die.face_right for die in asked],
    }
    for name, hits in rows.items():
        low, high = interval(sum(hits), len(hits))
        yield f"  {name}: {sum(hits)} of {len(hits)} ({low:.2%} to {high:.2%})"
