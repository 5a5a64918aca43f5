"""Paints what holds a box together: hinges, latches, screws. From above a screw's head looks much like a pip."""

from typing import Final

import cv2
import numpy as np

from vision.board.geometry import Frame
from vision.synthetic import texture

SCREWED: Final = 0.7
"""Share of hinges, and of boxes, with screws to be seen."""


def paint_bar(rng: np.random.Generator, strip: Frame) -> None:
    """Add hinges, a gap between two boxes or a groove along the bar."""
    height, width = strip.shape[:2]
    if width < 6:
        return
    if rng.random() < 0.5:
        cv2.line(strip, (width // 2, 0), (width // 2, height), (15, 15, 15), int(rng.integers(1, 4)), cv2.LINE_AA)
    if rng.random() < 0.5:
        colour = rng.choice([(60, 190, 215), (180, 185, 190), (40, 45, 50)])
        for share in (rng.uniform(0.1, 0.3), rng.uniform(0.7, 0.9)):
            half = int(height * rng.uniform(0.02, 0.05))
            middle, reach = int(share * height), int(width * rng.uniform(0.25, 0.5))
            corner = (width // 2 - reach, middle - half), (width // 2 + reach, middle + half)
            cv2.rectangle(strip, *corner, tuple(float(c) for c in colour), -1)
            if rng.random() < SCREWED:
                radius = float(rng.uniform(0.06, 0.14) * width)
                for x in (-0.55, 0.55):
                    for y in rng.choice([-0.6, 0.0, 0.6], int(rng.integers(1, 4)), replace=False):
                        _screw(rng, strip, (width / 2 + x * reach, middle + y * half), radius)


def _screw(rng: np.random.Generator, picture: Frame, middle: tuple[float, float], radius: float) -> None:
    """Paint a screw's or rivet's head: round, with a spot, a slot or a ring, much like a pip."""
    spot, size = (round(middle[0]), round(middle[1])), max(1, round(radius))
    level = float(rng.uniform(40, 245))
    other = level * 0.4 if level > 110 else min(255.0, 3 * level + 40)
    head, mark = texture.near(rng, (level, level, level), 0.05), texture.near(rng, (other, other, other), 0.05)
    cv2.circle(picture, spot, size, head, -1, cv2.LINE_AA)
    kind = rng.random()
    if kind < 0.35:
        cv2.circle(picture, spot, max(1, size // 3), mark, -1, cv2.LINE_AA)
    elif kind < 0.6:
        turn = rng.uniform(0, np.pi)
        reach = 0.8 * size * np.array([np.cos(turn), np.sin(turn)])
        ends = [tuple(int(v) for v in np.round(np.array(spot) + sign * reach)) for sign in (-1, 1)]
        cv2.line(picture, ends[0], ends[1], mark, max(1, size // 4), cv2.LINE_AA)
    if rng.random() < 0.7:
        cv2.circle(picture, spot, size, mark, 1, cv2.LINE_AA)


def screw_rim(rng: np.random.Generator, rim: Frame, share: tuple[float, float]) -> None:
    """Put latches and hinges with screws on a box's rim; ``share`` is the opening's part of its width and depth."""
    height, width = rim.shape[:2]
    for _ in range(int(rng.integers(1, 5))):
        along = rng.uniform(0.05, 0.95)
        if rng.random() < 0.5:
            x, y = (1 + share[0]) / 2 * width, along * height
            step = np.array([0.0, rng.uniform(0.01, 0.03) * height])
        else:
            x, y = along * width, (1 + share[1]) / 2 * height
            step = np.array([rng.uniform(0.01, 0.03) * width, 0.0])
        spot = np.array([x, y]) if rng.random() < 0.5 else np.array([width, height]) - (x, y)
        if rng.random() < 0.5:
            low, high = spot - 1.8 * step - 5, spot + 1.8 * step + 5
            plate = texture.near(rng, (128.0, 128.0, 128.0), 0.6)
            cv2.rectangle(rim, tuple(low.astype(int).tolist()), tuple(high.astype(int).tolist()), plate, -1)
        for sign in (-1, 1):
            at = spot + sign * step
            _screw(rng, rim, (float(at[0]), float(at[1])), float(rng.uniform(2, 5)))
