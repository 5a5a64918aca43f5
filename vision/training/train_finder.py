"""Trains the two nets that find a board: ``python -m vision.training.train_finder outline|corners CHECKPOINT FOLDERS``.

Uses the small pictures of ``make_finder_samples`` and no others. A folder named twice counts twice. The weights in the
project come from 950 drawn boards (seeds 700000 and 800000 on) and 330 traced pictures, these counted twice:
``outline OUTLINE ... --steps 1100``, ``corners FIRST ... --steps 2400 --start OUTLINE``, ``corners SECOND ...
--steps 800 --start FIRST --seed 2``, then ``export_finder OUTLINE SECOND``; twenty minutes of one core in all.
"""

import argparse
import logging
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from vision.board.canvas import (
    CANVAS,
    CELLS,
    GREY,
    STRIDE,
    WHOLE,
    canvas_to_picture,
    cut_canvas,
    fit_into,
    mapped_ahead,
)
from vision.board.finder import flipped
from vision.board.geometry import SURFACE_CORNERS
from vision.training.finder_net import CornersNet, OutlineNet

logger = logging.getLogger(__name__)
BATCH: Final = 16
PEAK_RATE, AGAIN_RATE = 2e-3, 1e-3
BUMP_CELLS: Final = 1.0
"""Standard deviation of the bump that marks a place."""
NEAR_CELLS: Final = 3.0
MEAN_WEIGHT: Final = 1.0
"""What a cell off counts beside the cross entropy."""
GUESSES: Final = 4
"""Guesses of one picture's corners, since opening a picture costs as much as a guess."""
HELD_OUT: Final = 7
"""Every so many boards is kept from training, to calibrate the finder with."""
Batch = tuple[Tensor, Tensor]
Picture = npt.NDArray[np.uint8]
Places = npt.NDArray[np.float64]


def board_of(file: Path) -> int:
    """Number of the board that a picture shows."""
    return int(file.stem[1:].split("_")[0])


class Pictures:
    """Small pictures with their places, spoiled anew each time."""

    def __init__(self, folders: Sequence[Path], seed: int) -> None:
        self._files = [file for folder in folders for file in sorted(folder.glob("*.jpg")) if board_of(file) % HELD_OUT]
        self.rng = np.random.default_rng(seed)
        logger.info("%d pictures", len(self._files))

    def picture(self, *, halved: bool) -> tuple[Picture, Places, float]:
        """Return a random picture, mirrored or not, its places (6, 2) and half the bar's width."""
        rng = self.rng
        file = self._files[int(rng.integers(len(self._files)))]
        stored = np.load(file.with_suffix(".npy")).astype(np.float64)
        places, half_bar = stored[:6], float(stored[6, 0])
        size = cv2.IMREAD_REDUCED_COLOR_2 if halved else cv2.IMREAD_COLOR
        picture = np.asarray(cv2.imread(str(file), size), np.uint8)
        if halved:
            places = (places + 0.5) / 2 - 0.5
            picture = _backed(rng, picture, places)
        if rng.random() < 0.5:
            picture = np.ascontiguousarray(picture[:, ::-1])
            places[:, 0] = picture.shape[1] - 1 - places[:, 0]
            # Mirrored, the corners go round the other way: the names of the two sides are exchanged.
            places = places[[1, 0, 3, 2, 4, 5]]
        return picture, places, half_bar

    def outlines(self) -> Batch:
        """Pictures (n, 3, 160, 256) and maps (n, 4, 40, 64)."""
        rows, columns = np.mgrid[0 : WHOLE[1] // STRIDE, 0 : WHOLE[0] // STRIDE].astype(np.float64)
        pictures, maps = [], []
        for _ in range(BATCH):
            picture, places, _ = self.picture(halved=True)
            bent, places = self._bent(picture, places)
            cells = (places - (STRIDE - 1) / 2) / STRIDE
            bumps = [np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * BUMP_CELLS**2)) for x, y in cells]
            surface = np.zeros(rows.shape, np.uint8)
            cv2.fillConvexPoly(surface, np.round(cells[:4] * 16).astype(np.int32), 1.0, shift=4)
            pairs = [bumps[0] + bumps[2], bumps[1] + bumps[3], bumps[4] + bumps[5]]
            pictures.append(spoiled(self.rng, bent).transpose(2, 0, 1))
            maps.append(np.stack([*pairs, surface]))
        return _tensors(pictures, maps)

    def _bent(self, picture: Picture, places: Places) -> tuple[Picture, Places]:
        rng = self.rng
        width, height = WHOLE
        fitted, scale, shift = fit_into(picture, WHOLE)
        frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        middle = frame.mean(0)
        turn = float(rng.uniform(-180, 180) if rng.random() < 0.3 else rng.normal(0, 10))
        turned = cv2.getRotationMatrix2D((0.0, 0.0), turn, float(np.exp(rng.normal(0.05, 0.2))))[:, :2]
        target = (frame - middle) @ turned.T.astype(np.float32) + middle
        target += rng.normal(0, 8, (4, 2)).astype(np.float32) + rng.normal(0, 8, 2).astype(np.float32)
        matrix = np.asarray(cv2.getPerspectiveTransform(frame, target.astype(np.float32)), np.float64)
        border = cv2.BORDER_REPLICATE if rng.random() < 0.3 else cv2.BORDER_CONSTANT
        filling = tuple(rng.uniform(0, 255, 3)) if rng.random() < 0.5 else (GREY,) * 3
        bent = cv2.warpPerspective(fitted, matrix, WHOLE, borderMode=border, borderValue=filling)
        return np.asarray(bent, np.uint8), mapped_ahead(matrix, (places + 0.5) * scale - 0.5 + shift)

    def canvases(self) -> Batch:
        """Canvases (n, 3, 240, 288) of wrongly guessed corners and odds (n, 8, cells + 1) of the true places."""
        canvases: list[Picture] = []
        odds = []
        while len(canvases) < BATCH:
            picture, places, half_bar = self.picture(halved=False)
            for _ in range(GUESSES):
                made = self._canvas(picture, places, half_bar)
                if made is not None:
                    canvases.append(made[0].transpose(2, 0, 1))
                    odds.append(made[1])
        return _tensors(canvases, odds)

    def _canvas(self, picture: Picture, places: Places, half_bar: float) -> tuple[Picture, Places] | None:
        guess, turned = guessed(self.rng, places[:4])
        ring = guess.astype(np.float32)
        if not cv2.isContourConvex(ring):
            return None
        spots = np.vstack([places[:4], bar_corners(places, half_bar)])
        seen = mapped_ahead(np.linalg.inv(canvas_to_picture(ring)), spots)
        # Half a turn more or less is no difference: the names nearer to the guess are the right ones.
        nominal = mapped_ahead(np.linalg.inv(canvas_to_picture(ring)), ring)
        if np.isfinite(seen).all() and (
            np.linalg.norm(seen[:4] - nominal) > np.linalg.norm(seen[[2, 3, 0, 1]] - nominal)
        ):
            seen = seen[[2, 3, 0, 1, 6, 7, 4, 5]]
        canvas = cut_canvas(picture, ring)
        odds = np.stack([_odds_of(np.array([np.inf, np.inf]) if turned else spot) for spot in seen])
        flips = self.rng.random(2) < 0.5
        if flips[0]:
            canvas, odds = canvas[:, ::-1], flipped(odds, across=True)
        if flips[1]:
            canvas, odds = canvas[::-1], flipped(odds, across=False)
        return spoiled(self.rng, np.ascontiguousarray(canvas)), odds


