"""The cube reader's nets and their loss. Needs torch; only training imports it, reading uses the exported weights."""

from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812 - torch's own convention
from torch import Tensor, nn

from vision.training.pictures.cube_samples import NO_NUMBER, UNTOLD

KINDS: Final = NO_NUMBER + 1
READER_SCORES: Final = 1 + KINDS + 2 + 3
"""Cube or not, the kinds (six numbers, none), the edges' direction, log size, middle's x and y."""
LEAST_VISIBLE: Final = 0.8
RARE: Final = -4.6
"""Log odds of a cube's middle before anything is learnt: one cell in a hundred, or the first steps are lost."""


def _block(wide: int, out: int, stride: int = 1, kernel: int = 3) -> list[nn.Module]:
    body = nn.Conv2d(wide, out, kernel, stride, kernel // 2, bias=False)
    return [body, nn.BatchNorm2d(out), nn.ReLU(inplace=True)]


def finder_net() -> nn.Sequential:
    """Level picture (n, 3, h, w) to maps (n, 4, h/4, w/4): heat logit, offset x and y (cells), log size."""
    last = nn.Conv2d(24, 4, 1)
    with torch.no_grad():
        last.bias[0] = RARE  # type: ignore[index] # a layer made with a bias has one
    return nn.Sequential(
        *_block(3, 10, 2), *_block(10, 20, 2), *_block(20, 20), *_block(20, 24), *_block(24, 24), last
    )  # fmt: skip


def reader_net() -> nn.Sequential:
    """Crops (n, 5, 56, 56) to READER_SCORES scores."""
    return nn.Sequential(
        *_block(5, 24, 2, kernel=5), *_block(24, 32), *_block(32, 48, 2), *_block(48, 64), *_block(64, 80, 2),
        *_block(80, 96), *_block(96, 96, 2), nn.Conv2d(96, 112, 4, bias=False), nn.BatchNorm2d(112),
        nn.ReLU(inplace=True), nn.Dropout(0.2), nn.Conv2d(112, READER_SCORES, 1), nn.Flatten(),
    )  # fmt: skip


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
    told = truth["kind"] != UNTOLD
    if told.any():
        total = total + F.cross_entropy(seen[told, 1 : 1 + KINDS], truth["kind"][told].long())
    edges = torch.stack([truth["edge_x"], truth["edge_y"]], 1)
    total = total + 0.5 * F.mse_loss(seen[:, 1 + KINDS : 3 + KINDS], edges)
    place = torch.stack([truth["log_size"], truth["off_x"], truth["off_y"]], 1)
    return total + 2 * F.smooth_l1_loss(seen[:, 3 + KINDS :], place, beta=0.05)
