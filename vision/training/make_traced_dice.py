"""Traces pictures of crowded boards: ``python -m vision.training.make_traced_dice OUT --pictures 500 --seed 1``.

Needs Blender as a module (extra ``render``). A picture's name is its seed: ``pictures.crowded.crowd`` gives
what it shows. ``make_dice_samples --traced OUT`` cuts training samples out of them.
"""

import argparse
from pathlib import Path

import cv2

from vision.training.pictures.crowded import crowd
from vision.training.pictures.traced import TracedRenderer


def main() -> None:
    """Trace pictures; those that are there already are kept, so that a stopped run goes on."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pictures", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cubes", action="store_true", help="crowds of doubling cubes, for make_cube_samples")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    for seed in range(asked.seed, asked.seed + asked.pictures):
        file = asked.out / f"{seed}.png"
        if file.exists():
            continue
        scene = crowd(seed, cubes=asked.cubes)
        if not scene.dice:
            continue
        renderer = TracedRenderer(scene.style, scene.camera, scene.size, seed)
        picture = renderer.render(scene.checkers, tuple(die for die, _ in scene.dice), seed=seed)
        cv2.imwrite(str(file), picture.frame)


if __name__ == "__main__":
    main()
