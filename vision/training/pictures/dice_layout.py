"""Lays out close scenes: where checkers, walls and dice are, and how each die comes to rest."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from vision.readings import DieState
from vision.synthetic.dice_shape import Die, DieLook, Vector, cocked_pose, flat_pose
from vision.training.pictures.cubes import random_cube
from vision.training.pictures.dice_backdrop import Disc, RaisedStrip, any_ground, lit, random_disc

DICE_ACROSS: Final = 11
"""Width of a scene in nominal dice."""
CUBES: Final = 0.11
TILTED_CUBES: Final = 0.12
TOUCHING: Final = 0.12
WALLS: Final = 0.4
DieRest = DieState | None
"""How a die lies; None for a doubling cube, which is no die."""


class FreePlaces:
    """Places that are taken, so that bodies do not run through each other."""

    def __init__(self, rng: np.random.Generator, die_m: float) -> None:
        self.rng = rng
        self.die_m = die_m
        self.taken: list[tuple[float, float, float]] = []

    def free(self, radius_m: float) -> tuple[float, float] | None:
        """Find room for a round body; None if the patch is crowded."""
        for _ in range(12):
            x, y = self.rng.uniform(-0.47, 0.47, 2) * self.die_m * DICE_ACROSS
            if self.fits(x, y, radius_m):
                return float(x), float(y)
        return None

    def fits(self, x: float, y: float, radius_m: float) -> bool:
        """Tell whether a round body at (x, y) would touch none so far."""
        return all((x - a) ** 2 + (y - b) ** 2 > (radius_m + r) ** 2 for a, b, r in self.taken)

    def take(self, x: float, y: float, radius_m: float) -> None:
        """Mark a place as taken."""
        self.taken.append((x, y, radius_m))


def _leaning(
    rng: np.random.Generator, look: DieLook, layout: FreePlaces, discs: list[Disc], wall: RaisedStrip | None
) -> Die | None:
    """Draw a cocked die at rest: on an edge or corner, with a support at the raised side."""
    size = look.size_m
    tilt = float(np.radians(rng.choice([rng.uniform(5, 20), rng.uniform(15, 45)], p=[0.45, 0.55])))
    yaw = float(rng.uniform(0, 2 * np.pi))
    edge = 0.0 if rng.random() < 0.5 else float(rng.uniform(-np.pi / 4, np.pi / 4))
    value = int(rng.integers(1, 7))
    reach = 0.72 * size
    if discs and rng.random() < 0.75:
        disc = discs[int(rng.integers(len(discs)))]
        around = float(rng.uniform(0, 2 * np.pi))
        # Tipped away from the support, the raised bottom rests on its rim; tipped towards it, the side leans on it.
        apart = disc.radius_m + size * rng.uniform(0.05, 0.75)
        x, y = disc.x_m + apart * np.cos(around), disc.y_m + apart * np.sin(around)
        yaw = around + (0.0 if rng.random() < 0.7 else np.pi) + float(rng.normal(0, 0.25))
        floor = disc.z_m
    elif wall is not None and rng.random() < 0.7:
        out = np.array([-np.sin(wall.angle_rad), np.cos(wall.angle_rad)])
        along = np.array([np.cos(wall.angle_rad), np.sin(wall.angle_rad)]) * rng.uniform(-4, 4) * size
        edge_m, sign = (wall.near_m, -1.0) if rng.random() < 0.5 else (wall.far_m, 1.0)
        x, y = out * (edge_m + sign * size * rng.uniform(0.3, 0.75)) + along
        yaw = float(np.arctan2(out[1], out[0])) + (np.pi if sign > 0 else 0.0) + float(rng.normal(0, 0.2))
        floor = 0.0
    else:
        place = layout.free(reach)
        if place is None:
            return None
        x, y = place
        floor = 0.0
    return Die(look, cocked_pose(value, look, (float(x), float(y), floor), yaw, tilt, edge_rad=edge))


def _rest_die(
    rng: np.random.Generator, look: DieLook, layout: FreePlaces, discs: list[Disc], wall: RaisedStrip | None
) -> tuple[Die, DieRest] | None:
    """Draw one die in one of the ways dice come to rest."""
    value, yaw = int(rng.integers(1, 7)), float(rng.uniform(0, 2 * np.pi))
    kind = rng.random()
    if kind < 0.3:
        die = _leaning(rng, look, layout, discs, wall)
        return None if die is None else (die, DieState.COCKED)
    if kind < 0.4 and discs:
        disc = discs[int(rng.integers(len(discs)))]
        shift = disc.radius_m * rng.uniform(-0.5, 0.5, 2)
        at: Vector = (disc.x_m + float(shift[0]), disc.y_m + float(shift[1]), disc.top_m)
        return Die(look, flat_pose(value, look, at, yaw)), DieState.ON_CHECKER
    if kind < 0.46 and wall is not None:
        middle = (wall.near_m + wall.far_m) / 2 + rng.uniform(-0.2, 0.2) * (wall.far_m - wall.near_m)
        along = rng.uniform(-4, 4) * look.size_m
        x = middle * -np.sin(wall.angle_rad) + along * np.cos(wall.angle_rad)
        y = middle * np.cos(wall.angle_rad) + along * np.sin(wall.angle_rad)
        return Die(look, flat_pose(value, look, (float(x), float(y), wall.height_m), yaw)), DieState.ON_BAR
    place = layout.free(look.size_m * 0.6)
    if place is None:
        return None
    layout.take(*place, look.size_m * 0.55)
    rest = DieState.MOVING if rng.random() < 0.06 else DieState.FLAT
    die = Die(look, flat_pose(value, look, (*place, 0.0), yaw))
    return die, rest


def lay_out(
    rng: np.random.Generator, die_m: float, looks: list[DieLook], cubes: float = CUBES
) -> tuple[list[Disc], RaisedStrip | None, list[tuple[Die, DieRest]]]:
    """Place checkers, a wall and dice, each die with how it rests; ``cubes`` is the share of doubling cubes."""
    layout = FreePlaces(rng, die_m)
    wall = _lay_wall(rng, layout)
    discs = _lay_discs(rng, layout, looks[0])
    tops = [d for d in discs if not any(o.z_m > d.z_m and o.x_m == d.x_m and o.y_m == d.y_m for o in discs)]
    dice: list[tuple[Die, DieRest]] = []
    for _ in range(int(rng.integers(0, 7))):
        if rng.random() < cubes:
            cube = _lay_cube(rng, layout, wall)
            dice += [cube] if cube is not None else []
            continue
        look = looks[int(rng.integers(len(looks)))]
        found = _rest_die(rng, look, layout, tops, wall)
        if found is None:
            continue
        dice.append(found)
        if rng.random() < TOUCHING and found[1] in {DieState.FLAT, DieState.ON_BAR}:
            dice.append(_beside(rng, *found))
    kept: list[tuple[Die, DieRest]] = []
    for die, rest in dice:  # bodies drawn through each other would be lies
        gap = 0.9 * die_m if rest is not DieState.COCKED else 0.8 * die_m
        if all(np.hypot(die.pose.x_m - o.pose.x_m, die.pose.y_m - o.pose.y_m) > gap for o, _ in kept):
            kept.append((die, rest))
    return discs, wall, kept


def _lay_wall(rng: np.random.Generator, layout: FreePlaces) -> RaisedStrip | None:
    """Put a rim or bar across the scene, now and then."""
    if rng.random() >= WALLS:
        return None
    die_m = layout.die_m
    near_m = rng.uniform(-5, 5) * die_m
    far_m = near_m + rng.uniform(0.4, 3.5) * die_m
    wall = RaisedStrip(rng.uniform(0, np.pi), near_m, far_m, rng.uniform(0.2, 1.6) * die_m, any_ground(rng))
    for step in np.linspace(-8, 8, 17) * die_m:
        centre = (wall.near_m + wall.far_m) / 2
        x = centre * -np.sin(wall.angle_rad) + step * np.cos(wall.angle_rad)
        y = centre * np.cos(wall.angle_rad) + step * np.sin(wall.angle_rad)
        layout.take(x, y, (wall.far_m - wall.near_m) / 2)
    return wall


def _lay_discs(rng: np.random.Generator, layout: FreePlaces, look: DieLook) -> list[Disc]:
    """Put down some checkers of two sets, singly, in rows and in twos."""
    if rng.random() < 0.2:
        return []
    first = random_disc(rng, (0, 0, 0), None, layout.die_m)
    other = random_disc(rng, (0, 0, 0), None, layout.die_m)
    if rng.random() < 0.25:  # dice in the colour of one player's checkers
        blue, green, red = (float(c) for c in look.body)
        first = replace(first, top=(blue, green, red), wall=lit((blue, green, red), 0.9))
    sets = [first, replace(other, radius_m=first.radius_m, height_m=first.height_m)]
    discs: list[Disc] = []
    for _ in range(int(rng.integers(0, 10))):
        like = sets[int(rng.integers(2))]
        place = layout.free(like.radius_m)
        if discs and rng.random() < 0.4:  # in a row with the last one
            turn = rng.integers(4) * np.pi / 2
            reach = 2.02 * like.radius_m
            x, y = float(discs[-1].x_m + reach * np.cos(turn)), float(discs[-1].y_m + reach * np.sin(turn))
            place = (x, y) if layout.fits(x, y, like.radius_m * 0.98) else place
        if place is None:
            continue
        layout.take(*place, like.radius_m)
        discs.append(random_disc(rng, (*place, 0.0), like, layout.die_m))
        if rng.random() < 0.12:
            discs.append(random_disc(rng, (*place, like.height_m), like, layout.die_m))
    return discs


def _lay_cube(rng: np.random.Generator, layout: FreePlaces, wall: RaisedStrip | None) -> tuple[Die, DieRest] | None:
    """Put a doubling cube on the ground or on the wall, level but for some."""
    look = random_cube(rng, layout.die_m * rng.uniform(1.2, 2.4))
    if wall is not None and rng.random() < 0.4:
        middle, along = (wall.near_m + wall.far_m) / 2, float(rng.uniform(-4, 4)) * layout.die_m
        x = float(middle * -np.sin(wall.angle_rad) + along * np.cos(wall.angle_rad))
        y = float(middle * np.cos(wall.angle_rad) + along * np.sin(wall.angle_rad))
        floor = wall.height_m
    else:
        place = layout.free(0.7 * look.size_m)
        if place is None:
            return None
        (x, y), floor = place, 0.0
    layout.take(x, y, 0.7 * look.size_m)
    value, yaw = int(rng.integers(1, 7)), float(rng.uniform(0, 2 * np.pi))
    if rng.random() < TILTED_CUBES:
        return Die(look, cocked_pose(value, look, (x, y, floor), yaw, float(rng.uniform(0.03, 0.25)))), None
    return Die(look, flat_pose(value, look, (x, y, floor), yaw)), None


def _beside(rng: np.random.Generator, die: Die, rest: DieRest) -> tuple[Die, DieRest]:
    """Put a second die so that it touches the first, flat or leaning on it."""
    look, pose = die.look, die.pose
    turn = float(rng.uniform(0, 2 * np.pi))
    reach = look.size_m * rng.uniform(1.02, 1.35)
    at = (
        float(pose.x_m + reach * np.cos(turn)),
        float(pose.y_m + reach * np.sin(turn)),
        float(pose.z_m - look.size_m / 2),
    )
    value = int(rng.integers(1, 7))
    if rng.random() < 0.6:
        return Die(look, flat_pose(value, look, at, turn + float(rng.normal(0, 0.2)))), rest
    tilt = float(np.radians(rng.uniform(8, 42)))
    return Die(look, cocked_pose(value, look, at, turn + float(np.pi * rng.integers(2)), tilt)), DieState.COCKED
