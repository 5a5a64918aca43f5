"""Reading a journal, also one that is being written."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Generic, Protocol, Self, TypeVar

from pydantic import TypeAdapter, ValidationError

from controller.adapters.journal.chain import (
    EMPTY,
    Broken,
    Head,
    Intact,
    RowFault,
    Seq,
    Unreadable,
    Verification,
    link,
)
from controller.adapters.journal.errors import JournalDamagedError, JournalError, JournalForeignError, explained
from controller.adapters.journal.head_note import HeadNote

APPLICATION_ID = 0x4E415244  # "NARD" in the file's header sets a journal apart from other SQLite files
SCHEMA_VERSION = 1
COLUMNS = "seq, boot, mono_ms, utc, kind, body, hash"
WAIT_S = 2.0
PAGE_ROWS = 500
HEADER_BYTES = 100


class Recordable(Protocol):
    """What the journal needs to know of an event."""

    @property
    def at(self) -> int:
        """When it happened, in monotonic milliseconds of the boot."""
        ...

    @property
    def kind(self) -> str:
        """Its name in the journal."""
        ...


EventT = TypeVar("EventT", bound=Recordable)


@dataclass(frozen=True, slots=True)
class JournalRow(Generic[EventT]):
    """One event as the journal has it."""

    seq: Seq
    boot: str
    """Which start of the machine the event's time counts from."""
    utc: datetime
    """When it was written, by the wall clock: for people, never for rulings."""
    event: EventT


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open the journal at ``path`` so that nothing can be written through it.

    Raises JournalError, with what to do, when the file is absent, foreign or damaged.
    """
    if not path.is_file():
        raise JournalError("journal_none", path=path)
    with explained(path):
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=WAIT_S, check_same_thread=False
        )
        try:
            known = is_journal(connection, path)
        except BaseException:
            connection.close()
            raise
    if not known:
        connection.close()
        not_emptied(path)
        raise JournalForeignError("journal_empty", path=path)
    return connection


class JournalReader(Generic[EventT]):
    """A journal opened to be read; a context manager.

    ``adapter`` turns JSON into events. Calls must not overlap, from whichever thread they come.
    """

    def __init__(self, path: Path, adapter: TypeAdapter[EventT], connection: sqlite3.Connection | None = None) -> None:
        """Open the journal at ``path``, or use a ``connection`` already made to it.

        Raises JournalError, with what to do, when the file is absent, foreign or damaged.
        """
        self.path = path
        self._adapter = adapter
        self._connection = open_to_read(path) if connection is None else connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; closing twice does no harm."""
        self._connection.close()

    @property
    def head(self) -> Head:
        """The last event's number (0 when there is none) and hash."""
        with explained(self.path):
            row = self._connection.execute("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1").fetchone()
        return EMPTY if row is None else Head(Seq(row[0]), row[1])

    def hash_of(self, seq: int) -> str:
        """The hash of the event with the number ``seq``: that of the first one names the match; empty where none is."""
        with explained(self.path):
            row = self._connection.execute("SELECT hash FROM event WHERE seq = ?", (seq,)).fetchone()
        return "" if row is None else str(row[0])

    def entries(self, after: int = 0) -> Iterator[JournalRow[EventT]]:
        """Yield every event with a number above ``after``, in order.

        Raises JournalDamagedError at an event that cannot be read back.
        """
        for seq, boot, _, utc, kind, body, _ in self._rows(after):
            try:
                event, written = self._read(utc, body)
            except ValueError as error:
                raise JournalDamagedError(
                    "journal_unreadable", path=self.path, seq=seq, kind=kind, why=_brief(error)
                ) from error
            yield JournalRow(Seq(seq), boot, written, event)

    def verify(self) -> Verification:
        """Recompute the whole chain, read every event, and name the first bad row.

        A break of the chain goes before an event that cannot be read.
        """
        # Noted after each commit: read before the rows, so that a writer at work is not taken for a cut.
        noted = HeadNote(self.path).read()
        head, unreadable = EMPTY, None
        first: datetime | None = None
        last: datetime | None = None
        try:
            for *row, written in self._rows(0):
                seq = Seq(head.seq + 1)
                if row[0] != seq:
                    return Broken(seq, RowFault.MISSING, str(row[0]))
                try:
                    right = link(head.hash, row)
                except (TypeError, ValueError) as error:
                    return Broken(seq, RowFault.FOREIGN, str(error))
                if written != right:
                    return Broken(seq, RowFault.CHANGED)
                head = Head(seq, written)
                _seq, _boot, _mono_ms, utc, kind, body = row
                try:
                    last = self._read(utc, str(body))[1]
                    first = first or last
                except ValueError as error:
                    unreadable = unreadable or (seq, str(kind), _brief(error))
        except JournalError as error:
            return Broken(Seq(head.seq + 1), RowFault.DAMAGED, str(error))
        if noted.seq > head.seq:
            return Broken(Seq(head.seq + 1), RowFault.CUT_OFF, str(noted.seq))
        if noted.seq and self.hash_of(noted.seq) != noted.hash:
            return Broken(noted.seq, RowFault.CHANGED)
        return Unreadable(head, *unreadable) if unreadable else Intact(head, first, last)

    def check(self) -> None:
        """Verify the journal before something is derived from it.

        Raises JournalDamagedError naming the first bad row.
        """
        found = self.verify()
        if isinstance(found, Broken):
            raise broken_journal(self.path, found)

    def _read(self, utc: object, body: str) -> tuple[EventT, datetime]:
        """Read an event and when it was written.

        Raises ValueError when this version cannot.
        """
        return self._adapter.validate_json(body), datetime.fromisoformat(str(utc))

    def _rows(self, after: int) -> Iterator[tuple[int, str, int, str, str, str, str]]:
        """Yield rows a page at a time, so that no long read keeps the write-ahead log from shrinking."""
        rows = PAGE_ROWS
        while True:
            try:
                with explained(self.path):
                    page = self._connection.execute(
                        f"SELECT {COLUMNS} FROM event WHERE seq > ? ORDER BY seq LIMIT ?",  # noqa: S608 - constant names
                        (after, rows),
                    ).fetchall()
            except JournalDamagedError:
                if rows == 1:
                    raise
                # Up to the damage every single event can still be had.
                rows = 1
                continue
            if not page:
                return
            yield from page
            after = page[-1][0]


