"""Paints a board: the surface seen from above, then the box around it as the camera sees it."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import Frame
from vision.synthetic import texture
from vision.synthetic.areas import REACH_M, SIDES, Area, Wall, draw_wall, lay, seen_through, sink
from vision.synthetic.dice_shape import Camera
from vision.synthetic.fittings import SCREWED, paint_bar, screw_rim
from vision.synthetic.style import BoardDims, BoardPaint, Light, Style
from vision.synthetic.texture import Picture
from vision.synthetic.trays import sink_trays
from vision.synthetic.viewpoint import outer_corners, plane_to_picture, to_pixels

CANVAS_PX: Final = 1000
"""Width of the surface's canvas; its height follows from the board."""
_SIXTEENTHS: Final = 4
"""Sub-pixel bits of OpenCV's polygon drawing."""


@dataclass(frozen=True, slots=True, eq=False)
class EmptyBoard:
    """The board as it stands before any checker lies on it.

    ``under`` is drawn first; ``over`` (near rims) covers the checkers where ``over_mask`` is set; ``bar`` covers
    the checkers of the far half where ``bar_mask`` is set. Masks are None where nothing can be covered.
    """

    under: Frame
    over_mask: npt.NDArray[np.bool_] | None
    bar_mask: npt.NDArray[np.bool_] | None
    bar_picture: Frame | None
    trays: dict[int, npt.NDArray[np.bool_]]
    """Of each end with a tray: the pixels in which what lies in it can be seen."""


def paint_surface(dims: BoardDims, look: BoardPaint) -> Frame:
    """Return the playing surface from above, p24 top right, CANVAS_PX wide."""
    rng = np.random.default_rng(look.seed)
    scale = CANVAS_PX / (2 * dims.half_width)
    size = (round(2 * dims.half_depth * scale), CANVAS_PX)
    field: npt.NDArray[np.floating] = _material(rng, look, size, look.field)
    mask = np.zeros((2, *size), np.uint8)
    carved = np.zeros(size, np.uint8)
    for point in range(1, 25):
        _paint_point(rng, look, mask[point % 2], carved, _point_box(dims, point, scale, size))
    for layer, colour in zip(mask, (look.first, look.second), strict=True):
        inlay = _material(rng, look, size, colour)
        share = layer[..., None].astype(np.float32) / 255
        field = field * (1 - share) + inlay * share
    if look.form in {"outline", "carved"}:
        groove = cv2.GaussianBlur(carved, (0, 0), 0.8)[..., None].astype(np.float32) / 255
        field = field * (1 - groove * rng.uniform(0.3, 0.8)) + groove * rng.choice([0.0, rng.uniform(0, 60)])
    canvas = np.ascontiguousarray(np.clip(field, 0, 255).astype(np.uint8))
    _ornaments(rng, dims, look, canvas, scale)
    if dims.bar > 0:
        left, right = (round((dims.half_width + side * dims.bar / 2) * scale) for side in (-1, 1))
        if right > left:
            bar = _material(rng, look, (size[0], right - left), look.bar)
            canvas[:, left:right] = np.clip(bar, 0, 255).astype(np.uint8)
            paint_bar(rng, canvas[:, left:right])
    return canvas


def _material(rng: np.random.Generator, look: BoardPaint, size: tuple[int, int], colour: texture.Colour) -> Picture:
    match look.material:
        case "wood":
            return texture.wood(rng, size, colour, rng.uniform(0.4, 1.6))
        case "felt":
            return texture.felt(rng, size, colour)
        case "leather":
            return texture.leather(rng, size, colour)
        case "stone":
            return texture.stone(rng, size, colour)
        case _:
            return texture.plain(size, colour)


def _point_box(dims: BoardDims, point: int, scale: float, size: tuple[int, int]) -> tuple[float, float, float, float]:
    """Left, right, base and tip of a point, canvas pixels."""
    middle = (dims.column_x(point) + dims.half_width) * scale
    half = dims.pitch / 2 * scale
    base, tip = (size[0], size[0] - dims.point_length * scale) if point <= 12 else (0.0, dims.point_length * scale)
    return middle - half, middle + half, base, tip


