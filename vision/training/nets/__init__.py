"""The nets and what each brings to its training. Needs torch; the program opens the exported weights instead."""

from pathlib import Path
from typing import Final

from vision.training.nets.board import BoardCornersTask, BoardOutlineTask
from vision.training.nets.borne_off import BorneOffTask
from vision.training.nets.checkers import CheckersTask, PhotoCheckersTask
from vision.training.nets.cube import CubeFinderTask, CubeReaderTask
from vision.training.nets.dice import DiceFinderTask, DiceReaderTask
from vision.training.nets.stacks import StacksTask
from vision.training.recipe import Recipe
from vision.training.task import Task

TASKS: Final[dict[str, type[Task]]] = {
    "checkers": CheckersTask,
    "checkers_photo": PhotoCheckersTask,
    "stacks": StacksTask,
    "borne_off": BorneOffTask,
    "board_outline": BoardOutlineTask,
    "board_corners": BoardCornersTask,
    "dice_finder": DiceFinderTask,
    "dice_reader": DiceReaderTask,
    "cube_finder": CubeFinderTask,
    "cube_reader": CubeReaderTask,
}


def task_of(recipe: Recipe, work: Path) -> Task:
    """Return what a recipe's net brings to its training."""
    return TASKS[recipe.net](recipe, work)
