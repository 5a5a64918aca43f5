"""``nardy-referee fairness``: whether the dice of one match, or of a season, came as fair dice come."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

import click

from controller.adapters.journal import JournalReader
from controller.cli.verify import anyway_option
from controller.fairness import FACES, FairnessReport, report
from controller.locale import Lang, text
from controller.ports.entries import ENTRIES
from controller.rules import Side
from controller.service.throw_log import CountedThrow, by_set, counted_throws

SUFFIX = ".sqlite"


def command(lang: Lang) -> click.Command:
    """Return the subcommand in one language."""

    @click.command("fairness", help=text(lang, "cli.fairness.about"))
    @click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
    @click.option(
        "--by",
        type=click.Choice(["side", "player"]),
        default="side",
        show_default=True,
        help=text(lang, "cli.fairness.by"),
    )
    @click.option("--json", "as_json", is_flag=True, help=text(lang, "cli.fairness.json"))
    @anyway_option(lang)
    def fairness(paths: tuple[Path, ...], by: str, as_json: bool, anyway: bool) -> None:
        sides = {side: text(lang, f"cli.side.{side.value}") for side in Side}
        sets = by_set(_season(lang, paths, anyway=anyway), sides if by == "side" else None)
        found = report(sets)
        for line in _lines(lang, sets, found):
            click.echo(line)
        if as_json:
            click.echo(json.dumps(_figures(sets, found), ensure_ascii=False))

    return fairness


def _season(lang: Lang, paths: Sequence[Path], *, anyway: bool) -> list[CountedThrow]:
    """The throws of all journals in the order in which they were played.

    Raises ValueError where a folder holds no journal, and JournalError for one that is damaged, unless it is to be used
    ``anyway``.
    """
    matches: list[tuple[datetime, tuple[CountedThrow, ...]]] = []
    for path in dict.fromkeys(_journals(lang, paths)):
        with JournalReader(path, ENTRIES) as journal:
            if not anyway:
                journal.check()
            entries = list(journal.entries())
        if entries:
            matches.append((entries[0].utc, counted_throws(entry.event for entry in entries)))
    return [throw for _, throws in sorted(matches, key=lambda match: match[0]) for throw in throws]


def _journals(lang: Lang, paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = sorted(file for file in path.rglob("*") if file.suffix == SUFFIX)
        if not found:
            raise ValueError(text(lang, "cli.fairness.no_journal", path=path))
        yield from found


def _counts(throws: Sequence[tuple[int, ...]]) -> list[int]:
    faces = [face for throw in throws for face in throw]
    return [faces.count(face) for face in range(1, FACES + 1)]


def _lines(lang: Lang, sets: dict[str, Sequence[tuple[int, ...]]], found: FairnessReport) -> Iterator[str]:
    for dice, throws in sets.items():
        counts = "  ".join(f"{face}: {count}" for face, count in enumerate(_counts(throws), 1))
        yield text(lang, "cli.fairness.set", dice=dice, throws=len(throws), counts=counts)
    yield from found.sentences(lang)


def _figures(sets: dict[str, Sequence[tuple[int, ...]]], found: FairnessReport) -> dict[str, object]:
    return {
        "throws": found.throws,
        "faces": {dice: _counts(throws) for dice, throws in sets.items()},
        "tests": [asdict(outcome) | {"test": outcome.test.value} for outcome in found.outcomes],
        "unusual": [outcome.test.value for outcome in found.unusual],
    }
