"""Build hook: compiles click's own words, which stand in the text catalogues, into the file that gettext reads.

``pip install`` runs it, of a checkout too (``-e .``); ``python hatch_build.py`` runs it alone.
"""

import os
import tomllib
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
COMPILED = "controller/locale/ru/LC_MESSAGES/click.mo"


class ClicksWords(BuildHookInterface):  # type: ignore[type-arg] # any builder's configuration
    """Compiles before the wheel is put together, and has the compiled file put into it."""

    PLUGIN_NAME = "custom"

    def initialize(self, _version: str, build_data: dict[str, Any]) -> None:
        """Compile; git does not know the file, so that it is named as one that belongs in the wheel."""
        compile_words(Path(self.root))
        build_data["artifacts"].append(COMPILED)


def compile_words(root: Path) -> Path:
    """Write the file below ``root``, the folder of the project, and return its path."""
    english, russian = (_clicks(root, lang) for lang in ("en", "ru"))
    catalog = Catalog(locale="ru", fuzzy=False)
    for key, asked in english.items():
        if isinstance(asked, dict):
            # Texts with a number: what click counts is said in words that do not change with it.
            for name, counted in asked.items():
                catalog.add((counted, counted), (russian[key][name],) * catalog.num_plurals)
        else:
            catalog.add(asked, russian[key])
    path = root / COMPILED
    path.parent.mkdir(parents=True, exist_ok=True)
    # Renamed into place: a program that starts meanwhile reads the old file or the new one.
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
    with unfinished.open("wb") as file:
        write_mo(file, catalog)
    return unfinished.replace(path)


def _clicks(root: Path, lang: str) -> dict[str, Any]:
    texts: dict[str, Any] = tomllib.loads((root / f"controller/locale/{lang}.toml").read_text("utf-8"))["click"]
    return texts


if __name__ == "__main__":
    compile_words(ROOT)
