"""Draws a reading into its picture: what was read where, and how surely, at a glance."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.board.geometry import CORNER_NAMES, BoardPose, Frame
from vision.readings import BoardReading, CubeReading, DieReading, DieState, PlaceReading

Colour = tuple[float, float, float]
SURE: Final = 0.99
LIKELY: Final = 0.9
GREEN: Final[Colour] = (90, 200, 60)
AMBER: Final[Colour] = (40, 180, 250)
RED: Final[Colour] = (60, 60, 235)
GREY: Final[Colour] = (150, 150, 150)
LIGHT_INK: Final[Colour] = (255, 255, 255)
DARK_INK: Final[Colour] = (15, 15, 15)
_NEAREST_LABEL: Final = 0.045
"""How far outside the rim a label stands, in depths of the surface."""
_OFF_LABEL: Final = 0.05
"""How far from the surface the number of borne-off checkers stands, in widths of it."""
_LABEL_INSIDE: Final = 0.12
"""How far from its corner towards the middle a corner's name stands."""


def annotate(
    frame: Frame,
    pose: BoardPose,
    board: BoardReading,
    dice: Sequence[DieReading] = (),
    cube: CubeReading | None = None,
) -> Frame:
    """Return a copy of the picture with every place's count, every die's face and the cube's number.

    A label is filled white for the lighter set, black for the darker; its frame is green from 99 %, amber from 90 %,
    red below (with the second best count beside it), grey with "?" where something covers the place.
    """
    picture = frame.copy()
    size = max(0.35, pose.checker_px / 70)
    outline = np.round(pose.corners).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(picture, [outline], True, AMBER, max(1, round(size * 2)), cv2.LINE_AA)  # noqa: FBT003 - OpenCV's own signature
    for number, place in enumerate(board.points, 1):
        v = -_NEAREST_LABEL if number <= 12 else 1 + _NEAREST_LABEL
        _label(picture, pose, (pose.shape.middle(number), v), place, size)
    middle = sum(pose.shape.bar) / 2
    for place, v in ((board.bar_light, 0.46), (board.bar_dark, 0.54)):
        if place.count or place.hidden or place.certainty < SURE:
            _label(picture, pose, (middle, v), place, size)
    for place, v in ((board.off_light, 0.46), (board.off_dark, 0.54)):
        if place.count and not place.hidden:
            _label(picture, pose, (1 + _OFF_LABEL, v), place, size)
    for die in dice:
        _die(picture, die, size)
    if cube is not None:
        _cube(picture, cube, size)
    return picture


def name_corners(frame: Frame, pose: BoardPose) -> Frame:
    """Return a copy of the picture with the board's outline, its bar, and at each corner the point that lies there."""
    picture = frame.copy()
    size = max(0.5, pose.checker_px / 50)
    left, right = pose.shape.bar
    for ring in (((0, 0), (1, 0), (1, 1), (0, 1)), ((left, 0), (right, 0), (right, 1), (left, 1))):
        outline = np.round(pose.to_picture(ring)).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(picture, [outline], True, AMBER, max(1, round(size)), cv2.LINE_AA)  # noqa: FBT003 - OpenCV's own signature
    centre = pose.corners.mean(0)
    for name, corner in zip(CORNER_NAMES, pose.corners, strict=True):
        x, y = (round(float(part)) for part in corner)
        cv2.circle(picture, (x, y), max(3, round(4 * size)), RED, -1, cv2.LINE_AA)
        label = corner + _LABEL_INSIDE * (centre - corner)
        _box(picture, (float(label[0]), float(label[1])), name, size, (RED, LIGHT_INK, DARK_INK))
    return picture


def colour_of(certainty: float, *, hidden: bool = False) -> Colour:
    """Return the colour that stands for a certainty."""
    if hidden:
        return GREY
    return GREEN if certainty >= SURE else AMBER if certainty >= LIKELY else RED


def _label(picture: Frame, pose: BoardPose, place: tuple[float, float], reading: PlaceReading, size: float) -> None:
    frame_colour = colour_of(reading.certainty, hidden=reading.hidden)
    x, y = pose.to_picture([place])[0]
    x, y = float(np.clip(x, 12, picture.shape[1] - 12)), float(np.clip(y, 12, picture.shape[0] - 12))
    if reading.hidden:
        _box(picture, (x, y), "?", size, (frame_colour, GREY, DARK_INK))
        return
    if reading.count == 0:
        cv2.circle(picture, (round(x), round(y)), max(2, round(4 * size)), frame_colour, -1, cv2.LINE_AA)
        if reading.certainty >= LIKELY:
            return
    fill, ink = (LIGHT_INK, DARK_INK) if reading.count > 0 else (DARK_INK, LIGHT_INK)
    text = str(abs(reading.count))
    if reading.certainty < LIKELY and len(reading.odds) > 1:
        second = reading.odds[1][0]
        text += f"/{abs(second)}" if second * reading.count >= 0 else f"/{second:+d}"
    _box(picture, (x, y), text, size, (frame_colour, fill, ink))


def _die(picture: Frame, die: DieReading, size: float) -> None:
    text = str(die.face) if die.state is DieState.FLAT else f"{die.face} {die.state.value}"
    _square(picture, (die.x_px, die.y_px), max(6.0, die.size_px), text, size, colour_of(max(die.faces)))


def _cube(picture: Frame, cube: CubeReading, size: float) -> None:
    """Frame the cube; where its number is not sure, a question mark stands for it."""
    certainty = cube.odds[0][1] if cube.value is not None else 0.0
    text = f"x{'?' if cube.value is None else cube.value}"
    _square(picture, (cube.x_px, cube.y_px), max(6.0, cube.size_px), text, size, colour_of(certainty))


def _square(
    picture: Frame, middle: tuple[float, float], side: float, text: str, size: float, frame_colour: Colour
) -> None:
    """Draw a frame round something of ``side`` pixels, with a label above it."""
    x, y = middle
    corner = round(x - side * 0.8), round(y - side * 0.8)
    opposite = round(x + side * 0.8), round(y + side * 0.8)
    cv2.rectangle(picture, corner, opposite, frame_colour, max(1, round(2 * size)), cv2.LINE_AA)
    _box(picture, (x, y - side * 1.4), text, size, (frame_colour, LIGHT_INK, DARK_INK))


def _box(
    picture: Frame, middle: tuple[float, float], text: str, size: float, colours: tuple[Colour, Colour, Colour]
) -> None:
    """Draw text in a filled box; colours of frame, fill and ink."""
    thickness = max(1, round(1.6 * size))
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.8 * size, thickness)
    left, top = round(middle[0] - width / 2), round(middle[1] - height / 2)
    pad = round(5 * size) + 1
    corners = (left - pad, top - pad), (left + width + pad, top + height + pad)
    cv2.rectangle(picture, *corners, colours[1], -1)
    cv2.rectangle(picture, *corners, colours[0], max(2, round(3 * size)), cv2.LINE_AA)
    cv2.putText(
        picture, text, (left, top + height), cv2.FONT_HERSHEY_SIMPLEX, 0.8 * size, colours[2], thickness, cv2.LINE_AA
    )
