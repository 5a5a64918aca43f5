"""Whole boards with dice thrown onto them, and the truth about each die: for training and for the two thousand throws.

A die comes to rest flat, on a checker, on the bar, beside the board, or cocked against a checker, a rim, the bar or the
other die.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import Frame
from vision.inference import Floats
from vision.readings import DieState
from vision.synthetic import clutter, finish
from vision.synthetic.dice import random_look
from vision.synthetic.dice_shape import Camera, Die, DieLook, cocked_pose, die_image, flat_pose, project
from vision.synthetic.pieces import CheckerOnTable
from vision.synthetic.scene import DieOnTable, Renderer
from vision.synthetic.style import BoardDims, random_style
from vision.synthetic.viewpoint import position_m, random_camera
from vision.training.pictures.dice_layout import DieRest
from vision.training.pictures.dice_scenes import SceneDie
from vision.training.pictures.layout import lay_aside, lay_position, random_counts, random_tidiness

SIZES: Final = ((960, 540), (960, 720), (1280, 720), (1600, 900), (1920, 1080))
RESTS: Final = (DieState.FLAT, DieState.COCKED, DieState.ON_CHECKER, DieState.ON_BAR, DieState.OFF_BOARD)
REST_CHANCES: Final = (0.56, 0.28, 0.06, 0.03, 0.07)
TRIES: Final = 25


@dataclass(frozen=True, slots=True, eq=False)
class ThrowPicture:
    """A finished picture of a board with dice, and the truth."""

    frame: Frame
    corners: npt.NDArray[np.float32]
    dims: BoardDims
    camera: Camera
    dice: tuple[SceneDie, ...]

    @property
    def width_m(self) -> float:
        """Width of the playing surface."""
        return 2 * self.dims.half_width


def throw_shots(seed: int, pictures: int = 3) -> list[ThrowPicture]:
    """Return pictures of one random set under one lamp and camera, with one or two pairs of dice each."""
    rng = np.random.default_rng(seed)
    style = random_style(rng)
    size = SIZES[int(rng.choice(len(SIZES), p=[0.1, 0.15, 0.35, 0.15, 0.25]))]
    camera = random_camera(rng, style.dims, size)
    renderer = Renderer(style, camera, size, seed)
    share = rng.uniform(0.32, 0.55)
    looks = [
        replace(random_look(rng), size_m=float(np.clip(share * style.dims.checker, 0.011, 0.019))) for _ in range(2)
    ]
    return [_shot(renderer, rng, looks, seed * 16 + number) for number in range(pictures)]


def _shot(renderer: Renderer, rng: np.random.Generator, looks: list[DieLook], seed: int) -> ThrowPicture:
    style, camera = renderer.style, renderer.camera
    counts, bar = random_counts(rng)
    checkers = lay_position(style, counts, bar, random_tidiness(rng), rng)
    if rng.random() < 0.5:
        checkers += lay_aside(style, int(rng.integers(0, 9)), int(rng.integers(0, 9)), rng)
    dice: list[tuple[DieOnTable, DieRest]] = []
    for number in range(int(rng.choice([1, 2, 4], p=[0.1, 0.5, 0.4]))):
        look = looks[number // 2]
        thrown = _throw(rng, look, style.dims, checkers, [die for die, _ in dice])
        if thrown is not None:
            dice.append(thrown)
    hand = clutter.random_hand(rng, style.dims.half_width) if rng.random() < 0.12 else None
    picture = renderer.render(checkers, tuple(die for die, _ in dice), hand, seed=seed)
    frame = picture.frame
    if rng.random() < 0.2:
        spot = rng.uniform(0.1, 0.9, 2) * renderer.size
        reach = rng.uniform(0.02, 0.1) * renderer.size[0]
        clutter.draw_glare(frame, (spot[0], spot[1]), float(reach), float(rng.uniform(0.2, 0.9)))
    if rng.random() < 0.25:
        clutter.draw_hard_shadow(frame, rng)
    scene_dice = []
    for die, rest in dice:
        image = die_image(camera, die.die)
        seen = visible_share(
            die, image.top_face_px, style.dims, camera, checkers, [other for other, _ in dice], renderer.size
        )
        if picture.covered is not None:
            seen *= 1 - _share(picture.covered, image.top_face_px)
        scene_dice.append(SceneDie(die.die, rest, image, seen))
    return ThrowPicture(finish.random_finish(frame, rng), renderer.corners_px, style.dims, camera, tuple(scene_dice))


def _throw(
    rng: np.random.Generator, look: DieLook, dims: BoardDims, checkers: list[CheckerOnTable], others: list[DieOnTable]
) -> tuple[DieOnTable, DieRest] | None:
    """Draw how one die comes to rest; None if the board has no room for it."""
    rest = RESTS[int(rng.choice(len(RESTS), p=REST_CHANCES))]
    value, yaw = int(rng.integers(1, 7)), float(rng.uniform(0, 2 * np.pi))
    for _ in range(TRIES):
        place = _place(rng, rest, look, dims, checkers, others)
        if place is None:
            rest = DieState.FLAT
            continue
        (x, y, floor), lean = place
        if any(
            np.hypot(o.die.pose.x_m - x, o.die.pose.y_m - y) < (0.85 if rest is DieState.COCKED else 1.1) * look.size_m
            for o in others
        ):
            continue
        at = (x, y, floor)
        if rest is DieState.COCKED:
            tilt = float(np.radians(rng.choice([rng.uniform(7, 20), rng.uniform(15, 45)], p=[0.4, 0.6])))
            edge = 0.0 if rng.random() < 0.5 else float(rng.uniform(-np.pi / 4, np.pi / 4))
            lean += float(rng.normal(0, 0.2)) + (np.pi if rng.random() < 0.3 else 0.0)
            return DieOnTable(Die(look, cocked_pose(value, look, at, lean, tilt, edge_rad=edge)), floor), rest
        return DieOnTable(Die(look, flat_pose(value, look, at, yaw)), floor), rest
    return None


def _place(
    rng: np.random.Generator,
    rest: DieRest,
    look: DieLook,
    dims: BoardDims,
    checkers: list[CheckerOnTable],
    others: list[DieOnTable],
) -> tuple[tuple[float, float, float], float] | None:
    """Draw where the die's foot is (metres) and the direction a cocked one leans in (radians)."""
    inside = [c for c in checkers if c.place == "point"]
    half = look.size_m / 2
    match rest:
        case DieState.ON_CHECKER if inside:
            under = inside[int(rng.integers(len(inside)))]
            top = max(c.z_m for c in inside if np.hypot(c.x_m - under.x_m, c.y_m - under.y_m) < 0.6 * dims.checker)
            x, y = np.array([under.x_m, under.y_m]) + rng.uniform(-0.25, 0.25, 2) * dims.checker
            return (float(x), float(y), top + dims.thickness), 0.0
        case DieState.ON_BAR if dims.bar > 1.3 * look.size_m:
            room = dims.bar / 2 - 0.6 * look.size_m
            return (
                float(rng.uniform(-room, room)),
                float(rng.uniform(-0.9, 0.9) * dims.half_depth),
                dims.bar_height,
            ), 0.0
        case DieState.OFF_BOARD:
            out = dims.half_width + dims.rim_width + rng.uniform(0.8, 6) * look.size_m
            return (float(rng.choice([-out, out])), float(rng.uniform(-0.9, 0.9) * dims.half_depth), 0.0), 0.0
        case DieState.COCKED:
            return _leaning_place(rng, look, dims, inside, others)
        case _:
            low, high = dims.bar / 2 + 0.75 * look.size_m, dims.half_width - 0.75 * look.size_m
            x = rng.choice([-1, 1]) * rng.uniform(low, high)
            y = rng.uniform(-1, 1) * (dims.half_depth - 0.75 * look.size_m)
            if any(np.hypot(c.x_m - x, c.y_m - y) < dims.checker / 2 + 1.35 * half for c in inside):
                return None
            return (float(x), float(y), 0.0), 0.0


