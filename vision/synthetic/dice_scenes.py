"""Random close scenes of dice with their truth: what the dice reader is trained and measured on.

A scene is a patch of table or board about eleven dice wide under a random camera. Cocked dice are at rest on an edge or
corner and lean on a checker, a wall or another die, or lie across a step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.synthetic.dice import draw_die, random_look
from vision.synthetic.dice_backdrop import (
    Disc,
    Wall,
    any_ground,
    draw_disc,
    draw_wall,
    fill,
    lit,
    paint_ground,
    random_disc,
    spoil,
)
from vision.synthetic.dice_shape import (
    Die,
    DieImage,
    DieLight,
    DieLook,
    Frame,
    PinholeCamera,
    Vector,
    cocked_pose,
    die_image,
    flat_pose,
    project,
)

DICE_ACROSS: Final = 11
"""Width of a scene in nominal dice."""
SMALLEST_FACE_PX: Final = 9.0
LARGEST_FACE_PX: Final = 46.0
MOVING_STEPS: Final = 6


@dataclass(frozen=True, slots=True)
class SceneDie:
    """A die of a scene and how it rests: flat, cocked, on_checker, on_wall, moving; cube: a doubling cube, no die."""

    die: Die
    rest: str
    image: DieImage
    visible: float = 1.0
    """Share of the uppermost face that nothing hides."""


@dataclass(frozen=True, slots=True)
class DiceScene:
    """A spoiled picture and the truth about it."""

    frame: Frame
    camera: PinholeCamera
    dice: tuple[SceneDie, ...]
    die_m: float
    """Size of the scene's dice."""


