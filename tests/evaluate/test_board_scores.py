"""Scores of board readings: swaps forgiven once a picture, unsure points apart, unread pictures counted as wrong."""

import json
from pathlib import Path

import cv2
import pytest

from controller.evaluate.board_figures import draw_reliability, reliability
from controller.evaluate.boards import BoardsScore, PlaceScore, evaluate_boards, find_boards, score_boards
from tests.vision.table import SHORT_START, Table, make_table
from vision.board.geometry import BoardPose, Frame
from vision.checkers.profile import Profile
from vision.checkers.reader import CheckerReader
from vision.readings import BoardReading, PlaceReading
from vision.synthetic.style import club_style

EMPTY = PlaceReading(((0, 1.0),))


class Scripted(CheckerReader):
    """Reads what it was told, whatever the picture."""

    def __init__(self, counts: list[int], certainty: float = 0.999, off: tuple[int, int] = (0, 0)) -> None:
        self._points = tuple(PlaceReading(((count, certainty),)) for count in counts)
        self._off = [PlaceReading(((count, certainty),)) for count in off]

    def read(self, frame: Frame, pose: BoardPose, profile: Profile | None = None) -> BoardReading:
        del frame, pose, profile
        return BoardReading(self._points, EMPTY, EMPTY, *self._off)


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("labelled")
    table = make_table(club_style(), (640, 480))
    write(folder, table, "board")
    return folder


def write(folder: Path, table: Table, name: str, **changes: object) -> None:
    cv2.imwrite(str(folder / f"{name}.png"), table.picture())
    label = {
        "image": f"{name}.png",
        "corners": table.pose.corners.tolist(),
        "bar": list(table.pose.shape.bar),
        "points": [[max(0, count), max(0, -count)] for count in SHORT_START],
        "bar_counts": [0, 0],
        "bar_unsure": False,
        "unsure": [],
        "stacked": [],
        "occluded": False,
    }
    (folder / f"{name}.json").write_text(json.dumps(label | changes))


def test_a_right_reading_scores_full(labelled: Path) -> None:
    totals = score_boards(find_boards(labelled), Scripted(list(SHORT_START))).totals()
    assert (totals["pictures"], totals["points"]) == (1, 24)
    assert totals["points_exact"] == totals["boards_exact"] == 1.0
    assert totals["wrong_and_sure"] == 0.0


def test_swapped_colours_are_forgiven(labelled: Path) -> None:
    totals = score_boards(find_boards(labelled), Scripted([-count for count in SHORT_START])).totals()
    assert totals["points_exact"] == 1.0


def test_one_sure_mistake_is_counted_as_such(labelled: Path) -> None:
    wrong = [*SHORT_START[:5], 4, *SHORT_START[6:]]
    score = score_boards(find_boards(labelled), Scripted(wrong))
    totals = score.totals()
    assert totals["points_exact"] == pytest.approx(23 / 24)
    assert totals["boards_exact"] == 0.0
    assert totals["wrong_and_sure"] == pytest.approx(1 / 26)
    assert totals["confusion"]["5"] == {"4": 1, "5": 1}
    assert score.wrong_lines() == ["board.png p6: +5 read as +4 (100%)"]


def test_borne_off_checkers_are_scored_by_themselves(tmp_path: Path) -> None:
    write(tmp_path, make_table(club_style(), (640, 480)), "late", complete=True, off_visible=[0, 2])
    read = {off: score_boards(find_boards(tmp_path), Scripted(list(SHORT_START), off=off)) for off in ((0, -2), (1, 2))}
    right, wrong = (score.totals() for score in read.values())
    assert right["borne_off"] == {
        "sets": 2, "called_unknown": 0.0, "none_exact": 1.0, "some": 1, "some_exact": 1.0, "wrong_and_sure": 0.0,
    }  # fmt: skip
    assert (wrong["borne_off"]["none_exact"], wrong["borne_off"]["wrong_and_sure"]) == (0.0, 0.5)
    assert right["points_exact"] == wrong["points_exact"] == right["boards_exact"] == 1.0
    assert "with some (1) 100.0%" in read[0, -2].table_lines("cold")[-1]


def test_borne_off_checkers_outside_of_the_picture_are_not_scored(tmp_path: Path) -> None:
    table = make_table(club_style(), (640, 480))
    beyond = [{"where": "off_table", "in_image": False}, {"where": "point", "in_image": True}]
    write(tmp_path, table, "late", complete=True, off_visible=[0, 1], checkers=beyond)
    write(tmp_path, table, "lost", complete=False, off_visible=[0, 0])
    assert score_boards(find_boards(tmp_path), Scripted(list(SHORT_START))).totals()["borne_off"]["sets"] == 0


def test_unsure_points_are_counted_apart(tmp_path: Path) -> None:
    write(tmp_path, make_table(club_style(), (640, 480)), "board", unsure=[6, 8])
    wrong = [0 if index in {5, 7} else count for index, count in enumerate(SHORT_START)]
    totals = score_boards(find_boards(tmp_path), Scripted(wrong)).totals()
    assert totals["points"] == 22
    assert totals["points_exact"] == 1.0
    assert totals["unsure"]["points"] == 2


def test_a_picture_that_cannot_be_read_counts_as_wrong(tmp_path: Path) -> None:
    write(tmp_path, make_table(club_style(), (640, 480)), "board")
    (tmp_path / "board.png").write_bytes(b"broken")
    score = score_boards(find_boards(tmp_path), Scripted(list(SHORT_START)))
    assert score.totals()["points_exact"] == 0.0
    assert score.unread == [
        f"board.png: {tmp_path / 'board.png'} is not a picture that can be read: give a JPEG or PNG file"
    ]


def test_a_sequence_is_scored_cold_and_learnt(tmp_path: Path) -> None:
    table = make_table(club_style())
    for name in ("000", "001"):
        write(tmp_path, table, name)
    (tmp_path / "events.json").write_text("[]")
    totals = evaluate_boards(tmp_path).totals()
    assert totals["pictures"] == 2
    assert totals["learnt"]["pictures"] == 1
    assert totals["learnt"]["points_exact"] == 1.0


def test_a_folder_without_labels_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no labelled boards at"):
        evaluate_boards(tmp_path)


def place(certainty: float, *, right: bool) -> PlaceScore:
    return PlaceScore(
        picture="a",
        place="p1",
        true=1,
        read=1 if right else 0,
        certainty=certainty,
        hidden=False,
        unsure=False,
        stacked=False,
        tilt_deg=None,
        style="x",
    )


def test_reliability_compares_stated_with_seen() -> None:
    places = [place(0.95, right=True)] * 19 + [place(0.95, right=False)] + [place(0.9995, right=True)] * 5
    rows = reliability(places)
    assert [(round(stated, 4), share, number) for stated, share, number in rows] == [(0.95, 0.95, 20), (0.9995, 1.0, 5)]
    assert int(draw_reliability(rows).min()) < 255


def test_scores_add_up(labelled: Path) -> None:
    both = BoardsScore()
    for counts in (list(SHORT_START), [0] * 24):
        both.add(score_boards(find_boards(labelled), Scripted(counts)))
    assert both.pictures == 2
    assert both.totals()["boards_exact"] == 0.5
