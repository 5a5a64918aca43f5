"""Reads a settings file: TOML in, a frozen value out, every mistake named at once."""

import json
import tomllib
from pathlib import Path

from pydantic import ValidationError

from controller.locale import Lang, text
from controller.settings.model import SECRETS, JournalSettings, Section, Settings
from controller.settings.problems import SettingsError, problems_of


def load(path: Path, lang: Lang = Lang.EN) -> Settings:
    """Read the settings file at ``path``; paths in it are taken from the file's own folder.

    Raises SettingsError with every problem, one line each in ``lang``: file, key, what came in, what is allowed.
    """
    try:
        written = path.read_text("utf-8")
    except OSError as error:
        raise _unusable(path, lang, "unreadable", why=error.strerror) from error
    except UnicodeDecodeError as error:
        raise _unusable(path, lang, "not_utf8", byte=error.start) from error
    try:
        tree = tomllib.loads(written)
    except tomllib.TOMLDecodeError as error:
        raise _unusable(path, lang, "not_toml", why=error) from error
    try:
        # In JSON mode arrays become tuples and texts paths, while numbers and texts stay apart.
        settings = Settings.model_validate_json(json.dumps(tree, default=str))
    except ValidationError as error:
        tables = {name: _keys(name) for name in Settings.model_fields}
        raise SettingsError(tuple(f"{path}: {line}" for line in problems_of(error, tables, SECRETS, lang))) from None
    return _placed(settings, path.absolute().parent)


def language_of(path: Path) -> Lang | None:
    """Return the language that the settings at ``path`` ask for, also where something else is wrong with them."""
    try:
        return Lang(tomllib.loads(path.read_text("utf-8")).get("language"))
    except (OSError, ValueError):
        return None


def _unusable(path: Path, lang: Lang, key: str, **values: object) -> SettingsError:
    return SettingsError((f"{path}: {text(lang, f'settings.{key}', **values)}",))


def _placed(settings: Settings, folder: Path) -> Settings:
    """Take relative paths from the file's ``folder`` on."""
    changes: dict[str, Section] = {"journal": JournalSettings(path=folder / settings.journal.path)}
    # Without .toml it is the name of a rig that comes with the project.
    if settings.bridge.rig is not None and settings.bridge.rig.suffix == ".toml":
        changes["bridge"] = settings.bridge.model_copy(update={"rig": folder / settings.bridge.rig})
    camera = settings.camera
    if isinstance(camera.source, str) and "://" not in camera.source:
        camera = camera.model_copy(update={"source": str(folder / camera.source)})
    if camera.lens is not None:
        camera = camera.model_copy(update={"lens": folder / camera.lens})
    changes["camera"] = camera
    if settings.match.ruleset.endswith(".toml"):
        changes["match"] = settings.match.model_copy(update={"ruleset": str(folder / settings.match.ruleset)})
    return settings.model_copy(update=changes)


def _keys(section: str) -> tuple[str, ...]:
    table = Settings.model_fields[section].annotation
    return tuple(table.model_fields) if isinstance(table, type) and issubclass(table, Section) else ()
