"""Measures what the cube reader's scores mean, on drawn boards that training never saw, and stores it in the weights.

``python -m vision.training.calibrate_cube --boards 250`` measures the two nets that lie beside this file and writes the
figures into ``cube_reader.onnx``.
"""

import argparse
import logging
from dataclasses import asdict
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
import onnx

from vision.cube.reader import CubeCalibration, probabilities
from vision.inference import WEIGHTS
from vision.readings import CUBE_VALUES
from vision.training.calibration import write_measured
from vision.training.observe_cubes import FIRST_SEED, Observed, observe

logger = logging.getLogger(__name__)

READER: Final = WEIGHTS / "cube_reader.onnx"
INVENTED: Final = 0.005
"""Share of pictures in which something else may be taken for a cube."""
LEAST_CUBE, MOST_CUBE = 0.9, 0.995
WRONG_OF_CALLED: Final = 0.005
"""Share of the called numbers that may be wrong: a note to the arbiter that is none costs more than none."""
LEAST_VALUE: Final = 0.8


def bounds(observed: list[Observed]) -> CubeCalibration:
    """Choose from where on something is a cube, and from where on its number is called."""
    others = [seen.other for seen in observed]
    cube_above = float(np.clip(np.quantile(others, 1 - INVENTED), LEAST_CUBE, MOST_CUBE))
    read = [seen for seen in observed if seen.cube and seen.read and seen.read.is_cube >= cube_above]
    temperatures = np.exp(np.linspace(np.log(0.3), np.log(6), 60))
    value_temperature = float(temperatures[int(np.argmin([_loss(read, temperature) for temperature in temperatures]))])
    best, right = _called(read, value_temperature)
    order = np.argsort(-best)
    wrong = np.cumsum(~right[order])
    fine = np.flatnonzero(wrong <= WRONG_OF_CALLED * np.arange(1, len(order) + 1))
    above = float(best[order][fine[-1]]) if len(fine) else 1.0
    return CubeCalibration(value_temperature, cube_above, max(LEAST_VALUE, above))


def _loss(read: list[Observed], temperature: float) -> float:
    losses = []
    for seen in read:
        kind = len(CUBE_VALUES) if seen.number is None else CUBE_VALUES.index(seen.number)
        losses.append(-np.log(probabilities(_kinds(seen), temperature)[kind] + 1e-9))
    return float(np.mean(losses))


def _called(read: list[Observed], temperature: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """Probability of the best number and whether it is the one on top, for each cube."""
    probabilities = np.array([probabilities(_kinds(seen), temperature)[: len(CUBE_VALUES)] for seen in read])
    best = probabilities.argmax(1)
    right = [CUBE_VALUES[index] == seen.number for index, seen in zip(best, read, strict=True)]
    return probabilities.max(1), np.array(right, np.bool_)


def _kinds(seen: Observed) -> tuple[float, ...]:
    return seen.read.kinds if seen.read else (0.0,) * (len(CUBE_VALUES) + 1)


def report(observed: list[Observed], meaning: CubeCalibration) -> None:
    """Say how good the nets are with these bounds."""
    cubes = [seen for seen in observed if seen.cube]
    read = [seen for seen in cubes if seen.read and seen.read.is_cube >= meaning.cube_above]
    invented = sum(seen.other >= meaning.cube_above for seen in observed)
    best, right = _called(read, meaning.value_temperature)
    called = best >= meaning.value_above
    numbered = np.array([seen.number is not None for seen in read])
    logger.info("%d cubes, %d found; invented in %d of %d", len(cubes), len(read), invented, len(observed))
    logger.info(
        "numbers: %d right of %d, of them called %d; called and wrong %d (%d on a logo or a bare face)",
        (right & numbered).sum(), numbered.sum(), (called & right).sum(), (called & ~right).sum(),
        (called & ~numbered).sum(),
    )  # fmt: skip


def store(meaning: CubeCalibration) -> None:
    """Write figures into the weights' metadata."""
    write_measured(onnx.load(str(READER)), asdict(meaning), READER)


def main() -> None:
    """Measure on one half of the boards, store, and say what the other half makes of it."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=250)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    meaning = bounds(list(observe(asked.boards)))
    logger.info("%s", meaning)
    store(meaning)
    report(list(observe(asked.boards, FIRST_SEED + asked.boards)), meaning)


if __name__ == "__main__":
    main()
