"""What gets in the way: hands with arms, cups and other things, glare and hard shadows."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import Frame
from vision.synthetic.dice_shape import Camera
from vision.synthetic.style import Light
from vision.synthetic.texture import Colour, any_colour, near
from vision.synthetic.viewpoint import to_pixels

Mask = npt.NDArray[np.bool_]

_SKINS: tuple[Colour, ...] = ((130, 165, 215), (105, 140, 195), (70, 100, 150), (45, 65, 100), (150, 180, 225))


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the board: where its fingers are, from where the arm comes (board frame, metres)."""

    tip_m: tuple[float, float]
    from_m: tuple[float, float]
    skin: Colour = (120, 155, 205)
    sleeve: Colour = (90, 60, 45)
    height_m: float = 0.03
    width_m: float = 0.085
    seed: int = 1
    """Of the fingers' spread."""


def random_hand(rng: np.random.Generator, reach_m: float) -> Hand:
    """Return a hand anywhere over a board of ``reach_m`` half width, its arm from any side."""
    turn = rng.uniform(0, 2 * np.pi)
    start = (1.3 + rng.random()) * reach_m * np.array([np.cos(turn), np.sin(turn)])
    tip = rng.uniform(-0.9, 0.9, 2) * reach_m * np.array([1.0, 0.8])
    sleeve = any_colour(rng) if rng.random() < 0.7 else near(rng, _SKINS[0], 0.1)
    return Hand(
        (float(tip[0]), float(tip[1])),
        (float(start[0]), float(start[1])),
        near(rng, _SKINS[rng.integers(len(_SKINS))], 0.12),
        sleeve,
        float(rng.uniform(0.015, 0.09)),
        float(rng.uniform(0.07, 0.1)),
        int(rng.integers(1 << 30)),
    )


def draw_hand(frame: Frame, camera: Camera, light: Light, hand: Hand) -> Mask:
    """Draw hand and arm with their shadow; return the pixels they cover."""
    rng = np.random.default_rng(hand.seed)
    tip, start = np.array(hand.tip_m), np.array(hand.from_m)
    ahead = (tip - start) / max(1e-6, float(np.linalg.norm(tip - start)))
    aside = np.array([-ahead[1], ahead[0]])
    wrist = tip - ahead * 0.17
    skin, sleeve = (np.zeros(frame.shape[:2], np.uint8) for _ in range(2))
    z = hand.height_m

    def limb(
        mask: npt.NDArray[np.uint8],
        begin: npt.NDArray[np.float64],
        end: npt.NDArray[np.float64],
        wide: tuple[float, float],
        heights: tuple[float, float],
    ) -> None:
        places = np.array([(*begin, heights[0]), (*end, heights[1])])
        ends = to_pixels(camera, places)
        sides = to_pixels(camera, places + np.array([aside[0] * 0.01, aside[1] * 0.01, 0.0]))
        radii = [
            max(1.0, float(np.linalg.norm(s - e)) * 100 * w / 2) for s, e, w in zip(sides, ends, wide, strict=True)
        ]
        line = ends[1] - ends[0]
        across = np.array([-line[1], line[0]]) / max(1e-6, float(np.linalg.norm(line)))
        body = np.array([ends[k] + side * across * radii[k] for k, side in ((0, 1), (0, -1), (1, -1), (1, 1))])
        if np.abs(body).max() > 10000:
            return
        cv2.fillConvexPoly(mask, np.round(body * 16).astype(np.int32), 255.0, cv2.LINE_AA, 4)
        for spot, radius in zip(ends, radii, strict=True):
            cv2.circle(mask, (round(spot[0] * 16), round(spot[1] * 16)), round(radius * 16), 255.0, -1, cv2.LINE_AA, 4)

    palm = wrist + ahead * 0.085
    limb(skin, wrist, palm, (0.055, hand.width_m), (z + 0.03, z + 0.02))
    for finger in range(4):
        root = palm + aside * hand.width_m * (finger - 1.5) * 0.26 + ahead * 0.015
        bend = rng.uniform(0.55, 1.05)
        joint = root + ahead * 0.045 * bend + aside * rng.normal(0, 0.006)
        end = joint + ahead * 0.04 * bend * rng.uniform(0.4, 1) + aside * rng.normal(0, 0.006)
        limb(skin, root, joint, (0.021, 0.019), (z + 0.02, z + 0.02))
        limb(skin, joint, end, (0.018, 0.014), (z + 0.02, z))
    thumb = palm + aside * rng.choice([-1, 1]) * hand.width_m * 0.45 - ahead * 0.03
    limb(skin, thumb, thumb + ahead * rng.uniform(0.04, 0.07), (0.026, 0.016), (z + 0.02, z))
    cuff = wrist - ahead * rng.uniform(-0.02, 0.15)
    limb(skin, cuff, wrist, (0.065, 0.055), (z + 0.05, z + 0.03))
    limb(sleeve, start, cuff, (0.13, 0.085), (z + 0.12, z + 0.05))
    both = np.maximum(skin, sleeve)
    _shade_below(frame, camera, light, both, z + 0.02)
    for mask, colour, grain in ((sleeve, hand.sleeve, 0.06), (skin, hand.skin, 0.02)):
        _paint_round(frame, mask, colour, light, rng, grain)
    return np.asarray(both > 127)


