"""Text for people, in English and Russian: one TOML file a language, the same keys in each."""

import tomllib
from collections.abc import Mapping
from enum import Enum
from functools import cache
from importlib.resources import files
from typing import Protocol, runtime_checkable


class Lang(Enum):
    """A language people read the referee in."""

    EN = "en"
    RU = "ru"


class TextError(KeyError):
    """A text was asked for that no catalogue has."""


class LocalizedError(Exception):
    """An error whose sentence stands in the catalogues under ``error``: ``key`` names it, ``values`` fill its blanks.

    As a text it is English; ``in_words`` gives it in either language.
    """

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(text(Lang.EN, f"error.{key}", **values))
        self.key = key
        self.values = values

    def in_words(self, lang: Lang) -> str:
        """Return the sentence in ``lang``."""
        values = {
            name: plain(value, lang) if isinstance(value, Exception) else value for name, value in self.values.items()
        }
        return text(lang, f"error.{self.key}", **values)


@runtime_checkable
class Keyed(Protocol):
    """An error of ``vision``, which knows no catalogues: its key below ``vision``, and what fills the blanks."""

    key: str
    values: Mapping[str, object]


@cache
def catalogue(lang: Lang) -> dict[str, str]:
    """Return every text of ``lang`` by its dotted key, such as ``fault.blocked_point``."""
    tree = tomllib.loads(files(__package__).joinpath(f"{lang.value}.toml").read_text("utf-8"))
    flat: dict[str, str] = {}

    def walk(branch: dict[str, object], prefix: str) -> None:
        for name, value in branch.items():
            if isinstance(value, dict):
                walk(value, f"{prefix}{name}.")
            else:
                flat[f"{prefix}{name}"] = str(value)

    walk(tree, "")
    return flat


def text(lang: Lang, key: str, **values: object) -> str:
    """Return the text ``key`` in ``lang`` with ``values`` filled in.

    Raises TextError when the catalogue lacks the key.
    """
    try:
        pattern = catalogue(lang)[key]
    except KeyError:
        msg = f"no text {key!r} in the catalogue {lang.value}.toml"
        raise TextError(msg) from None
    return pattern.format(**values)


def plain(error: Exception, lang: Lang = Lang.EN) -> str:
    """Return the error's own words, in ``lang`` as far as the catalogues have them.

    A file's error comes without the number that the operating system gives it.
    """
    if isinstance(error, LocalizedError):
        return error.in_words(lang)
    if isinstance(error, Keyed):
        return text(lang, f"vision.{error.key}", **error.values)
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error) or type(error).__name__
