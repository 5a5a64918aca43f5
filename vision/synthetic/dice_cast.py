"""Rays through the pixels of a small box of the picture, met by one rounded cube and shaded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import Frame
from vision.inference import Floats
from vision.synthetic.cube_faces import FACE_PX, paint_faces
from vision.synthetic.dice_shape import Camera, Die, DieLight, DieLook, Material, face_values

_PATTERNS: Final[dict[int, tuple[tuple[float, float], ...]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
_TRACE_STEPS: Final = 4
_OUTSIDE: Final = np.float32(1e6)


@dataclass(frozen=True, slots=True)
class CastWindow:
    """The box of the picture that shows a die: left, top, right, bottom in pixels."""

    box: tuple[int, int, int, int]
    scale: int
    """Rays along each side of a pixel."""
    behind: Frame
    """What the box showed before, for dice one can see through."""


@dataclass(frozen=True, slots=True)
class _Meeting:
    """Where rays meet the die, in the die's frame, half the die's size as unit."""

    spot: Floats
    """Shape (n, 3)."""
    normals: Floats
    ray: Floats
    lamp: Floats
    """Direction of the lamp, shape (3,)."""
    up: Floats
    """Direction of the vertical, shape (3,)."""


def _rays(camera: Camera, box: tuple[int, int, int, int], scale: int) -> Floats:
    """Directions of the (sub)pixels of a box in the camera's frame, shape (rows, columns, 3).

    The lens is taken as affine over the box: a die is small.
    """
    x0, y0, x1, y1 = box
    probes = np.array([[[x0, y0]], [[x1, y0]], [[x0, y1]]], np.float64)
    normal = np.asarray(cv2.undistortPoints(probes, camera.matrix, camera.distortion)).reshape(3, 2)
    columns, rows = (x1 - x0) * scale, (y1 - y0) * scale
    # Pixel centres lie at whole numbers, the box's corner (x0, y0) is one of them.
    s = ((np.arange(columns) + 0.5) / scale - 0.5) / (x1 - x0)
    t = ((np.arange(rows) + 0.5) / scale - 0.5) / (y1 - y0)
    rays = np.ones((rows, columns, 3), np.float32)
    rays[..., :2] = normal[0] + s[None, :, None] * (normal[1] - normal[0]) + t[:, None, None] * (normal[2] - normal[0])
    return rays


def _gap(spot: Floats, look: DieLook) -> tuple[Floats, Floats]:
    """Measure what sticks out of the die's core, shape (n, 3), and the distance to its rounded surface, shape (n,)."""
    excess: Floats = np.maximum(np.abs(spot) - np.float32(1 - look.rounding), 0)
    gap = np.sqrt(np.einsum("ij,ij->i", excess, excess)) - np.float32(look.rounding)
    ball = np.sqrt(np.einsum("ij,ij->i", spot, spot)) - np.float32(look.ball)
    return excess, np.maximum(gap, ball)