def _paint_point(
    rng: np.random.Generator,
    look: BoardPaint,
    mask: npt.NDArray[np.uint8],
    carved: npt.NDArray[np.uint8],
    box: tuple[float, float, float, float],
) -> None:
    left, right, base, tip = box
    middle, width = (left + right) / 2, right - left
    slim, bend, half = 0.46 * width, base + 0.6 * (tip - base), (base + tip) / 2
    foot = [(middle - slim, base), (middle + slim, base)]
    triangle = [*foot, (middle, tip)]
    outlines = {
        "triangle": triangle,
        "lance": [*foot, (middle + 0.4 * slim, bend), (middle, tip), (middle - 0.4 * slim, bend)],
        "stripe": [*foot, (middle + slim, tip), (middle - slim, tip)],
        "diamond": [(middle, base), (middle + slim, half), (middle, tip), (middle - slim, half)],
    }
    if look.form in outlines:
        cv2.fillPoly(mask, [_sixteenths(outlines[look.form])], 255.0, cv2.LINE_AA, _SIXTEENTHS)
    if look.form in {"outline", "carved"}:
        thickness = 2 if look.form == "outline" else 1
        cv2.polylines(carved, [_sixteenths(triangle)], True, 255.0, thickness, cv2.LINE_AA, _SIXTEENTHS)  # noqa: FBT003 - OpenCV's own signature
    if look.form == "carved":
        for step in np.linspace(0.1, 0.85, 6):
            spot = (round(middle), round(base + step * (tip - base)))
            cv2.circle(carved, spot, max(1, round(0.28 * width * (1 - step))), 255.0, 1, cv2.LINE_AA)
        if rng.random() < 0.5:
            cv2.fillPoly(mask, [_sixteenths(triangle)], 255.0, cv2.LINE_AA, _SIXTEENTHS)


def _sixteenths(points: list[tuple[float, float]]) -> npt.NDArray[np.int32]:
    return np.round(np.array(points) * 16).astype(np.int32).reshape(-1, 1, 2)


def _ornaments(rng: np.random.Generator, dims: BoardDims, look: BoardPaint, canvas: Frame, scale: float) -> None:
    """Medallions, rules, scrolls, names and stains."""
    height, width = canvas.shape[:2]
    for half in (0.25, 0.75):
        if rng.random() < look.ornament:
            middle = (int(half * width), int(height * rng.uniform(0.46, 0.54)))
            radius = rng.uniform(0.3, 1.4) * dims.checker * scale
            _medallion(rng, canvas, middle, radius)
    for _ in range(int(rng.poisson(2.5 * look.ornament))):
        colour = tuple(texture.any_colour(rng))
        start = (int(rng.integers(width)), int(rng.integers(height)))
        kind = rng.random()
        if kind < 0.3:
            text = "".join(rng.choice(list("NARDYBACKGMON&CLUB23"), int(rng.integers(3, 9))))
            cv2.putText(canvas, text, start, int(rng.integers(0, 7)), rng.uniform(0.4, 1.6), colour, 2, cv2.LINE_AA)
        elif kind < 0.6:
            cv2.line(canvas, (start[0], 0), (start[0], height), colour, int(rng.integers(1, 5)), cv2.LINE_AA)
        elif kind < 0.8:
            cv2.line(canvas, (0, start[1]), (width, start[1]), colour, int(rng.integers(1, 8)), cv2.LINE_AA)
        else:
            _medallion(rng, canvas, start, rng.uniform(0.15, 0.6) * dims.checker * scale)
    if rng.random() < look.ornament:
        inset = int(rng.uniform(2, 14))
        border = tuple(texture.any_colour(rng))
        inner = [int((dims.half_width + side * dims.bar / 2) * scale) for side in (-1, 1)]
        for left, right in ((0, inner[0]), (inner[1], width)):
            corners = (left + inset, inset), (right - inset, height - inset)
            cv2.rectangle(canvas, *corners, border, int(rng.integers(1, 4)))


def _medallion(rng: np.random.Generator, canvas: Frame, middle: tuple[int, int], radius: float) -> None:
    colours = [tuple(texture.any_colour(rng)) for _ in range(2)]
    thickness = -1 if rng.random() < 0.4 else int(rng.integers(1, 4))
    petals = int(rng.integers(3, 13))
    cv2.circle(canvas, middle, max(2, int(radius)), colours[0], thickness, cv2.LINE_AA)
    for petal in range(petals):
        angle = 2 * np.pi * petal / petals
        spot = (int(middle[0] + 0.55 * radius * np.cos(angle)), int(middle[1] + 0.55 * radius * np.sin(angle)))
        if rng.random() < 0.5:
            cv2.circle(canvas, spot, max(1, int(0.35 * radius)), colours[1], thickness, cv2.LINE_AA)
        else:
            cv2.line(canvas, middle, spot, colours[1], 2, cv2.LINE_AA)


