"""Each net has one recipe that is complete, in seeds and steps, and keeps what measures apart from what is learnt."""

from pathlib import Path

import pytest

from vision.inference import WEIGHTS, measured, open_net, provenance
from vision.training.recipe import RECIPES, Recipe, RecipeError, Samples, load_recipe
from vision.training.samples import MAKERS
from vision.training.samples.traced import KINDS

NETS = sorted(file.stem for file in WEIGHTS.glob("*.onnx"))
CARDS = Path(__file__).parents[3] / "docs" / "models"


def test_each_net_has_weights_a_recipe_samples_and_a_model_card() -> None:
    assert [file.stem for file in sorted(RECIPES.glob("*.toml"))] == NETS == sorted(MAKERS)
    assert [file.stem for file in sorted(CARDS.glob("*.md")) if file.stem != "README"] == NETS


@pytest.mark.parametrize("net", NETS)
def test_a_recipe_names_kinds_that_its_net_has(net: str) -> None:
    recipe, maker = load_recipe(net), MAKERS[net]
    assert recipe.net == net
    assert {part.kind for part in recipe.samples} <= {*maker.drawn, *maker.traced}
    assert {part.kind for part in recipe.pictures} <= set(KINDS)
    folders = {part.folder for part in recipe.samples}
    assert {*recipe.train.folders, *recipe.held_out} == folders
    made = {part.folder for part in recipe.pictures}
    assert {part.pictures for part in recipe.samples if part.kind in maker.traced and part.kind != "photos"} <= made


@pytest.mark.parametrize("net", NETS)
def test_what_measures_is_drawn_from_other_seeds_than_what_is_learnt(net: str) -> None:
    recipe = load_recipe(net)
    learnt = [part for part in recipe.samples if part.folder in recipe.train.folders]
    measuring = [part for part in recipe.samples if part.folder in recipe.held_out]
    assert measuring
    assert not set().union(*map(_seeds, learnt)) & set().union(*map(_seeds, measuring))
    assert not set(recipe.held_out) & set(recipe.train.folders)


def _seeds(part: Samples) -> set[int]:
    return set() if part.pictures else set(range(part.seed, part.seed + part.shards * part.size))


@pytest.mark.parametrize("net", NETS)
def test_weights_say_where_they_come_from(net: str) -> None:
    opened = open_net(WEIGHTS / f"{net}.onnx")
    assert {"recipe", "recipe_sha256", "commit", "held_out"} <= set(provenance(opened))
    assert all(isinstance(value, float) for value in measured(opened).values())


def test_a_recipe_with_an_unknown_key_is_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "odd.toml"
    file.write_text('net = "checkers"\n[train]\nfolders = ["a"]\nsteps = 1\nbatch = 1\nminutes = 60\n')
    with pytest.raises(RecipeError, match=r"odd\.toml \[train\]: no key minutes; known are .*steps"):
        load_recipe(str(file))


def test_a_net_without_a_recipe_is_answered_with_those_that_have_one() -> None:
    with pytest.raises(RecipeError, match=r"no recipe 'chequers': give one of board_corners, .*stacks"):
        load_recipe("chequers")


def test_equal_recipes_have_equal_hashes(tmp_path: Path) -> None:
    text = (RECIPES / "checkers.toml").read_text()
    hashes = [_hash(tmp_path / name, text) for name in ("a.toml", "b.toml")]
    assert hashes[0] == hashes[1] == load_recipe("checkers").sha256
    assert _hash(tmp_path / "c.toml", text + "\n# another\n") != hashes[0]


def _hash(file: Path, text: str) -> str:
    file.write_text(text)
    recipe: Recipe = load_recipe(str(file))
    return recipe.sha256
