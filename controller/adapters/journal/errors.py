"""What can go wrong with a journal, each with what to do about it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.locale import SpokenError


class JournalError(SpokenError, OSError):
    """The journal cannot be used; the message says what to do."""


class JournalLockedError(JournalError):
    """Another process writes this journal."""


class JournalForeignError(JournalError):
    """The file is no journal of this program, or one of a newer version."""


class JournalDamagedError(JournalError):
    """The file is a journal whose contents cannot be trusted."""


class JournalFullError(JournalError):
    """The disk took no more; nothing of the last append was written."""


_CAUSES: dict[int, tuple[type[JournalError], str]] = {
    sqlite3.SQLITE_BUSY: (JournalLockedError, "is in use by another process: close that process, or set another path"),
    sqlite3.SQLITE_LOCKED: (
        JournalLockedError,
        "is in use by another process: close that process, or set another path",
    ),
    sqlite3.SQLITE_CONSTRAINT: (
        JournalLockedError,
        "was written to by another program meanwhile: close that program and start the referee again",
    ),
    sqlite3.SQLITE_NOTADB: (
        JournalForeignError,
        "is not a journal, or its first page is damaged: move the file away, or set another path",
    ),
    sqlite3.SQLITE_CORRUPT: (
        JournalDamagedError,
        "is damaged: keep a copy of it, save what can be read with sqlite3's .recover, and start a new one",
    ),
    sqlite3.SQLITE_FULL: (
        JournalFullError,
        "does not fit on the disk any more: make room; nothing of the last events was written by halves",
    ),
    sqlite3.SQLITE_IOERR: (
        JournalFullError,
        "could not be written: check the disk and its free space; nothing of the last events was written by halves",
    ),
    sqlite3.SQLITE_READONLY: (JournalError, "may only be read: give this user the right to write it and its folder"),
    sqlite3.SQLITE_PERM: (JournalError, "may not be opened: give this user the right to read and write it"),
    sqlite3.SQLITE_CANTOPEN: (
        JournalError,
        "cannot be opened: check that its folder exists and that this user may write in it",
    ),
}


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn SQLite's errors about ``path`` into JournalError; mistakes of the program pass as they are."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        # The low byte is the kind, the rest says where in SQLite it arose.
        cause = _CAUSES.get(code & 0xFF) if isinstance(code, int) else None
        if cause is None:
            raise
        kind, advice = cause
        msg = f"the journal {{path}} {advice} (SQLite: {{why}})"
        raise kind(msg, path=path, why=error) from error
