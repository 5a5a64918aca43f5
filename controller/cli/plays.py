"""``nardy-referee plays``: the legal plays of a roll, and why a play is not one of them."""

from collections.abc import Iterator

import click

from controller.formats.identifiers import situation_from_xgid
from controller.formats.notation import position_from_text
from controller.locale import Lang, text
from controller.rules import (
    Game,
    Illegal,
    Play,
    Position,
    PositionError,
    Roll,
    judge,
    judge_steps,
    legal_plays,
    presets,
    ruleset,
    start,
)

LEGAL_SHOWN = 8


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
    @click.option("--after", "seen", help=text(lang, "cli.plays.after"))
    @click.option("--first-turn", is_flag=True, help=text(lang, "cli.plays.first_turn"))
    @click.option("--second-player", is_flag=True, help=text(lang, "cli.plays.second_player"))
    def plays(
        name: str, written: str, thrown: str, asked: str | None, seen: str | None, first_turn: bool, second_player: bool
    ) -> None:
        rules = ruleset(name)
        position = start(rules.game) if written == "start" else read_position(written, rules.game)
        roll = Roll.parse(thrown)
        turn = {"first_turn": first_turn or written == "start", "second_player": second_player}
        legal = legal_plays(position, roll, rules, **turn)
        if asked is None and seen is None:
            for after, play in sorted(legal.items(), key=lambda item: str(item[1])):
                click.echo(f"{play!s:<32} {after.compact()}")
            return
        if asked is not None:
            verdict = judge_steps(position, roll, Play.parse(asked), rules, **turn)
        else:
            verdict = judge(position, roll, read_position(seen or "", rules.game), rules, **turn)
        if not isinstance(verdict, Illegal):
            click.echo(text(lang, "cli.plays.legal", play=verdict.play))
            return
        for line in _explained(lang, verdict):
            click.echo(line)

    return plays


def read_position(written: str, game: Game) -> Position:
    """Read a position in any of the forms that people paste: an XGID, ``short mover 24:2 ...``, or 28 characters.

    Raises RulesError that quotes what came in.
    """
    if written.startswith("XGID="):
        return situation_from_xgid(written, game).position
    if " " not in written.strip():
        return Position.parse(written)
    named, position = position_from_text(written)
    if named is not game:
        msg = f"the ruleset plays {game.value}, the position is one of {named.value}: {written!r}"
        raise PositionError(msg)
    return position


def _explained(lang: Lang, verdict: Illegal) -> Iterator[str]:
    """Every fault in words, with its clause and source, then what would have been legal."""
    for fault in verdict.faults:
        yield f"{text(lang, f'fault.{fault.key}')}: {text(lang, fault.why, **fault.values)}"
        yield f"    {text(lang, f'rules.clause.{fault.clause}')} [{fault.source}]"
    legal = ", ".join(str(play) for play in verdict.would_be_legal[:LEGAL_SHOWN])
    yield text(lang, "cli.plays.would_be_legal", plays=legal or text(lang, "cli.plays.pass"))
