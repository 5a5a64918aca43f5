"""Draws whole games on boards that training never saw: ``python -m controller.evaluate.drawn_games FOLDER --games 20``.

Each game is a folder of key frames, labels and ``events.json``, which ``nardy-referee evaluate sequences`` reads. Hands
reach in, shadows wander, the exposure drifts; once a game somebody bumps the camera or switches a lamp. Needs a
checkout of the project, since it generates pictures.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from controller.rules import Position, Roll, Ruleset, Side, finished, legal_plays, ruleset, start
from controller.simulator.camera import bumped
from controller.simulator.world import View
from vision.board.geometry import Frame
from vision.synthetic import clutter, finish
from vision.synthetic.dice import random_look
from vision.synthetic.dice_shape import Die, DieLook, flat_pose
from vision.synthetic.pieces import CheckerOnTable
from vision.synthetic.scene import DieOnTable, Renderer
from vision.synthetic.style import Light, Style, random_style, relit
from vision.synthetic.viewpoint import overhead_camera
from vision.training.pictures.layout import Tidiness, lay_aside, lay_bar, lay_point

SEEDS_APART: Final = 1 << 37
"""Training counts its boards from small numbers, drawn boards from half of this."""
SIZE: Final = (1280, 720)
CORNER_ERROR: Final = 0.0015
"""Standard error of the corners in widths of the board: a calibration a person made with care."""
NUDGED: Final = 0.15
"""How often in a turn somebody straightens a row that is not played."""
SHADOWED: Final = 0.5
DRIFT: Final = 0.12
"""By how much (log) the exposure swings."""
SHADOW_TURNS: Final = 4
WAITING: Final = 8
"""Key frames in which nobody plays after the light has changed: for so long a shadow's edge may pass for an arm."""
LONG_ENOUGH: Final = 6
"""Turns of a game in which there is a bump or a lamp."""
FAMILIES: Final = ("short-ru", "long-fnr")


@dataclass(frozen=True, slots=True)
class Moment:
    """What the table shows in one key frame."""

    position: Position
    """As White sees it."""
    dice: tuple[DieOnTable, ...]
    hand: clutter.Hand | None
    turn: int


@dataclass(frozen=True, slots=True)
class KeyFrame:
    """A key frame: its picture, what is true of it and what it shows or completes."""

    frame: Frame
    label: dict[str, Any]
    event: dict[str, Any]


