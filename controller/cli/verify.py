"""``nardy-referee verify``: whether a journal is whole, as it was written, and can be read."""

from pathlib import Path

import click

from controller.adapters.journal import EMPTY, Broken, Intact, Unreadable, Verification, verify
from controller.locale import Lang, text
from controller.ports.entries import ENTRIES

BAD_ROW = 1
"""Exit code when a row is not as it should be."""


def command(lang: Lang) -> click.Command:
    """Return the subcommand in one language."""

    @click.command("verify", help=text(lang, "cli.verify.about"))
    @click.argument("journal", type=click.Path(exists=True, dir_okay=False, path_type=Path))
    def verify_journal(journal: Path) -> None:
        found = verify(journal, ENTRIES)
        click.echo(line(lang, journal, found))
        if not isinstance(found, Intact):
            raise click.exceptions.Exit(BAD_ROW)

    return verify_journal


def line(lang: Lang, path: Path, found: Verification) -> str:
    """What was found, in one line: the summary, or the first bad row."""
    match found:
        case Intact(head=head) if head == EMPTY:
            return text(lang, "cli.verify.empty", path=path)
        case Intact(head=head, first=first, last=last):
            began, ended = (f"{at.astimezone():%Y-%m-%d %H:%M:%S}" if at else "" for at in (first, last))
            return text(lang, "cli.verify.intact", path=path, events=head.seq, began=began, ended=ended, hash=head.hash)
        case Broken(seq=seq, fault=fault, why=why):
            return text(lang, f"cli.verify.{fault.value}", path=path, seq=seq, why=why)
        case Unreadable(seq=seq, kind=kind, why=why):
            return text(lang, "cli.verify.unreadable", path=path, seq=seq, kind=kind, why=why)
