"""A scene and its picture. ``Renderer`` keeps the empty board, so a game's frames cost little each."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import Frame
from vision.synthetic import finish
from vision.synthetic.board import EmptyBoard, set_stage
from vision.synthetic.clutter import Hand, Mask, draw_hand
from vision.synthetic.dice import draw_die
from vision.synthetic.dice_shape import Camera, Die, DieLight, project
from vision.synthetic.pieces import CheckerOnTable, bake, draw_checker, drop_shadows
from vision.synthetic.style import BoardDims, Style
from vision.synthetic.viewpoint import outer_corners, pinhole, position_m, surface_corners, to_pixels


@dataclass(frozen=True, slots=True)
class DieOnTable:
    """One die and what it lies on."""

    die: Die
    floor_m: float = 0.0
    """Height of what it lies on."""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a picture shows."""

    style: Style
    camera: Camera
    checkers: tuple[CheckerOnTable, ...] = ()
    dice: tuple[DieOnTable, ...] = ()
    hand: Hand | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RenderedPicture:
    """A frame and the pixels a hand covers in it (None without a hand)."""

    frame: Frame
    covered: Mask | None


class Renderer:
    """Draws one set under one lamp and camera; ``size`` is (width, height) in pixels."""

    def __init__(self, style: Style, camera: Camera, size: tuple[int, int] = (1280, 720), seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.style = style
        self.camera = camera
        self.size = size
        self._lens_free = pinhole(camera)
        self._stage: EmptyBoard = set_stage(style, self._lens_free, size, rng)
        self._sprites = {True: bake(style.light_set, style.light, rng), False: bake(style.dark_set, style.light, rng)}
        self._eye = position_m(camera)
        self._noise: list[npt.NDArray[np.int8]] = []
        light = style.light
        self._die_light = DieLight(light.direction, light.ambient, light.diffuse, shadow=light.shadow)

    def render(
        self,
        checkers: tuple[CheckerOnTable, ...] | list[CheckerOnTable],
        dice: tuple[DieOnTable, ...] = (),
        hand: Hand | None = None,
        *,
        seed: int = 0,
    ) -> RenderedPicture:
        """Return the picture of these things on the board; equal arguments give equal pictures."""
        rng = np.random.default_rng(seed)
        style, stage, camera = self.style, self._stage, self._lens_free
        frame = stage.under.copy()
        light = style.light
        on_surface = [
            c for c in checkers if c.place == "point" or (c.place == "bar" and style.dims.bar_height <= 0.002)
        ]
        drop_shadows(frame, camera, style.dims, light, on_surface)
        on_bar = [c for c in checkers if c.place == "bar" and style.dims.bar_height > 0.002]
        if stage.bar_mask is not None and stage.bar_picture is not None:
            frame[stage.bar_mask] = stage.bar_picture[stage.bar_mask]
        near_side = 1 if self._eye[0] >= 0 else -1
        in_trays = {end: [c for c in checkers if self._in_tray(c, end)] for end in stage.trays}
        checkers = [c for c in checkers if not any(c in tray for tray in in_trays.values())]
        self._fill_tray(frame, -near_side, in_trays, rng)
        self._draw_beside(frame, [c for c in checkers if c.place == "off" and not self._in_front(c)], rng)
        groups: tuple[list[CheckerOnTable], ...] = (
            [],
            [c for c in on_surface if c.x_m * near_side < 0],
            on_bar,
            [c for c in on_surface if c.x_m * near_side >= 0],
        )
        dice_in = ([], [], [], []) if not dice else self._sort_dice(dice, near_side)
        for index, (group, some_dice) in enumerate(zip(groups, dice_in, strict=True)):
            if index == 2:
                if stage.bar_mask is not None and stage.bar_picture is not None:
                    frame[stage.bar_mask] = stage.bar_picture[stage.bar_mask]
                if group:
                    drop_shadows(frame, camera, style.dims, light, group, style.dims.bar_height)
            self._draw(frame, group, some_dice, rng)
        if stage.over_mask is not None:
            frame[stage.over_mask] = stage.under[stage.over_mask]
        self._fill_tray(frame, near_side, in_trays, rng)
        outside = [c for c in checkers if c.place == "off" and self._in_front(c)]
        hanging = [c for c in checkers if c.place == "hand"]
        loose = [d for d in dice if self._outside(d.die.pose.x_m, d.die.pose.y_m)]
        self._draw_beside(frame, outside, rng)
        self._draw(frame, [], loose, rng)
        covered = draw_hand(frame, camera, light, hand) if hand is not None else None
        self._draw(frame, hanging, [], rng)
        frame = finish.light_up(frame, light) if light.slope != (0.0, 0.0) or light.tint != (1.0, 1.0, 1.0) else frame
        frame = finish.bend(frame, self.camera)
        if covered is not None and np.any(self.camera.distortion):
            covered = np.asarray(
                finish.bend(np.repeat(covered[..., None], 3, 2).astype(np.uint8) * 255, self.camera)[..., 0] > 127
            )
        return RenderedPicture(frame, covered)

    def noisy(self, frame: Frame, seed: int) -> Frame:
        """Return the frame with the sensor noise of one moment: cheap, for films."""
        if not self._noise:
            rng = np.random.default_rng(1)
            self._noise = [rng.normal(0, 2.0, frame.shape).round().astype(np.int8) for _ in range(2)]
        noise = np.roll(self._noise[seed % 2], (seed * 37 % self.size[1], seed * 91 % self.size[0]), (0, 1))
        return np.asarray(np.clip(frame.astype(np.int16) + noise, 0, 255), np.uint8)

    @property
    def corners_px(self) -> npt.NDArray[np.float32]:
        """The surface's corners p1, p12, p13, p24 in the picture, shape (4, 2)."""
        return project(self.camera, surface_corners(self.style.dims))

    def _outside(self, x_m: float, y_m: float) -> bool:
        dims = self.style.dims
        return abs(x_m) > dims.half_width or abs(y_m) > dims.half_depth

    def _in_tray(self, checker: CheckerOnTable, end: int) -> bool:
        dims = self.style.dims
        beyond = end * checker.x_m
        return checker.place == "off" and dims.half_width + dims.rim_width < beyond < dims.box_end(end) - dims.rim_width

    def _fill_tray(
        self, frame: Frame, end: int, trays: dict[int, list[CheckerOnTable]], rng: np.random.Generator
    ) -> None:
        """Draw what lies in a tray as far as its walls let it be seen."""
        inside = trays.get(end)
        if not inside:
            return
        filled = frame.copy()
        drop_shadows(filled, self._lens_free, self.style.dims, self.style.light, inside)
        self._draw(filled, inside, [], rng)
        seen = self._stage.trays[end]
        frame[seen] = filled[seen]

    def _draw_beside(self, frame: Frame, checkers: list[CheckerOnTable], rng: np.random.Generator) -> None:
        """Draw checkers on the table; the box hides those beyond it."""
        if not checkers:
            return
        drawn = frame.copy()
        floor = min(checker.z_m for checker in checkers if checker.layer == 0)
        drop_shadows(drawn, self._lens_free, self.style.dims, self.style.light, checkers, floor)
        self._draw(drawn, checkers, [], rng)
        if not self._in_front(checkers[0]):
            corners = outer_corners(self.style.dims)
            solid = to_pixels(self._lens_free, np.vstack([corners, corners * (1, 1, 0) + (0, 0, floor)]))
            outline = cv2.convexHull(solid.astype(np.float32)).reshape(-1, 2)
            box = np.zeros(frame.shape[:2], np.uint8)
            cv2.fillConvexPoly(box, np.round(np.clip(outline, -4000, 8000)).astype(np.int32), 255.0)
            drawn[box > 0] = frame[box > 0]
        frame[:] = drawn

    def _in_front(self, checker: CheckerOnTable) -> bool:
        """Whether a checker beside the box stands between it and the camera."""
        end = 1 if checker.x_m > 0 else -1
        return float(self._eye[0]) * end > self.style.dims.box_end(end)

    def _sort_dice(self, dice: tuple[DieOnTable, ...], near_side: int) -> tuple[list[DieOnTable], ...]:
        half_bar = self.style.dims.bar / 2
        inside = [d for d in dice if not self._outside(d.die.pose.x_m, d.die.pose.y_m)]
        on_bar = [d for d in inside if abs(d.die.pose.x_m) <= half_bar and self._stage.bar_mask is not None]
        rest = [d for d in inside if d not in on_bar]
        return (
            [],
            [d for d in rest if d.die.pose.x_m * near_side < 0],
            on_bar,
            [d for d in rest if d.die.pose.x_m * near_side >= 0],
        )

    def _draw(
        self, frame: Frame, checkers: list[CheckerOnTable], dice: list[DieOnTable], rng: np.random.Generator
    ) -> None:
        """Draw from far to near; what lies higher is nearer to the camera as soon as it matters."""
        style = self.style
        upper = any(checker.layer > 0 for checker in checkers)

        def distance(x: float, y: float, z: float) -> float:
            return float(np.linalg.norm(self._eye - (x, y, z)))

        things: list[tuple[float, int, CheckerOnTable | DieOnTable]] = [
            (distance(c.x_m, c.y_m, c.z_m + style.dims.thickness / 2), index, c) for index, c in enumerate(checkers)
        ]
        things += [
            (distance(d.die.pose.x_m, d.die.pose.y_m, d.die.pose.z_m), -1 - index, d) for index, d in enumerate(dice)
        ]
        for _, _, thing in sorted(things, key=lambda entry: entry[:2], reverse=True):
            match thing:
                case CheckerOnTable():
                    look = style.light_set if thing.light else style.dark_set
                    tops = self._sprites[thing.light]
                    kind = int(abs(thing.x_m * 7919 + thing.y_m * 6101) * 1000 + thing.layer) % len(tops)
                    above = [c for c in checkers if _lies_on(c, thing, style.dims)] if upper else []
                    draw_checker(frame, self._lens_free, style.dims, look, style.light, thing, tops[kind], above)
                case DieOnTable():
                    draw_die(frame, self._lens_free, thing.die, self._die_light, rng, floor_m=thing.floor_m)


def _lies_on(upper: CheckerOnTable, lower: CheckerOnTable, dims: BoardDims) -> bool:
    """Tell whether a checker of the next layer lies on another or so near above it that its shadow falls there."""
    return (
        upper.layer == lower.layer + 1
        and upper.place == lower.place
        and abs(upper.x_m - lower.x_m) < 1.6 * dims.checker
        and abs(upper.y_m - lower.y_m) < 1.6 * dims.checker
    )


def render(scene: Scene, size: tuple[int, int] = (1280, 720), seed: int = 0) -> RenderedPicture:
    """Return the picture of a scene; for several pictures of one board keep a ``Renderer``."""
    return Renderer(scene.style, scene.camera, size, seed).render(scene.checkers, scene.dice, scene.hand, seed=seed)
