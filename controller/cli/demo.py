"""``nardy-referee demo``: a match at the virtual table, refereed by the real service."""

import json
import shutil
import signal
import sys
import tempfile
import termios
import threading
from contextlib import ExitStack
from pathlib import Path

import click
from click.core import ParameterSource

from controller.adapters.mqtt.feed_publisher import FeedPublisher
from controller.adapters.outlets import Outlets
from controller.cli.compose import JOURNAL_FILE, TABLE_FILE, Demonstration, virtual_camera
from controller.cli.demo_report import Progress, figures, report
from controller.locale import Lang, plain, text
from controller.rules import presets
from controller.service.inbox import Inbox
from controller.settings import BoardSettings, FeedSettings, PageSettings, Settings
from controller.simulator.account import account
from controller.simulator.plan import QUICK, Tempo
from controller.simulator.tablefile import Header, agreed
from controller.simulator.truth import compare
from firmware_bridge.emulator import missing, virtual_board

DIFFERENT = 1
"""Exit code when the referee's record is not what was played."""

OPTIONS = {"name": "ruleset", "seed": "seed", "games": "games", "faults": "faults"}
"""The command's parameters that are agreed when the players sit down, by their names at the table."""


def command(lang: Lang) -> click.Command:
    """Return the subcommand in one language."""

    @click.command("demo", help=text(lang, "cli.demo.about"))
    @click.option(
        "--ruleset", "name", default="long-fnr", show_default=True, type=click.Choice(list(presets())),
        help=text(lang, "cli.ruleset"),
    )  # fmt: skip
    @click.option("--headless", is_flag=True, help=text(lang, "cli.demo.headless"))
    @click.option("--games", type=click.IntRange(1), default=1, show_default=True, help=text(lang, "cli.demo.games"))
    @click.option("--seed", type=int, default=1, show_default=True, help=text(lang, "cli.demo.seed"))
    @click.option(
        "--speed", type=click.FloatRange(0.1, 50), default=1.0, show_default=True, help=text(lang, "cli.demo.speed")
    )
    @click.option("--faults", is_flag=True, help=text(lang, "cli.demo.faults"))
    @click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help=text(lang, "cli.demo.folder"))
    @click.option("--host", default="127.0.0.1", show_default=True, help=text(lang, "cli.demo.host"))
    @click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help=text(lang, "cli.port"))
    @click.option("--json", "as_json", is_flag=True, help=text(lang, "cli.demo.json"))
    @click.pass_context
    def demo(
        ctx: click.Context,
        name: str,
        headless: bool,
        games: int,
        seed: int,
        speed: float,
        faults: bool,
        folder: Path | None,
        host: str,
        port: int,
        as_json: bool,
    ) -> None:
        asked = Header(ruleset=name, seed=seed, games=games, faults=faults)
        table = _agreed(lang, ctx, asked, folder) if folder else asked
        told_to_stop: list[int] = []
        lacking = missing()
        key = "cli.demo.stand_in" if lacking else "cli.demo.firmware"
        click.echo(text(lang, key, why=lacking))
        home = folder or Path(tempfile.mkdtemp(prefix="nardy-referee-"))
        with ExitStack() as stack:
            kept = folder is not None
            ended = threading.Event()

            @stack.callback
            def clear_away() -> None:
                if not kept:
                    shutil.rmtree(home, ignore_errors=True)

            def over(failure: Exception | None) -> None:
                """Show how it ended, and wait for somebody who has seen it; the pages stay meanwhile."""
                ended.set()
                if failure is not None:
                    click.echo(text(lang, "cli.demo.failed", why=plain(failure, lang)), err=True)
                report(lang, show.state, show.truth(), home / JOURNAL_FILE)
                _say_where(lang, home)
                click.echo(text(lang, "cli.demo.to_end"))
                threading.Thread(target=_await_enter, args=(show.inbox,), name="enter", daemon=True).start()

            show = stack.enter_context(
                Demonstration(
                    home,
                    table.ruleset,
                    virtual_camera,
                    seed=table.seed,
                    games=table.games,
                    faults=table.faults,
                    tempo=QUICK if headless else Tempo(),
                    speed=None if headless else speed,
                    build=virtual_board,
                    players=(text(lang, "cli.demo.white"), text(lang, "cli.demo.black")),
                    over=None if headless else over,
                )
            )
            for ending in (signal.SIGTERM, signal.SIGINT):
                signal.signal(ending, lambda number, _frame: _stop(show.inbox, told_to_stop, number))
            settings = Settings(
                language=lang.value,
                board=BoardSettings(id="demo"),
                # Headless runs may be many at once, and nobody looks for their broker.
                feed=FeedSettings(port=0, websocket_port=0),
                pages=PageSettings(host=host, port=0 if headless else port),
            )
            outlets = stack.enter_context(
                Outlets(settings, home, show.evidence, inbox=show.inbox, now_ms=show.time.now_ms)
            )
            if not headless and outlets.addresses:
                spoken = f"?lang={lang.value}" if lang is not Lang.EN or ctx.find_root().params.get("lang") else ""
                click.echo(outlets.addresses.words(lang, spoken))
            show.run(FeedPublisher(show.match_id, show.fitted, outlets.send), Progress(lang))
            kept = kept or (not headless and bool(show.state.games[0].turns))
            if told_to_stop and not ended.is_set():
                if kept:
                    _say_where(lang, home)
                raise SystemExit(128 + told_to_stop[0])
            state, truth = show.state, show.truth()
            differences = (
                report(lang, state, truth, home / JOURNAL_FILE) if headless else compare(truth.account, account(state))
            )
        if as_json:
            board = "stand-in" if lacking else "firmware"
            click.echo(json.dumps({"board": board, **figures(state, truth, differences)}))
        if differences:
            raise click.exceptions.Exit(DIFFERENT)

    return demo


def _agreed(lang: Lang, ctx: click.Context, asked: Header, folder: Path) -> Header:
    """What was agreed at the table in ``folder``, else what is asked for now: a match there goes on by itself.

    Raises ValueError where an option that was given says otherwise.
    """
    found = agreed(folder / TABLE_FILE)
    if found is None:
        return asked
    for parameter, option in OPTIONS.items():
        held, wanted = getattr(found, option), getattr(asked, option)
        if held != wanted and ctx.get_parameter_source(parameter) is not ParameterSource.DEFAULT:
            raise ValueError(text(lang, "cli.demo.another", folder=folder, option=option, held=held, wanted=wanted))
    return found


def _say_where(lang: Lang, home: Path) -> None:
    click.echo(text(lang, "cli.demo.where", folder=home, journal=home / JOURNAL_FILE))


def _await_enter(inbox: Inbox) -> None:
    """End the demo at Enter. Where nothing can be typed only a signal ends it."""
    if sys.stdin.isatty():
        # What was typed while the match went on was not meant for its end.
        termios.tcflush(sys.stdin, termios.TCIFLUSH)
    if sys.stdin.readline():
        inbox.stop()


def _stop(inbox: Inbox, told_to_stop: list[int], number: int) -> None:
    """End the match at a signal; whoever gives it again is obeyed at once."""
    told_to_stop.append(number)
    signal.signal(number, signal.SIG_DFL)
    inbox.stop()
