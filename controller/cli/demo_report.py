"""What the demo prints: each turn, the score sheet, and whether the record equals what was really played."""

from pathlib import Path

import click

from controller.adapters.journal import JournalReader
from controller.adapters.mqtt.texts import player_name
from controller.formats.notation import play_text
from controller.formats.sheet import text_sheet
from controller.locale import Lang, text
from controller.ports.entries import ENTRIES
from controller.ports.updates import Update
from controller.referee.state import State
from controller.service.recording import history_of, match_record
from controller.simulator.account import account
from controller.simulator.truth import Difference, Truth, compare


class Progress:
    """Prints each turn once it has been played."""

    def __init__(self, lang: Lang) -> None:
        self._lang = lang

    def publish(self, update: Update) -> None:
        """Print the turns of ``update`` that are new; the last one of a game comes with the game's end."""
        before, state = update.before, update.state
        if before is None or (before.game is state.game and before.finished is state.finished):
            return
        played = {(game.number, turn) for game in before.games for turn in game.turns}
        for game in state.games:
            for turn in game.turns:
                if (game.number, turn) in played:
                    continue
                click.echo(
                    text(
                        self._lang,
                        "cli.demo.turn",
                        game=game.number,
                        number=turn.number,
                        player=getattr(player_name(state, turn.side), self._lang.value),
                        roll=turn.roll or "-",
                        play=play_text(turn.play),
                    ),
                    err=True,
                )


def report(lang: Lang, state: State, truth: Truth, journal: Path) -> list[Difference]:
    """Print the score sheet and how the record differs from what was played; return the differences."""
    with JournalReader(journal, ENTRIES) as reader:
        recorded = history_of(entry.event for entry in reader.entries())
    click.echo(text_sheet(match_record(state, lang, history=recorded[1] if recorded else None), lang))
    differences = compare(truth.account, account(state))
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
    games, turns = len(truth.account.games), sum(len(game.turns) for game in truth.account.games)
    click.echo(text(lang, key, games=games, turns=turns, helps=len(truth.helps), differences=len(differences)))
    return differences


def figures(state: State, truth: Truth, differences: list[Difference]) -> dict[str, object]:
    """The outcome in numbers."""
    return {
        "games": len(truth.account.games),
        "turns": sum(len(game.turns) for game in truth.account.games),
        "faults": [fault.value for _, _, fault in truth.faults],
        "helps": len(truth.helps),
        "rulings": state.rulings,
        "score": list(state.score),
        "differences": len(differences),
    }
