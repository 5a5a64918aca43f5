"""What a step is shown depends on the seed and the step alone."""

from pathlib import Path

import numpy as np
import pytest

from vision.training.recipe import RecipeError, Samples
from vision.training.samples import MAKERS
from vision.training.shards import Maker, Pool, Shard, write_shards

STEPS = 7


def pool(folder: Path, seed: int = 1) -> Pool:
    def rows(shard: Shard) -> np.ndarray:
        return np.flatnonzero(shard["kept"])

    return Pool(folder, seed, shards_at_once=2, steps=STEPS, fields=("number", "kept"), rows=rows)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for shard in range(4):
        numbers = 100 * shard + np.arange(12)
        np.savez(tmp_path / f"{shard}.npz", number=numbers, kept=numbers % 3 > 0)
    return tmp_path


def shown(pool: Pool, steps: range) -> list[list[int]]:
    picked = [pool.pick(step, 5) for step in steps]
    return [shard["number"][rows].tolist() for shard, rows in picked]


def test_a_run_that_goes_on_is_shown_what_it_would_have_been_shown(folder: Path) -> None:
    whole = shown(pool(folder), range(3 * STEPS))
    assert shown(pool(folder), range(10, 3 * STEPS)) == whole[10:]
    assert shown(pool(folder, seed=2), range(3 * STEPS)) != whole


def test_all_chosen_rows_are_shown_before_one_is_shown_again(folder: Path) -> None:
    first = [number for batch in shown(pool(folder), range(3)) for number in batch]
    assert len(set(first)) == 15
    assert all(number % 3 for number in first)
    later = [number for batch in shown(pool(folder), range(STEPS)) for number in batch]
    assert len(set(later)) == 16  # two shards of eight


def test_boards_of_joined_shards_keep_apart(tmp_path: Path) -> None:
    for shard in range(2):
        np.savez(tmp_path / f"{shard}.npz", value=np.array([shard] * 3), boards=np.array([0, 0, 1]))
    both = Pool(
        tmp_path, 1, shards_at_once=2, steps=1, fields=("value", "boards"), rows=lambda shard: np.arange(len(shard))
    )
    shard = both.shard_at(0)
    assert [len(set(shard["value"][shard["boards"] == board].tolist())) for board in range(4)] == [1, 1, 1, 1]


def test_shards_that_are_there_are_kept_and_the_rest_is_written(tmp_path: Path) -> None:
    asked: list[int] = []

    def drawn(seed: int, size: int) -> list[int]:
        asked.append(seed)
        return list(range(seed, seed + size))

    maker = Maker(lambda samples: {"number": np.array(samples)}, {"drawn": drawn})
    write_shards(maker, Samples(kind="drawn", folder="some", seed=40, shards=1, size=20), tmp_path)
    write_shards(maker, Samples(kind="drawn", folder="some", seed=40, shards=3, size=20), tmp_path)
    assert asked == [40, 60, 80]
    assert len(list((tmp_path / "some").glob("*.npz"))) == 3


def test_missing_samples_and_pictures_name_the_step_that_makes_them(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="run the step 'samples'"):
        pool(tmp_path)
    maker = Maker(lambda samples: {"number": np.array(samples)}, {}, {"traced": lambda files, seed: [seed, *files]})
    with pytest.raises(RecipeError, match="run the step 'pictures'"):
        write_shards(maker, Samples(kind="traced", folder="some", seed=1, pictures="none"), tmp_path)
    with pytest.raises(RecipeError, match="no samples of kind 'drawn': known are traced"):
        write_shards(maker, Samples(kind="drawn", folder="some", seed=1), tmp_path)


@pytest.mark.parametrize(("net", "kind", "size"), [("checkers", "drawn", 1), ("cube_reader", "scenes", 2)])
def test_equal_seeds_give_equal_samples(tmp_path: Path, net: str, kind: str, size: int) -> None:
    for folder, seed in (("one", 5), ("two", 5), ("three", 6)):
        write_shards(MAKERS[net], Samples(kind=kind, folder=folder, seed=seed, size=size), tmp_path)
    one, two, three = (_only(tmp_path / folder) for folder in ("one", "two", "three"))
    assert all(np.array_equal(one[name], two[name], equal_nan=one[name].dtype.kind == "f") for name in one)
    assert not all(one[name].shape == three[name].shape and np.array_equal(one[name], three[name]) for name in one)


def _only(folder: Path) -> Shard:
    (file,) = folder.glob("*.npz")
    with np.load(file) as stored:
        return dict(stored)
