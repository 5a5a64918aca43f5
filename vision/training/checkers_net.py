"""The network that reads strips. Needs torch; only training imports it, reading uses the exported weights."""

from typing import Final

import torch
from torch import Tensor, nn

EMBEDDING: Final = 8
COUNTS: Final = 16
CONTEXT_LAYERS: Final = 2
"""Rounds in which the strips tell each other what they saw: how large and thick this board's checkers are, say."""
CELLS: Final = (42, 10)
"""Rows and columns of the dense maps: one cell is 4 x 4 pixels of a strip."""


def conv(inside: int, outside: int, kernel: int, stride: int = 1) -> nn.Sequential:
    """Convolution, normalisation (folded into the weights on export) and rectifier."""
    return nn.Sequential(
        nn.Conv2d(inside, outside, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


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


def _attention() -> nn.TransformerEncoderLayer:
    return nn.TransformerEncoderLayer(96, 4, 192, dropout=0.1, batch_first=True, norm_first=True)


class CheckersNet(nn.Module):
    """Strips of one or more boards to counts, hidden places, tops and colours."""

    def __init__(self, strips: int = 26) -> None:
        super().__init__()
        self.strips = strips
        self.fine = nn.Sequential(conv(3, 16, 5, 2), conv(16, 32, 3, 2), Block(32), conv(32, 48, 3))
        self.coarse = nn.Sequential(conv(48, 96, 3, 2), Block(96))
        self.squeeze = nn.Sequential(nn.Conv2d(96, 64, (1, 5)), nn.ReLU(inplace=True))
        self.tops = nn.Sequential(nn.Conv2d(48 + 96, 40, 1), nn.ReLU(inplace=True), nn.Conv2d(40, 2, 1))
        self.colour = nn.Sequential(nn.Conv2d(48 + 96, 32, 1), nn.ReLU(inplace=True), nn.Conv2d(32, EMBEDDING, 1))
        self.token = nn.Sequential(
            nn.Linear(64 * 21 + 2 * 42 + 2, 160), nn.ReLU(inplace=True), nn.Dropout(0.15), nn.Linear(160, 96)
        )
        self.place = nn.Parameter(torch.zeros(strips, 96))
        self.context = nn.Sequential(*(_attention() for _ in range(CONTEXT_LAYERS)))
        self.count = nn.Linear(96, COUNTS)
        self.hidden = nn.Linear(96, 1)
        self.side = nn.Linear(96, EMBEDDING)

    def forward(self, strips: Tensor, views: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Read strips (boards * 26, 3, 168, 40), BGR 0..255, and views (boards * 26, 2).

        Returns count logits (n, 16), hidden logit (n), top maps (n, 2, 42, 10; logits of centre and top),
        colour maps (n, 8, 42, 10) and sides (n, 8), a second look of the whole strip that knows the other strips.
        """
        boards = strips.reshape(-1, self.strips * 3 * 168 * 40)
        mean = boards.mean(1, keepdim=True)
        spread = ((boards - mean) ** 2).mean(1, keepdim=True).sqrt() + 8.0
        x = ((boards - mean) / spread).reshape(-1, 3, 168, 40)
        fine = self.fine(x)
        coarse = self.coarse(fine)
        wide = torch.cat([fine, nn.functional.interpolate(coarse, scale_factor=2.0, mode="nearest")], 1)
        tops = self.tops(wide)
        line = self.squeeze(coarse).flatten(1)
        profile = torch.sigmoid(tops).sum(3).flatten(1)
        token = self.token(torch.cat([line, profile, views * 0.2], 1)).reshape(-1, self.strips, 96)
        token = self.context(token + self.place).reshape(-1, 96)
        return self.count(token), self.hidden(token)[:, 0], tops, self.colour(wide), self.side(token)
