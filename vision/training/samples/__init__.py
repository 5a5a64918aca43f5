"""Samples of each net, drawn or cut out of traced pictures; needs no torch."""

from typing import Final

from vision.training.samples import boards, checkers, cubes, dice
from vision.training.shards import Maker

MAKERS: Final[dict[str, Maker]] = {
    "checkers": checkers.STRIPS,
    "checkers_photo": checkers.STRIPS,
    "stacks": checkers.STACKS,
    "borne_off": checkers.ZONES,
    "board_outline": boards.MAKER,
    "board_corners": boards.MAKER,
    "dice_finder": dice.MAKER,
    "dice_reader": dice.MAKER,
    "cube_finder": cubes.MAKER,
    "cube_reader": cubes.MAKER,
}
"""How each net's samples are made."""
