"""Solid bodies for the path tracer: turned checkers and drilled dice as triangle-free meshes. Pure numpy, metres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.synthetic.dice_shape import NORMALS, DieLook, face_values
from vision.synthetic.style import CheckerLook

Matrix = npt.NDArray[np.float64]

SEGMENTS: Final = 56
DIE_CELLS: Final = 56
"""Cells along a die's edge: six to a usual pip's radius."""
BODY, MARK = 0, 1
"""Materials: of a checker the top and the wall, of a die the body and the pips."""


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """A closed surface: places (n, 3), four-cornered faces (m, 4), the material of each face (m,)."""

    places: Matrix
    faces: npt.NDArray[np.int32]
    materials: npt.NDArray[np.int32]
    sharp: bool = False
    pictured: npt.NDArray[np.float32] | None = None
    """Where each face's corners lie in its material's picture, shape (m, 4, 2), 0..1; None: seen from above."""


def box(low: tuple[float, float, float], high: tuple[float, float, float]) -> Mesh:
    """Return an upright block."""
    corners = np.array([[x, y, z] for z in (low[2], high[2]) for y in (low[1], high[1]) for x in (low[0], high[0])])
    faces = np.array([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]], np.int32)
    return Mesh(corners, faces, np.zeros(6, np.int32), sharp=True)


def rectangle(x: float, y: float, z: float) -> Mesh:
    """Return a level rectangle round the origin, from -x to x and -y to y."""
    places = np.array([[-x, -y, z], [x, -y, z], [x, y, z], [-x, y, z]])
    return Mesh(places, np.array([[0, 1, 2, 3]], np.int32), np.zeros(1, np.int32), sharp=True)


def checker_mesh(look: CheckerLook, radius: float, thickness: float) -> Mesh:
    """Turn a checker from its profile; its underside's middle is the origin."""
    ring = _profile(look, radius, thickness)
    turn = np.linspace(0, 2 * np.pi, SEGMENTS, endpoint=False)
    circle = np.stack([np.cos(turn), np.sin(turn)], 1)
    places = [np.hstack([r * circle, np.full((SEGMENTS, 1), z)]) for r, z, _ in ring]
    own = np.arange(SEGMENTS)
    following = (own + 1) % SEGMENTS
    faces, materials = [], []
    for row in range(len(ring) - 1):
        start, above = row * SEGMENTS, (row + 1) * SEGMENTS
        faces.append(np.stack([start + own, start + following, above + following, above + own], 1))
        materials.append(np.full(SEGMENTS, ring[row + 1][2]))
    return Mesh(np.vstack(places), np.vstack(faces).astype(np.int32), np.hstack(materials).astype(np.int32))


def _profile(look: CheckerLook, radius: float, thickness: float) -> list[tuple[float, float, int]]:
    """Radius, height and material of the rings from the underside's middle over the wall to the top's middle."""
    bevel = min(0.35 * thickness, 0.08 * radius)
    outline = [(1e-5, 0.0, MARK), (radius - bevel, 0.0, MARK)]
    for middle, angles in (
        (bevel, np.linspace(-np.pi / 2, 0, 4)[1:]),
        (thickness - bevel, np.linspace(0, np.pi / 2, 5)),
    ):
        outline += [(radius - bevel + bevel * np.cos(turn), middle + bevel * np.sin(turn), MARK) for turn in angles]
    deep = min(0.35 * thickness, 0.12 * radius) * look.relief
    edge = min(look.ring * radius, radius - 1.3 * bevel)
    for share in np.linspace(1, 0, 22):
        r = max(1e-5, float(share * (radius - bevel)))
        x = r / edge
        match look.profile:
            case "rim":
                low = deep / (1 + np.exp((x - 0.97) / 0.02))
            case "dish":
                low = deep * max(0.0, 1 - x * x)
            case "dome":
                low = -0.8 * deep * max(0.0, 1 - (r / (radius - bevel)) ** 2)
            case "grooves":
                low = 0.35 * deep * (1 + np.sin(8 * np.pi * r / radius)) * (0.25 < r / radius < 0.9)
            case "flat" | "ring_inlay":
                low = 0.0
        outline.append((r, thickness - float(low), BODY))
    return outline