def random_camera(rng: np.random.Generator, die_m: float) -> tuple[PinholeCamera, tuple[int, int]]:
    """Draw a camera that looks at the origin from 0 to 62 degrees off the vertical; returns it and (width, height)."""
    face_px = float(np.exp(rng.uniform(np.log(SMALLEST_FACE_PX), np.log(LARGEST_FACE_PX))))
    tilt = np.radians(rng.choice([rng.uniform(0, 30), rng.uniform(20, 62)], p=[0.6, 0.4]))
    azimuth, roll = rng.uniform(0, 2 * np.pi), rng.normal(0, 0.1)
    distance = rng.uniform(0.45, 1.6)
    back = np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])
    side = np.cross(np.array([0.0, 0.0, 1.0]), back) if tilt > 1e-3 else np.array([1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    down = np.cross(side, back)
    frame = np.stack([side, down, -back])
    turn = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    rotation = turn @ frame
    # A face seen at an angle shrinks one way only; its size is measured along the other.
    focal = face_px / die_m * distance
    reach = die_m * DICE_ACROSS / 2 * 1.15
    matrix = np.array([[focal, 0, 0], [0, focal, 0], [0, 0, 1]], np.float64)
    camera = PinholeCamera(matrix, rotation, np.array([0.0, 0.0, distance]))
    corners = project(camera, [(x, y, 0.0) for x in (-reach, reach) for y in (-reach, reach)])
    low, high = corners.min(axis=0), corners.max(axis=0)
    matrix[0, 2], matrix[1, 2] = -low
    size = np.ceil(high - low).astype(int)
    return replace(camera, matrix=matrix), (int(size[0]), int(size[1]))


class _Layout:
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


def _cube_look(rng: np.random.Generator, look: DieLook) -> DieLook:
    texts = ["2", "4", "8", "16", "32", "64"]
    rng.shuffle(texts)
    if rng.random() < 0.15:
        texts = [""] * 6
    return replace(look, texts=tuple(texts), size_m=look.size_m * rng.uniform(0.9, 1.9))


def _leaning(
    rng: np.random.Generator, look: DieLook, layout: _Layout, discs: list[Disc], wall: Wall | None
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
    rng: np.random.Generator, look: DieLook, layout: _Layout, discs: list[Disc], wall: Wall | None
) -> tuple[Die, str] | None:
    """Draw one die in one of the ways dice come to rest."""
    value, yaw = int(rng.integers(1, 7)), float(rng.uniform(0, 2 * np.pi))
    kind = rng.random()
    if kind < 0.3:
        die = _leaning(rng, look, layout, discs, wall)
        return None if die is None else (die, "cocked")
    if kind < 0.4 and discs:
        disc = discs[int(rng.integers(len(discs)))]
        shift = disc.radius_m * rng.uniform(-0.5, 0.5, 2)
        at: Vector = (disc.x_m + float(shift[0]), disc.y_m + float(shift[1]), disc.top_m)
        return Die(look, flat_pose(value, look, at, yaw)), "on_checker"
    if kind < 0.46 and wall is not None:
        middle = (wall.near_m + wall.far_m) / 2 + rng.uniform(-0.2, 0.2) * (wall.far_m - wall.near_m)
        along = rng.uniform(-4, 4) * look.size_m
        x = middle * -np.sin(wall.angle_rad) + along * np.cos(wall.angle_rad)
        y = middle * np.cos(wall.angle_rad) + along * np.sin(wall.angle_rad)
        return Die(look, flat_pose(value, look, (float(x), float(y), wall.height_m), yaw)), "on_wall"
    place = layout.free(look.size_m * 0.6)
    if place is None:
        return None
    layout.take(*place, look.size_m * 0.55)
    rest = "moving" if rng.random() < 0.06 else "flat"
    die = Die(look, flat_pose(value, look, (*place, 0.0), yaw))
    return die, rest


def _lay_out(
    rng: np.random.Generator, die_m: float, looks: list[DieLook]
) -> tuple[list[Disc], Wall | None, list[tuple[Die, str]]]:
    """Place checkers, a wall and dice."""
    layout = _Layout(rng, die_m)
    wall = None
    if rng.random() < 0.4:
        near_m = rng.uniform(-5, 5) * die_m
        wall = Wall(
            rng.uniform(0, np.pi),
            near_m,
            near_m + rng.uniform(0.4, 3.5) * die_m,
            rng.uniform(0.2, 1.6) * die_m,
            any_ground(rng),
        )
        for step in np.linspace(-8, 8, 17) * die_m:
            centre = (wall.near_m + wall.far_m) / 2
            x = centre * -np.sin(wall.angle_rad) + step * np.cos(wall.angle_rad)
            y = centre * np.cos(wall.angle_rad) + step * np.sin(wall.angle_rad)
            layout.take(x, y, (wall.far_m - wall.near_m) / 2)
    sets: list[Disc] = []
    if rng.random() < 0.8:
        first = random_disc(rng, (0, 0, 0), None, die_m)
        other = random_disc(rng, (0, 0, 0), None, die_m)
        if rng.random() < 0.25:  # dice in the colour of one player's checkers
            body: tuple[float, float, float] = tuple(float(c) for c in looks[0].body)  # type: ignore[assignment]
            first = replace(first, top=body, wall=lit(body, 0.9))
        sets = [first, replace(other, radius_m=first.radius_m, height_m=first.height_m)]
    discs: list[Disc] = []
    for _ in range(int(rng.integers(0, 10)) if sets else 0):
        like = sets[int(rng.integers(2))]
        place = layout.free(like.radius_m)
        if discs and rng.random() < 0.4:  # in a row with the last one
            turn = rng.integers(4) * np.pi / 2
            reach = 2.02 * like.radius_m
            x, y = discs[-1].x_m + reach * np.cos(turn), discs[-1].y_m + reach * np.sin(turn)
            place = (float(x), float(y)) if layout.fits(x, y, like.radius_m * 0.98) else place
        if place is None:
            continue
        layout.take(*place, like.radius_m)
        discs.append(random_disc(rng, (*place, 0.0), like, die_m))
        if rng.random() < 0.12:
            discs[-1] = random_disc(rng, (*place, like.height_m), like, die_m)
            discs.append(random_disc(rng, (*place, 0.0), like, die_m))
    tops = [d for d in discs if not any(o.z_m > d.z_m and o.x_m == d.x_m and o.y_m == d.y_m for o in discs)]
    dice: list[tuple[Die, str]] = []
    for _ in range(int(rng.integers(0, 7))):
        look = looks[int(rng.integers(len(looks)))]
        if rng.random() < 0.07:
            place = layout.free(die_m)
            if place is not None:
                cube = _cube_look(rng, random_look(rng))
                layout.take(*place, cube.size_m * 0.7)
                at = (*place, 0.0)
                dice.append((Die(cube, flat_pose(int(rng.integers(1, 7)), cube, at, rng.uniform(0, 6.28))), "cube"))
            continue
        found = _rest_die(rng, look, layout, tops, wall)
        if found is None:
            continue
        dice.append(found)
        if rng.random() < 0.12 and found[1] in {"flat", "on_wall"}:  # a second one touching it
            die, rest = found
            turn = rng.uniform(0, 6.28)
            reach = look.size_m * rng.uniform(1.02, 1.35)
            at = (
                die.pose.x_m + reach * np.cos(turn),
                die.pose.y_m + reach * np.sin(turn),
                die.pose.z_m - look.size_m / 2,
            )
            if rng.random() < 0.6:
                beside = flat_pose(int(rng.integers(1, 7)), look, at, turn + rng.normal(0, 0.2))
                dice.append((Die(look, beside), rest))
            else:
                tilt = np.radians(rng.uniform(8, 42))
                beside = cocked_pose(int(rng.integers(1, 7)), look, at, turn + np.pi * rng.integers(2), tilt)
                dice.append((Die(look, beside), "cocked"))
    kept: list[tuple[Die, str]] = []
    for die, rest in dice:  # bodies drawn through each other would be lies
        gap = 0.9 * die_m if rest != "cocked" else 0.8 * die_m
        if all(np.hypot(die.pose.x_m - o.pose.x_m, die.pose.y_m - o.pose.y_m) > gap for o, _ in kept):
            kept.append((die, rest))
    return discs, wall, kept


def random_scene(rng: np.random.Generator) -> DiceScene:
    """Draw a scene nobody has seen before."""
    looks = [random_look(rng)]
    die_m = looks[0].size_m
    if rng.random() < 0.6:
        looks.append(replace(random_look(rng), size_m=die_m * rng.uniform(0.9, 1.1)))
    camera, (width, height) = random_camera(rng, die_m)
    discs, wall, dice = _lay_out(rng, die_m, looks)
    direction = rng.normal(0, 0.55, 2)
    strength = rng.uniform(0.15, 0.8)
    light = DieLight(
        (float(direction[0]), float(direction[1]), 1.0),
        ambient=float(rng.uniform(0.9, 1.1) - 0.7 * strength),
        strength=float(strength),
        shadow=float(rng.uniform(0.1, 0.75)),
        blur_dice=float(np.exp(rng.uniform(np.log(0.04), np.log(0.8)))),
    )
    face_px = camera.matrix[0, 0] / camera.translation[2] * die_m
    frame = _draw_ground(rng, camera, (width, height), die_m, face_px)
    if discs:
        _shade_discs(frame, camera, discs, light, face_px)
    owner = np.zeros((height, width), np.uint8)
    eye = -camera.rotation.T @ camera.translation
    # Far before near; what stands on something comes after it.
    bodies: list[tuple[float, Disc | tuple[Die, str]]] = [
        (float(np.hypot(d.x_m - eye[0], d.y_m - eye[1])) - 100 * d.z_m, d) for d in discs
    ]
    for die, rest in dice:
        lowest = -50.0 if rest in {"on_checker", "cocked"} else 0.0
        bodies.append((float(np.hypot(die.pose.x_m - eye[0], die.pose.y_m - eye[1])) + lowest, (die, rest)))
    if wall is not None:
        for outline in draw_wall(rng, frame, camera, wall, 1.0):
            fill_label(owner, outline, 0)
    drawn: list[SceneDie] = []
    for _, body in sorted(bodies, key=lambda item: -item[0]):
        if isinstance(body, Disc):
            fill_label(owner, draw_disc(rng, frame, camera, body, 1.0), 0)
            continue
        die, rest = body
        image = die_image(camera, die)
        fill_label(owner, image.outline_px, 0)
        fill_label(owner, image.top_face_px, len(drawn) + 1)
        floor = die.pose.z_m - die.look.size_m / 2 if rest in {"on_checker", "on_wall"} else 0.0
        if rest == "moving":
            image = _draw_moving(rng, frame, camera, die, light)
        else:
            draw_die(frame, camera, die, light, rng, floor_m=floor)
        drawn.append(SceneDie(die, rest, image))
    if rng.random() < 0.15:
        _cover(rng, frame, owner)
    seen = tuple(replace(die, visible=_visible(owner, index + 1, die.image)) for index, die in enumerate(drawn))
    return DiceScene(spoil(rng, frame), camera, seen, die_m)


def fill_label(owner: npt.NDArray[np.uint8], outline: npt.NDArray[np.float32], label: int) -> None:
    """Write who owns the pixels of a convex outline (n, 2)."""
    cv2.fillConvexPoly(owner, (outline * 16).astype(np.int32), label, cv2.LINE_8, 4)


def _visible(owner: npt.NDArray[np.uint8], label: int, image: DieImage) -> float:
    area = max(1.0, float(cv2.contourArea(image.top_face_px)))
    return min(1.0, float((owner == label).sum()) / area)


def _draw_ground(
    rng: np.random.Generator, camera: PinholeCamera, size: tuple[int, int], die_m: float, face_px: float
) -> Frame:
    reach = die_m * DICE_ACROSS * 0.75
    texture_px = int(np.clip(2 * reach / die_m * min(face_px, 28), 120, 420))
    ground = paint_ground(rng, texture_px, texture_px * die_m / (2 * reach))
    corners = project(camera, [(-reach, -reach, 0), (reach, -reach, 0), (reach, reach, 0), (-reach, reach, 0)])
    square = np.array([[0, 0], [texture_px, 0], [texture_px, texture_px], [0, texture_px]], np.float32)
    warp = cv2.getPerspectiveTransform(square, corners)
    warped = cv2.warpPerspective(ground, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(warped, np.uint8)


def _shade_discs(frame: Frame, camera: PinholeCamera, discs: list[Disc], light: DieLight, face_px: float) -> None:
    """Darken the ground in the checkers' shadows."""
    dark = np.zeros(frame.shape[:2], np.uint8)
    for disc in discs:
        slip = np.array(light.direction[:2]) * disc.top_m
        turn = np.linspace(0, 2 * np.pi, 20, endpoint=False)
        ring = np.stack([np.cos(turn), np.sin(turn)], 1) * disc.radius_m + np.array([disc.x_m, disc.y_m])
        both = np.vstack([ring, ring - slip])
        outline = project(camera, np.hstack([both, np.zeros((len(both), 1))]))
        fill(dark, np.asarray(cv2.convexHull(outline)).reshape(-1, 2), 255 * light.shadow)  # type: ignore[arg-type]
    soft = np.asarray(cv2.blur(dark, (3 + 2 * int(face_px * light.blur_dice / 3),) * 2), np.float32)
    frame[:] = (frame * (1 - soft[..., None] / 255)).astype(np.uint8)


def _draw_moving(rng: np.random.Generator, frame: Frame, camera: PinholeCamera, die: Die, light: DieLight) -> DieImage:
    """Draw a die that moves and turns while the shutter is open."""
    turn = rng.uniform(0, 2 * np.pi)
    reach = die.look.size_m * rng.uniform(0.4, 1.4)
    axis = np.array([-np.sin(turn), np.cos(turn), 0.0])
    roll = rng.uniform(0, 0.9)
    total = np.zeros(frame.shape, np.float32)
    image = die_image(camera, die)
    for step in np.linspace(-0.5, 0.5, MOVING_STEPS):
        pose = replace(
            die.pose,
            x_m=die.pose.x_m + step * reach * np.cos(turn),
            y_m=die.pose.y_m + step * reach * np.sin(turn),
            z_m=die.pose.z_m + die.look.size_m * 0.2,
            rotation=np.asarray(cv2.Rodrigues(axis * roll * step)[0]) @ die.pose.rotation,
        )
        copy = frame.copy()
        draw_die(copy, camera, replace(die, pose=pose), light, rng)
        total += copy
    frame[:] = (total / MOVING_STEPS).astype(np.uint8)
    return image


def _cover(rng: np.random.Generator, frame: Frame, owner: npt.NDArray[np.uint8]) -> None:
    """Lay a hand, sleeve or cup over part of the picture."""
    height, width = owner.shape
    skin = (float(rng.uniform(60, 170)), float(rng.uniform(90, 190)), float(rng.uniform(130, 235)))
    colour = skin if rng.random() < 0.7 else any_ground(rng)
    start = np.array([rng.choice([-0.1, 1.1]) * width, rng.uniform(0, 1) * height])
    reach = np.array([rng.uniform(0.2, 0.8) * width, rng.uniform(0.1, 0.9) * height])
    thick = int(rng.uniform(0.04, 0.25) * min(height, width)) + 2
    mask = np.zeros_like(owner)
    cv2.line(mask, tuple(start.astype(int)), tuple(reach.astype(int)), 255, thick, cv2.LINE_AA)
    cv2.circle(mask, tuple(reach.astype(int)), int(thick * rng.uniform(0.5, 1.0)), 255, -1, cv2.LINE_AA)
    shade = np.asarray(cv2.GaussianBlur(mask, (0, 0), thick / 3), np.float32)[..., None] / 255
    soft = mask[..., None].astype(np.float32) / 255
    frame[:] = (frame * (1 - 0.4 * shade) * (1 - soft) + soft * np.array(colour) * (0.5 + 0.5 * shade)).astype(np.uint8)
    owner[mask > 127] = 0
