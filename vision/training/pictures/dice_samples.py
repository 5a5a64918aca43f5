"""Training samples for the dice reader's two nets, cut from random scenes as the reader cuts a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.board.geometry import BoardNotFoundError, BoardPose, BoardShape, Frame
from vision.dice.finder import Detection
from vision.dice.views import FINDER_DIE_PX, DieCrop, LevelView, die_crop, level_picture, level_view, upright
from vision.readings import DieState
from vision.synthetic.dice_shape import PinholeCamera, die_image
from vision.synthetic.finish import random_finish
from vision.training.pictures.crowded import CrowdedScene
from vision.training.pictures.dice_backdrop import spoil
from vision.training.pictures.dice_scenes import DiceScene, SceneDie
from vision.training.pictures.dice_throws import ThrowPicture, visible_share

TILE_PX: Final = 136
EMPTY_CROPS: Final = 2
"""Crops a scene without a die in their middle."""
SAME_DIE, SIDE_FACE = 0.4, 0.48
"""In die sizes from the top's middle: up to the one it is this die, from the other on a side face or something else."""
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


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """A level tile for the finder and where it lies in the view."""

    picture: Frame
    marks: tuple[Mark, ...]
    corner: tuple[float, float]
    guess: float
    """The size of a die it was cut for, in the view's unit."""


@dataclass(frozen=True, slots=True)
class DieSample:
    """A crop for the reading net with its truth."""

    crop: DieCrop
    is_die: bool
    value: int
    tilt_deg: float
    on_checker: bool
    moving: bool
    visible: float
    log_size: float
    """Log of the die's size over the one the crop was cut for."""
    offset: tuple[float, float]
    """From the crop's middle to the middle of the die's top, in die sizes, x right and y down."""
    lean: tuple[float, float]
    """Level part of the top's normal (unit vector), x right and y down in the crop."""
    face_px: float
    """Size of the face in the camera's picture."""


def level_of(camera: PinholeCamera) -> LevelView:
    """Level coordinates in metres of a camera that is known exactly."""
    rotation = camera.rotation
    flat = np.stack([rotation[:, 0], rotation[:, 1], camera.translation], 1)
    return LevelView(camera.matrix @ flat, camera.matrix @ rotation[:, 2])


@dataclass(frozen=True, slots=True, eq=False)
class ViewedScene:
    """A picture of dice as a reader meets it: with a view that has a pose's errors."""

    frame: Frame
    dice: tuple[SceneDie, ...]
    view: LevelView
    die_m: float
    unit: float
    """``die_m`` in the view's unit."""
    face_px: float
    """Size of a face in the picture, about."""


def seen_scene(rng: np.random.Generator, scene: DiceScene, unknown: float = UNKNOWN_CAMERA) -> ViewedScene:
    """Draw the view a reader might have of a close scene; of a share of ``unknown``, none but the picture."""
    camera = scene.camera
    face_px = float(camera.matrix[0, 0] / camera.translation[2]) * scene.die_m
    if rng.random() < unknown:
        view = LevelView.of_picture(scene.frame.shape[0])
        return ViewedScene(scene.frame, scene.dice, view, scene.die_m, face_px, face_px)
    exact = level_of(camera)
    turn = rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    skew = np.array([[1 + rng.normal(0, 0.02), rng.normal(0, 0.02), 0], [0, 1, 0], [0, 0, 1]])
    view = LevelView(exact.surface @ spin @ skew, exact.lift * (1 + rng.normal(0, 0.1)))
    return ViewedScene(scene.frame, scene.dice, view, scene.die_m, scene.die_m, face_px)


def traced_scene(rng: np.random.Generator, crowd: CrowdedScene, frame: Frame) -> DiceScene:
    """Spoil the traced picture of a crowd, and return what it shows."""
    camera, dims = crowd.camera, crowd.style.dims
    bodies = [die for die, _ in crowd.dice]
    dice = []
    for die, rest in crowd.dice:
        image = die_image(camera, die.die)
        seen = visible_share(die, image.top_face_px, dims, camera, crowd.checkers, bodies, crowd.size)
        dice.append(SceneDie(die.die, rest, image, seen))
    spoiled = spoil(rng, frame) if rng.random() < 0.6 else random_finish(frame, rng)
    return DiceScene(spoiled, camera, tuple(dice), crowd.die_m)


def seen_throw(rng: np.random.Generator, shot: ThrowPicture) -> ViewedScene | None:
    """Take a board's picture as a reader with slightly wrong corners does; None if the board is too small in it."""
    spread = rng.uniform(0, 0.004) * float(np.linalg.norm(shot.corners[0] - shot.corners[1]))
    corners = shot.corners + rng.normal(0, spread, (4, 2)).astype(np.float32)
    height, width = shot.frame.shape[:2]
    try:
        pose = BoardPose(corners, BoardShape(shot.dims.bar_edges), (width, height))
    except BoardNotFoundError:
        return None
    view = level_view(pose)
    die_m = shot.dice[0].die.look.size_m if shot.dice else 0.42 * shot.dims.checker
    unit = die_m / shot.width_m
    return ViewedScene(shot.frame, shot.dice, view, die_m, unit, view.scale_px((0.5, pose.aspect / 2), unit))