def _leaning_place(
    rng: np.random.Generator, look: DieLook, dims: BoardDims, inside: list[CheckerOnTable], others: list[DieOnTable]
) -> tuple[tuple[float, float, float], float] | None:
    """Draw a foot beside a checker, a wall or the other die, and the direction away from it."""
    apart = look.size_m * rng.uniform(0.2, 0.7)
    kind = rng.random()
    low = [c for c in inside if c.z_m < 1e-4]
    if kind < 0.6 and low:
        beside = low[int(rng.integers(len(low)))]
        turn = float(rng.uniform(0, 2 * np.pi))
        reach = dims.checker / 2 + apart
        x, y = beside.x_m + reach * np.cos(turn), beside.y_m + reach * np.sin(turn)
        lean = turn
    elif kind < 0.75 and others and abs(others[-1].die.pose.x_m) < dims.half_width:
        pose = others[-1].die.pose
        turn = float(rng.uniform(0, 2 * np.pi))
        reach = look.size_m * rng.uniform(0.9, 1.2)
        x, y = pose.x_m + reach * np.cos(turn), pose.y_m + reach * np.sin(turn)
        lean = turn
    else:
        walls = [(dims.half_width, 0), (-dims.half_width, 0), (0, dims.half_depth), (0, -dims.half_depth)]
        walls += [(dims.bar / 2, 0), (-dims.bar / 2, 0)]
        index = int(rng.integers(len(walls)))
        lean = (np.pi, 0.0, -np.pi / 2, np.pi / 2, 0.0, np.pi)[index]
        x = walls[index][0] + apart * np.cos(lean) if walls[index][0] else rng.uniform(-0.9, 0.9) * dims.half_width
        y = walls[index][1] + apart * np.sin(lean) if walls[index][1] else rng.uniform(-0.9, 0.9) * dims.half_depth
    reach = 0.4 * look.size_m
    within = abs(x) < dims.half_width - 0.15 * look.size_m and abs(y) < dims.half_depth - 0.15 * look.size_m
    if not within or abs(x) < dims.bar / 2 + 0.15 * look.size_m:
        return None
    if any(np.hypot(c.x_m - x, c.y_m - y) < dims.checker / 2 + 0.15 * reach for c in inside):
        return None
    return (float(x), float(y), 0.0), float(lean)


