"""Samples cut out of real photographs of dice, for the reader of dice.

A folder of photos holds pictures and ``labels.json``: a list of ``{"image", "dice": [{"value", "box"}], "crop"}``,
boxes in pixels, the value null where a die cannot be read. Pictures without an entry are backgrounds without dice. What
comes before the first "_" of a file's name is its source; sources are shown evenly, or the largest would teach alone.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.board.geometry import Frame
from vision.dice.finder import Detection, detect
from vision.dice.reader import FREE_SIZES_PX
from vision.dice.views import FINDER_DIE_PX, LevelView, die_crop, level_picture, upright
from vision.inference import WEIGHTS, open_net
from vision.training.pictures.dice_backdrop import spoil
from vision.training.pictures.dice_samples import DieSample

CROPS_A_PICTURE: Final = 8
MINED_SCORE: Final = 0.15
DICE_SHARE: Final = 0.55
TOP_OF_BOX: Final = 0.85
"""Side of a die's top in shorter sides of its box, which holds the sides that are seen as well."""
SAME_DIE: Final = (0.5, 1.15)
"""Sizes of a detection, in longer sides of the box, that may be the die's top."""
NO_DIE: Final = (0.36, 2.0)
"""Sizes below (a pip) and above (a heap) which a detection is no die wherever it is."""
INNER: Final = 0.15
"""Margin of a box, in shorter sides, in which a detection is not the die's top."""
UPRIGHT: Final = 0.65
SMALL_DIE_PX: Final = (12.0, 32.0)
SEEN_SMALL: Final = 0.45
"""Share of crops that are shrunk first, as if the camera were farther away."""
OTHER_COLOURS: Final = 0.2
INFRARED: Final = 0.15
NEGATIVES: Final = 0.08
"""Shares of crops with swapped channels, without colour, and with light and dark swapped."""


NO_VALUE: Final = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where a crop is cut: the middle of a die's top in level coordinates; ``value`` is NO_VALUE where no die is."""

    photo: Path
    at: tuple[float, float]
    size: float
    value: int


def photos(files: list[Path], seed: int) -> Iterator[DieSample]:
    """Cut dice and what the finder takes for dice out of labelled photos, varied by ``seed``."""
    rng, finder = np.random.default_rng(seed), open_net(WEIGHTS / "dice_finder.onnx")
    labels = {entry["image"]: entry for entry in json.loads((files[0].parent / "labels.json").read_text("utf-8"))}
    dice, others = defaultdict[str, list[Place]](list), defaultdict[str, list[Place]](list)
    frames: dict[Path, Frame] = {}
    for file in files:
        frame = _opened(file, crop=bool(labels.get(file.name, {}).get("crop")))
        if frame is None:
            continue
        frames[file] = frame
        for place in _places(file, frame, labels.get(file.name, {"dice": []}), finder):
            (others if place.value == NO_VALUE else dice)[file.stem.split("_")[0]].append(place)
    for _ in range(CROPS_A_PICTURE * len(frames)):
        kinds = dice if dice and rng.random() < DICE_SHARE else others or dice
        source = kinds[sorted(kinds)[rng.integers(len(kinds))]]
        place = source[rng.integers(len(source))]
        yield _sample(rng, frames[place.photo], place)


def _opened(file: Path, *, crop: bool) -> Frame | None:
    """Open a picture; one that is a single die's crop gets room around it."""
    frame = cv2.imread(str(file))
    if frame is None:
        return None
    room = max(frame.shape[:2]) if crop else 0
    return np.asarray(cv2.copyMakeBorder(frame, room, room, room, room, cv2.BORDER_REPLICATE), np.uint8)


