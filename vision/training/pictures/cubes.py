"""Doubling cubes such as one meets: larger than dice, plain or on discs and panels, in any hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from vision.readings import CUBE_VALUES
from vision.synthetic.cube_faces import Ground, Lettering
from vision.synthetic.dice import random_look
from vision.synthetic.dice_shape import Colour, DieLook
from vision.synthetic.numerals import random_hand
from vision.synthetic.texture import any_colour

GROUNDS: Final[tuple[Ground, ...]] = ("none", "disc", "panel", "frame", "ring")
GROUND_CHANCES: Final = (0.66, 0.1, 0.1, 0.09, 0.05)
LOGOS: Final = (
    "",
    "",
    "",
    "Q",
    "R",
    "B",
    "BG",
    "S&C",
    "o",
    "O",
    "W",
    "G",
    "D",
    "QB",
    "NARDY",
    "oo",
    "P",
    "e",
    "@",
    "%",
)
"""What stands on a cube's face instead of a number; some faces are bare."""
ONE: Final = "1"
"""Some cubes show it instead of 64."""
FEWEST_LEVELS_APART: Final = 45.0
"""A number that hardly differs from its ground is one that nobody can read."""


def random_cube(rng: np.random.Generator, size_m: float) -> DieLook:
    """Draw a cube of a size: body like a die's, six numbers in any order, now and then one replaced by a logo."""
    look = replace(random_look(rng), one=None)
    texts = [str(value) for value in CUBE_VALUES]
    if rng.random() < 0.06:
        texts[-1] = ONE
    if rng.random() < 0.4:
        for face in rng.choice(6, 2):
            texts[int(face)] = str(rng.choice(LOGOS))
    rng.shuffle(texts)
    ground = GROUNDS[int(rng.choice(len(GROUNDS), p=GROUND_CHANCES))]
    under = _painted(rng)
    behind = under if ground in {"disc", "panel"} else look.body
    ink = look.pips if _apart(look.pips, behind) else _contrary(rng, behind)
    if rng.random() < 0.25:
        other = _painted(rng)
        ink = other if _apart(other, behind) else ink
    depth = float(rng.choice([0.0, rng.uniform(0.015, 0.06)], p=[0.55, 0.45]))
    lettering = Lettering(
        hand=random_hand(rng),
        share=float(rng.uniform(0.36, 0.72)) * (0.85 if ground in {"disc", "ring"} else 1.0),
        ground=ground,
        ground_colour=under,
        ground_share=float(rng.uniform(0.72, 0.94)),
        depth=depth,
        shift=float(abs(rng.normal(0, 0.02))),
    )
    rounding = float(rng.choice([rng.uniform(0.03, 0.12), rng.uniform(0.1, 0.3)]))
    return replace(
        look, size_m=size_m, pips=ink, texts=tuple(texts), lettering=lettering, rounding=rounding,
        ball=max(look.ball, 1.5),
    )  # fmt: skip


def number_on(look: DieLook, value: int) -> int | None:
    """The text of the face that a die's body has for ``value``, 1 as 64; None for a logo or a bare face."""
    text = (look.texts or ("",) * 6)[value - 1]
    number = int(text) if text.isdigit() else None
    return 64 if number == 1 else number


def _painted(rng: np.random.Generator) -> Colour:
    blue, green, red = any_colour(rng)
    return int(blue), int(green), int(red)


def _contrary(rng: np.random.Generator, behind: Colour) -> Colour:
    level = int(rng.integers(10, 60)) if _luma(behind) > 128 else int(rng.integers(200, 250))
    return level, level, level


def _apart(first: Colour, second: Colour) -> bool:
    return abs(_luma(first) - _luma(second)) > FEWEST_LEVELS_APART


def _luma(colour: Colour) -> float:
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]
