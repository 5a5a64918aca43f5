"""The dice reader's nets and their losses. Needs torch; only training imports it, reading uses the exported weights."""

from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812 - torch's own convention
from torch import Tensor, nn

READER_SCORES: Final = 16
"""Die or not, six faces, cocked, tilt, on a checker, moving, log size, middle's x and y, lean's x and y."""
COCKED_FROM_DEG: Final = 4.0
FLAT_TO_DEG, LEANING_FROM_DEG = 2.0, 6.5
"""Between the two nobody can say; such dice do not train the cocked score."""
TILT_UNIT_DEG: Final = 30.0
ON_CHECKER_WEIGHT: Final = 3.0


def _block(wide: int, out: int, stride: int = 1, kernel: int = 3) -> list[nn.Module]:
    body = nn.Conv2d(wide, out, kernel, stride, kernel // 2, bias=False)
    return [body, nn.BatchNorm2d(out), nn.ReLU(inplace=True)]


def finder_net() -> nn.Sequential:
    """Level picture (n, 3, h, w) to maps (n, 4, h/4, w/4): heat logit, offset x and y (cells), log size."""
    return nn.Sequential(
        *_block(3, 12, 2), *_block(12, 24, 2), *_block(24, 24), *_block(24, 32), *_block(32, 32), *_block(32, 32),
        nn.Conv2d(32, 4, 1),
    )  # fmt: skip


def reader_net() -> nn.Sequential:
    """Crops (n, 6, 72, 72) to READER_SCORES scores."""
    return nn.Sequential(
        *_block(6, 24, 2, kernel=5), *_block(24, 32), *_block(32, 48, 2), *_block(48, 64), *_block(64, 64),
        *_block(64, 96, 2), *_block(96, 96), nn.Conv2d(96, 64, 1), nn.ReLU(inplace=True), nn.Flatten(),
        nn.Linear(64 * 81, 128), nn.ReLU(inplace=True), nn.Dropout(0.2), nn.Linear(128, READER_SCORES),
    )  # fmt: skip


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
    total = total + 0.5 * (F.smooth_l1_loss(seen[:, 8], tilt / TILT_UNIT_DEG, reduction="none") * still).mean()
    # Few dice lie on a checker, and it is the context that tells, not the die: weighed up so that it gets learnt.
    rare = torch.tensor(ON_CHECKER_WEIGHT)
    raised = F.binary_cross_entropy_with_logits(seen[:, 9], truth["on_checker"], reduction="none", pos_weight=rare)
    total = total + 0.5 * (raised * still).mean()
    total = total + 0.3 * F.binary_cross_entropy_with_logits(seen[:, 10], truth["moving"])
    lean = truth["lean"].nan_to_num()  # older shards do not tell where a cocked die leans
    told = still * (~truth["lean"].isnan().any(1)).float()
    # Squares, not distances: most dice lean nowhere, and the median of the rest would be nowhere too.
    leans = F.mse_loss(seen[:, 14:16], lean, reduction="none").sum(1)
    total = total + 6 * (leans * told).mean()
    place = F.smooth_l1_loss(seen[:, 11:14], truth["place"], reduction="none", beta=0.05).sum(1)
    return total + 0.5 * (place * still).mean()