def _shade_below(frame: Frame, camera: Camera, light: Light, mask: npt.NDArray[np.uint8], height_m: float) -> None:
    towards = np.array(light.direction) / np.linalg.norm(light.direction)
    drift = -towards[:2] / max(0.35, float(towards[2])) * height_m
    ends = to_pixels(camera, [(0, 0, height_m), (drift[0], drift[1], 0.0)])
    shift = np.array([(1, 0, ends[1, 0] - ends[0, 0]), (0, 1, ends[1, 1] - ends[0, 1])])
    small = cv2.resize(mask, None, fx=0.25, fy=0.25)
    shift[:, 2] /= 4
    small = cv2.GaussianBlur(cv2.warpAffine(small, shift, (small.shape[1], small.shape[0])), (0, 0), 3)
    dark = cv2.resize(small, (mask.shape[1], mask.shape[0]))
    keep = 255 - np.asarray(cv2.convertScaleAbs(dark, alpha=light.shadow * 0.8), np.uint8)
    cv2.multiply(frame, cv2.cvtColor(keep, cv2.COLOR_GRAY2BGR), frame, 1 / 255)


def _paint_round(
    frame: Frame, mask: npt.NDArray[np.uint8], colour: Colour, light: Light, rng: np.random.Generator, grain: float
) -> None:
    """Paint a mask as if it were round: darker towards its edges."""
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    if not rows.size or not columns.size:
        return
    box = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    part = mask[box]
    depth = cv2.distanceTransform((part > 127).astype(np.uint8), cv2.DIST_L2, 3)
    relief = np.sqrt(np.clip(depth / max(1.0, 0.8 * float(depth.max())), 0, 1))
    level = light.ambient + 0.75 * light.diffuse
    shade = (0.45 + 0.6 * relief) * level * (1 + grain * rng.standard_normal(part.shape, dtype=np.float32))
    share = part[..., None].astype(np.float32) / 255
    paint = np.clip(np.array(colour, np.float32) * shade[..., None], 0, 255)
    frame[box] = (frame[box] * (1 - share) + paint * share).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class Cup:
    """A dice cup, mug or glass; its foot's middle in metres."""

    place_m: tuple[float, float, float]
    radius_m: float
    height_m: float
    colour: Colour


def draw_cup(frame: Frame, camera: Camera, light: Light, cup: Cup) -> Mask:
    """Draw a cup with its shadow; return the pixels it covers."""
    angle = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle), np.zeros(32)], 1)
    rings = [
        to_pixels(camera, circle * radius + cup.place_m + np.array([0, 0, z]))
        for radius, z in (
            (cup.radius_m * 0.85, 0.0),
            (cup.radius_m, cup.height_m),
            (cup.radius_m * 0.85, cup.height_m),
        )
    ]
    cover = np.zeros(frame.shape[:2], np.uint8)
    if max(np.abs(ring).max() for ring in rings) > 10000:
        return np.asarray(cover > 0)
    hull = cv2.convexHull(np.vstack(rings[:2]).astype(np.float32)).reshape(-1, 2)
    cv2.fillConvexPoly(cover, np.round(hull).astype(np.int32), 255.0)
    _shade_below(frame, camera, light, cover, cup.height_m / 2)
    level = light.ambient + 0.5 * light.diffuse
    for outline, share in ((hull, 0.85), (rings[1], 1.1), (rings[2], 0.4)):
        paint = tuple(float(min(255.0, c * level * share)) for c in cup.colour)
        cv2.fillConvexPoly(frame, np.round(outline * 16).astype(np.int32), paint, cv2.LINE_AA, 4)
    return np.asarray(cover > 0)


def draw_glare(frame: Frame, middle_px: tuple[float, float], radius_px: float, strength: float) -> None:
    """Add a lamp's mirror image: a soft bright spot."""
    height, width = frame.shape[:2]
    small = np.zeros((height // 4, width // 4), np.float32)
    columns, rows = np.meshgrid(np.arange(small.shape[1]), np.arange(small.shape[0]))
    away = ((columns * 4 - middle_px[0]) ** 2 + (rows * 4 - middle_px[1]) ** 2) / max(1.0, radius_px) ** 2
    spot = cv2.resize((255 * strength / (1 + away**2)).astype(np.float32), (width, height))
    frame[:] = np.clip(frame + spot[..., None], 0, 255).astype(np.uint8)


def draw_hard_shadow(frame: Frame, rng: np.random.Generator) -> None:
    """Darken a random half plane or band, as a window frame or a person's shadow does."""
    height, width = frame.shape[:2]
    dark = np.zeros((height // 2, width // 2), np.uint8)
    turn = rng.uniform(0, np.pi)
    normal = np.array([np.cos(turn), np.sin(turn)])
    middle = rng.uniform(0, 1, 2) * (width / 2, height / 2)
    wide = rng.uniform(0.05, 0.6) * width / 2
    along = np.array([-normal[1], normal[0]]) * width
    band = np.array([middle + along, middle - along, middle - along + normal * wide, middle + along + normal * wide])
    cv2.fillConvexPoly(dark, np.round(band).astype(np.int32), 255 * rng.uniform(0.15, 0.6))
    dark = np.asarray(cv2.GaussianBlur(dark, (0, 0), rng.uniform(0.6, 12)), np.uint8)
    keep = 255 - np.asarray(cv2.resize(dark, (width, height)), np.uint8)
    cv2.multiply(frame, cv2.cvtColor(keep, cv2.COLOR_GRAY2BGR), frame, 1 / 255)
