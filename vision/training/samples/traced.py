"""Pictures that Blender traces for several nets to cut samples from. Tracing needs the extra ``render``."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.board.geometry import Frame
from vision.training.pictures.crowded import crowd
from vision.training.pictures.samples import scenes_to_trace
from vision.training.pictures.stacks import stacked_scenes
from vision.training.recipe import Pictures, RecipeError

PICTURES_A_BOARD: Final = 2


@dataclass(frozen=True, slots=True)
class TracedBody:
    """What one picture shows: checkers and dice, as the renderer takes them."""

    checkers: Any
    dice: Any


def _boards(seed: int) -> tuple[Any, list[TracedBody]]:
    scenes = scenes_to_trace(seed, PICTURES_A_BOARD)
    return scenes[0], [TracedBody(scene.checkers, scene.dice) for scene in scenes]


def _stacks(seed: int) -> tuple[Any, list[TracedBody]]:
    scenes = stacked_scenes(seed, PICTURES_A_BOARD, traced=True)
    return scenes[0], [TracedBody(scene.checkers, scene.dice) for scene in scenes]


def _dice(seed: int) -> tuple[Any, list[TracedBody]]:
    scene = crowd(seed)
    return scene, [TracedBody(scene.checkers, tuple(die for die, _ in scene.dice))] if scene.dice else []


def _cubes(seed: int) -> tuple[Any, list[TracedBody]]:
    scene = crowd(seed, cubes=True)
    return scene, [TracedBody(scene.checkers, tuple(die for die, _ in scene.dice))] if scene.dice else []


KINDS: Final[dict[str, Callable[[int], tuple[Any, list[TracedBody]]]]] = {
    "boards": _boards,
    "stacks": _stacks,
    "dice": _dice,
    "cubes": _cubes,
}


def trace(part: Pictures, work: Path) -> None:
    """Trace the pictures of a part of a recipe; those that are there are kept, so that a stopped run goes on.

    A picture's name is its seed and its number: from them follows all that it shows.
    """
    from vision.training.pictures.traced import TracedRenderer  # noqa: PLC0415 - only where Blender is

    if part.kind not in KINDS:
        msg = f"no pictures of kind {part.kind!r}: known are {', '.join(KINDS)}"
        raise RecipeError(msg)
    folder = work / part.folder
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(part.seed, part.seed + part.boards):
        scene, bodies = KINDS[part.kind](seed)
        files = [folder / f"{seed}_{number}.png" for number in range(len(bodies))]
        if not files or files[-1].exists():
            continue
        renderer = TracedRenderer(scene.style, scene.camera, scene.size, seed)
        for number, (file, body) in enumerate(zip(files, bodies, strict=True)):
            picture = renderer.render(body.checkers, body.dice, seed=seed * len(bodies) + number)
            cv2.imwrite(str(file), picture.frame)


def opened(files: list[Path]) -> Iterator[tuple[int, int, Frame]]:
    """Seed, number and pixels of traced pictures; one that was cut short by a stopped run is left out."""
    for file in files:
        frame = cv2.imread(str(file))
        if frame is not None:
            seed, number = map(int, file.stem.split("_"))
            yield seed, number, np.asarray(frame, np.uint8)
