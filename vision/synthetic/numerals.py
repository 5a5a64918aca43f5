"""Numerals as they stand on doubling cubes: written with a pen along the digits' strokes, in any number of hands.

Fonts have licences and cannot be shipped; a pen's width, slant and contrast and a digit's proportions make as many.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.inference import Floats

Stroke = npt.NDArray[np.float64]
"""Points (n, 2) along a stroke; a digit fills 0..1 both ways, y down."""

FINE: Final = 4
"""Numerals are drawn so many times larger and shrunk."""
STROKE_POINTS: Final = 22
HERSHEY: Final = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)


@dataclass(frozen=True, slots=True)
class Handwriting:
    """How numerals are written. Fractions are of a digit's height."""

    width: float = 0.62
    pen: float = 0.15
    """Width of the broad stroke."""
    contrast: float = 1.0
    """Broad stroke over fine one."""
    pen_rad: float = 0.3
    """Direction of the pen's broad side."""
    slant: float = 0.0
    square: float = 2.0
    """Exponent of the bowls' superellipse: 2 round, 5 nearly boxes."""
    gap: float = 0.16
    """Between two digits."""
    narrow: float = 1.0
    """How much narrower digits are where there are two."""
    serifs: bool = False
    flagged: bool = True
    """Whether the 1 has a flag; without one it is a bar."""
    open_four: bool = False
    straight_six: bool = False
    flat_three: bool = False
    stock: int | None = None
    """One of OpenCV's own fonts instead, by its place in ``HERSHEY``."""


def random_hand(rng: np.random.Generator) -> Handwriting:
    """Draw a hand: sans and serif, thin and fat, upright and slanted, round and square."""
    fat = float(rng.choice([rng.uniform(0.07, 0.13), rng.uniform(0.12, 0.24)], p=[0.4, 0.6]))
    return Handwriting(
        width=float(rng.uniform(0.48, 0.85)),
        pen=fat,
        contrast=float(rng.choice([1.0, rng.uniform(1.2, 4.0)], p=[0.5, 0.5])),
        pen_rad=float(rng.normal(0.25, 0.3)),
        slant=float(rng.choice([0.0, rng.uniform(-0.05, 0.3)], p=[0.65, 0.35])),
        square=float(rng.choice([2.0, rng.uniform(2.0, 5.0)], p=[0.6, 0.4])),
        gap=float(rng.uniform(0.05, 0.25)),
        narrow=float(rng.uniform(0.65, 1.0)),
        serifs=bool(rng.random() < 0.4),
        flagged=bool(rng.random() < 0.8),
        open_four=bool(rng.random() < 0.3),
        straight_six=bool(rng.random() < 0.3),
        flat_three=bool(rng.random() < 0.25),
        stock=int(rng.integers(len(HERSHEY))) if rng.random() < 0.3 else None,
    )


def numeral(text: str, hand: Handwriting, size_px: int, share: float) -> Floats:
    """Ink (size_px, size_px), 0..1, of a number in the middle of a square, or of letters as logos have them.

    ``share`` is the height of a single digit in sides of the square; what is too wide then is made smaller.
    """
    if not text:
        return np.zeros((size_px, size_px), np.float32)
    written = hand.stock is None and text.isdigit()
    drawn = _written(text, hand, size_px * FINE, share) if written else _stock(text, hand, size_px * FINE, share)
    return np.asarray(cv2.resize(drawn, (size_px, size_px), interpolation=cv2.INTER_AREA), np.float32) / np.float32(255)


def _stock(text: str, hand: Handwriting, side: int, share: float) -> npt.NDArray[np.uint8]:
    font = HERSHEY[hand.stock or 0]
    (wide, high), _ = cv2.getTextSize(text, font, 10.0, 1)
    scale = 10.0 * side * min(share / high, 0.82 / wide)
    thick = max(1, round(0.6 * hand.pen * share * side))
    (wide, high), _ = cv2.getTextSize(text, font, scale, thick)
    drawn = np.zeros((side, side), np.uint8)
    at = round((side - wide) / 2), round((side + high) / 2)
    cv2.putText(drawn, text, at, font, scale, (255,), thick, cv2.LINE_AA)
    return drawn


