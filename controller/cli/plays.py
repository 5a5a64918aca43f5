"""``nardy-referee plays``: the legal plays of a roll, and why a play is not one of them."""

from collections.abc import Callable, Iterator

import click

from controller.formats.identifiers import position_from_id, situation_from_ids, situation_from_xgid
from controller.formats.notation import Numbering, position_from_text, read, standard, written
from controller.locale import Lang, text
from controller.rules import (
    Game,
    Illegal,
    Play,
    Position,
    PositionError,
    Roll,
    RollError,
    Side,
    judge,
    judge_steps,
    legal_plays,
    presets,
    ruleset,
    start,
)

LEGAL_SHOWN = 8
POSITION_ID_LENGTH = 14


def command(lang: Lang) -> click.Command:
    """Return the subcommand in one language."""

    @click.command("plays", help=text(lang, "cli.plays.about"))
    @click.option(
        "--ruleset", "name", default="short-wbgf", show_default=True, type=click.Choice(list(presets())),
        help=text(lang, "cli.ruleset"),
    )  # fmt: skip
    @click.option("--position", "given", default="start", show_default=True, help=text(lang, "cli.plays.position"))
    @click.option("--roll", "thrown", required=True, help=text(lang, "cli.plays.roll"))
    @click.option("--why", "asked", help=text(lang, "cli.plays.why"))
    @click.option("--after", "seen", help=text(lang, "cli.plays.after"))
    @click.option(
        "--numbering",
        "numbers",
        default=Numbering.OWN.value,
        show_default=True,
        type=click.Choice([each.value for each in Numbering]),
        help=text(lang, "cli.plays.numbering"),
    )
    @click.option(
        "--side",
        "seat",
        default=Side.WHITE.value,
        show_default=True,
        type=click.Choice([side.value for side in Side]),
        help=text(lang, "cli.plays.side"),
    )
    @click.option("--first-turn", is_flag=True, help=text(lang, "cli.plays.first_turn"))
    @click.option("--second-player", is_flag=True, help=text(lang, "cli.plays.second_player"))
    def plays(
        name: str,
        given: str,
        thrown: str,
        asked: str | None,
        seen: str | None,
        numbers: str,
        seat: str,
        first_turn: bool,
        second_player: bool,
    ) -> None:
        rules, numbering, side = ruleset(name), Numbering(numbers), Side(seat)
        position = start(rules.game) if given == "start" else read_position(given, rules.game)
        roll = _roll(lang, thrown)
        turn = {"first_turn": first_turn or given == "start", "second_player": second_player}
        legal = legal_plays(position, roll, rules, **turn)

        def notation(play: Play) -> str:
            if numbering is Numbering.OWN:
                return standard(play)
            return written(play, side, rules.game, numbering)

        if asked is None and seen is None:
            for after, play in sorted(legal.items(), key=lambda item: str(item[1])):
                click.echo(f"{notation(play):<32} {after.compact()}")
            return
        if asked is not None:
            verdict = judge_steps(position, roll, read(asked, side, rules.game, numbering), rules, **turn)
        else:
            verdict = judge(position, roll, read_position(seen or "", rules.game), rules, **turn)
        if not isinstance(verdict, Illegal):
            click.echo(text(lang, "cli.plays.legal", play=notation(verdict.play)))
            return
        for line in _explained(lang, verdict, notation):
            click.echo(line)

    return plays


def _roll(lang: Lang, given: str) -> Roll:
    """Read the two dice; raises click's BadParameter in the caller's language."""
    try:
        return Roll.parse(given)
    except RollError:
        raise click.BadParameter(text(lang, "cli.plays.no_roll", given=given), param_hint="'--roll'") from None


def read_position(given: str, game: Game) -> Position:
    """Read a position in any of the forms that people paste.

    An XGID, a Position ID of GNU Backgammon with or without ``:`` and its Match ID, ``short mover 24:2 ...``, or 28
    characters. Raises RulesError that quotes what came in.
    """
    if given.startswith("XGID="):
        return situation_from_xgid(given, game).position
    identifier, colon, match = given.strip().partition(":")
    if colon and len(identifier) == POSITION_ID_LENGTH and " " not in identifier:
        return situation_from_ids(identifier, match, game).position
    if len(given.strip()) == POSITION_ID_LENGTH:
        return position_from_id(given.strip(), game)
    if " " not in given.strip():
        return Position.parse(given)
    named, position = position_from_text(given)
    if named is not game:
        msg = f"the ruleset plays {game.value}, the position is one of {named.value}: {given!r}"
        raise PositionError(msg)
    return position


def _explained(lang: Lang, verdict: Illegal, notation: Callable[[Play], str]) -> Iterator[str]:
    """Every fault in words, with its clause and source, then what would have been legal."""
    for fault in verdict.faults:
        yield f"{text(lang, f'fault.{fault.key}')}: {text(lang, fault.why, **fault.values)}"
        yield f"    {text(lang, f'rules.clause.{fault.clause}')} [{fault.source}]"
    legal = ", ".join(notation(play) for play in verdict.would_be_legal[:LEGAL_SHOWN])
    yield text(lang, "cli.plays.would_be_legal", plays=legal or text(lang, "cli.plays.pass"))
