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
    @click.argument("path", type=click.Path(exists=True, path_type=Path), required=False)
    @click.option("--generated", type=click.IntRange(1), metavar="N", help=text(lang, "cli.evaluate.generated"))
    @click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help=text(lang, "cli.evaluate.seed"))
    @click.option("--json", "as_json", is_flag=True, help=text(lang, "cli.evaluate.json"))
    def evaluate(what: str, path: Path | None, generated: int | None, seed: int, as_json: bool) -> None:
        if generated is not None and (path is not None or what != "dice"):
            raise click.UsageError(text(lang, "cli.evaluate.only_dice"))
        if generated is not None:
            scores = _generated_dice(lang, generated, seed)
        elif path is not None:
            scores = JUDGES[what](path)
        else:
            raise click.UsageError(text(lang, "cli.evaluate.nothing"))
        for line in scores.lines():
            click.echo(line)
        if as_json:
            click.echo(json.dumps(scores.totals()))

    return evaluate


def _generated_dice(lang: Lang, boards: int, seed: int) -> Scores:
    try:
        from controller.evaluate import dice_generated  # noqa: PLC0415 - its generators are not in the wheel
    except ModuleNotFoundError as missing:
        if not (missing.name or "").startswith("vision.training"):
            raise
        raise click.ClickException(text(lang, "cli.evaluate.no_generators")) from missing
    first_seed = dice_generated.FIRST_SEED + seed * dice_generated.SEEDS_APART
    return dice_generated.GeneratedScores(dice_generated.evaluate_generated(boards, first_seed))
