"""``nardy-referee doctor``: what is wrong with this board, one line each, and what to do."""

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from controller.adapters.board_lines import Rigs, rigs_of
from controller.adapters.board_view import frames_of, pose_of
from controller.doctor.examination import (
    look_at_board,
    look_at_feed,
    look_at_machine,
    look_at_pins,
    look_through_camera,
    walk_over,
)
from controller.doctor.findings import Finding, Grade, fault, note, ok
from controller.locale import Lang, plain, text
from controller.rules import Ruleset
from controller.settings import Settings, SettingsError, load
from firmware_bridge.rig import RigError

IDLE_S = 60
"""A walk ends after so long without an answer."""
SICK = 1
"""Exit code where a fault was found."""


def command(lang: Lang) -> click.Command:
    """Return the subcommand in one language."""

    @click.command("doctor", help=text(lang, "cli.doctor.about"))
    @click.option(
        "--config", type=click.Path(dir_okay=False, path_type=Path), required=True, help=text(lang, "cli.run.config")
    )
    @click.option("--walk", is_flag=True, help=text(lang, "cli.doctor.walk"))
    @click.option(
        "--idle", type=click.IntRange(min=1), default=IDLE_S, show_default=True, help=text(lang, "cli.doctor.idle")
    )
    @click.option("--json", "as_json", is_flag=True, help=text(lang, "cli.doctor.json"))
    @click.pass_context
    def doctor(context: click.Context, config: Path, walk: bool, idle: int, as_json: bool) -> None:
        def begin() -> None:
            if not as_json:
                click.echo(text(lang, "cli.doctor.walk_begins", seconds=idle))

        findings = []
        with _devices_hushed():
            for finding in walked(config, idle, begin, lang) if walk else examine(config, lang):
                findings.append(finding)
                if not as_json:
                    click.echo(_line(lang, finding))
        faults = sum(finding.grade is Grade.FAULT for finding in findings)
        if as_json:
            told = [
                {"part": one.part, "grade": one.grade.value, "key": one.key, "text": one.in_words(lang)}
                for one in findings
            ]
            click.echo(json.dumps({"faults": faults, "findings": told}, ensure_ascii=False))
        elif faults or not walk:
            click.echo(text(lang, "cli.doctor.sick", faults=faults) if faults else text(lang, "cli.doctor.well"))
        if faults:
            context.exit(SICK)

    return doctor


@contextmanager
def _devices_hushed() -> Iterator[None]:
    """Keep what the devices log to themselves, unless it was asked for: the doctor says it in better words."""
    before = logging.root.manager.disable
    if not logging.getLogger().isEnabledFor(logging.INFO):
        logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(before)


def examine(config: Path, lang: Lang) -> Iterator[Finding]:
    """Look at everything that the settings at ``config`` name, in the order in which it is put together."""
    try:
        settings = load(config, lang)
    except SettingsError as error:
        yield from (fault("settings", "settings.wrong", problem=problem) for problem in error.problems)
        return
    yield ok("settings", "settings.good", path=config)
    rules = None
    try:
        rules = settings.match.rules()
        yield ok("rules", "rules.good", ruleset=rules.name)
    except (ValueError, OSError) as error:
        yield fault("rules", "rules.wrong", why=plain(error, lang))
    if rules is not None:
        yield from _senses(settings, rules, lang)
    source = str(settings.camera.source)
    yield from look_through_camera(
        source,
        settings.camera.size,
        lambda: frames_of(settings.camera),
        lambda frame: pose_of(settings.board, frame),
    )
    yield from look_at_feed(settings.feed, settings.pages)
    yield from look_at_machine(settings.journal.path)


def walked(config: Path, idle_s: float, begin: Callable[[], None], lang: Lang) -> Iterator[Finding]:
    """Follow a walk over the board of the settings at ``config``; Ctrl-C ends it as an idle while does.

    ``begin`` is called when there is something to walk over.
    """
    try:
        settings = load(config, lang)
        rigs = rigs_of(settings, lang)
        game = settings.match.rules().game
    except SettingsError as error:
        yield from (fault("settings", "settings.wrong", problem=problem) for problem in error.problems)
        return
    except (ValueError, OSError) as error:
        yield fault("settings", "settings.wrong", problem=plain(error, lang))
        return
    rig = rigs.board or rigs.buttons
    if rig is None:
        yield note("buttons", "buttons.none")
        return
    begin()
    yield from walk_over(rig, rigs.port, game, idle_s)


def _senses(settings: Settings, rules: Ruleset, lang: Lang) -> Iterator[Finding]:
    """Look at reeds and buttons, wherever they are wired to."""
    try:
        rigs: Rigs = rigs_of(settings, lang)
    except (RigError, SettingsError) as error:
        yield fault("settings", "settings.wrong", problem=error)
        return
    if rigs.board and rigs.port:
        yield from look_at_board(rigs.board, rigs.port, rules.game)
    elif rigs.board:
        yield from look_at_pins(rigs.board, rules.game)
    if rigs.buttons:
        yield from look_at_pins(rigs.buttons, rules.game)
    if not rigs.board and not rigs.buttons:
        yield note("buttons", "buttons.none")


def _line(lang: Lang, finding: Finding) -> str:
    grade = text(lang, f"doctor.grade.{finding.grade.value}")
    part = text(lang, f"doctor.part.{finding.part}")
    return f"{grade:<9} {part:<10} {finding.in_words(lang)}"
