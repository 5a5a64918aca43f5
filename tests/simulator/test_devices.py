"""What camera, reeds and buttons of the virtual table tell, held against the table itself."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory
from scripted import ScriptedReferee, sit_down

from controller.adapters.shown import ShownPhase as Phase
from controller.clock import Millis
from controller.fusion.hypotheses import Hypothesis, HypothesisKind
from controller.referee import orders
from controller.referee.rulings import Judge, PlayRuling, PlayVerdict
from controller.referee.state import Phase as RefereePhase
from controller.referee.state import TurnInPlay
from controller.rules import Fault, FaultKind, Position, Roll, Side, ruleset, start
from controller.simulator.actions import Helped, Press, Release, TableEntry, Verb
from controller.simulator.arbiter import NAME, command_of
from controller.simulator.camera import VirtualCamera, layout_of
from controller.simulator.contacts import VirtualFingers, closed_slots
from controller.simulator.crossing import table_position
from controller.simulator.hardware import VirtualHardware, stand_in
from controller.simulator.layout import BAR, OFF, Layout, Place
from controller.simulator.table import VirtualTable
from controller.simulator.throws import placed
from controller.simulator.visible import Subject, Verdict, visible_state
from controller.simulator.world import Checker, Die, Hand, TableDieState, TablePosition, World
from firmware_bridge.emulator import missing, virtual_board
from firmware_bridge.rig import Rig
from firmware_bridge.values import ButtonPress, LinkLost, ReedFrame
from tests.referee.tabletop import Table
from vision.synthetic.dice_shape import project
from vision.synthetic.style import club_style

RIG = Rig.load("full")


def stack(side: Side, place: int, count: int) -> tuple[Checker, ...]:
    return tuple(Checker(side, Place(place), order) for order in range(count))


def test_the_first_slots_of_a_point_close_and_no_more_than_it_has() -> None:
    world = World(checkers=(*stack(Side.WHITE, 24, 13), *stack(Side.BLACK, 7, 2), *stack(Side.BLACK, BAR, 1)))
    assert closed_slots(world, RIG) == {*RIG.slots["p24"], *RIG.slots["p7"][:2], RIG.slots["bar_black"][0]}


def test_a_checker_in_a_hand_closes_nothing() -> None:
    world = World(checkers=stack(Side.WHITE, 6, 2), held=1)
    assert closed_slots(world, RIG) == {RIG.slots["p6"][0]}


def test_borne_off_checkers_lie_in_their_own_tray() -> None:
    world = World(checkers=(*stack(Side.WHITE, OFF, 3), *stack(Side.BLACK, OFF, 1)))
    assert closed_slots(world, RIG) == {*RIG.slots["tray_white"][:3], RIG.slots["tray_black"][0]}


def test_fingers_pull_the_pins_of_the_rig_to_ground() -> None:
    pins, rig = MockFactory(), Rig.load("full_pi")
    white = pins.pin(rig.buttons["white"])
    white.function, white.pull = "input", "up"
    fingers = VirtualFingers(pins, rig)
    fingers.hear(TableEntry(0, Press(Side.WHITE)), World())
    assert white.state == 0
    fingers.hear(TableEntry(100, Release(Side.WHITE)), World())
    assert white.state == 1


@pytest.fixture(scope="module")
def camera() -> VirtualCamera:
    return VirtualCamera()


def brightness(camera: VirtualCamera, frame: np.ndarray, checker: Checker) -> float:
    """Return the mean brightness of a checker's top in the picture, found by the renderer's own projection."""
    spot, dims = placed(camera.layout, checker), camera.style.dims
    x, y = (spot.u - 0.5) * 2 * dims.half_width, (spot.v - 0.5) * 2 * dims.half_depth
    top = (spot.layer + 1) * dims.thickness
    ((px, py),) = project(camera._renderer.camera, [(x, y, top)])
    return float(frame[round(py) - 4 : round(py) + 5, round(px) - 4 : round(px) + 5].mean())


def test_checkers_are_seen_where_they_lie_in_their_own_colour(camera: VirtualCamera) -> None:
    rules = ruleset("short-wbgf")
    position = table_position(start(rules.game), Side.WHITE, rules.game)
    checkers = tuple(
        checker
        for side in Side
        for place in range(1, 25)
        for checker in stack(side, place, position.count(side, Place(place)))
    )
    frame = camera.picture(World(checkers=checkers), 0)
    assert frame.shape == (720, 1280, 3)
    for checker in checkers:
        level = brightness(camera, frame, checker)
        assert (level > 150) if checker.side is Side.WHITE else (level < 90)


def test_a_still_table_gives_the_same_picture_but_for_the_noise(camera: VirtualCamera) -> None:
    world = World(checkers=stack(Side.WHITE, 24, 15))
    first, second = (camera.picture(world, moment).astype(int) for moment in (100, 200))
    assert not np.array_equal(first, second)
    assert np.abs(first - second).mean() < 5


@pytest.mark.parametrize(
    "change",
    [
        {"dice": (Die(Side.WHITE, 0, TableDieState.FLAT, 5, 0.75, 0.5),)},
        {"dice": (Die(Side.BLACK, 0, TableDieState.OFF_BOARD, 5, -0.13, 0.25),)},
        {"hand": Hand(Side.BLACK, 0.3, 0.6)},
        {"checkers": (*stack(Side.WHITE, 24, 14), Checker(Side.WHITE, Place(18), 0))},
    ],
)
def test_whatever_changes_on_the_table_changes_the_picture(camera: VirtualCamera, change: dict[str, object]) -> None:
    before = World(checkers=stack(Side.WHITE, 24, 15))
    after = World(**{"checkers": before.checkers, **change})  # type: ignore[arg-type]
    difference = np.abs(camera.picture(before, 0).astype(int) - camera.picture(after, 0).astype(int))
    assert (difference.max(axis=2) > 40).sum() > 150


def test_the_table_has_the_measures_of_the_board_that_is_drawn() -> None:
    assert layout_of(club_style().dims, Layout().die_m).column_u(Place(9)) == pytest.approx(
        Layout().column_u(Place(9)), abs=1e-3
    )
    assert Layout().width_m == pytest.approx(2 * club_style().dims.half_width)
    assert Layout().height_m == pytest.approx(2 * club_style().dims.half_depth)


def test_the_whole_board_and_what_lies_beside_it_is_in_view(camera: VirtualCamera) -> None:
    width, height = camera.size
    dims = camera.style.dims
    for u, v in [(-0.16, 0.1), (1.16, 0.9), (1.25, 0.05), (-0.25, 0.95), (0.5, -0.05), (0.5, 1.05)]:
        x, y = (u - 0.5) * 2 * dims.half_width, (v - 0.5) * 2 * dims.half_depth
        ((px, py),) = project(camera._renderer.camera, [(x, y, 0.0)])
        assert 0 < px < width
        assert 0 < py < height


@pytest.mark.parametrize("board", ["stand-in", pytest.param("firmware", marks=pytest.mark.slow)])
def test_a_game_through_pty_and_pins_tells_every_change_and_every_press(tmp_path: Path, board: str) -> None:
    if board == "firmware" and (reason := missing()):
        pytest.skip(reason)
    table, referee = sit_down(tmp_path / "table", "hyper", seed=3)
    now = 0
    build = virtual_board if board == "firmware" else stand_in
    hardware = VirtualHardware(table, lambda: now, tmp_path, size=(320, 180), build=build)
    presses: list[ButtonPress] = []
    wanted: list[tuple[int, str]] = []

    def note(entry: TableEntry, _world: World) -> None:
        if isinstance(entry.action, Press):
            wanted.append((entry.at_ms, entry.action.side.value))

    table.listen(note)
    try:
        while not table.done:
            now += 200
            table.show(referee.look())
            table.advance(now)
            told = hardware.poll()
            assert not [value for value in told if isinstance(value, LinkLost)]
            presses += [value for value in told if isinstance(value, ButtonPress)]
            frames = [value for value in told if isinstance(value, ReedFrame)]
            if frames:
                assert set(frames[-1].occupied) == closed_slots(table.world, hardware.rig)
        presses += [value for value in hardware.poll() if isinstance(value, ButtonPress)]
    finally:
        hardware.close()
    assert [(press.at_us // 1_000, press.button) for press in presses] == wanted
    assert all(a.count + 1 == b.count for a, b in pairwise(presses))


def test_what_the_arbiter_orders_reaches_the_referee(tmp_path: Path) -> None:
    position = TablePosition((0,) * 24, (1, 2), (14, 13))
    assert command_of(Helped(Verb.VOID_THROW)).by == NAME
    assert command_of(Helped(Verb.VOID_THROW)).order == orders.VoidThrow()
    assert command_of(Helped(Verb.CONFIRM, "17", 2)).order == orders.Confirm(
        orders.RulingNumber(17), orders.HypothesisNumber(2)
    )
    assert command_of(Helped(Verb.SET_ROLL, roll=(6, 2))).order == orders.SetRoll((orders.Face(6), orders.Face(2)))
    correct = command_of(Helped(Verb.CORRECT, position=position, turn=Side.BLACK))
    assert correct.order == orders.Correct(Position((0,) * 24, (1, 2), (14, 13)), Side.BLACK)
    kestum = command_of(Helped(Verb.KESTUM))
    assert (kestum.order, kestum.by) == (orders.CallKestum(), "opponent")
    table = VirtualTable(ruleset("hyper"), tmp_path / "table")
    hardware = VirtualHardware(table, lambda: 0, tmp_path, size=(320, 180))
    try:
        assert hardware.commands() == ()
        referee = ScriptedReferee(ruleset("hyper"))
        table.show(referee.seen)
        now = 0
        while not table.state.helps:
            now += 500
            table.advance(now)
        assert [command.order for command in hardware.commands()] == [orders.Start()]
        assert hardware.commands() == ()
    finally:
        hardware.close()


def test_the_display_shows_state_and_ruling_from_whites_side() -> None:
    before = Table(ruleset("short-wbgf")).state
    points = (15,) + (0,) * 23
    state = replace(
        before,
        phase=RefereePhase.DECIDING,
        turn=Side.BLACK,
        position=Position(points),
        in_play=TurnInPlay(roll=Roll(6, 3)),
    )
    told = Hypothesis(HypothesisKind.ILLEGAL, Position(points, off=(15, 0)), None, 0.6, 0.0)
    faults = (Fault(FaultKind.BLOCKED_POINT, "", "", "", ()),)
    ruling = PlayRuling(
        9, Millis(0), Side.BLACK, (6, 3), PlayVerdict.PLEASE_LOOK, Judge.REFEREE, Position(points), Position(points),
        None, faults, hypotheses=(told,),
    )  # fmt: skip
    seen = visible_state(state, ruling)
    assert (seen.phase, seen.side, seen.roll, seen.score) == (Phase.DECIDING, Side.BLACK, (6, 3), (0, 0))
    assert seen.position == TablePosition((0,) * 23 + (-15,), (0, 0), (0, 0))
    assert seen.ruling is not None
    assert (seen.ruling.subject, seen.ruling.verdict) == (Subject.PLAY, Verdict.PLEASE_LOOK)
    assert (seen.ruling.roll, seen.ruling.reason) == ((6, 3), "blocked_point")
    assert seen.ruling.hypotheses[0].position == TablePosition((0,) * 23 + (-15,), (0, 0), (0, 15))
    assert not seen.ruling.hypotheses[0].legal
