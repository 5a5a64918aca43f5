"""A journal whose match is done makes room for the next one, and stays beside it under the time at which it began."""

from datetime import UTC, datetime
from pathlib import Path

from pydantic import TypeAdapter

from controller.adapters.journal.errors import JournalError
from controller.adapters.journal.reader import EventT
from controller.adapters.journal.writer import Journal


def archive_journal(path: Path, adapter: TypeAdapter[EventT]) -> Path:
    """Give the journal at ``path`` another name in its folder, and return that; nothing in it changes.

    Raises JournalError when another process writes or reads it, and when it cannot be renamed.
    """
    # Who opens it alone and closes it leaves one file: SQLite then folds its write-ahead log in.
    with Journal(path, adapter) as journal:
        first = next(journal.entries(), None)
    if path.with_name(f"{path.name}-wal").exists():
        raise JournalError("journal_read", path=path)
    began = (first.utc if first else datetime.now(UTC)).astimezone()
    archived = _free(path.with_name(f"{path.stem}-{began:%Y-%m-%d-%H%M}{path.suffix}"))
    try:
        path.rename(archived)
    except OSError as error:
        raise JournalError("journal_unnamed", path=path, archived=archived.name, why=error.strerror) from error
    return archived


def _free(wanted: Path) -> Path:
    """Return the name, with a number behind it where somebody has it."""
    number, free = 1, wanted
    while free.exists():
        number += 1
        free = wanted.with_stem(f"{wanted.stem}-{number}")
    return free