def table_picture(rng: np.random.Generator, style: Style) -> Frame:
    """Return a piece of table top, 700 x 700 pixels."""
    size = (700, 700)
    kind = rng.random()
    if kind < 0.45:
        return np.clip(texture.wood(rng, size, style.table, rng.uniform(0.3, 1.5)), 0, 255).astype(np.uint8)
    if kind < 0.6:
        return np.clip(texture.cloth(rng, size, style.table, texture.any_colour(rng)), 0, 255).astype(np.uint8)
    return np.clip(texture.any_material(rng, size, style.table), 0, 255).astype(np.uint8)


def set_stage(style: Style, camera: Camera, size: tuple[int, int], rng: np.random.Generator) -> EmptyBoard:
    """Draw table, box and empty surface; ``size`` is (width, height)."""
    dims, light = style.dims, style.light
    x, y, wide = dims.half_width, dims.half_depth, dims.rim_width
    floor = -float(rng.uniform(0.004, 0.02))
    around, field = Area(-3.0, 3.0, -3.0, 3.0), Area(-x, x, -y, y)
    to_table = plane_to_picture(camera, floor) @ around.spread((700, 700))
    table = table_picture(rng, style)
    ground = cv2.warpPerspective(table, to_table, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    level = light.ambient + 0.75 * light.diffuse
    picture: Frame = np.asarray(cv2.convertScaleAbs(ground, alpha=level), np.uint8)
    _cast_box_shadow(picture, camera, dims, light, floor)

    rim = np.clip(texture.wood(rng, (600, 600), style.board.rim, rng.uniform(0.2, 1.0)), 0, 255).astype(np.uint8)
    if rng.random() < SCREWED:
        screw_rim(rng, rim, (x / (x + wide), y / (y + wide)))
    box = Area(-dims.box_end(-1), dims.box_end(1), -y - wide, y + wide)
    for axis, sign in SIDES:
        side = Wall(axis, sign, *box.side(axis, sign), (floor, dims.rim_height))
        draw_wall(picture, camera, light, style.board.rim, side)
    lay(picture, np.asarray(cv2.convertScaleAbs(rim, alpha=level), np.uint8), camera, box, dims.rim_height)

    canvas = np.asarray(cv2.convertScaleAbs(paint_surface(dims, style.board), alpha=level), np.uint8)
    before = picture.copy()
    lay(picture, canvas, camera, field, 0.0)
    opening = sink(picture, camera, light, style.board.rim, field, (0.0, dims.rim_height))
    # Rims with their back to the camera stand in front of what lies inside: they are cut out of the opening.
    over = None
    if min(opening.right - x, -x - opening.left, opening.far - y, -y - opening.near) < REACH_M / 2:
        over = ~seen_through(camera, opening, dims.rim_height, size)
        picture[over] = before[over]
    trays = sink_trays(picture, style, camera, size, rng)
    bar_mask: npt.NDArray[np.bool_] | None = None
    bar_picture: Frame | None = None
    if dims.bar_height > 0.002 and dims.bar > 0.002:
        bar_picture = picture.copy()
        bar = Area(-dims.bar / 2, dims.bar / 2, -y, y)
        for sign in (1, -1):
            draw_wall(
                bar_picture, camera, light, style.board.bar, Wall(0, sign, *bar.side(0, sign), (0.0, dims.bar_height))
            )
        lay(bar_picture, canvas, camera, field, dims.bar_height, bar)
        solid = to_pixels(camera, np.vstack([bar.corners(dims.bar_height), bar.corners(0.0)]))
        outline = np.zeros(size[::-1], np.uint8)
        cv2.fillConvexPoly(
            outline, np.round(cv2.convexHull(solid.astype(np.float32)).reshape(-1, 2)).astype(np.int32), 255.0
        )
        bar_mask = outline > 0
        if over is not None:
            bar_mask &= ~over
        picture[bar_mask] = bar_picture[bar_mask]
    return EmptyBoard(picture, over, bar_mask, bar_picture, trays)


def _cast_box_shadow(picture: Frame, camera: Camera, dims: BoardDims, light: Light, floor: float) -> None:
    towards = np.array(light.direction) / np.linalg.norm(light.direction)
    drift = -towards[:2] / max(0.35, towards[2]) * (dims.rim_height - floor)
    corners = outer_corners(dims)
    corners[:, 2] = floor
    moved = corners + np.array([drift[0], drift[1], 0.0])
    hull = cv2.convexHull(to_pixels(camera, np.vstack([corners, moved])).astype(np.float32)).reshape(-1, 2)
    dark = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(dark, np.round(hull).astype(np.int32), 255 * light.shadow)
    dark = np.asarray(cv2.blur(dark, (9, 9)), np.uint8)
    picture[:] = (picture * (1 - dark[..., None].astype(np.float32) / 255)).astype(np.uint8)
