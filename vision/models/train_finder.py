"""Trains the board finder: ``python -m vision.models.train_finder SHARDS FOLDER --minutes 12``.

Uses the small whole pictures that ``make_checkers_samples`` writes beside its shards. Writes ``board_finder.onnx`` and
``corner_finder.onnx`` into FOLDER.
"""

import argparse
import logging
import math
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from vision.board_finder import PATCH_PX, STRIDE, WHOLE, cut_patch, patch_map
from vision.geometry import BoardNotFoundError, BoardPose, BoardShape
from vision.models.finder_net import CornerNet, FinderNet

logger = logging.getLogger(__name__)
BATCH = 16
PEAK_RATE = 2e-3
Batch = tuple[Tensor, Tensor]
Picture = npt.NDArray[np.uint8]
Ring = npt.NDArray[np.float32]


class Wholes:
    """All small pictures with their corners."""

    def __init__(self, folder: Path, seed: int) -> None:
        files = sorted(folder.glob("*.wholes.npz"))
        loaded = [np.load(file) for file in files]
        self.pictures = np.concatenate([shard["pictures"] for shard in loaded])
        self.corners = np.concatenate([shard["corners"] for shard in loaded])
        self.rng = np.random.default_rng(seed)
        logger.info("%d pictures", len(self.pictures))

    def varied(self) -> tuple[Picture, Ring]:
        """Return a random picture, bent in perspective, mirrored and recoloured, with its corners."""
        rng = self.rng
        index = int(rng.integers(len(self.pictures)))
        picture, corners = self.pictures[index], self.corners[index].astype(np.float32)
        width, height = WHOLE
        frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        middle = frame.mean(0)
        spread = np.float32(np.exp(rng.normal(0.05, 0.18)))
        turned = cv2.getRotationMatrix2D((0.0, 0.0), float(rng.normal(0, 12)), float(spread))[:, :2].astype(np.float32)
        target = (frame - middle) @ turned.T + middle + rng.normal(0, 14, (4, 2)) + rng.normal(0, 10, 2)
        matrix = cv2.getPerspectiveTransform(frame, target.astype(np.float32))
        if rng.random() < 0.5:
            matrix = np.array([(-1, 0, width - 1), (0, 1, 0), (0, 0, 1)], np.float64) @ matrix
        bent = cv2.warpPerspective(picture, matrix, WHOLE, borderMode=cv2.BORDER_REFLECT)
        moved = cv2.perspectiveTransform(corners[:, None], matrix)[:, 0]
        gain = np.exp(rng.normal(0, 0.12, 3) + rng.normal(0, 0.2))
        level = np.clip(bent * gain + rng.normal(0, 1, bent.shape) * rng.uniform(0, 6), 0, 255)
        ring = np.asarray(moved, np.float32)
        # A mirrored board goes round the other way: exchange the names so that p1, p12, p13, p24 stay clockwise.
        following = np.roll(ring, -1, 0)
        if (ring[:, 0] * following[:, 1] - ring[:, 1] * following[:, 0]).sum() < 0:
            ring = ring[[1, 0, 3, 2]]
        return level.astype(np.uint8), ring

    def whole_batch(self) -> Batch:
        """Pictures (n, 3, 216, 384) and maps (n, 3, 54, 96)."""
        rows, columns = np.mgrid[0 : WHOLE[1] // STRIDE, 0 : WHOLE[0] // STRIDE].astype(np.float32)
        pictures, maps = [], []
        for _ in range(BATCH):
            picture, ring = self.varied()
            cells = (ring - (STRIDE - 1) / 2) / STRIDE
            bumps = [np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * 1.2**2)) for x, y in cells]
            surface = np.zeros(rows.shape, np.uint8)
            cv2.fillConvexPoly(surface, np.round(cells).astype(np.int32), 1.0)
            pictures.append(picture.transpose(2, 0, 1))
            maps.append(np.stack([np.maximum(bumps[0], bumps[2]), np.maximum(bumps[1], bumps[3]), surface]))
        return _tensors(pictures, maps)

    def corner_batch(self) -> Batch:
        """Patches (n, 3, 64, 64) round wrongly guessed corners and maps (n, 1, 32, 32) of where they are."""
        rows, columns = np.mgrid[0 : PATCH_PX // 2, 0 : PATCH_PX // 2].astype(np.float32)
        patches: list[Picture] = []
        maps = []
        while len(patches) < 4 * BATCH:
            picture, ring = self.varied()
            width = float(np.linalg.norm(ring[0] - ring[1]))
            guess = ring + self.rng.normal(0, self.rng.uniform(0.002, 0.025) * width, (4, 2)).astype(np.float32)
            try:
                aspect = BoardPose(guess, BoardShape(), WHOLE).aspect
            except BoardNotFoundError:
                continue
            for index in range(4):
                matrix = patch_map(guess, index, aspect)
                spot = np.linalg.inv(matrix) @ (*ring[index], 1.0)
                x, y = (spot[:2] / spot[2] - 0.5) / 2
                patches.append(cut_patch(picture, matrix).transpose(2, 0, 1))
                maps.append(np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * 1.5**2))[None])
        return _tensors(patches, maps)


