"""Boards late in a game with what was borne off beside them, cut into zones: what the reader of trays learns from."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import mapped
from vision.checkers.borne_off import UNKNOWN
from vision.checkers.strips import cut_strips
from vision.checkers.zones import (
    INWARDS,
    NEEDED,
    PITCH_PX,
    ZONE_HEIGHT,
    ZONE_WIDTH,
    ZONES,
    cut_zones,
    shares_in_picture,
    zone_to_picture,
    zone_views,
)
from vision.synthetic import clutter
from vision.synthetic.dice import random_look
from vision.synthetic.dice_shape import Die, flat_pose, project
from vision.synthetic.pieces import CheckerOnTable
from vision.synthetic.scene import DieOnTable, Renderer
from vision.synthetic.style import BoardDims, random_style
from vision.synthetic.trays import lay_borne_off, with_trays
from vision.synthetic.viewpoint import random_camera
from vision.training.pictures.layout import lay_position, random_tidiness
from vision.training.pictures.samples import (
    CELL_PX,
    COLUMNS,
    HIDDEN,
    ROWS,
    SEEN,
    SIZES,
    UNCLEAR,
    BoardPicture,
    BoardScene,
    any_die,
    finished,
    guessed_pose,
    top_maps,
    windowed,
)

CELLS: Final = (ZONE_HEIGHT // CELL_PX, ZONE_WIDTH // CELL_PX)
TRAYED: Final = 0.55
HANDS: Final = 0.2
IDLE_DICE: Final = 0.6
"""Share of pictures with dice beside the board."""
NOTHING_OFF: Final = 0.3
"""Share of pictures in which nothing is borne off."""
IN_VIEW: Final = 0.97
"""Share of a zone that must lie in the picture for its count to be asked for."""


@dataclass(frozen=True, slots=True, eq=False)
class ZoneSample:
    """One picture's zones as in ``vision.checkers.zones`` and what is true of them."""

    zones: npt.NDArray[np.uint8]
    views: npt.NDArray[np.float32]
    references: npt.NDArray[np.float32]
    """Mean colours of the tops of both sets on the board, lighter first, BGR, shape (2, 3); UNKNOWN where none is."""
    counts: npt.NDArray[np.uint8]
    """Checkers of both sets in each zone, shape (4, 2)."""
    hidden: npt.NDArray[np.uint8]
    """HIDDEN, SEEN or UNCLEAR (nothing can be asked for), shape (4,)."""
    trays: npt.NDArray[np.uint8]
    """Whether the box has a tray there, shape (4,)."""
    density: npt.NDArray[np.float32]
    """Bumps that sum to one a checker, wherever its top is seen or would be, shape (4, 2, 36, 16)."""


def borne_off_shots(seed: int, pictures: int) -> list[BoardPicture]:
    """Return some pictures of one random set under one lamp and camera."""
    rng = np.random.default_rng(seed)
    style = random_style(rng)
    if rng.random() < TRAYED:
        style = with_trays(style, rng)
    size = SIZES[rng.choice(len(SIZES), p=[0.1, 0.3, 0.2, 0.38, 0.02])]
    camera = random_camera(rng, style.dims, size)
    if rng.random() < 0.4:
        style = windowed(rng, style, camera)
    renderer = Renderer(style, camera, size, seed)
    shots = []
    for number in range(pictures):
        off = _borne_off(rng)
        counts = _left_on_board(rng, off)
        checkers = lay_position(style, counts, (0, 0), random_tidiness(rng), rng)
        checkers += lay_borne_off(style, off, rng)
        dice = tuple(any_die(rng, style.dims, checkers) for _ in range(int(rng.integers(0, 4))))
        if rng.random() < IDLE_DICE:
            dice += _idle_dice(rng, style.dims, checkers)
        scene = BoardScene(style, camera, size, tuple(checkers), dice, tuple(counts), (0, 0))
        hand = clutter.random_hand(rng, 1.3 * style.dims.half_width) if rng.random() < HANDS else None
        picture = renderer.render(checkers, dice, hand, seed=seed * pictures + number)
        shots.append(finished(rng, scene, picture.frame, picture.covered))
    return shots


def _idle_dice(rng: np.random.Generator, dims: BoardDims, checkers: list[CheckerOnTable]) -> tuple[DieOnTable, ...]:
    """The other player's dice, which lie beside the board and are no checkers."""
    look, end = random_look(rng), int(rng.choice([1, -1]))
    floor = 0.0 if dims.has_tray(end) else -0.008
    inner = dims.half_width + dims.rim_width + look.size_m
    outer = dims.box_end(end) - dims.rim_width - look.size_m if dims.has_tray(end) else inner + 2.2 * dims.pitch
    x, y = rng.uniform(inner, max(inner, outer)), rng.uniform(-0.9, 0.9) * dims.half_depth
    dice = []
    for number in range(int(rng.integers(1, 4))):
        place = (float(end * (x + rng.normal(0, 0.2) * look.size_m)), float(y + number * 1.7 * look.size_m))
        if all(np.hypot(c.x_m - place[0], c.y_m - place[1]) > dims.checker / 2 + look.size_m for c in checkers):
            pose = flat_pose(int(rng.integers(1, 7)), look, (*place, floor), float(rng.uniform(0, 2 * np.pi)))
            dice.append(DieOnTable(Die(look, pose), floor))
    return tuple(dice)


