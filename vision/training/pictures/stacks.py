"""Boards crowded with stacks, for the close look that counts layers: most points hold more than a row.

In play a board has two or three such points; here it has fifteen, since a picture costs the same. Sets are not kept to
fifteen checkers: each stack is counted by itself.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.board.geometry import Frame
from vision.checkers.strips import CLOSE, cut_strips, strip_views
from vision.synthetic import clutter
from vision.synthetic.scene import Renderer
from vision.synthetic.style import random_style
from vision.synthetic.viewpoint import random_camera
from vision.training.pictures.layout import lay_position, random_tidiness
from vision.training.pictures.samples import (
    COLUMNS,
    ROWS,
    SEEN,
    TOP_SHARE,
    TRAYS,
    BoardPicture,
    BoardScene,
    any_die,
    finished,
    guessed_pose,
    hidden_places,
    seen_tops,
    windowed,
)

DRAWN_SIZES: Final = ((960, 540), (960, 720), (1280, 720), (1600, 900))
TRACED_SIZES: Final = ((640, 480), (800, 480), (720, 540), (960, 600))
"""A traced picture costs by the pixel."""
STACKED: Final = 0.65
"""Share of points with four checkers and more."""
HEIGHTS: Final = (0.11, 0.16, 0.13, 0.12, 0.1, 0.08, 0.07, 0.05, 0.05, 0.05, 0.04, 0.04)
"""How often a stack has 4..15 checkers."""
HANDS: Final = 0.1
LOW_KEPT: Final = 0.3
"""Share of the points with fewer than four checkers that are kept: they teach where a row ends."""


def drawn_odds() -> npt.NDArray[np.float32]:
    """How often a sample holds 0..15 checkers, shape (16,): the prior that the trained net's odds carry."""
    low = np.full(4, (1 - STACKED) / 4 * LOW_KEPT)
    odds = np.concatenate([low, STACKED * np.array(HEIGHTS)])
    return np.asarray(odds / odds.sum(), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class StackSample:
    """A picture's stacks from close by, and what is true of them."""

    strips: npt.NDArray[np.uint8]
    """Shape (n, 336, 80, 3), BGR."""
    views: npt.NDArray[np.float32]
    """As ``strip_views``, shape (n, 2)."""
    counts: npt.NDArray[np.uint8]
    """Checkers, whichever set's, shape (n,)."""
    levels: npt.NDArray[np.uint8]
    """Which layer's top is seen in each cell, from 1; 0 where there is none; shape (n, 42, 10)."""


def stacked_scenes(seed: int, pictures: int, *, traced: bool) -> list[BoardScene]:
    """Return scenes of one random set, to be drawn or traced."""
    rng = np.random.default_rng(seed)
    style = random_style(rng)
    if traced and rng.random() < TRAYS:
        style = replace(style, dims=replace(style.dims, tray=float(style.dims.checker * rng.uniform(1.1, 2.4))))
    sizes = TRACED_SIZES if traced else DRAWN_SIZES
    size = sizes[int(rng.integers(len(sizes)))]
    camera = random_camera(rng, style.dims, size)
    if rng.random() < 0.4:
        style = windowed(rng, style, camera)
    scenes = []
    for _ in range(pictures):
        counts = [int(_height(rng) * rng.choice((-1, 1))) for _ in range(24)]
        checkers = lay_position(style, counts, (0, 0), random_tidiness(rng), rng)
        dice = tuple(any_die(rng, style.dims, checkers) for _ in range(int(rng.integers(0, 3))))
        scenes.append(BoardScene(style, camera, size, tuple(checkers), dice, tuple(counts), (0, 0)))
    return scenes


def _height(rng: np.random.Generator) -> int:
    if rng.random() < STACKED:
        return 4 + int(rng.choice(len(HEIGHTS), p=HEIGHTS))
    return int(rng.integers(0, 4))


def drawn_shots(seed: int, pictures: int) -> list[BoardPicture]:
    """Draw the scenes of a seed and finish them."""
    scenes = stacked_scenes(seed, pictures, traced=False)
    rng = np.random.default_rng(seed + (1 << 33))
    renderer = Renderer(scenes[0].style, scenes[0].camera, scenes[0].size, seed)
    shots = []
    for number, scene in enumerate(scenes):
        hand = clutter.random_hand(rng, scene.style.dims.half_width) if rng.random() < HANDS else None
        picture = renderer.render(scene.checkers, scene.dice, hand, seed=seed * pictures + number)
        shots.append(finished(rng, scene, picture.frame, picture.covered))
    return shots


def finish_traced(rng: np.random.Generator, scene: BoardScene, frame: Frame) -> BoardPicture:
    """Add clutter and a cheap camera's faults to the traced picture of a scene; ``frame`` is changed."""
    return finished(rng, scene, frame, None)


def cut_stacks(shot: BoardPicture, rng: np.random.Generator) -> StackSample | None:
    """Cut a picture's stacks as a reader with slightly wrong corners would; None if there is nothing to see."""
    pose = guessed_pose(shot, rng)
    if pose is None:
        return None
    covered = hidden_places(shot, pose)
    counts = np.abs(np.array(shot.counts))
    kept = (counts >= 4) | (rng.random(24) < LOW_KEPT)
    places = [int(place) for place in np.flatnonzero(kept & (covered[:24] == SEEN))]
    if not places:
        return None
    strips = cut_strips(shot.frame, pose, places, CLOSE)
    levels = np.zeros((len(places), ROWS, COLUMNS), np.uint8)
    for index, place in enumerate(places):
        for checker, away in sorted(seen_tops(shot, pose, place), key=lambda seen: seen[0].z_m):
            levels[index][away < TOP_SHARE] = checker.layer + 1
    return StackSample(strips, strip_views(pose)[places], counts[places].astype(np.uint8), levels)