def die_mesh(look: DieLook) -> Mesh:
    """Return a rounded cube with drilled pips in the die's own frame, its middle the origin."""
    step = np.linspace(-1, 1, DIE_CELLS + 1)
    # More cells towards the edges, where the rounding is.
    step = np.sin(step * np.pi / 2) * 0.35 + step * 0.65
    a, b = np.meshgrid(step, step, indexing="ij")
    values = face_values(look)
    places, faces, materials = [], [], []
    own = np.arange((DIE_CELLS + 1) ** 2).reshape(DIE_CELLS + 1, -1)
    quads = np.stack([own[:-1, :-1], own[1:, :-1], own[1:, 1:], own[:-1, 1:]], -1).reshape(-1, 4)
    for index, normal in enumerate(NORMALS):
        first = NORMALS[(index // 2 * 2 + 2) % 6]
        second = np.cross(normal, first)
        flat = normal + a[..., None] * first + b[..., None] * second
        core = np.clip(flat, -(1 - look.rounding), 1 - look.rounding)
        away = flat - core
        length = np.maximum(np.linalg.norm(away, axis=-1, keepdims=True), 1e-9)
        surface = core + look.rounding * away / length
        far = np.linalg.norm(surface, axis=-1, keepdims=True)
        surface = surface * np.minimum(1.0, look.ball / far)
        value = values[index]
        radius = look.one_radius if value == 1 else look.pip_radius
        depth = np.zeros(a.shape)
        pip = np.zeros(a.shape, np.bool_)
        for u, v in _pips(value, look):
            apart = np.hypot(a - u, b - v) / radius
            pip |= apart < 1
            depth = np.maximum(depth, np.sqrt(np.clip(1 - apart**2, 0, None)))
        hollow = 0.7 * look.pip_depth * radius * depth
        places.append((surface - hollow[..., None] * normal).reshape(-1, 3))
        middle = (pip[:-1, :-1].astype(int) + pip[1:, :-1] + pip[1:, 1:] + pip[:-1, 1:]) >= 2
        faces.append(quads + index * own.size)
        materials.append(middle.reshape(-1).astype(np.int32))
    half = look.size_m / 2
    return Mesh(np.vstack(places) * half, np.vstack(faces).astype(np.int32), np.hstack(materials).astype(np.int32))


def _pips(value: int, look: DieLook) -> list[tuple[float, float]]:
    """Middles of a face's pips, half sizes."""
    far = look.pip_spread
    corners = [(-far, -far), (far, far), (-far, far), (far, -far)]
    spots = {
        1: [(0.0, 0.0)],
        2: corners[:2],
        3: [*corners[:2], (0.0, 0.0)],
        4: corners,
        5: [*corners, (0.0, 0.0)],
        6: [*corners, (-far, 0.0), (far, 0.0)],
    }[value]
    quarter = look.turned[{2: 0, 5: 0, 3: 1, 4: 1}.get(value, 2)]
    return [(-v, u) if quarter else (u, v) for u, v in spots]


def cube_mesh(look: DieLook) -> Mesh:
    """Return a rounded cube whose faces +x, -x, +y, -y, +z, -z have materials 0..5, each with a picture of its own."""
    step = np.linspace(-1, 1, 25)
    a, b = np.meshgrid(step, step, indexing="ij")
    own = np.arange(step.size**2).reshape(step.size, -1)
    quads = np.stack([own[:-1, :-1], own[1:, :-1], own[1:, 1:], own[:-1, 1:]], -1).reshape(-1, 4)
    places, faces, materials, pictured = [], [], [], []
    for index, normal in enumerate(NORMALS):
        first = NORMALS[(index // 2 * 2 + 2) % 6]
        flat = normal + a[..., None] * first + b[..., None] * np.cross(normal, first)
        core = np.clip(flat, -(1 - look.rounding), 1 - look.rounding)
        away = flat - core
        surface = core + look.rounding * away / np.linalg.norm(away, axis=-1, keepdims=True)
        places.append(surface.reshape(-1, 3))
        faces.append(quads + index * own.size)
        materials.append(np.full(len(quads), index))
        pictured.append((np.stack([a.ravel(), b.ravel()], 1)[quads] + 1) / 2)
    half = look.size_m / 2
    return Mesh(
        np.vstack(places) * half,
        np.vstack(faces).astype(np.int32),
        np.hstack(materials).astype(np.int32),
        pictured=np.vstack(pictured).astype(np.float32),
    )


def surface_points(look: DieLook) -> Matrix:
    """Points (n, 3) all over a die without its pips, its own frame, metres: what can touch something."""
    step = np.linspace(-1, 1, 13)
    a, b = (grid.ravel() for grid in np.meshgrid(step, step))
    sides = []
    for index, normal in enumerate(NORMALS):
        first = NORMALS[(index // 2 * 2 + 2) % 6]
        sides.append(normal + a[:, None] * first + b[:, None] * np.cross(normal, first))
    cube = np.vstack(sides)
    core = np.clip(cube, -(1 - look.rounding), 1 - look.rounding)
    away = cube - core
    return np.asarray((core + look.rounding * away / np.linalg.norm(away, axis=1, keepdims=True)) * look.size_m / 2)
