"""Trains a net of the cube: ``python -m vision.training.train_cube reader SHARDS OUT --minutes 9 [--start OLD]``.

Shards (a folder of ``make_cube_samples`` files) are the only pictures ever used. Writes OUT.pt, to go on from, and
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

from vision.cube.views import CROP_PX
from vision.training.cube_nets import finder_net, reader_loss, reader_net
from vision.training.dice_nets import finder_loss
from vision.training.fitting import export_seen, fit
from vision.training.make_cube_samples import CUBE_FIELDS
from vision.training.train_dice import Shard, finder_batch, recoloured

logger = logging.getLogger(__name__)

FINDER_BATCH, READER_BATCH = 32, 48
BATCHES_FOR_RANGES: Final = 8
PEAK_RATE, AGAIN_RATE = 2e-3, 1e-3
LEAST_FACE_PX: Final = 9.0
"""Numbers on smaller faces are no more than a few specks."""


def reader_batch(
    rng: np.random.Generator, shard: Shard, picked: npt.NDArray[np.intp]
) -> tuple[Tensor, dict[str, Tensor]]:
    """Crops as they are, recoloured, and their truth: a number that is mirrored or turned is another one."""
    crops = shard["crops"][picked]
    meta = dict(zip(CUBE_FIELDS, shard["meta"][picked].astype(np.float32).T.copy(), strict=True))
    pictures = torch.from_numpy(crops.transpose(0, 3, 1, 2).astype(np.float32) / 128 - 1)
    nadir = torch.from_numpy(np.stack([meta["nadir_x"], meta["nadir_y"]], 1))
    planes = nadir[..., None, None].expand(-1, -1, CROP_PX, CROP_PX)
    truth = {name: torch.from_numpy(column) for name, column in meta.items()}
    return torch.cat([recoloured(rng, pictures), planes], 1), truth


def batches(rng: np.random.Generator, folder: Path, kind: str) -> Iterator[tuple[Tensor, Tensor | dict[str, Tensor]]]:
    """Endless batches out of a folder of shards; one shard at a time is in memory."""
    names = ("tiles", "marks") if kind == "finder" else ("crops", "meta")
    make = finder_batch if kind == "finder" else reader_batch
    size = FINDER_BATCH if kind == "finder" else READER_BATCH
    files = sorted(folder.glob("*.npz"))
    while True:
        for index in rng.permutation(len(files)):
            with np.load(files[index]) as stored:
                shard: Shard = {name: stored[name] for name in names}
            order = rng.permutation(len(shard[names[0]]) if kind == "finder" else _worth_reading(shard))
            for start in range(0, len(order) - size + 1, size):
                yield make(rng, shard, np.sort(order[start : start + size]))


def _worth_reading(shard: Shard) -> npt.NDArray[np.intp]:
    meta = shard["meta"].astype(np.float32)
    is_cube, face_px = meta[:, CUBE_FIELDS.index("is_cube")] > 0.5, meta[:, CUBE_FIELDS.index("face_px")]
    return np.flatnonzero(~is_cube | (face_px >= LEAST_FACE_PX))


def train(kind: str, folder: Path, out: Path, minutes: float, start: Path | None) -> None:
    """Train for a time (of the processor, not of the clock) with one cosine of the learning rate."""
    torch.set_num_threads(1)
    torch.manual_seed(1)
    rng = np.random.default_rng(2 if start else 1)
    net = finder_net() if kind == "finder" else reader_net()
    if start is not None:
        net.load_state_dict(torch.load(start))
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    loss_of: Callable[..., Tensor] = finder_loss if kind == "finder" else reader_loss
    peak = AGAIN_RATE if start else PEAK_RATE
    began = time.process_time()
    logger.info("training the %s", kind)
    fit(net, batches(rng, folder, kind), loss_of, peak, lambda: (time.process_time() - began) / 60 / minutes)
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    export(net, kind, folder, out.with_suffix(".onnx"))


def export(net: nn.Module, kind: str, folder: Path, out: Path) -> None:
    """Write a net for onnxruntime, batch norm folded away and convolutions in 8 bits; ``folder`` holds shards."""
    picture = torch.zeros(1, 3, 128, 128) if kind == "finder" else torch.zeros(1, 5, CROP_PX, CROP_PX)
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
    parser.add_argument("--minutes", type=float, default=9.0, help="of one core")
    parser.add_argument("--start", type=Path)
    asked = parser.parse_args()
    train(asked.kind, asked.shards, asked.out, asked.minutes, asked.start)


if __name__ == "__main__":
    main()