def _places(file: Path, frame: Frame, label: dict[str, Any], finder: Any) -> Iterator[Place]:
    height = frame.shape[0]
    room = max(frame.shape[:2]) // 3 if label.get("crop") else 0
    boxes = [(die["value"], np.array(die["box"], np.float64) + room) for die in label["dice"]]
    for value, (left, top, right, bottom) in boxes:
        if value is not None:
            middle = (float(left + right) / 2, height - float(top + bottom) / 2)
            yield Place(file, middle, TOP_OF_BOX * float(min(right - left, bottom - top)), int(value))
    for found in _detections(frame, finder):
        verdict = _verdict(found, height, boxes)
        if verdict is not None and not (verdict == NO_VALUE and label.get("crop")):
            yield Place(file, found.place, found.size, verdict)


def _verdict(found: Detection, height: int, boxes: list[tuple[int | None, Any]]) -> int | None:
    """Return the value of the die that was found, NO_VALUE for no die, None where nobody can decide."""
    x, y = found.place[0], height - found.place[1]
    for value, (left, top, right, bottom) in boxes:
        longer, shorter = max(right - left, bottom - top), min(right - left, bottom - top)
        if not (left - 0.1 * found.size <= x <= right + 0.1 * found.size and top <= y <= bottom):
            continue
        if value is None:
            return None
        if not NO_DIE[0] < found.size / longer < NO_DIE[1]:
            return NO_VALUE
        inner = INNER * shorter
        inside = left + inner <= x <= right - inner and top + inner <= y <= bottom - inner
        return value if inside and SAME_DIE[0] < found.size / longer < SAME_DIE[1] else None
    return NO_VALUE


def _detections(frame: Frame, finder: Any) -> Iterator[Detection]:
    height, width = frame.shape[:2]
    view, corner = LevelView.of_picture(height), (0.0, float(height))
    for die in FREE_SIZES_PX:
        if die > min(height, width) / 2:
            break
        step = die / FINDER_DIE_PX
        size = (max(16, int(width / step)), max(16, int(height / step)))
        picture = level_picture(frame, view, upright(corner, step), die, size)
        for found in detect(finder, picture, FINDER_DIE_PX, MINED_SCORE):
            yield found.in_level(corner, step)


def _sample(rng: np.random.Generator, frame: Frame, place: Place) -> DieSample:
    """Cut a crop: a little off, turned, mirrored now and then by the training, spoiled as a cheap camera would."""
    turn = rng.normal(0, 0.2) if rng.random() < UPRIGHT else rng.uniform(0, 2 * np.pi)
    exact = LevelView.of_picture(frame.shape[0])
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    size = place.size * float(np.exp(rng.normal(0, 0.12)))
    middle = np.array(place.at) + rng.normal(0, 0.09, 2) * size
    at = np.linalg.inv(spin) @ (middle[0], middle[1], 1.0)
    view, shown = LevelView(exact.surface @ spin, exact.lift), frame
    if rng.random() < SEEN_SMALL and size > SMALL_DIE_PX[0]:
        share = min(1.0, float(rng.uniform(*SMALL_DIE_PX)) / size)
        shown = np.asarray(cv2.resize(frame, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)
        view = LevelView(np.diag([share, share, 1.0]) @ view.surface, view.lift)
    crop = die_crop(shown, view, (float(at[0]), float(at[1])), size)
    picture = spoil(rng, _other_colours(rng, crop.picture))
    unknown = float("nan")
    return DieSample(
        crop=type(crop)(picture, crop.slant, crop.known, crop.right, crop.down),
        is_die=place.value != NO_VALUE,
        value=max(1, place.value),
        tilt_deg=unknown,
        on_checker=False,
        moving=False,
        visible=float(place.value != NO_VALUE),
        log_size=unknown,
        offset=(unknown, unknown),
        lean=(unknown, unknown),
        face_px=size,
    )


def _other_colours(rng: np.random.Generator, picture: Frame) -> Frame:
    """Swap channels or light and dark, or take the colour away: a face is its pips, whatever their colour."""
    varied = picture
    if rng.random() < OTHER_COLOURS:
        varied = varied[..., rng.permutation(3)]
    if rng.random() < NEGATIVES:
        varied = 255 - varied
    if rng.random() < INFRARED:
        varied = np.repeat(varied.mean(2, keepdims=True).astype(np.uint8), 3, 2)
    return np.ascontiguousarray(varied)
