"""Measures what the dice reader's scores mean, on drawn throws that training never saw."""

from dataclasses import asdict
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardNotFoundError, BoardPose, BoardShape
from vision.dice.reader import DiceCalibration, DiceReader
from vision.dice.views import level_view
from vision.readings import DieState
from vision.training.calibration import Column, UntrainedError, fit_temperature
from vision.training.pictures.dice_throws import throw_shots

FIRST_SEED: Final = 700_000_000
"""Far from the seeds of training and of the figures."""
PICTURES_A_BOARD: Final = 2
LEAST_PX, LEAST_VISIBLE = 14.0, 0.85
COCKED_FROM_DEG: Final = 8.0
FLAT_CALLED_COCKED: Final = 0.004
COCKED_CALLED_FLAT: Final = 0.01
FLAT_IN_DOUBT: Final = 0.1
"""Share of flat dice that may be asked about; more would stop the play, so then some cocked ones pass for flat."""


def observe(reader: DiceReader, boards: int) -> tuple[Column, npt.NDArray[np.bool_], Column]:
    """Read drawn throws: log odds of cocked and whether it is (n); probabilities of faces, the true first (k, 6)."""
    odds, cocked, faces = [], [], []
    for seed in range(FIRST_SEED, FIRST_SEED + boards):
        for number, shot in enumerate(throw_shots(seed, PICTURES_A_BOARD)):
            rng = np.random.default_rng(seed * PICTURES_A_BOARD + number)
            spread = 0.002 * float(np.linalg.norm(shot.corners[0] - shot.corners[1]))
            corners = shot.corners + rng.normal(0, spread, (4, 2)).astype(np.float32)
            height, width = shot.frame.shape[:2]
            try:
                pose = BoardPose(corners, BoardShape(shot.dims.bar_edges), (width, height))
            except BoardNotFoundError:
                continue
            items = reader.look(shot.frame, pose)
            view = level_view(pose)
            places = [view.to_picture([item.detection.place], item.detection.size)[0] for item in items]
            for die in shot.dice:
                clear = die.image.face_px >= LEAST_PX and die.visible >= LEAST_VISIBLE
                if not clear or 0.5 < die.image.tilt_deg < COCKED_FROM_DEG or die.rest is DieState.MOVING:
                    continue
                away = [float(np.hypot(x - die.image.centre_px[0], y - die.image.centre_px[1])) for x, y in places]
                if not away or min(away) > 0.6 * die.image.face_px:
                    continue
                scores = items[int(np.argmin(away))].scores
                odds.append(scores.cocked)
                cocked.append(die.image.tilt_deg >= COCKED_FROM_DEG)
                if not cocked[-1]:
                    true = die.image.value - 1
                    faces.append([scores.faces[true], *scores.faces[:true], *scores.faces[true + 1 :]])
    if not (any(cocked) and faces):
        msg = "too few dice were found on the drawn throws, flat and cocked ones: train longer"
        raise UntrainedError(msg)
    return np.array(odds), np.array(cocked, np.bool_), np.array(faces)


def bounds(odds: Column, cocked: npt.NDArray[np.bool_], faces: Column) -> DiceCalibration:
    """Choose where flat ends and cocked begins, and how softly; and the temperature that makes faces honest."""
    above = float(np.quantile(odds[~cocked], 1 - FLAT_CALLED_COCKED))
    below = float(np.quantile(odds[cocked], COCKED_CALLED_FLAT))
    below = max(below, float(np.quantile(odds[~cocked], 1 - FLAT_IN_DOUBT)))
    if below > above:
        below = above = (below + above) / 2
    margins = np.where(cocked, odds, -odds)
    zeros = np.zeros(len(margins), np.int64)
    return DiceCalibration(
        face_temperature=fit_temperature(np.log(faces + 1e-6), np.zeros(len(faces), np.int64), 0.3, 6),
        flat_below=below,
        cocked_above=above,
        state_temperature=fit_temperature(np.stack([margins, np.zeros(len(margins))], 1), zeros, 0.3, 6),
    )


def calibration_figures(weights: Path, boards: int) -> dict[str, float]:
    """Measure weights whose calibration changes nothing."""
    odds, cocked, faces = observe(DiceReader(weights), boards)
    return asdict(bounds(odds, cocked, faces))
