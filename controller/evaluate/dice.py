"""Score the dice reader on labelled pictures.

Formats: a picture with a JSON of the same base name beside it (``dice`` with places and states), or ``labels.json``
with the values in each picture. Dice are matched by place where labels have one, by values where not.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from controller.adapters.camera import die_seen
from controller.evaluate.cubes import CubeScore, cube_lines, cube_totals, score_cube
from controller.evaluate.dice_tutorial import tutorial_values
from controller.evaluate.scores import Totals, share
from controller.referee import dice as throw
from controller.referee.dice import LOOKS_TO_ASK, DieTrack
from vision.board.geometry import BoardPose, BoardShape, Frame
from vision.cube.reader import CubeReader
from vision.dice.reader import DiceReader
from vision.readings import DieReading, DieState

SURE: Final = 0.99
"""What is called sure here: two dice of which each reads so make the pair as sure as ``throw.SURE`` asks."""
COCKED_FROM_DEG: Final = 8.0
SMALL_PX: Final = 16.0
"""Dice below this are scored apart as well: few cameras should be asked to read them."""
PICTURES: Final = (".jpg", ".jpeg", ".png")


@dataclass(frozen=True, slots=True)
class LabelledDie:
    """One die as labelled."""

    value: int | None
    """None: not to be read (hidden, moving, not readable)."""
    x_px: float
    y_px: float
    state: str
    tilt_deg: float
    size_px: float
    """Side of the top face; 0 where the label lacks it."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A labelled die and what was read there, or an invented one (no label), or a missed one (no reading)."""

    picture: str
    label: LabelledDie | None
    reading: DieReading | None

    @property
    def face_right(self) -> bool:
        """Whether the most probable face is the labelled one."""
        return self.label is not None and self.reading is not None and self.reading.face == self.label.value

    @property
    def cocked(self) -> bool:
        """Whether the die lies cocked by 8 degrees or more."""
        return self.label is not None and self.label.state == "cocked" and self.label.tilt_deg >= COCKED_FROM_DEG

    @property
    def called(self) -> DieState | None:
        """The state that was read."""
        return None if self.reading is None else self.reading.state

    @property
    def stands(self) -> bool:
        """Whether the referee would let the die count as flat, should all looks at the still table read like this one.

        Its looks are taken for less than independent ones, but a camera that stands still repeats its mistakes: this
        is the surest that it can become, and so the figure by which its thresholds are judged.
        """
        if self.reading is None:
            return False
        look = DieTrack.of(die_seen(self.reading))
        track = look
        for _ in range(LOOKS_TO_ASK - 1):
            track = track.joined(look)
        state, chance = track.state
        flat = state.value == DieState.FLAT.value and chance >= throw.SURE
        return flat and track.face[1] ** throw.DICE >= throw.SURE

    @property
    def wrong_and_sure(self) -> bool:
        """Whether a face or a state that is wrong was given 99 % or more."""
        if self.reading is None or (self.label is not None and self.label.value is None):
            return False
        sure_face = max(self.reading.faces) >= SURE
        if self.label is None:
            return sure_face and self.reading.states[0][1] >= SURE
        sure_flat = self.called is DieState.FLAT and self.reading.states[0][1] >= SURE
        return (sure_face and not self.face_right) or (sure_flat and self.cocked)


@dataclass(frozen=True, slots=True)
class PictureScore:
    """What one picture gave."""

    picture: str
    dice: tuple[Scored, ...]
    tutorial_exact: bool | None = None
    """Whether the usual tutorial's reader gets the picture's values; None where it was not asked."""

    @property
    def exact(self) -> bool:
        """Whether every die is read, each with its face, none invented, and cocked kept apart from flat."""
        return all(_exact(die) for die in self.dice if die.label is None or die.label.value is not None)