def _written(text: str, hand: Handwriting, side: int, share: float) -> npt.NDArray[np.uint8]:
    wide = hand.width * (hand.narrow if len(text) > 1 else 1.0)
    across = len(text) * wide + (len(text) - 1) * (hand.gap + hand.pen) + hand.pen
    high = side * min(share, 0.86 / across)
    drawn = np.zeros((side, side), np.uint8)
    for place, digit in enumerate(text):
        left = place * (wide + hand.gap + hand.pen) + hand.pen / 2 - across / 2
        for stroke in _strokes(digit, hand):
            x = left + stroke[:, 0] * wide + hand.slant * (0.5 - stroke[:, 1])
            y = (stroke[:, 1] - 0.5) * (1 - hand.pen / hand.contrast)
            _sweep(drawn, np.stack([x, y], 1) * high + side / 2, hand, high)
    return drawn


def _sweep(drawn: npt.NDArray[np.uint8], points: Stroke, hand: Handwriting, high: float) -> None:
    """Draw the pen along a stroke, pixels."""
    turn = np.linspace(0, 2 * np.pi, 14, endpoint=False)
    pen = np.stack([np.cos(turn), np.sin(turn) / hand.contrast], 1) * hand.pen * high / 2
    cosine, sine = np.cos(hand.pen_rad), np.sin(hand.pen_rad)
    pen = pen @ np.array([[cosine, -sine], [sine, cosine]])
    for here, there in itertools.pairwise(points):
        hull = cv2.convexHull(np.vstack([pen + here, pen + there]).astype(np.float32))
        cv2.fillConvexPoly(drawn, np.round(hull).astype(np.int32), (255,), cv2.LINE_AA)


def _line(*points: tuple[float, float]) -> Stroke:
    return np.array(points, np.float64)


def _bowl(middle: tuple[float, float], reach: tuple[float, float], turn: tuple[float, float], square: float) -> Stroke:
    """Part of a superellipse; angles in degrees, 0 to the right, growing clockwise."""
    angle = np.radians(np.linspace(*turn, STROKE_POINTS))
    x, y = np.cos(angle), np.sin(angle)
    power = 2 / square
    x, y = np.sign(x) * np.abs(x) ** power, np.sign(y) * np.abs(y) ** power
    return np.stack([middle[0] + reach[0] * x, middle[1] + reach[1] * y], 1)


def _bend(first: tuple[float, float], pull: tuple[float, float], last: tuple[float, float]) -> Stroke:
    """Draw a quadratic Bezier curve."""
    t = np.linspace(0, 1, STROKE_POINTS // 2)[:, None]
    ends = (1 - t) ** 2 * np.array(first) + t**2 * np.array(last)
    return np.asarray(ends + 2 * t * (1 - t) * np.array(pull))


def _strokes(digit: str, hand: Handwriting) -> list[Stroke]:
    """Strokes of a digit that occurs on cubes.

    Raises ValueError for any other.
    """
    square = hand.square
    match digit:
        case "1":
            strokes = [_line((0.52, 0), (0.52, 1))]
            strokes += [_line((0.52, 0), (0.18, 0.2))] if hand.flagged else []
            return strokes + ([_line((0.2, 1), (0.84, 1))] if hand.serifs else [])
        case "2":
            bowl = _bowl((0.5, 0.29), (0.44, 0.29), (188, 385), square)
            tail = _bend((float(bowl[-1, 0]), float(bowl[-1, 1])), (0.78, 0.62), (0.04, 1.0))
            hook = [_line((0.98, 1.0), (0.98, 0.86))] if hand.serifs else []
            return [bowl, tail, _line((0.04, 1), (0.98, 1)), *hook]
        case "3":
            lower = _bowl((0.47, 0.72), (0.46, 0.28), (-80, 168), square)
            if hand.flat_three:
                return [_line((0.08, 0), (0.9, 0), (0.5, 0.43)), lower]
            return [_bowl((0.47, 0.23), (0.4, 0.23), (192, 445), square), lower]
        case "4":
            stem = 0.72
            top = 0.34 if hand.open_four else 0.0
            apex = 0.5 if hand.open_four else stem
            foot = [_line((stem - 0.22, 1), (stem + 0.22, 1))] if hand.serifs else []
            return [_line((apex, 0), (0.02, 0.7), (1, 0.7)), _line((stem, top), (stem, 1)), *foot]
        case "6":
            bowl = _bowl((0.5, 0.67), (0.45, 0.33), (0, 360), square)
            if hand.straight_six:
                return [bowl, _line((0.72, 0), (0.1, 0.54))]
            return [bowl, _bend((0.86, 0.05), (0.08, -0.12), (0.05, 0.67))]
        case "8":
            upper = _bowl((0.5, 0.24), (0.38, 0.24), (0, 360), square)
            return [upper, _bowl((0.5, 0.73), (0.46, 0.27), (0, 360), square)]
        case _:
            msg = f"cubes show the digits 1, 2, 3, 4, 6 and 8, got {digit!r}"
            raise ValueError(msg)
