"""Where dice come to lie, measured against the checkers around them."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules import Side
from controller.simulator.actions import PlannedFault
from controller.simulator.layout import BAR, Layout, Place
from controller.simulator.throws import Cup, placed
from controller.simulator.world import POINTS, Checker, Die, TableDieState, World

LAYOUT = Layout()


@st.composite
def crowded_tables(draw: st.DrawFn) -> World:
    """Draw fifteen checkers of each side, anywhere on points and bar, one colour a point."""
    checkers: list[Checker] = []
    owners = draw(st.lists(st.sampled_from(list(Side)), min_size=24, max_size=24))
    for side in Side:
        places = [place for place in POINTS if owners[place - 1] is side] or [BAR]
        chosen = draw(st.lists(st.sampled_from([*places, BAR]), min_size=15, max_size=15))
        for place in sorted(set(chosen)):
            checkers.extend(Checker(side, place, order) for order in range(chosen.count(place)))
    return World(checkers=tuple(checkers))


def gap_m(die: Die, other: tuple[float, float], other_radius_m: float) -> float:
    """Return the least distance between a die, whichever way it is turned, and a round thing."""
    across = (die.u - other[0]) * LAYOUT.width_m
    along = (die.v - other[1]) * LAYOUT.height_m
    return math.hypot(across, along) - other_radius_m - LAYOUT.die_m / math.sqrt(2)


@given(crowded_tables(), st.integers(0, 1000), st.sampled_from(list(Side)))
def test_good_throws_touch_nothing_and_lie_in_the_throwers_right_half(world: World, seed: int, side: Side) -> None:
    dice = Cup(world, LAYOUT, Random(seed)).throw(side, (0, 1))
    assert dice is not None
    left, right = LAYOUT.bar
    for die in dice:
        assert die.state is TableDieState.FLAT
        assert (right < die.u < 1.0) if side is Side.WHITE else (0.0 < die.u < left)
        assert 0.0 < die.v < 1.0
        for checker in world.checkers:
            spot = placed(LAYOUT, checker)
            assert gap_m(die, (spot.u, spot.v), LAYOUT.checker_m / 2) > 0.003
    assert gap_m(dice[0], (dice[1].u, dice[1].v), LAYOUT.die_m / math.sqrt(2)) > 0.003


@given(crowded_tables(), st.integers(0, 1000), st.sampled_from(list(Side)))
def test_a_cocked_die_leans_on_exactly_one_checker(world: World, seed: int, side: Side) -> None:
    dice = Cup(world, LAYOUT, Random(seed)).throw(side, (0, 1), PlannedFault.COCKED)
    if dice is None:
        return
    (die,) = (die for die in dice if die.state is TableDieState.COCKED)
    spots = [placed(LAYOUT, checker) for checker in world.checkers]
    ground = [spot for spot in spots if spot.layer == 0]
    near = sorted(LAYOUT.apart_m((die.u, die.v), (spot.u, spot.v)) for spot in ground)
    # Its lower face meets the checker's rim at the checker's height above the edge it stands on.
    tilt = math.radians(die.tilt_deg)
    edge_to_rim = LAYOUT.thickness_m / math.tan(tilt)
    middle = LAYOUT.die_m / 2 * (math.cos(tilt) - math.sin(tilt))
    assert edge_to_rim * math.hypot(1, math.tan(tilt)) <= LAYOUT.die_m, "the face reaches the rim"
    touching = LAYOUT.checker_m / 2 + edge_to_rim - middle
    assert any(distance == pytest.approx(touching, abs=1e-6) for distance in near)
    assert len(near) < 2 or near[1] > LAYOUT.checker_m / 2 + LAYOUT.die_m * math.sqrt(0.5)


def test_an_empty_half_has_no_checker_to_lean_on_or_to_lie_on() -> None:
    far_away = World(checkers=(Checker(Side.WHITE, Place(9), 0),))
    for fault in (PlannedFault.COCKED, PlannedFault.ON_CHECKER):
        assert Cup(far_away, LAYOUT, Random(1)).throw(Side.WHITE, (0, 1), fault) is None
        assert Cup(far_away, LAYOUT, Random(1)).throw(Side.BLACK, (0, 1), fault) is not None


def test_a_die_on_a_stack_lies_on_its_highest_checker() -> None:
    head = World(checkers=tuple(Checker(Side.WHITE, Place(24), order) for order in range(15)))
    for seed in range(20):
        dice = Cup(head, LAYOUT, Random(seed)).throw(Side.WHITE, (0, 1), PlannedFault.ON_CHECKER)
        assert dice is not None
        assert dice[1].height_m == pytest.approx(3 * LAYOUT.thickness_m)


def test_all_faces_come_up() -> None:
    thrown = [Cup(World(), LAYOUT, Random(seed)).throw(Side.BLACK, (0, 1)) for seed in range(100)]
    assert {die.face for dice in thrown if dice for die in dice} == {1, 2, 3, 4, 5, 6}
