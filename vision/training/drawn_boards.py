"""Draws labelled boards that training never saw, so that anybody can measure the reader without anybody's photos.

``python -m vision.training.drawn_boards FOLDER --boards 200 --seed 7`` writes pictures, each with a JSON beside it
in the format that ``nardy-referee evaluate boards`` reads.
"""

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.board.geometry import BoardNotFoundError, BoardPose, BoardShape
from vision.checkers.conservation import SET_SIZE
from vision.synthetic.dice_shape import project
from vision.synthetic.pieces import CheckerOnTable
from vision.synthetic.viewpoint import position_m
from vision.training.pictures.samples import SEEN, BoardPicture, hidden_places, shots

SEEDS_APART: Final = 1 << 36
"""Training counts its boards from small numbers."""
SMALLEST_CHECKER_PX: Final = 12.0
FEWEST_SEEN: Final = 12
"""Points in view, of 24, that make a picture worth asking about."""


def label(shot: BoardPicture, picture: str) -> dict[str, Any] | None:
    """Return what is true of a picture, as the labelled boards state it; None where nobody could read it."""
    height, width = shot.frame.shape[:2]
    edges = shot.style.dims.bar_edges
    try:
        pose = BoardPose(shot.corners, BoardShape(edges), (width, height))
    except BoardNotFoundError:
        return None
    state = hidden_places(shot, pose)
    unsure = [point for point in range(1, 25) if state[point - 1] != SEEN]
    if pose.checker_px < SMALLEST_CHECKER_PX or len(unsure) > 24 - FEWEST_SEEN:
        return None
    layers = Counter(c.point for c in shot.checkers if c.place == "point" and (c.layer > 0 or c.lean_rad))
    eye = position_m(shot.camera)
    aside = [c for c in shot.checkers if c.place == "off"]
    off = sum(c.light for c in aside), sum(not c.light for c in aside)
    lying = (sum(max(0, sign * n) for n in shot.counts) + n for sign, n in zip((1, -1), shot.bar, strict=True))
    return {
        "image": picture,
        "corners": shot.corners.astype(float).round(2).tolist(),
        "bar": list(edges),
        "points": [[max(0, count), max(0, -count)] for count in shot.counts],
        "bar_counts": list(shot.bar),
        "bar_unsure": bool((state[24:] != SEEN).any()),
        "unsure": unsure,
        "stacked": sorted(layers),
        "occluded": bool(shot.covered.any()),
        "complete": all(here + gone == SET_SIZE for here, gone in zip(lying, off, strict=True)),
        "off_visible": list(off),
        "checkers": [{"where": "off", "in_image": _in_picture(shot, c)} for c in aside],
        "camera": {"tilt_deg": float(np.degrees(np.arccos(eye[2] / np.linalg.norm(eye))))},
        "style": {"board": str(shot.style.board.material)},
    }


def _in_picture(shot: BoardPicture, checker: CheckerOnTable) -> bool:
    height, width = shot.frame.shape[:2]
    x, y = project(shot.camera, [(checker.x_m, checker.y_m, checker.z_m)])[0]
    return bool(0 <= x < width and 0 <= y < height)


def draw_boards(folder: Path, boards: int, seed: int) -> int:
    """Write that many labelled pictures (PNG and JSON) into ``folder``; returns how many scenes were drawn for them."""
    folder.mkdir(parents=True, exist_ok=True)
    written, scene = 0, 0
    while written < boards:
        (shot,) = shots(SEEDS_APART + seed * boards * 4 + scene, 1)
        scene += 1
        name = f"drawn_{written:04d}"
        truth = label(shot, f"{name}.png")
        if truth is None:
            continue
        cv2.imwrite(str(folder / f"{name}.png"), shot.frame)
        (folder / f"{name}.json").write_text(json.dumps(truth), encoding="utf-8")
        written += 1
    return scene


def main() -> None:
    """Draw from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    draw_boards(asked.folder, asked.boards, asked.seed)


if __name__ == "__main__":
    main()
