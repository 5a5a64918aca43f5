"""The nets and what each brings to its training. Needs torch; the program opens the exported weights instead."""

from pathlib import Path
from typing import Final

from vision.training.nets.board import BoardCorners, BoardOutline
from vision.training.nets.borne_off import BorneOff
from vision.training.nets.checkers import Checkers
from vision.training.nets.cube import CubeFinder, CubeReader
from vision.training.nets.dice import DiceFinder, DiceReader
from vision.training.nets.stacks import Stacks
from vision.training.recipe import Recipe
from vision.training.task import Task

TASKS: Final[dict[str, type[Task]]] = {
    "checkers": Checkers,
    "stacks": Stacks,
    "borne_off": BorneOff,
    "board_outline": BoardOutline,
    "board_corners": BoardCorners,
    "dice_finder": DiceFinder,
    "dice_reader": DiceReader,
    "cube_finder": CubeFinder,
    "cube_reader": CubeReader,
}


def task_of(recipe: Recipe, work: Path) -> Task:
    """Return what a recipe's net brings to its training."""
    return TASKS[recipe.net](recipe, work)
