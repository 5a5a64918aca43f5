"""Whole boards with a doubling cube where cubes lie, and the truth: for training and for measuring."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.readings import DieState
from vision.synthetic import clutter, finish
from vision.synthetic.dice_shape import Die, cocked_pose, die_image, flat_pose
from vision.synthetic.pieces import CheckerOnTable
from vision.synthetic.scene import DieOnTable, Renderer
from vision.synthetic.style import BoardDims, random_style
from vision.synthetic.viewpoint import random_camera
from vision.training.pictures.cubes import random_cube
from vision.training.pictures.dice_layout import DieRest
from vision.training.pictures.dice_scenes import SceneDie
from vision.training.pictures.dice_throws import SIZES, ThrowPicture, visible_share
from vision.training.pictures.layout import lay_aside, lay_position, random_counts, random_tidiness
from vision.training.pictures.samples import any_die

CUBE_SHARE: Final = 0.8
"""Of the boards that have a cube at all."""
PER_CHECKER: Final = (0.58, 1.18)
"""Width of a cube in checker diameters."""
TILTED: Final = 0.06
TRIES: Final = 12


def cube_shots(seed: int, pictures: int = 2) -> list[ThrowPicture]:
    """Return pictures of one random set under one lamp and camera, with a doubling cube (``rest`` None) or without.

    Dice lie there as well.
    """
    rng = np.random.default_rng(seed)
    style = random_style(rng)
    size = SIZES[int(rng.choice(len(SIZES), p=[0.1, 0.15, 0.35, 0.15, 0.25]))]
    renderer = Renderer(style, random_camera(rng, style.dims, size), size, seed)
    return [_shot(renderer, rng, seed * 16 + number) for number in range(pictures)]


def _shot(renderer: Renderer, rng: np.random.Generator, seed: int) -> ThrowPicture:
    style, camera = renderer.style, renderer.camera
    counts, bar = random_counts(rng)
    checkers = lay_position(style, counts, bar if rng.random() < 0.5 else (0, 0), random_tidiness(rng), rng)
    if rng.random() < 0.5:
        checkers += lay_aside(style, int(rng.integers(0, 9)), int(rng.integers(0, 9)), rng)
    cube = _lay(rng, style.dims, checkers) if rng.random() < CUBE_SHARE else None
    things: list[tuple[DieOnTable, DieRest]] = [(cube, None)] if cube is not None else []
    for _ in range(int(rng.integers(0, 4))):
        die = any_die(rng, style.dims, checkers)
        if all(_away(die, other.die.pose.x_m, other.die.pose.y_m) > other.die.look.size_m for other, _ in things):
            things.append((die, DieState.UNSURE))  # how it lies is of no account here
    hand = clutter.random_hand(rng, style.dims.half_width) if rng.random() < 0.12 else None
    picture = renderer.render(checkers, tuple(thing for thing, _ in things), hand, seed=seed)
    frame = picture.frame
    if rng.random() < 0.2:
        spot = rng.uniform(0.1, 0.9, 2) * renderer.size
        reach = float(rng.uniform(0.02, 0.1) * renderer.size[0])
        clutter.draw_glare(frame, (spot[0], spot[1]), reach, float(rng.uniform(0.2, 0.9)))
    if rng.random() < 0.25:
        clutter.draw_hard_shadow(frame, rng)
    bodies = [thing for thing, _ in things]
    drawn_dice = []
    for thing, rest in things:
        image = die_image(camera, thing.die)
        seen = visible_share(thing, image.top_face_px, style.dims, camera, checkers, bodies, renderer.size)
        x, y = (int(value) for value in image.centre_px)
        covered = picture.covered
        if covered is not None and 0 <= y < covered.shape[0] and 0 <= x < covered.shape[1] and covered[y, x]:
            seen = 0.0
        drawn_dice.append(SceneDie(thing.die, rest, image, seen))
    return ThrowPicture(finish.random_finish(frame, rng), renderer.corners_px, style.dims, camera, tuple(drawn_dice))


def _lay(rng: np.random.Generator, dims: BoardDims, checkers: list[CheckerOnTable]) -> DieOnTable | None:
    """Put a cube on the bar, beside the box or, offered, on the field; None where there is no room."""
    look = random_cube(rng, dims.checker * float(rng.uniform(*PER_CHECKER)))
    size = look.size_m
    for _ in range(TRIES):
        kind, y = rng.random(), float(rng.uniform(-0.97, 0.97) * dims.half_depth)
        floor = 0.0
        if kind < 0.3:
            x, floor = float(rng.normal(0, 0.08) * dims.bar), dims.bar_height
        elif kind < 0.8:
            beside = dims.half_width + dims.rim_width
            x = float(rng.choice([-1, 1]) * (beside + size * rng.uniform(0.55, 2.5)))
        else:
            x = float(rng.choice([-1, 1]) * rng.uniform(dims.bar / 2 + size, dims.half_width - size))
        if any(np.hypot(c.x_m - x, c.y_m - y) < dims.checker / 2 + 0.75 * size for c in checkers):
            continue
        value = int(rng.integers(1, 7))
        # Most people put it down square to the board.
        yaw = float(rng.integers(4) * np.pi / 2 + rng.normal(0, 0.1) if rng.random() < 0.6 else rng.uniform(0, 6.28))
        pose = flat_pose(value, look, (x, y, floor), yaw)
        if rng.random() < TILTED:
            pose = cocked_pose(value, look, (x, y, floor), yaw, float(rng.uniform(0.03, 0.25)))
        return DieOnTable(Die(look, pose), floor)
    return None


def _away(die: DieOnTable, x_m: float, y_m: float) -> float:
    return float(np.hypot(die.die.pose.x_m - x_m, die.die.pose.y_m - y_m))
