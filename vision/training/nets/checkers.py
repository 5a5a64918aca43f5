"""The strip reader: its network, what it learns, how it is calibrated."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from vision.checkers.strip_net import StripNet, StripScores
from vision.training.calibration import Column, fit_line, fit_sharpness, fit_temperature, margins_of
from vision.training.nets.layers import Block, conv, doubled, standardised
from vision.training.nets.photo_features import COARSE_CHANNELS, FINE_CHANNELS, PhotoFeatures
from vision.training.pictures.samples import HIDDEN, SEEN
from vision.training.pictures.surfaces import Relief, reliefs
from vision.training.shards import Shard, load
from vision.training.task import Batch, Inputs, Labels, Outputs, Task, as_tensor

EMBEDDING: Final = 8
COUNTS: Final = 16
CONTEXT_LAYERS: Final = 2
"""Rounds in which the strips exchange what they saw: how large and thick this board's checkers are, say."""
STRIPS: Final = 26
BOARDS_FOR_RANGES: Final = 48
PHOTO_RATE: Final = 1 / 40
"""Share of the rate at which what learnt from photographs goes on learning."""
FIELD_COVERED: Final = 0.4
TOPS_COVERED: Final = 0.2
"""Shares of boards whose points, and whose checkers, get a photographed surface."""


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

    def features(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        """Return maps of a quarter and of an eighth of the strips' rows and columns."""
        fine = self.fine(pixels)
        return fine, self.coarse(fine)

    def forward(self, strips: Tensor, views: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Read strips (boards * 26, 3, 168, 40), BGR 0..255, and views (boards * 26, 2).

        Returns count logits (n, 16), hidden logit (n), top maps (n, 2, 42, 10; logits of centre and top),
        colour maps (n, 8, 42, 10) and sides (n, 8), a second look of the whole strip that knows the other strips.
        """
        boards = strips.reshape(-1, self.strips * 3 * 168 * 40)
        fine, coarse = self.features(standardised(boards).reshape(-1, 3, 168, 40))
        wide = torch.cat([fine, doubled(coarse)], 1)
        tops = self.tops(wide)
        line = self.squeeze(coarse).flatten(1)
        profile = torch.sigmoid(tops).sum(3).flatten(1)
        token = self.token(torch.cat([line, profile, views * 0.2], 1)).reshape(-1, self.strips, 96)
        token = self.context(token + self.place).reshape(-1, 96)
        return self.count(token), self.hidden(token)[:, 0], tops, self.colour(wide), self.side(token)


class PhotoCheckersNet(CheckersNet):
    """The same on features that learnt from photographs."""

    def __init__(self) -> None:
        super().__init__()
        self.photo = PhotoFeatures()
        self.fine = nn.Sequential(conv(FINE_CHANNELS, 48, 3), Block(48))
        self.coarse = nn.Sequential(conv(COARSE_CHANNELS, 96, 3), Block(96))

    def features(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        """Return maps of a quarter and of an eighth of the strips' rows and columns."""
        fine, coarse = self.photo(pixels)
        return self.fine(fine), self.coarse(coarse)


def as_batch(stacked: Shard, rng: np.random.Generator | None, surfaces: Relief | None = None) -> Batch:
    """Turn stacked boards into flat tensors; with ``rng`` mirrored, recoloured and given surfaces at random."""
    strips, views = as_tensor(stacked["strips"]), as_tensor(stacked["views"])
    centres, sets = as_tensor(stacked["centres"]) / 255, as_tensor(stacked["sets"], np.int64)
    if rng is not None:
        for board in range(len(strips)):
            if surfaces is not None:
                _cover(strips[board], sets[board] > 0, surfaces, rng)
            strips[board] = _varied(strips[board], rng)
            # Mirrored boards, and boards of strips that were seen from either side.
            mirrored = torch.from_numpy(rng.random(strips.shape[1]) < rng.choice([0.0, 0.5, 1.0]))
            for maps in (strips, centres, sets):
                maps[board, mirrored] = maps[board, mirrored].flip(2)
            views[board, mirrored, 0] *= -1
        strips.clamp_(0, 255)
    truth = {
        "counts": as_tensor(stacked["counts"], np.int64).flatten(),
        "hidden": as_tensor(stacked["hidden"], np.int64).flatten(),
        "centres": centres.flatten(0, 1),
        "sets": sets.flatten(0, 1),
    }
    return (strips.flatten(0, 1).permute(0, 3, 1, 2), views.flatten(0, 1)), truth


def _cover(strips: Tensor, tops: Tensor, surfaces: Relief, rng: np.random.Generator) -> None:
    """Give boards, checkers or both the surface of something that was photographed, in place."""
    shares = rng.uniform(0, 1.2, 2) * (rng.random(2) < (FIELD_COVERED, TOPS_COVERED))
    if not shares.any():
        return
    cells = nn.functional.interpolate(tops[:, None].float(), scale_factor=4.0, mode="bilinear")[:, 0, :, :, None]
    relief = torch.zeros_like(strips)
    where = 1 - cells if rng.random() < 0.5 else torch.ones_like(cells)
    for share, part in zip(shares.tolist(), (where, cells), strict=True):
        if share:
            relief += share * part * _surface(surfaces[rng.integers(len(surfaces))], len(strips), rng)
    strips *= relief.exp()


def _surface(piece: Relief, strips: int, rng: np.random.Generator) -> Tensor:
    """Cut a strip's size out of a piece at as many random places."""
    rows, columns = (
        rng.integers(whole - part + 1, size=strips) for whole, part in zip(piece.shape, (168, 40), strict=False)
    )
    cut = [piece[row : row + 168, column : column + 40] for row, column in zip(rows, columns, strict=True)]
    return as_tensor(np.stack(cut))


def _varied(strips: Tensor, rng: np.random.Generator) -> Tensor:
    """Strips of one board in another light, a little off, blurred, roughened."""
    strips = strips * as_tensor(np.exp(rng.normal(0, 0.12, 3) + rng.normal(0, 0.15)))
    if rng.random() < 0.5:  # another curve from light to level, for all strips or for each its own
        size = (len(strips), 1, 1, 1) if rng.random() < 0.5 else (1, 1, 1, 1)
        strips = 255 * (strips.clamp(0, 255) / 255) ** as_tensor(np.exp(rng.normal(0, 0.2, size)))
    if rng.random() < 0.4:  # a little off, as corners given by hand are
        strips = strips.roll((int(rng.integers(-2, 3)), int(rng.integers(-1, 2))), (1, 2))
    if rng.random() < 0.25:
        strips = blurred(strips, float(rng.uniform(0.2, 0.9)))
    if rng.random() < 0.3:
        strips = strips[..., torch.from_numpy(rng.permutation(3))]
    if rng.random() < 0.5:
        strips = strips + as_tensor(rng.standard_normal(tuple(strips.shape), np.float32)) * float(rng.uniform(0, 6))
    return strips


def blurred(strips: Tensor, share: float) -> Tensor:
    """Mix strips (n, rows, columns, 3) with their means over 3 x 3 pixels."""
    pixels = strips.permute(0, 3, 1, 2)
    soft = torch.nn.functional.avg_pool2d(pixels, 3, 1, 1, count_include_pad=False)
    return ((1 - share) * pixels + share * soft).permute(0, 2, 3, 1)


def colour_items(colour: Tensor, side: Tensor, tops: Tensor, sets: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Mean look of each (strip, set) that shows tops, then its side; returns looks (k, 16), sets (k), strips (k)."""
    confidence = torch.sigmoid(tops[:, 1]).detach() * 0.7 + 0.3
    looks, which, strips = [], [], []
    for label in (1, 2):
        weight = (sets == label).float() * confidence
        total = weight.sum((1, 2))
        rows = torch.nonzero(total > 0)[:, 0]
        mean = (colour[rows] * weight[rows, None]).sum((2, 3)) / total[rows, None]
        looks.append(torch.cat([mean, side[rows]], 1))
        which.append(torch.full((len(rows),), label))
        strips.append(rows)
    return torch.cat(looks), torch.cat(which), torch.cat(strips)


def pair_loss(looks: Tensor, which: Tensor, strips: Tensor) -> tuple[Tensor, Tensor]:
    """Cross entropy of "same set" for all pairs on one board at odds of 4 - distance^2; also the share right.

    Sides count only between points: a bar's strip can show both sets.
    """
    point = (strips % 26 < 24).float()
    cells, sides = (
        ((part[:, None] - part[None]) ** 2).sum(-1) for part in (looks[:, :EMBEDDING], looks[:, EMBEDDING:])
    )
    distance = cells + sides * point[:, None] * point[None]
    pairs = (strips[:, None] // 26 == strips[None] // 26) & torch.ones_like(distance, dtype=torch.bool).triu(1)
    same = (which[:, None] == which[None])[pairs].float()
    logit = 4 - distance[pairs]
    # The cells' look must do alone, too: the bar has nothing else.
    alone = 4 - cells[pairs]
    bce = torch.nn.functional.binary_cross_entropy_with_logits
    return bce(logit, same) + 0.5 * bce(alone, same), ((logit > 0) == (same > 0)).float().mean()


class CheckersTask(Task):
    """Trains and exports the strip reader."""

    fields = ("strips", "views", "counts", "hidden", "centres", "sets")
    inputs = ("strips", "views")
    outputs = ("count", "hidden", "tops", "looks", "sides")

    def build(self) -> nn.Module:
        """Return the net before it has learnt anything."""
        return CheckersNet()

    @cached_property
    def surfaces(self) -> Relief | None:
        """Photographed surfaces, if the recipe names some."""
        train = self.recipe.train
        return reliefs(self.work / train.surfaces, train.seed) if train.surfaces else None

    def start(self, net: nn.Module, weights: dict[str, Tensor]) -> None:
        """Take over what fits of an earlier net."""
        net.load_state_dict(weights, strict=False)

    def batch(self, step: int) -> Batch:
        """Boards, their colours, surfaces and noise varied."""
        return as_batch(self.rows_at(step, self.recipe.train.batch), self.rng(step), self.surfaces)

    def held_out(self) -> Iterator[Batch]:
        """Boards as they are."""
        size = self.recipe.train.batch
        for file in self.measuring_shards():
            shard = load(file, self.fields)
            for start in range(0, len(shard["counts"]), size):
                yield as_batch({key: value[start : start + size] for key, value in shard.items()}, None)

    def loss(self, outputs: Outputs, truth: Labels) -> tuple[Tensor, dict[str, float]]:
        """Losses of counts, hidden places, tops and sets."""
        count, hidden, tops, colour, side = outputs
        bce = nn.functional.binary_cross_entropy_with_logits
        on_point = (torch.arange(len(count)) % STRIPS) < 24
        seen = truth["hidden"] == SEEN
        asked = seen & on_point
        wanted = truth["counts"].abs()
        count_loss = nn.functional.cross_entropy(count[asked], wanted[asked])
        sure = truth["hidden"] <= HIDDEN
        hidden_loss = bce(hidden[sure], truth["hidden"][sure].float())
        centre_loss = bce(tops[seen, 0], truth["centres"][seen], pos_weight=torch.tensor(3.0))
        top_loss = bce(tops[seen, 1], (truth["sets"][seen] > 0).float())
        colour_loss, colour_right = pair_loss(*colour_items(colour, side, tops, truth["sets"]))
        total = count_loss + 0.5 * hidden_loss + 2 * centre_loss + top_loss + colour_loss
        right = (count[asked].argmax(1) == wanted[asked]).float()
        watched = {
            "count": count_loss.item(), "right": float(right.mean()),
            "occupied": float(right[wanted[asked] > 0].mean()), "hidden": hidden_loss.item(),
            "tops": (centre_loss + top_loss).item(), "pairs": float(colour_right),
        }  # fmt: skip
        return total, watched

    def example(self) -> tuple[Tensor, ...]:
        """One board."""
        return torch.zeros(STRIPS, 3, 168, 40), torch.zeros(STRIPS, 2)

    def typical(self) -> Iterator[Inputs]:
        """Boards as they are."""
        shard = self.rows_at(0, BOARDS_FOR_RANGES)
        for strips, views in zip(shard["strips"], shard["views"], strict=True):
            yield {
                "strips": np.ascontiguousarray(strips.transpose(0, 3, 1, 2), np.float32),
                "views": np.asarray(views, np.float32),
            }

    def neutral(self) -> dict[str, float]:
        """Figures that change nothing."""
        ones = ("count_temperature", "hidden_temperature", "set_sharpness", "colour_weight", "bar_gain")
        return dict.fromkeys(ones, 1.0) | {"bar_offset": 0.0}

    def calibrate(self, weights: Path) -> dict[str, float]:
        """Return the temperatures that make held-out probabilities honest."""
        net = StripNet(weights)
        odds, wanted, hidden = [], [], []
        features: list[tuple[Column, Column]] = []
        bar: list[tuple[float, float]] = []
        for file in self.measuring_shards():
            shard = load(file, self.fields)
            for board in range(len(shard["counts"])):
                scores = net.read(
                    np.asarray(shard["strips"][board], np.uint8), np.asarray(shard["views"][board], np.float32)
                )
                state = np.asarray(shard["hidden"][board], np.int64)
                seen = (state == SEEN) & (np.arange(26) < 24)
                odds.append(np.log(scores.counts[seen] + 1e-9))
                wanted.append(np.abs(np.asarray(shard["counts"][board], np.int64))[seen])
                sure = state <= HIDDEN
                hidden.append(margins_of(scores.hidden[sure], (state == HIDDEN)[sure]))
                sets = np.asarray(shard["sets"][board], np.int64)
                features.append(_features(scores, sets, seen))
                centres = np.asarray(shard["centres"][board], np.float32) / 255
                bar += [
                    pair
                    for strip in (24, 25)
                    if state[strip] == SEEN
                    for pair in _bar_peaks(scores.centres[strip], centres[strip])
                ]
        gain, offset = fit_line(np.array(bar))
        colour_weight, sharpness = _fit_sets(features)
        return {
            "count_temperature": fit_temperature(np.concatenate(odds), np.concatenate(wanted)),
            "hidden_temperature": 1 / fit_sharpness(np.concatenate(hidden)),
            "set_sharpness": sharpness,
            "colour_weight": colour_weight,
            "bar_gain": gain,
            "bar_offset": offset,
        }


class PhotoCheckersTask(CheckersTask):
    """Trains and exports the strip reader on features that learnt from photographs."""

    def build(self) -> nn.Module:
        """Return the net before it has learnt anything."""
        return PhotoCheckersNet()

    def prepare(self, net: nn.Module) -> None:
        """Begin with features that learnt from photographs."""
        net.get_submodule("photo").load_pretrained()

    def groups(self, net: nn.Module) -> list[dict[str, Any]]:
        """What learnt from photographs learns slowly, the rest fast."""
        slow = net.get_submodule("photo").learning()
        known = {id(parameter) for parameter in net.get_submodule("photo").parameters()}
        fast = [parameter for parameter in net.parameters() if id(parameter) not in known]
        return [{"params": fast, "share": 1.0}, {"params": slow, "share": PHOTO_RATE}]


def _features(scores: StripScores, sets: npt.NDArray[np.int64], seen: npt.NDArray[np.bool_]) -> tuple[Column, Column]:
    """Looks of the points with checkers, shape (k, 19), and whose they are (1 lighter, 2 darker)."""
    strips = [int(strip) for strip in np.flatnonzero(seen) if sets[strip].any()]
    features = [scores.features_of(strip, scores.tops[strip]) for strip in strips]
    return np.array(features, np.float64).reshape(-1, 19), np.array([sets[strip].max() for strip in strips], np.float64)


def _fit_sets(boards: list[tuple[Column, Column]]) -> tuple[float, float]:
    """Weight of the plain colour and sharpness with the least cross entropy of belonging to the own set's mean look."""
    best = (np.inf, 1.0, 1.0)
    for weight in (0.0, 0.01, 0.02, 0.035, 0.05, 0.07, 0.1, 0.15):
        scale = np.concatenate([np.ones(8), np.full(3, weight), np.ones(8)])
        margins = np.concatenate([_margins(features * scale, own) for features, own in boards])
        sharpness = fit_sharpness(margins)
        best = min(best, (float(np.mean(np.logaddexp(0, -margins * sharpness))), weight, sharpness))
    return best[1], best[2]


def _margins(features: Column, own: Column) -> Column:
    """Return by how much each look is nearer to its own set's mean (without itself) than to the other's."""
    margins = []
    for index, label in enumerate(own):
        others = np.arange(len(own)) != index
        same, other = features[others & (own == label)], features[own != label]
        if len(same) and len(other):
            margins.append(
                ((features[index] - other.mean(0)) ** 2).sum() - ((features[index] - same.mean(0)) ** 2).sum()
            )
    return np.array(margins)


def _bar_peaks(logit: npt.NDArray[np.float32], centres: npt.NDArray[np.float32]) -> list[tuple[float, float]]:
    """Local maxima of a bar strip's map, and whether (1 or 0) a checker's middle is within a cell."""
    tensor = torch.from_numpy(np.ascontiguousarray(logit))
    near = torch.nn.functional.max_pool2d(tensor[None], 5, 1, 2)[0]
    truth = torch.nn.functional.max_pool2d(torch.from_numpy(np.ascontiguousarray(centres))[None], 3, 1, 1)[0] > 0.8
    peaks = (tensor == near) & (tensor > -2.5)
    return list(zip(tensor[peaks].tolist(), truth[peaks].float().tolist(), strict=True))