@dataclass(frozen=True, slots=True)
class DiceScores:
    """Scores of all pictures."""

    pictures: tuple[PictureScore, ...] = field(default=())
    cubes: tuple[CubeScore, ...] = ()

    def _scored(self) -> list[Scored]:
        return [die for picture in self.pictures for die in picture.dice]

    def lines(self) -> Iterator[str]:
        """One line for every die that was not read as labelled, then the totals."""
        for die in self._scored():
            if die.label is not None and die.label.value is None:
                continue
            if not _exact(die):
                yield f"{die.picture}: {_told(die.label)} was read as {_read(die.reading)}"
        yield from cube_lines(self.cubes)
        for name, figure in self.totals().items():
            yield f"{name}: {figure}"

    def totals(self) -> Totals:
        """Return counts and ratios; ``small_*`` are the dice under 16 pixels, which the other figures contain too."""
        every = self._scored()
        labelled = [die for die in every if die.label is not None and die.label.value is not None]
        small = [die for die in labelled if die.label is not None and 0 < die.label.size_px < SMALL_PX]
        large = [die for die in labelled if die not in small]
        cocked = [die for die in labelled if die.cocked and die.reading is not None]
        flat = [
            die for die in labelled if die.label is not None and die.label.state == "flat" and die.reading is not None
        ]
        invented = [die for die in every if die.label is None]
        read = [die for die in every if die.reading is not None and (die.label is None or die.label.value is not None)]
        tutorial = [picture.tutorial_exact for picture in self.pictures if picture.tutorial_exact is not None]
        return {
            "pictures": len(self.pictures),
            "pictures_exact": share(sum(picture.exact for picture in self.pictures), len(self.pictures)),
            "dice": len(labelled),
            "faces_exact": share(sum(die.face_right for die in labelled), len(labelled)),
            "missed": share(sum(die.reading is None for die in labelled), len(labelled)),
            "invented": share(len(invented), len(labelled)),
            "cocked": len(cocked),
            "cocked_called": share(sum(die.called is DieState.COCKED for die in cocked), len(cocked)),
            "cocked_or_unsure": share(
                sum(die.called in {DieState.COCKED, DieState.UNSURE} for die in cocked), len(cocked)
            ),
            "flat_called_cocked": share(sum(die.called is DieState.COCKED for die in flat), len(flat)),
            "wrong_and_sure": share(sum(die.wrong_and_sure for die in read), len(read)),
            "flat_stands": share(sum(die.stands for die in flat), len(flat)),
            "cocked_stands": share(sum(die.stands for die in cocked), len(cocked)),
            "wrong_stands": share(sum(die.stands and not die.face_right for die in read), len(read)),
            "tutorial_pictures_exact": share(sum(tutorial), len(tutorial)),
            "small_dice": len(small),
            "small_faces_exact": share(sum(die.face_right for die in small), len(small)),
            "large_faces_exact": share(sum(die.face_right for die in large), len(large)),
            "large_missed": share(sum(die.reading is None for die in large), len(large)),
            **cube_totals(self.cubes),
        }


def evaluate_dice(path: Path) -> DiceScores:
    """Read every labelled picture at ``path`` or below.

    Raises ValueError when there is none.
    """
    files = (
        sorted(path.rglob("*.json"))
        if path.is_dir()
        else [path if path.suffix == ".json" else path.with_suffix(".json")]
    )
    readers = _Readers(DiceReader(), CubeReader())
    scores: list[PictureScore] = []
    cubes: list[CubeScore] = []
    for file in files:
        if file.is_file():
            for score, cube in _score_file(readers, file, path):
                scores.append(score)
                cubes += [cube] if cube is not None else []
    if not scores:
        msg = f"no labelled pictures at {path} or below it: give a folder of pictures with a JSON beside each"
        raise ValueError(msg)
    return DiceScores(tuple(scores), tuple(cubes))


@dataclass(frozen=True, slots=True)
class _Readers:
    dice: DiceReader
    cube: CubeReader


