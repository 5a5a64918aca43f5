"""How a set looks: sizes, board, checkers, light. Random styles reach far beyond what shops sell, on purpose."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from vision.synthetic.texture import Colour, any_colour, near, wood_colour

CrossSection = Literal["flat", "rim", "dish", "grooves", "dome", "ring_inlay"]
Pattern = Literal["plain", "wood", "marble", "spot", "star", "emblem", "pie", "ring"]
PointForm = Literal["triangle", "lance", "stripe", "outline", "carved", "diamond", "none"]


@dataclass(frozen=True, slots=True)
class BoardDims:
    """Sizes in metres. The surface's middle is the origin, x towards p1/p24, y towards p13..p24, z up."""

    checker: float = 0.040
    thickness: float = 0.0105
    pitch: float = 0.044
    margin: float = 0.0
    """Free strip between the outermost point and the field's edge, on either side of each half."""
    bar: float = 0.046
    half_depth: float = 0.235
    point_length: float = 0.19
    rim_height: float = 0.022
    rim_width: float = 0.022
    bar_height: float = 0.022
    row: int = 5
    """Checkers in a row before the next layer begins."""
    tray: float = 0.0
    """Width of the trays at the ends of the box; 0 without trays."""
    tray_ends: tuple[int, ...] = (1, -1)
    """Ends with a tray: 1 beyond p1 and p24, -1 beyond p12 and p13."""
    tray_walls: tuple[float, ...] = ()
    """Where walls part each tray, in half depths from its middle."""

    @property
    def half_width(self) -> float:
        """From the surface's middle to its p1/p24 side."""
        return self.bar / 2 + 6 * self.pitch + 2 * self.margin

    @property
    def bar_edges(self) -> tuple[float, float]:
        """The bar's edges as fractions of the surface's width from the p12/p13 side."""
        share = self.bar / 4 / self.half_width
        return 0.5 - share, 0.5 + share

    @property
    def compartments(self) -> tuple[tuple[float, float], ...]:
        """Lower and upper y of a tray's parts; a wall is as wide as half the rim."""
        half = self.rim_width / 4
        walls = sorted(share * self.half_depth for share in self.tray_walls)
        lows = [-self.half_depth, *(wall + half for wall in walls)]
        return tuple(zip(lows, [*(wall - half for wall in walls), self.half_depth], strict=True))

    def has_tray(self, end: int) -> bool:
        """Whether the box has a tray at this end."""
        return self.tray > 0 and end in self.tray_ends

    def box_end(self, end: int) -> float:
        """How far the box reaches from the surface's middle at this end."""
        rim = self.half_width + self.rim_width
        return rim + self.tray + self.rim_width if self.has_tray(end) else rim

    def column_x(self, point: int) -> float:
        """X of the middle of a point's column (1..24)."""
        column = point if point <= 12 else 25 - point
        if column <= 6:
            return self.half_width - self.margin - (column - 0.5) * self.pitch
        return -self.bar / 2 - self.margin - (column - 6.5) * self.pitch


@dataclass(frozen=True, slots=True)
class CheckerLook:
    """One set of checkers."""

    colour: Colour
    second: Colour
    """Of the ring, emblem or pattern."""
    wall: Colour
    profile: CrossSection = "rim"
    pattern: Pattern = "plain"
    gloss: float = 0.3
    ring: float = 0.8
    """Where the rim, dish or ring begins, in radii."""
    relief: float = 0.5
    grain: float = 0.5


@dataclass(frozen=True, slots=True)
class BoardPaint:
    """The surface, its points and the box."""

    field: Colour
    first: Colour
    second: Colour
    """The points' two colours."""
    rim: Colour
    bar: Colour
    form: PointForm = "triangle"
    material: Literal["wood", "felt", "leather", "stone", "plain"] = "felt"
    ornament: float = 0.0
    """How many ornaments, logos and lines are added: 0 none, 1 crowded."""
    gloss: float = 0.1
    seed: int = 1
    """Of the materials' noise."""


@dataclass(frozen=True, slots=True)
class Light:
    """One lamp and the room."""

    direction: tuple[float, float, float] = (0.3, 0.4, 0.85)
    """From the board towards the lamp; unit length or not."""
    ambient: float = 0.6
    diffuse: float = 0.5
    shadow: float = 0.4
    softness_m: float = 0.006
    tint: Colour = (1.0, 1.0, 1.0)
    slope: tuple[float, float] = (0.0, 0.0)
    """Change of brightness from one edge of the picture to the other, in x and y."""
    window: tuple[float, float, float] = (0.0, 0.0, 1.0)
    """From the board towards a window or bright ceiling that polished tops mirror."""
    sheen: float = 0.0
    """How much of a top's colour that mirror image takes, 0..1."""
    sheen_spread_rad: float = 0.2


