"""Small pieces of tables and boards on which dice lie: painted grounds, checkers, walls, cups, hands."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import Frame
from vision.inference import Floats
from vision.synthetic.dice_shape import Camera, project
from vision.synthetic.texture import Colour, Picture, any_colour, felt, near, noise, plain, wood, wood_colour

_WORDS = ("BACKGAMMON", "NARDY", "OPEN 2025", "R&R", "Club", "64", "31", "8", "16", "o o", "::", "* * *")


@dataclass(frozen=True, slots=True)
class Disc:
    """A checker: a short cylinder standing on ``z_m``. Metres, board frame."""

    x_m: float
    y_m: float
    z_m: float
    radius_m: float
    height_m: float
    top: Colour
    wall: Colour
    mark: Colour
    kind: str
    """plain, rings, dish, dots, star, word or spot."""

    @property
    def top_m(self) -> float:
        """Height of its upper face."""
        return self.z_m + self.height_m


@dataclass(frozen=True, slots=True)
class RaisedStrip:
    """A rim or bar: a straight raised strip across the picture, between two offsets along ``angle_rad``'s normal."""

    angle_rad: float
    near_m: float
    far_m: float
    height_m: float
    colour: Colour


def any_ground(rng: np.random.Generator) -> Colour:
    """Draw a colour that tables and boards have."""
    return wood_colour(rng) if rng.random() < 0.5 else any_colour(rng)


def paint_ground(rng: np.random.Generator, size_px: int, die_px: float) -> Frame:
    """Paint a square of board or table as seen from above; ``die_px`` is the size of a die at this scale."""
    size = (size_px, size_px)
    kind = rng.random()
    colour = any_ground(rng)
    if kind < 0.4:
        ground = wood(rng, size, colour, rng.uniform(0.3, 1.4))
    elif kind < 0.75:
        ground = felt(rng, size, colour)
    else:
        ground = plain(size, colour)
    if rng.random() < 0.5:
        cell = float(die_px * np.exp(rng.uniform(np.log(0.08), np.log(3))))
        ground += rng.uniform(2, 22) * noise(rng, size, (max(1.0, cell), max(1.0, cell)))[..., None]
    if rng.random() < 0.65:
        _paint_points(rng, ground, die_px)
    painted = np.clip(ground, 0, 255).astype(np.uint8)
    if rng.random() < 0.35:
        _paint_ornaments(rng, painted, die_px)
    return painted


def _paint_points(rng: np.random.Generator, ground: Picture, die_px: float) -> None:
    """Paint two facing rows of points, somewhere."""
    size = ground.shape[0]
    pitch = die_px * rng.uniform(2.0, 3.2)
    length = pitch * rng.uniform(3.5, 5.0)
    base = rng.uniform(-0.3, 0.6) * size
    gap = rng.uniform(0.1, 2.5) * pitch
    colours = [any_ground(rng), any_ground(rng)]
    line = near(rng, colours[0], 0.5)
    outlined = rng.random() < 0.25
    round_base = rng.random() < 0.12
    shift = rng.uniform(0, pitch)
    for index in range(int(size / pitch) + 2):
        x = index * pitch - shift
        for row, (low, tip) in enumerate(((base, base + length), (base + 2 * length + gap, base + length + gap))):
            shape = np.array([[x, low], [x + pitch, low], [x + pitch / 2, tip]], np.float32)
            points = (shape * 16).astype(np.int32)
            colour = colours[(index + row) % 2]
            if not outlined:
                cv2.fillConvexPoly(ground, points, colour, cv2.LINE_AA, 4)
                if round_base:
                    centre = (round((x + pitch / 2) * 16), round(low * 16))
                    cv2.circle(ground, centre, round(pitch * 8), colour, -1, cv2.LINE_AA, 4)
            if outlined or rng.random() < 0.15:
                cv2.polylines(
                    ground,
                    [points],
                    isClosed=True,
                    color=line,
                    thickness=max(1, round(die_px / 12)),
                    lineType=cv2.LINE_AA,
                    shift=4,
                )


