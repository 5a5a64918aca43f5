"""Scores board readings on labelled pictures: how often right, how often wrong and sure, where the confusion is."""

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from controller.adapters.recordings import RecordingError
from controller.evaluate.corners import CornersScore, score_corners
from vision.board.geometry import BoardPose, BoardShape, Frame
from vision.checkers.profile import Profile, ProfileError, learn_from
from vision.checkers.reader import CheckerReader
from vision.errors import VisionError
from vision.readings import BoardReading, PlaceReading

SURE = 0.99
Read = Callable[[Frame, BoardPose], BoardReading]


@dataclass(frozen=True, slots=True)
class LabelledBoard:
    """One picture and what lies on it. ``points`` are 24 pairs (lighter, darker), ``bar`` None where unsure."""

    picture: Path
    corners: tuple[tuple[float, float], ...]
    bar_edges: tuple[float, float]
    points: tuple[tuple[int, int], ...]
    bar: tuple[int, int] | None
    unsure: frozenset[int]
    stacked: frozenset[int]
    occluded: bool
    tilt_deg: float | None
    style: str
    borne_off: tuple[int, int] | None = None
    """Neither on points nor on the bar; None where that is not known or some lie outside of the picture."""

    def load(self) -> Frame:
        """Return the picture; raises RecordingError naming a file that is not one."""
        frame = cv2.imread(str(self.picture))
        if frame is None:
            raise RecordingError("no_picture", path=self.picture)
        return np.asarray(frame, np.uint8)

    def pose(self, frame: Frame) -> BoardPose:
        """Return the pose that the labelled corners give."""
        size = (frame.shape[1], frame.shape[0])
        return BoardPose(np.array(self.corners, np.float32), BoardShape(self.bar_edges), size)


@dataclass(frozen=True, slots=True)
class PlaceScore:
    """One place as labelled and as read, counts in the labels' colours after the picture's best swap."""

    picture: str
    place: str
    true: int
    read: int | None
    """None where the picture could not be read at all."""
    certainty: float
    hidden: bool
    unsure: bool
    stacked: bool
    tilt_deg: float | None
    style: str

    @property
    def right(self) -> bool:
        """Whether colour and count are both right."""
        return self.true == self.read


@dataclass(slots=True)
class BoardsScore:
    """All places of all pictures."""

    places: list[PlaceScore] = field(default_factory=list)
    pictures: int = 0
    whole: int = 0
    whole_points: int = 0
    unread: list[str] = field(default_factory=list)
    borne_off: list[PlaceScore] = field(default_factory=list)
    """Two a picture, in no other figure."""

    def totals(self) -> dict[str, Any]:
        """Return the figures; ratios 0..1. Occluded and unsure points are counted apart, under ``unsure``."""
        sure = [p for p in self.places if not p.unsure]
        points = [p for p in sure if p.place != "bar"]
        doubtful = [p for p in self.places if p.unsure]
        stacked = [p for p in points if p.stacked]
        wrong_and_sure = [p for p in sure if not p.right and p.certainty >= SURE and not p.hidden]
        return {
            "pictures": self.pictures,
            "points": len(points),
            "points_exact": _share(points),
            "boards_exact": self.whole / max(1, self.pictures),
            "boards_points_exact": self.whole_points / max(1, self.pictures),
            "wrong_and_sure": len(wrong_and_sure) / max(1, len(sure)),
            "bar_exact": _share([p for p in sure if p.place == "bar"]),
            "stacked": {"points": len(stacked), "points_exact": _share(stacked)},
            "unsure": {
                "points": len(doubtful),
                "called_hidden": sum(p.hidden for p in doubtful) / max(1, len(doubtful)),
            },
            "called_hidden_though_seen": sum(p.hidden for p in points) / max(1, len(points)),
            "by_tilt": _grouped(
                points, lambda p: "unknown" if p.tilt_deg is None else f"{int(p.tilt_deg // 15) * 15:02d}"
            ),
            "by_style": _grouped(points, lambda p: p.style),
            "by_colour": _grouped(points, lambda p: ("darker", "empty", "lighter")[1 + (p.true > 0) - (p.true < 0)]),
            "borne_off": self._borne_off(),
            "confusion": self.confusion(),
            "unread": self.unread,
        }

    def add(self, other: "BoardsScore") -> None:
        """Count another score's places in."""
        self.places += other.places
        self.pictures += other.pictures
        self.whole += other.whole
        self.whole_points += other.whole_points
        self.unread += other.unread
        self.borne_off += other.borne_off

    def _borne_off(self) -> dict[str, float]:
        """Exactness where the reading has all in view; with none and with some borne off."""
        seen = [p for p in self.borne_off if not p.hidden]
        return {
            "sets": len(self.borne_off),
            "called_unknown": 1 - len(seen) / max(1, len(self.borne_off)),
            "none_exact": _share([p for p in seen if p.true == 0]),
            "some": sum(p.true != 0 for p in seen),
            "some_exact": _share([p for p in seen if p.true != 0]),
            "wrong_and_sure": sum(not p.right and p.certainty >= SURE for p in seen) / max(1, len(seen)),
        }

    def confusion(self) -> dict[str, dict[str, int]]:
        """How often each true signed count was read as which."""
        table: dict[int, Counter[int]] = {}
        for place in self.places:
            if not place.unsure and place.place != "bar" and place.read is not None:
                table.setdefault(place.true, Counter())[place.read] += 1
        return {str(true): {str(read): n for read, n in sorted(row.items())} for true, row in sorted(table.items())}

    def wrong_lines(self) -> list[str]:
        """Return one line a wrong place, the surest first."""
        wrong = sorted((p for p in self.places if not p.unsure and not p.right), key=lambda p: -p.certainty)
        return [
            f"{p.picture} {p.place}: {p.true:+d} read as {p.read:+d} ({p.certainty:.0%})"
            for p in wrong
            if p.read is not None
        ]

    def table_lines(self, name: str) -> list[str]:
        """Return a table for people."""
        totals = self.totals()
        rows = [(name, totals["points"], totals["points_exact"])]
        rows += [
            (f"  {kind} {group}", figures["points"], figures["points_exact"])
            for kind in ("tilt", "style", "colour")
            for group, figures in totals[f"by_{kind}"].items()
        ]
        rows.append(("  stacked", totals["stacked"]["points"], totals["stacked"]["points_exact"]))
        lines = [f"{label:<28}{points:>7} points {exact:8.2%}" for label, points, exact in rows]
        lines.append(
            f"{name}: {totals['pictures']} pictures, whole boards {totals['boards_exact']:.1%} "
            f"(points only {totals['boards_points_exact']:.1%}), bar {totals['bar_exact']:.1%}, "
            f"wrong and sure {totals['wrong_and_sure']:.2%}"
        )
        off = totals["borne_off"]
        if off["sets"]:
            lines.append(
                f"{name}: borne off: {off['sets']} sets, in view {1 - off['called_unknown']:.0%}; of these with none "
                f"borne off {off['none_exact']:.1%} exact, with some ({off['some']}) {off['some_exact']:.1%}, "
                f"wrong and sure {off['wrong_and_sure']:.2%}"
            )
        return lines


