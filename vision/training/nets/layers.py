"""Layers that several nets are built of."""

import torch
from torch import Tensor, nn


def conv(inside: int, outside: int, kernel: int, stride: int = 1) -> nn.Sequential:
    """Convolution, normalisation (folded into the weights on export) and rectifier."""
    return nn.Sequential(*conv_layers(inside, outside, kernel, stride))


def conv_layers(inside: int, outside: int, kernel: int = 3, stride: int = 1) -> list[nn.Module]:
    """Return the layers of ``conv``, to be part of a longer row."""
    body = nn.Conv2d(inside, outside, kernel, stride, kernel // 2, bias=False)
    return [body, nn.BatchNorm2d(outside), nn.ReLU(inplace=True)]


class Block(nn.Module):
    """Two convolutions around a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(channels, channels, 3),
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Shape in and out (n, channels, rows, columns)."""
        return torch.relu(x + self.body(x))


def doubled(x: Tensor) -> Tensor:
    """Return maps of twice the rows and columns."""
    return nn.functional.interpolate(x, scale_factor=2.0, mode="nearest")


def standardised(pixels: Tensor) -> Tensor:
    """Return rows (n, pixels) with a mean of 0 and a spread of about 1: a board in any light looks alike."""
    mean = pixels.mean(1, keepdim=True)
    spread = ((pixels - mean) ** 2).mean(1, keepdim=True).sqrt() + 8.0
    return (pixels - mean) / spread
