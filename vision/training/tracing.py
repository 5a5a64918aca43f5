"""The command of those who trace pictures of boards to cut samples from. Needs Blender as a module."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import cv2

from vision.training.pictures.samples import BoardScene
from vision.training.pictures.traced import TracedRenderer

PICTURES: Final = 2
"""Of each board."""


def trace_boards(about: str, scenes_of: Callable[[int, int], Sequence[BoardScene]]) -> None:
    """Trace the pictures that the command line asks for; those that are there already are kept.

    So a stopped run goes on. ``scenes_of`` gives a seed's scenes, as many as asked.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("out", type=Path)
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    for seed in range(asked.seed, asked.seed + asked.boards):
        files = [asked.out / f"{seed}_{number}.png" for number in range(PICTURES)]
        if files[-1].exists():
            continue
        scenes = scenes_of(seed, PICTURES)
        renderer = TracedRenderer(scenes[0].style, scenes[0].camera, scenes[0].size, seed)
        for number, (file, scene) in enumerate(zip(files, scenes, strict=True)):
            picture = renderer.render(scene.checkers, scene.dice, seed=seed * PICTURES + number)
            cv2.imwrite(str(file), picture.frame)
