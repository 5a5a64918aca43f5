"""What the nets that find a board are shown: small pictures bent, wrongly guessed and spoiled. Needs no torch."""

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.canvas import (
    CANVAS,
    CELLS,
    GREY,
    STRIDE,
    WHOLE,
    canvas_to_picture,
    cut_canvas,
    fit_into,
    mapped_ahead,
)
from vision.board.finder import flipped
from vision.board.geometry import SURFACE_CORNERS, Coordinates, Frame

BUMP_CELLS: Final = 1.0
"""Standard deviation of the bump that marks a place."""


def opened(jpeg: npt.NDArray[np.generic], places: npt.NDArray[np.generic]) -> tuple[Frame, Coordinates]:
    """Return a stored picture and its places (7, 2)."""
    picture = cv2.imdecode(np.asarray(jpeg, np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(picture, np.uint8), np.asarray(places, np.float64)


def mirrored(rng: np.random.Generator, picture: Frame, places: Coordinates) -> tuple[Frame, Coordinates]:
    """Return a picture as it is or, as often, mirrored, with its places (6, 2)."""
    if rng.random() >= 0.5:
        return picture, places
    turned = places.copy()
    turned[:, 0] = picture.shape[1] - 1 - turned[:, 0]
    # Mirrored, the corners go round the other way: the names of the two sides are exchanged.
    return np.ascontiguousarray(picture[:, ::-1]), turned[[1, 0, 3, 2, 4, 5]]


def outline_sample(rng: np.random.Generator, whole: Frame, stored: Coordinates) -> tuple[Frame, Coordinates]:
    """Return a whole picture, bent and spoiled (160, 256, 3), and the maps that are true of it (4, 40, 64)."""
    half = cv2.resize(whole, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    places = (stored[:6] + 0.5) / 2 - 0.5
    picture, places = mirrored(rng, _backed(rng, np.asarray(half, np.uint8), places), places)
    bent, places = _bent(rng, picture, places)
    rows, columns = np.mgrid[0 : WHOLE[1] // STRIDE, 0 : WHOLE[0] // STRIDE].astype(np.float64)
    cells = (places - (STRIDE - 1) / 2) / STRIDE
    bumps = [np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * BUMP_CELLS**2)) for x, y in cells]
    surface = np.zeros(rows.shape, np.uint8)
    cv2.fillConvexPoly(surface, np.round(cells[:4] * 16).astype(np.int32), 1.0, shift=4)
    pairs = [bumps[0] + bumps[2], bumps[1] + bumps[3], bumps[4] + bumps[5]]
    return spoiled(rng, bent), np.stack([*pairs, surface])


def _bent(rng: np.random.Generator, picture: Frame, places: Coordinates) -> tuple[Frame, Coordinates]:
    width, height = WHOLE
    fitted, scale, shift = fit_into(picture, WHOLE)
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    middle = frame.mean(0)
    turn = float(rng.uniform(-180, 180) if rng.random() < 0.3 else rng.normal(0, 10))
    turned = cv2.getRotationMatrix2D((0.0, 0.0), turn, float(np.exp(rng.normal(0.05, 0.2))))[:, :2]
    target = (frame - middle) @ turned.T.astype(np.float32) + middle
    target += rng.normal(0, 8, (4, 2)).astype(np.float32) + rng.normal(0, 8, 2).astype(np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(frame, target.astype(np.float32)), np.float64)
    border = cv2.BORDER_REPLICATE if rng.random() < 0.3 else cv2.BORDER_CONSTANT
    filling = tuple(rng.uniform(0, 255, 3)) if rng.random() < 0.5 else (GREY,) * 3
    bent = cv2.warpPerspective(fitted, matrix, WHOLE, borderMode=border, borderValue=filling)
    return np.asarray(bent, np.uint8), mapped_ahead(matrix, (places + 0.5) * scale - 0.5 + shift)


def canvas_sample(rng: np.random.Generator, whole: Frame, stored: Coordinates) -> tuple[Frame, Coordinates] | None:
    """Return the canvas of wrongly guessed corners (240, 288, 3) and odds (8, cells + 1) of the true places.

    None where the guess is no outline at all.
    """
    picture, places = mirrored(rng, whole, stored[:6])
    half_bar = float(stored[6, 0])
    guess, turned = guessed(rng, places[:4])
    ring = guess.astype(np.float32)
    if not cv2.isContourConvex(ring):
        return None
    spots = np.vstack([places[:4], bar_corners(places, half_bar)])
    seen = mapped_ahead(np.linalg.inv(canvas_to_picture(ring)), spots)
    # Half a turn more or less is no difference: the names nearer to the guess are the right ones.
    nominal = mapped_ahead(np.linalg.inv(canvas_to_picture(ring)), ring)
    if np.isfinite(seen).all() and (np.linalg.norm(seen[:4] - nominal) > np.linalg.norm(seen[[2, 3, 0, 1]] - nominal)):
        seen = seen[[2, 3, 0, 1, 6, 7, 4, 5]]
    canvas = cut_canvas(picture, ring)
    odds = np.stack([_odds_of(np.array([np.inf, np.inf]) if turned else spot) for spot in seen])
    flips = rng.random(2) < 0.5
    if flips[0]:
        canvas, odds = canvas[:, ::-1], flipped(odds, across=True)
    if flips[1]:
        canvas, odds = canvas[::-1], flipped(odds, across=False)
    return spoiled(rng, np.ascontiguousarray(canvas)), odds


def bar_corners(places: Coordinates, half_bar: float) -> Coordinates:
    """The bar's corners (4, 2), pixels: near p1's side, near p12's, far p13's, far p24's."""
    surface = np.asarray(cv2.getPerspectiveTransform(SURFACE_CORNERS, places[:4].astype(np.float32)), np.float64)
    return mapped_ahead(surface, [(0.5 + half_bar, 0), (0.5 - half_bar, 0), (0.5 - half_bar, 1), (0.5 + half_bar, 1)])


def guessed(rng: np.random.Generator, corners: Coordinates) -> tuple[Coordinates, bool]:
    """Return a wrong guess of corners (4, 2), and whether it lies a quarter turn off."""
    kind = rng.random()
    width = float(np.linalg.norm(corners[0] - corners[1]))
    noise = rng.normal(0, rng.uniform(0.001, 0.035) * width, (4, 2))
    if kind < 0.5:
        return corners + noise, False
    if kind < 0.58:
        return np.roll(corners, int(rng.choice((1, -1))), 0) + noise, True
    # Trays taken for a part of the surface, a rim, one half alone: the surface's sides moved in and out.
    reach = 0.25 if kind < 0.92 else 0.6
    left, right = rng.uniform(-0.06, reach, 2) * (rng.random(2) < 0.6)
    near, far = rng.normal(0, 0.06, 2) * (rng.random(2) < 0.5)
    if kind >= 0.92:
        left, right = -left, 0.0
    surface = np.asarray(cv2.getPerspectiveTransform(SURFACE_CORNERS, corners.astype(np.float32)), np.float64)
    moved = mapped_ahead(surface, [(1 + right, -near), (-left, -near), (-left, 1 + far), (1 + right, 1 + far)])
    return (moved if np.isfinite(moved).all() else corners) + 0.5 * noise, False


def _odds_of(spot: Coordinates) -> Coordinates:
    """Odds (cells + 1,) of a place in canvas pixels; all on the last where it lies outside."""
    odds = np.zeros(CELLS[0] * CELLS[1] + 1)
    if not (np.isfinite(spot).all() and (spot >= 0).all() and (spot <= np.array(CANVAS) - 1).all()):
        odds[-1] = 1
        return odds
    rows, columns = np.mgrid[0 : CELLS[0], 0 : CELLS[1]]
    x, y = (spot - (STRIDE - 1) / 2) / STRIDE
    bump = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * BUMP_CELLS**2))
    odds[:-1] = (bump / bump.sum()).ravel()
    return odds


