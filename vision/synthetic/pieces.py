"""Draws checkers: short cylinders with a turned top, a shaded wall and a soft shadow."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import Frame
from vision.synthetic import texture
from vision.synthetic.areas import polygon
from vision.synthetic.dice_shape import Camera
from vision.synthetic.style import BoardDims, CheckerLook, Light
from vision.synthetic.viewpoint import plane_to_picture, position_m, to_pixels

SPRITE_PX: Final = 72
SPRITES: Final = 5
"""Different tops baked for each set, so that no two neighbours need look the same."""
_SEGMENTS: Final = 28
_CIRCLE: Final = np.stack(
    [
        np.cos(np.linspace(0, 2 * np.pi, _SEGMENTS, endpoint=False)),
        np.sin(np.linspace(0, 2 * np.pi, _SEGMENTS, endpoint=False)),
    ]
)
_ON_EDGE_RAD: Final = 1.0
"""Leaning more than this a checker does not lie, it stands."""
Sprite = npt.NDArray[np.uint8]
"""A checker's top from above, shape (SPRITE_PX, SPRITE_PX, 4), BGR and opacity."""


@dataclass(frozen=True, slots=True)
class CheckerOnTable:
    """One checker. ``place`` is "point", "bar", "off" or "hand"; ``point`` 1..24 where it lies on a point, else 0."""

    light: bool
    """Of the lighter set."""
    x_m: float
    y_m: float
    z_m: float
    """Height of its underside's middle."""
    place: str = "point"
    point: int = 0
    slot: int = 0
    layer: int = 0
    lean_rad: float = 0.0
    """Turn about the x axis: positive lifts the edge on the p13..p24 side; a quarter turn stands it on edge."""


def tops_m(dims: BoardDims, checkers: Sequence[CheckerOnTable]) -> npt.NDArray[np.float64]:
    """Middles of the checkers' tops, metres, shape (n, 3)."""
    height = dims.thickness
    return np.array(
        [(c.x_m, c.y_m - height * np.sin(c.lean_rad), c.z_m + height * np.cos(c.lean_rad)) for c in checkers]
    )


def bake(look: CheckerLook, light: Light, rng: np.random.Generator) -> list[Sprite]:
    """Return some lit tops of one set, in the board's directions (up in the sprite is +y)."""
    return [_bake_one(look, light, rng) for _ in range(SPRITES)]