def _tensors(pictures: list[Picture], maps: list[npt.NDArray[np.floating]]) -> Batch:
    images = torch.from_numpy(np.stack(pictures).astype(np.float32)).contiguous(memory_format=torch.channels_last)
    return images, torch.from_numpy(np.stack(maps).astype(np.float32))


def map_loss(logits: Tensor, maps: Tensor) -> Tensor:
    """Cross entropy of each cell, marks weighted up."""
    return nn.functional.binary_cross_entropy_with_logits(logits, maps, pos_weight=torch.tensor(5.0)) * 10


def place_loss(logits: Tensor, maps: Tensor) -> Tensor:
    """Cross entropy of the corner's place over the whole patch."""
    wanted = maps.flatten(1)
    wanted = wanted / wanted.sum(1, keepdim=True).clamp_min(1e-3)
    return -(wanted * torch.log_softmax(logits.flatten(1), 1)).sum(1).mean()


def train(
    net: nn.Module, draw: Callable[[], Batch], loss_of: Callable[[Tensor, Tensor], Tensor], minutes: float
) -> None:
    """Train for some minutes with a cosine schedule."""
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    net.train()
    optimiser = torch.optim.AdamW(net.parameters(), lr=PEAK_RATE, weight_decay=0.01)
    begun, step = time.monotonic(), 0
    while (done := (time.monotonic() - begun) / 60 / minutes) < 1:
        optimiser.param_groups[0]["lr"] = (
            PEAK_RATE * min(1.0, (step + 1) / 50) * 0.5 * (1.02 + math.cos(math.pi * done))
        )
        pictures, maps = draw()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = net(pictures)
        loss = loss_of(logits.float(), maps)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        if step % 25 == 0:
            logger.info("step %d loss %.4f", step, loss.item())
        step += 1
    net.eval()


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shards", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=12.0)
    chosen = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.manual_seed(1)
    torch.set_num_threads(1)
    wholes = Wholes(chosen.shards, 1)
    jobs: tuple[
        tuple[str, str, nn.Module, Callable[[], Batch], Callable[[Tensor, Tensor], Tensor], Tensor, float], ...
    ] = (
        ("board_finder", "picture", FinderNet(), wholes.whole_batch, map_loss, torch.zeros(1, 3, 216, 384), 0.7),
        ("corner_finder", "patch", CornerNet(), wholes.corner_batch, place_loss, torch.zeros(4, 3, 64, 64), 0.3),
    )
    for name, asked, net, draw, loss_of, example, share in jobs:
        train(net, draw, loss_of, chosen.minutes * share)
        target = str(chosen.folder / f"{name}.onnx")
        torch.onnx.export(
            net, (example,), target, input_names=[asked], output_names=["maps"], opset_version=17, dynamo=False
        )
        logger.info("wrote %s", target)


if __name__ == "__main__":
    main()