def bar_corners(places: Places, half_bar: float) -> Places:
    """The bar's corners (4, 2), pixels: near p1's side, near p12's, far p13's, far p24's."""
    surface = np.asarray(cv2.getPerspectiveTransform(SURFACE_CORNERS, places[:4].astype(np.float32)), np.float64)
    return mapped_ahead(surface, [(0.5 + half_bar, 0), (0.5 - half_bar, 0), (0.5 - half_bar, 1), (0.5 + half_bar, 1)])


def guessed(rng: np.random.Generator, corners: Places) -> tuple[Places, bool]:
    """Return a wrong guess of corners (4, 2), and whether it lies a quarter turn off."""
    kind = rng.random()
    width = float(np.linalg.norm(corners[0] - corners[1]))
    noise = rng.normal(0, rng.uniform(0.001, 0.035) * width, (4, 2))
    if kind < 0.5:
        return corners + noise, False
    if kind < 0.58:
        return np.roll(corners, int(rng.choice((1, -1))), 0) + noise, True
    # Trays taken for a part of the surface, a rim, one half alone: the surface's sides moved in and out.
    reach = 0.25 if kind < 0.92 else 0.6
    left, right = rng.uniform(-0.06, reach, 2) * (rng.random(2) < 0.6)
    near, far = rng.normal(0, 0.06, 2) * (rng.random(2) < 0.5)
    if kind >= 0.92:
        left, right = -left, 0.0
    surface = np.asarray(cv2.getPerspectiveTransform(SURFACE_CORNERS, corners.astype(np.float32)), np.float64)
    moved = mapped_ahead(surface, [(1 + right, -near), (-left, -near), (-left, 1 + far), (1 + right, 1 + far)])
    return (moved if np.isfinite(moved).all() else corners) + 0.5 * noise, False


def _odds_of(spot: Places) -> Places:
    """Odds (cells + 1,) of a place in canvas pixels; all on the last where it lies outside."""
    odds = np.zeros(CELLS[0] * CELLS[1] + 1)
    if not (np.isfinite(spot).all() and (spot >= 0).all() and (spot <= np.array(CANVAS) - 1).all()):
        odds[-1] = 1
        return odds
    rows, columns = np.mgrid[0 : CELLS[0], 0 : CELLS[1]]
    x, y = (spot - (STRIDE - 1) / 2) / STRIDE
    bump = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * BUMP_CELLS**2))
    odds[:-1] = (bump / bump.sum()).ravel()
    return odds


