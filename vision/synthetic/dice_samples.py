"""Training samples for the dice reader's two nets, cut from random scenes as the reader cuts a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.dice_views import FINDER_DIE_PX, Frame, LevelView, die_crop, level_picture
from vision.synthetic.dice_scenes import DiceScene, SceneDie
from vision.synthetic.dice_shape import PinholeCamera

TILE_PX: Final = 136
EMPTY_CROPS: Final = 2
"""Crops a scene without a die in their middle."""
UNKNOWN_CAMERA: Final = 0.25
"""Share of scenes that are read as they are, without the camera's place."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A die in a finder tile: middle of its top (pixels), log of its size over the nominal one."""

    x: float
    y: float
    log_size: float
    is_die: bool
    visible: float


@dataclass(frozen=True, slots=True)
class Sample:
    """A crop for the reading net with its truth."""

    crop: Frame
    nadir: tuple[float, float]
    known: bool
    is_die: bool
    value: int
    tilt_deg: float
    on_checker: bool
    moving: bool
    visible: float
    face_px: float
    """Size of the face in the camera's picture."""


def level_of(camera: PinholeCamera) -> LevelView:
    """Level coordinates in metres of a camera that is known exactly."""
    rotation = camera.rotation
    flat = np.stack([rotation[:, 0], rotation[:, 1], camera.translation], 1)
    return LevelView(camera.matrix @ flat, camera.matrix @ rotation[:, 2])


def _view(rng: np.random.Generator, scene: DiceScene) -> tuple[LevelView, float]:
    """Draw the view a reader might have of a scene, with the errors its pose has, and a die's size in it."""
    camera = scene.camera
    if rng.random() < UNKNOWN_CAMERA:
        px = float(camera.matrix[0, 0] / camera.translation[2])
        return LevelView.of_picture(scene.frame.shape[0]), scene.die_m * px
    exact = level_of(camera)
    turn = rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    skew = np.array([[1 + rng.normal(0, 0.02), rng.normal(0, 0.02), 0], [0, 1, 0], [0, 0, 1]])
    return LevelView(exact.surface @ spin @ skew, exact.lift * (1 + rng.normal(0, 0.1))), scene.die_m


def finder_tile(rng: np.random.Generator, scene: DiceScene) -> tuple[Frame, list[Mark]]:
    """Cut a level tile in which a die has about the nominal size, give or take what the reader may guess wrong."""
    view, unit = _view(rng, scene)
    guess = unit * float(np.clip(np.exp(rng.normal(0, 0.25)), 0.55, 1.8))
    middle = np.array(scene.frame.shape[1::-1]) / 2
    place = view.to_level([middle], guess)[0] + rng.uniform(-1.5, 1.5, 2) * guess
    step = guess / FINDER_DIE_PX
    reach = step * (TILE_PX - 1) / 2
    corner = (float(place[0]) - reach, float(place[1]) + reach)
    tile = level_picture(scene.frame, view, corner, guess, FINDER_DIE_PX, (TILE_PX, TILE_PX))
    marks = []
    for die in scene.dice:
        x, y = view.to_level([die.image.centre_px], guess)[0]
        size = die.die.look.size_m / scene.die_m * unit / guess
        at = (float(x - corner[0]) / step, float(corner[1] - y) / step)
        marks.append(Mark(*at, float(np.log(size)), die.rest != "cube", die.visible))
    return tile, marks


def die_samples(rng: np.random.Generator, scene: DiceScene) -> list[Sample]:
    """Cut the crops of a scene's dice, each a little off in place and size, and of places without a die."""
    view, unit = _view(rng, scene)
    height, width = scene.frame.shape[:2]
    samples = []
    for die in scene.dice:
        x, y = die.image.centre_px
        if 2 < x < width - 2 and 2 < y < height - 2:
            size = unit * die.die.look.size_m / scene.die_m * float(np.exp(rng.normal(0, 0.1)))
            samples.append(_cut(rng, scene, view, size, die))
    px = scene.camera.matrix[0, 0] / scene.camera.translation[2] * scene.die_m
    for _ in range(EMPTY_CROPS):
        spot = rng.uniform([2, 2], [max(3, width - 2), max(3, height - 2)])
        if all(np.hypot(*(spot - np.array(die.image.centre_px))) > 0.95 * px for die in scene.dice):
            size = unit * float(np.exp(rng.normal(0, 0.2)))
            x, y = view.to_level([spot], size)[0]
            at = (float(x), float(y))
            crop = die_crop(scene.frame, view, at, size)
            samples.append(Sample(crop, view.nadir(at, size), view.known, False, 1, 0.0, False, False, 0.0, 0.0))  # noqa: FBT003
    return samples


def _cut(rng: np.random.Generator, scene: DiceScene, view: LevelView, size: float, die: SceneDie) -> Sample:
    shift = rng.normal(0, 0.08, 2) * size
    x, y = view.to_level([die.image.centre_px], size)[0] + shift
    at = (float(x), float(y))
    nadir = view.nadir(at, size)
    if view.known:
        nadir = (nadir[0] + float(rng.normal(0, 0.03)), nadir[1] + float(rng.normal(0, 0.03)))
    return Sample(
        crop=die_crop(scene.frame, view, at, size),
        nadir=nadir,
        known=view.known,
        is_die=die.rest != "cube",
        value=die.image.value,
        tilt_deg=die.image.tilt_deg,
        on_checker=die.rest == "on_checker",
        moving=die.rest == "moving",
        visible=die.visible,
        face_px=die.image.face_px,
    )