def _score_file(readers: _Readers, file: Path, asked: Path) -> Iterator[tuple[PictureScore, CubeScore | None]]:
    label = json.loads(file.read_text("utf-8"))
    if isinstance(label, list):
        for entry in label:
            picture = file.parent / entry["image"]
            if picture.is_file() and (asked.is_dir() or asked in {file, picture}):
                frame = _frame(picture)
                score = by_values(entry["image"], entry["values"], readers.dice.read(frame, None))
                yield replace(score, tutorial_exact=tutorial_values(frame) == sorted(entry["values"])), None
        return
    picture = next((file.with_suffix(end) for end in PICTURES if file.with_suffix(end).is_file()), file)
    if picture is file or "dice" not in label or "corners" not in label:
        return
    frame = _frame(picture)
    pose = BoardPose(np.array(label["corners"], np.float32), BoardShape(bar=tuple(label["bar"])), frame.shape[1::-1])
    labels = [_labelled(die) for die in label["dice"]]
    values = sorted(die.value for die in labels if die.value is not None)
    read = readers.dice.read(frame, pose)
    score = by_place(picture.name, labels, read)
    places = [(die.x_px, die.y_px) for die in labels]
    cube = score_cube(picture.name, label.get("cube"), pose.frame_size, readers.cube.read(frame, pose), read, places)
    yield replace(score, tutorial_exact=tutorial_values(frame) == values), cube


def _frame(picture: Path) -> Frame:
    frame = cv2.imread(str(picture))
    if frame is None:
        msg = f"{picture} is not a picture that can be read"
        raise ValueError(msg)
    return np.asarray(frame, np.uint8)


def _labelled(die: dict[str, Any]) -> LabelledDie:
    readable = die.get("readable", True) and die.get("in_image", True) and die["state"] not in {"moving", "unknown"}
    value = die["value"] if readable else None
    x, y = die["center"]
    return LabelledDie(value, x, y, die["state"], die.get("tilt_deg") or 0.0, die.get("face_px", 0.0))


def by_place(picture: str, labels: list[LabelledDie], readings: tuple[DieReading, ...]) -> PictureScore:
    """Match each label to the nearest reading within about a die."""
    pairs = sorted(
        (float(np.hypot(label.x_px - die.x_px, label.y_px - die.y_px)), place, index)
        for place, label in enumerate(labels)
        for index, die in enumerate(readings)
    )
    of_label: dict[int, int] = {}
    for apart, place, index in pairs:
        near = max(8.0, 0.9 * max(labels[place].size_px, readings[index].size_px))
        if apart <= near and place not in of_label and index not in of_label.values():
            of_label[place] = index
    scored = [
        Scored(picture, label, readings[of_label[place]] if place in of_label else None)
        for place, label in enumerate(labels)
    ]
    scored += [Scored(picture, None, die) for index, die in enumerate(readings) if index not in of_label.values()]
    return PictureScore(picture, tuple(scored))


def by_values(picture: str, values: list[int], readings: tuple[DieReading, ...]) -> PictureScore:
    """Match equal values first; what is left over on both sides is paired as misread, the rest missed or invented."""
    wanted = Counter(values)
    right: list[Scored] = []
    rest: list[DieReading] = []
    for die in sorted(readings, key=lambda die: -max(die.faces)):
        if wanted[die.face] > 0:
            wanted[die.face] -= 1
            right.append(Scored(picture, LabelledDie(die.face, die.x_px, die.y_px, "", 0.0, die.size_px), die))
        else:
            rest.append(die)
    missing = list(wanted.elements())
    for index in range(max(len(missing), len(rest))):
        label = LabelledDie(missing[index], 0.0, 0.0, "", 0.0, 0.0) if index < len(missing) else None
        right.append(Scored(picture, label, rest[index] if index < len(rest) else None))
    return PictureScore(picture, tuple(right))


def _exact(die: Scored) -> bool:
    if die.label is None or not die.face_right:
        return False
    if die.cocked:
        return die.called in {DieState.COCKED, DieState.UNSURE}
    return die.label.state != "flat" or die.called is not DieState.COCKED


def _told(label: LabelledDie | None) -> str:
    if label is None:
        return "nothing"
    return f"{label.value} ({label.state or 'die'}, {label.size_px:.0f} px) at {label.x_px:.0f},{label.y_px:.0f}"


def _read(reading: DieReading | None) -> str:
    if reading is None:
        return "nothing"
    state, chance = reading.states[0]
    face = f"{reading.face} ({max(reading.faces):.1%})"
    return f"{face}, {state.value} ({chance:.1%}) at {reading.x_px:.0f},{reading.y_px:.0f}"
