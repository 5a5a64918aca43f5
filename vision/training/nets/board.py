"""The two networks that find a board without markers, and what they learn."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from vision.board.canvas import CANVAS, CELLS, WHOLE, cut_canvas, fit_into
from vision.board.geometry import Coordinates, Frame
from vision.inference import WEIGHTS
from vision.training.board_pictures import canvas_sample, guessed, opened, outline_sample
from vision.training.calibrate_board import NEUTRAL, certainty_figures
from vision.training.nets.layers import Block, conv, doubled
from vision.training.shards import load
from vision.training.task import Batch, Inputs, Labels, Outputs, Task, as_tensor

NEAR_CELLS: Final = 3.0
MEAN_WEIGHT: Final = 1.0
"""What a cell off counts beside the cross entropy."""
GUESSES: Final = 4
"""Guesses of one picture's corners, since opening a picture costs as much as a guess."""
RANGE_PICTURES: Final = 40
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
        x = join(torch.cat([doubled(squeeze(coarse)), eighth], 1))
        x = join_again(torch.cat([doubled(squeeze_again(x)), quartered], 1))
        return self.maps(x), coarse.mean((2, 3))


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


class _Boards(Task):
    """What both nets have in common: small pictures of boards."""

    fields = ("jpeg", "places")
    outputs = ("maps",)

    def start(self, net: nn.Module, weights: dict[str, Tensor]) -> None:
        """Take over own weights, or those of the other net's pyramid."""
        own = net.state_dict()
        again = own.keys() == weights.keys()
        known = {name: value for name, value in weights.items() if again or (name in own and ".maps." not in name)}
        net.load_state_dict(own | known)

    def pictures(self, step: int, count: int) -> Iterator[tuple[Frame, Coordinates]]:
        """Pictures of a step and their places."""
        rows = self.rows_at(step, count)
        for jpeg, places in zip(rows["jpeg"], rows["places"], strict=True):
            yield opened(jpeg, places)

    def measuring_boards(self) -> list[tuple[Frame, Coordinates]]:
        """Pictures that training never sees."""
        shards = [load(file, self.fields) for file in self.measuring_shards()]
        return [opened(*pair) for shard in shards for pair in zip(shard["jpeg"], shard["places"], strict=True)]


class BoardOutlineTask(_Boards):
    """Trains and exports the net that outlines boards in a whole picture."""

    inputs = ("picture",)

    def build(self) -> nn.Module:
        """Return the net before it has learnt anything."""
        return OutlineNet()

    def batch(self, step: int) -> Batch:
        """Whole pictures, bent and spoiled."""
        rng = self.rng(step)
        return _batch([outline_sample(rng, *pair) for pair in self.pictures(step, self.recipe.train.batch)])

    def held_out(self) -> Iterator[Batch]:
        """Pictures that training never sees, each bent and spoiled in one way."""
        for number, pair in enumerate(self.measuring_boards()):
            yield _batch([outline_sample(np.random.default_rng(number), *pair)])

    def loss(self, outputs: Outputs, truth: Labels) -> tuple[Tensor, dict[str, float]]:
        """Losses of the places and of the surface."""
        total = outline_loss(outputs[0], truth["maps"])
        return total, {"outline": total.item()}

    def example(self) -> tuple[Tensor, ...]:
        """One picture."""
        return (torch.zeros(1, 3, WHOLE[1], WHOLE[0]),)

    def typical(self) -> Iterator[Inputs]:
        """Pictures as they are."""
        for frame, _ in self.pictures(0, RANGE_PICTURES):
            yield {"picture": np.ascontiguousarray(fit_into(frame, WHOLE)[0].transpose(2, 0, 1)[None], np.float32)}