def _paint_ornaments(rng: np.random.Generator, ground: Frame, die_px: float) -> None:
    """Print things that are not dice: lines, rings, dots in rows, words, squares."""
    size = ground.shape[0]
    for _ in range(int(rng.integers(1, 9))):
        at = tuple(int(v) for v in rng.integers(0, size, 2))
        colour = any_colour(rng)
        match int(rng.integers(9)):
            case 0:
                cv2.line(
                    ground, at, tuple(int(v) for v in rng.integers(0, size, 2)), colour, max(1, round(die_px / 10))
                )
            case 1:
                thick = int(rng.choice([-1, max(1, round(die_px / 9))]))
                cv2.circle(ground, at, int(die_px * rng.uniform(0.1, 2)), colour, thick, cv2.LINE_AA)
            case 2:
                step = die_px * rng.uniform(0.25, 0.6)
                turn = rng.uniform(0, 6.28)
                for row, column in np.ndindex(int(rng.integers(1, 4)), int(rng.integers(1, 4))):
                    x = at[0] + step * (column * np.cos(turn) - row * np.sin(turn))
                    y = at[1] + step * (column * np.sin(turn) + row * np.cos(turn))
                    cv2.circle(ground, (round(x), round(y)), max(1, round(die_px * 0.09)), colour, -1, cv2.LINE_AA)
            case 3:
                text = str(rng.choice(_WORDS))
                cv2.putText(ground, text, at, cv2.FONT_HERSHEY_DUPLEX, die_px / 40 * rng.uniform(0.6, 3), colour, 1)
            case 4:
                side = die_px * rng.uniform(0.6, 2)
                box = cv2.boxPoints((at, (side, side * rng.uniform(0.5, 1)), rng.uniform(0, 90)))
                cv2.fillConvexPoly(ground, box.astype(np.int32), colour, cv2.LINE_AA)
            case 7:
                _screw_plate(rng, ground, (at[0], at[1]), die_px)
            case 5 | 6:
                _carve_rings(rng, ground, (at[0], at[1]), die_px * rng.uniform(0.25, 0.8))
            case _:
                axes = (int(die_px * rng.uniform(0.3, 2)), int(die_px * rng.uniform(0.1, 0.6)))
                cv2.ellipse(ground, at, axes, rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA)


def _screw_plate(rng: np.random.Generator, ground: Frame, at: tuple[int, int], die_px: float) -> None:
    """Screw a hinge's oblong plate onto the board; its screws are no pips."""
    long, turn = die_px * rng.uniform(0.8, 2.2), rng.uniform(0, np.pi)
    wide = long * rng.uniform(0.25, 0.55)
    plate = any_colour(rng)
    box = cv2.boxPoints((at, (long, wide), np.degrees(turn)))
    cv2.fillConvexPoly(ground, (box * 16).astype(np.int32), plate, cv2.LINE_AA, 4)
    for place in np.linspace(-0.35, 0.35, int(rng.integers(2, 5))) * long:
        x, y = at[0] + place * np.cos(turn), at[1] + place * np.sin(turn)
        middle = (round(16 * x), round(16 * y))
        cv2.circle(ground, middle, round(16 * wide * 0.22), lit(plate, 0.6), -1, cv2.LINE_AA, 4)
        cv2.circle(ground, middle, round(16 * wide * 0.16), lit(plate, 1.3), -1, cv2.LINE_AA, 4)


def _carve_rings(rng: np.random.Generator, ground: Frame, at: tuple[int, int], radius_px: float) -> None:
    """Carve rings round a dot into the ground, each with a lit and a shaded edge: boards have them, like a 1."""
    ground_colour = ground[min(at[1], len(ground) - 1), min(at[0], len(ground) - 1)].astype(float)
    turn = rng.uniform(0, 2 * np.pi)
    apart = max(1.0, radius_px * rng.uniform(0.06, 0.14))
    width = max(1, round(radius_px * rng.uniform(0.05, 0.16)))
    for share in (1.0, 0.45, 0.15)[int(rng.integers(2)) :]:
        for side, gain in ((1, rng.uniform(0.45, 0.9)), (-1, rng.uniform(1.1, 1.6))):
            middle = (
                round(16 * (at[0] + side * apart * np.cos(turn))),
                round(16 * (at[1] + side * apart * np.sin(turn))),
            )
            blue, green, red = np.clip(ground_colour * gain, 0, 255)
            thick = -1 if share < 0.2 else width
            cv2.circle(ground, middle, round(16 * radius_px * share), (blue, green, red), thick, cv2.LINE_AA, 4)


def random_disc(rng: np.random.Generator, at_m: tuple[float, float, float], like: Disc | None, die_m: float) -> Disc:
    """Draw a checker; ``like`` gives size and make, so that a set looks like one."""
    if like is not None:
        return Disc(*at_m, like.radius_m, like.height_m, like.top, like.wall, like.mark, like.kind)
    radius = die_m * rng.uniform(0.95, 1.5)
    top = (
        any_ground(rng)
        if rng.random() < 0.6
        else near(rng, (225, 228, 230) if rng.random() < 0.5 else (40, 38, 36), 0.2)
    )
    mark = near(rng, top, 0.35) if rng.random() < 0.6 else any_colour(rng)
    kinds = ["plain", "rings", "dish", "dots", "star", "word", "spot"]
    kind = str(rng.choice(kinds, p=[0.35, 0.2, 0.15, 0.08, 0.06, 0.06, 0.1]))
    return Disc(*at_m, radius, radius * rng.uniform(0.3, 0.7), top, near(rng, top, 0.12), mark, kind)


