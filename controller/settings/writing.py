"""Writes measured values into a settings file, and leaves everything else in it as its owner wrote it."""

import json
import os
import re
import shutil
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from controller.locale import Lang, text
from controller.settings.problems import SettingsError

Measured = Mapping[str, Mapping[str, object]]
"""New values by table and key: texts, numbers and arrays of them, which TOML writes as JSON does."""

HEADER = re.compile(r"\s*\[\[?[^\[\],]+\]\]?\s*(#.*)?")


def write_settings(path: Path, measured: Measured, lang: Lang = Lang.EN) -> None:
    """Put ``measured`` into the settings file at ``path``; comments and all other keys stay.

    Raises SettingsError with the lines to write by hand where the file is laid out in a way that cannot be kept, or
    may not be written.
    """
    old = path.read_text("utf-8")
    tree = tomllib.loads(old)
    for table, values in measured.items():
        tree[table] = {**tree.get(table, {}), **values}
    try:
        new = with_values(old, measured)
        kept = tomllib.loads(new) == tree
    except tomllib.TOMLDecodeError:
        new, kept = old, False
    if not kept:
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
        lines += [f"[{table}]", *(f"{key} = {_toml(value)}" for key, value in values.items())]
    return lines


def with_values(text: str, measured: Measured) -> str:
    """Return the settings ``text`` with ``measured`` in place of what these keys had."""
    lines = text.splitlines()
    for table, values in measured.items():
        for key, value in values.items():
            _put(lines, table, key, f"{key} = {_toml(value)}")
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    """Return a text, a number or an array of them as TOML writes it."""
    return json.dumps(value, ensure_ascii=False)


def _put(lines: list[str], table: str, key: str, line: str) -> None:
    """Replace the key's line or lines in its table, or add the line after the table's last one."""
    headers = [number for number, said in enumerate(lines) if HEADER.fullmatch(said)]
    begin = next((number for number in headers if re.match(rf"\s*\[\s*{table}\s*\]", lines[number])), None)
    if begin is None:
        lines += ["", f"[{table}]", line]
        return
    end = next((number for number in headers if number > begin), len(lines))
    for number in range(begin + 1, end):
        if re.match(rf"\s*{key}\s*=", lines[number]):
            after = _ends(lines, number, end)
            lines[number:after] = [line + _comment(lines[number]) if after == number + 1 else line]
            return
    said = [
        number for number in range(begin, end) if lines[number].strip() and not lines[number].lstrip().startswith("#")
    ]
    sample = [number for number in range(begin, end) if re.match(rf"\s*#\s*{key}\s*=", lines[number])]
    lines.insert((sample or said)[-1] + 1, line)


def _ends(lines: list[str], begin: int, end: int) -> int:
    """Return the line after the value that begins in line ``begin``; an array may go over several."""
    for after in range(begin + 1, end + 1):
        with suppress(tomllib.TOMLDecodeError):
            tomllib.loads("\n".join(lines[begin:after]))
            return after
    return begin + 1


def _comment(line: str) -> str:
    """Return the comment that ends a line, with the blanks before it."""
    value = tomllib.loads(line)
    for found in re.finditer(r"\s*#", line):
        with suppress(tomllib.TOMLDecodeError):
            if tomllib.loads(line[: found.start()]) == value:
                return line[found.start() :]
    return ""