def cast_die(camera: Camera, die: Die, light: DieLight, view: CastWindow, rng: np.random.Generator) -> Floats:
    """Premultiplied colour and coverage of a box of the picture, shape (rows, columns, 4)."""
    pose, look, box, scale = die.pose, die.look, view.box, view.scale
    half = look.size_m / 2
    to_die = pose.rotation.T / half
    eye_m = -camera.rotation.T @ camera.translation
    eye = (to_die @ (eye_m - np.array([pose.x_m, pose.y_m, pose.z_m]))).astype(np.float32)
    turn = (pose.rotation.T @ camera.rotation.T).astype(np.float32)
    rays = _rays(camera, box, scale)
    shape = rays.shape[:2]
    flat = rays.reshape(-1, 3) @ turn.T
    flat /= np.sqrt(np.einsum("ij,ij->i", flat, flat))[:, None]
    safe = np.where(np.abs(flat) < 1e-6, np.float32(1e-6), flat)
    near, far = (-1 - eye) / safe, (1 - eye) / safe
    first, last = np.minimum(near, far), np.maximum(near, far)
    # numpy's reductions over an axis of three are several times slower than this.
    enter = np.maximum(np.maximum(first[:, 0], first[:, 1]), first[:, 2])
    leave = np.minimum(np.minimum(last[:, 0], last[:, 1]), last[:, 2])
    inside = np.flatnonzero(enter < leave)
    reach, ray = enter[inside], flat[inside]
    spot = eye + reach[:, None] * ray
    excess, gap = _gap(spot, look)
    # Most rays meet a plain face, where the cube's slab is the surface already.
    rest = np.flatnonzero(gap > 1e-3)
    for _ in range(_TRACE_STEPS):
        reach[rest] += gap[rest]
        spot[rest] = eye + reach[rest, None] * ray[rest]
        excess[rest], gap[rest] = _gap(spot[rest], look)
    solid = (gap < 0.04) & (reach < leave[inside] + 0.05)
    inside, spot, excess, ray = inside[solid], spot[solid], excess[solid], ray[solid]
    normals = np.sign(spot) * excess
    cut = np.einsum("ij,ij->i", spot, spot) > (look.ball - 0.02) ** 2
    normals[cut] = spot[cut]
    normals /= np.maximum(np.sqrt(np.einsum("ij,ij->i", normals, normals)), 1e-6)[:, None]
    painted = np.zeros((shape[0] * shape[1], 4), np.float32)
    lamp = np.asarray(light.direction, np.float64)
    lamp_die = (pose.rotation.T @ (lamp / np.linalg.norm(lamp))).astype(np.float32)
    meeting = _Meeting(spot, normals, ray, lamp_die, pose.rotation[2].astype(np.float32))
    painted[inside, :3] = _shade(meeting, look, light, view.behind, rng)
    painted[inside, 3] = 1.0
    layer = painted.reshape(*shape, 4)
    if scale > 1:
        layer = np.asarray(cv2.resize(layer, (shape[1] // scale, shape[0] // scale), interpolation=cv2.INTER_AREA))
    return layer


def _faces_met(spot: Floats) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Face (0..5: +x, -x, +y, -y, +z, -z) and axis (0..2) that each point on the die belongs to."""
    x, y, z = np.abs(spot).T
    axis = np.where(x >= y, np.where(x >= z, 0, 2), np.where(y >= z, 1, 2))
    return 2 * axis + (spot[np.arange(len(spot)), axis] < 0), axis


def _pip_field(spot: Floats, look: DieLook) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
    """For points on the die: distance to the nearest pip and offset (n, 3) from it in pip radii; is it the 1."""
    index, _ = _faces_met(spot)
    distance = np.full(len(spot), _OUTSIDE, np.float32)
    offset = np.zeros_like(spot)
    single = np.zeros(len(spot), bool)
    values = face_values(look)
    for face in np.unique(index):
        value = values[face]
        chosen = np.flatnonzero(index == face)
        axis = int(face) // 2
        first, second = (axis + 1) % 3, (axis + 2) % 3
        pattern = np.asarray(_PATTERNS[value], np.float32) * look.pip_spread
        if look.turned[{2: 0, 5: 0, 3: 1, 4: 1}.get(value, 2)]:
            pattern = pattern[:, ::-1] * np.array([1, -1], np.float32)
        on_face = spot[chosen][:, (first, second)]
        apart = on_face[:, None] - pattern
        squared = np.einsum("ijk,ijk->ij", apart, apart)
        nearest = squared.argmin(axis=1)
        rows = np.arange(len(chosen))
        radius = look.one_radius if value == 1 else look.pip_radius
        distance[chosen] = np.sqrt(squared[rows, nearest]) / radius
        offset[chosen, first] = apart[rows, nearest, 0] / radius
        offset[chosen, second] = apart[rows, nearest, 1] / radius
        single[chosen] = value == 1
    return distance, offset, single


def _face_pictured(spot: Floats, look: DieLook, texts: tuple[str, ...]) -> tuple[Floats, Floats]:
    """Colour (n, 3) of a cube's faces at points on them, and how cut numbers bend the surface there (n, 3)."""
    index, axis = _faces_met(spot)
    rows = np.arange(len(spot))
    first, second = (axis + 1) % 3, (axis + 2) % 3
    flip = np.where(index % 2 == 0, 1, -1)
    # Numbers read along the first axis, their tops lie along normal x first: see ``top_face_px``.
    column = np.clip((spot[rows, first] * 0.5 + 0.5) * FACE_PX, 0, FACE_PX - 1).astype(int)
    line = np.clip((0.5 - spot[rows, second] * flip * 0.5) * FACE_PX, 0, FACE_PX - 1).astype(int)
    value = np.array(face_values(look))[index] - 1
    faces = paint_faces(texts, look.lettering, look.body, look.pips)
    bend = np.zeros_like(spot)
    if look.lettering.depth > 0:
        down = np.asarray(np.gradient(faces.depth * FACE_PX, axis=1), np.float32)
        across = np.asarray(np.gradient(faces.depth * FACE_PX, axis=2), np.float32)
        bend[rows, first] = across[value, line, column]
        bend[rows, second] = -down[value, line, column] * flip
    return faces.colours[value, line, column].astype(np.float32), bend


def _shade(meeting: _Meeting, look: DieLook, light: DieLight, behind: Frame, rng: np.random.Generator) -> Floats:
    """Colours of points on the die, shape (n, 3), BGR 0..255 and above."""
    spot, normals, ray, lamp = meeting.spot, meeting.normals, meeting.ray, meeting.lamp
    distance, offset, single = _pip_field(spot, look)
    # A pip's edge is soft over a tenth of its radius: paint bleeds, and drills leave a bevel.
    pip = np.clip((1.05 - distance) * 10, 0, 1)[:, None]
    if look.texts is not None:
        distance[:] = _OUTSIDE
        pip[:] = 0
    bent = normals - (look.pip_depth * 0.8) * offset * (distance < 1)[:, None]
    body = np.asarray(look.body, np.float32) * np.ones((len(spot), 1), np.float32)
    if look.texts is not None:
        body, bend = _face_pictured(spot, look, look.texts)
        bent = bent + bend
    bent /= np.sqrt(np.einsum("ij,ij->i", bent, bent))[:, None]
    facing = np.maximum(bent @ lamp, 0)
    sky = 0.75 + 0.25 * (bent @ meeting.up)
    brightness = (light.ambient * sky + light.strength * facing)[:, None]
    if look.grain > 0:
        body *= 1 - look.grain * _grain(spot, look.material, rng)[:, None]
    if look.material == "translucent":
        # Light enters on the lamp's side and glows at the far side; rims are seen along more material.
        glow = 0.5 - 0.5 * (spot @ lamp)
        rim = 1 - np.abs(np.einsum("ij,ij->i", normals, ray))
        through = behind.reshape(-1, 3).mean(axis=0) / 255
        body = body * (0.55 + 0.5 * glow - 0.25 * rim)[:, None] * (0.75 + 0.25 * through)
        brightness = 0.45 + 0.55 * brightness
    ink = np.where(single[:, None], np.asarray(look.one or look.pips, np.float32), np.asarray(look.pips, np.float32))
    colour = body * (1 - pip) + ink * pip
    halfway = lamp - ray
    halfway /= np.sqrt(np.einsum("ij,ij->i", halfway, halfway))[:, None]
    shine = look.gloss * np.maximum(np.einsum("ij,ij->i", bent, halfway), 0) ** look.sharpness
    tint = np.asarray(light.tint, np.float32)
    shaded: Floats = (colour * brightness + 255 * shine[:, None]) * tint
    return shaded


def _grain(spot: Floats, material: Material, rng: np.random.Generator) -> Floats:
    """Darkness of grain or veins at points on the die, 0..1."""
    phase = rng.uniform(0, 6.28, 3)
    if material == "wood":
        ring = np.hypot(spot[:, 0] + 1.3, 0.4 * spot[:, 1] + 0.2 * np.sin(3 * spot[:, 2] + phase[0]))
        return np.asarray(0.5 + 0.5 * np.sin(14 * ring + phase[1]), np.float32)
    wave = np.sin(5 * spot[:, 0] + 3 * np.sin(4 * spot[:, 1] + phase[0])) + np.sin(6 * spot[:, 2] + phase[1])
    return np.asarray(np.clip(0.5 + 0.4 * wave, 0, 1), np.float32)
