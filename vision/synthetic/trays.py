"""Trays beside the field, and the checkers that were borne off into them or onto the table."""

from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from vision.board.geometry import Frame
from vision.synthetic import texture
from vision.synthetic.areas import Area, lay, seen_through, sink
from vision.synthetic.dice_shape import Camera
from vision.synthetic.pieces import CheckerOnTable
from vision.synthetic.style import BoardDims, Style

TRAYED: Final = 0.35
"""Share of drawn boards with trays."""
Way = Literal["rows", "edge", "piles", "loose"]
"""How borne-off checkers lie: flat in rows and layers, on edge as books stand, in piles, thrown down."""


def with_trays(style: Style, rng: np.random.Generator) -> Style:
    """Give the box trays at one end or both, with walls across or without."""
    dims = style.dims
    walls: tuple[float, ...] = ()
    probability = rng.random()
    if probability < 0.55:
        walls = (float(rng.normal(0, 0.03)),)
    elif probability < 0.7:
        walls = (-0.35, 0.35)
    trayed = replace(
        dims,
        tray=float(dims.checker * rng.uniform(1.05, 1.5 if rng.random() < 0.7 else 2.4)),
        tray_ends=((1, -1), (1,), (-1,))[rng.choice(3, p=[0.6, 0.2, 0.2])],
        tray_walls=walls,
        rim_height=max(dims.rim_height, 0.3 * dims.checker),
    )
    return replace(style, dims=trayed)


def tray_area(dims: BoardDims, end: int) -> Area:
    """Return the inside of the tray at an end of the box."""
    inner, outer = dims.half_width + dims.rim_width, dims.half_width + dims.rim_width + dims.tray
    return Area(min(end * inner, end * outer), max(end * inner, end * outer), -dims.half_depth, dims.half_depth)


def sink_trays(
    picture: Frame, style: Style, camera: Camera, size: tuple[int, int], rng: np.random.Generator
) -> dict[int, npt.NDArray[np.bool_]]:
    """Draw the empty trays into the box; return for each end the pixels in which one sees what lies in its tray."""
    dims, light = style.dims, style.light
    shown = {}
    for end in (end for end in (1, -1) if dims.has_tray(end)):
        whole = tray_area(dims, end)
        colour = style.board.field if rng.random() < 0.5 else texture.near(rng, style.board.rim, 0.2)
        floor = texture.any_material(rng, (500, 120), colour)
        canvas = np.clip(floor * (light.ambient + 0.6 * light.diffuse), 0, 255).astype(np.uint8)
        seen = np.zeros(size[::-1], np.bool_)
        for near, far in dims.compartments:
            part, before = replace(whole, near=near, far=far), picture.copy()
            lay(picture, np.ascontiguousarray(canvas), camera, whole, 0.0, part)
            opening = sink(picture, camera, light, style.board.rim, part, (0.0, dims.rim_height))
            own = seen_through(camera, opening, dims.rim_height, size)
            picture[~own] = before[~own]
            seen |= own
        shown[end] = seen
    return shown


@dataclass(frozen=True, slots=True)
class Heap:
    """Where one set's borne-off checkers lie."""

    end: int
    """1 beyond p1 and p24, -1 beyond p12 and p13."""
    room: Area
    floor_m: float
    from_far: bool
    """Laid from the far end of the room."""
    light: bool = True
    """Of the lighter set."""


def lay_borne_off(style: Style, counts: tuple[int, int], rng: np.random.Generator) -> list[CheckerOnTable]:
    """Lay (lighter, darker) borne-off checkers into the trays, or onto the table where there are none."""
    way: Way = ("rows", "edge", "piles", "loose")[rng.choice(4, p=[0.5, 0.25, 0.15, 0.1])]
    laid: list[CheckerOnTable] = []
    for light, count, heap in zip((True, False), counts, _heaps(style.dims, rng), strict=True):
        laid += _LAYERS[way](style.dims, replace(heap, light=light), count, rng)
    return laid


def _heaps(dims: BoardDims, rng: np.random.Generator) -> tuple[Heap, Heap]:
    """Rooms for both sets: the halves of one end, or an end for each."""
    ends = [end for end in (1, -1) if dims.has_tray(end)]
    first = int(rng.choice(ends or [1, -1]))
    second = -first if (not ends or len(ends) == 2) and rng.random() < 0.25 else first
    far = bool(rng.random() < 0.5)
    return _heap(dims, first, rng, from_far=far), _heap(dims, second, rng, from_far=not far)


def _heap(dims: BoardDims, end: int, rng: np.random.Generator, *, from_far: bool) -> Heap:
    if dims.has_tray(end):
        near, far = dims.compartments[-1 if from_far else 0]
        return Heap(end, replace(tray_area(dims, end), near=near, far=far), 0.0, from_far)
    inner = dims.box_end(end) + dims.checker * rng.uniform(0.05, 0.7)
    outer = inner + dims.checker * rng.choice([1.1, 2.3, 3.4], p=[0.3, 0.6, 0.1])
    edge = dims.half_depth * rng.uniform(0.8, 1.05)
    room = Area(min(end * inner, end * outer), max(end * inner, end * outer), -edge, edge)
    return Heap(end, room, -0.008, from_far)


