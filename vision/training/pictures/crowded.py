"""A patch of a board crowded with dice in every way dice come to rest: for pictures that cost too much to waste.

Cocked dice touch what they lean on: they are slid towards it until the bodies meet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.readings import DieState
from vision.synthetic.dice import random_look
from vision.synthetic.dice_shape import Die, DieLook, PinholeCamera, cocked_pose, flat_pose
from vision.synthetic.pieces import CheckerOnTable
from vision.synthetic.scene import DieOnTable
from vision.synthetic.style import BoardDims, Style, random_style
from vision.training.pictures.cubes import random_cube
from vision.training.pictures.dice_layout import DieRest
from vision.training.pictures.dice_scenes import random_camera
from vision.training.pictures.layout import lay_aside, lay_position, random_counts, random_tidiness
from vision.training.pictures.traced_bodies import surface_points

RESTS: Final = (DieState.FLAT, DieState.COCKED, DieState.ON_CHECKER, DieState.ON_BAR, DieState.OFF_BOARD, None)
REST_CHANCES: Final = (0.34, 0.48, 0.06, 0.03, 0.06, 0.03)
CUBE_CHANCES: Final = (0.16, 0.08, 0.03, 0.02, 0.06, 0.65)
LEAST_DICE, MOST_DICE = 4, 10
FACES_PX: Final = (20.0, 40.0)
CUBE_SCENE_FACES_PX: Final = (9.0, 26.0)
"""Dice are half as wide as the cubes among which they lie."""
DICE_ACROSS: Final = 8.0
CARVED: Final = 0.25
"""Share of carved boards: their rosettes are what is taken for dice most."""
TRIES: Final = 12
STEPS: Final = 60

Points = npt.NDArray[np.float64]
Inside = Callable[[Points], npt.NDArray[np.bool_]]
"""Which of some points (n, 3), metres, lie within a body."""


@dataclass(frozen=True, slots=True, eq=False)
class CrowdedScene:
    """A scene; each die with how it rests."""

    style: Style
    camera: PinholeCamera
    size: tuple[int, int]
    """Width and height of the picture."""
    checkers: tuple[CheckerOnTable, ...]
    dice: tuple[tuple[DieOnTable, DieRest], ...]
    die_m: float


@dataclass(frozen=True, slots=True)
class _Patch:
    """Where the dice are thrown: middle and reach, metres."""

    x_m: float
    y_m: float
    reach_m: float

    def any_place(self, rng: np.random.Generator) -> tuple[float, float]:
        x, y = rng.uniform(-1, 1, 2) * self.reach_m
        return self.x_m + float(x), self.y_m + float(y)

    def holds(self, x_m: float, y_m: float) -> bool:
        return abs(x_m - self.x_m) < self.reach_m and abs(y_m - self.y_m) < self.reach_m


@dataclass(frozen=True, slots=True)
class _Support:
    """Something to lean on: where a die near it would stand, the way from it to there, and what it fills."""

    x_m: float
    y_m: float
    away_rad: float
    inside: Inside


def crowd(seed: int, *, cubes: bool = False) -> CrowdedScene:
    """Return a scene nobody has seen before, of dice or mostly of doubling cubes; equal seeds give equal scenes."""
    rng = np.random.default_rng(seed)
    style = random_style(rng)
    if rng.random() < 0.35:
        style = replace(style, dims=replace(style.dims, tray=float(style.dims.checker * rng.uniform(1.1, 2.4))))
    if rng.random() < CARVED:
        style = replace(style, board=replace(style.board, form="carved", material="wood"))
    dims = style.dims
    size_m = float(np.clip(rng.uniform(0.34, 0.56) * dims.checker, 0.011, 0.02))
    looks = [replace(random_look(rng), size_m=size_m * float(rng.uniform(0.93, 1.07))) for _ in range(4)]
    counts, bar = random_counts(rng)
    checkers = lay_position(style, counts, bar, random_tidiness(rng), rng)
    if rng.random() < 0.5:
        checkers += lay_aside(style, int(rng.integers(0, 9)), int(rng.integers(0, 9)), rng)
    middle = rng.uniform(-1, 1, 2) * (1.05 * dims.half_width, 0.95 * dims.half_depth)
    if checkers and rng.random() < 0.7:
        beside = checkers[int(rng.integers(len(checkers)))]
        middle = np.array([beside.x_m, beside.y_m]) + rng.normal(0, 2.5, 2) * size_m
    if cubes:  # at the ends of the box or on the bar: where cubes lie
        ends = dims.half_width + dims.rim_width
        middle = np.array([rng.choice([-ends, 0.0, ends]), rng.uniform(-0.9, 0.9) * dims.half_depth])
    patch = _Patch(float(middle[0]), float(middle[1]), 0.42 * DICE_ACROSS * size_m)
    dice: list[tuple[DieOnTable, DieRest]] = []
    for _ in range(int(rng.integers(LEAST_DICE, MOST_DICE + 1)) * (2 if cubes else 1)):
        look = looks[int(rng.integers(len(looks)))]
        thrown = _throw(rng, look, dims, patch, checkers, dice, CUBE_CHANCES if cubes else REST_CHANCES)
        if thrown is not None:
            dice.append(thrown)
    dice.sort(key=lambda thrown: thrown[1] is None)
    camera, size = random_camera(rng, size_m, CUBE_SCENE_FACES_PX if cubes else FACES_PX, DICE_ACROSS)
    spot = np.array([patch.x_m, patch.y_m, 0.0])
    camera = replace(camera, translation=camera.translation - camera.rotation @ spot)
    return CrowdedScene(style, camera, size, tuple(checkers), tuple(dice), size_m)


def _throw(
    rng: np.random.Generator,
    look: DieLook,
    dims: BoardDims,
    patch: _Patch,
    checkers: list[CheckerOnTable],
    dice: list[tuple[DieOnTable, DieRest]],
    probabilities: tuple[float, ...],
) -> tuple[DieOnTable, DieRest] | None:
    rest = RESTS[int(rng.choice(len(RESTS), p=probabilities))]
    if rest is None and probabilities is CUBE_CHANCES:
        look = random_cube(rng, look.size_m * float(rng.uniform(1.2, 2.4)))
    elif rest is None:
        texts = ["2", "4", "8", "16", "32", "64"]
        look = replace(look, texts=tuple(texts), size_m=look.size_m * float(rng.uniform(1.0, 2.2)))
    for _ in range(TRIES):
        thrown = _rest(rng, rest, look, dims, patch, checkers, dice)
        if thrown is None:
            continue
        pose = thrown.die.pose
        near = 0.9 if rest is DieState.COCKED else 1.06
        if all(
            np.hypot(o.die.pose.x_m - pose.x_m, o.die.pose.y_m - pose.y_m)
            > near * (look.size_m + o.die.look.size_m) / 2
            for o, _ in dice
        ):
            return thrown, rest
    return None


def _rest(
    rng: np.random.Generator,
    rest: DieRest,
    look: DieLook,
    dims: BoardDims,
    patch: _Patch,
    checkers: list[CheckerOnTable],
    dice: list[tuple[DieOnTable, DieRest]],
) -> DieOnTable | None:
    if rest is DieState.COCKED:
        return _lean(rng, look, dims, patch, checkers, [die for die, other in dice if other is DieState.FLAT])
    value, yaw = int(rng.integers(1, 7)), float(rng.uniform(0, 2 * np.pi))
    on_points = [c for c in checkers if c.place == "point" and c.lean_rad == 0.0]
    x, y = patch.any_place(rng)
    floor = 0.0
    if rest is DieState.ON_CHECKER:
        within = [c for c in on_points if patch.holds(c.x_m, c.y_m)]
        if not within:
            return None
        under = within[int(rng.integers(len(within)))]
        x, y = (float(v) for v in np.array([under.x_m, under.y_m]) + rng.uniform(-0.25, 0.25, 2) * dims.checker)
        floor = dims.thickness + max(
            c.z_m for c in on_points if np.hypot(c.x_m - x, c.y_m - y) < dims.checker / 2 + 0.5 * look.size_m
        )
    elif rest is DieState.ON_BAR or (rest is None and rng.random() < 0.4):
        if dims.bar < 1.3 * look.size_m:
            return None
        x, floor = float(rng.uniform(-0.5, 0.5) * (dims.bar - 1.2 * look.size_m)), dims.bar_height
        if not patch.holds(x, y) or abs(y) > dims.half_depth - look.size_m:
            return None
        if any(c.place == "bar" and np.hypot(c.x_m - x, c.y_m - y) < dims.checker / 2 + look.size_m for c in checkers):
            return None
    elif rest in {DieState.OFF_BOARD, None}:
        edge = dims.half_width + dims.rim_width
        out = edge + (0.5 * dims.tray if dims.tray else look.size_m * rng.uniform(0.8, 5))
        x = float(rng.choice([-1, 1]) * out)
        if not patch.holds(x, y):
            return None
        if any(c.place == "off" and np.hypot(c.x_m - x, c.y_m - y) < dims.checker / 2 + look.size_m for c in checkers):
            return None
    else:
        reach = 0.62 * look.size_m
        if not (dims.bar / 2 + reach < abs(x) < dims.half_width - reach and abs(y) < dims.half_depth - reach):
            return None
        if any(np.hypot(c.x_m - x, c.y_m - y) < dims.checker / 2 + 0.72 * look.size_m for c in on_points):
            return None
    return DieOnTable(Die(look, flat_pose(value, look, (x, y, float(floor)), yaw)), float(floor))


def _lean(
    rng: np.random.Generator,
    look: DieLook,
    dims: BoardDims,
    patch: _Patch,
    checkers: list[CheckerOnTable],
    flat: list[DieOnTable],
) -> DieOnTable | None:
    """Tip a die and slide it towards what it leans on until they touch."""
    support = _support(rng, dims, patch, checkers, flat)
    if support is None:
        return None
    tilt = float(np.radians(rng.choice([rng.uniform(6, 20), rng.uniform(14, 44)], p=[0.55, 0.45])))
    edge = 0.0 if rng.random() < 0.55 else float(rng.uniform(-np.pi / 4, np.pi / 4))
    yaw = support.away_rad + float(rng.normal(0, 0.2)) + (np.pi if rng.random() < 0.15 else 0.0)
    pose = cocked_pose(int(rng.integers(1, 7)), look, (0.0, 0.0, 0.0), yaw, tilt, edge_rad=edge)
    points = surface_points(look) @ pose.rotation.T + np.array([0, 0, pose.z_m])
    way = np.array([np.cos(support.away_rad), np.sin(support.away_rad), 0.0])
    start = points + np.array([support.x_m, support.y_m, 0.0])
    apart = None
    for share in np.linspace(1, 0, STEPS):
        if support.inside(start + way * share * 2 * look.size_m).any():
            break
        apart = share * 2 * look.size_m
    else:
        return None
    if apart is None:
        return None
    x, y = support.x_m + way[0] * apart, support.y_m + way[1] * apart
    moved = points + np.array([x, y, 0.0])
    within = np.abs(moved[:, 0]) < dims.half_width
    within &= (np.abs(moved[:, 1]) < dims.half_depth) & (np.abs(moved[:, 0]) > dims.bar / 2)
    if not (within | (moved[:, 2] > max(dims.rim_height, dims.bar_height))).all():
        return None
    if any(_in_checker(moved, c, dims).any() for c in checkers):
        return None
    return DieOnTable(Die(look, replace(pose, x_m=float(x), y_m=float(y))), 0.0)


def _in_checker(points: Points, checker: CheckerOnTable, dims: BoardDims) -> npt.NDArray[np.bool_]:
    near = np.hypot(points[:, 0] - checker.x_m, points[:, 1] - checker.y_m) < 0.49 * dims.checker
    return np.asarray(near & (points[:, 2] > checker.z_m) & (points[:, 2] < checker.z_m + 0.98 * dims.thickness))


def _support(
    rng: np.random.Generator, dims: BoardDims, patch: _Patch, checkers: list[CheckerOnTable], flat: list[DieOnTable]
) -> _Support | None:
    kind = rng.random()
    low = [c for c in checkers if c.place == "point" and c.layer == 0 and c.lean_rad == 0.0]
    low = [c for c in low if patch.holds(c.x_m, c.y_m)]
    if kind < 0.55 and low:
        beside = low[int(rng.integers(len(low)))]
        turn = float(rng.uniform(0, 2 * np.pi))
        x = beside.x_m + 0.4 * dims.checker * np.cos(turn)
        y = beside.y_m + 0.4 * dims.checker * np.sin(turn)
        return _Support(float(x), float(y), turn, lambda points: _in_checker(points, beside, dims))
    if kind < 0.75 and flat:
        other = flat[int(rng.integers(len(flat)))].die
        turn = float(rng.uniform(0, 2 * np.pi))
        middle, half = np.array([other.pose.x_m, other.pose.y_m, other.pose.z_m]), other.look.size_m / 2

        def in_die(points: Points) -> npt.NDArray[np.bool_]:
            return np.asarray((np.abs((points - middle) @ other.pose.rotation) < 0.97 * half).all(1))

        return _Support(float(middle[0]), float(middle[1]), turn, in_die)
    if dims.rim_height < 0.004:
        return None
    walls = [(0, 1, dims.half_width, np.pi), (0, -1, dims.half_width, 0.0)]
    walls += [(1, 1, dims.half_depth, -np.pi / 2), (1, -1, dims.half_depth, np.pi / 2)]
    if dims.bar_height > 0.004 and dims.bar > 0:
        walls += [(0, -1, -dims.bar / 2, 0.0), (0, 1, -dims.bar / 2, np.pi)]
    axis, side, place, away = walls[int(rng.integers(len(walls)))]
    high = dims.rim_height if place > 0 else dims.bar_height

    def in_wall(points: Points) -> npt.NDArray[np.bool_]:
        return np.asarray((side * points[:, axis] > place) & (points[:, 2] < high))

    along = patch.any_place(rng)[1 - axis]
    x, y = (side * place, along) if axis == 0 else (along, side * place)
    if not patch.holds(x, y):
        return None
    return _Support(float(x), float(y), float(away), in_wall)
