"""The loop that trains a net of the dice or cube reader, and the export of what it learnt."""

import logging
import math
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from vision.training.quantise import quantise

logger = logging.getLogger(__name__)

Batch = tuple[Tensor, Tensor | dict[str, Tensor]]
"""Pictures (n, planes, h, w) and what is true of them."""


def fit(
    net: nn.Module,
    batches: Iterable[Batch],
    loss_of: Callable[..., Tensor],
    peak_rate: float,
    done: Callable[[], float],
) -> None:
    """Train until ``done()``, the share of the time that is gone, reaches 1, with one cosine of the learning rate."""
    optimiser = torch.optim.AdamW(net.parameters(), lr=peak_rate, weight_decay=1e-2)
    losses: list[float] = []
    for step, (pictures, truth) in enumerate(batches):
        share = done()
        if share >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = peak_rate * min(1.0, (step + 1) / 100) * 0.5 * (1 + math.cos(math.pi * share)) + 1e-6
        with torch.autocast("cpu", torch.bfloat16):
            seen = net(pictures.contiguous(memory_format=torch.channels_last))
        loss = loss_of(seen.float(), truth)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]  # torch does not type it
        optimiser.step()
        losses.append(loss.item())
        if step % 200 == 199:
            logger.info("%.0f %% step %d loss %.4f", 100 * share, step + 1, sum(losses[-200:]) / 200)


def export_seen(net: nn.Module, picture: Tensor, free: Mapping[int, str], ranges: Iterable[Batch], out: Path) -> None:
    """Write a net from "picture" to "seen" for onnxruntime, batch norm folded away and convolutions in 8 bits.

    ``picture`` is one input, ``free`` names its axes of any length; ``ranges`` are typical batches.
    """
    net = net.eval().to(memory_format=torch.contiguous_format)  # type: ignore[call-overload]  # nor this
    with tempfile.TemporaryDirectory() as place:
        plain = Path(place) / "plain.onnx"
        torch.onnx.export(
            net, (picture,), str(plain), input_names=["picture"], output_names=["seen"],
            dynamic_axes={"picture": dict(free)}, dynamo=False, opset_version=17,
        )  # fmt: skip
        quantise(plain, out, ({"picture": pictures.numpy()} for pictures, _ in ranges))
