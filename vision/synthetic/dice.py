"""Dice as solid bodies: rounded cubes with drilled pips, ray-cast into a picture seen by a calibrated camera.

A ray goes through every (sub)pixel that can show the die, so faces hide each other as they do in the world, at any tilt
and at any size down to a few pixels. ``random_look`` draws dice such as one meets at a table.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.board.geometry import Frame
from vision.synthetic.dice_cast import CastWindow, cast_die
from vision.synthetic.dice_shape import (
    CORNERS,
    Camera,
    Colour,
    Die,
    DieImage,
    DieLight,
    DieLook,
    DiePose,
    Material,
    PinholeCamera,
    cocked_pose,
    die_image,
    flat_pose,
    lowest_m,
    project,
    top_face,
)

__all__ = [
    "Camera",
    "Die",
    "DieImage",
    "DieLight",
    "DieLook",
    "DiePose",
    "PinholeCamera",
    "cocked_pose",
    "die_image",
    "draw_die",
    "flat_pose",
    "lowest_m",
    "project",
    "random_look",
    "top_face",
]


def draw_die(
    frame: Frame, camera: Camera, die: Die, light: DieLight, rng: np.random.Generator, *, floor_m: float | None = 0.0
) -> DieImage:
    """Draw a die and its shadow into ``frame`` (changed in place).

    ``floor_m`` is the height of the surface that takes the shadow; None draws none. Objects already in the frame are
    painted over: draw from far to near.
    """
    image = die_image(camera, die)
    if floor_m is not None and light.shadow > 0:
        _draw_shadow(frame, camera, die, light, floor_m)
    height, width = frame.shape[:2]
    left, top = np.floor(image.outline_px.min(axis=0)).astype(int) - 1
    right, bottom = np.ceil(image.outline_px.max(axis=0)).astype(int) + 2
    # A die mostly outside would still cost its whole box; clip it first.
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(right, width), min(bottom, height)
    if x0 >= x1 or y0 >= y1:
        return image
    scale = 3 if image.face_px < 14 else 2 if image.face_px < 32 else 1
    layer = cast_die(camera, die, light, CastWindow((x0, y0, x1, y1), scale, frame[y0:y1, x0:x1]), rng)
    patch = frame[y0:y1, x0:x1].astype(np.float32)
    patch *= 1 - layer[..., 3:]
    patch += layer[..., :3]
    frame[y0:y1, x0:x1] = np.clip(patch, 0, 255).astype(np.uint8)
    return image


def _draw_shadow(frame: Frame, camera: Camera, die: Die, light: DieLight, floor_m: float) -> None:
    """Darken what the die keeps the lamp from: a soft cast shadow and a tight one where the die touches."""
    pose, half = die.pose, die.look.size_m / 2
    corners = 0.93 * half * CORNERS @ pose.rotation.T + np.array([pose.x_m, pose.y_m, pose.z_m])
    ray = np.asarray(light.direction, np.float64)
    ray = ray / max(ray[2], 0.25 * float(np.linalg.norm(ray)))
    drop = np.maximum(corners[:, 2:] - floor_m, 0.0)
    cast = corners - drop * ray
    cast[:, 2] = floor_m
    foot = corners[np.argsort(corners[:, 2])[:4]].copy()
    foot[:, 2] = floor_m
    pixels = project(camera, np.vstack([cast, foot]))
    side = float(np.linalg.norm(pixels[8:].max(axis=0) - pixels[8:].min(axis=0))) / 1.5
    blur = max(0.6, light.blur_dice * side)
    margin = int(2.5 * blur) + 2
    height, width = frame.shape[:2]
    x0, y0 = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - margin, 0)
    x1, y1 = np.minimum(np.ceil(pixels.max(axis=0)).astype(int) + margin, [width, height])
    if x0 >= x1 or y0 >= y1:
        return
    # A wide blur needs few samples: it is done small and stretched.
    shrink = max(1.0, blur / 1.5)
    size = (max(2, round((x1 - x0) / shrink)), max(2, round((y1 - y0) / shrink)))
    offset = np.array([x0, y0], np.float32)
    step = np.array([x1 - x0, y1 - y0], np.float32) / np.array(size, np.float32)
    dark = np.zeros(size[::-1], np.uint8)
    for outline, strength, sigma in ((pixels[:8], light.shadow, blur), (pixels[8:], 0.8 * light.shadow, blur / 3)):
        part = np.zeros_like(dark)
        hull = cv2.convexHull(((outline - offset) / step * 16).astype(np.int32))
        cv2.fillConvexPoly(part, hull, 255 * strength, cv2.LINE_8, 4)
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), max(0.5, sigma / shrink)), np.uint8)
        dark = np.maximum(dark, part)
    keep = 1 - np.asarray(cv2.resize(dark, (int(x1 - x0), int(y1 - y0))), np.float32)[..., None] / 255
    patch = frame[y0:y1, x0:x1]
    frame[y0:y1, x0:x1] = (patch * keep).astype(np.uint8)


def _shade_of(rng: np.random.Generator, low: float, high: float, spread: float) -> Colour:
    """Draw a colour near grey between two brightnesses."""
    level = rng.uniform(low, high)
    blue, green, red = np.clip(level + rng.normal(0, spread, 3), 0, 255).astype(int)
    return int(blue), int(green), int(red)


def _brightness(colour: Colour) -> float:
    """Luma of a colour, 0..255."""
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]


def _vivid(rng: np.random.Generator) -> Colour:
    """Draw a saturated colour of any hue."""
    hsv = np.array([[[rng.integers(0, 180), rng.integers(120, 256), rng.integers(60, 256)]]], np.uint8)
    blue, green, red = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return int(blue), int(green), int(red)


def random_look(rng: np.random.Generator) -> DieLook:
    """Draw a die such as one meets: white, black, coloured, translucent, wooden; sharp or round; red 1 or not."""
    kinds = ["white", "ivory", "black", "vivid", "translucent", "wood", "marbled"]
    kind = rng.choice(kinds, p=[0.25, 0.12, 0.14, 0.2, 0.14, 0.09, 0.06])
    material: Material = "opaque"
    grain = 0.0
    if kind == "white":
        body = _shade_of(rng, 195, 250, 5)
    elif kind == "ivory":
        body = (int(rng.integers(120, 205)), int(rng.integers(190, 230)), int(rng.integers(215, 250)))
    elif kind == "black":
        body = _shade_of(rng, 15, 60, 6)
    elif kind == "wood":
        red = int(rng.integers(110, 225))
        body = (int(red * rng.uniform(0.35, 0.7)), int(red * rng.uniform(0.65, 0.88)), red)
        material, grain = "wood", rng.uniform(0.05, 0.3)
    else:
        body = _vivid(rng)
        if kind == "translucent":
            material = "translucent"
        elif kind == "marbled":
            material, grain = "marbled", rng.uniform(0.1, 0.5)
    dark_body = _brightness(body) < rng.uniform(70, 175)
    pips = _shade_of(rng, 195, 250, 8) if dark_body else _shade_of(rng, 10, 60, 8)
    fancy = (60, 160, 200) if dark_body else _vivid_dark(rng)
    if rng.random() < 0.1 and abs(_brightness(fancy) - _brightness(body)) > 60:
        pips = fancy
    one: Colour | None = None
    if not dark_body and rng.random() < 0.15:
        one = (int(rng.integers(20, 60)), int(rng.integers(20, 60)), int(rng.integers(150, 220)))
    radius = float(rng.uniform(0.13, 0.25))
    edges = [rng.uniform(0.04, 0.12), rng.uniform(0.12, 0.35), rng.uniform(0.3, 0.5)]
    rounding = float(rng.choice(edges, p=[0.35, 0.5, 0.15]))
    return DieLook(
        size_m=float(rng.uniform(0.012, 0.018)),
        body=body,
        pips=pips,
        one=one,
        rounding=rounding,
        ball=float(rng.choice([2.0, rng.uniform(1.32, 1.6)], p=[0.6, 0.4])),
        pip_radius=radius,
        one_radius=radius * float(rng.choice([1.0, rng.uniform(1.0, 1.9)], p=[0.7, 0.3])),
        pip_spread=float(rng.uniform(0.42, 0.58)),
        pip_depth=float(rng.choice([0.0, rng.uniform(0.2, 0.8)], p=[0.4, 0.6])),
        gloss=float(rng.choice([rng.uniform(0.0, 0.25), rng.uniform(0.25, 0.9)], p=[0.7, 0.3])),
        sharpness=float(np.exp(rng.uniform(np.log(6), np.log(150)))),
        material=material,
        grain=float(grain),
        mirrored=bool(rng.random() < 0.3),
        turned=(bool(rng.random() < 0.5), bool(rng.random() < 0.5), bool(rng.random() < 0.5)),
    )


def _vivid_dark(rng: np.random.Generator) -> Colour:
    """Draw a saturated colour dark enough to be read on a light die."""
    blue, green, red = _vivid(rng)
    return int(blue * 0.6), int(green * 0.6), int(red * 0.6)
