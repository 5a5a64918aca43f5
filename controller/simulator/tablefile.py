"""The table's own memory: one JSON line an action, written before it shows.

The physical world outlives a crashed referee, so the virtual one has to outlive its process: after
``kill -9`` the file tells the table exactly as it lay. After a power cut it may lack the last motions of hands
(they are made again), never a throw or a press that the referee could have acted on.
"""

import os
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import BaseModel, ConfigDict, ValidationError

from controller.simulator.actions import GameEnds, LiftDice, Press, Rest, SetUp, TableEntry, read, written


class SimulatorError(ValueError):
    """The virtual table cannot be used as asked; the text says why."""


class CannotPlayError(SimulatorError):
    """The virtual players do not know the ruleset's game well enough."""


class TableFileError(SimulatorError):
    """A table file that is none, is damaged, or belongs to another table."""


RULED_ON = (SetUp, Rest, LiftDice, Press, GameEnds)
"""Actions that a referee judges or that end something."""


class Header(BaseModel):
    """The first line: what was agreed when the players sat down."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    table: int = 2
    ruleset: str
    seed: int
    games: int
    faults: bool


class TableFile:
    """Appends entries durably; knows those of earlier runs.

    Raises TableFileError when the file belongs to another table, naming both.
    """

    def __init__(self, path: Path, header: Header) -> None:
        self._path = path
        lines = path.read_bytes().split(b"\n") if path.exists() else [b""]
        # A killed process can leave half a line; it was never acted on, so it never happened.
        whole = lines[:-1]
        self.entries = _entries(path, header, whole)
        self._file = path.open("r+b" if path.exists() else "w+b")
        self._file.truncate(sum(len(line) + 1 for line in whole))
        self._file.seek(0, os.SEEK_END)
        if not whole:
            self._write(header.model_dump_json().encode(), durably=True)

    def append(self, entry: TableEntry) -> None:
        """Write ``entry``; return when the disk has it if a referee could act on it, else when the system has it."""
        self._write(written(entry), durably=isinstance(entry.action, RULED_ON))
        self.entries.append(entry)

    def close(self) -> None:
        """Close the file; it stays as it is."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, line: bytes, *, durably: bool) -> None:
        self._file.write(line + b"\n")
        self._file.flush()
        if durably:
            os.fsync(self._file.fileno())


def agreed(path: Path) -> Header | None:
    """Return what was agreed at the table of this file; None where there is no file, or nothing in it yet.

    Raises TableFileError when it is no table file.
    """
    first, end, _ = path.read_bytes().partition(b"\n") if path.exists() else (b"", b"", b"")
    return _header(path, first) if end else None


def read_entries(path: Path) -> tuple[Header, list[TableEntry]]:
    """Return what a table file holds.

    Raises TableFileError when it is none.
    """
    lines = path.read_bytes().split(b"\n")[:-1]
    if not lines:
        msg = f"{path} is empty, not a table file"
        raise TableFileError(msg)
    header = _header(path, lines[0])
    return header, _entries(path, header, lines)


def _header(path: Path, line: bytes) -> Header:
    try:
        return Header.model_validate_json(line)
    except ValidationError as wrong:
        msg = f"{path} is not a table file: its first line is {line[:80]!r}"
        raise TableFileError(msg) from wrong


def _entries(path: Path, header: Header, lines: list[bytes]) -> list[TableEntry]:
    if not lines:
        return []
    found = _header(path, lines[0])
    if found != header:
        msg = f"{path} belongs to another table ({found}), not to {header}"
        raise TableFileError(msg)
    try:
        return [read(line) for line in lines[1:]]
    except ValidationError as wrong:
        msg = f"{path} is damaged: {wrong.errors()[0]['msg']}"
        raise TableFileError(msg) from wrong
