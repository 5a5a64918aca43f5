"""The six faces of a doubling cube: numerals printed or engraved, bare or on a disc, a panel or in a frame."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.inference import Floats
from vision.synthetic.numerals import Handwriting, numeral

Colour = tuple[int, int, int]
"""BGR, 0..255."""
Ground = Literal["none", "disc", "panel", "frame", "ring"]

FACE_PX: Final = 80


@dataclass(frozen=True, slots=True)
class Lettering:
    """How the numbers stand on a cube's faces. Fractions are of a face's side."""

    hand: Handwriting = field(default_factory=lambda: Handwriting(stock=1))
    share: float = 0.58
    """Height of a single digit."""
    ground: Ground = "none"
    """What is painted under or round the numbers."""
    ground_colour: Colour = (40, 40, 160)
    ground_share: float = 0.8
    depth: float = 0.0
    """Of the numbers, cut in; 0 = printed flat."""
    shift: float = 0.0
    """How far the numbers stand out of the middle, in any direction."""


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """Pictures of the faces of the values 1..6 of a die's body: what a ray or a texture looks up."""

    colours: npt.NDArray[np.uint8]
    """Shape (6, FACE_PX, FACE_PX, 3), BGR."""
    depth: Floats
    """Shape (6, FACE_PX, FACE_PX), sides of a face."""


@lru_cache(maxsize=64)
def paint_faces(texts: tuple[str, ...], lettering: Lettering, body: Colour, ink: Colour) -> Faces:
    """Paint the faces with their six texts, "" for a blank one."""
    painted = _ground(lettering)[..., None]
    ground = np.asarray(body, np.float32) * (1 - painted) + np.asarray(lettering.ground_colour, np.float32) * painted
    colours, depths = [], []
    for number, text in enumerate(texts):
        written = numeral(text, lettering.hand, FACE_PX, lettering.share)
        turn = 2.4 * number
        away = lettering.shift * FACE_PX * np.array([np.cos(turn), np.sin(turn)])
        move = np.array([[1, 0, away[0]], [0, 1, away[1]]], np.float32)
        written = np.asarray(cv2.warpAffine(written, move, (FACE_PX, FACE_PX)), np.float32)
        colours.append(ground * (1 - written[..., None]) + np.asarray(ink, np.float32) * written[..., None])
        depths.append(lettering.depth * cv2.GaussianBlur(written, (0, 0), 1.2))
    return Faces(np.asarray(colours).astype(np.uint8), np.asarray(depths, np.float32))


def _ground(lettering: Lettering) -> Floats:
    """Where the painted ground is, 0..1, shape (FACE_PX, FACE_PX)."""
    mask = np.zeros((FACE_PX, FACE_PX), np.uint8)
    middle, reach = FACE_PX // 2, round(lettering.ground_share * FACE_PX / 2)
    low, high = middle - reach, middle + reach
    thick = max(2, round(0.05 * FACE_PX))
    match lettering.ground:
        case "disc":
            cv2.circle(mask, (middle, middle), reach, (255,), -1, cv2.LINE_AA)
        case "ring":
            cv2.circle(mask, (middle, middle), reach, (255,), thick, cv2.LINE_AA)
        case "panel":
            cv2.rectangle(mask, (low, low), (high, high), (255,), -1)
        case "frame":
            cv2.rectangle(mask, (low, low), (high, high), (255,), thick)
        case "none":
            pass
    return np.asarray(mask, np.float32) / np.float32(255)