def _rows(dims: BoardDims, heap: Heap, count: int, rng: np.random.Generator) -> list[CheckerOnTable]:
    """Flat, one to three abreast, from an end of the room; what does not fit lies on top."""
    size, room = dims.checker, heap.room
    abreast = max(1, int((room.right - room.left) / size / 1.03))
    length = room.far - room.near
    fits = max(1, int(length / size / 1.05 / (1 if length < 1.2 * dims.half_depth else 2)))
    row = min(fits, int(rng.choice([fits, 4, 5])))
    step = size * min(rng.uniform(1.01, 1.12), max(1.0, length / size / row))
    inner = room.left if heap.end > 0 else room.right
    laid = []
    for index in range(count):
        layer, rest = divmod(index, row * abreast)
        slot, column = (rest // abreast, rest % abreast) if abreast > 1 else (rest, 0)
        width = (room.right - room.left) / abreast
        x = inner + heap.end * (column + 0.5) * width + rng.normal(0, 0.02) * size
        laid.append(_flat(dims, heap, (x, (slot + 0.5) * step + abs(rng.normal(0, 0.02)) * size), layer))
    return laid


def _piles(dims: BoardDims, heap: Heap, count: int, rng: np.random.Generator) -> list[CheckerOnTable]:
    """Piles one behind the other, of two to five or as high as the room needs."""
    gap = dims.checker * rng.uniform(1.02, 1.3)
    fits = max(1, int((heap.room.far - heap.room.near) / gap))
    high = max(int(rng.integers(2, 6)), -(-count // fits))
    x = (heap.room.left + heap.room.right) / 2
    wobble = rng.normal(0, 0.05 * dims.checker, (count, 2))
    return [
        _flat(dims, heap, (x + wobble[i, 0], (i // high + 0.5) * gap + abs(wobble[i, 1])), i % high)
        for i in range(count)
    ]


def _loose(dims: BoardDims, heap: Heap, count: int, rng: np.random.Generator) -> list[CheckerOnTable]:
    """Thrown down: anywhere that is free; on top where nothing is."""
    room, half = heap.room, dims.checker / 2
    span = max(0.0, room.right - room.left - 2 * half), max(0.0, (room.far - room.near) * 0.5 - 2 * half)
    laid: list[CheckerOnTable] = []
    for _ in range(count):
        for _ in range(12):
            x = room.left + half + rng.random() * span[0]
            spot = _flat(dims, heap, (x, half + rng.random() * span[1]), 0)
            under = [c for c in laid if np.hypot(c.x_m - spot.x_m, c.y_m - spot.y_m) < dims.checker]
            if not under:
                break
        layer = 1 + max((c.layer for c in under), default=-1)
        laid.append(replace(spot, layer=layer, z_m=spot.z_m + layer * dims.thickness))
    return laid


def _on_edge(dims: BoardDims, heap: Heap, count: int, rng: np.random.Generator) -> list[CheckerOnTable]:
    """Side by side, as books stand; the last ones lean on the others now and then."""
    sign = -1 if heap.from_far else 1
    x = (heap.room.left + heap.room.right) / 2
    step = dims.thickness * rng.uniform(1.0, 1.08)
    spare = max(0.0, heap.room.right - heap.room.left - dims.checker) / 2
    aside = float(np.clip(rng.normal(0, 0.3), -1, 1)) * spare
    start = heap.room.far if heap.from_far else heap.room.near
    fits = max(1, int((heap.room.far - heap.room.near) / step))
    laid = []
    for index in range(min(count, fits)):
        lean = np.pi / 2 - abs(rng.normal(0, 0.03))
        y = start + sign * (index + 0.5) * step
        # The underside's middle lies half a thickness before the middle.
        y += sign * dims.thickness / 2
        laid.append(
            CheckerOnTable(
                heap.light,
                x + aside + float(rng.normal(0, 0.01)) * dims.checker,
                float(y),
                heap.floor_m + dims.checker / 2,
                "off",
                lean_rad=float(sign * lean),
            )
        )
    return laid


def _flat(dims: BoardDims, heap: Heap, place: tuple[float, float], layer: int) -> CheckerOnTable:
    """Lay one flat: x, and the distance from the end of the room where the heap begins; metres."""
    y = heap.room.far - place[1] if heap.from_far else heap.room.near + place[1]
    return CheckerOnTable(heap.light, place[0], y, heap.floor_m + layer * dims.thickness, "off", layer=layer)


_LAYERS: Final = {"rows": _rows, "edge": _on_edge, "piles": _piles, "loose": _loose}