def circle(camera: Camera, centre_m: tuple[float, float, float], radius_m: float, corners: int = 28) -> Floats:
    """Picture of a level circle, shape (corners, 2), pixels."""
    turn = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    ring = np.stack([np.cos(turn) * radius_m, np.sin(turn) * radius_m, np.zeros(corners)], 1)
    return project(camera, ring + np.asarray(centre_m))


def fill(frame: Frame, outline: npt.NDArray[np.floating], colour: Colour) -> None:
    """Fill a convex outline with soft edges."""
    cv2.fillConvexPoly(frame, (outline * 16).astype(np.int32), colour, cv2.LINE_AA, 4)


def lit(colour: Colour, gain: float) -> Colour:
    """Brighten or darken a colour, kept within 0..255."""
    blue, green, red = (min(255.0, c * gain) for c in colour)
    return blue, green, red


def draw_disc(rng: np.random.Generator, frame: Frame, camera: Camera, disc: Disc, light: float) -> Floats:
    """Draw a checker; returns the outline of all of it, shape (n, 2), pixels."""
    low = circle(camera, (disc.x_m, disc.y_m, disc.z_m), disc.radius_m)
    high = circle(camera, (disc.x_m, disc.y_m, disc.top_m), disc.radius_m)
    outline = np.asarray(cv2.convexHull(np.vstack([low, high])), np.float32).reshape(-1, 2)
    fill(frame, outline, lit(disc.wall, 0.65 * light))
    fill(frame, circle(camera, (disc.x_m, disc.y_m, disc.top_m), disc.radius_m), lit(disc.top, light))
    middle = project(camera, [(disc.x_m, disc.y_m, disc.top_m)])[0]
    radius_px = float(np.linalg.norm(high - middle, axis=1).max())
    mark = lit(disc.mark, light)

    def ring(share: float, colour: Colour, *, filled: bool) -> None:
        points = circle(camera, (disc.x_m, disc.y_m, disc.top_m), disc.radius_m * share)
        if filled:
            fill(frame, points, colour)
        else:
            thick = max(1, round(radius_px * 0.06))
            cv2.polylines(
                frame,
                [(points * 16).astype(np.int32)],
                isClosed=True,
                color=colour,
                thickness=thick,
                lineType=cv2.LINE_AA,
                shift=4,
            )

    match disc.kind:
        case "rings":
            for share in (0.85, 0.6, 0.35)[: int(rng.integers(1, 4))]:
                ring(share, mark, filled=False)
        case "dish":
            ring(0.8, lit(disc.top, 0.8 * light), filled=True)
        case "spot":
            ring(float(rng.uniform(0.12, 0.4)), mark, filled=True)
        case "dots":
            for turn in np.linspace(0, 2 * np.pi, int(rng.integers(2, 7)), endpoint=False):
                at = (
                    disc.x_m + 0.5 * disc.radius_m * np.cos(turn),
                    disc.y_m + 0.5 * disc.radius_m * np.sin(turn),
                    disc.top_m,
                )
                fill(frame, circle(camera, at, 0.1 * disc.radius_m, 10), mark)
        case "star":
            turn = np.linspace(0, 2 * np.pi, 10, endpoint=False) + rng.uniform(0, 6)
            reach = disc.radius_m * np.where(np.arange(10) % 2, 0.25, 0.6)
            star = np.stack(
                [disc.x_m + reach * np.cos(turn), disc.y_m + reach * np.sin(turn), np.full(10, disc.top_m)], 1
            )
            cv2.fillPoly(frame, [(project(camera, star) * 16).astype(np.int32)], mark, cv2.LINE_AA, 4)
        case "word":
            begin = (round(float(middle[0]) - radius_px * 0.5), round(float(middle[1]) + radius_px * 0.3))
            cv2.putText(
                frame, str(rng.choice(["N", "A", "88", "ll"])), begin, cv2.FONT_HERSHEY_DUPLEX, radius_px / 22, mark, 1
            )
        case _:
            pass
    if rng.random() < 0.3:
        shift = disc.radius_m * rng.uniform(-0.5, 0.5, 2)
        at = (disc.x_m + shift[0], disc.y_m + shift[1], disc.top_m)
        _glow(frame, circle(camera, at, disc.radius_m * 0.35), rng.uniform(20, 120))
    return outline


