"""Painted materials: wood, felt, leather, stone, cloth. All return float32 pictures, BGR 0..255."""

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.float32]
"""Shape (height, width, 3), BGR 0..255; may run a little outside until it is clipped."""
Colour = tuple[float, float, float]
"""BGR, 0..255."""

WOODS: Final[tuple[Colour, ...]] = (
    (60, 105, 165),
    (35, 55, 95),
    (120, 175, 220),
    (28, 38, 60),
    (90, 140, 195),
    (50, 80, 130),
    (140, 185, 215),
    (45, 60, 120),
)


def noise(rng: np.random.Generator, size: tuple[int, int], cell: tuple[float, float]) -> npt.NDArray[np.float32]:
    """Smooth noise of mean 0 and spread about 1; ``size`` and ``cell`` (of a lump) are (height, width), pixels."""
    rows, columns = (max(2, int(np.ceil(extent / lump)) + 1) for extent, lump in zip(size, cell, strict=True))
    coarse = rng.standard_normal((rows, columns), dtype=np.float32)
    return np.asarray(cv2.resize(coarse, (size[1], size[0]), interpolation=cv2.INTER_CUBIC), np.float32)


def plain(size: tuple[int, int], colour: Colour) -> Picture:
    """One colour."""
    return np.full((*size, 3), colour, np.float32)


def wood(rng: np.random.Generator, size: tuple[int, int], colour: Colour, strength: float = 1.0) -> Picture:
    """Grain along the picture's longer side, with slow waves and fine pores."""
    flat = size if size[1] >= size[0] else (size[1], size[0])
    long_grain = noise(rng, flat, (rng.uniform(2, 9), rng.uniform(120, 400)))
    waves = np.sin(6 * noise(rng, flat, (rng.uniform(40, 150), rng.uniform(200, 700))) + 2 * long_grain)
    pores = noise(rng, flat, (1.5, rng.uniform(15, 60)))
    shade = 0.08 * long_grain + 0.06 * waves + 0.05 * pores
    if flat != size:
        shade = np.ascontiguousarray(shade.T)
    tint = np.array((1.15, 1.0, 0.85), np.float32)
    return np.asarray(np.array(colour, np.float32) * (1 + strength * shade[..., None] * tint), np.float32)


def felt(rng: np.random.Generator, size: tuple[int, int], colour: Colour) -> Picture:
    """Short fibres and slow stains."""
    fibres = noise(rng, size, (1.2, 1.2)) * rng.uniform(0.01, 0.1) + noise(rng, size, (60, 60)) * rng.uniform(0, 0.04)
    return np.asarray(np.array(colour, np.float32) * (1 + fibres[..., None]), np.float32)


def leather(rng: np.random.Generator, size: tuple[int, int], colour: Colour) -> Picture:
    """Fine lumps with darker creases."""
    lumps = noise(rng, size, (3, 3)) + 0.7 * noise(rng, size, (7, 7))
    shade = rng.uniform(0.02, 0.09) * lumps - rng.uniform(0, 0.08) * (np.abs(noise(rng, size, (10, 10))) < 0.08)
    return np.asarray(np.array(colour, np.float32) * (1 + shade[..., None]), np.float32)


def stone(rng: np.random.Generator, size: tuple[int, int], colour: Colour) -> Picture:
    """Marble: clouds and thin veins."""
    clouds = noise(rng, size, (90, 90)) + 0.5 * noise(rng, size, (30, 30))
    veins = np.exp(-((noise(rng, size, (70, 110)) * rng.uniform(8, 20)) ** 2))
    shade = 0.06 * clouds + rng.uniform(-0.25, 0.25) * veins
    return np.asarray(np.array(colour, np.float32) * (1 + shade[..., None]), np.float32)


def cloth(rng: np.random.Generator, size: tuple[int, int], colour: Colour, other: Colour) -> Picture:
    """Weave a checked or striped table cloth."""
    period = rng.uniform(25, 120)
    rows = (np.arange(size[0])[:, None] / period) % 1 < 0.5
    columns = (np.arange(size[1])[None, :] / period) % 1 < 0.5
    amount = 0.5 * (rows * 1.0 + columns * 1.0) if rng.random() < 0.7 else columns * np.ones_like(rows)
    weave = 1 + 0.05 * noise(rng, size, (1.5, 1.5))
    first, second = np.array(colour, np.float32), np.array(other, np.float32)
    return np.asarray((first + (second - first) * amount[..., None]) * weave[..., None], np.float32)


def any_colour(rng: np.random.Generator) -> Colour:
    """Any colour a maker might paint: from grey to vivid, from dark to light."""
    hue, saturation = rng.uniform(0, 180), 255 * rng.beta(0.9, 1.1)
    value = 255 * (0.06 + 0.92 * rng.beta(1.3, 1.1))
    pixel = cv2.cvtColor(np.array([[[hue, saturation, value]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    return float(pixel[0]), float(pixel[1]), float(pixel[2])


def near(rng: np.random.Generator, colour: Colour, spread: float) -> Colour:
    """Return a colour close to another one."""
    blue, green, red = np.clip(np.array(colour) * (1 + rng.normal(0, spread)) + rng.normal(0, 40 * spread, 3), 4, 252)
    return float(blue), float(green), float(red)


def wood_colour(rng: np.random.Generator) -> Colour:
    """Pick a stained or natural wood."""
    return near(rng, WOODS[rng.integers(len(WOODS))], 0.2)


def any_material(rng: np.random.Generator, size: tuple[int, int], colour: Colour | None = None) -> Picture:
    """Make some material, of the given colour or of one that suits it."""
    kind = rng.choice(["wood", "felt", "leather", "stone", "plain"], p=[0.4, 0.25, 0.15, 0.05, 0.15])
    if kind == "wood":
        return wood(rng, size, colour or wood_colour(rng), rng.uniform(0.3, 1.8))
    chosen = colour or any_colour(rng)
    if kind == "felt":
        return felt(rng, size, chosen)
    if kind == "leather":
        return leather(rng, size, chosen)
    if kind == "stone":
        return stone(rng, size, chosen)
    return plain(size, chosen)
