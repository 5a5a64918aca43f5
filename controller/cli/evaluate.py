"""``nardy-referee evaluate``: score the product on labelled data."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from controller.evaluate.boards import evaluate_boards
from controller.evaluate.dice import evaluate_dice
from controller.evaluate.rules import evaluate_rules
from controller.evaluate.scores import Scores
from controller.evaluate.sequences import evaluate_sequences
from controller.locale import Lang, text

JUDGES: Mapping[str, Callable[[Path], Scores]] = {
    "boards": evaluate_boards,
    "dice": evaluate_dice,
    "sequences": evaluate_sequences,
    "rules": evaluate_rules,
}


def command(lang: Lang) -> click.Command:
    """Return the subcommand in one language."""

    @click.command("evaluate", help=text(lang, "cli.evaluate.about"))
    @click.argument("what", type=click.Choice(list(JUDGES)))
    @click.argument("path", type=click.Path(exists=True, path_type=Path))
    @click.option("--json", "as_json", is_flag=True, help=text(lang, "cli.evaluate.json"))
    def evaluate(what: str, path: Path, as_json: bool) -> None:
        scores = JUDGES[what](path)
        for line in scores.lines():
            click.echo(line)
        if as_json:
            click.echo(json.dumps(scores.totals()))

    return evaluate
