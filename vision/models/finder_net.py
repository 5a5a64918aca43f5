"""The two networks that find a board without markers. Needs torch; only training imports it."""

import torch
from torch import Tensor, nn

from vision.models.checkers_net import Block, conv


class FinderNet(nn.Module):
    """A whole picture to maps of corners: channel 0 p1 and p13, channel 1 p12 and p24, channel 2 the surface."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Sequential(conv(3, 16, 3, 2), conv(16, 24, 3, 2))
        self.second = nn.Sequential(conv(24, 48, 3, 2), Block(48))
        self.third = nn.Sequential(conv(48, 96, 3, 2), Block(96), Block(96))
        self.up = conv(96 + 48, 48, 3)
        self.out = nn.Sequential(conv(48 + 24, 32, 3), nn.Conv2d(32, 3, 1))

    def forward(self, picture: Tensor) -> Tensor:
        """Shape (n, 3, 216, 384), BGR 0..255, to log odds (n, 3, 54, 96)."""
        x = (picture - 127) / 64
        first = self.first(x)
        second = self.second(first)
        third = nn.functional.interpolate(self.third(second), size=(27, 48), mode="nearest")
        up = nn.functional.interpolate(self.up(torch.cat([third, second], 1)), size=(54, 96), mode="nearest")
        out: Tensor = self.out(torch.cat([up, first], 1))
        return out


class CornerNet(nn.Module):
    """A rectified patch round one corner, the surface at its lower right, to log odds of where the corner is."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(conv(3, 16, 5, 2), conv(16, 32, 3), Block(32), Block(32), nn.Conv2d(32, 1, 1))

    def forward(self, patch: Tensor) -> Tensor:
        """Shape (n, 3, 64, 64), BGR 0..255, to (n, 1, 32, 32)."""
        out: Tensor = self.body((patch - 127) / 64)
        return out
