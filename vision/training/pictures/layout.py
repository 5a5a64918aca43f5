"""Puts checkers on a board the way people do: rows, second layers, shingles, crooked ones, some on the bar or aside."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.synthetic.pieces import CheckerOnTable
from vision.synthetic.style import BoardDims, Style

SHINGLED = 0.97
"""Rows closer than this many diameters are shingles: each checker leans on the one before it."""


@dataclass(frozen=True, slots=True)
class Tidiness:
    """How neatly a player puts checkers down; distances in checker diameters."""

    rim_gap: float = 0.04
    spacing: float = 1.03
    sideways: float = 0.03
    """Spread of the offset from the column's middle."""
    along: float = 0.01
    layer_shift: float = 0.0
    """Where an upper checker lies: 0 on its lower one, 0.5 on the joint of two."""


def random_tidiness(rng: np.random.Generator) -> Tidiness:
    """Tidy, sloppy or shingled."""
    kind = rng.random()
    spacing = (
        rng.uniform(1.0, 1.08) if kind < 0.75 else rng.uniform(1.0, 1.3) if kind < 0.93 else rng.uniform(0.4, 0.97)
    )
    return Tidiness(
        rim_gap=float(abs(rng.normal(0, 0.08)) if rng.random() < 0.8 else rng.uniform(0, 0.45)),
        spacing=float(spacing),
        sideways=float(rng.choice([0.02, 0.06, 0.15], p=[0.4, 0.4, 0.2])),
        along=float(rng.choice([0.005, 0.02, 0.06], p=[0.5, 0.35, 0.15])),
        layer_shift=0.0 if rng.random() < 0.7 else float(rng.uniform(0, 0.6)),
    )


def row_length(dims: BoardDims, count: int, opposite: int, tidiness: Tidiness) -> int:
    """How many of ``count`` checkers lie in the first row when ``opposite`` others come from the other side.

    A row reaches over the board's middle where nothing is in its way, and ends before it meets the other one.
    """
    step = max(tidiness.spacing, 0.3)
    both = int((2 * dims.half_depth / dims.checker - 2 * tidiness.rim_gap + 0.2) / step)
    half = max(1, int((dims.half_depth / dims.checker - tidiness.rim_gap + 0.25) / step))
    usual = half if tidiness.spacing < SHINGLED else dims.row
    facing = min(opposite, usual, half)
    return max(1, min(usual, max(half, both - facing), count))


def lay_point(
    dims: BoardDims,
    point: int,
    count: int,
    tidiness: Tidiness,
    rng: np.random.Generator,
    *,
    light: bool,
    opposite: int = 15,
) -> list[CheckerOnTable]:
    """Put ``count`` checkers of one set on a point (1..24), from the rim inwards, then in layers.

    ``opposite`` is the number of checkers on the point that faces this one.
    """
    size = dims.checker
    row = row_length(dims, max(1, count), opposite, tidiness)
    sign = 1 if point > 12 else -1
    laid = []
    skew = rng.normal(0, 0.5 * tidiness.sideways)
    for index in range(count):
        slot, layer = index % row, index // row
        along = tidiness.rim_gap + 0.5 + slot * tidiness.spacing + abs(rng.normal(0, tidiness.along))
        along += tidiness.layer_shift if layer % 2 else 0.0
        aside = skew + rng.normal(0, tidiness.sideways)
        x = dims.column_x(point) + float(np.clip(aside, -0.4, 0.4)) * size
        y = sign * (dims.half_depth - along * size)
        lift, lean = layer * dims.thickness, 0.0
        if tidiness.spacing < SHINGLED and slot > 0:  # a shingled checker leans on the one before it
            lean = float(np.arcsin(min(0.75, dims.thickness / (tidiness.spacing * size))))
            lift += size / 2 * np.sin(lean)
        laid.append(CheckerOnTable(light, x, y, lift, "point", point, slot, layer, sign * lean))
    return laid


def lay_bar(dims: BoardDims, light_count: int, dark_count: int, rng: np.random.Generator) -> list[CheckerOnTable]:
    """Put hit checkers on the bar, each set from the middle towards its own end; piles when there are many."""
    size, laid = dims.checker, []
    side = rng.choice([-1, 1])
    spacing = rng.uniform(1.02, 1.3)
    start = 0.55 + max(0.0, rng.normal(0.1, 0.5))
    if light_count + dark_count == 1 and rng.random() < 0.3:
        start = rng.normal(0, 0.2)  # alone, right in the middle
    for light, count in ((True, light_count), (False, dark_count)):
        direction = side if light else -side
        for index in range(count):
            slot, layer = index % 4, index // 4
            y = direction * (start + slot * spacing) * size
            x = rng.normal(0, 0.05) * size
            laid.append(
                CheckerOnTable(light, x, float(y), dims.bar_height + layer * dims.thickness, "bar", 0, slot, layer)
            )
    return laid


def lay_aside(style: Style, light_count: int, dark_count: int, rng: np.random.Generator) -> list[CheckerOnTable]:
    """Put borne-off checkers on the table or in a tray beside the box."""
    dims, laid = style.dims, []
    side = rng.choice([-1, 1])
    start = dims.half_width + dims.rim_width + dims.checker * rng.uniform(0.6, 1.5)
    for light, count in ((True, light_count), (False, dark_count)):
        sign = 1 if light else -1
        for index in range(count):
            slot, column = index % 5, index // 5
            x = side * (start + (column % 2) * dims.checker * 1.1)
            y = sign * (0.6 + slot * 1.08) * dims.checker
            lift = (column // 2) * dims.thickness
            laid.append(CheckerOnTable(light, x + rng.normal(0, 0.002), y + rng.normal(0, 0.002), lift, "off"))
    return laid


def lay_position(
    style: Style, points: Sequence[int], bar: tuple[int, int], tidiness: Tidiness, rng: np.random.Generator
) -> list[CheckerOnTable]:
    """Lay out signed counts (+ lighter set) of points 1..24 and the bar's (lighter, darker) counts."""
    laid: list[CheckerOnTable] = []
    for point, count in enumerate(points, 1):
        facing = abs(points[24 - point])
        laid += lay_point(style.dims, point, abs(count), tidiness, rng, light=count > 0, opposite=facing)
    return laid + lay_bar(style.dims, bar[0], bar[1], rng)


def random_counts(rng: np.random.Generator) -> tuple[list[int], tuple[int, int]]:
    """Signed counts as in games of short and long nardy, with big heads more often than in play."""
    points = [0] * 24
    left = [int(rng.integers(4, 16)) if rng.random() < 0.3 else 15 for _ in range(2)]
    bar = (0, 0)
    if rng.random() < 0.45:
        bar = (int(rng.geometric(0.55)) - 1, int(rng.geometric(0.55)) - 1)
        bar = (min(bar[0], 5, left[0]), min(bar[1], 5, left[1]))
    left = [left[0] - bar[0], left[1] - bar[1]]
    heads = rng.random() < 0.5
    for index, sign in ((0, 1), (1, -1)):
        first = True
        while left[index] > 0:
            free = [place for place in range(24) if points[place] == 0]
            place = int(rng.choice(free))
            if first and heads:
                count = int(rng.integers(5, 16))
            else:
                count = int(rng.choice([1, 2, 3, 4, 5, 6, 7, 8], p=[0.3, 0.22, 0.14, 0.1, 0.1, 0.06, 0.05, 0.03]))
            first = False
            count = min(count, left[index])
            points[place] = sign * count
            left[index] -= count
    return points, bar
