"""The journal: every event of the referee in one SQLite file, append-only, chained by hashes, durable before effects.

The file is the truth; state, pages and exports derive from it. Pictures lie in a folder beside it.
"""

from controller.adapters.journal.chain import EMPTY, Broken, Head, Intact, RowFault, Seq, Unreadable, Verification
from controller.adapters.journal.errors import (
    JournalDamagedError,
    JournalError,
    JournalForeignError,
    JournalFullError,
    JournalLockedError,
)
from controller.adapters.journal.reader import JournalReader, JournalRow, Recordable, is_journal_file, verify
from controller.adapters.journal.writer import Journal, archive_journal, boot_id

__all__ = [
    "EMPTY",
    "Broken",
    "Head",
    "Intact",
    "Journal",
    "JournalDamagedError",
    "JournalError",
    "JournalForeignError",
    "JournalFullError",
    "JournalLockedError",
    "JournalReader",
    "JournalRow",
    "Recordable",
    "RowFault",
    "Seq",
    "Unreadable",
    "Verification",
    "archive_journal",
    "boot_id",
    "is_journal_file",
    "verify",
]
