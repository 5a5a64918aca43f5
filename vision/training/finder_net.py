"""The two networks that find a board without markers. Needs torch; only training imports it."""

import torch
from torch import Tensor, nn

from vision.training.checkers_net import Block, conv

WIDE = 80


class _Round(nn.Module):
    """A block that looks farther round, and at the whole picture's mean."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(WIDE, WIDE, 3, padding=2, dilation=2, bias=False),
            nn.BatchNorm2d(WIDE),
            nn.ReLU(inplace=True),
            nn.Conv2d(WIDE, WIDE, 3, padding=1, bias=False),
            nn.BatchNorm2d(WIDE),
        )
        self.mean = nn.Linear(WIDE, WIDE)

    def forward(self, x: Tensor) -> Tensor:
        """Shape in and out (n, WIDE, rows, columns)."""
        return torch.relu(x + self.body(x) + self.mean(x.mean((2, 3)))[:, :, None, None])


class Pyramid(nn.Module):
    """A picture (n, 3, h, w), BGR 0..255, both sides multiples of 16, to maps of a quarter of its sides."""

    def __init__(self, maps: int) -> None:
        super().__init__()
        self.halved = conv(3, 16, 5, 2)
        self.quartered = nn.Sequential(conv(16, 32, 3, 2), conv(32, 32, 3))
        self.eighth = nn.Sequential(conv(32, 64, 3, 2), Block(64))
        self.sixteenth = nn.Sequential(conv(64, WIDE, 3, 2), Block(WIDE), _Round(), _Round())
        self.up = nn.ModuleList((conv(WIDE, 48, 1), conv(48 + 64, 48, 3), conv(48, 24, 1), conv(24 + 32, 32, 3)))
        self.maps = nn.Conv2d(32, maps, 1)

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        """Return the maps (n, maps, h / 4, w / 4) and the mean of the coarsest features (n, WIDE)."""
        quartered = self.quartered(self.halved((picture - 127) / 64))
        eighth = self.eighth(quartered)
        coarse = self.sixteenth(eighth)
        squeeze, join, squeeze_again, join_again = self.up
        x = join(torch.cat([_twice(squeeze(coarse)), eighth], 1))
        x = join_again(torch.cat([_twice(squeeze_again(x)), quartered], 1))
        return self.maps(x), coarse.mean((2, 3))


def _twice(x: Tensor) -> Tensor:
    return nn.functional.interpolate(x, scale_factor=2.0, mode="nearest")


class OutlineNet(nn.Module):
    """A whole picture to maps: corners p1 and p13, corners p12 and p24, the bar's ends, the surface."""

    def __init__(self) -> None:
        super().__init__()
        self.pyramid = Pyramid(4)

    def forward(self, picture: Tensor) -> Tensor:
        """Shape (n, 3, 160, 256) to log odds (n, 4, 40, 64)."""
        maps: Tensor = self.pyramid(picture)[0]
        return maps


class CornersNet(nn.Module):
    """A board as a guess of its corners rectifies it to where its corners and the bar's are indeed."""

    def __init__(self) -> None:
        super().__init__()
        self.pyramid = Pyramid(8)
        self.absent = nn.Linear(WIDE, 8)

    def forward(self, canvas: Tensor) -> Tensor:
        """Shape (n, 3, 240, 288) to logits (n, 8, 60 * 72 + 1): each cell, then "not in here"."""
        maps, features = self.pyramid(canvas)
        return torch.cat([maps.flatten(2), self.absent(features)[:, :, None]], 2)
