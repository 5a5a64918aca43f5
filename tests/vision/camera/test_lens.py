"""A lens is learnt back from pictures that a known lens has bent."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.board.geometry import Frame
from vision.camera.lens import Lens, LensError, charuco_sheet, learn_lens
from vision.synthetic.dice_shape import PinholeCamera
from vision.synthetic.finish import bend
from vision.synthetic.viewpoint import camera_at, plane_to_picture

SIZE = (1280, 720)
FOCAL = 1000.0
BEND = (-0.12, 0.03)


def photo(x: float, y: float, z: float) -> Frame:
    """The printed sheet on a table, seen from a place through the known lens."""
    camera = camera_at((x, y, z), (0.0, 0.0, 0.0), FOCAL, SIZE, distortion=BEND)
    sheet = cv2.cvtColor(charuco_sheet(4.0), cv2.COLOR_GRAY2BGR)
    height, width = sheet.shape[:2]
    metres = 0.297 / height
    to_table = np.array([(metres, 0, -metres * width / 2), (0, -metres, metres * height / 2), (0, 0, 1)])
    perfect = PinholeCamera(camera.matrix, camera.rotation, camera.translation)
    flat = cv2.warpPerspective(
        sheet, plane_to_picture(perfect, 0.0) @ to_table, SIZE, borderValue=(120.0, 120.0, 120.0)
    )
    return bend(np.asarray(flat, np.uint8), camera)


@pytest.fixture(scope="module")
def photos() -> list[Frame]:
    places = [
        (0.0, -0.02, 0.33),
        (0.12, -0.1, 0.3),
        (-0.13, 0.1, 0.3),
        (0.1, 0.14, 0.28),
        (-0.1, -0.14, 0.3),
        (0.02, 0.2, 0.26),
    ]
    return [photo(*place) for place in places]


def test_the_lens_is_learnt_back(photos: list[Frame]) -> None:
    lens = learn_lens(photos)
    assert lens.focal[0] == pytest.approx(FOCAL, rel=0.02)
    assert lens.bend[0] == pytest.approx(BEND[0], abs=0.03)
    assert lens.error_px < 0.6


def test_straight_lines_come_back_straight() -> None:
    lens = Lens(SIZE, (FOCAL, FOCAL), (640.0, 360.0), (*BEND, 0.0, 0.0))
    ruled = np.full((720, 1280, 3), 255, np.uint8)
    cv2.line(ruled, (100, 80), (1180, 80), (0.0, 0.0, 0.0), 3)
    camera = camera_at((0.0, 0.0, 1.0), (0.0, 0.0, 0.0), FOCAL, SIZE, distortion=BEND)
    straight = lens.straighten(bend(ruled, camera))
    rows = [int(straight[40:140, x, 0].argmin()) + 40 for x in (200, 640, 1080)]
    assert max(rows) - min(rows) <= 1


def test_too_few_good_photos_are_counted(photos: list[Frame]) -> None:
    with pytest.raises(LensError, match="2 of 3 photos show the sheet well enough, 5 are needed"):
        learn_lens([*photos[:2], np.zeros_like(photos[0])])


def test_photos_of_two_sizes_are_of_two_cameras(photos: list[Frame]) -> None:
    with pytest.raises(LensError, match="these have 640x360, 1280x720: take all of them with the board's camera"):
        learn_lens([*photos, photos[0][::2, ::2]])


def test_a_lens_survives_its_file_and_scales_with_the_picture(tmp_path: Path) -> None:
    lens = Lens(SIZE, (FOCAL, FOCAL), (640.0, 360.0), (*BEND, 0.0, 0.0), 0.2)
    lens.save(tmp_path / "lens.json")
    assert Lens.load(tmp_path / "lens.json") == lens
    assert lens.matrix((640, 360))[0, 0] == pytest.approx(FOCAL / 2)


def test_a_file_that_is_no_lens_is_named(tmp_path: Path) -> None:
    with pytest.raises(LensError, match=r"gone\.json is not a lens file: No such file or directory$"):
        Lens.load(tmp_path / "gone.json")
