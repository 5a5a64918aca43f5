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

from vision.board.geometry import Frame
from vision.readings import DieState
from vision.synthetic.dice import draw_die, random_look
from vision.synthetic.dice_shape import (
    Die,
    DieImage,
    DieLight,
    PinholeCamera,
    die_image,
    project,
)
from vision.training.pictures.dice_backdrop import (
    Disc,
    any_ground,
    draw_disc,
    draw_wall,
    fill,
    paint_ground,
    spoil,
)
from vision.training.pictures.dice_layout import CUBES, DICE_ACROSS, DieRest, lay_out

FACES_PX: Final = (9.0, 46.0)
MOVING_STEPS: Final = 6


@dataclass(frozen=True, slots=True)
class SceneDie:
    """A die of a scene and how it lies."""

    die: Die
    rest: DieRest
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


def random_camera(
    rng: np.random.Generator, die_m: float, faces_px: tuple[float, float] = FACES_PX, across: float = DICE_ACROSS
) -> tuple[PinholeCamera, tuple[int, int]]:
    """Draw a camera that looks at the origin from 0 to 62 degrees off the vertical; returns it and (width, height).

    ``faces_px`` bounds the size of a die of ``die_m`` in the picture, ``across`` is the picture's width in dice.
    """
    face_px = float(np.exp(rng.uniform(np.log(faces_px[0]), np.log(faces_px[1]))))
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
    reach = die_m * across / 2 * 1.15
    matrix = np.array([[focal, 0, 0], [0, focal, 0], [0, 0, 1]], np.float64)
    camera = PinholeCamera(matrix, rotation, np.array([0.0, 0.0, distance]))
    corners = project(camera, [(x, y, 0.0) for x in (-reach, reach) for y in (-reach, reach)])
    low, high = corners.min(axis=0), corners.max(axis=0)
    matrix[0, 2], matrix[1, 2] = -low
    size = np.ceil(high - low).astype(int)
    return replace(camera, matrix=matrix), (int(size[0]), int(size[1]))


def random_scene(rng: np.random.Generator, cubes: float = CUBES) -> DiceScene:
    """Draw a scene nobody has seen before; ``cubes`` is the share of doubling cubes among its dice."""
    looks = [random_look(rng)]
    die_m = looks[0].size_m
    if rng.random() < 0.6:
        looks.append(replace(random_look(rng), size_m=die_m * rng.uniform(0.9, 1.1)))
    camera, (width, height) = random_camera(rng, die_m)
    discs, wall, dice = lay_out(rng, die_m, looks, cubes)
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
    bodies: list[tuple[float, Disc | tuple[Die, DieRest]]] = [
        (float(np.hypot(d.x_m - eye[0], d.y_m - eye[1])) - 100 * d.z_m, d) for d in discs
    ]
    for die, rest in dice:
        lowest = -50.0 if rest in {DieState.ON_CHECKER, DieState.COCKED} or die.pose.z_m > die.look.size_m else 0.0
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
        floor = die.pose.z_m - die.look.size_m / 2 if rest in {DieState.ON_CHECKER, DieState.ON_BAR, None} else 0.0
        if rest is DieState.MOVING:
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
