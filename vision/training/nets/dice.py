"""The nets that find and read dice, and what they learn."""

from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F  # noqa: N812 - torch's own convention
from torch import Tensor, nn

from vision.dice.finder import FINDER_STRIDE, FIRST_CENTRE_PX
from vision.dice.views import CROP_PX
from vision.inference import Floats
from vision.training.calibrate_dice import calibration_figures
from vision.training.nets.layers import conv_layers
from vision.training.samples.dice import CROP_FIELDS
from vision.training.shards import Rows, Shard, load
from vision.training.task import Batch, Inputs, Labels, Outputs, Task, as_tensor

READER_SCORES: Final = 16
"""Die or not, six faces, cocked, tilt, on a checker, moving, log size, middle's x and y, lean's x and y."""
COCKED_FROM_DEG: Final = 4.0
FLAT_TO_DEG, LEANING_FROM_DEG = 2.0, 6.5
"""Between the two nobody can decide; such dice do not train the cocked score."""
TILT_UNIT_DEG: Final = 30.0
ON_CHECKER_WEIGHT: Final = 3.0
HEAT_CELLS: Final = 0.8
"""Standard deviation of the bump that marks a die's middle."""
BATCHES_FOR_RANGES: Final = 8
LEAST_FACE_PX: Final = 14.0
SLANT_ERROR: Final = 0.05
CAMERA_FORGOTTEN: Final = 0.07
"""Share of crops whose camera is withheld."""


def finder_net() -> nn.Sequential:
    """Level picture (n, 3, h, w) to maps (n, 4, h/4, w/4): heat logit, offset x and y (cells), log size."""
    return nn.Sequential(
        *conv_layers(3, 12, stride=2),
        *conv_layers(12, 24, stride=2),
        *conv_layers(24, 24),
        *conv_layers(24, 32),
        *conv_layers(32, 32),
        *conv_layers(32, 32),
        nn.Conv2d(32, 4, 1),
    )


def reader_net() -> nn.Sequential:
    """Crops (n, 6, 72, 72) to READER_SCORES scores."""
    return nn.Sequential(
        *conv_layers(6, 24, 5, 2),
        *conv_layers(24, 32),
        *conv_layers(32, 48, stride=2),
        *conv_layers(48, 64),
        *conv_layers(64, 64),
        *conv_layers(64, 96, stride=2),
        *conv_layers(96, 96),
        nn.Conv2d(96, 64, 1),
        nn.ReLU(inplace=True),
        nn.Flatten(),
        nn.Linear(64 * 81, 128),
        nn.ReLU(inplace=True),
        nn.Dropout(0.2),
        nn.Linear(128, READER_SCORES),
    )


class _OnePicture(Task):
    """A net from "picture" to "seen"."""

    inputs = ("picture",)
    outputs = ("seen",)

    def typical(self) -> Iterator[Inputs]:
        """Batches as training shows them."""
        for number in range(BATCHES_FOR_RANGES):
            (pictures,), _ = self.batch(self.recipe.train.steps + number)
            yield {"picture": pictures.numpy()}

    @abstractmethod
    def made(self, shard: Shard, rng: np.random.Generator) -> Batch:
        """Return a batch of some rows of a shard."""

    def batch(self, step: int) -> Batch:
        """Rows of a step, varied."""
        return self.made(self.rows_at(step, self.recipe.train.batch), self.rng(step))

    def held_out(self) -> Iterator[Batch]:
        """Rows that training never sees, each varied in one way."""
        size = self.recipe.train.batch
        for file in self.measuring_shards():
            shard = load(file, self.fields)
            rows = self.rows(shard)
            for start in range(0, len(rows), size):
                part = {name: values[rows[start : start + size]] for name, values in shard.items()}
                yield self.made(part, np.random.default_rng(start))


class FinderTask(_OnePicture):
    """Trains and exports a net that marks middles in a level picture: dice, or with another net cubes."""

    fields = ("tiles", "marks")
    free_axes = {"picture": {0: "n", 2: "h", 3: "w"}}  # noqa: RUF012 - as the base has it

    def made(self, shard: Shard, rng: np.random.Generator) -> Batch:
        """Tiles mirrored and turned at random, and their truth."""
        tiles, marks = shard["tiles"], np.array(shard["marks"], np.float32)
        size = tiles.shape[1]
        pictures, truths = [], []
        for tile, mark in zip(tiles, marks, strict=True):
            turn = int(rng.integers(8))
            if turn & 1:
                tile, mark[:, 0] = tile[:, ::-1], size - 1 - mark[:, 0]  # noqa: PLW2901
            if turn & 2:
                tile, mark[:, 1] = tile[::-1], size - 1 - mark[:, 1]  # noqa: PLW2901
            if turn & 4:
                tile, mark[:, :2] = tile.transpose(1, 0, 2), mark[:, 1::-1].copy()  # noqa: PLW2901
            pictures.append(tile.transpose(2, 0, 1).astype(np.float32) / 128 - 1)
            truths.append(finder_truth(mark, size))
        return (recoloured(rng, as_tensor(np.stack(pictures))),), {"maps": as_tensor(np.stack(truths))}

    def loss(self, outputs: Outputs, truth: Labels) -> tuple[Tensor, dict[str, float]]:
        """Loss of the maps."""
        total = finder_loss(outputs[0], truth["maps"])
        return total, {"finder": total.item()}

    def example(self) -> tuple[Tensor, ...]:
        """One tile."""
        return (torch.zeros(1, 3, 128, 128),)