def finder_tile(rng: np.random.Generator, seen: ViewedScene, middle_px: tuple[float, float]) -> Tile:
    """Cut a level tile in which a die has about the nominal size, give or take what the reader may guess wrong."""
    view = seen.view
    guess = seen.unit * float(np.clip(np.exp(rng.normal(0, 0.25)), 0.55, 1.8))
    place = view.to_level([middle_px], guess)[0] + rng.uniform(-1.5, 1.5, 2) * guess
    step = guess / FINDER_DIE_PX
    reach = step * (TILE_PX - 1) / 2
    corner = (float(place[0]) - reach, float(place[1]) + reach)
    tile = level_picture(seen.frame, view, upright(corner, step), guess, (TILE_PX, TILE_PX))
    marks = []
    for die in seen.dice:
        x, y = view.to_level([die.image.centre_px], guess)[0]
        size = die.die.look.size_m / seen.die_m * seen.unit / guess
        at = (float(x - corner[0]) / step, float(corner[1] - y) / step)
        if -TILE_PX < at[0] < 2 * TILE_PX and -TILE_PX < at[1] < 2 * TILE_PX:
            marks.append(Mark(*at, float(np.log(size)), die.rest is not None, die.visible))
    return Tile(tile, tuple(marks), corner, guess)


def die_samples(rng: np.random.Generator, seen: ViewedScene, empty: int = EMPTY_CROPS) -> list[DieSample]:
    """Cut the crops of a picture's dice, each a little off in place and size, and of places without a die."""
    height, width = seen.frame.shape[:2]
    samples = []
    for die in seen.dice:
        x, y = die.image.centre_px
        if 2 < x < width - 2 and 2 < y < height - 2:
            samples.append(_cut(rng, seen, die))
    for _ in range(empty):
        anywhere = rng.uniform([2, 2], [max(3, width - 2), max(3, height - 2)])
        if all(np.hypot(*(anywhere - np.array(die.image.centre_px))) > 0.95 * seen.face_px for die in seen.dice):
            size = seen.unit * float(np.exp(rng.normal(0, 0.2)))
            samples.append(empty_sample(seen, (float(anywhere[0]), float(anywhere[1])), size))
    return samples


def found_samples(seen: ViewedScene, tile: Tile, found: list[Detection]) -> list[DieSample]:
    """Cut what a finder marked in a tile: dice as badly centred as it leaves them, and whatever it took for dice."""
    step = tile.guess / FINDER_DIE_PX
    height, width = seen.frame.shape[:2]
    samples = []
    for detection in found:
        met = detection.in_level(tile.corner, step)
        place, size = met.place, met.size
        x_px, y_px = seen.view.to_picture([place], size)[0]
        if not (2 < x_px < width - 2 and 2 < y_px < height - 2):
            continue
        nearest: SceneDie | None = None
        apart = np.inf
        for die in seen.dice:
            away = float(np.hypot(*(seen.view.to_level([die.image.centre_px], size)[0] - place)))
            if away < apart:
                nearest, apart = die, away
        if nearest is not None and apart < SAME_DIE * size:
            samples.append(_cut_at(seen, nearest, place, size))
        elif apart > SIDE_FACE * size:
            samples.append(empty_sample(seen, (float(x_px), float(y_px)), size))
    return samples


def empty_sample(seen: ViewedScene, at_px: tuple[float, float], size: float) -> DieSample:
    """Cut a crop of a place where no die is."""
    x, y = seen.view.to_level([at_px], size)[0]
    at = (float(x), float(y))
    return DieSample(
        crop=die_crop(seen.frame, seen.view, at, size),
        is_die=False,
        value=1,
        tilt_deg=0.0,
        on_checker=False,
        moving=False,
        visible=0.0,
        log_size=0.0,
        offset=(0.0, 0.0),
        lean=(0.0, 0.0),
        face_px=0.0,
    )


def _cut(rng: np.random.Generator, seen: ViewedScene, die: SceneDie) -> DieSample:
    true_size = seen.unit * die.die.look.size_m / seen.die_m
    size = true_size * float(np.exp(rng.normal(0, 0.1)))
    x, y = seen.view.to_level([die.image.centre_px], size)[0] + rng.normal(0, 0.08, 2) * size
    return _cut_at(seen, die, (float(x), float(y)), size)


def _cut_at(seen: ViewedScene, die: SceneDie, at: tuple[float, float], size: float) -> DieSample:
    view = seen.view
    true_size = seen.unit * die.die.look.size_m / seen.die_m
    middle, leaned = view.to_level([die.image.centre_px, die.image.lean_px], size)
    crop = die_crop(seen.frame, view, at, size)
    return DieSample(
        crop=crop,
        is_die=die.rest is not None,
        value=die.image.value,
        tilt_deg=die.image.tilt_deg,
        on_checker=die.rest is DieState.ON_CHECKER,
        moving=die.rest is DieState.MOVING,
        visible=die.visible,
        log_size=float(np.log(true_size / size)),
        offset=crop.of_level(float(middle[0] - at[0]) / size, float(middle[1] - at[1]) / size),
        lean=crop.of_level(*((leaned - middle) / true_size)),
        face_px=die.image.face_px,
    )