class Table:
    """One board under one camera, and what befalls it in the course of a game."""

    def __init__(self, seed: int, turns: int) -> None:
        rng = np.random.default_rng(seed)
        self._seed = seed
        self._style: Style = random_style(rng)
        self._camera = overhead_camera(
            self._style.dims,
            SIZE,
            tilt_deg=float(rng.uniform(3, 42)),
            azimuth_deg=-90 + float(rng.normal(0, 8)),
            fill=float(rng.uniform(0.8, 0.95)),
        )
        self.white_is_light = bool(rng.random() < 0.5)
        self._tidiness = Tidiness(sideways=float(rng.choice([0.02, 0.06, 0.12])), along=float(rng.choice([0.01, 0.03])))
        self._shadowed = bool(rng.random() < SHADOWED)
        self._phase = float(rng.uniform(0, 2 * np.pi))
        self._corner_error = rng.normal(0, CORNER_ERROR, (4, 2))
        self._accident = int(rng.integers(2, turns - 1)) if turns >= LONG_ENOUGH else turns
        self._bump = View(pan_deg=float(rng.normal(0, 1.2)), tilt_deg=float(rng.normal(0, 1.2)))
        lamp = rng.normal(0, 0.5, 2)
        self._lamp = replace(
            self._style.light,
            direction=(float(lamp[0]), float(lamp[1]), 0.8),
            ambient=self._style.light.ambient * float(rng.uniform(0.7, 1.2)),
        )
        self._bumps = bool(rng.random() < 0.5)
        self._rows = [0] * 25
        self._looks: dict[Side, DieLook] = {side: random_look(rng) for side in (Side.WHITE, Side.BLACK)}
        self._renderer = self._hung(self._style.light, View())

    @property
    def dims(self) -> Any:
        """The board's measures."""
        return self._style.dims

    def befall(self, turn: int, rng: np.random.Generator) -> bool:
        """Let happen what happens before a turn, and tell whether light or camera are others than before.

        A bump or a lamp once, another shadow, a row straightened now and then.
        """
        if turn == self._accident:
            self._renderer = (
                self._hung(self._style.light, self._bump) if self._bumps else self._hung(self._lamp, View())
            )
        if rng.random() < NUDGED:
            self._rows[int(rng.integers(25))] += 1
        return turn == self._accident or (self._shadowed and turn % SHADOW_TURNS == 0)

    def lay_anew(self, point: int) -> None:
        """Let the next checkers on an emptied point (24 for the bar) lie a little otherwise."""
        self._rows[point] += 1

    def roll(self, values: tuple[int, int], sides: tuple[Side, Side], position: Position, rng: Any) -> Any:
        """Return two dice at rest in one half, or in both where each side throws one, clear of all checkers."""
        dims, laid = self._style.dims, self._checkers(position)
        dice: list[DieOnTable] = []
        for value, side, left in zip(values, sides, (False, sides[0] is not sides[1]), strict=True):
            look = self._looks[side]
            for _ in range(400):
                x = float(rng.uniform(dims.bar / 2 + 0.02, dims.half_width - 0.02)) * (-1 if left else 1)
                y = float(rng.uniform(-0.7, 0.7) * dims.half_depth)
                reach = dims.checker / 2 + look.size_m
                apart = 1.8 * look.size_m
                clear = all(np.hypot(c.x_m - x, c.y_m - y) > reach for c in laid)
                if clear and all(np.hypot(d.die.pose.x_m - x, d.die.pose.y_m - y) > apart for d in dice):
                    break
            pose = flat_pose(value, look, (x, y, 0.0), float(rng.uniform(0, 2 * np.pi)))
            dice.append(DieOnTable(Die(look, pose)))
        return tuple(dice)

    def shot(self, moment: Moment, number: int) -> tuple[Frame, dict[str, Any]]:
        """Return the key frame's picture and its label."""
        picture = self._renderer.render(self._checkers(moment.position), moment.dice, moment.hand, seed=self._seed)
        frame = picture.frame
        if self._shadowed:
            clutter.draw_hard_shadow(frame, np.random.default_rng((self._seed, moment.turn // SHADOW_TURNS)))
        frame = finish.random_finish(frame, np.random.default_rng((self._seed, 1)))
        gain = float(np.exp(DRIFT * np.sin(self._phase + number / 9)))
        frame = np.asarray(cv2.convertScaleAbs(frame, alpha=gain), np.uint8)
        frame = finish.speckle(frame, np.random.default_rng((self._seed, 2, number)), 1.5)
        return frame, self._label(moment, f"{number:03d}.png")

    def _label(self, moment: Moment, picture: str) -> dict[str, Any]:
        corners = self._renderer.corners_px.astype(float)
        corners += self._corner_error * float(np.linalg.norm(corners[0] - corners[1]))
        points = [[max(0, count), max(0, -count)] for count in moment.position.points]
        return {
            "image": picture,
            "size": list(SIZE),
            "corners": corners.round(2).tolist(),
            "bar": list(self._style.dims.bar_edges),
            "points": points,
            "bar_counts": list(moment.position.bar),
            "unsure": [],
            "occluded": moment.hand is not None,
            "rolled": len(moment.dice),
        }

    def _hung(self, light: Light, view: View) -> Renderer:
        return Renderer(relit(self._style, light), bumped(self._camera, view), SIZE, self._seed)

    def _checkers(self, position: Position) -> list[CheckerOnTable]:
        """Lay the position as it was laid before, but for what has been played."""
        laid: list[CheckerOnTable] = []
        for point, count in enumerate(position.points, 1):
            rng = np.random.default_rng((self._seed, point, self._rows[point - 1]))
            light = (count > 0) is self.white_is_light
            laid += lay_point(self._style.dims, point, abs(count), self._tidiness, rng, light=light)
        bar, off = (pair if self.white_is_light else pair[::-1] for pair in (position.bar, position.off))
        laid += lay_bar(self._style.dims, *bar, np.random.default_rng((self._seed, 25, self._rows[24])))
        return laid + lay_aside(self._style, *off, np.random.default_rng((self._seed, 26)))


def draw_game(seed: int, turns: int) -> Iterator[KeyFrame]:
    """Draw one game, key frame by key frame; equal seeds give equal games."""
    rng = np.random.default_rng((seed, 3))
    rules = ruleset(FAMILIES[seed % len(FAMILIES)])
    table = Table(seed, turns)
    position, mover = start(rules.game), Side.WHITE
    number = 0

    def shown(event: dict[str, Any], dice: Any = (), hand: clutter.Hand | None = None, turn: int = 0) -> KeyFrame:
        nonlocal number
        moment = Moment(position.seen_by(mover, rules.game), dice, hand, turn)
        frame, label = table.shot(moment, number)
        number += 1
        return KeyFrame(frame, label, {"frame": number - 1, **event})

    yield shown({"phase": "rest", "type": "start"})
    first, second = (int(face) for face in rng.permutation(6)[:2] + 1)
    dice = table.roll((first, second), (Side.WHITE, Side.BLACK), position, rng)
    values = {"A": first, "B": second}
    yield shown({"phase": "rest", "type": "opening_roll", "values": values}, dice)
    if second > first:
        position, mover = position.turned(rules.game), Side.BLACK
    starter, roll = mover, Roll(max(first, second), min(first, second))
    for turn in range(turns):
        name = {"player": "A" if mover is Side.WHITE else "B"}
        if table.befall(turn, rng) and turn:
            for _ in range(WAITING):
                yield shown({"phase": "waiting", "type": "waiting"}, turn=turn)
        if turn:
            faces = (int(rng.integers(1, 7)), int(rng.integers(1, 7)))
            roll = Roll(max(faces), min(faces))
            dice = table.roll(faces, (mover, mover), position.seen_by(mover, rules.game), rng)
            rolled = {"phase": "rest", "type": "roll", "valid": True, "roll_kind": "valid", "values": list(faces)}
            yield shown({**rolled, **name}, dice, turn=turn)
        hand = clutter.random_hand(rng, table.dims.half_width)
        yield shown({"phase": "hand", "type": "moving_checker", **name}, dice, hand, turn)
        after = _played(position, roll, rules, rng, first_turn=turn < 2, second_player=mover is not starter)
        _lay_anew(table, position.seen_by(mover, rules.game), after.seen_by(mover, rules.game))
        position = after
        yield shown({"phase": "rest", "type": "move", "legal": True, **name}, dice, turn=turn)
        hand = clutter.random_hand(rng, table.dims.half_width)
        yield shown({"phase": "hand", "type": "dice_pickup_start", **name}, (), hand, turn)
        yield shown({"phase": "rest", "type": "dice_picked_up", **name}, turn=turn)
        if finished(position, rules):
            return
        position, mover = position.turned(rules.game), mover.other


def _played(position: Position, roll: Roll, rules: Ruleset, rng: Any, **whose: bool) -> Position:
    ends = sorted(legal_plays(position, roll, rules, **whose), key=lambda end: end.compact())
    return ends[int(rng.integers(len(ends)))]


def _lay_anew(table: Table, before: Position, after: Position) -> None:
    for point, (old, new) in enumerate(zip(before.points, after.points, strict=True)):
        if old * new <= 0 and old != new:
            table.lay_anew(point)


def draw_games(folder: Path, games: int, seed: int, turns: int) -> None:
    """Write that many games, each in a folder of its own."""
    for game in range(games):
        target = folder / f"game_{seed}_{game:03d}"
        target.mkdir(parents=True, exist_ok=True)
        events = []
        first = SEEDS_APART + seed * 1000 + game
        for key in draw_game(first, turns):
            picture = target / str(key.label["image"])
            cv2.imwrite(str(picture), key.frame)
            picture.with_suffix(".json").write_text(json.dumps(key.label), encoding="utf-8")
            events.append(key.event)
        family = "short" if FAMILIES[first % len(FAMILIES)] == "short-ru" else "long"
        (target / "events.json").write_text(json.dumps({"family": family, "frames": events}), encoding="utf-8")


def main() -> None:
    """Draw from the command line."""
    parser = argparse.ArgumentParser(prog="python -m controller.evaluate.drawn_games", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    draw_games(asked.folder, asked.games, asked.seed, asked.turns)


if __name__ == "__main__":
    main()
