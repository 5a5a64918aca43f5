"""Fits what makes a net's probabilities honest on pictures that it never saw."""

from typing import Any

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]


class UntrainedError(ValueError):
    """A net that finds or reads too little on its held-out pictures to be calibrated."""


def fit_temperature(logits: Column, wanted: npt.NDArray[np.int64], low: float = 0.4, high: float = 4.0) -> float:
    """Return the divisor of logits (n, classes) with the least cross entropy."""
    steps = np.exp(np.linspace(np.log(low), np.log(high), 80))
    rows = np.arange(len(wanted))
    losses = [np.mean(np.logaddexp.reduce(logits / step, 1) - logits[rows, wanted] / step) for step in steps]
    return float(steps[int(np.argmin(losses))])


def fit_sharpness(margins: Column) -> float:
    """Return the factor on log odds (positive where right) with the least cross entropy."""
    steps = np.exp(np.linspace(np.log(0.05), np.log(4), 80))
    losses = [np.mean(np.logaddexp(0, -margins * step)) for step in steps]
    return float(steps[int(np.argmin(losses))])


def margins_of(probabilities: npt.NDArray[np.floating[Any]], true: Truths) -> Column:
    """Log odds of probabilities, positive where they are right."""
    inner = np.clip(probabilities, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(inner / (1 - inner)) * np.where(true, 1, -1), np.float64)


def fit_line(pairs: Column) -> tuple[float, float]:
    """Logistic regression of one variable (value, truth) by Newton steps, held gently near the identity."""
    values, truths = pairs.T
    weights = np.array([1.0, 0.0])
    design = np.stack([values, np.ones_like(values)])
    for _ in range(25):
        probability = 1 / (1 + np.exp(-(weights @ design)))
        push = design @ (truths - probability) - 0.1 * (weights - [1, 0])
        bend = (design * (probability * (1 - probability) + 1e-6)) @ design.T + 0.1 * np.eye(2)
        weights = weights + np.linalg.solve(bend, push)
    return float(weights[0]), float(weights[1])


def fit_logistic(rows: Column, right: Truths) -> tuple[Column, float]:
    """Weights and offset of a logistic regression by Newton's method, a little pulled towards none."""
    middle, spread = rows.mean(0), rows.std(0)
    given = np.hstack([(rows - middle) / spread, np.ones((len(rows), 1))])
    pull = np.diag([1.0] * rows.shape[1] + [0.0])
    weights = np.zeros(given.shape[1])
    for _ in range(30):
        probability = 1 / (1 + np.exp(-given @ weights))
        slope = given.T @ (right - probability) - pull @ weights
        bend = (given * (probability * (1 - probability))[:, None]).T @ given + pull
        weights += np.linalg.solve(bend + 1e-6 * np.eye(len(bend)), slope)
    plain = weights[:-1] / spread
    return plain, float(weights[-1] - plain @ middle)
