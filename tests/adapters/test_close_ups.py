"""The pictures a ruling rests on: the frame that was ruled on, and each die large enough to be read off it again."""

import cv2
import numpy as np
import pytest

from controller.adapters.camera import CameraAdapter
from controller.adapters.close_ups import CLOSE_UP_PX, Look
from controller.clock import Millis
from controller.ports.sight import Wanted
from controller.referee.events import DieSeen, DieState, Half
from controller.referee.rulings import DieAtRest
from vision.board.geometry import BoardPose, BoardShape, Frame
from vision.board.tracker import BoardTracker
from vision.camera.motion import SceneState
from vision.checkers.memory import BoardMemory, KnownCheckers
from vision.dice.reader import DiceReader
from vision.readings import BoardReading, DieReading, PlaceReading
from vision.synthetic.dice import Die, DieLook, flat_pose
from vision.synthetic.scene import DieOnTable, Renderer
from vision.synthetic.style import club_style
from vision.synthetic.viewpoint import overhead_camera

SIZE = (1280, 720)


@pytest.fixture(scope="module")
def club() -> Renderer:
    style = club_style()
    return Renderer(style, overhead_camera(style.dims, SIZE, tilt_deg=15.0), SIZE)


@pytest.fixture(scope="module")
def pose(club: Renderer) -> BoardPose:
    return BoardPose(club.corners_px, BoardShape(club.style.dims.bar_edges), SIZE)


def thrown(club: Renderer, first: int, second: int) -> Frame:
    look = DieLook(size_m=0.017)
    dice = ((first, 0.12, 0.01, 0.5), (second, 0.2, -0.03, 1.1))
    return club.render(
        (), tuple(DieOnTable(Die(look, flat_pose(n, look, (x, y, 0.0), yaw))) for n, x, y, yaw in dice)
    ).frame


def lies(club: Renderer, x_m: float, y_m: float, face: int) -> DieAtRest:
    dims = club.style.dims
    return DieAtRest(
        x_m / (2 * dims.half_width) + 0.5, y_m / (2 * dims.half_depth) + 0.5, face, 0.99, DieState.FLAT, Half.RIGHT
    )


def shown(jpeg: bytes) -> Frame:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def test_each_die_can_be_read_off_its_close_up(club: Renderer, pose: BoardPose) -> None:
    look = Look(Millis(1), thrown(club, 5, 2), pose)
    taken = look.pictures((lies(club, 0.12, 0.01, 5), lies(club, 0.2, -0.03, 2)))
    faces = []
    for picture in taken.close_ups:
        frame = shown(picture)
        assert frame.shape == (CLOSE_UP_PX, CLOSE_UP_PX, 3)
        (die,) = DiceReader().read(frame, None)
        assert die.size_px > CLOSE_UP_PX / 6
        assert np.hypot(die.x_px - CLOSE_UP_PX / 2, die.y_px - CLOSE_UP_PX / 2) < CLOSE_UP_PX / 6
        faces.append(die.face)
    assert faces == [5, 2]
    assert shown(taken.whole).shape == (720, 1280, 3)


def test_a_close_up_follows_what_was_read_rather_than_the_place_on_the_board(pose: BoardPose) -> None:
    frame = np.full((720, 1280, 3), 90, np.uint8)
    frame[300:320, 400:420] = 255
    seen = DieSeen(0.7, 0.5, (1.0, 0, 0, 0, 0, 0), ((DieState.FLAT, 1.0),), Half.RIGHT, 410.0, 310.0, 20.0)
    (picture,) = (
        Look(Millis(1), frame, pose, (seen,))
        .pictures((DieAtRest(0.705, 0.5, 1, 1.0, DieState.FLAT, Half.RIGHT),))
        .close_ups
    )
    grey = shown(picture)[..., 0]
    assert grey[CLOSE_UP_PX // 2, CLOSE_UP_PX // 2] > 240
    assert 0.03 < (grey > 170).mean() < 0.08


def test_a_die_at_the_edge_of_the_frame_has_a_whole_close_up(club: Renderer, pose: BoardPose) -> None:
    (picture,) = (
        Look(Millis(1), thrown(club, 5, 2), pose)
        .pictures((DieAtRest(1.6, 1.5, 3, 0.5, DieState.UNSURE, Half.NONE),))
        .close_ups
    )
    assert shown(picture).shape == (CLOSE_UP_PX, CLOSE_UP_PX, 3)


class Blind:
    """Readers and watch for a test that is about what is kept, not about what is read."""

    def read(self, _frame: Frame, _pose: BoardPose, *, memory: BoardMemory) -> BoardReading:
        assert memory.reading is None
        empty = PlaceReading(((0, 1.0),))
        return BoardReading((empty,) * 24, empty, empty)

    def learn(self, _memory: BoardMemory, _frame: Frame, _pose: BoardPose, _known: KnownCheckers, /) -> None:
        raise AssertionError

    def distrust(self) -> None:
        pass

    def update(self, _frame: Frame, _at: int) -> SceneState:
        return SceneState.QUIET


class NoDice:
    def read(self, _frame: Frame, _pose: BoardPose) -> tuple[DieReading, ...]:
        return ()


def test_a_ruling_keeps_the_frame_it_rests_on_though_the_camera_went_on(club: Renderer, pose: BoardPose) -> None:
    camera_adapter = CameraAdapter(BoardTracker(pose), Blind(), NoDice(), lambda _pose: Blind())
    assert camera_adapter.taken(Millis(0), ()) is None
    frames = [club.noisy(thrown(club, *faces), 1) for faces in ((5, 2), (1, 6), (4, 4))]
    for at, frame in zip((100, 300, 500), frames, strict=True):
        camera_adapter.see(frame, Millis(at), Wanted())
    seen = [camera_adapter.taken(Millis(at), ()) for at in (100, 350, 500, 900)]
    likest = [
        min(range(3), key=lambda number: float(np.abs(shown(taken.whole).astype(float) - frames[number]).mean()))
        for taken in seen
        if taken is not None
    ]
    assert likest == [0, 1, 2, 2]
