"""A builder's way: print the markers, measure lens and board, and find it all where the referee reads it."""

import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from weakref import WeakSet

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from controller.adapters.board_view import frames_of, pose_of
from controller.adapters.recordings import read_picture
from controller.cli.calibrate import CalibrationError, spread_out
from controller.cli.group import build
from controller.locale import Lang
from controller.settings import load
from tests.vision.camera.test_lens import BEND, FOCAL, photo
from tests.vision.table import SHORT_START, Table, make_table, with_markers
from vision.board.geometry import Frame
from vision.camera.lens import Lens, LensError
from vision.synthetic.finish import bend
from vision.synthetic.style import club_style
from vision.synthetic.viewpoint import camera_at

pytestmark = pytest.mark.slow  # loads the networks

LONG_START = (*[0] * 11, -15, *[0] * 11, 15)
SETTINGS = """
[board]  # the one at the window
id = "one"
home = "right"
[camera]
source = "frames"
[match]
ruleset = "{ruleset}"
"""


@pytest.fixture(scope="module")
def table() -> Table:
    return make_table(club_style())


@pytest.fixture(scope="module")
def marked(table: Table) -> Frame:
    return with_markers(table)


def sees(folder: Path, *pictures: Frame, ruleset: str = "short-wbgf") -> Path:
    """Settings of a board whose camera gives these pictures."""
    (folder / "frames").mkdir(exist_ok=True)
    for number, picture in enumerate(pictures):
        cv2.imwrite(str(folder / "frames" / f"{number:02}.png"), picture)
    settings = folder / "referee.toml"
    settings.write_text(SETTINGS.format(ruleset=ruleset), "utf-8")
    return settings


def calibrate(*arguments: object, lang: Lang = Lang.EN) -> Result:
    return CliRunner().invoke(build(lang), ["calibrate", *map(str, arguments)])


def corners_of(table: Table) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in table.pose.corners)


def test_a_marked_board_is_measured_into_its_settings_and_lies_there_once_the_markers_are_off(
    table: Table, marked: Frame, tmp_path: Path
) -> None:
    settings = sees(tmp_path, marked)
    done = calibrate("--config", settings)
    assert done.exit_code == 0, done.output
    assert "calibrated.png" in done.output
    assert "when the players have changed seats, calibrate again" in done.output
    assert "[board]  # the one at the window" in settings.read_text("utf-8")
    board = load(settings).board
    # Without markers in view the settings alone say where the board is.
    pose = pose_of(board, table.picture())
    assert np.abs(pose.corners - table.pose.corners).max() < 4
    assert pose.shape.bar == pytest.approx(table.pose.shape.bar, abs=0.015)
    drawn = read_picture(tmp_path / "calibrated.png")
    assert [drawn[round(y), round(x)].tolist() for x, y in table.pose.corners.tolist()] == 4 * [[60, 60, 235]]


def test_given_corners_need_no_markers(table: Table, tmp_path: Path) -> None:
    settings = sees(tmp_path, table.picture())
    done = calibrate("--config", settings, "--corners", corners_of(table))
    assert done.exit_code == 0, done.output
    assert load(settings).board.bar == pytest.approx(table.pose.shape.bar, abs=0.015)


def test_where_no_board_is_found_the_picture_is_kept_and_the_corners_asked_for(tmp_path: Path) -> None:
    settings = sees(tmp_path, np.full((720, 1280, 3), 120, np.uint8))
    before = settings.read_bytes()
    done = calibrate("--config", settings)
    assert isinstance(done.exception, CalibrationError)
    assert re.search(r"read the four corners off it and give them with --corners$", str(done.exception))
    # What to read them off lies there; the settings are as they were.
    assert read_picture(tmp_path / "calibrated.png").shape == (720, 1280, 3)
    assert settings.read_bytes() == before


def test_where_no_checker_lies_beside_the_bar_a_position_is_asked_for_or_the_bar(table: Table, tmp_path: Path) -> None:
    settings = sees(tmp_path, table.picture(LONG_START), ruleset="long-fnr")
    before = settings.read_bytes()
    done = calibrate("--config", settings, "--corners", corners_of(table))
    assert "set the board up as for backgammon" in str(done.exception)
    assert settings.read_bytes() == before
    done = calibrate("--config", settings, "--corners", corners_of(table), "--bar", "0.45,0.55")
    assert done.exit_code == 0, done.output
    assert load(settings).board.bar == (0.45, 0.55)


