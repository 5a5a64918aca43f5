"""Traces boards crowded with stacks: ``python -m vision.models.make_traced_stacks OUT --boards 200 --seed 1``.

Needs Blender as a module (extra ``render``). A picture's name is its seed and number:
``vision.synthetic.stacks.stacked_scenes`` tells what it shows. ``make_stack_samples --traced OUT`` cuts them.
"""

import argparse
from pathlib import Path
from typing import Final

import cv2

from vision.synthetic.stacks import stacked_scenes
from vision.synthetic.traced import TracedRenderer

PICTURES: Final = 2
"""Of each board."""


def main() -> None:
    """Trace pictures; those that are there already are kept, so that a stopped run goes on."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    for seed in range(asked.seed, asked.seed + asked.boards):
        files = [asked.out / f"{seed}_{number}.png" for number in range(PICTURES)]
        if files[-1].exists():
            continue
        scenes = stacked_scenes(seed, PICTURES, traced=True)
        renderer = TracedRenderer(scenes[0].style, scenes[0].camera, scenes[0].size, seed)
        for number, (file, scene) in enumerate(zip(files, scenes, strict=True)):
            picture = renderer.render(scene.checkers, scene.dice, seed=seed * PICTURES + number)
            cv2.imwrite(str(file), picture.frame)


if __name__ == "__main__":
    main()
