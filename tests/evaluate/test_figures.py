"""No figure on the reference pictures is worse than the last one kept in the file, by more than its allowance."""

from pathlib import Path

import pytest

from controller.evaluate.figures import BOARDS, SUITES, Suite, figure_of, load, measure, worse, written

LAST = Path(__file__).parent / "figures.toml"


@pytest.mark.slow
@pytest.mark.parametrize("name", SUITES)
def test_figures_are_no_worse_than_the_last_ones(name: str, request: pytest.FixtureRequest) -> None:
    shared: Path = request.getfixturevalue("shared") if SUITES[name].folder else Path()
    now = measure(SUITES[name], shared)
    assert worse(SUITES[name], load(LAST)[name], now) == []


def test_every_suite_has_all_its_figures_in_the_file() -> None:
    assert {name: list(values) for name, values in load(LAST).items()} == {
        name: list(suite.figures) for name, suite in SUITES.items()
    }


def test_a_worse_figure_is_named_and_a_better_one_is_not() -> None:
    suite = Suite("boards", lambda _: pytest.fail("nothing is judged here"), BOARDS)
    last = dict.fromkeys(BOARDS, 0.5)
    assert worse(suite, last, last) == []
    assert worse(suite, last, last | {"points_exact": 0.9, "wrong_and_sure": 0.1}) == []
    assert worse(suite, last, last | {"points_exact": 0.497}) == []
    (points,) = worse(suite, last, last | {"points_exact": 0.49})
    assert points == "points_exact was 0.50000 and is 0.49000; 0.004 worse is allowed"
    (sure,) = worse(suite, last, last | {"wrong_and_sure": 0.51})
    assert sure.startswith("wrong_and_sure was")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    figures = {"boards_photos": {"points_exact": 0.99653, "corners.off_by_more": 0.0}}
    (tmp_path / "figures.toml").write_text(written(figures))
    assert load(tmp_path / "figures.toml") == figures


def test_a_nested_figure_is_named_by_its_parts() -> None:
    assert figure_of({"corners": {"off_by_more": 0.25}}, "corners.off_by_more") == 0.25
