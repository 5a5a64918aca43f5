"""Samples of the two nets that find a board: small pictures, as JPEG, with the places of corners and bar."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.synthetic.dice_shape import project
from vision.training.pictures.samples import BoardPicture, scenes_to_trace, shots, traced_shot
from vision.training.pictures.stacks import finish_traced, stacked_scenes
from vision.training.samples.traced import opened
from vision.training.shards import Maker, Shard

LONGER_SIDE_PX: Final = 640
JPEG_QUALITY: Final = 93


@dataclass(frozen=True, slots=True, eq=False)
class PlacedBoard:
    """A small picture and where the board lies in it."""

    jpeg: npt.NDArray[np.uint8]
    places: npt.NDArray[np.float32]
    """Pixels, shape (7, 2): p1, p12, p13, p24, the middles of the bar's near and far end; then half the bar's width in
    widths of the surface, and 0."""


def drawn(first_seed: int, boards: int) -> Iterator[PlacedBoard]:
    """Draw one picture of each board."""
    for seed in range(first_seed, first_seed + boards):
        yield placed(shots(seed, 1)[0])


def traced(files: list[Path], seed: int) -> Iterator[PlacedBoard]:
    """Spoil traced boards as cheap cameras do."""
    for board, number, frame in opened(files):
        rng = np.random.default_rng((seed, board, number))
        yield placed(traced_shot(rng, scenes_to_trace(board, number + 1)[number], frame))


def traced_stacks(files: list[Path], seed: int) -> Iterator[PlacedBoard]:
    """Spoil traced boards that are crowded with stacks."""
    for board, number, frame in opened(files):
        rng = np.random.default_rng((seed, board, number))
        yield placed(finish_traced(rng, stacked_scenes(board, number + 1, traced=True)[number], frame))


def placed(shot: BoardPicture) -> PlacedBoard:
    """Shrink a picture and its places."""
    dims = shot.style.dims
    ends = project(shot.camera, np.array([(0, -dims.half_depth, 0), (0, dims.half_depth, 0)], np.float64))
    height, width = shot.frame.shape[:2]
    scale = min(1.0, LONGER_SIDE_PX / max(height, width))
    small = cv2.resize(shot.frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    # Pixel centres: those of the small picture lie half a pixel in.
    places = (np.vstack([shot.corners, ends]) + 0.5) * scale - 0.5
    half_bar = (dims.bar_edges[1] - dims.bar_edges[0]) / 2
    jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
    return PlacedBoard(np.asarray(jpeg, np.uint8).ravel(), np.vstack([places, [(half_bar, 0.0)]]).astype(np.float32))


def shard(samples: list[PlacedBoard]) -> Shard:
    """Stack places and pictures; these are filled up with zeros, which a decoder of JPEG passes over."""
    longest = max(len(sample.jpeg) for sample in samples)
    return {
        "jpeg": np.stack([np.pad(sample.jpeg, (0, longest - len(sample.jpeg))) for sample in samples]),
        "places": np.stack([sample.places for sample in samples]),
    }


MAKER: Final = Maker(shard, {"drawn": drawn}, {"traced": traced, "traced_stacks": traced_stacks})
