"""``nardy-referee plays``: the legal plays of a roll, and why a play is not one of them."""

import click

from controller.locale import Lang, text
from controller.rules import Illegal, Play, Position, Roll, judge_steps, legal_plays, presets, ruleset, start


def command(lang: Lang) -> click.Command:
    """Return the subcommand in one language."""

    @click.command("plays", help=text(lang, "cli.plays.about"))
    @click.option(
        "--ruleset", "name", default="short-wbgf", show_default=True, type=click.Choice(list(presets())),
        help=text(lang, "cli.ruleset"),
    )  # fmt: skip
    @click.option("--position", "written", default="start", show_default=True, help=text(lang, "cli.plays.position"))
    @click.option("--roll", "thrown", required=True, help=text(lang, "cli.plays.roll"))
    @click.option("--why", "asked", help=text(lang, "cli.plays.why"))
    @click.option("--first-turn", is_flag=True, help=text(lang, "cli.plays.first_turn"))
    @click.option("--second-player", is_flag=True, help=text(lang, "cli.plays.second_player"))
    def plays(name: str, written: str, thrown: str, asked: str | None, first_turn: bool, second_player: bool) -> None:  # noqa: FBT001
        rules = ruleset(name)
        position = start(rules.game) if written == "start" else Position.parse(written)
        roll = Roll.parse(thrown)
        turn = {"first_turn": first_turn or written == "start", "second_player": second_player}
        legal = legal_plays(position, roll, rules, **turn)
        if asked is None:
            for after, play in sorted(legal.items(), key=lambda item: str(item[1])):
                click.echo(f"{play!s:<32} {after.compact()}")
            return
        verdict = judge_steps(position, roll, Play.parse(asked), rules, **turn)
        click.echo(text(lang, "cli.plays.legal", play=asked) if not isinstance(verdict, Illegal) else asked)
        if isinstance(verdict, Illegal):
            for line in verdict.explained(lang.value):
                click.echo(f"  {line}")

    return plays
