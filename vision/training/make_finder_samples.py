"""Keeps small pictures of boards with their corners: ``python -m vision.training.make_finder_samples FOLDER``.

``--boards 2000 --seed 1`` draws some; ``--traced PICTURES`` takes those of ``make_traced_boards``, with ``--stacks``
those of ``make_traced_stacks``. Each picture is ``NAME.jpg`` beside ``NAME.npy``: places (6, 2) in its pixels, the
corners p1, p12, p13, p24, then the middle of the bar's end between p6 and p7 and of that between p18 and p19; and
half the bar's width in widths of the surface, as a seventh row.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.synthetic.dice_shape import project
from vision.training.pictures.samples import BoardPicture, scenes_to_trace, shots, traced_shot
from vision.training.pictures.stacks import finish_traced, stacked_scenes

LONGER_SIDE_PX: Final = 640
JPEG_QUALITY: Final = 93


def drawn(seed: int, boards: int) -> Iterator[tuple[str, BoardPicture]]:
    """Drawn pictures, one of each board."""
    for number in range(seed, seed + boards):
        yield f"d{number}", shots(number, 1)[0]


def traced(folder: Path, seed: int, *, stacks: bool) -> Iterator[tuple[str, BoardPicture]]:
    """Traced pictures, spoiled as cheap cameras do."""
    for file in sorted(folder.glob("*.png")):
        frame = cv2.imread(str(file))
        if frame is None:
            continue
        board, number = map(int, file.stem.split("_"))
        rng = np.random.default_rng((seed, board, number))
        if stacks:
            shot = finish_traced(rng, stacked_scenes(board, 2, traced=True)[number], np.asarray(frame, np.uint8))
        else:
            shot = traced_shot(rng, scenes_to_trace(board, number + 1)[number], np.asarray(frame, np.uint8))
        yield f"t{file.stem}", shot


def keep(folder: Path, name: str, shot: BoardPicture) -> None:
    """Write one picture and its places."""
    dims = shot.style.dims
    ends = project(shot.camera, np.array([(0, -dims.half_depth, 0), (0, dims.half_depth, 0)], np.float64))
    height, width = shot.frame.shape[:2]
    scale = min(1.0, LONGER_SIDE_PX / max(height, width))
    small = cv2.resize(shot.frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    # Pixel centres: those of the small picture lie half a pixel in.
    places = (np.vstack([shot.corners, ends]) + 0.5) * scale - 0.5
    half_bar = (dims.bar_edges[1] - dims.bar_edges[0]) / 2
    np.save(folder / f"{name}.npy", np.vstack([places, [(half_bar, 0.0)]]).astype(np.float32))
    cv2.imwrite(str(folder / f"{name}.jpg"), small, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])


def main() -> None:
    """Read the command line; pictures that are there already are kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--boards", type=int, default=2000)
    parser.add_argument("--traced", type=Path, help="a folder of traced pictures, instead of drawing boards")
    parser.add_argument("--stacks", action="store_true", help="they are those of make_traced_stacks")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    asked.folder.mkdir(parents=True, exist_ok=True)
    source = (
        drawn(asked.seed, asked.boards)
        if asked.traced is None
        else traced(asked.traced, asked.seed, stacks=asked.stacks)
    )
    for name, shot in source:
        keep(asked.folder, name, shot)


if __name__ == "__main__":
    main()
