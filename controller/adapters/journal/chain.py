"""The hash chain over a journal's rows, and the values that describe it."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import NewType

Seq = NewType("Seq", int)
"""Number of an event in its journal, from 1, without gaps."""


@dataclass(frozen=True, slots=True)
class Head:
    """The last event's number and hash; a signature of these two covers the whole journal."""

    seq: Seq
    hash: str


EMPTY = Head(Seq(0), "0" * 64)
"""The head of a journal without events; its hash is what the first event is chained to."""


@dataclass(frozen=True, slots=True)
class Intact:
    """Every event is there, as it was written, and can be read, up to ``head``; written between two wall-clock times.

    Events cut off at the end together with the note of them leave a chain that holds: compare ``head`` with one noted
    elsewhere.
    """

    head: Head
    first: datetime | None = None
    last: datetime | None = None


class RowFault(Enum):
    """What is wrong with a row of the journal."""

    MISSING = "missing"
    """The row is not there although later ones are."""
    CHANGED = "changed"
    """The row or its hash is not as it was written."""
    FOREIGN = "foreign"
    """The row holds what no journal writes."""
    DAMAGED = "damaged"
    """SQLite cannot read the row from the file."""
    CUT_OFF = "cut_off"
    """The row and all later ones are not there although the note beside the journal knows of them."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The chain does not hold at ``seq``, the first bad row; ``why`` adds what the fault alone does not name."""

    seq: Seq
    fault: RowFault
    why: str = ""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The chain holds up to ``head``, but this version of the program cannot read the event ``seq``."""

    head: Head
    seq: Seq
    kind: str
    why: str


Verification = Intact | Broken | Unreadable


def canonical(value: object) -> str:
    """Return JSON with sorted keys and no spaces: the same text for the same value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def link(previous: str, row: Sequence[object]) -> str:
    """Return the SHA-256, in hex, of the ``previous`` hash and one row (every column but its own hash)."""
    return hashlib.sha256(f"{previous}\n{canonical(list(row))}".encode()).hexdigest()