class DiceFinderTask(FinderTask):
    """Trains and exports the finder of dice."""

    def build(self) -> nn.Module:
        """Return the net before it has learnt anything."""
        return finder_net()


class DiceReaderTask(_OnePicture):
    """Trains and exports the reader of dice; ``[export]``: ``boards``, drawn ones to calibrate with."""

    fields = ("crops", "meta")
    free_axes = {"picture": {0: "n"}}  # noqa: RUF012 - as the base has it

    def build(self) -> nn.Module:
        """Return the net before it has learnt anything."""
        return reader_net()

    def start(self, net: nn.Module, weights: dict[str, Tensor]) -> None:
        """Take over weights; a last layer with fewer scores gives what it has."""
        own = net.state_dict()
        for name, values in weights.items():
            own[name][: len(values)] = values
        net.load_state_dict(own)

    def rows(self, shard: Shard) -> Rows:
        """Crops that teach something: no dice so small that nobody could read them."""
        meta = shard["meta"].astype(np.float32)
        is_die, face_px = meta[:, CROP_FIELDS.index("is_die")] > 0.5, meta[:, CROP_FIELDS.index("face_px")]
        return np.flatnonzero(~is_die | (face_px >= LEAST_FACE_PX))

    def made(self, shard: Shard, rng: np.random.Generator) -> Batch:
        """Crops mirrored at random, with the slant in the input, and their truth."""
        crops, count = shard["crops"].copy(), len(shard["crops"])
        meta = {
            name: column.copy() for name, column in zip(CROP_FIELDS, shard["meta"].astype(np.float32).T, strict=True)
        }
        flipped = rng.random(count) < 0.5
        crops[flipped] = crops[flipped][:, :, ::-1]
        for name in ("off_x", "lean_x"):
            meta[name][flipped] *= -1
        forgotten = rng.random(count) < CAMERA_FORGOTTEN
        slant = meta["slant"] * np.exp(rng.normal(0, SLANT_ERROR, count)).astype(np.float32)
        place = [np.zeros_like(slant), *(np.where(forgotten, np.float32(0), each) for each in (slant, meta["known"]))]
        truth = {name: as_tensor(column) for name, column in meta.items()}
        truth["place"] = torch.stack([truth["log_size"], truth["off_x"], truth["off_y"]], 1)
        truth["lean"] = torch.stack([truth["lean_x"], truth["lean_y"]], 1)
        return (with_planes(rng, crops, np.stack(place, 1)),), truth

    def loss(self, outputs: Outputs, truth: Labels) -> tuple[Tensor, dict[str, float]]:
        """Loss of all scores, and the share of clear dice whose face is right."""
        seen = outputs[0]
        total = reader_loss(seen, truth)
        clear = (truth["is_die"] > 0.5) & (truth["visible"] > 0.8) & (truth["moving"] < 0.5)
        right = (seen[clear, 1:7].argmax(1) == truth["face"][clear]).float().mean()
        return total, {"reader": total.item(), "faces": float(right)}

    def example(self) -> tuple[Tensor, ...]:
        """One crop."""
        return (torch.zeros(1, 6, CROP_PX, CROP_PX),)

    def neutral(self) -> dict[str, float]:
        """Figures that leave the scores as they are."""
        return {"face_temperature": 1.0, "flat_below": 0.0, "cocked_above": 0.0, "state_temperature": 1.0}

    def calibrate(self, weights: Path) -> dict[str, float]:
        """Return where flat ends and cocked begins, and honest temperatures, measured on drawn throws."""
        return calibration_figures(weights, int(self.recipe.export["boards"]))


def with_planes(rng: np.random.Generator, crops: npt.NDArray[np.generic], planes: Floats) -> Tensor:
    """Return crops (n, h, w, 3) recoloured, followed by one plane for each number of ``planes`` (n, k)."""
    pictures = recoloured(rng, as_tensor(crops.transpose(0, 3, 1, 2)) / 128 - 1)
    spread = as_tensor(planes)[..., None, None].expand(-1, -1, *pictures.shape[2:])
    return torch.cat([pictures, spread], 1)


