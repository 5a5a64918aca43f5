"""Labelled training pictures: random sets, positions, light, cameras and clutter, cut into strips."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardNotFoundError, BoardPose, BoardShape, Frame, mapped
from vision.checkers.conservation import SET_SIZE
from vision.checkers.strips import PITCH_PX, STRIPS, cut_strips, strip_to_picture, strip_to_surface, strip_views
from vision.synthetic import clutter, finish
from vision.synthetic.dice import random_look
from vision.synthetic.dice_shape import Camera, Die, cocked_pose, flat_pose, project
from vision.synthetic.pieces import CheckerOnTable, tops_m
from vision.synthetic.scene import DieOnTable, Renderer
from vision.synthetic.style import BoardDims, Style, random_style, relit
from vision.synthetic.texture import any_colour
from vision.synthetic.trays import TRAYED, lay_borne_off, with_trays
from vision.synthetic.viewpoint import position_m, random_camera, surface_corners
from vision.training.pictures.cubes import random_cube
from vision.training.pictures.layout import lay_aside, lay_position, random_counts, random_tidiness

CELL_PX = 4
ROWS, COLUMNS = 42, 10
SIZES = ((640, 480), (960, 540), (960, 720), (1280, 720), (1600, 900))
HIDDEN, SEEN, UNCLEAR = 1, 0, 2
HANDS, TRAYS = 0.25, 0.35
CUBES_ON_BAR = 0.3
TRACED_SIZES = ((640, 400), (720, 450), (640, 480), (800, 480))
TALL = 6
SMALLEST_CHECKER_PX = 9
TOP_SHARE = 0.85**2
"""Share of a top's face, the edge left out, that its cells must lie in."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardSample:
    """One picture's strips and what is true of them. Strips as in ``checkers.strips``: p1..p24, bar near, bar far."""

    strips: npt.NDArray[np.uint8]
    views: npt.NDArray[np.float32]
    counts: npt.NDArray[np.int8]
    """Signed counts of p1..p24 (+ lighter set); 0 for the bar's strips, whose tops show all; shape (26,)."""
    hidden: npt.NDArray[np.uint8]
    """HIDDEN, SEEN or UNCLEAR (neither can be asked for), shape (26,)."""
    centres: npt.NDArray[np.uint8]
    """Bumps of height 255 on the visible tops' middles, shape (26, 42, 10)."""
    sets: npt.NDArray[np.uint8]
    """1 on visible tops of the lighter set, 2 of the darker, 0 elsewhere, shape (26, 42, 10)."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardPicture:
    """A finished picture with its scene's truth, before it is cut."""

    frame: Frame
    corners: npt.NDArray[np.float32]
    style: Style
    camera: Camera
    checkers: tuple[CheckerOnTable, ...]
    covered: npt.NDArray[np.bool_]
    counts: tuple[int, ...]
    bar: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class BoardScene:
    """What a picture of a whole board shows."""

    style: Style
    camera: Camera
    size: tuple[int, int]
    """Width and height of the picture, pixels."""
    checkers: tuple[CheckerOnTable, ...]
    dice: tuple[DieOnTable, ...]
    counts: tuple[int, ...]
    """Signed counts of p1..p24, + lighter set."""
    bar: tuple[int, int]


def shots(seed: int, pictures: int = 3) -> list[BoardPicture]:
    """Return some pictures of one random set under one lamp and camera."""
    rng = np.random.default_rng(seed)
    style = random_style(rng)
    probability = rng.spawn(1)[0]  # so that a seed goes on meaning the board it meant before there were trays
    if probability.random() < TRAYED:
        style = with_trays(style, probability)
    size = SIZES[rng.choice(len(SIZES), p=[0.12, 0.25, 0.2, 0.38, 0.05])]
    camera = random_camera(rng, style.dims, size)
    if rng.random() < 0.4:
        style = windowed(rng, style, camera)
    renderer = Renderer(style, camera, size, seed)
    return [_shot(renderer, rng, seed * 16 + number) for number in range(pictures)]


def windowed(rng: np.random.Generator, style: Style, camera: Camera) -> Style:
    """Add a window, or the lamp itself, that the camera sees mirrored in polished tops somewhere on the board."""
    spot = np.array([rng.uniform(-1, 1) * style.dims.half_width, rng.uniform(-1, 1) * style.dims.half_depth, 0.0])
    view = position_m(camera) - spot
    window = np.array([-view[0], -view[1], view[2]])
    light = replace(
        style.light,
        window=(float(window[0]), float(window[1]), float(window[2])),
        sheen=float(rng.uniform(0.2, 1.0)),
        sheen_spread_rad=float(rng.uniform(0.04, 0.35)),
    )
    return relit(style, light)


