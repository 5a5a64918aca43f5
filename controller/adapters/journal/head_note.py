"""The journal's head, noted in a small file beside it: rows that are missing at the end are missed.

A hash chain cannot show that its end was cut off, and SQLite drops what it cannot read of its write-ahead log without a
word. The note is written after each commit, so it is never ahead of a journal that is whole. It has two places that are
written in turn, in place: nothing is allocated, so a full disk takes it too, and a write that a power cut tears leaves
the one before.
"""

import hashlib
import logging
import os
from pathlib import Path

from controller.adapters.journal.chain import EMPTY, Head, Seq

logger = logging.getLogger(__name__)

PLACE_BYTES = 128
PLACES = 2
CHECK_DIGITS = 16


class HeadNote:
    """The note beside the journal at ``journal``; only the process that holds that one's lock may write it."""

    def __init__(self, journal: Path) -> None:
        self.path = journal.with_name(f"{journal.name}.head")
        self._next = 0
        self._fails = False

    def read(self) -> Head:
        """Return the head that was noted last; EMPTY where there is no note that can be read."""
        try:
            content = self.path.read_bytes()
        except OSError:
            return EMPTY
        found = [(_parsed(content[at : at + PLACE_BYTES]), at) for at in range(0, PLACES * PLACE_BYTES, PLACE_BYTES)]
        head, at = max(found, key=lambda one: one[0].seq)
        self._next = (at // PLACE_BYTES + 1) % PLACES
        return head

    def write(self, head: Head) -> None:
        """Note ``head``. A note that cannot be written is no reason to stop: the log says so once."""
        self._write(_place(head), self._next * PLACE_BYTES)
        self._next = (self._next + 1) % PLACES

    def begin(self, head: Head) -> None:
        """Note ``head`` in both places, whatever was noted before."""
        self._write(_place(head) * PLACES, 0)

    def _write(self, content: bytes, at: int) -> None:
        try:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.pwrite(handle, content, at)
            finally:
                os.close(handle)
        except OSError as error:
            if not self._fails:
                logger.warning("the journal's head cannot be noted in %s: %s", self.path, error.strerror)
            self._fails = True
        else:
            self._fails = False


def _place(head: Head) -> bytes:
    words = f"{head.seq} {head.hash}"
    return f"{words} {_check(words)}".ljust(PLACE_BYTES - 1).encode() + b"\n"


def _check(words: str) -> str:
    return hashlib.sha256(words.encode()).hexdigest()[:CHECK_DIGITS]


def _parsed(place: bytes) -> Head:
    """Return the head in one place; EMPTY where none is, or not a whole one."""
    words, _, check = place.decode("ascii", errors="replace").strip().rpartition(" ")
    seq, _, written = words.partition(" ")
    return Head(Seq(int(seq)), written) if words and check == _check(words) else EMPTY
