"""Crowds of dice for the path tracer: cocked dice lean on something and stand in nothing."""

import numpy as np
import numpy.typing as npt
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.readings import DieState
from vision.synthetic.dice_shape import CORNERS, Die, top_face
from vision.training.pictures.crowded import CrowdedScene, crowd

SEEDS = st.integers(0, 1 << 30)
TOUCH_M = 0.0015
"""Dice are slid in steps of a thirtieth of their size."""
Points = npt.NDArray[np.float64]


def _solid(die: Die) -> Points:
    """Points through a die's whole body but for its rounded edges, board frame."""
    reach = 1 - die.look.rounding * 0.45
    step = np.linspace(-reach, reach, 17)
    grid = np.stack(np.meshgrid(step, step, step), -1).reshape(-1, 3) * die.look.size_m / 2
    return np.asarray(grid @ die.pose.rotation.T + (die.pose.x_m, die.pose.y_m, die.pose.z_m))


def _depth_in_checkers(scene: CrowdedScene, points: Points) -> float:
    """How far the points reach into any checker; negative: how far they stay away."""
    dims = scene.style.dims
    deepest = -1.0
    for checker in scene.checkers:
        in_round = dims.checker / 2 - np.hypot(points[:, 0] - checker.x_m, points[:, 1] - checker.y_m)
        in_height = np.minimum(points[:, 2] - checker.z_m, checker.z_m + dims.thickness - points[:, 2])
        deepest = max(deepest, float(np.minimum(in_round, in_height).max()))
    return deepest


def _depth_in_walls(scene: CrowdedScene, points: Points) -> float:
    dims = scene.style.dims
    x, y, z = np.abs(points[:, 0]), np.abs(points[:, 1]), points[:, 2]
    walls = [x - dims.half_width, y - dims.half_depth]
    depth = max(float(np.minimum(wall, dims.rim_height - z).max()) for wall in walls)
    return max(depth, float(np.minimum(dims.bar / 2 - x, dims.bar_height - z).max()))


def _depth_in_die(points: Points, other: Die) -> float:
    middle = np.array([other.pose.x_m, other.pose.y_m, other.pose.z_m])
    return float((other.look.size_m / 2 - np.abs((points - middle) @ other.pose.rotation)).min(1).max())


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_a_cocked_die_leans_on_something_and_stands_in_no_checker(seed: int) -> None:
    scene = crowd(seed)
    for thrown, rest in scene.dice:
        if rest is not DieState.COCKED:
            continue
        points = _solid(thrown.die)
        others = [other.die for other, _ in scene.dice if other is not thrown]
        in_checkers = _depth_in_checkers(scene, points)
        reach = max([in_checkers, _depth_in_walls(scene, points), *(_depth_in_die(points, die) for die in others)])
        assert reach > -2 * TOUCH_M, "it leans on nothing"
        assert in_checkers < TOUCH_M, "it stands in a checker"
        assert top_face(thrown.die.pose, thrown.die.look)[1] > 4


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_flat_dice_are_level_and_rest_on_the_board(seed: int) -> None:
    scene = crowd(seed)
    for thrown, rest in scene.dice:
        if rest is DieState.FLAT:
            die = thrown.die
            corners = CORNERS @ die.pose.rotation.T * die.look.size_m / 2
            assert top_face(die.pose, die.look)[1] < 1e-3
            assert abs(float(corners[:, 2].min()) + die.pose.z_m) < 1e-9


def test_equal_seeds_give_equal_scenes() -> None:
    one, two = crowd(3), crowd(3)
    assert [(rest, die.die.pose.x_m) for die, rest in one.dice] == [(rest, die.die.pose.x_m) for die, rest in two.dice]
    assert [(c.x_m, c.y_m) for c in one.checkers] == [(c.x_m, c.y_m) for c in two.checkers]