def _shot(renderer: Renderer, rng: np.random.Generator, seed: int) -> BoardPicture:
    style, camera = renderer.style, renderer.camera
    scene = _scene(rng, style, camera, renderer.size)
    if rng.random() < CUBES_ON_BAR and (cube := _cube_on_bar(rng, scene)) is not None:
        scene = replace(scene, dice=(*scene.dice, cube))
    hand = clutter.random_hand(rng, style.dims.half_width) if rng.random() < HANDS else None
    picture = renderer.render(scene.checkers, scene.dice, hand, seed=seed)
    return finished(rng, scene, picture.frame, picture.covered)


def _scene(rng: np.random.Generator, style: Style, camera: Camera, size: tuple[int, int]) -> BoardScene:
    counts, bar = random_counts(rng)
    checkers = lay_position(style, counts, bar, random_tidiness(rng), rng)
    missing = _missing(counts, bar)
    if rng.random() < 0.5:
        aside = lay_aside(style, int(rng.integers(0, 9)), int(rng.integers(0, 9)), rng)
        if not style.dims.tray:
            for light, left in zip((True, False), missing, strict=True):
                checkers += [checker for checker in aside if checker.light == light][:left]
    if style.dims.tray:
        checkers += lay_borne_off(style, missing, rng.spawn(1)[0])
    dice = tuple(any_die(rng, style.dims, checkers) for _ in range(int(rng.integers(0, 5))))
    return BoardScene(style, camera, size, tuple(checkers), dice, tuple(counts), bar)


def _cube_on_bar(rng: np.random.Generator, scene: BoardScene) -> DieOnTable | None:
    """Put a doubling cube on the bar, where it must not be counted as a checker; None if there is no room."""
    dims = scene.style.dims
    look = random_cube(rng, dims.checker * float(rng.uniform(0.58, 1.18)))
    x, y = float(rng.normal(0, 0.08) * dims.bar), float(rng.uniform(-0.97, 0.97) * dims.half_depth)
    if any(np.hypot(c.x_m - x, c.y_m - y) < dims.checker / 2 + 0.75 * look.size_m for c in scene.checkers):
        return None
    yaw = float(rng.integers(4) * np.pi / 2 + rng.normal(0, 0.1))
    pose = flat_pose(int(rng.integers(1, 7)), look, (x, y, dims.bar_height), yaw)
    return DieOnTable(Die(look, pose), dims.bar_height)


def _missing(counts: list[int], bar: tuple[int, int]) -> tuple[int, int]:
    """How many checkers of the lighter and of the darker set lie neither on points nor on the bar."""
    light, dark = (sum(max(0, sign * count) for count in counts) for sign in (1, -1))
    return SET_SIZE - light - bar[0], SET_SIZE - dark - bar[1]


def scenes_to_trace(seed: int, pictures: int) -> list[BoardScene]:
    """Return scenes of one random set for the path tracer: boards that fill small pictures, tall stacks, trays."""
    rng = np.random.default_rng(seed)
    style = random_style(rng)
    if rng.random() < TRAYS:
        wide = float(style.dims.checker * rng.uniform(1.1, 2.4))
        dims = with_trays(style, rng.spawn(1)[0]).dims
        style = replace(style, dims=replace(dims, tray=wide, tray_ends=(1, -1), rim_height=style.dims.rim_height))
    size = TRACED_SIZES[int(rng.integers(len(TRACED_SIZES)))]
    camera = random_camera(rng, style.dims, size)
    scenes: list[BoardScene] = []
    while len(scenes) < pictures:
        scene = _scene(rng, style, camera, size)
        if max(map(abs, scene.counts)) >= TALL or rng.random() < 0.3:
            scenes.append(scene)
    return scenes


def traced_shot(rng: np.random.Generator, scene: BoardScene, frame: Frame) -> BoardPicture:
    """Add clutter and a cheap camera's faults to the traced picture of a scene; ``frame`` is changed."""
    hand = clutter.random_hand(rng, scene.style.dims.half_width) if rng.random() < HANDS else None
    covered = clutter.draw_hand(frame, scene.camera, scene.style.light, hand) if hand is not None else None
    return finished(rng, scene, frame, covered)


