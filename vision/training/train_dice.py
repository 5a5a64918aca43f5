"""Trains a net of the dice: ``python -m vision.training.train_dice reader SHARDS OUT --minutes 20 [--start OLD]``.

Shards (a folder of ``make_dice_samples`` files) are the only pictures ever used. Writes OUT.pt, to go on from, and
OUT.onnx, which the reader opens.
"""

import argparse
import itertools
import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from vision.dice.views import CROP_PX
from vision.training.dice_nets import finder_loss, finder_net, reader_loss, reader_net
from vision.training.fitting import export_seen, fit
from vision.training.make_dice_samples import CROP_FIELDS, MARK_FIELDS

logger = logging.getLogger(__name__)

Floats = npt.NDArray[np.float32]
Shard = dict[str, npt.NDArray[np.generic]]
STRIDE: Final = 4
FIRST_CENTRE_PX: Final = 1.5
HEAT_CELLS: Final = 0.8
FINDER_BATCH, READER_BATCH = 32, 48
BATCHES_FOR_RANGES: Final = 8
PEAK_RATE, AGAIN_RATE = 2e-3, 1.2e-3
LEAST_FACE_PX: Final = 14.0
SLANT_ERROR: Final = 0.05
CAMERA_FORGOTTEN: Final = 0.07
"""Share of crops whose camera is withheld."""


def finder_truth(marks: Floats, size: int) -> Floats:
    """Heat, offset x, offset y, log size and weight maps (5, size/4, size/4) of one tile's marks."""
    cells = size // STRIDE
    truth = np.zeros((5, cells, cells), np.float32)
    truth[4] = 1
    rows, columns = np.mgrid[0:cells, 0:cells]
    for mark in marks[~np.isnan(marks[:, 0])]:
        x, y, log_size, is_die, visible = (float(value) for value in mark)
        column, row = (x - FIRST_CENTRE_PX) / STRIDE, (y - FIRST_CENTRE_PX) / STRIDE
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


def finder_batch(rng: np.random.Generator, shard: Shard, picked: npt.NDArray[np.intp]) -> tuple[Tensor, Tensor]:
    """Tiles mirrored and turned at random, and their truth."""
    tiles, marks = shard["tiles"][picked], shard["marks"][picked].astype(np.float32)
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
    return recoloured(rng, torch.from_numpy(np.stack(pictures))), torch.from_numpy(np.stack(truths))


def reader_batch(
    rng: np.random.Generator, shard: Shard, picked: npt.NDArray[np.intp]
) -> tuple[Tensor, dict[str, Tensor]]:
    """Crops mirrored at random, with the slant in the input, and their truth."""
    crops = shard["crops"][picked].copy()
    columns = shard["meta"][picked].astype(np.float32).T
    meta = {name: column.copy() for name, column in zip(CROP_FIELDS, columns, strict=True)}
    flipped = rng.random(len(picked)) < 0.5
    crops[flipped] = crops[flipped][:, :, ::-1]
    for name in ("off_x", "lean_x"):
        meta[name][flipped] *= -1
    forgotten = rng.random(len(picked)) < CAMERA_FORGOTTEN
    pictures = torch.from_numpy(crops.transpose(0, 3, 1, 2).astype(np.float32) / 128 - 1)
    slant = meta["slant"] * np.exp(rng.normal(0, SLANT_ERROR, len(picked))).astype(np.float32)
    place = [np.zeros_like(slant), *(np.where(forgotten, np.float32(0), values) for values in (slant, meta["known"]))]
    planes = torch.from_numpy(np.stack(place, 1))[..., None, None].expand(-1, -1, *pictures.shape[2:])
    truth = {name: torch.from_numpy(np.ascontiguousarray(column)) for name, column in meta.items()}
    truth["place"] = torch.stack([truth["log_size"], truth["off_x"], truth["off_y"]], 1)
    truth["lean"] = torch.stack([truth["lean_x"], truth["lean_y"]], 1)
    return torch.cat([recoloured(rng, pictures), planes], 1), truth


