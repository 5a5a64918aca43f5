"""Write the options and presets into their page: ``python -m controller.rules.page docs/rules.md``.

What the page says of a value stands in ``sources.toml``; what a preset answers stands in the preset.
"""

import sys
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypedDict

from controller.rules.game import Game
from controller.rules.options import allowed
from controller.rules.presets import described, presets, ruleset
from controller.rules.ruleset import OPTIONS

BEGIN, END = "<!-- made by controller.rules.page: begin -->", "<!-- made by controller.rules.page: end -->"
LONG = {Game.LONG, Game.KHACHAPURI}


class Said(TypedDict):
    """What is said of a value: where it is written, with short names, and what the referee does."""

    source: str
    does: str


@cache
def said() -> Mapping[str, Mapping[str, Said]]:
    """Return what is said of each option's values, numbers under "0" and "number"."""
    text = files("controller.rules").joinpath("sources.toml").read_text("utf-8")
    return tomllib.loads(text)


def values(option: str) -> tuple[str, ...]:
    """Return the values of ``option`` as ``said`` names them."""
    choices = allowed(option)
    if all(type(choice) is int for choice in choices):
        return tuple(name for name in ("0", "number") if name in said()[option])
    return tuple(_shown(choice) for choice in choices)


def with_tables(page: str) -> str:
    """Return ``page`` with the tables of today between its two marks; raises ValueError where they are missing."""
    head, begin, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        msg = f"the page has no {END if begin else BEGIN!r}"
        raise ValueError(msg)
    return f"{head}{BEGIN}\n\n{_tables()}\n{END}{tail}"


def _tables() -> str:
    names = {name: ruleset(name) for name in presets()}
    long = [name for name in names if names[name].game in LONG]
    short = [name for name in names if names[name].game not in LONG]
    parts = (
        ["### Presets", ""],
        _table(("preset", "text"), ((f"`{name}`", described(name)) for name in names)),
        ["", "What each answers; the next table says of each value where it is written and what the referee does.", ""],
        _answers("long games", long),
        [""],
        _answers("short games", short),
        ["", "### Options", ""],
        _table(("option", "value", "source", "what the referee does"), _sources()),
    )
    return "\n".join(line for part in parts for line in part) + "\n"


def _answers(title: str, names: list[str]) -> list[str]:
    rows = ((f"`{option}`", *(_shown(getattr(ruleset(name), option)) for name in names)) for option in OPTIONS)
    return _table((title, *(f"`{name}`" for name in names)), rows)


def _sources() -> Iterable[tuple[str, ...]]:
    for option in OPTIONS:
        for value in values(option):
            about = said()[option][value]
            shown = f"{_range(option)}" if value == "number" else f"`{value}`"
            yield f"`{option}`", shown, about["source"], about["does"]


def _range(option: str) -> str:
    low, high = allowed(option)
    return f"{low if '0' not in said()[option] else 1}..{high}"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    return [_row(head), _row(("---",) * len(head)), *(_row(row) for row in rows)]


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _shown(value: object) -> str:
    if isinstance(value, Game):
        return value.value
    return str(value).lower() if isinstance(value, bool) else str(value)


if __name__ == "__main__":
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/rules.md")
    path.write_text(with_tables(path.read_text("utf-8")), "utf-8")