def finished(
    rng: np.random.Generator, scene: BoardScene, frame: Frame, hand: npt.NDArray[np.bool_] | None
) -> BoardPicture:
    """Add cups, glare, shadows and a cheap camera's faults; ``hand`` are the pixels that one covers already."""
    covered = hand if hand is not None else np.zeros(frame.shape[:2], np.bool_)
    for _ in range(int(rng.random() < 0.4) + int(rng.random() < 0.1)):
        covered |= _cup(frame, scene, rng)
    if rng.random() < 0.3:
        spot = rng.uniform(0.1, 0.9, 2) * scene.size
        reach = rng.uniform(0.02, 0.12) * scene.size[0]
        clutter.draw_glare(frame, (spot[0], spot[1]), float(reach), float(rng.uniform(0.2, 1.2)))
    if rng.random() < 0.25:
        clutter.draw_hard_shadow(frame, rng)
    frame = finish.random_finish(frame, rng)
    corners = project(scene.camera, surface_corners(scene.style.dims))
    return BoardPicture(frame, corners, scene.style, scene.camera, scene.checkers, covered, scene.counts, scene.bar)


def any_die(rng: np.random.Generator, dims: BoardDims, checkers: list[CheckerOnTable]) -> DieOnTable:
    """Return a die, or a doubling cube, anywhere: on the surface, leaning, on a checker, on the bar, outside."""
    look = random_look(rng)
    value, yaw = int(rng.integers(1, 7)), float(rng.uniform(0, 2 * np.pi))
    x, y = rng.uniform(-1.15, 1.15) * dims.half_width, rng.uniform(-0.95, 0.95) * dims.half_depth
    floor = 0.0
    if checkers and rng.random() < 0.12:
        under = checkers[rng.integers(len(checkers))]
        x, y, floor = under.x_m, under.y_m, under.z_m + dims.thickness
    elif abs(x) < dims.bar / 2:
        floor = dims.bar_height
    at = (float(x), float(y), float(floor))
    if rng.random() < 0.2:
        return DieOnTable(Die(look, cocked_pose(value, look, at, yaw, float(rng.uniform(0.1, 0.7)))), floor)
    return DieOnTable(Die(look, flat_pose(value, look, at, yaw)), floor)


