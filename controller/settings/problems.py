"""What is wrong with a settings file, one line a mistake, in the reader's language."""

import json
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from controller.locale import Lang, TextError, text

Tables = Mapping[str, tuple[str, ...]]
"""The keys of each table; a key that is none has none."""


class SettingsError(ValueError):
    """The settings cannot be used; ``problems`` are all the reasons, one line each."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def shown(value: object) -> str:
    """Return ``value`` much as TOML writes it, cut short when long."""
    written = json.dumps(value, ensure_ascii=False, default=str)
    return written if len(written) <= 60 else f"{written[:57]}..."


def problems_of(error: ValidationError, tables: Tables, secrets: frozenset[str], lang: Lang) -> Iterator[str]:
    """Yield one line a mistake: the key, what came in, what is allowed. What ``secrets`` came to is not shown."""
    seen: set[str] = set()
    for detail in error.errors(include_url=False):
        line = _line(detail, tables, secrets, lang)
        # A value that may be of two types fails once for each.
        if line not in seen:
            seen.add(line)
            yield line


def _line(detail: ErrorDetails, tables: Tables, secrets: frozenset[str], lang: Lang) -> str:
    either = detail["loc"][-1] in {"int", "str"}
    keys = detail["loc"][:-1] if either else detail["loc"]
    name = ""
    for key in keys:
        name += f"[{key}]" if isinstance(key, int) else f".{key}" if name else key
    values = detail.get("ctx", {})
    match detail["type"]:
        case "extra_forbidden":
            known = tables if len(keys) == 1 else tables[str(keys[0])]
            guess = _meant(str(keys[-1]), tuple(known), tables, lang)
            return text(lang, "settings.unknown", name=name, guess=guess, known=", ".join(known))
        case "missing":
            return text(lang, "settings.missing", name=name)
        case "together":
            return f"{name}.{values['at']}: {text(lang, str(values['problem']), **values)}"
        case "not_allowed":
            allowed, got = text(lang, str(values["allowed"]), **values), str(values["got"])
        case _:
            allowed = _allowed(detail, name, lang, either=either)
            got = "***" if keys[-1] in secrets else shown(detail["input"])
    return text(lang, "settings.not_allowed", name=name, got=got, allowed=allowed)


def _allowed(detail: ErrorDetails, name: str, lang: Lang, *, either: bool) -> str:
    """What a value may be, in our words for pydantic's kinds of mistakes; in its own for one that we do not know."""
    kind = "int_or_text" if either else detail["type"]
    values = {key: f"{value:g}" if isinstance(value, float) else value for key, value in detail.get("ctx", {}).items()}
    values["name"] = name
    if kind == "literal_error":
        values["expected"] = str(values["expected"]).replace(" or ", f" {text(lang, 'settings.or')} ")
    try:
        return text(lang, f"settings.allowed.{kind}", **values)
    except TextError:
        return detail["msg"].removeprefix("Input should be ").removeprefix("String should have ")


def _meant(wanted: str, known: tuple[str, ...], tables: Tables, lang: Lang) -> str:
    """Return what may have been meant by an unknown key, or where it belongs."""
    close = get_close_matches(wanted, known, n=1)
    if close:
        return text(lang, "settings.meant", close=close[0])
    home = next((name for name, keys in tables.items() if wanted in keys), None)
    return text(lang, "settings.belongs", home=home) if home else ""