def test_a_board_set_up_the_other_way_round_is_noticed(table: Table, marked: Frame, tmp_path: Path) -> None:
    mirrored = (*SHORT_START[11::-1], *SHORT_START[:11:-1])
    settings = sees(tmp_path, table.picture(mirrored))
    assert "seen mirrored" in calibrate("--config", settings, "--corners", corners_of(table)).output
    assert "seen mirrored" not in calibrate("--config", sees(tmp_path, marked)).output


def test_a_picture_alone_gives_the_lines_to_write(
    marked: Frame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cv2.imwrite("board.png", marked)
    done = calibrate("--picture", "board.png")
    assert re.search(r"\[board\]\ncorners = \[\[.*\]\]\nbar = \[0\.4\d+, 0\.5\d+\]\n", done.output), done.output


def test_a_bent_lens_is_learnt_and_every_frame_straightened_by_it(table: Table, tmp_path: Path) -> None:
    camera = camera_at((0.0, 0.0, 1.0), (0.0, 0.0, 0.0), FOCAL, (1280, 720), distortion=BEND)
    settings = sees(tmp_path, bend(with_markers(table), camera))
    sheets = tmp_path / "sheets"
    sheets.mkdir()
    places = [(0.0, -0.02, 0.33), (0.12, -0.1, 0.3), (-0.13, 0.1, 0.3), (0.1, 0.14, 0.28), (-0.1, -0.14, 0.3)]
    for number, place in enumerate([*places, (0.02, 0.2, 0.26)]):
        cv2.imwrite(str(sheets / f"{number}.png"), photo(*place))
    done = calibrate("--config", settings, "--lens", sheets)
    assert done.exit_code == 0, done.output
    known = load(settings)
    assert known.camera.lens is not None
    assert Lens.load(known.camera.lens).bend[0] == pytest.approx(BEND[0], abs=0.03)
    # Through this lens a corner lies up to 11 pixels beside its place.
    frame = next(frames_of(known.camera)).frame
    assert np.abs(pose_of(known.board, frame).corners - table.pose.corners).max() < 5
    known.camera.lens.write_text("glass")
    with pytest.raises(LensError, match=r"lens\.json is not a lens file"):
        frames_of(known.camera)


class Photo:
    """A frame of a film."""

    def __init__(self, number: int) -> None:
        self.number = number


def test_of_a_long_film_few_frames_are_held_evenly_spread() -> None:
    alive: WeakSet[Photo] = WeakSet()
    held = []

    def film() -> Iterator[Photo]:
        for number in range(1_000):
            photo = Photo(number)
            alive.add(photo)
            held.append(len(alive))
            yield photo

    numbers = [photo.number for photo in spread_out(film(), 40)]
    assert max(held) < 45
    assert 20 <= len(numbers) <= 40
    assert numbers[0] == 0
    assert numbers[-1] > 950
    assert len(set(np.diff(numbers))) == 1


@pytest.mark.parametrize("photos", [0, 1, 40])
def test_of_few_photos_all_are_taken(photos: int) -> None:
    assert spread_out(range(photos), 40) == list(range(photos))


@pytest.mark.parametrize(("option", "dictionary"), [("--markers", "DICT_4X4_50"), ("--charuco", "DICT_5X5_100")])
def test_a_sheet_prints_at_its_true_size(tmp_path: Path, option: str, dictionary: str) -> None:
    sheet = tmp_path / "sheet.pdf"
    assert "100 %" in calibrate(option, sheet).output
    pdf = sheet.read_bytes()
    box = re.search(rb"/MediaBox \[0 0 (\S+) (\S+)\]", pdf)
    assert box is not None
    # A4 in points of an inch.
    assert [float(side) for side in box.groups()] == pytest.approx([210 / 25.4 * 72, 297 / 25.4 * 72], abs=0.2)
    for number, place in enumerate(re.findall(rb"(\d{10}) 00000 n", pdf), 1):
        assert pdf[int(place) :].startswith(b"%d 0 obj" % number)
    data = re.search(rb"/Width (\d+) /Height (\d+) .*?/Length (\d+) >>\nstream\n", pdf)
    assert data is not None
    width, height, length = map(int, data.groups())
    page = np.frombuffer(zlib.decompress(pdf[data.end() : data.end() + length]), np.uint8).reshape(height, width)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary)))
    quads, labels, _ = detector.detectMarkers(page)
    assert len(np.ravel(labels)) == {"--markers": 4, "--charuco": 35}[option]
    side_mm = np.ptp(np.asarray(quads[0]).reshape(4, 2)[:, 0]) / width * 210
    assert side_mm == pytest.approx({"--markers": 25, "--charuco": 18}[option], abs=0.3)


def test_without_anything_to_do_it_says_what_to_give() -> None:
    assert "give --config, or --picture FILE" in calibrate().output
    assert "укажите --config" in calibrate(lang=Lang.RU).output
