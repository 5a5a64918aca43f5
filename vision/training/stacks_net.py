"""The network that counts stacks from close by. Needs torch; only training imports it, reading uses the weights."""

from typing import Final

import torch
from torch import Tensor, nn

from vision.training.checkers_net import COUNTS, Block, conv

LEVELS: Final = 5
"""No top, a top of the first, second or third layer, and of any above."""
WIDTH: Final = 96
HEADS: Final = 4


class Context(nn.Module):
    """Attention among the stacks of a board. PyTorch's own layer fixes their number when it is exported."""

    def __init__(self) -> None:
        super().__init__()
        self.before = nn.LayerNorm(WIDTH)
        self.asks = nn.Linear(WIDTH, 3 * WIDTH)
        self.answer = nn.Linear(WIDTH, WIDTH)
        self.think = nn.Sequential(
            nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 2 * WIDTH), nn.ReLU(inplace=True), nn.Linear(2 * WIDTH, WIDTH)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Shape in and out (boards, stacks, 96)."""
        heads = self.asks(self.before(x)).reshape(x.shape[0], -1, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        share = torch.softmax(heads[0] @ heads[1].transpose(2, 3) * (WIDTH // HEADS) ** -0.5, 3)
        x = x + self.answer((share @ heads[2]).transpose(1, 2).reshape(x.shape[0], -1, WIDTH))
        thought: Tensor = self.think(x)
        return x + thought


class StacksNet(nn.Module):
    """Close strips of one or more boards to counts and, for each cell, which layer's top is seen."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(
            conv(3, 16, 5, 2), conv(16, 32, 3, 2), Block(32), conv(32, 48, 3, 2), Block(48)
        )  # fmt: skip
        self.coarse = nn.Sequential(conv(48, 96, 3, 2), Block(96))
        self.squeeze = nn.Sequential(nn.Conv2d(96, 64, (1, 5)), nn.ReLU(inplace=True))
        self.levels = nn.Sequential(nn.Conv2d(48 + 96, 48, 1), nn.ReLU(inplace=True), nn.Conv2d(48, LEVELS, 1))
        self.token = nn.Sequential(
            nn.Linear(64 * 21 + LEVELS * 42 + 2, 192), nn.ReLU(inplace=True), nn.Dropout(0.15), nn.Linear(192, WIDTH)
        )
        # The stacks of one board tell each other how thick its checkers are and how its rows lie.
        self.context = Context()
        self.count = nn.Linear(WIDTH, COUNTS)

    def forward(self, strips: Tensor, views: Tensor) -> tuple[Tensor, Tensor]:
        """Read strips (boards, stacks, 3, 336, 80), BGR 0..255, and views (boards, stacks, 2).

        Returns count logits (boards, stacks, 16) and level logits (boards * stacks, 5, 42, 10).
        """
        boards, stacks = strips.shape[0], strips.shape[1]
        flat = strips.reshape(boards * stacks, 3 * 336 * 80)
        mean = flat.mean(1, keepdim=True)
        spread = ((flat - mean) ** 2).mean(1, keepdim=True).sqrt() + 8.0
        fine = self.fine(((flat - mean) / spread).reshape(-1, 3, 336, 80))
        coarse = self.coarse(fine)
        wide = torch.cat([fine, nn.functional.interpolate(coarse, scale_factor=2.0, mode="nearest")], 1)
        levels = self.levels(wide)
        line = self.squeeze(coarse).flatten(1)
        profile = torch.softmax(levels, 1).sum(3).flatten(1)
        token = self.token(torch.cat([line, profile, views.reshape(-1, 2) * 0.2], 1))
        return self.count(self.context(token.reshape(boards, stacks, WIDTH))), levels
