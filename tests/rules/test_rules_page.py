"""docs/rules.md says of every preset what it answers, and of every answer where it is written."""

import re
from pathlib import Path

import pytest

from controller.rules import presets, ruleset
from controller.rules.page import said, values, with_tables
from controller.rules.ruleset import OPTIONS

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_is_what_the_command_makes() -> None:
    page = (DOCS / "rules.md").read_text("utf-8")
    assert page == with_tables(page), "run python -m controller.rules.page docs/rules.md"


def test_a_page_without_the_marks_is_refused() -> None:
    with pytest.raises(ValueError, match=r"the page has no '<!-- made by"):
        with_tables("# Rules\n")


def test_every_value_of_every_option_has_a_source_and_an_effect_and_nothing_else_has() -> None:
    assert set(said()) == set(OPTIONS)
    for option in OPTIONS:
        assert set(said()[option]) == set(values(option)), option
        for value, about in said()[option].items():
            assert set(about) == {"source", "does"}, (option, value)
            assert about["source"], (option, value)
            assert about["does"].endswith("."), (option, value)


def test_what_a_preset_answers_is_in_its_column() -> None:
    lines = (DOCS / "rules.md").read_text("utf-8").splitlines()
    for name in presets():
        head = next(line for line in lines if f"| `{name}` |" in line and " games |" in line)
        column = head.split(" | ").index(f"`{name}`") if f" | `{name}` | " in head else len(head.split(" | ")) - 1
        rows = lines[lines.index(head) + 2 :][: len(OPTIONS)]
        answers = {row.split("`")[1]: row.strip("| ").split(" | ")[column] for row in rows}
        assert answers["reserve_s_per_point"] == str(ruleset(name).reserve_s_per_point), name
        assert answers["illegal"] == ruleset(name).illegal, name
        assert answers["cube"] == str(ruleset(name).cube).lower(), name


def test_every_short_name_of_a_source_is_explained() -> None:
    page = (DOCS / "rules-sources.md").read_text("utf-8")
    names = {name.strip() for row in re.findall(r"^\| ([^|]+) \|", page, re.MULTILINE) for name in row.split(",")}
    known = sorted((name.removesuffix(" N") for name in names), key=len, reverse=True)
    used = {
        part.strip() for option in said().values() for about in option.values() for part in about["source"].split(";")
    }
    assert (
        sorted(source for source in used if not any(re.match(rf"{re.escape(name)}\b", source) for name in known)) == []
    )