def _borne_off(rng: np.random.Generator) -> tuple[int, int]:
    if rng.random() < NOTHING_OFF:
        return 0, 0
    light, dark = (int(rng.integers(0, 16)) if rng.random() < 0.8 else 0 for _ in range(2))
    return light, dark


def _left_on_board(rng: np.random.Generator, off: tuple[int, int]) -> list[int]:
    """Spread what is left of both sets over the points, signed counts."""
    counts = [0] * 24
    for sign, gone in zip((1, -1), off, strict=True):
        left = 15 - gone
        while left > 0:
            free = [point for point in range(24) if counts[point] == 0]
            count = min(left, int(rng.choice([1, 2, 3, 4, 5, 6], p=[0.25, 0.3, 0.2, 0.1, 0.1, 0.05])))
            counts[free[int(rng.integers(len(free)))]] = sign * count
            left -= count
    return counts


def cut_borne_off(shot: BoardPicture, rng: np.random.Generator) -> ZoneSample | None:
    """Cut a picture as a reader with slightly wrong corners would; None if the board is too small in it."""
    pose = guessed_pose(shot, rng)
    if pose is None:
        return None
    dims = shot.style.dims
    off = [checker for checker in shot.checkers if checker.place == "off"]
    counts = np.zeros((ZONES, 2), np.uint8)
    hidden = np.full(ZONES, SEEN, np.uint8)
    density = np.zeros((ZONES, 2, *CELLS), np.float32)
    shares = shares_in_picture(pose)
    for zone in range(ZONES):
        own = [checker for checker in off if _zone_of(checker) == zone]
        for checker in own:
            counts[zone, int(not checker.light)] += 1
        matrix = zone_to_picture(pose, zone)
        _mark(density[zone], shot, own, matrix)
        hidden[zone] = _covered(shot, own, matrix)
        beyond = max(((abs(c.x_m) - dims.half_width) / dims.pitch for c in own), default=0.0)
        if shares[zone] < IN_VIEW or beyond > NEEDED[1] + 0.3:
            hidden[zone] = UNCLEAR
    trays = np.array([dims.has_tray(1 if zone in {0, 3} else -1) for zone in range(ZONES)], np.uint8)
    references = _references(cut_strips(shot.frame, pose), top_maps(shot, pose)[1])
    return ZoneSample(cut_zones(shot.frame, pose), zone_views(pose), references, counts, hidden, trays, density)


def _zone_of(checker: CheckerOnTable) -> int:
    if checker.y_m < 0:
        return 0 if checker.x_m > 0 else 1
    return 3 if checker.x_m > 0 else 2


def _middles(shot: BoardPicture, checkers: list[CheckerOnTable]) -> npt.NDArray[np.floating]:
    """Pixels (n, 2) of the checkers' middles."""
    half = shot.style.dims.thickness / 2
    places = [(c.x_m, c.y_m - half * np.sin(c.lean_rad), c.z_m + half * np.cos(c.lean_rad)) for c in checkers]
    return np.asarray(project(shot.camera, np.array(places)))


def _mark(
    density: npt.NDArray[np.float32], shot: BoardPicture, own: list[CheckerOnTable], matrix: npt.NDArray[np.float64]
) -> None:
    if not own:
        return
    cells = (mapped(np.linalg.inv(matrix), _middles(shot, own)) - (CELL_PX - 1) / 2) / CELL_PX
    rows, columns = np.mgrid[0 : CELLS[0], 0 : CELLS[1]].astype(np.float32)
    for checker, (column, row) in zip(own, cells, strict=True):
        bump = np.exp(-((columns - column) ** 2 + (rows - row) ** 2) / (2 * 1.0**2))
        density[int(not checker.light)] += bump / max(float(bump.sum()), 1e-3)


def _covered(shot: BoardPicture, own: list[CheckerOnTable], matrix: npt.NDArray[np.float64]) -> int:
    """Whether something covers a zone's checkers, or a good part of where they would be."""
    if not shot.covered.any():
        return SEEN
    columns = (np.linspace(*NEEDED, 6) + INWARDS) * PITCH_PX
    places = np.stack(np.meshgrid(columns, np.linspace(14, 120, 14)), -1).reshape(-1, 2)
    share = _share(shot.covered, mapped(matrix, places))
    worst = _share(shot.covered, _middles(shot, own)) if own else 0.0
    if share > 0.3 or worst > 0.3:
        return HIDDEN
    return UNCLEAR if share > 0.08 or worst > 0 else SEEN


def _share(covered: npt.NDArray[np.bool_], pixels: npt.NDArray[np.floating]) -> float:
    height, width = covered.shape
    x, y = np.round(pixels).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    return float(covered[y[inside], x[inside]].mean()) if inside.any() else 0.0


def _references(strips: npt.NDArray[np.uint8], sets: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    column = np.asarray(strips, np.float32).reshape(-1, strips.shape[2], 3)
    cells = cv2.resize(column, (COLUMNS, len(strips) * ROWS), interpolation=cv2.INTER_AREA)
    light = np.asarray(cells, np.float32).reshape(-1, ROWS, COLUMNS, 3)
    means = [light[sets == label].mean(0) if (sets == label).any() else np.full(3, UNKNOWN) for label in (1, 2)]
    return np.asarray(means, np.float32)
