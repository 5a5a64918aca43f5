"""The virtual camera: pictures of the virtual table, drawn by the project's own renderer."""

import math
from dataclasses import replace

import cv2
import numpy as np

from controller.rules import Side
from controller.simulator.layout import BAR, OFF, Layout, Spot
from controller.simulator.throws import placed
from controller.simulator.world import Checker, Die, Hand, TableDieState, View, World
from vision.board.geometry import BoardShape, Corners, Frame
from vision.synthetic import clutter
from vision.synthetic.dice_shape import Die as DieBody
from vision.synthetic.dice_shape import DieLook, DiePose, PinholeCamera, cocked_pose, flat_pose
from vision.synthetic.pieces import CheckerOnTable
from vision.synthetic.scene import DieOnTable, Renderer
from vision.synthetic.style import BoardDims, Style, club_style
from vision.synthetic.viewpoint import overhead_camera, position_m

TILT_DEG = 10.0
"""The camera hangs on a gooseneck behind White's seat, nearly over the board."""
FILL = 0.93
CARRY_M = 0.05
"""Height over the board at which a checker is carried."""
ROLL_TURN_MS, ROLL_FACE_MS, ROLL_SWING = 130.0, 90, 0.045
"""A rolling die goes once round its place in 0.8 s, that far from it, and shows another face every 90 ms."""
ARM_M = 0.75
"""From where arms reach in: that far from the middle of the board, towards the seats."""
DICE_COLOURS = {Side.WHITE: ((232, 238, 240), (30, 30, 30)), Side.BLACK: ((40, 36, 150), (235, 240, 242))}
"""Body and pips of each player's own pair, BGR."""


def layout_of(dims: BoardDims, die_m: float = 0.017) -> Layout:
    """Return the table's measures for a board that the renderer knows."""
    return Layout(
        width_m=2 * dims.half_width,
        height_m=2 * dims.half_depth,
        bar=dims.bar_edges,
        checker_m=dims.checker,
        thickness_m=dims.thickness,
        die_m=die_m,
    )


def bumped(camera: PinholeCamera, view: View) -> PinholeCamera:
    """Return ``camera`` as it hangs after a bump."""
    turn = np.eye(3)
    for axis, degrees in enumerate((view.tilt_deg, view.pan_deg, view.roll_deg)):
        vector = np.zeros(3)
        vector[axis] = math.radians(degrees)
        turn = np.asarray(cv2.Rodrigues(vector)[0], np.float64) @ turn
    rotation = turn @ camera.rotation
    place = position_m(camera) + np.array([view.x_m, view.y_m, 0.0])
    return PinholeCamera(camera.matrix, rotation, -rotation @ place, camera.distortion)


