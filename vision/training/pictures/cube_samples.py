"""Training samples for the cube reader's two nets, cut from random scenes as the reader cuts a picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.cube.views import CUBE_PER_CHECKER, FINDER_CUBE_PX, CubeCrop, cube_crop
from vision.dice.finder import Detection
from vision.dice.views import level_picture, upright
from vision.readings import CUBE_VALUES
from vision.training.pictures.cubes import number_on
from vision.training.pictures.dice_samples import Mark, Tile, ViewedScene, seen_throw
from vision.training.pictures.dice_scenes import SceneDie
from vision.training.pictures.dice_throws import ThrowPicture

TILE_PX: Final = 104
NO_NUMBER: Final = len(CUBE_VALUES)
"""Kind of a crop in which no number stands upright: a logo, a bare face, a number that lies on its side."""
UNTOLD: Final = -1
"""Kind of a crop in which the cube lies askew: nobody has to read those."""
SAME_UPSIDE_DOWN: Final = 8
UPRIGHT_CROPS: Final = 2
TURN_ERROR_RAD: Final = 0.07
"""Standard error of an estimated angle."""
USUAL_PER_DIE: Final = 1.8
"""Width of a cube in dice, where no checker gives it."""
SAME_CUBE, SOMETHING_ELSE = 0.35, 0.5
"""In cubes from the top's middle: up to the one it is this cube, from the other on a side face or something else."""


@dataclass(frozen=True, slots=True)
class CubeSample:
    """A crop for the reading net with its truth."""

    crop: CubeCrop
    is_cube: bool
    kind: int
    """Place in CUBE_VALUES of the number that stands upright in the crop, NO_NUMBER for none, UNTOLD for askew ones."""
    edges: tuple[float, float]
    """Cosine and sine of four times the angle by which the top is turned: the same for all of its sides."""
    visible: float
    log_size: float
    """Log of the cube's size over the one the crop was cut for."""
    offset: tuple[float, float]
    """From the crop's middle to the middle of the cube's top, in cubes, x right and y down."""
    face_px: float
    """Size of the face in the camera's picture."""


def for_cubes(seen: ViewedScene) -> ViewedScene:
    """Return the same picture, looked at in the size that cubes usually have beside its dice."""
    return replace(seen, die_m=USUAL_PER_DIE * seen.die_m, unit=USUAL_PER_DIE * seen.unit)


def seen_board(rng: np.random.Generator, shot: ThrowPicture) -> ViewedScene | None:
    """Take a board's picture as a reader with slightly wrong corners does; None if the board is too small in it."""
    seen = seen_throw(rng, shot)
    if seen is None:
        return None
    size_m = CUBE_PER_CHECKER * shot.dims.checker
    return replace(seen, die_m=size_m, unit=size_m / shot.width_m)


def finder_tile(rng: np.random.Generator, seen: ViewedScene, middle_px: tuple[float, float]) -> Tile:
    """Cut a level tile in which a usual cube has the nominal size, give or take what the reader may guess wrong."""
    guess = seen.unit * float(np.clip(np.exp(rng.normal(0, 0.1)), 0.75, 1.3))
    step = guess / FINDER_CUBE_PX
    place = seen.view.to_level([middle_px], guess)[0] + rng.uniform(-2.5, 2.5, 2) * guess
    reach = step * (TILE_PX - 1) / 2
    corner = (float(place[0]) - reach, float(place[1]) + reach)
    tile = level_picture(seen.frame, seen.view, upright(corner, step), guess, (TILE_PX, TILE_PX))
    marks = []
    for die in seen.dice:
        x, y = seen.view.to_level([die.image.centre_px], guess)[0]
        size = die.die.look.size_m / seen.die_m * seen.unit / guess
        at = (float(x - corner[0]) / step, float(corner[1] - y) / step)
        if -TILE_PX < at[0] < 2 * TILE_PX and -TILE_PX < at[1] < 2 * TILE_PX:
            marks.append(Mark(*at, float(np.log(size)), die.rest is None, die.visible))
    return Tile(tile, tuple(marks), corner, guess)


