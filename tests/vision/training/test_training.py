"""A training that was stopped and goes on ends where an undisturbed one ends; its weights say where they come from."""

import shutil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not there: it comes with the extra 'train'")
pytest.importorskip("onnx", reason="onnx is not there: it comes with the extra 'train'")

import torch

from vision.inference import measured, open_net, provenance
from vision.training.export import export
from vision.training.loop import CHECKPOINT, train
from vision.training.nets import TASKS, task_of
from vision.training.recipe import RECIPES, Recipe, RecipeError, load_recipe
from vision.training.samples import MAKERS
from vision.training.shards import write_shards

TINY = """
net = "{net}"
held_out = ["held_out"]
[[samples]]
kind = "scenes"
folder = "all"
seed = 5
shards = 2
size = 6
[[samples]]
kind = "scenes"
folder = "held_out"
seed = 77
size = 6
[train]
folders = ["all"]
steps = 6
batch = 4
average = {average}
clip = 1.0
steps_a_pool = 2
keep_every = 2
"""


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    work = tmp_path_factory.mktemp("samples")
    recipe = tiny(work, "cube_finder")
    for part in recipe.samples:
        write_shards(MAKERS["cube_finder"], part, work)
    return work


def tiny(folder: Path, net: str, average: float = 0.0) -> Recipe:
    file = folder / "tiny.toml"
    file.write_text(TINY.format(net=net, average=average))
    return load_recipe(str(file))


def work_with(samples: Path, place: Path) -> Path:
    shutil.copytree(samples, place)
    return place


@pytest.mark.parametrize(("net", "average"), [("cube_finder", 0.9), ("cube_reader", 0.0)])
def test_a_stopped_training_ends_with_the_weights_of_an_undisturbed_one(
    samples: Path, tmp_path: Path, net: str, average: float
) -> None:
    recipe = tiny(tmp_path, net, average)
    undisturbed = train(task_of(recipe, work_with(samples, tmp_path / "one"))).state_dict()
    stopped = work_with(samples, tmp_path / "two")
    train(task_of(recipe, stopped), until=3)
    resumed = train(task_of(recipe, stopped)).state_dict()
    assert undisturbed.keys() == resumed.keys()
    assert all(torch.equal(undisturbed[name], resumed[name]) for name in undisturbed)


def test_weights_carry_recipe_commit_and_figures(samples: Path, tmp_path: Path) -> None:
    recipe, work = tiny(tmp_path, "cube_finder"), work_with(samples, tmp_path / "work")
    train(task_of(recipe, work))
    export(task_of(recipe, work), work / "cube_finder.onnx")
    net = open_net(work / "cube_finder.onnx")
    assert provenance(net)["recipe"] == "tiny"
    assert provenance(net)["recipe_sha256"] == recipe.sha256
    assert "finder" in provenance(net)["held_out"]
    assert measured(net) == {}
    assert net.run(None, {"picture": np.zeros((2, 3, 64, 96), np.float32)})[0].shape == (2, 4, 16, 24)


def test_a_checkpoint_of_another_recipe_is_not_trained_on(samples: Path, tmp_path: Path) -> None:
    work = work_with(samples, tmp_path / "work")
    train(task_of(tiny(tmp_path, "cube_finder"), work), until=2)
    assert (work / CHECKPOINT).exists()
    with pytest.raises(RecipeError, match="belongs to another recipe"):
        train(task_of(tiny(tmp_path, "cube_finder", 0.9), work))


def test_each_recipe_has_a_net_of_its_own() -> None:
    assert sorted(TASKS) == sorted(file.stem for file in RECIPES.glob("*.toml"))