def _backed(rng: np.random.Generator, picture: Frame, places: Coordinates) -> Frame:
    """Fill what a traced picture leaves black beyond its table."""
    outside = np.ones(picture.shape[:2], np.uint8)
    middle = places[:4].mean(0)
    cv2.fillConvexPoly(outside, np.round(middle + 1.7 * (places[:4] - middle)).astype(np.int32), 0.0)
    empty = (picture.max(2) < 14) & (outside > 0)
    if empty.mean() < 0.03 or rng.random() < 0.25:
        return picture
    cells = rng.uniform(0, 255, (int(rng.integers(2, 9)), int(rng.integers(2, 9)), 3)).astype(np.float32)
    kind = cv2.INTER_NEAREST if rng.random() < 0.3 else cv2.INTER_CUBIC
    ground = cv2.resize(cells, (picture.shape[1], picture.shape[0]), interpolation=kind)
    contrast = rng.uniform(0, 1)
    ground = np.clip(ground * contrast + rng.uniform(0, 255, 3) * (1 - contrast), 0, 255)
    return np.where(empty[..., None], ground, picture).astype(np.uint8)


def spoiled(rng: np.random.Generator, picture: Frame) -> Frame:
    """Cover, recolour, blur and roughen a picture."""
    picture = picture.copy()
    for _ in range(int(rng.poisson(0.6))):
        middle = (int(rng.integers(picture.shape[1])), int(rng.integers(picture.shape[0])))
        size = (int(rng.uniform(4, 45)), int(rng.uniform(4, 45)))
        colour = tuple(rng.uniform(0, 255, 3))
        if rng.random() < 0.5:
            cv2.ellipse(picture, middle, size, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)
        else:
            cv2.rectangle(picture, middle, (middle[0] + size[0], middle[1] + size[1]), colour, -1)
    if rng.random() < 0.25:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.4, 1.3))), np.uint8)
    if rng.random() < 0.15:
        grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        share = float(rng.uniform(0.3, 1.0))
        picture = np.asarray(cv2.addWeighted(grey, share, picture, 1 - share, 0.0), np.uint8)
    # Gain and gamma of each channel, as a table.
    gain = np.exp(rng.normal(0, 0.1, 3) + rng.normal(0, 0.25))
    steps = np.clip(np.arange(256)[:, None] * gain, 0, 255) / 255
    table = (255 * steps ** float(np.exp(rng.normal(0, 0.2)))).astype(np.uint8)
    recoloured = cv2.LUT(picture, table[None])
    noise = rng.standard_normal(picture.shape[:2], np.float32) * np.float32(rng.uniform(0, 6))
    return np.clip(recoloured + noise[..., None], 0, 255).astype(np.uint8)
