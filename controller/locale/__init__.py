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


class SpokenError(Exception):
    """An error whose sentence the catalogues know: ``said`` is the English one with blanks, ``values`` fill them."""

    def __init__(self, said: str, **values: object) -> None:
        super().__init__(said.format(**values) if values else said)
        self.said = said
        self.values = values


@runtime_checkable
class Spoken(Protocol):
    """What a SpokenError has; errors of the leaf packages, which do not know the catalogues, have it too."""

    said: str
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


def in_other_words(lang: Lang, said: str, values: Mapping[str, object]) -> str:
    """Return the English sentence ``said``, whose blanks take ``values``, in ``lang``; as it is where it is unknown.

    It is looked for below ``vision`` and ``error`` of the English catalogue.
    """
    known = catalogue(Lang.EN)
    key = next(
        (key for key, english in known.items() if english == said and key.startswith(("vision.", "error."))), None
    )
    pattern = catalogue(lang)[key] if key else said
    return pattern.format(**values) if values else pattern


def plain(error: Exception, lang: Lang = Lang.EN) -> str:
    """Return the error's own words, in ``lang`` as far as the catalogue knows the sentence.

    A file's error comes without the number that the operating system gives it.
    """
    if isinstance(error, Spoken):
        return in_other_words(lang, error.said, error.values)
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error) or type(error).__name__