def _bake_one(look: CheckerLook, light: Light, rng: np.random.Generator) -> Sprite:
    x, y = _grid(SPRITE_PX)
    radius = np.hypot(x, y).astype(np.float32)
    albedo = top_albedo(look, SPRITE_PX, rng)
    slope = _slope(look, radius)
    norm = np.maximum(radius, 1e-3)
    normal = np.stack([-slope * x / norm, -slope * y / norm, np.ones_like(radius)], -1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    towards = np.array(light.direction) / np.linalg.norm(light.direction)
    facing = np.clip(normal @ towards, 0, None) / max(0.3, float(towards[2]))
    half = towards + np.array([0.0, 0.0, 1.0])
    shine = np.clip(normal @ (half / np.linalg.norm(half)), 0, 1) ** (20 + 60 * look.gloss)
    level = light.ambient + 0.75 * light.diffuse * facing
    # A dished top lies in its own rim's shade.
    if look.profile in {"rim", "dish"}:
        level = level * (1 - 0.25 * look.relief * np.exp(-(((radius - look.ring + 0.06) / 0.06) ** 2)))
    picture = albedo * level[..., None] + 255 * look.gloss * light.diffuse * 0.7 * (shine * (shine > 0.05))[..., None]
    opacity = np.clip((1.0 - radius) * SPRITE_PX / 2.1 + 0.5, 0, 1) * 255
    return np.asarray(np.clip(np.dstack([picture, opacity]), 0, 255), np.uint8)


def _grid(size_px: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Coordinates of a sprite's pixels in radii, y upwards."""
    axis = (np.arange(size_px) + 0.5) / size_px * 2.1 - 1.05
    x, y = np.meshgrid(axis, -axis)
    return x, y


def _slope(look: CheckerLook, radius: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """dh/dr of the turned profile."""

    def bump(middle: float, width: float) -> npt.NDArray[np.float32]:
        return np.asarray(np.exp(-(((radius - middle) / width) ** 2)), np.float32)

    edge = -1.2 * bump(1.0, 0.06)
    strength = look.relief
    match look.profile:
        case "rim":
            return np.asarray(edge + strength * (1.2 * bump(look.ring, 0.04)), np.float32)
        case "dish":
            return np.asarray(
                edge + strength * 0.8 * np.clip(radius / look.ring, 0, 1) * (radius < look.ring), np.float32
            )
        case "grooves":
            wave = np.sin(radius * 2 * np.pi * 4) * (radius < 0.9) * (radius > 0.25)
            return np.asarray(edge + strength * 0.7 * wave, np.float32)
        case "dome":
            return np.asarray(edge - strength * 0.6 * radius, np.float32)
        case _:
            return np.asarray(edge, np.float32)


def top_albedo(look: CheckerLook, size_px: int, rng: np.random.Generator) -> texture.Picture:
    """Return the colours of one top, unlit, ``size_px`` square and 1.05 diameters wide."""
    size = (size_px, size_px)
    x, y = _grid(size_px)
    radius = np.hypot(x, y).astype(np.float32)
    colour = texture.near(rng, look.colour, 0.03 * look.grain)
    second = np.array(look.second, np.float32)
    turn = rng.uniform(0, 2 * np.pi)
    angle = np.arctan2(y, x) + turn
    match look.pattern:
        case "wood":
            plank = texture.wood(rng, size, colour, look.grain)
            spin = cv2.getRotationMatrix2D((size_px / 2, size_px / 2), float(np.degrees(turn)), 1.45)
            top = np.asarray(cv2.warpAffine(plank, spin, size, borderMode=cv2.BORDER_REFLECT), np.float32)
        case "marble":
            cloud = texture.noise(rng, size, (14, 14)) + 0.5 * texture.noise(rng, size, (5, 5))
            share = np.clip(0.25 * look.grain * cloud, -0.6, 0.6)[..., None]
            top = np.array(colour, np.float32) * (1 - np.abs(share)) + second * np.clip(share, 0, 1)
        case _:
            top = texture.plain(size, colour) * (1 + 0.015 * texture.noise(rng, size, (3, 3)))[..., None]
    paint: npt.NDArray[np.bool_] | None = None
    match look.pattern:
        case "spot":
            paint = radius < 0.22
        case "star":
            paint = radius < 0.35 + 0.2 * np.cos(angle * 5)
        case "emblem":
            spots = texture.noise(rng, size, (12, 12))
            paint = (np.abs(spots) < 0.35) & (radius < 0.6)
        case "pie":
            paint = (np.floor(angle / (np.pi / 4)) % 2 == 0) & (radius < look.ring)
        case "ring":
            paint = (radius > look.ring - 0.18) & (radius < look.ring)
    if paint is not None:
        soft = cv2.GaussianBlur(paint.astype(np.float32), (0, 0), 0.9)[..., None]
        top = top * (1 - soft) + second * soft
    if look.profile == "ring_inlay":
        soft = cv2.GaussianBlur((radius > look.ring).astype(np.float32), (0, 0), 0.9)[..., None]
        top = top * (1 - soft) + second * soft
    return np.asarray(top, np.float32)


def drop_shadows(
    frame: Frame, camera: Camera, dims: BoardDims, light: Light, checkers: list[CheckerOnTable], floor_m: float = 0.0
) -> None:
    """Darken the plane at ``floor_m`` where checkers keep the lamp away or touch it."""
    if not checkers:
        return
    height, width = frame.shape[:2]
    shrink = 2
    dark = np.zeros((height // shrink + 1, width // shrink + 1), np.uint8)
    touch = np.zeros_like(dark)
    towards = np.array(light.direction) / np.linalg.norm(light.direction)
    drift = -towards[:2] / max(0.3, float(towards[2]))
    radius = dims.checker / 2
    places = np.array([(c.x_m, c.y_m) for c in checkers])
    tops = np.array([c.z_m - floor_m + dims.thickness for c in checkers])
    circle = _CIRCLE.T[::2] * radius
    matrix = plane_to_picture(camera, floor_m)
    base = places[:, None] + circle
    for index, checker in enumerate(checkers):
        if abs(checker.lean_rad) > _ON_EDGE_RAD:
            middle = checker.y_m - np.sign(checker.lean_rad) * dims.thickness / 2
            base[index] = (checker.x_m, middle) + circle * (1, dims.thickness / dims.checker)
            tops[index] = dims.checker
    moved = base + drift * tops[:, None, None]
    foot = _apply(matrix, base + 0.07 * circle) / shrink
    both = _apply(matrix, np.concatenate([base, moved], 1)) / shrink
    for outline, contact in zip(both, foot, strict=True):
        if abs(outline).max() > 4000:
            continue
        hull = cv2.convexHull(np.round(outline * 16).astype(np.int32))
        cv2.fillConvexPoly(dark, hull, 255 * light.shadow, cv2.LINE_8, 4)
        cv2.fillConvexPoly(touch, np.round(contact * 16).astype(np.int32), 110.0, cv2.LINE_8, 4)
    metre_px = float(np.linalg.norm(np.diff(_apply(matrix, np.array([[[0.0, 0.0], [0.01, 0.0]]]))[0], axis=0))) * 100
    blur = max(0.5, light.softness_m * metre_px / shrink)
    dark = np.asarray(cv2.GaussianBlur(dark, (0, 0), blur), np.uint8)
    touch = np.asarray(cv2.GaussianBlur(touch, (0, 0), max(0.5, 0.0015 * metre_px / shrink)), np.uint8)
    keep = 255 - np.asarray(cv2.resize(np.maximum(dark, touch), (width, height)), np.uint8)
    cv2.multiply(frame, cv2.cvtColor(keep, cv2.COLOR_GRAY2BGR), frame, 1 / 255)


def _apply(matrix: npt.NDArray[np.float64], places: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    mapped = places @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(mapped[..., :2] / np.maximum(mapped[..., 2:], 1e-3), np.float64)


def draw_checker(
    frame: Frame,
    camera: Camera,
    dims: BoardDims,
    look: CheckerLook,
    light: Light,
    checker: CheckerOnTable,
    sprite: Sprite,
    above: Sequence[CheckerOnTable] = (),
) -> None:
    """Draw one checker over what is in the frame already; those ``above`` it keep the lamp from its top."""
    radius = dims.checker / 2
    height, width = frame.shape[:2]
    # The checker's own axes on the board: across, along its top, and out of its top.
    cosine, sine = np.cos(checker.lean_rad), np.sin(checker.lean_rad)
    axes = np.array([(1, 0, 0), (0, cosine, sine), (0, -sine, cosine)])
    under = np.array([checker.x_m, checker.y_m, checker.z_m])
    if axes[2] @ (position_m(camera) - under) < 0:  # on edge, its back to the camera: both faces look alike
        under = under + dims.thickness * axes[2]
        axes = axes * ((1,), (-1,), (-1,))
    over = under + dims.thickness * axes[2]
    ring = radius * _CIRCLE.T @ axes[:2]
    bottom, top = to_pixels(camera, under + ring), to_pixels(camera, over + ring)
    both = np.vstack([bottom, top])
    if (both < -2).all(0).any() or (both > (width + 2, height + 2)).all(0).any() or abs(both).max() > 8000:
        return
    _wall(frame, look, light, _CIRCLE.T @ axes[:2], position_m(camera) - under, bottom, top)
    if abs(checker.lean_rad) > _ON_EDGE_RAD:  # rounded edges part it from its neighbours
        seams = [np.round(ring_px * 16).astype(np.int32) for ring_px in (bottom, top)]
        thick = max(1, round(0.05 * float(np.linalg.norm(top[0] - top[_SEGMENTS // 2]))))
        cv2.polylines(frame, seams, True, _shade(look.wall, 0.5 * light.ambient), thick, cv2.LINE_AA, 4)  # noqa: FBT003 - OpenCV's own signature
    left, upper = np.clip(np.floor(top.min(0)).astype(int) - 1, 0, [width, height])
    right, lower = np.clip(np.ceil(top.max(0)).astype(int) + 2, 0, [width, height])
    if right <= left or lower <= upper:
        return
    scale = 1.05 * dims.checker / SPRITE_PX
    reach = scale * (SPRITE_PX - 1) / 2
    corner = over - reach * axes[0] + reach * axes[1]
    place = np.column_stack([scale * axes[0], -scale * axes[1], corner])
    matrix = camera.matrix @ (camera.rotation @ place + np.outer(camera.translation, (0, 0, 1)))
    matrix[:2] -= np.outer((left, upper), matrix[2])
    warped = cv2.warpPerspective(sprite, matrix, (int(right - left), int(lower - upper)), flags=cv2.INTER_LINEAR)
    share = warped[..., 3:].astype(np.float32) / 255
    colour = warped[..., :3].astype(np.float32)
    if above:
        colour *= _lamp_left(camera, dims, light, over[2], above, (left, upper, right, lower))[..., None]
    if abs(checker.lean_rad) > _ON_EDGE_RAD:
        colour *= _upright_level(light, axes[2])
    mirrored = sheen(camera, light, over, look.gloss) if abs(checker.lean_rad) <= _ON_EDGE_RAD else 0.0
    if mirrored > 0.01:
        colour += mirrored * (255 - colour)
    patch = frame[upper:lower, left:right]
    frame[upper:lower, left:right] = (patch * (1 - share) + colour * share).astype(np.uint8)


def sheen(camera: Camera, light: Light, top: npt.NDArray[np.float64], gloss: float) -> float:
    """Share of a top's colour that the mirror image of the window takes, 0..1.

    No checker lies quite level, so that of two neighbours one can flash and the other not.
    """
    if light.sheen <= 0:
        return 0.0
    wobble = np.sin(top[:2] * (7919.0, 6101.0)) * 0.02
    normal = np.array([wobble[0], wobble[1], 1.0])
    normal /= np.linalg.norm(normal)
    view = position_m(camera) - top
    view /= np.linalg.norm(view)
    mirrored = 2 * float(normal @ view) * normal - view
    window = np.array(light.window) / np.linalg.norm(light.window)
    away = float(np.arccos(np.clip(mirrored @ window, -1, 1)))
    return float(light.sheen * (0.4 + 0.6 * gloss) * np.exp(-((away / light.sheen_spread_rad) ** 2)))


def _lamp_left(
    camera: Camera,
    dims: BoardDims,
    light: Light,
    floor_m: float,
    above: Sequence[CheckerOnTable],
    box: tuple[int, int, int, int],
) -> npt.NDArray[np.float32]:
    """Share of the lamp that checkers above leave on a top at height ``floor_m``, for the pixels of a box."""
    left, upper, right, lower = box
    dark = np.zeros((lower - upper, right - left), np.uint8)
    towards = np.array(light.direction) / np.linalg.norm(light.direction)
    drift = -towards[:2] / max(0.3, float(towards[2])) * dims.thickness
    matrix = plane_to_picture(camera, floor_m)
    circle = _CIRCLE.T[::2] * dims.checker / 2
    for checker in above:
        base = np.array([checker.x_m, checker.y_m]) + circle
        touch = _apply(matrix, np.array([checker.x_m, checker.y_m]) + circle * 1.06) - (left, upper)
        cv2.fillConvexPoly(dark, np.round(touch * 16).astype(np.int32), 110.0, cv2.LINE_8, 4)
        cast = _apply(matrix, np.vstack([base, base + drift])) - (left, upper)
        cv2.fillConvexPoly(
            dark, cv2.convexHull(np.round(cast * 16).astype(np.int32)), max(110.0, 255 * light.shadow), cv2.LINE_8, 4
        )
    pixel_m = dims.checker / max(4, right - left)
    blur = max(0.5, min(light.softness_m, 0.004) / pixel_m)
    return np.asarray(1 - cv2.GaussianBlur(dark, (0, 0), blur).astype(np.float32) / 255, np.float32)


def _upright_level(light: Light, normal: npt.NDArray[np.float64]) -> float:
    """How bright a face is that does not look up, in parts of one that does."""
    towards = np.array(light.direction) / np.linalg.norm(light.direction)
    level = 0.8 * light.ambient + light.diffuse * max(0.0, float(normal @ towards))
    return float(level / (light.ambient + 0.75 * light.diffuse))


def _wall(
    frame: Frame,
    look: CheckerLook,
    light: Light,
    normals: npt.NDArray[np.float64],
    eye: npt.NDArray[np.float64],
    bottom: npt.NDArray[np.float64],
    top: npt.NDArray[np.float64],
) -> None:
    """Draw the wall between two rings of pixels; ``eye`` is the way from the underside's middle to the camera."""
    towards = np.array(light.direction) / np.linalg.norm(light.direction)
    level = 0.8 * light.ambient + light.diffuse * np.clip(normals @ towards, 0, None)
    hull = cv2.convexHull(np.vstack([bottom, top]).astype(np.float32)).reshape(-1, 2)
    dim = 0.8 * light.ambient
    polygon(frame, hull.astype(np.float64), _shade(look.wall, dim))
    if np.abs(bottom - top).max() < 1.5:
        return
    quads = np.stack([bottom, np.roll(bottom, -1, 0), np.roll(top, -1, 0), top], 1)
    quads = np.round(quads * 16).astype(np.int32)
    for index in np.flatnonzero(normals @ eye > 0):
        cv2.fillConvexPoly(frame, quads[index], _shade(look.wall, float(level[index])), cv2.LINE_8, 4)


def _shade(colour: texture.Colour, level: float) -> texture.Colour:
    return min(255.0, colour[0] * level), min(255.0, colour[1] * level), min(255.0, colour[2] * level)
