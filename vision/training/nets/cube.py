"""The nets that find and read the doubling cube, and what they learn."""

from pathlib import Path
from typing import Final

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - torch's own convention
from torch import Tensor, nn

from vision.cube.views import CROP_PX
from vision.training.calibrate_cube import calibration_figures
from vision.training.nets.dice import DiceReaderTask, FinderTask, with_planes
from vision.training.nets.layers import conv_layers
from vision.training.pictures.cube_samples import NO_NUMBER, UNTOLD
from vision.training.samples.cubes import CUBE_FIELDS
from vision.training.shards import Rows, Shard
from vision.training.task import Batch, Labels, Outputs, as_tensor

KINDS: Final = NO_NUMBER + 1
READER_SCORES: Final = 1 + KINDS + 2 + 3
"""Cube or not, the kinds (six numbers, none), the edges' direction, log size, middle's x and y."""
LEAST_VISIBLE: Final = 0.8
LEAST_FACE_PX: Final = 9.0
"""Numbers on smaller faces are no more than a few specks."""
RARE: Final = -4.6
"""Log odds of a cube's middle before anything is learnt: one cell in a hundred, or the first steps are lost."""


def finder_net() -> nn.Sequential:
    """Level picture (n, 3, h, w) to maps (n, 4, h/4, w/4): heat logit, offset x and y (cells), log size."""
    last = nn.Conv2d(24, 4, 1)
    with torch.no_grad():
        last.bias[0] = RARE  # type: ignore[index] # a layer made with a bias has one
    return nn.Sequential(
        *conv_layers(3, 10, stride=2),
        *conv_layers(10, 20, stride=2),
        *conv_layers(20, 20),
        *conv_layers(20, 24),
        *conv_layers(24, 24),
        last,
    )


def reader_net() -> nn.Sequential:
    """Crops (n, 5, 56, 56) to READER_SCORES scores."""
    return nn.Sequential(
        *conv_layers(5, 24, 5, 2),
        *conv_layers(24, 32),
        *conv_layers(32, 48, stride=2),
        *conv_layers(48, 64),
        *conv_layers(64, 80, stride=2),
        *conv_layers(80, 96),
        *conv_layers(96, 96, stride=2),
        nn.Conv2d(96, 112, 4, bias=False),
        nn.BatchNorm2d(112),
        nn.ReLU(inplace=True),
        nn.Dropout(0.2),
        nn.Conv2d(112, READER_SCORES, 1),
        nn.Flatten(),
    )


class CubeFinderTask(FinderTask):
    """Trains and exports the finder of cubes."""

    def build(self) -> nn.Module:
        """Return the net before it has learnt anything."""
        return finder_net()


class CubeReaderTask(DiceReaderTask):
    """Trains and exports the reader of cubes; ``[export]``: ``boards``, drawn ones to calibrate with."""

    def build(self) -> nn.Module:
        """Return the net before it has learnt anything."""
        return reader_net()

    def rows(self, shard: Shard) -> Rows:
        """Crops that teach something."""
        meta = shard["meta"].astype(np.float32)
        is_cube, face_px = meta[:, CUBE_FIELDS.index("is_cube")] > 0.5, meta[:, CUBE_FIELDS.index("face_px")]
        return np.flatnonzero(~is_cube | (face_px >= LEAST_FACE_PX))

    def made(self, shard: Shard, rng: np.random.Generator) -> Batch:
        """Crops as they are, recoloured, and their truth: a number that is mirrored or turned is another one."""
        meta = dict(zip(CUBE_FIELDS, shard["meta"].astype(np.float32).T, strict=True))
        nadir = np.stack([meta["nadir_x"], meta["nadir_y"]], 1)
        return (with_planes(rng, shard["crops"], nadir),), {name: as_tensor(column) for name, column in meta.items()}

    def loss(self, outputs: Outputs, truth: Labels) -> tuple[Tensor, dict[str, float]]:
        """Loss of all scores."""
        total = reader_loss(outputs[0], truth)
        return total, {"reader": total.item()}

    def example(self) -> tuple[Tensor, ...]:
        """One crop."""
        return (torch.zeros(1, 5, CROP_PX, CROP_PX),)

    def neutral(self) -> dict[str, float]:
        """Figures that leave the scores as they are."""
        return {"value_temperature": 1.0, "cube_above": 0.5, "value_above": 0.9}

    def calibrate(self, weights: Path) -> dict[str, float]:
        """Return from where on something is a cube and a number is called, measured on drawn boards."""
        return calibration_figures(weights, int(self.recipe.export["boards"]))


def reader_loss(seen: Tensor, truth: dict[str, Tensor]) -> Tensor:
    """Sum of the scores' losses, each over the crops that can teach it."""
    visible, is_cube = truth["visible"], truth["is_cube"] > 0.5
    unclear = is_cube & (visible < 0.5)
    there = (is_cube & ~unclear).float()
    total = (F.binary_cross_entropy_with_logits(seen[:, 0], there, reduction="none") * (~unclear).float()).mean()
    clear = is_cube & (visible > LEAST_VISIBLE)
    if not clear.any():
        return total
    seen, truth = seen[clear], {name: values[clear] for name, values in truth.items()}
    numbered = truth["kind"] != UNTOLD
    if numbered.any():
        total = total + F.cross_entropy(seen[numbered, 1 : 1 + KINDS], truth["kind"][numbered].long())
    edges = torch.stack([truth["edge_x"], truth["edge_y"]], 1)
    total = total + 0.5 * F.mse_loss(seen[:, 1 + KINDS : 3 + KINDS], edges)
    place = torch.stack([truth["log_size"], truth["off_x"], truth["off_y"]], 1)
    return total + 2 * F.smooth_l1_loss(seen[:, 3 + KINDS :], place, beta=0.05)