def finder_truth(marks: Floats, size: int) -> Floats:
    """Heat, offset x, offset y, log size and weight maps (5, size/4, size/4) of one tile's marks."""
    cells = size // FINDER_STRIDE
    truth = np.zeros((5, cells, cells), np.float32)
    truth[4] = 1
    rows, columns = np.mgrid[0:cells, 0:cells]
    for mark in marks[~np.isnan(marks[:, 0])]:
        x, y, log_size, is_die, visible = (float(value) for value in mark)
        column, row = (x - FIRST_CENTRE_PX) / FINDER_STRIDE, (y - FIRST_CENTRE_PX) / FINDER_STRIDE
        squared = (columns - column) ** 2 + (rows - row) ** 2
        if not is_die:
            continue
        if visible < 0.5:
            if visible > 0.1:
                truth[4][squared < 9] = 0
            continue
        heat = np.exp(-squared / (2 * HEAT_CELLS**2))
        at = round(row), round(column)
        if 0 <= at[0] < cells and 0 <= at[1] < cells:
            heat[at] = 1
            near = squared < 2.2
            truth[1][near], truth[2][near], truth[3][near] = (column - columns)[near], (row - rows)[near], log_size
        truth[0] = np.maximum(truth[0], heat)
    return truth


def recoloured(rng: np.random.Generator, pictures: Tensor) -> Tensor:
    """Vary gain and offset of each channel; pictures (n, 3, h, w) lie in -1..1."""
    gain = as_tensor(np.exp(rng.normal(0, 0.12, (len(pictures), 3, 1, 1))))
    shift = as_tensor(rng.normal(0, 0.08, (len(pictures), 3, 1, 1)))
    return (pictures + 1) * gain - 1 + shift


def finder_loss(seen: Tensor, truth: Tensor) -> Tensor:
    """Focal loss of the heat (Law & Deng 2018, "CornerNet") and L1 of offset and size.

    ``truth`` (n, 5, h, w): heat, offset x, offset y, log size, weight.
    """
    probability = torch.sigmoid(seen[:, 0]).clamp(1e-4, 1 - 1e-4)
    heat, weight = truth[:, 0], truth[:, 4]
    middle = (heat >= 0.999).float()
    found = middle * (1 - probability) ** 2 * probability.log()
    quiet = (1 - middle) * (1 - heat) ** 4 * probability**2 * (1 - probability).log()
    near = (heat > 0.5).float()
    apart = F.l1_loss(seen[:, 1:4], truth[:, 1:4], reduction="none").sum(1)
    focal = -((found + quiet) * weight).sum() / middle.sum().clamp(min=1)
    return focal + 0.5 * (apart * near).sum() / near.sum().clamp(min=1)


def reader_loss(seen: Tensor, truth: dict[str, Tensor]) -> Tensor:
    """Sum of the scores' losses, each over the crops that can teach it."""
    visible, is_die = truth["visible"], truth["is_die"] > 0.5
    unclear = is_die & (visible < 0.5) & (visible > 0.15)
    there = (is_die & (visible > 0.15)).float()
    total = (F.binary_cross_entropy_with_logits(seen[:, 0], there, reduction="none") * (~unclear).float()).mean()
    clear = is_die & (visible > 0.5)
    if not clear.any():
        return total
    seen, truth = seen[clear], {name: values[clear] for name, values in truth.items()}
    still = 1 - truth["moving"]
    readable = still * (truth["visible"] > 0.8).float()
    total = total + (F.cross_entropy(seen[:, 1:7], truth["face"].long(), reduction="none") * readable).mean()
    tilt = truth["tilt"]
    decided = still * ((tilt < FLAT_TO_DEG) | (tilt > LEANING_FROM_DEG)).float()
    cocked = (tilt > COCKED_FROM_DEG).float()
    total = total + 2 * (F.binary_cross_entropy_with_logits(seen[:, 7], cocked, reduction="none") * decided).mean()
    # Photos do not say how a die leans, nor exactly where its top is.
    measured = still * (~tilt.isnan()).float()
    tilted = F.smooth_l1_loss(seen[:, 8], tilt.nan_to_num() / TILT_UNIT_DEG, reduction="none")
    total = total + 0.5 * (tilted * measured).mean()
    # Few dice lie on a checker, and only the context shows it, not the die: weighed up so that it gets learnt.
    rare = torch.tensor(ON_CHECKER_WEIGHT)
    raised = F.binary_cross_entropy_with_logits(seen[:, 9], truth["on_checker"], reduction="none", pos_weight=rare)
    total = total + 0.5 * (raised * measured).mean()
    total = total + 0.3 * F.binary_cross_entropy_with_logits(seen[:, 10], truth["moving"])
    lean = truth["lean"].nan_to_num()  # older shards lack where a cocked die leans
    known = still * (~truth["lean"].isnan().any(1)).float()
    # Squares, not distances: most dice lean nowhere, and the median of the rest would be nowhere too.
    leans = F.mse_loss(seen[:, 14:16], lean, reduction="none").sum(1)
    total = total + 6 * (leans * known).mean()
    place = F.smooth_l1_loss(seen[:, 11:14], truth["place"].nan_to_num(), reduction="none", beta=0.05).sum(1)
    return total + 0.5 * (place * measured).mean()
