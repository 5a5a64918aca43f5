"""The network that counts borne-off checkers. Needs torch; only training imports it."""

from typing import Final

import torch
from torch import Tensor, nn

from vision.models.checkers_net import Block, conv
from vision.zones import ZONE_HEIGHT, ZONE_WIDTH, ZONES

COUNTS: Final = 16
CELLS: Final = (36, 19)
_CHANNELS: Final = 3 * 3 + 1


class BorneOffNet(nn.Module):
    """The four zones of one or more boards to how many checkers of each set lie in each."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(conv(_CHANNELS, 16, 5, 2), conv(16, 24, 3, 2), Block(24))
        self.coarse = nn.Sequential(conv(24, 48, 3, 2), Block(48))
        self.density = nn.Conv2d(24 + 48, 2, 1)
        self.squeeze = nn.Sequential(nn.Conv2d(48, 24, 1), nn.ReLU(inplace=True))
        self.token = nn.Sequential(
            nn.Linear(24 * 18 + 2 * 48 + 2 * 36 + 2 + 3, 128), nn.ReLU(inplace=True), nn.Dropout(0.1)
        )
        self.joined = nn.Sequential(nn.Linear(256, 128), nn.ReLU(inplace=True))
        self.count = nn.Linear(128, 2 * COUNTS)
        self.hidden = nn.Linear(128, 1)
        self.tray = nn.Linear(128, 1)

    def forward(self, zones: Tensor, views: Tensor, references: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Read zones (boards * 4, 3, 144, 76), BGR 0..255, views (boards * 4, 3) and references (boards, 2, 3).

        Returns logits of counts (n, 2, 16), of being hidden (n) and of showing a tray (n), and the density of
        checkers of both sets in each cell (n, 2, 36, 19).
        """
        colours = references.repeat_interleave(ZONES, 0)[..., None, None]
        rows = torch.arange(ZONE_HEIGHT, dtype=zones.dtype)[None, None, :, None]
        own = (rows < views[:, 2, None, None, None] * ZONE_HEIGHT).to(zones.dtype)
        # How far each pixel is from the colour of either set tells whose a checker is.
        x = torch.cat(
            [
                (zones - 128) / 64,
                (zones - colours[:, 0]).abs() / 64,
                (zones - colours[:, 1]).abs() / 64,
                own.expand(-1, 1, ZONE_HEIGHT, ZONE_WIDTH),
            ],
            1,
        )
        fine = self.fine(x)
        coarse = self.coarse(fine)
        wide = nn.functional.interpolate(coarse, size=CELLS, mode="nearest")
        density = nn.functional.softplus(self.density(torch.cat([fine, wide], 1)) - 3)
        line = self.squeeze(coarse).mean(3).flatten(1)
        profile = density.sum(3)
        parts = [line, coarse.mean((2, 3)), coarse.amax((2, 3)), profile.flatten(1), profile.sum(2), views]
        token = self.token(torch.cat(parts, 1))
        # The other zones show how this box is built and this set's checkers lie.
        others = token.reshape(-1, ZONES, 128).mean(1).repeat_interleave(ZONES, 0)
        token = self.joined(torch.cat([token, others], 1))
        return self.count(token).reshape(-1, 2, COUNTS), self.hidden(token)[:, 0], self.tray(token)[:, 0], density
