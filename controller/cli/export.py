"""``nardy-referee export``: a match out of its journal, as a score sheet or in a format of other programs."""

from collections.abc import Callable, Mapping
from pathlib import Path

import click
from pydantic import TypeAdapter

from controller.adapters.journal import JournalReader
from controller.adapters.output_file import write_output
from controller.cli.fairness import SUFFIX
from controller.cli.verify import anyway_option
from controller.formats.mat import mat
from controller.formats.ogxm import ogxm_file
from controller.formats.record import MatchRecord
from controller.formats.sheet import csv_sheet, text_sheet
from controller.locale import Lang, text
from controller.ports.entries import ENTRIES
from controller.service.recording import history_of, match_record

RECORD: TypeAdapter[MatchRecord] = TypeAdapter(MatchRecord)

FORMATS: Mapping[str, Callable[[MatchRecord, Lang], bytes]] = {
    "text": lambda record, lang: text_sheet(record, lang).encode(),
    "csv": lambda record, _: csv_sheet(record).encode(),
    "mat": lambda record, _: mat(record).encode(),
    "json": lambda record, _: RECORD.dump_json(record, indent=1) + b"\n",
    "ogxm": lambda record, _: ogxm_file(record),
}

ENDINGS = {"txt": "text"}
"""Endings of file names that are not the format's own name."""


def command(lang: Lang) -> click.Command:
    """Return the subcommand in one language."""

    @click.command("export", help=text(lang, "cli.export.about"))
    @click.argument("journal", type=click.Path(exists=True, path_type=Path))
    @click.option("--format", "wanted", type=click.Choice(list(FORMATS)), help=text(lang, "cli.export.format"))
    @click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help=text(lang, "cli.export.out"))
    @click.option("--place", default="", help=text(lang, "cli.export.place"))
    @anyway_option(lang)
    def export(journal: Path, wanted: str | None, out: Path | None, place: str, anyway: bool) -> None:
        wanted = wanted or _format_of(lang, out)
        path = _one_journal(lang, journal)
        record = recorded(lang, path, place, anyway=anyway)
        written = FORMATS[wanted](record, lang)
        if out is None:
            click.echo(written, nl=False)
            return
        # Lines end as the format has them: CR LF in CSV.
        write_output(out, written, sources=[path])

    return export


def _format_of(lang: Lang, out: Path | None) -> str:
    """The format that a file's name asks for; text on the screen.

    Raises ValueError for a name that asks for none.
    """
    ending = out.suffix.removeprefix(".").lower() if out else "text"
    wanted = ENDINGS.get(ending, ending)
    if wanted in FORMATS:
        return wanted
    endings = ", ".join(f".{each}" for each in (*ENDINGS, *FORMATS) if each != "text")
    raise ValueError(text(lang, "cli.export.no_format", out=out, endings=endings))


def _one_journal(lang: Lang, path: Path) -> Path:
    """The journal at ``path``, or the only one of a folder.

    Raises ValueError where a folder has none or several.
    """
    if not path.is_dir():
        return path
    found = sorted(path.glob(f"*{SUFFIX}"))
    if len(found) == 1:
        return found[0]
    if not found:
        raise ValueError(text(lang, "cli.fairness.no_journal", path=path))
    raise ValueError(text(lang, "cli.export.several", path=path, names=", ".join(file.name for file in found)))


def recorded(lang: Lang, journal: Path, place: str, *, anyway: bool = False) -> MatchRecord:
    """The match that a journal holds, also while it is being played.

    Raises JournalError for a journal that cannot be read, or is damaged and not to be used ``anyway``, and ValueError
    for one without a match.
    """
    with JournalReader(journal, ENTRIES) as reader:
        if not anyway:
            reader.check()
        first = next(reader.entries(), None)
        found = history_of(entry.event for entry in reader.entries())
    if first is None or found is None:
        raise ValueError(text(lang, "cli.export.empty", journal=journal))
    state, history = found
    return match_record(state, lang, history=history, date=first.utc.astimezone().date().isoformat(), place=place)
