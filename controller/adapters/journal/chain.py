"""The hash chain over a journal's rows, and the values that speak of it."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
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
    """Every link of the chain holds, up to ``head``.

    Events cut off at the end leave a chain that holds: compare ``head`` with one noted elsewhere.
    """

    head: Head


@dataclass(frozen=True, slots=True)
class Broken:
    """The chain does not hold at ``seq``: that event is not as it was written, or one before it is gone."""

    seq: Seq
    why: str


def canonical(value: object) -> str:
    """Return JSON with sorted keys and no spaces: the same text for the same value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def link(previous: str, row: Sequence[object]) -> str:
    """Return the SHA-256, in hex, of the ``previous`` hash and one row (every column but its own hash)."""
    return hashlib.sha256(f"{previous}\n{canonical(list(row))}".encode()).hexdigest()
