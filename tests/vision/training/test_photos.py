"""Samples out of labelled photos: each source alike, dice with their values, other things as no dice."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.training.pictures.dice_scenes import random_scene
from vision.training.recipe import RECIPES, load_recipe
from vision.training.samples import MAKERS
from vision.training.samples.dice import CROP_FIELDS
from vision.training.samples.photos import photos


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two "photos" of one source, one of another, one table without dice: drawn, since no photo is kept here."""
    place = tmp_path_factory.mktemp("photos")
    labels = []
    for name, seed in (("club_0", 3), ("club_1", 4), ("home_0", 5)):
        scene = random_scene(np.random.default_rng(seed))
        cv2.imwrite(str(place / f"{name}.jpg"), scene.frame)
        dice = []
        for die in scene.dice:
            (x, y), reach = die.image.centre_px, die.image.face_px / 2
            dice.append({"value": die.image.value, "box": [x - reach, y - reach, x + reach, y + reach]})
        labels.append({"image": f"{name}.jpg", "dice": dice, "crop": False})
    noise = np.random.default_rng(1).integers(0, 255, (240, 320, 3), np.uint8)
    cv2.imwrite(str(place / "table_0.jpg"), cv2.GaussianBlur(noise, (0, 0), 3))
    (place / "labels.json").write_text(json.dumps(labels), encoding="utf-8")
    return place


def test_photos_give_dice_with_their_values_and_things_that_are_none(folder: Path) -> None:
    samples = list(photos(sorted(folder.glob("*.jpg")), 1))
    values = {die["value"] for entry in json.loads((folder / "labels.json").read_text()) for die in entry["dice"]}
    assert {sample.value for sample in samples if sample.is_die} <= values
    assert 0.3 < np.mean([sample.is_die for sample in samples]) < 0.8


def test_the_same_seed_cuts_the_same_crops(folder: Path) -> None:
    files = sorted(folder.glob("*.jpg"))
    first, again, other = (list(photos(files, seed)) for seed in (1, 1, 2))
    assert all(np.array_equal(a.crop.picture, b.crop.picture) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first[0].crop.picture, other[0].crop.picture)


def test_the_readers_recipe_learns_from_photos_and_does_not_know_how_their_dice_lean(folder: Path) -> None:
    assert any(part.kind == "photos" for part in load_recipe(str(RECIPES / "dice_reader.toml")).samples)
    maker = MAKERS["dice_reader"]
    shard = maker.shard(list(maker.traced["photos"](sorted(folder.glob("*.jpg")), 1)))
    meta = dict(zip(CROP_FIELDS, np.asarray(shard["meta"], np.float32).T, strict=True))
    assert np.isnan(meta["tilt"]).all()
    assert np.isnan(meta["off_x"]).all()


def test_a_loss_of_photos_is_a_number(folder: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not there: it comes with the extra 'train'")
    from vision.training.nets.dice import reader_loss  # noqa: PLC0415 - torch is not everywhere

    maker = MAKERS["dice_reader"]
    shard = maker.shard(list(maker.traced["photos"](sorted(folder.glob("*.jpg")), 1)))
    columns = np.asarray(shard["meta"], np.float32).T
    truth = {name: torch.from_numpy(column.copy()) for name, column in zip(CROP_FIELDS, columns, strict=True)}
    truth["place"] = torch.stack([truth["log_size"], truth["off_x"], truth["off_y"]], 1)
    truth["lean"] = torch.stack([truth["lean_x"], truth["lean_y"]], 1)
    scores = torch.zeros(len(columns[0]), 16, requires_grad=True)
    loss = reader_loss(scores, truth)
    loss.backward()
    assert torch.isfinite(loss)
    assert scores.grad is not None
    assert torch.isfinite(scores.grad).all()
    assert not scores.grad[:, 7].any()
