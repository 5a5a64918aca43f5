"""Writes what a command was asked to write, and never over what it reads: neither its own sources nor any journal."""

import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from controller.adapters.journal import is_journal_file
from controller.locale import LocalizedError


class OutputError(LocalizedError, ValueError):
    """The file is one that may not be written over; the text says which to give instead."""


def write_output(path: Path, content: bytes, *, sources: Collection[Path] = ()) -> None:
    """Write ``content`` beside ``path`` and rename it into place, so that nobody meets half a file.

    Raises OutputError where ``path`` is one of ``sources`` or a journal, OSError where it cannot be written.
    """
    if path.exists() and any(source.exists() and path.samefile(source) for source in sources):
        raise OutputError("output_is_source", path=path)
    if is_journal_file(path):
        raise OutputError("output_is_journal", path=path)
    if path.exists() and not path.is_file():
        # A device or a pipe: nothing to rename over, and nothing that anybody could lose.
        path.write_bytes(content)
        return
    target = path.resolve()
    unfinished = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(target)
    except OSError as error:
        with suppress(OSError):
            unfinished.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from error