@dataclass(frozen=True, slots=True)
class Style:
    """Everything that stays the same while a game is played, but for the camera."""

    dims: BoardDims
    board: BoardPaint
    light_set: CheckerLook
    dark_set: CheckerLook
    light: Light
    table: Colour


def club_style() -> Style:
    """Return a plain tournament set: felt, two-coloured points, white and black checkers."""
    return Style(
        BoardDims(),
        BoardPaint((70, 105, 45), (215, 225, 225), (45, 45, 140), (32, 42, 60), (35, 45, 62), ornament=0.0, gloss=0.02),
        CheckerLook((225, 232, 235), (205, 212, 215), (205, 212, 216)),
        CheckerLook((42, 38, 36), (60, 56, 54), (34, 30, 28)),
        Light(),
        (95, 120, 150),
    )


def brightness(colour: Colour) -> float:
    """Luma of a BGR colour, 0..255."""
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]


def random_dims(rng: np.random.Generator) -> BoardDims:
    """Sizes from a pocket set to a tournament table, from tight to roomy points."""
    checker = rng.uniform(0.024, 0.048)
    pitch = checker / rng.uniform(0.66, 1.0) if rng.random() < 0.25 else checker / rng.uniform(0.83, 1.0)
    kind = rng.choice(["flat", "hinge", "bar"], p=[0.12, 0.28, 0.6])
    low, high = ((5.2, 7.0), (3.9, 5.4), (4.6, 8.0))[rng.choice(3, p=[0.7, 0.18, 0.12])]
    half_depth = checker * rng.uniform(low, high)
    rim = (
        0.001
        if kind == "flat"
        else rng.uniform(0.004, 0.03)
        if rng.random() < 0.4
        else checker * rng.uniform(0.4, 1.05)
    )
    bar = {"flat": rng.choice([0.0, 0.3]), "hinge": rng.uniform(0.3, 1.2), "bar": rng.uniform(0.7, 1.9)}[kind] * checker
    room = int(half_depth / checker)
    return BoardDims(
        checker=checker,
        thickness=checker * (rng.uniform(0.06, 0.2) if rng.random() < 0.12 else rng.uniform(0.18, 0.36)),
        pitch=pitch,
        margin=float(pitch * (rng.uniform(0, 0.25) if rng.random() < 0.25 else max(0.0, rng.normal(0, 0.05)))),
        bar=bar,
        half_depth=half_depth,
        point_length=half_depth * rng.uniform(0.72, 0.95),
        rim_height=rim,
        rim_width=rng.uniform(0.01, 0.04),
        bar_height=0.0005 if rng.random() < 0.15 else rim * rng.choice([1.0, rng.uniform(0.2, 1.1)]),
        row=int(rng.choice([5, room, 6], p=[0.45, 0.4, 0.15])),
    )


def random_board(rng: np.random.Generator) -> BoardPaint:
    """Invent a board of any colours and points."""
    material = rng.choice(["wood", "felt", "leather", "stone", "plain"], p=[0.42, 0.26, 0.16, 0.03, 0.13])
    wooden = material == "wood" and rng.random() < 0.85
    pick = wood_colour if wooden else any_colour
    field = pick(rng)
    first, second = pick(rng), pick(rng)
    if rng.random() < 0.12:
        first = near(rng, field, 0.15)
    if rng.random() < 0.15:
        second = near(rng, field, 0.15)
    rim = wood_colour(rng) if rng.random() < 0.6 else any_colour(rng)
    return BoardPaint(
        field=field,
        first=first,
        second=second,
        rim=rim,
        bar=rim if rng.random() < 0.6 else pick(rng),
        form=rng.choice(
            ["triangle", "lance", "stripe", "outline", "carved", "diamond", "none"],
            p=[0.62, 0.08, 0.04, 0.08, 0.11, 0.03, 0.04],
        ),
        material=material,
        ornament=float(rng.random() ** 2),
        gloss=float(rng.random() ** 2 * 0.5),
        seed=int(rng.integers(1 << 30)),
    )


