"""A writing process for the crash tests: appends until it is killed or the disk is full, and says what is safe.

Prints the number of the last event each time ``append`` has returned, ``full`` when the disk took no more.
Started as ``python journal_under_fire.py PATH [MOST_BYTES_A_FILE]``.
"""

import resource
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from controller.adapters.journal import Intact, Journal, JournalFullError, JournalReader


@dataclass(frozen=True, slots=True)
class Note:
    """An event whose words tell which number it has to have."""

    at: int
    words: str
    kind: Literal["note"] = "note"


NOTES: TypeAdapter[Note] = TypeAdapter(Note)


def say(word: object) -> None:
    """Print ``word`` at once: what is said counts as promised."""
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def batch(seq: int) -> list[Note]:
    """Return the events from number ``seq`` on that are written together, of very different sizes."""
    return [Note(number, f"{number} " + "x" * (number * 37 % 3000)) for number in range(seq, seq + 1 + seq % 3)]


def check(path: Path, promised: int) -> None:
    """Assert that the journal at ``path`` is whole and holds ``promised`` events or more, each the one it should be."""
    with JournalReader(path, NOTES) as reader:
        verdict = reader.verify()
        assert isinstance(verdict, Intact), verdict
        assert verdict.head.seq >= promised
        assert [entry.event.words.split()[0] for entry in reader.entries()] == [
            str(number) for number in range(1, verdict.head.seq + 1)
        ]


def main(path: Path, most_bytes: int | None) -> None:
    """Append until killed; with ``most_bytes`` until no file may grow, then once more with the limit lifted."""
    with Journal(path, NOTES) as journal:
        say(journal.head.seq)
        if most_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, resource.RLIM_INFINITY))
        while True:
            try:
                say(journal.append(batch(journal.head.seq + 1)).seq)
            except JournalFullError as error:
                say(f"full: {error}")
                break
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        say(journal.append(batch(journal.head.seq + 1)).seq)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None)