def cube_samples(rng: np.random.Generator, seen: ViewedScene, empty: int) -> list[CubeSample]:
    """Cut crops of a picture's cubes, each a little off in place and size, and of dice and places without a cube."""
    height, width = seen.frame.shape[:2]
    samples = []
    for die in seen.dice:
        x, y = die.image.centre_px
        if not (2 < x < width - 2 and 2 < y < height - 2):
            continue
        if die.rest is None:
            size = seen.unit * die.die.look.size_m / seen.die_m * float(np.exp(rng.normal(0, 0.1)))
            a, b = seen.view.to_level([die.image.centre_px], size)[0] + rng.normal(0, 0.07, 2) * size
            samples += _cut(rng, seen, die, (float(a), float(b)), size)
        else:
            samples.append(_nothing(rng, seen, (x, y), seen.unit * float(np.exp(rng.normal(-0.3, 0.3)))))
    for _ in range(empty):
        anywhere = rng.uniform([2, 2], [max(3, width - 2), max(3, height - 2)])
        if all(np.hypot(*(anywhere - np.array(die.image.centre_px))) > seen.face_px for die in seen.dice):
            size = seen.unit * float(np.exp(rng.normal(0, 0.2)))
            samples.append(_nothing(rng, seen, (float(anywhere[0]), float(anywhere[1])), size))
    return samples


def found_samples(rng: np.random.Generator, seen: ViewedScene, tile: Tile, found: list[Detection]) -> list[CubeSample]:
    """Cut what a finder marked in a tile: cubes as badly centred as it leaves them, and whatever it took for cubes."""
    step = tile.guess / FINDER_CUBE_PX
    height, width = seen.frame.shape[:2]
    cubes = [die for die in seen.dice if die.rest is None]
    samples = []
    for detection in found:
        met = detection.in_level(tile.corner, step)
        place, size = met.place, met.size
        x_px, y_px = (float(value) for value in seen.view.to_picture([place], size)[0])
        if not (2 < x_px < width - 2 and 2 < y_px < height - 2):
            continue
        away = [
            float(np.hypot(*(seen.view.to_level([cube.image.centre_px], size)[0] - place))) / size for cube in cubes
        ]
        if away and min(away) < SAME_CUBE:
            samples += _cut(rng, seen, cubes[int(np.argmin(away))], place, size)
        elif not away or min(away) > SOMETHING_ELSE:
            samples.append(_nothing(rng, seen, (x_px, y_px), size))
    return samples


def _cut(
    rng: np.random.Generator, seen: ViewedScene, cube: SceneDie, at: tuple[float, float], size: float
) -> list[CubeSample]:
    """Cut a cube as it lies by chance, with its number upright, and turned by a quarter or two."""
    number = number_on(cube.die.look, cube.image.value)
    low, high = seen.view.to_level(cube.image.top_face_px[:2], size)
    upright = float(np.arctan2(high[0] - low[0], high[1] - low[1]))
    middle = seen.view.to_level([cube.image.centre_px], size)[0]
    samples = []
    for quarters in (*(0,) * UPRIGHT_CROPS, int(rng.integers(1, 4)), None):
        askew = float(rng.normal(0, TURN_ERROR_RAD)) if quarters is not None else float(rng.uniform(0, 2 * np.pi))
        crop = cube_crop(seen.frame, seen.view, at, size, upright + askew + (quarters or 0) * np.pi / 2)
        readable = number is not None and (quarters == 0 or (quarters == 2 and number == SAME_UPSIDE_DOWN))
        kind = CUBE_VALUES.index(number) if number is not None and readable else NO_NUMBER
        samples.append(
            CubeSample(
                crop=crop,
                is_cube=True,
                kind=UNTOLD if quarters is None else kind,
                edges=(float(np.cos(4 * askew)), float(-np.sin(4 * askew))),
                visible=cube.visible,
                log_size=float(np.log(seen.unit * cube.die.look.size_m / seen.die_m / size)),
                offset=crop.other_way(float(middle[0] - at[0]) / size, float(middle[1] - at[1]) / size),
                face_px=cube.image.face_px,
            )
        )
    return samples


def _nothing(rng: np.random.Generator, seen: ViewedScene, at_px: tuple[float, float], size: float) -> CubeSample:
    x, y = (float(value) for value in seen.view.to_level([at_px], size)[0])
    crop = cube_crop(seen.frame, seen.view, (x, y), size, float(rng.uniform(0, 2 * np.pi)))
    return CubeSample(
        crop=crop,
        is_cube=False,
        kind=UNTOLD,
        edges=(0.0, 0.0),
        visible=0.0,
        log_size=0.0,
        offset=(0.0, 0.0),
        face_px=0.0,
    )
