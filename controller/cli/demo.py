"""``nardy-referee demo``: a match at the virtual table, refereed by the real service."""

import json
import signal
import tempfile
from contextlib import ExitStack
from pathlib import Path

import click

from controller.adapters.mqtt.feed_publisher import FeedPublisher
from controller.adapters.mqtt.texts import player_name
from controller.adapters.outlets import Outlets
from controller.cli.compose import Demonstration, virtual_camera
from controller.formats.notation import play_text
from controller.formats.sheet import text_sheet
from controller.locale import Lang, text
from controller.ports.updates import Update
from controller.referee.state import State
from controller.rules import presets
from controller.service.inbox import Inbox
from controller.service.recording import match_record
from controller.settings import BoardSettings, FeedSettings, PageSettings, Settings
from controller.simulator.account import account
from controller.simulator.plan import QUICK, Tempo
from controller.simulator.truth import Difference, Truth, compare
from firmware_bridge.emulator import missing, virtual_board

DIFFERENT = 1
"""Exit code when the referee's record is not what was played."""


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
    def demo(
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
        told_to_stop: list[int] = []
        lacking = missing()
        key = "cli.demo.stand_in" if lacking else "cli.demo.firmware"
        click.echo(text(lang, key, why=lacking))
        with ExitStack() as stack:
            home = folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="nardy-referee-")))
            show = stack.enter_context(
                Demonstration(
                    home,
                    name,
                    virtual_camera,
                    seed=seed,
                    games=games,
                    faults=faults,
                    tempo=QUICK if headless else Tempo(),
                    speed=None if headless else speed,
                    build=virtual_board,
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
                at = outlets.addresses
                click.echo(text(lang, "cli.demo.look", display=at.display, arbiter=at.arbiter, pin=at.pin))
            show.run(FeedPublisher(show.match_id, show.fitted, outlets.send), Progress(lang))
            if told_to_stop:
                raise SystemExit(128 + told_to_stop[0])
            state, truth = show.state, show.truth()
        differences = compare(truth.account, account(state))
        click.echo(text_sheet(match_record(state, lang), lang))
        _report(lang, truth, differences)
        if as_json:
            board = "stand-in" if lacking else "firmware"
            click.echo(json.dumps({"board": board, **_figures(state, truth, differences)}))
        if differences:
            raise click.exceptions.Exit(DIFFERENT)

    return demo


def _stop(inbox: Inbox, told_to_stop: list[int], number: int) -> None:
    """End the match at a signal; whoever gives it again is obeyed at once."""
    told_to_stop.append(number)
    signal.signal(number, signal.SIG_DFL)
    inbox.stop()


class Progress:
    """Prints each turn once it has been played."""

    def __init__(self, lang: Lang) -> None:
        self._lang = lang

    def publish(self, update: Update) -> None:
        """Print the last turn of ``update`` when it is new."""
        state, turn = update.state, update.state.game.turns[-1] if update.state.game.turns else None
        if turn is None or update.before is None or update.before.game.turns == state.game.turns:
            return
        click.echo(
            text(
                self._lang,
                "cli.demo.turn",
                game=state.game.number,
                number=turn.number,
                player=getattr(player_name(state, turn.side), self._lang.value),
                roll=turn.roll or "-",
                play=play_text(turn.play),
            ),
            err=True,
        )


def _report(lang: Lang, truth: Truth, differences: list[Difference]) -> None:
    turns = sum(len(game.turns) for game in truth.account.games)
    for game, number, fault in truth.faults:
        what = text(lang, f"cli.demo.on_purpose.{fault.value}")
        click.echo(text(lang, "cli.demo.fault", game=game, number=number, fault=what))
    for found in differences:
        click.echo(
            text(
                lang,
                "cli.demo.difference",
                game=found.game,
                number=found.turn,
                what=found.what,
                played=found.played,
                recorded=found.recorded,
            )
        )
    key = "cli.demo.differs" if differences else "cli.demo.same"
    click.echo(
        text(
            lang, key, games=len(truth.account.games), turns=turns, helps=len(truth.helps), differences=len(differences)
        )
    )


def _figures(state: State, truth: Truth, differences: list[Difference]) -> dict[str, object]:
    return {
        "games": len(truth.account.games),
        "turns": sum(len(game.turns) for game in truth.account.games),
        "faults": [fault.value for _, _, fault in truth.faults],
        "helps": len(truth.helps),
        "rulings": state.rulings,
        "score": list(state.score),
        "differences": len(differences),
    }