def _share(mask: npt.NDArray[np.bool_], outline: Floats) -> float:
    """Share of a convex outline that a mask of the picture covers; what lies outside the picture is covered."""
    height, width = mask.shape
    x0, y0 = np.floor(outline.min(axis=0)).astype(int)
    x1, y1 = np.ceil(outline.max(axis=0)).astype(int) + 1
    face = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(face, ((outline - [x0, y0]) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    rows, columns = np.nonzero(face)
    rows, columns = rows + y0, columns + x0
    inside = (rows >= 0) & (columns >= 0) & (rows < height) & (columns < width)
    covered = (~inside).sum() + mask[rows[inside], columns[inside]].sum()
    return float(covered / max(1, len(rows)))


def visible_share(
    die: DieOnTable,
    top: Floats,
    dims: BoardDims,
    camera: Camera,
    checkers: Sequence[CheckerOnTable],
    dice: Sequence[DieOnTable],
    size: tuple[int, int],
) -> float:
    """Share of the top face that checkers, walls and other dice nearer to the camera leave in view.

    ``size`` is the picture's (width, height).
    """
    width, height = size
    eye = position_m(camera)
    pose = die.die.pose
    here = np.array([pose.x_m, pose.y_m, pose.z_m])
    mask = np.zeros((height, width), np.uint8)
    for checker in checkers:
        middle = np.array([checker.x_m, checker.y_m, checker.z_m + dims.thickness / 2])
        nearer = np.linalg.norm(eye - middle) < np.linalg.norm(eye - here)
        if nearer and np.hypot(*(middle - here)[:2]) < 3 * dims.checker:
            turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
            ring = np.stack([np.cos(turn), np.sin(turn)], 1) * dims.checker / 2 + middle[:2]
            both = np.vstack(
                [np.hstack([ring, np.full((16, 1), checker.z_m + lift)]) for lift in (0.0, dims.thickness)]
            )
            hull = np.asarray(cv2.convexHull(project(camera, both)))
            cv2.fillConvexPoly(mask, (hull * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    for other in dice:
        spot = other.die.pose
        apart = np.hypot(spot.x_m - pose.x_m, spot.y_m - pose.y_m)
        if other is not die and apart < 4 * die.die.look.size_m:
            away = np.array([spot.x_m, spot.y_m, spot.z_m])
            if np.linalg.norm(eye - away) < np.linalg.norm(eye - here):
                hull = die_image(camera, other.die).outline_px
                cv2.fillConvexPoly(mask, (hull * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    return (1 - _share(mask.astype(bool), top)) * float(_clear_of_walls(eye, here, dims))


def _clear_of_walls(eye: npt.NDArray[np.float64], here: npt.NDArray[np.float64], dims: BoardDims) -> bool:
    """Tell whether the camera sees a place over the rims and the bar."""
    walls = [(0, side * dims.half_width, dims.rim_height) for side in (-1, 1)]
    walls += [(1, side * dims.half_depth, dims.rim_height) for side in (-1, 1)]
    walls += [(0, side * dims.bar / 2, dims.bar_height) for side in (-1, 1)]
    for axis, at, high in walls:
        along = here[axis] - eye[axis]
        if abs(along) < 1e-9:
            continue
        share = (at - eye[axis]) / along
        if 0 < share < 0.999 and (eye + share * (here - eye))[2] < high:
            return False
    return True
