"""The camera adapter: after a bump nothing is read until the board is found again; a restart knows the place."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from controller.adapters.camera import CameraAdapter, open_camera, tracker_of
from controller.adapters.place_memory import PlaceMemory
from controller.clock import Millis
from controller.ports.sight import KnownPosition, Wanted
from controller.referee import events
from controller.referee.events import (
    BoardChecked,
    BoardPlace,
    CubeSeen,
    Event,
    Looked,
    Scene,
    SceneChanged,
)
from controller.rules import Game, Side
from controller.simulator.camera import VirtualCamera
from controller.simulator.layout import Place
from controller.simulator.world import Checker, Hand, View, World
from vision.board.geometry import BoardPose, Frame
from vision.camera.motion import SceneWatch
from vision.checkers.memory import BoardMemory, KnownCheckers
from vision.readings import BoardReading, CubeColumn, CubeReading, CubeSide, DieReading, PlaceReading

pytestmark = pytest.mark.slow  # loads the networks

FRAME_MS = 200
START = ((6, 5), (8, 3), (13, 5), (24, 2))
BUMP = View(0.01, -0.006, 0.3, 0.2, 1.1)


HUNG = View()

WANTED = Wanted(looks=True)


def world(view: View = HUNG, hand: Hand | None = None) -> World:
    checkers = tuple(
        Checker(side, Place(place if side is Side.WHITE else 25 - place), order)
        for side in Side
        for place, count in START
        for order in range(count)
    )
    return World(checkers, hand=hand, view=view)


@pytest.fixture(scope="module")
def camera() -> VirtualCamera:
    return VirtualCamera()


@pytest.fixture(scope="module")
def pose(camera: VirtualCamera) -> BoardPose:
    camera.picture(world(), 0)
    return BoardPose(camera.corners_px, camera.shape, camera.size)


class BlindReader:
    """Reads nothing, so that only where and when it is asked to counts."""

    def __init__(self) -> None:
        self.poses: list[BoardPose] = []

    def read(self, _frame: Frame, pose: BoardPose, *, memory: BoardMemory) -> BoardReading:
        assert memory.reading is None
        self.poses.append(pose)
        nothing = PlaceReading(((0, 1.0),))
        return BoardReading((nothing,) * 24, nothing, nothing)

    def learn(self, _memory: BoardMemory, _frame: Frame, _pose: BoardPose, _known: KnownCheckers, /) -> None:
        raise AssertionError


class SureCube:
    """Sees a cube wherever it is asked to look."""

    def read(self, _frame: Frame, _pose: BoardPose) -> CubeReading:
        odds = ((16, 0.98), (64, 0.01))
        return CubeReading(1.1, 0.9, 40.0, 30.0, 30.0, 0.99, odds, 16, CubeColumn.RIGHT, CubeSide.FAR)


class NoDice:
    def read(self, _frame: Frame, _pose: BoardPose) -> tuple[DieReading, ...]:
        return ()


def blind_adapter(pose: BoardPose, reader: BlindReader, memory: PlaceMemory | None = None) -> CameraAdapter:
    return CameraAdapter(tracker_of(pose, memory), reader, NoDice(), SceneWatch, memory)


def seen(
    camera_adapter: CameraAdapter,
    camera: VirtualCamera,
    worlds: list[World],
    first_ms: int = 0,
    *,
    wanted: Wanted = WANTED,
) -> list[Event]:
    posted: list[Event] = []
    for number, now in enumerate(worlds):
        at = Millis(first_ms + number * FRAME_MS)
        posted += camera_adapter.see(camera.picture(now, at), at, wanted)
    return posted


def test_a_bump_is_reported_within_a_second_and_the_board_is_read_where_it_is_now(
    camera: VirtualCamera, pose: BoardPose
) -> None:
    camera_adapter = open_camera(pose, Game.SHORT)
    seen(camera_adapter, camera, [world()] * 4)
    posted = seen(camera_adapter, camera, [world(BUMP)] * 8, 800)
    places = [event for event in posted if isinstance(event, BoardChecked)]
    assert [event.place for event in places] == [BoardPlace.MOVED, BoardPlace.IN_PLACE]
    assert places[0].at <= 800 + 1000
    looks = [event for event in posted if isinstance(event, Looked)]
    assert looks
    assert all(look.at >= places[1].at for look in looks), "a look at a moved board means nothing"
    best = [odds[0][0] for odds in looks[-1].board.points]
    assert best == list(world().position().points)


def test_while_the_board_is_away_the_scene_is_unreadable_and_nothing_is_read(
    camera: VirtualCamera, pose: BoardPose
) -> None:
    reader = BlindReader()
    camera_adapter = blind_adapter(pose, reader)
    seen(camera_adapter, camera, [world()] * 4)
    read = len(reader.poses)
    posted: list[Event] = []
    elsewhere = np.random.default_rng(2).integers(60, 200, (9, 16, 3), np.uint8)
    away = np.ascontiguousarray(np.kron(elsewhere, np.ones((80, 80, 1), np.uint8)))
    for number in range(8):
        posted += camera_adapter.see(away, Millis(800 + number * FRAME_MS), WANTED)
    assert [event.place for event in posted if isinstance(event, BoardChecked)] == [BoardPlace.OUT_OF_VIEW]
    assert [event.scene for event in posted if isinstance(event, SceneChanged)][-1] is Scene.UNREADABLE
    assert len(reader.poses) == read
    back = seen(camera_adapter, camera, [world()] * 6, 2_600)
    assert [event.place for event in back if isinstance(event, BoardChecked)] == [BoardPlace.IN_PLACE]
    assert len(reader.poses) > read


def test_hands_and_played_checkers_move_no_board(camera: VirtualCamera, pose: BoardPose) -> None:
    camera_adapter = blind_adapter(pose, BlindReader())
    hands = [world(hand=Hand(Side.WHITE, 0.1 * number, 0.4)) for number in range(10)]
    played = World(world().checkers[3:20])
    posted = seen(camera_adapter, camera, [world(), *hands, *[played] * 5, world()])
    assert not [event for event in posted if isinstance(event, BoardChecked)]


def test_a_camera_bumped_while_the_service_was_down_is_found_out(
    camera: VirtualCamera, pose: BoardPose, tmp_path: Path
) -> None:
    memory = PlaceMemory(tmp_path / "place.npz", pose)
    seen(blind_adapter(pose, BlindReader(), memory), camera, [world()] * 3)
    reader = BlindReader()
    posted = seen(blind_adapter(pose, reader, memory), camera, [world(BUMP)] * 6, 5_000)
    assert [event.place for event in posted if isinstance(event, BoardChecked)] == [
        BoardPlace.MOVED,
        BoardPlace.IN_PLACE,
    ]
    camera.picture(world(BUMP), 0)
    for used in reader.poses:
        assert np.abs(used.corners - camera.corners_px).max() < 4
    third = BlindReader()
    posted = seen(blind_adapter(pose, third, memory), camera, [world(BUMP)] * 4, 9_000)
    assert not [event for event in posted if isinstance(event, BoardChecked)]
    assert np.abs(third.poses[-1].corners - camera.corners_px).max() < 4


def test_corners_that_were_measured_anew_go_before_what_is_remembered(
    camera: VirtualCamera, pose: BoardPose, tmp_path: Path
) -> None:
    PlaceMemory(tmp_path / "place.npz", pose).keep(camera.picture(world(), 0), pose)
    anew = BoardPose(pose.corners + 2, pose.shape, pose.frame_size)
    assert PlaceMemory(tmp_path / "place.npz", anew).recall() is None
    assert PlaceMemory(tmp_path / "place.npz", pose).recall() is not None


@pytest.mark.parametrize("contents", [b"", b"not a place", b"PK\x03\x04 torn"])
def test_a_damaged_memory_is_no_memory(pose: BoardPose, tmp_path: Path, contents: bytes) -> None:
    (tmp_path / "place.npz").write_bytes(contents)
    assert PlaceMemory(tmp_path / "place.npz", pose).recall() is None


@pytest.mark.parametrize("played", [True, False])
def test_a_cube_is_looked_for_only_where_one_is_played_with(
    camera: VirtualCamera, pose: BoardPose, *, played: bool
) -> None:
    camera_adapter = CameraAdapter(tracker_of(pose, None), BlindReader(), NoDice(), SceneWatch, None, SureCube())
    looks = [
        event
        for event in seen(camera_adapter, camera, [world()] * 4, wanted=replace(WANTED, cube=played))
        if isinstance(event, Looked)
    ]
    assert looks
    assert {look.cube for look in looks} == {None} | ({CubeSeen(16, events.CubeSide.FAR)} if played else set())


def test_a_look_that_cannot_be_learnt_does_not_stop_the_camera(camera: VirtualCamera, pose: BoardPose) -> None:
    camera_adapter = open_camera(pose, Game.SHORT)
    # The arbiter begins the game while no checker stands where the start position has it.
    (*_, look) = seen(camera_adapter, camera, [World()] * 3)
    camera_adapter.learn(KnownPosition(1, look.at, world().position().points))
    assert not camera_adapter.learnt
    assert any(isinstance(event, Looked) for event in seen(camera_adapter, camera, [World()] * 3, 1_000))


def test_only_a_look_that_was_posted_and_is_kept_teaches(camera: VirtualCamera, pose: BoardPose) -> None:
    camera_adapter = open_camera(pose, Game.SHORT)
    looks = [event for event in seen(camera_adapter, camera, [world()] * 4) if isinstance(event, Looked)]
    camera_adapter.learn(KnownPosition(1, Millis(looks[-1].at + 1), world().position().points))
    assert not camera_adapter.learnt
    camera_adapter.learn(KnownPosition(2, looks[-1].at, world().position().points))
    assert camera_adapter.learnt


def test_a_lamp_that_goes_out_is_named_and_moves_no_board(camera: VirtualCamera, pose: BoardPose) -> None:
    reader = BlindReader()
    camera_adapter = blind_adapter(pose, reader)
    seen(camera_adapter, camera, [world()] * 3)
    read = len(reader.poses)
    posted: list[Event] = []
    for number, level in enumerate((0, 0, 255, 255)):
        posted += camera_adapter.see(np.full((720, 1280, 3), level, np.uint8), Millis(600 + number * 200), WANTED)
    assert len(reader.poses) == read
    posted += seen(camera_adapter, camera, [world()] * 3, 1_400)
    places = [event.place for event in posted if isinstance(event, BoardChecked)]
    assert places == [BoardPlace.TOO_DARK, BoardPlace.OVEREXPOSED, BoardPlace.IN_PLACE]
    assert len(reader.poses) > read