def _backed(rng: np.random.Generator, picture: Picture, places: Places) -> Picture:
    """Fill what a traced picture leaves black beyond its table."""
    outside = np.ones(picture.shape[:2], np.uint8)
    middle = places[:4].mean(0)
    cv2.fillConvexPoly(outside, np.round(middle + 1.7 * (places[:4] - middle)).astype(np.int32), 0.0)
    empty = (picture.max(2) < 14) & (outside > 0)
    if empty.mean() < 0.03 or rng.random() < 0.25:
        return picture
    cells = rng.uniform(0, 255, (int(rng.integers(2, 9)), int(rng.integers(2, 9)), 3)).astype(np.float32)
    kind = cv2.INTER_NEAREST if rng.random() < 0.3 else cv2.INTER_CUBIC
    ground = cv2.resize(cells, (picture.shape[1], picture.shape[0]), interpolation=kind)
    contrast = rng.uniform(0, 1)
    ground = np.clip(ground * contrast + rng.uniform(0, 255, 3) * (1 - contrast), 0, 255)
    return np.where(empty[..., None], ground, picture).astype(np.uint8)


def spoiled(rng: np.random.Generator, picture: Picture) -> Picture:
    """Cover, recolour, blur and roughen a picture."""
    picture = picture.copy()
    for _ in range(int(rng.poisson(0.6))):
        middle = (int(rng.integers(picture.shape[1])), int(rng.integers(picture.shape[0])))
        size = (int(rng.uniform(4, 45)), int(rng.uniform(4, 45)))
        colour = tuple(rng.uniform(0, 255, 3))
        if rng.random() < 0.5:
            cv2.ellipse(picture, middle, size, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)
        else:
            cv2.rectangle(picture, middle, (middle[0] + size[0], middle[1] + size[1]), colour, -1)
    if rng.random() < 0.25:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.4, 1.3))), np.uint8)
    if rng.random() < 0.15:
        grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        share = float(rng.uniform(0.3, 1.0))
        picture = np.asarray(cv2.addWeighted(grey, share, picture, 1 - share, 0.0), np.uint8)
    # Gain and gamma of each channel, as a table.
    gain = np.exp(rng.normal(0, 0.1, 3) + rng.normal(0, 0.25))
    steps = np.clip(np.arange(256)[:, None] * gain, 0, 255) / 255
    table = (255 * steps ** float(np.exp(rng.normal(0, 0.2)))).astype(np.uint8)
    recoloured = cv2.LUT(picture, table[None])
    noise = rng.standard_normal(picture.shape[:2], np.float32) * np.float32(rng.uniform(0, 6))
    return np.clip(recoloured + noise[..., None], 0, 255).astype(np.uint8)


def _tensors(pictures: list[Picture], maps: list[npt.NDArray[np.float64]]) -> Batch:
    images = torch.from_numpy(np.stack(pictures).astype(np.float32)).contiguous(memory_format=torch.channels_last)
    return images, torch.from_numpy(np.stack(maps).astype(np.float32))


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


def train(
    net: nn.Module,
    draw: Callable[[], Batch],
    loss_of: Callable[[Tensor, Tensor], Tensor],
    steps: int,
    peak: float,
) -> None:
    """Train for some steps with a cosine schedule."""
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    net.train()
    optimiser = torch.optim.AdamW(net.parameters(), lr=peak, weight_decay=0.01)
    begun, recent = time.process_time(), 0.0
    for step in range(steps):
        rate = peak * min(1.0, (step + 1) / 100) * 0.5 * (1.005 + math.cos(math.pi * step / steps))
        optimiser.param_groups[0]["lr"] = rate
        pictures, maps = draw()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = net(pictures)
        loss = loss_of(logits.float(), maps)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        recent = loss.item() if step == 0 else 0.98 * recent + 0.02 * loss.item()
        if step % 50 == 0:
            logger.info("step %d loss %.4f, %.0f s", step, recent, time.process_time() - begun)
    net.eval()


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", choices=("outline", "corners"))
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--steps", type=int, default=2500)
    parser.add_argument("--start", type=Path, help="a checkpoint to go on from; of the other net its pyramid alone")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    cv2.setNumThreads(1)
    torch.manual_seed(1)
    torch.set_num_threads(1)
    pictures = Pictures(asked.folders, asked.seed)
    net: nn.Module = OutlineNet() if asked.net == "outline" else CornersNet()
    peak = PEAK_RATE
    if asked.start is not None:
        known, own = torch.load(asked.start), net.state_dict()
        again = known.keys() == own.keys()
        peak = AGAIN_RATE if again else PEAK_RATE
        net.load_state_dict(own | {name: known[name] for name in known if again or ".maps." not in name})
    if asked.net == "outline":
        train(net, pictures.outlines, outline_loss, asked.steps, peak)
    else:
        train(net, pictures.canvases, corners_loss, asked.steps, peak)
    torch.save(net.state_dict(), asked.checkpoint)


if __name__ == "__main__":
    main()
