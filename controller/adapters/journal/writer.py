"""Writing a journal: one writer, append-only, on the disk before ``append`` returns.

What SQLite is asked for and why: a write-ahead log, so that others may read while the referee writes;
``synchronous=FULL``, so that a power cut loses no event that ``append`` has returned for; triggers, so
that no tool changes history by accident. The hash chain is for changes on purpose.
"""

import fcntl
import logging
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO
from uuid import uuid4

from pydantic import TypeAdapter

from controller.adapters.journal.chain import Broken, Head, RowFault, Seq, canonical, link
from controller.adapters.journal.errors import (
    JournalError,
    JournalForeignError,
    JournalLockedError,
    explained,
)
from controller.adapters.journal.head_note import HeadNote
from controller.adapters.journal.reader import (
    APPLICATION_ID,
    COLUMNS,
    SCHEMA_VERSION,
    WAIT_S,
    EventT,
    JournalReader,
    broken_journal,
    is_journal,
    not_emptied,
)

logger = logging.getLogger(__name__)

OWNER_ONLY = 0o600
LOG_PAGES = 64
"""So many pages the write-ahead log may grow before it is folded into the file: about those of one turn."""
BOOT_ID_FILE = Path("/proc/sys/kernel/random/boot_id")

_SCHEMA = (
    """CREATE TABLE event (
        seq INTEGER PRIMARY KEY,
        boot TEXT NOT NULL,
        mono_ms INTEGER NOT NULL,
        utc TEXT NOT NULL,
        kind TEXT NOT NULL,
        body TEXT NOT NULL,
        hash TEXT NOT NULL
    )""",
    """CREATE TRIGGER event_no_update BEFORE UPDATE ON event
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only: a correction is a new event'); END""",
    """CREATE TRIGGER event_no_delete BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only: a correction is a new event'); END""",
    # Also what stops INSERT OR REPLACE, which fires no delete trigger.
    """CREATE TRIGGER event_no_gap BEFORE INSERT ON event
    WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM event)
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only: the next event follows the last one'); END""",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)


def boot_id() -> str:
    """Return a name of this start of the machine; a fresh one each time where the system has none."""
    try:
        return BOOT_ID_FILE.read_text("ascii").strip()
    except OSError:
        return str(uuid4())


def utc_now() -> datetime:
    """Return the wall-clock time."""
    return datetime.now(UTC)


def open_to_write(path: Path) -> sqlite3.Connection:
    """Open ``path`` with the standard library's SQLite; statements outside a BEGIN commit at once."""
    # One thread writes, though not always the one that opened the file.
    return sqlite3.connect(path, isolation_level=None, timeout=WAIT_S, check_same_thread=False)