def _rolled_on(die: Die, moment: int) -> Die:
    """Return a rolling die as it is at ``moment`` (ms): nowhere twice, another face up each time."""
    if die.state is not TableDieState.ROLLING:
        return die
    turned = moment / ROLL_TURN_MS + die.number
    return replace(
        die,
        u=die.u + ROLL_SWING * math.cos(turned),
        v=die.v + ROLL_SWING * math.sin(turned),
        face=1 + (die.face + moment // ROLL_FACE_MS) % 6,
        lean_deg=die.lean_deg + math.degrees(turned),
    )


class VirtualCamera:
    """Takes pictures of worlds on one board; ``size`` is (width, height) in pixels."""

    def __init__(
        self, size: tuple[int, int] = (1280, 720), *, style: Style | None = None, layout: Layout | None = None
    ) -> None:
        self.style = style or club_style()
        self.layout = layout or layout_of(self.style.dims)
        self.size = size
        self._hung = overhead_camera(self.style.dims, size, tilt_deg=TILT_DEG, fill=FILL)
        self._view = View()
        self._renderer = Renderer(self.style, self._hung, size)
        self._looks = {
            side: DieLook(size_m=self.layout.die_m, body=body, pips=pips) for side, (body, pips) in DICE_COLOURS.items()
        }
        self._drawn: tuple[object, Frame] | None = None

    @property
    def corners_px(self) -> Corners:
        """The surface's corners p1, p12, p13, p24 in the picture as the camera hangs now."""
        return np.asarray(self._renderer.corners_px, np.float32)

    @property
    def shape(self) -> BoardShape:
        """The board's proportions, as somebody would measure them for the settings."""
        dims = self.style.dims
        return BoardShape(dims.bar_edges, dims.checker / dims.pitch, dims.thickness / dims.checker)

    def picture(self, world: World, moment: int) -> Frame:
        """Return the picture of ``world``; ``moment`` tells the sensor's noise of one frame from the next."""
        self._turn(world.view)
        rolls = any(die.state is TableDieState.ROLLING for die in world.dice)
        world = replace(world, dice=tuple(_rolled_on(die, moment) for die in world.dice)) if rolls else world
        key = (world.checkers, world.dice, world.hand, world.held, world.view)
        if self._drawn is None or self._drawn[0] != key:
            self._drawn = (key, self._draw(world))
        return self._renderer.noisy(self._drawn[1], moment)

    def _turn(self, view: View) -> None:
        """Hang the camera as it hangs after a bump."""
        if view != self._view:
            self._view = view
            self._renderer = Renderer(self.style, bumped(self._hung, view), self.size)

    def _draw(self, world: World) -> Frame:
        checkers = [self._checker(checker) for checker in world.lying()]
        if world.held is not None and world.hand is not None:
            x, y = self._metres(world.hand.u, world.hand.v)
            light = world.checkers[world.held].side is Side.WHITE
            checkers.append(CheckerOnTable(light, x, y, CARRY_M, "hand"))
        dice = tuple(self._die(die) for die in world.dice if die.state is not TableDieState.IN_CUP)
        hand = self._hand(world.hand) if world.hand is not None else None
        return self._renderer.render(checkers, dice, hand).frame

    def _checker(self, checker: Checker) -> CheckerOnTable:
        spot: Spot = placed(self.layout, checker)
        x, y = self._metres(spot.u, spot.v)
        dims = self.style.dims
        light = checker.side is Side.WHITE
        lift = spot.layer * dims.thickness
        if checker.place == OFF:
            return CheckerOnTable(light, x, y, lift, "off")
        if checker.place == BAR:
            return CheckerOnTable(light, x, y, dims.bar_height + lift, "bar", 0, checker.order, spot.layer)
        return CheckerOnTable(light, x, y, lift, "point", checker.place, checker.order, spot.layer)

    def _die(self, die: Die) -> DieOnTable:
        x, y = self._metres(die.u, die.v)
        look = self._looks[die.side]
        height_m = self.style.dims.bar_height if die.state is TableDieState.ON_BAR else die.height_m
        pose: DiePose
        if die.tilt_deg:
            tilt = math.radians(die.tilt_deg)
            pose = cocked_pose(die.face, look, (x, y, height_m), math.radians(die.lean_deg), tilt)
        else:
            pose = flat_pose(die.face, look, (x, y, height_m), math.radians(die.yaw_deg))
        floor = height_m if die.state in {TableDieState.ON_CHECKER, TableDieState.ON_BAR} else 0.0
        return DieOnTable(DieBody(look, pose), floor)

    def _hand(self, hand: Hand) -> clutter.Hand:
        x, y = self._metres(hand.u, hand.v)
        white = hand.side is Side.WHITE
        return clutter.Hand(
            (x, y),
            (0.6 * x + (0.08 if white else -0.08), -ARM_M if white else ARM_M),
            sleeve=(120, 60, 40) if white else (40, 40, 110),
        )

    def _metres(self, u: float, v: float) -> tuple[float, float]:
        return (u - 0.5) * self.layout.width_m, (v - 0.5) * self.layout.height_m
