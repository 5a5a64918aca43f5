"""Samples of each net, drawn or cut out of traced pictures; needs no torch."""

import importlib
from typing import Final

from vision.training.shards import Maker

MAKERS: Final = {
    "checkers": "strips",
    "stacks": "stacks",
    "borne_off": "zones",
    "board_outline": "boards",
    "board_corners": "boards",
    "dice_finder": "dice",
    "dice_reader": "dice",
    "cube_finder": "cubes",
    "cube_reader": "cubes",
}
"""Module of this package with each net's samples."""


def maker_of(net: str) -> Maker:
    """Return how the samples of a net are made."""
    maker: Maker = importlib.import_module(f"{__name__}.{MAKERS[net]}").MAKER
    return maker