@dataclass(frozen=True, slots=True)
class BoardsScores:
    """Boards read cold, and those of sequences once more with the look learnt from their first picture."""

    cold: BoardsScore
    learnt: BoardsScore
    corners: CornersScore
    """The same boards looked for without their labels' corners."""

    def lines(self) -> list[str]:
        """Return wrong places, then the tables."""
        lines = self.cold.wrong_lines() + [f"not read: {line}" for line in self.cold.unread]
        if self.learnt.pictures:
            lines += self.learnt.table_lines("learnt")
        return lines + self.cold.table_lines("cold") + self.corners.lines()

    def totals(self) -> dict[str, Any]:
        """Return the cold figures, with the learnt ones and those of the corners under their own names."""
        totals = self.cold.totals() | {"corners": self.corners.totals()}
        if self.learnt.pictures:
            totals["learnt"] = self.learnt.totals()
        return totals


def evaluate_boards(path: Path) -> BoardsScores:
    """Score the labelled pictures at or below ``path``; folders with an ``events.json`` are sequences.

    Raises ValueError when there is none.
    """
    boards = find_boards(path)
    if not boards:
        msg = f"no labelled boards at {path} or below it: give a folder of pictures with a JSON beside each"
        raise ValueError(msg)
    reader = CheckerReader()
    learnt = BoardsScore()
    folders = {board.picture.parent for board in boards if (board.picture.parent / "events.json").is_file()}
    for folder in sorted(folders):
        learnt.add(score_sequence([board for board in boards if board.picture.parent == folder], reader))
    return BoardsScores(score_boards(boards, reader), learnt, score_corners(boards))


def find_boards(path: Path) -> list[LabelledBoard]:
    """Return the labelled pictures at or below ``path``, in the order of their names."""
    files = [path] if path.is_file() else sorted(path.rglob("*.json"))
    return [board for file in files if (board := _labelled(file.with_suffix(".json"))) is not None]


def _labelled(file: Path) -> LabelledBoard | None:
    try:
        stored = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(stored, dict) or not {"image", "corners", "points", "bar"} <= stored.keys():
        return None
    bar = None if stored.get("bar_unsure") or "bar_counts" not in stored else stored["bar_counts"]
    style = stored.get("style")
    return LabelledBoard(
        picture=file.parent / stored["image"],
        corners=tuple((float(x), float(y)) for x, y in stored["corners"]),
        bar_edges=(float(stored["bar"][0]), float(stored["bar"][1])),
        points=tuple((int(a), int(b)) for a, b in stored["points"]),
        bar=None if bar is None else (int(bar[0]), int(bar[1])),
        unsure=frozenset(stored.get("unsure", ())),
        stacked=frozenset(stored.get("stacked", ())),
        occluded=bool(stored.get("occluded")),
        tilt_deg=stored.get("camera", {}).get("tilt_deg"),
        style=style["board"] if isinstance(style, dict) else file.stem.split("_")[0],
        borne_off=_labelled_off(stored),
    )