def recoloured(rng: np.random.Generator, pictures: Tensor) -> Tensor:
    """Vary gain and offset of each channel; pictures (n, 3, h, w) lie in -1..1."""
    gain = torch.from_numpy(np.exp(rng.normal(0, 0.12, (len(pictures), 3, 1, 1))).astype(np.float32))
    shift = torch.from_numpy(rng.normal(0, 0.08, (len(pictures), 3, 1, 1)).astype(np.float32))
    return (pictures + 1) * gain - 1 + shift


def batches(rng: np.random.Generator, folder: Path, kind: str) -> Iterator[tuple[Tensor, Tensor | dict[str, Tensor]]]:
    """Endless batches out of a folder of shards that may still be growing; one shard at a time is in memory."""
    names = ("tiles", "marks") if kind == "finder" else ("crops", "meta")
    assert len(MARK_FIELDS) == 5  # noqa: S101
    make = finder_batch if kind == "finder" else reader_batch
    size = FINDER_BATCH if kind == "finder" else READER_BATCH
    while True:
        files = sorted(folder.glob("*.npz"))
        for index in rng.permutation(len(files)):
            with np.load(files[index]) as stored:
                shard: Shard = {name: stored[name] for name in names}
            order = rng.permutation(len(shard[names[0]]) if kind == "finder" else _worth_reading(shard))
            for start in range(0, len(order) - size + 1, size):
                yield make(rng, shard, np.sort(order[start : start + size]))


def _worth_reading(shard: Shard) -> npt.NDArray[np.intp]:
    """Crops that teach something: no dice so small that nobody could read them."""
    meta = shard["meta"].astype(np.float32)
    is_die, face_px = meta[:, CROP_FIELDS.index("is_die")] > 0.5, meta[:, CROP_FIELDS.index("face_px")]
    return np.flatnonzero(~is_die | (face_px >= LEAST_FACE_PX))


def resume(net: nn.Module, weights: dict[str, Tensor]) -> None:
    """Take over weights; a last layer with fewer scores gives what it has."""
    own = net.state_dict()
    for name, values in weights.items():
        if own[name].shape == values.shape:
            own[name] = values
        else:
            own[name][: len(values)] = values
    net.load_state_dict(own)


def train(kind: str, folder: Path, out: Path, minutes: float, start: Path | None) -> None:
    """Train for a time with one cosine of the learning rate."""
    torch.set_num_threads(1)
    torch.manual_seed(1)
    rng = np.random.default_rng(time.time_ns() if start else 1)
    net = finder_net() if kind == "finder" else reader_net()
    if start is not None:
        resume(net, torch.load(start))
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    loss_of: Callable[..., Tensor] = finder_loss if kind == "finder" else reader_loss
    peak = AGAIN_RATE if start else PEAK_RATE
    began = time.monotonic()
    logger.info("training the %s", kind)
    fit(net, batches(rng, folder, kind), loss_of, peak, lambda: (time.monotonic() - began) / 60 / minutes)
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    export(net, kind, folder, out.with_suffix(".onnx"))


def export(net: nn.Module, kind: str, folder: Path, out: Path) -> None:
    """Write a net for onnxruntime, batch norm folded away and convolutions in 8 bits; ``folder`` holds shards."""
    picture = torch.zeros(1, 3, 128, 128) if kind == "finder" else torch.zeros(1, 6, CROP_PX, CROP_PX)
    free = {0: "n", 2: "h", 3: "w"} if kind == "finder" else {0: "n"}
    export_seen(
        net, picture, free, itertools.islice(batches(np.random.default_rng(3), folder, kind), BATCHES_FOR_RANGES), out
    )


def main() -> None:
    """Train from the command line."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("finder", "reader"))
    parser.add_argument("shards", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--start", type=Path)
    asked = parser.parse_args()
    train(asked.kind, asked.shards, asked.out, asked.minutes, asked.start)


if __name__ == "__main__":
    main()