def _glow(frame: Frame, outline: Floats, strength: float) -> None:
    """Add a soft highlight where ``outline`` (n, 2) lies."""
    height, width = frame.shape[:2]
    reach = np.ptp(outline, axis=0).max() / 2 + 1
    x0, y0 = np.maximum((outline.min(axis=0) - reach).astype(int), 0)
    x1, y1 = np.minimum((outline.max(axis=0) + reach).astype(int), [width, height])
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    glow = np.zeros((y1 - y0, x1 - x0), np.float32)
    fill(glow, outline - np.array([x0, y0], np.float32), strength)  # type: ignore[arg-type]
    glow = np.asarray(cv2.GaussianBlur(glow, (0, 0), max(0.6, reach / 3)), np.float32)
    frame[y0:y1, x0:x1] = np.clip(frame[y0:y1, x0:x1] + glow[..., None], 0, 255).astype(np.uint8)


def draw_wall(rng: np.random.Generator, frame: Frame, camera: Camera, wall: RaisedStrip, light: float) -> list[Floats]:
    """Draw a rim or bar; returns the outlines of its faces, pixels."""
    along = np.array([np.cos(wall.angle_rad), np.sin(wall.angle_rad)])
    out = np.array([-along[1], along[0]])
    ends = 0.4
    corners = [
        np.append(side * out + end * along, height)
        for height in (0.0, wall.height_m)
        for side, end in ((wall.near_m, -ends), (wall.near_m, ends), (wall.far_m, ends), (wall.far_m, -ends))
    ]
    pixels = project(camera, corners)
    eye = -camera.rotation.T @ camera.translation
    outlines = []
    seen_near = float(out @ eye[:2]) < wall.near_m
    seen_far = float(out @ eye[:2]) > wall.far_m
    for seen, edge in ((seen_near, (0, 1, 5, 4)), (seen_far, (3, 2, 6, 7))):
        if seen:
            fill(frame, pixels[list(edge)], lit(wall.colour, light * rng.uniform(0.45, 0.95)))
            outlines.append(pixels[list(edge)])
    fill(frame, pixels[4:], lit(wall.colour, light))
    outlines.append(pixels[4:])
    if rng.random() < 0.4:
        thick = max(1, int(frame.shape[0] / 200))
        cv2.polylines(
            frame,
            [pixels[4:].astype(np.int32)],
            isClosed=True,
            color=lit(wall.colour, light * rng.uniform(0.5, 1.5)),
            thickness=thick,
        )
    return outlines


def spoil(rng: np.random.Generator, frame: Frame) -> Frame:
    """Put a clean picture through a cheap camera: light, colour, blur, noise, sharpening, JPEG."""
    height, width = frame.shape[:2]
    picture = frame.astype(np.float32)
    if rng.random() < 0.6:
        slope = 1 + 0.25 * noise(rng, (height, width), (height / 1.5, width / 1.5))
        picture *= np.clip(slope, 0.4, 1.5)[..., None]
    picture *= (rng.uniform(0.55, 1.25) * (1 + rng.normal(0, 0.07, 3))).astype(np.float32)
    if rng.random() < 0.5:
        np.clip(picture, 0, 255, out=picture)
        picture = np.asarray(255 * (picture / 255) ** rng.uniform(0.7, 1.5), np.float32)
    if rng.random() < 0.25:
        picture = picture * np.float32(rng.uniform(0.6, 1)) + np.float32(rng.uniform(0, 50))
    if rng.random() < 0.75:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.1)), np.float32)
    if rng.random() < 0.06:
        kernel = np.zeros((9, 9), np.float32)
        turn, reach = rng.uniform(0, 3.14), rng.uniform(1, 3.5)
        for step in np.linspace(-reach, reach, 15):
            kernel[round(4 + step * np.sin(turn)), round(4 + step * np.cos(turn))] += 1
        picture = np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)
    if rng.random() < 0.8:
        grain = rng.standard_normal((height, width, 3), dtype=np.float32) * rng.uniform(0.5, 8)
        if rng.random() < 0.4:
            grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.7), np.float32) * 1.5
        picture += grain
    if rng.random() < 0.4:
        soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.7, 1.5)), np.float32)
        picture += (picture - soft) * rng.uniform(0.3, 1.5)
    spoiled = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.12:
        share = rng.uniform(0.5, 0.9)
        small = cv2.resize(spoiled, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        spoiled = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    if rng.random() < 0.75:
        _, packed = cv2.imencode(".jpg", spoiled, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))])
        spoiled = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return spoiled