def random_sets(rng: np.random.Generator, board: BoardPaint) -> tuple[CheckerLook, CheckerLook]:
    """Two sets, lighter first: usually one make in two colours, now and then in the points' own colours."""
    kind = rng.random()
    if kind < 0.25:
        first, second = wood_colour(rng), wood_colour(rng)
        if abs(brightness(first) - brightness(second)) < 35:
            first = near(rng, (150, 195, 225), 0.1)
            second = near(rng, (40, 55, 90), 0.2)
    elif kind < 0.5:
        level = rng.uniform(150, 250)
        first = near(rng, (level * 0.95, level, level), 0.05)
        second = near(rng, (40, 38, 36), 0.5) if rng.random() < 0.55 else any_colour(rng)
    elif kind < 0.68:
        first, second = near(rng, board.first, 0.08), near(rng, board.second, 0.08)
    else:
        first, second = any_colour(rng), any_colour(rng)
    first, second = _apart(rng, first, second)
    accents = [_accent(rng, first), _accent(rng, second)]
    profile = rng.choice(["flat", "rim", "dish", "grooves", "dome", "ring_inlay"], p=[0.25, 0.22, 0.2, 0.12, 0.11, 0.1])
    pattern = rng.choice(
        ["plain", "wood", "marble", "spot", "star", "emblem", "pie", "ring"],
        p=[0.42, 0.17, 0.1, 0.07, 0.05, 0.07, 0.02, 0.1],
    )
    body = (first, second)
    if rng.random() < 0.04:  # the same wood twice, distinct by the rim only
        profile, pattern = "ring_inlay", "wood"
        accents = [(150.0, 200.0, 230.0), (25.0, 35.0, 50.0)]
        shared = wood_colour(rng)
        body = (shared, near(rng, shared, 0.05))
    looks = []
    gloss, ring, relief, grain = (
        rng.random() ** 1.5,
        rng.uniform(0.55, 0.92),
        rng.uniform(0.1, 1.0),
        rng.uniform(0.2, 1.6),
    )
    for colour, accent in zip(body, accents, strict=True):
        wall = accent if profile == "ring_inlay" else near(rng, colour, 0.05)
        looks.append(CheckerLook(colour, accent, wall, profile, pattern, float(gloss), ring, relief, grain))
    keys = [brightness(look.second if profile == "ring_inlay" and ring < 0.8 else look.colour) for look in looks]
    if keys[0] < keys[1]:
        looks.reverse()
    return looks[0], looks[1]


def _apart(rng: np.random.Generator, first: Colour, second: Colour) -> tuple[Colour, Colour]:
    """Move two colours apart until a player could distinguish them."""
    for _ in range(8):
        if np.abs(np.array(first) - np.array(second)).sum() > 110:
            break
        second = any_colour(rng)
    else:
        second = (30.0, 30.0, 30.0) if brightness(first) > 120 else (225.0, 230.0, 230.0)
    return first, second


def _accent(rng: np.random.Generator, colour: Colour) -> Colour:
    probability = rng.random()
    if probability < 0.5:
        return near(rng, colour, 0.3)
    if probability < 0.75:
        shift = rng.uniform(0.4, 0.8)
        blue, green, red = (float(c * shift if brightness(colour) > 110 else 255 - (255 - c) * shift) for c in colour)
        return blue, green, red
    return any_colour(rng)


def random_light(rng: np.random.Generator) -> Light:
    """Club lamps, windows, dusk: any direction, warm or cool, hard or soft."""
    height, turn = np.radians(rng.uniform(25, 88)), rng.uniform(0, 2 * np.pi)
    warmth = rng.normal(0, 0.13)
    diffuse = rng.uniform(0.1, 0.8)
    level = rng.uniform(0.75, 1.15)
    return Light(
        direction=(float(np.cos(height) * np.cos(turn)), float(np.cos(height) * np.sin(turn)), float(np.sin(height))),
        ambient=float(level - 0.75 * diffuse),
        diffuse=float(diffuse),
        shadow=float(rng.uniform(0.1, 0.75)),
        softness_m=float(rng.choice([rng.uniform(0.0005, 0.003), rng.uniform(0.003, 0.02)])),
        tint=(float(1 - warmth), float(1 + rng.normal(0, 0.03)), float(1 + warmth)),
        slope=(float(rng.normal(0, 0.2)), float(rng.normal(0, 0.2))),
    )


def random_style(rng: np.random.Generator) -> Style:
    """Invent a set and a room nobody has seen before."""
    board = random_board(rng)
    light_set, dark_set = random_sets(rng, board)
    return Style(
        random_dims(rng),
        board,
        light_set,
        dark_set,
        random_light(rng),
        wood_colour(rng) if rng.random() < 0.5 else any_colour(rng),
    )


def relit(style: Style, light: Light) -> Style:
    """Return the same set under another lamp."""
    return replace(style, light=light)
