"""The network that counts borne-off checkers. Needs torch; only training imports it."""

from typing import Final

import torch
from torch import Tensor, nn

from vision.checkers.zones import ZONE_HEIGHT, ZONE_WIDTH, ZONES
from vision.training.checkers_net import Block, conv

COUNTS: Final = 16
CELLS: Final = (ZONE_HEIGHT // 4, ZONE_WIDTH // 4)
"""Rows and columns of the maps: one cell is 4 x 4 pixels of a zone."""
_WIDTH: Final = 48


class BorneOffNet(nn.Module):
    """The four zones of one or more boards to how many checkers of each set lie in each."""

    def __init__(self) -> None:
        super().__init__()
        # The strip reader's own first layers, from whose weights training starts: a checker is a checker.
        self.fine = nn.Sequential(conv(3, 16, 5, 2), conv(16, 32, 3, 2), Block(32), conv(32, _WIDTH, 3))
        self.told = conv(_WIDTH + 7, _WIDTH, 1)
        self.coarse = nn.Sequential(conv(_WIDTH, _WIDTH, 3, 2), Block(_WIDTH))
        self.maps = nn.Sequential(nn.Conv2d(2 * _WIDTH, 32, 1), nn.ReLU(inplace=True), nn.Conv2d(32, 4, 1))
        self.squeeze = nn.Sequential(nn.Conv2d(_WIDTH, 24, 1), nn.ReLU(inplace=True))
        features = 24 * (CELLS[0] // 2) + 2 * _WIDTH + 4 * CELLS[0] + 2 + 3
        # Sums over a zone and means of its cells are worlds apart in size.
        self.token = nn.Sequential(
            nn.BatchNorm1d(features), nn.Linear(features, 128), nn.ReLU(inplace=True), nn.Dropout(0.1)
        )
        self.joined = nn.Sequential(nn.Linear(256, 128), nn.ReLU(inplace=True))
        self.count = nn.Linear(128, 2 * COUNTS)
        self.steepness = nn.Parameter(torch.zeros(1))
        self.hidden = nn.Linear(128, 1)
        self.tray = nn.Linear(128, 1)

    def forward(self, zones: Tensor, views: Tensor, references: Tensor) -> tuple[Tensor, ...]:
        """Read zones (boards * 4, 3, 144, 64), BGR 0..255, views (boards * 4, 3) and references (boards, 2, 3).

        Returns logits of counts (n, 2, 16), of being hidden (n) and of showing a tray (n), the density of checkers of
        both sets in each cell, and the logits of a checker's middle being near it (both n, 2, 36, 16).
        """
        boards = zones.reshape(-1, ZONES * 3 * ZONE_HEIGHT * ZONE_WIDTH)
        mean = boards.mean(1, keepdim=True)
        spread = ((boards - mean) ** 2).mean(1, keepdim=True).sqrt() + 8.0
        fine = self.fine(((boards - mean) / spread).reshape(-1, 3, ZONE_HEIGHT, ZONE_WIDTH))
        # How far each cell is from the colour of either set tells whose a checker is.
        cells = nn.functional.avg_pool2d(zones, 4)
        colours = references.repeat_interleave(ZONES, 0)[..., None, None]
        rows = torch.arange(CELLS[0], dtype=zones.dtype)[None, None, :, None]
        own = (rows < views[:, 2, None, None, None] * CELLS[0]).to(zones.dtype).expand(-1, 1, *CELLS)
        away = [(cells - colours[:, which]).abs() / 64 for which in (0, 1)]
        fine = self.told(torch.cat([fine, *away, own], 1))
        coarse = self.coarse(fine)
        wide = nn.functional.interpolate(coarse, scale_factor=2.0, mode="nearest")
        maps = self.maps(torch.cat([fine, wide], 1))
        density = nn.functional.softplus(maps[:, :2] - 5)
        line = self.squeeze(coarse).mean(3).flatten(1)
        profile = torch.cat([density, torch.sigmoid(maps[:, 2:])], 1).sum(3)
        total = (density * own).sum((2, 3))
        parts = [line, coarse.mean((2, 3)), coarse.amax((2, 3)), profile.flatten(1), total, views]
        token = self.token(torch.cat(parts, 1))
        # The other zones show how this box is built and this set's checkers lie.
        others = token.reshape(-1, ZONES, 128).mean(1).repeat_interleave(ZONES, 0)
        token = self.joined(torch.cat([token, others], 1))
        # Near the densities' sum; what else is seen says how near.
        far = torch.arange(COUNTS, dtype=total.dtype) - total[..., None]
        count = self.count(token).reshape(-1, 2, COUNTS) - nn.functional.softplus(self.steepness) * far.abs()
        return count, self.hidden(token)[:, 0], self.tray(token)[:, 0], density, maps[:, 2:]