class BoardCornersTask(_Boards):
    """Trains and exports the net that looks closely at a guess; ``[export]``: ``outline``, the other net's weights."""

    inputs = ("canvas",)

    def build(self) -> nn.Module:
        """Return the net before it has learnt anything."""
        return CornersNet()

    def batch(self, step: int) -> Batch:
        """Canvases of wrongly guessed corners."""
        rng, count = self.rng(step), self.recipe.train.batch
        drawn = [
            canvas_sample(rng, *pair)
            for pair in self.pictures(step, -(-count // GUESSES))
            for _ in range(GUESSES)
        ]  # fmt: skip
        return _batch([each for each in drawn if each is not None][:count])

    def held_out(self) -> Iterator[Batch]:
        """Pictures that training never sees, each guessed wrongly in one way."""
        for number, pair in enumerate(self.measuring_boards()):
            made = canvas_sample(np.random.default_rng(number), *pair)
            if made is not None:
                yield _batch([made])

    def loss(self, outputs: Outputs, truth: Labels) -> tuple[Tensor, dict[str, float]]:
        """Loss of the places."""
        total = corners_loss(outputs[0], truth["maps"])
        return total, {"corners": total.item()}

    def example(self) -> tuple[Tensor, ...]:
        """One canvas."""
        return (torch.zeros(1, 3, CANVAS[1], CANVAS[0]),)

    def typical(self) -> Iterator[Inputs]:
        """Canvases of wrongly guessed corners."""
        rng = np.random.default_rng(5)
        for frame, places in self.pictures(0, RANGE_PICTURES):
            canvas = cut_canvas(frame, guessed(rng, places[:4])[0].astype(np.float32))
            yield {"canvas": np.ascontiguousarray(canvas.transpose(2, 0, 1)[None], np.float32)}

    def neutral(self) -> dict[str, float]:
        """Figures with which every ring is looked at."""
        return dict(NEUTRAL)

    def calibrate(self, weights: Path) -> dict[str, float]:
        """Return how the evidence is weighed, and how sure a board must be."""
        outline = self.recipe.export.get("outline")
        other = self.work / str(outline) if outline else WEIGHTS / "board_outline.onnx"
        return certainty_figures(self.measuring_boards(), weights, other)


def _batch(samples: list[tuple[Frame, Coordinates]]) -> Batch:
    pictures = np.stack([picture.transpose(2, 0, 1) for picture, _ in samples])
    return (as_tensor(pictures),), {"maps": as_tensor(np.stack([maps for _, maps in samples]))}


def outline_loss(logits: Tensor, maps: Tensor) -> Tensor:
    """Cross entropy of the pairs' places over the picture, and of each cell of the surface."""
    wanted = maps[:, :3].flatten(2)
    wanted = wanted / wanted.sum(2, keepdim=True).clamp_min(1e-3)
    places = -(wanted * torch.log_softmax(logits[:, :3].flatten(2), 2)).sum(2).mean()
    return places + nn.functional.binary_cross_entropy_with_logits(logits[:, 3], maps[:, 3])


def corners_loss(logits: Tensor, odds: Tensor) -> Tensor:
    """Cross entropy of the places over the canvas, and how far their mean lies off, in cells; the bar's count less."""
    probability = torch.log_softmax(logits, 2)
    each = -(odds * probability).sum(2)
    rows, columns = torch.meshgrid(torch.arange(CELLS[0]), torch.arange(CELLS[1]), indexing="ij")
    grid = torch.stack([columns, rows]).flatten(1).float()
    inside = odds[:, :, :-1].sum(2)
    true = odds[:, :, :-1] @ grid.T
    # The mean of the cells near the true place, as the finder takes it near the likeliest.
    near = (torch.cdist(true, grid.T.expand(len(true), -1, -1)) <= NEAR_CELLS) * probability[:, :, :-1].exp()
    mean = (near @ grid.T) / near.sum(2, keepdim=True).clamp_min(1e-4)
    sure = inside * (near.sum(2) > 0.1)
    each = each + MEAN_WEIGHT * sure * (mean - true).abs().sum(2)
    return each[:, :4].mean() + 0.3 * each[:, 4:].mean()