def _labelled_off(stored: dict[str, Any]) -> tuple[int, int] | None:
    """What is borne off by the label, if all of the set is accounted for and within the picture."""
    if not stored.get("complete") or "off_visible" not in stored:
        return None
    aside = [checker for checker in stored.get("checkers", ()) if checker["where"].startswith("off")]
    in_hand = any(checker["where"] == "hand" for checker in stored.get("checkers", ()))
    if in_hand or not all(checker["in_image"] for checker in aside):
        return None
    light, dark = stored["off_visible"]
    return int(light), int(dark)


def score_boards(boards: Sequence[LabelledBoard], reader: CheckerReader | None = None) -> BoardsScore:
    """Read every picture cold and score it."""
    chosen = reader or CheckerReader()
    score = BoardsScore()
    for board in boards:
        _add(score, board, chosen.read)
    return score


def score_sequence(boards: Sequence[LabelledBoard], reader: CheckerReader | None = None) -> BoardsScore:
    """Learn the set from the first picture whose points are all sure, then read and score the others with it."""
    chosen = reader or CheckerReader()
    profile: Profile | None = None
    score = BoardsScore()
    for board in boards:
        if profile is None and not board.unsure and not board.occluded:
            frame = board.load()
            counts = [light - dark for light, dark in board.points]
            with contextlib.suppress(ProfileError):  # a set out of view: the next picture may show both
                profile = learn_from(chosen.net.look(frame, board.pose(frame)), counts)
                continue
        learnt = profile
        _add(score, board, lambda frame, pose, known=learnt: chosen.read(frame, pose, known))  # type: ignore[misc]
    return score


def _add(score: BoardsScore, board: LabelledBoard, read: Read) -> None:
    try:
        frame = board.load()
        reading = read(frame, board.pose(frame))
    except (RecordingError, VisionError) as error:
        score.unread.append(f"{board.picture.name}: {error}")
        score.pictures += 1
        score.places += _places(board, None, 1)
        return
    # Which set is "the lighter" can be a matter of taste: the labels allow one swap a picture.
    straight, swapped = (list(_places(board, reading, sign)) for sign in (1, -1))
    chosen = max(straight, swapped, key=lambda places: sum(p.right for p in places if not p.unsure))
    score.places += chosen
    score.pictures += 1
    score.whole += all(p.right for p in chosen if not p.unsure)
    score.whole_points += all(p.right for p in chosen if not p.unsure and p.place != "bar")
    if board.borne_off is not None:
        score.borne_off += _off_places(board, board.borne_off, reading, 1 if chosen is straight else -1)


def _places(board: LabelledBoard, reading: BoardReading | None, sign: int) -> Iterator[PlaceScore]:
    def scored(name: str, true: int, place: PlaceReading | None, *, unsure: bool, stacked: bool = False) -> PlaceScore:
        return PlaceScore(
            picture=board.picture.name,
            place=name,
            true=true,
            read=None if place is None else place.count * sign,
            certainty=0.0 if place is None else place.certainty,
            hidden=place is not None and place.hidden,
            unsure=unsure,
            stacked=stacked,
            tilt_deg=board.tilt_deg,
            style=board.style,
        )

    read = [None] * 24 if reading is None else reading.points
    for number, ((light, dark), place) in enumerate(zip(board.points, read, strict=True), 1):
        yield scored(f"p{number}", light - dark, place, unsure=number in board.unsure, stacked=number in board.stacked)
    bars = (None, None) if reading is None else (reading.bar_light, reading.bar_dark)
    first, second = bars if sign > 0 else (bars[1], bars[0])
    light, dark = board.bar or (0, 0)
    yield scored("bar", light, first, unsure=board.bar is None)
    yield scored("bar", -dark, second, unsure=board.bar is None)


def _off_places(board: LabelledBoard, true: tuple[int, int], reading: BoardReading, sign: int) -> Iterator[PlaceScore]:
    read = (reading.off_light, reading.off_dark)[::sign]
    for count, place in zip(true, read, strict=True):
        yield PlaceScore(
            picture=board.picture.name,
            place="off",
            true=count,
            read=abs(place.count),
            certainty=place.certainty,
            hidden=place.hidden,
            unsure=False,
            stacked=False,
            tilt_deg=board.tilt_deg,
            style=board.style,
        )


def _share(places: Sequence[PlaceScore]) -> float:
    return sum(p.right for p in places) / max(1, len(places))


def _grouped(places: Sequence[PlaceScore], key: Callable[[PlaceScore], str]) -> dict[str, dict[str, float]]:
    groups: dict[str, list[PlaceScore]] = {}
    for place in places:
        groups.setdefault(key(place), []).append(place)
    return {name: {"points": len(group), "points_exact": _share(group)} for name, group in sorted(groups.items())}
