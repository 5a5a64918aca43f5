"""What can go wrong with a journal, each with what to do about it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.locale import LocalizedError


class JournalError(LocalizedError, OSError):
    """The journal cannot be used; the message says what to do."""


class JournalLockedError(JournalError):
    """Another process writes this journal."""


class JournalForeignError(JournalError):
    """The file is no journal of this program, or one of a newer version."""


class JournalDamagedError(JournalError):
    """The file is a journal whose contents cannot be trusted."""


class JournalFullError(JournalError):
    """The disk took no more; nothing of the last append was written."""


CAUSES: dict[int, tuple[type[JournalError], str]] = {
    sqlite3.SQLITE_BUSY: (JournalLockedError, "journal_busy"),
    sqlite3.SQLITE_LOCKED: (JournalLockedError, "journal_busy"),
    sqlite3.SQLITE_CONSTRAINT: (JournalLockedError, "journal_changed"),
    sqlite3.SQLITE_NOTADB: (JournalForeignError, "journal_no_journal"),
    sqlite3.SQLITE_CORRUPT: (JournalDamagedError, "journal_damaged"),
    sqlite3.SQLITE_FULL: (JournalFullError, "journal_full"),
    sqlite3.SQLITE_IOERR: (JournalFullError, "journal_io"),
    sqlite3.SQLITE_READONLY: (JournalError, "journal_readonly"),
    sqlite3.SQLITE_PERM: (JournalError, "journal_permission"),
    sqlite3.SQLITE_CANTOPEN: (JournalError, "journal_closed"),
}
"""What to raise for SQLite's primary result codes, with the key of the words."""


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn SQLite's errors about ``path`` into JournalError; mistakes of the program pass as they are."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        # The low byte is the kind, the rest says where in SQLite it arose.
        cause = CAUSES.get(code & 0xFF) if isinstance(code, int) else None
        if str(error).startswith("Could not decode to UTF-8"):
            # Python's own complaint about a text that SQLite took for one; it carries no code.
            cause = CAUSES[sqlite3.SQLITE_CORRUPT]
        if cause is None:
            raise
        kind, key = cause
        raise kind(key, path=path, why=error) from error