class Journal(JournalReader[EventT]):
    """A journal opened to be written, by no other process at the same time; a context manager.

    ``boot`` names the start of the machine that event times count from. With ``anyway`` rows that are missing at the
    end are given up.
    """

    def __init__(
        self,
        path: Path,
        adapter: TypeAdapter[EventT],
        *,
        boot: str | None = None,
        now: Callable[[], datetime] = utc_now,
        open_database: Callable[[Path], sqlite3.Connection] = open_to_write,
        anyway: bool = False,
    ) -> None:
        """Open the journal at ``path``, making it and its folder when absent.

        Raises JournalError, with what to do, when the file is locked, foreign, damaged, cut off or unwritable.
        """
        if path.is_dir():
            raise JournalForeignError("journal_folder", path=path)
        self._boot = boot if boot is not None else boot_id()
        self._now = now
        self._locks = ExitStack()
        self._locks.enter_context(_locked(path))
        self._note = HeadNote(path)
        try:
            noted = self._note.read()
            if not path.exists() or not path.stat().st_size:
                # Before SQLite opens it, which drops a log that belongs to no file.
                not_emptied(path)
            # The lock file can be deleted; the journal itself is locked too.
            self._locks.callback(os.close, _locked_file(path))
            with explained(path):
                connection = open_database(path)
                try:
                    _prepare(connection, path)
                    super().__init__(path, adapter, connection)
                    self._head = super().head
                    self._compare(noted, anyway=anyway)
                except BaseException:
                    connection.close()
                    raise
        except BaseException:
            self._locks.close()
            raise
        logger.info("journal %s open at event %d", path, self._head.seq)

    def close(self) -> None:
        """Close the file and let others write it; closing twice does no harm."""
        super().close()
        self._locks.close()

    @property
    def head(self) -> Head:
        """The last event's number (0 when there is none) and hash."""
        return self._head

    def append(self, events: Sequence[EventT]) -> Head:
        """Write ``events`` in order, all or none, and return the new head once they are on the disk.

        Raises JournalError when they could not be written; the journal is then as it was before.
        """
        if not events:
            return self._head
        utc = self._now().isoformat(timespec="milliseconds")
        head = self._head
        rows: list[tuple[object, ...]] = []
        for event in events:
            body = canonical(self._adapter.dump_python(event, mode="json"))
            row = (head.seq + 1, self._boot, int(event.at), utc, event.kind, body)
            head = Head(Seq(head.seq + 1), link(head.hash, row))
            rows.append((*row, head.hash))
        with explained(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.executemany(f"INSERT INTO event ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", rows)  # noqa: S608 - constant names
                self._connection.execute("COMMIT")
            except BaseException:
                # A full disk has SQLite roll back by itself.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        self._head = head
        self._note.write(head)
        return head

    def _compare(self, noted: Head, *, anyway: bool) -> None:
        """Miss what is ``noted`` and not there; with ``anyway`` give it up and note what is left.

        Raises JournalDamagedError with what is missing.
        """
        if noted.seq and self.hash_of(noted.seq) != noted.hash:
            if not anyway:
                cut = Broken(Seq(self._head.seq + 1), RowFault.CUT_OFF, str(noted.seq))
                raise broken_journal(
                    self.path, cut if noted.seq > self._head.seq else Broken(noted.seq, RowFault.CHANGED)
                )
            logger.warning("journal %s: goes on at event %d; %d were noted", self.path, self._head.seq, noted.seq)
        self._note.begin(self._head)


def _locked_file(path: Path) -> int:
    """Make the journal's file, readable by its owner only, and lock it; return the handle that holds the lock.

    Raises JournalLockedError when another process holds it, JournalError when it may not be opened.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY)
    except OSError as error:
        raise JournalError("journal_permission", path=path, why=error.strerror) from error
    try:
        # SQLite's own locks are of another kind (fcntl) and do not meet this one.
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise JournalLockedError("journal_held", path=path, holder="unknown") from None
    return handle


def _locked(path: Path) -> TextIO:
    """Make the journal's folder and take the lock file beside it, which falls with the process.

    Raises JournalLockedError when another process holds it, JournalError when it cannot be made.
    """
    lock_path = path.with_name(f"{path.name}.lock")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.fdopen(os.open(lock_path, os.O_RDWR | os.O_CREAT | os.O_APPEND, OWNER_ONLY), "a+", encoding="ascii")
    except OSError as error:
        raise JournalError("journal_beside", path=path, why=error.strerror) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        lock.close()
        raise JournalLockedError("journal_held", path=path, holder=holder) from None
    lock.truncate(0)
    lock.write(f"{os.getpid()}\n")
    lock.flush()
    return lock


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Make a new file a journal, and have SQLite write it the durable way."""
    known = is_journal(connection, path)
    if not known and HeadNote(path).read().seq:
        not_emptied(path)
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        raise JournalError("journal_no_wal", path=path)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
    if not known:
        connection.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA:
            connection.execute(statement)
        connection.execute("COMMIT")


def archive_journal(path: Path, adapter: TypeAdapter[EventT], *, anyway: bool = False) -> Path:
    """Give the journal at ``path`` another name in its folder, and return that; nothing in it changes.

    Raises JournalError when another process writes or reads it, and when it cannot be renamed.
    """
    # Who opens it alone and closes it leaves one file: SQLite then folds its write-ahead log in.
    with Journal(path, adapter, anyway=anyway) as journal:
        first = next(journal.entries(), None)
    if path.with_name(f"{path.name}-wal").exists():
        raise JournalError("journal_read", path=path)
    began = (first.utc if first else datetime.now(UTC)).astimezone()
    archived = _free(path.with_name(f"{path.stem}-{began:%Y-%m-%d-%H%M}{path.suffix}"))
    note = HeadNote(path).path
    try:
        # The note first: a journal without one is read as it is, a note without its journal is a journal that is lost.
        if note.exists():
            note.rename(HeadNote(archived).path)
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
