"""Writes measured values into a settings file, and leaves everything else in it as its owner wrote it."""

import os
import shutil
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import tomlkit
from tomlkit.items import Comment, Table, Whitespace

from controller.locale import Lang, text
from controller.settings.problems import SettingsError

Measured = Mapping[str, Mapping[str, object]]
"""New values by table and key: texts, numbers and arrays of them."""


def write_settings(path: Path, measured: Measured, lang: Lang = Lang.EN) -> None:
    """Put ``measured`` into the settings file at ``path``; comments and all other keys stay.

    Raises SettingsError with the lines to write by hand where the file cannot keep the values, or may not be written.
    """
    new = _kept(path.read_text("utf-8"), measured)
    if new is None:
        raise SettingsError((f"{path}: {text(lang, 'settings.by_hand', lines='; '.join(lines_of(measured)))}",))
    file = path.resolve()
    unfinished = file.with_name(f"{file.name}.part")
    try:
        unfinished.touch(0o600)
        unfinished.write_text(new, "utf-8")
        shutil.copymode(file, unfinished)
        with suppress(PermissionError):
            # Written by root for a service of its own: that service still has to read it.
            os.chown(unfinished, file.stat().st_uid, file.stat().st_gid)
        unfinished.replace(file)
    except OSError as error:
        with suppress(OSError):
            unfinished.unlink()
        lines = "; ".join(lines_of(measured))
        problem = text(lang, "settings.unwritable", why=error.strerror, lines=lines)
        raise SettingsError((f"{path}: {problem}",)) from error


def lines_of(measured: Measured) -> list[str]:
    """Return ``measured`` as lines of TOML, a table's name before its keys."""
    lines = []
    for table, values in measured.items():
        lines += [f"[{table}]", *(f"{key} = {tomlkit.item(value).as_string()}" for key, value in values.items())]
    return lines


def with_values(text: str, measured: Measured) -> str:
    """Return the settings ``text`` with ``measured`` in place of what these keys had."""
    document = tomlkit.parse(text)
    for name, values in measured.items():
        if name not in document:
            document[name] = tomlkit.table()
        table = document[name]
        below = _apart(table) if isinstance(table, Table) else []
        for key, value in values.items():
            table[key] = value
        for item in below:
            table.add(item)
    return tomlkit.dumps(document)


def _kept(old: str, measured: Measured) -> str | None:
    """Return the new text; None where it would not be read back as the old one with ``measured`` in it."""
    wanted = tomllib.loads(old)
    for name, values in measured.items():
        if not isinstance(table := wanted.get(name, {}), dict):
            return None
        wanted[name] = {**table, **values}
    new = with_values(old, measured)
    return new if tomllib.loads(new) == wanted else None


def _apart(table: Table) -> list[Comment | Whitespace]:
    """Take what a blank line keeps apart behind the table's last key out of it, and return it.

    There may stand tables that are commented out, which a key behind them would fall into.
    """
    body = table.value.body
    below: list[Comment | Whitespace] = []
    while body and isinstance(item := body[-1][1], Comment | Whitespace):
        below.insert(0, item)
        body.pop()
    while below and isinstance(below[0], Comment):
        body.append((None, below.pop(0)))
    return below
