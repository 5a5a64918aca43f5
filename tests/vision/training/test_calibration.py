"""What is fitted on held-out samples makes probabilities honest and keeps the errors that it is asked to keep."""

import numpy as np
import pytest

from vision.cube.reader import ReadCube
from vision.dice.finder import Detection
from vision.readings import CUBE_VALUES
from vision.training import calibrate_cube, calibrate_dice
from vision.training.calibration import (
    UntrainedError,
    fit_line,
    fit_logistic,
    fit_sharpness,
    fit_temperature,
    margins_of,
)


@pytest.mark.parametrize("temperature", [0.7, 1.0, 2.5])
def test_a_temperature_that_was_put_on_is_found(temperature: float) -> None:
    rng = np.random.default_rng(1)
    honest = rng.normal(0, 2, (20_000, 6))
    wanted = (honest + rng.gumbel(size=honest.shape)).argmax(1)
    assert fit_temperature(honest * temperature, wanted) == pytest.approx(temperature, rel=0.05)


def test_margins_twice_too_large_are_halved() -> None:
    rng = np.random.default_rng(2)
    honest = rng.normal(0, 2, 20_000)
    true = rng.random(len(honest)) < 1 / (1 + np.exp(-honest))
    probabilities = 1 / (1 + np.exp(-2 * honest))
    assert fit_sharpness(margins_of(probabilities, true)) == pytest.approx(0.5, rel=0.1)


def test_a_line_and_a_plane_of_log_odds_are_found() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(0, 2, (20_000, 2))
    true = rng.random(len(values)) < 1 / (1 + np.exp(-(0.8 * values[:, 0] - 0.5)))
    assert fit_line(np.stack([values[:, 0], true], 1)) == pytest.approx((0.8, -0.5), abs=0.06)
    weights, offset = fit_logistic(values, true)
    assert (*weights, offset) == pytest.approx((0.8, 0.0, -0.5), abs=0.06)


def test_few_flat_dice_are_called_cocked_and_not_many_are_asked_about() -> None:
    rng = np.random.default_rng(4)
    cocked = np.repeat([False, True], [4000, 1000])
    odds = np.where(cocked, rng.normal(5, 3, 5000), rng.normal(-5, 3, 5000))
    found = calibrate_dice.bounds(odds, cocked, rng.dirichlet([9, 1, 1, 1, 1, 1], 4000))
    assert (odds[~cocked] > found.cocked_above).mean() <= calibrate_dice.FLAT_CALLED_COCKED + 1e-3
    asked = (odds[~cocked] > found.flat_below) & (odds[~cocked] <= found.cocked_above)
    assert asked.mean() <= calibrate_dice.FLAT_IN_DOUBT + 1e-3
    assert found.flat_below <= found.cocked_above


def observed(number: int | None, strength: float, *, is_cube: float = 0.999) -> calibrate_cube.Observed:
    kinds = [0.0] * (len(CUBE_VALUES) + 1)
    kinds[len(CUBE_VALUES) if number is None else CUBE_VALUES.index(number)] = strength
    read = ReadCube(Detection((0.5, 0.4), 0.05, 0.9), is_cube, tuple(kinds))
    return calibrate_cube.Observed(cube=True, number=number, read=read, other=0.1)


def test_a_number_is_called_from_where_on_wrong_ones_are_rare() -> None:
    weak_and_wrong = [
        calibrate_cube.Observed(cube=True, number=4, read=observed(2, 1.5).read, other=0.1) for _ in range(20)
    ]
    found = calibrate_cube.bounds([observed(2, 8.0) for _ in range(300)] + weak_and_wrong)
    assert calibrate_cube.LEAST_CUBE <= found.cube_above <= calibrate_cube.MOST_CUBE
    assert found.value_above >= calibrate_cube.LEAST_VALUE
    assert found.value_temperature > 0


def test_a_net_that_finds_no_cube_is_sent_back_to_training() -> None:
    with pytest.raises(UntrainedError, match="no cube was found"):
        calibrate_cube.bounds([observed(2, 8.0, is_cube=0.2)])