def not_emptied(path: Path) -> None:
    """Refuse to take a file without events at ``path`` for a new journal where the traces of an earlier one lie.

    Raises JournalDamagedError naming the write-ahead log, or the note of its head, that lies beside it.
    """
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        raise JournalDamagedError("journal_emptied", path=path, beside=log.name)
    note = HeadNote(path)
    if note.read().seq:
        raise JournalDamagedError("journal_emptied", path=path, beside=note.path.name)


def broken_journal(path: Path, broken: Broken) -> JournalDamagedError:
    """Return the error that names the first bad row of the journal at ``path``, and what to do."""
    seq, why = broken.seq, broken.why
    match broken.fault:
        case RowFault.MISSING:
            return JournalDamagedError("row_missing", path=path, seq=seq, why=why)
        case RowFault.CHANGED:
            return JournalDamagedError("row_changed", path=path, seq=seq)
        case RowFault.FOREIGN:
            return JournalDamagedError("row_foreign", path=path, seq=seq, why=why)
        case RowFault.DAMAGED:
            return JournalDamagedError("row_damaged", path=path, seq=seq, why=why)
        case RowFault.CUT_OFF:
            return JournalDamagedError("row_cut_off", path=path, seq=seq, why=why)


def is_journal_file(path: Path) -> bool:
    """Whether the header of the file at ``path`` is a journal's; no lock is taken and nothing else is read."""
    try:
        with path.open("rb") as file:
            header = file.read(HEADER_BYTES)
    except OSError:
        return False
    # https://sqlite.org/fileformat.html, 1.3: the name of the format, and at byte 68 the application's number.
    return header.startswith(b"SQLite format 3\0") and header[68:72] == APPLICATION_ID.to_bytes(4, "big")


def is_journal(connection: sqlite3.Connection, path: Path) -> bool:
    """Return True for a journal of this version and False for a file with nothing in it.

    Raises JournalForeignError for anything else, JournalDamagedError for a journal without its table.
    """
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    tables = {str(row[0]) for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if application == 0 and not tables:
        return False
    if application != APPLICATION_ID:
        raise JournalForeignError("journal_foreign", path=path)
    if version != SCHEMA_VERSION:
        raise JournalForeignError("journal_format", path=path, version=version, known=SCHEMA_VERSION)
    if "event" not in tables:
        raise JournalDamagedError("journal_no_events", path=path)
    return True


def verify(path: Path, adapter: TypeAdapter[EventT]) -> Verification:
    """Check the journal at ``path``, also one that is being written: see ``JournalReader.verify``.

    Raises JournalError when there is no journal to check.
    """
    with JournalReader(path, adapter) as journal:
        return journal.verify()


def _brief(error: ValueError) -> str:
    """Return the first complaint in one line."""
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}".removeprefix(": ")
    return str(error)