def _cup(frame: Frame, scene: BoardScene, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Stand a cup beside the box, now and then on the board."""
    dims = scene.style.dims
    turn = rng.uniform(0, 2 * np.pi)
    away = rng.uniform(0.1, 0.9) if rng.random() < 0.15 else rng.uniform(1.2, 1.8)
    place = (float(away * dims.half_width * np.cos(turn)), float(away * dims.half_depth * np.sin(turn)), 0.0)
    cup = clutter.Cup(place, float(rng.uniform(0.025, 0.05)), float(rng.uniform(0.01, 0.1)), any_colour(rng))
    return clutter.draw_cup(frame, scene.camera, scene.style.light, cup)


def guessed_pose(shot: BoardPicture, rng: np.random.Generator) -> BoardPose | None:
    """Return the pose that a reader with slightly wrong corners would have; None if the board is too small."""
    height, width = shot.frame.shape[:2]
    board_px = float(np.linalg.norm(shot.corners[0] - shot.corners[1]))
    corners = shot.corners + rng.normal(0, rng.uniform(0, 0.004) * board_px, (4, 2)).astype(np.float32)
    left, right = np.clip(np.array(shot.style.dims.bar_edges) + rng.normal(0, 0.003, 2), 0.3, 0.7)
    try:
        pose = BoardPose(corners, BoardShape((float(min(left, right)), float(max(left, right)))), (width, height))
    except BoardNotFoundError:
        return None
    return pose if pose.checker_px >= SMALLEST_CHECKER_PX else None


def cut_sample(shot: BoardPicture, rng: np.random.Generator) -> BoardSample | None:
    """Cut a picture as a reader would; None if the board is too small in it."""
    pose = guessed_pose(shot, rng)
    if pose is None:
        return None
    strips = cut_strips(shot.frame, pose)
    centres, sets = top_maps(shot, pose)
    counts = np.zeros(STRIPS, np.int8)
    counts[:24] = shot.counts
    return BoardSample(strips, strip_views(pose), counts, hidden_places(shot, pose), centres, sets)


def top_maps(shot: BoardPicture, pose: BoardPose) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Return ``Sample.centres`` and ``Sample.sets`` of a picture."""
    """Return the visible tops of all strips as ``Sample.centres`` and ``Sample.sets`` have them."""
    centres = np.zeros((STRIPS, ROWS, COLUMNS), np.float32)
    sets = np.zeros((STRIPS, ROWS, COLUMNS), np.uint8)
    for strip in range(STRIPS):
        for checker, away in seen_tops(shot, pose, strip):
            sets[strip][away < TOP_SHARE] = 1 if checker.light else 2
            cells = away * top_radius(shot.style.dims) ** 2
            np.maximum(centres[strip], np.exp(-cells / (2 * 0.8**2)), out=centres[strip])
    return (centres * 255).astype(np.uint8), sets


def top_radius(dims: BoardDims) -> float:
    """Radius of a checker's top in cells of a strip."""
    return dims.checker / dims.pitch * PITCH_PX / CELL_PX / 2


def seen_tops(
    shot: BoardPicture, pose: BoardPose, strip: int
) -> Iterator[tuple[CheckerOnTable, npt.NDArray[np.float32]]]:
    """Each top in a strip that nothing lies on, with the squares of all cells' distances from its middle, in radii."""
    rows, columns = np.mgrid[0:ROWS, 0:COLUMNS].astype(np.float32)
    own = [checker for checker in shot.checkers if _strip_of(checker) == strip]
    tops = [checker for checker in own if not _lies_under(checker, own, shot.style.dims)]
    if not tops:
        return
    pixels = project(shot.camera, tops_m(shot.style.dims, tops))
    cells = (mapped(np.linalg.inv(strip_to_picture(pose, strip)), pixels) - (CELL_PX - 1) / 2) / CELL_PX
    for checker, (column, row) in zip(tops, cells, strict=True):
        away = ((columns - column) ** 2 + (rows - row) ** 2) / top_radius(shot.style.dims) ** 2
        yield checker, np.asarray(away, np.float32)


def _strip_of(checker: CheckerOnTable) -> int | None:
    """Index of the strip that shows a checker's place; None beside the board."""
    if checker.place == "bar":
        return 24 if checker.y_m < 0 else 25
    return checker.point - 1 if checker.place == "point" else None


def _lies_under(checker: CheckerOnTable, others: list[CheckerOnTable], dims: BoardDims) -> bool:
    reach = 0.55 * dims.checker
    return any(
        other.z_m > checker.z_m + 0.7 * dims.thickness
        and abs(other.x_m - checker.x_m) < reach
        and abs(other.y_m - checker.y_m) < reach
        for other in others
    )


def hidden_places(shot: BoardPicture, pose: BoardPose) -> npt.NDArray[np.uint8]:
    """Whether something covers a point's tops or a good part of where they would be."""
    hidden = np.full(STRIPS, SEEN, np.uint8)
    if not shot.covered.any():
        return hidden
    across, along = np.meshgrid(np.linspace(12, 28, 5), np.linspace(22, 22 + 5 * PITCH_PX * 0.9, 14))
    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    circle = 0.35 * shot.style.dims.checker * np.stack([np.cos(turn), np.sin(turn), np.zeros(12)], 1)
    for strip in range(STRIPS):
        zone = np.stack([across.ravel(), along.ravel(), np.ones(across.size)])
        places = (strip_to_surface(pose, strip) @ zone)[:2].T
        share = _covered_share(shot.covered, pose.to_picture(places, pose.shape.checker_height))
        worst = 0.0
        for checker in shot.checkers:
            if _strip_of(checker) == strip:
                top = circle + tops_m(shot.style.dims, [checker])
                worst = max(worst, _covered_share(shot.covered, project(shot.camera, top)))
        if worst > 0.4 or share > 0.35:
            hidden[strip] = HIDDEN
        elif worst > 0.1 or share > 0.1:
            hidden[strip] = UNCLEAR
    return hidden


def _covered_share(covered: npt.NDArray[np.bool_], pixels: npt.NDArray[np.floating]) -> float:
    height, width = covered.shape
    x, y = np.round(pixels).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    if not inside.any():
        return 1.0  # out of the picture is as good as covered
    seen = covered[y[inside], x[inside]].sum() + (~inside).sum()
    return float(seen / len(x))
