"""``nardy-referee verify``: whether a journal is whole, as it was written, and can be read; so its pictures."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import click

from controller.adapters.evidence import PictureState, picture_state
from controller.adapters.journal import EMPTY, Broken, Intact, JournalReader, Unreadable, Verification, verify
from controller.locale import Lang, text
from controller.ports.entries import ENTRIES, Ruled
from controller.settings import JournalSettings

BAD_ROW = 1
"""Exit code when a row, or a picture that a ruling rests on, is not as it should be."""


Decorator = Callable[[Callable[..., None]], Callable[..., None]]


def anyway_option(lang: Lang) -> Decorator:
    """The option of commands that use a journal: to use it although rows are missing or were changed."""
    return click.option("--anyway", is_flag=True, help=text(lang, "cli.verify.anyway"))


def command(lang: Lang) -> click.Command:
    """Return the subcommand in one language."""

    @click.command("verify", help=text(lang, "cli.verify.about"))
    @click.argument("journal", type=click.Path(exists=True, dir_okay=False, path_type=Path))
    def verify_journal(journal: Path) -> None:
        found = verify(journal, ENTRIES)
        click.echo(line(lang, journal, found))
        if not isinstance(found, Intact):
            raise click.exceptions.Exit(BAD_ROW)
        folder = JournalSettings(path=journal).evidence
        pictures = Counter(picture_state(folder, name) for name in _pictures(journal))
        if pictures:
            counts = {state.value: pictures[state] for state in PictureState}
            click.echo(text(lang, "cli.verify.pictures", all=pictures.total(), **counts))
        if pictures[PictureState.CHANGED]:
            raise click.exceptions.Exit(BAD_ROW)

    return verify_journal


def _pictures(journal: Path) -> set[str]:
    """Names of the pictures that the journal's rulings rest on."""
    with JournalReader(journal, ENTRIES) as reader:
        rulings = [entry.event for entry in reader.entries() if isinstance(entry.event, Ruled)]
    whole = {name for ruled in rulings for name in ruled.pictures}
    return whole | {close_up.picture for ruled in rulings for close_up in ruled.close_ups}


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
