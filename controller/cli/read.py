"""``nardy-referee read``: what lies on the board in one picture, and how surely."""

import json
from pathlib import Path

import click

from controller.adapters.board_view import small_dice
from controller.adapters.recordings import read_picture, write_picture
from controller.cli.board import pose_of
from controller.formats.identifiers import Situation, match_id, position_id, with_off, xgid
from controller.formats.notation import position_text
from controller.locale import Lang, text
from controller.rules import Game, RulesError, Side, check_position
from vision.annotate import annotate
from vision.checkers.reader import CheckerReader
from vision.cube.reader import CubeReader
from vision.dice.on_board import settled_on_board
from vision.dice.reader import DiceReader
from vision.dice.views import too_small
from vision.findings import examine, recognised
from vision.readings import BoardReading, CubeReading, DieReading, DieState, PlaceReading

SURE = 0.99


def command(lang: Lang) -> click.Command:
    """Return the subcommand in one language."""

    @click.command("read", help=text(lang, "cli.read.about"))
    @click.argument("picture", type=click.Path(exists=True, dir_okay=False, path_type=Path))
    @click.option("--corners", help=text(lang, "cli.corners"))
    @click.option("--bar", help=text(lang, "cli.bar"))
    @click.option(
        "--game", "game_name", default="short", show_default=True, type=click.Choice([game.value for game in Game]),
        help=text(lang, "cli.read.game"),
    )  # fmt: skip
    @click.option(
        "--white",
        type=click.Choice(["light", "dark"]),
        default="light",
        show_default=True,
        help=text(lang, "cli.read.white"),
    )
    @click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help=text(lang, "cli.read.out"))
    @click.option("--json", "as_json", is_flag=True, help=text(lang, "cli.read.json"))
    def read(
        picture: Path,
        corners: str | None,
        bar: str | None,
        game_name: str,
        white: str,
        out: Path | None,
        as_json: bool,
    ) -> None:
        frame = read_picture(picture)
        pose = pose_of(frame, picture, corners, bar)
        examine(frame, pose)
        board = CheckerReader(set_size=Game(game_name).checkers).read(frame, pose)
        recognised(board)
        dice = settled_on_board(DiceReader().read(frame, pose), board, pose)
        cube = CubeReader().read(frame, pose)
        if out is not None:
            write_picture(out, annotate(frame, pose, board, dice, cube), sources=[picture])
        ids = identifiers(board, dice, Game(game_name), white_is_light=white == "light")
        if as_json:
            click.echo(json.dumps(as_object(board, dice, cube) | ids))
            return
        _print(lang, board, dice, cube)
        small = too_small(dice)
        if small is not None:
            click.echo(small_dice(lang, small))
        for name, value in ids.items():
            click.echo(f"{name}: {value}")

    return read


def as_object(board: BoardReading, dice: tuple[DieReading, ...], cube: CubeReading | None) -> dict[str, object]:
    """The reading as JSON: signed counts (+ lighter set, - darker set) with their certainty, the dice and the cube."""
    return {
        "points": [place.count for place in board.points],
        "certainty": [round(place.certainty, 4) for place in board.points],
        "hidden": list(board.hidden_points),
        "dice_too_small": too_small(dice) is not None,
        "bar": [board.bar_light.count, abs(board.bar_dark.count)],
        "off": [_borne_off(place) for place in (board.off_light, board.off_dark)],
        "dice": [
            {
                "value": die.face,
                "certainty": round(max(die.faces), 4),
                "state": die.state.value,
                "half": die.half,
                "center": [round(die.x_px, 1), round(die.y_px, 1)],
            }
            for die in dice
        ],
        "cube": None
        if cube is None
        else {
            "value": cube.value,
            "odds": {str(value): round(chance, 4) for value, chance in cube.odds},
            "column": cube.column.value,
            "side": cube.side.value,
            "center": [round(cube.x_px, 1), round(cube.y_px, 1)],
        },
    }


def identifiers(
    board: BoardReading, dice: tuple[DieReading, ...], game: Game, *, white_is_light: bool
) -> dict[str, str]:
    """XGID and GNU ids with White to move, where the game has them, else the position in words that ``plays`` reads."""
    sign = 1 if white_is_light else -1
    points = tuple(sign * place.count for place in board.points)
    bars = (board.bar_light.count, abs(board.bar_dark.count))
    flat = [die.face for die in dice if die.state is DieState.FLAT]
    thrown = (flat[0], flat[1]) if len(flat) == 2 else None
    try:
        position = with_off(points, bars if white_is_light else bars[::-1], game, str(points))
        check_position(position, game)
        if not game.opposed:
            return {"position": position_text(position, game)}
        situation = Situation(position, Side.WHITE, game, thrown)
        return {"xgid": xgid(situation), "gnubg": f"{position_id(position, game)}:{match_id(situation)}"}
    except RulesError:
        # The board shows no whole position.
        return {}


def _print(lang: Lang, board: BoardReading, dice: tuple[DieReading, ...], cube: CubeReading | None) -> None:
    for first in (13, 7):
        numbers = range(first, first + 12) if first == 13 else range(12, 0, -1)
        click.echo("  ".join(f"p{number:<3}" for number in numbers))
        click.echo("  ".join(_cell(board.points[number - 1]) for number in numbers))
    click.echo(text(lang, "cli.read.bar", light=board.bar_light.count, dark=abs(board.bar_dark.count)))
    off = {side: _doubted(place) for side, place in (("light", board.off_light), ("dark", board.off_dark))}
    click.echo(text(lang, "cli.read.off", **off))
    for die in dice:
        state, half = (text(lang, f"cli.read.die_{where}") for where in (die.state.value, f"half_{die.half}"))
        click.echo(text(lang, "cli.read.die", value=die.face, sure=f"{max(die.faces):.1%}", state=state, half=half))
    if cube is not None:
        number = str(cube.value) if cube.value is not None else text(lang, "cli.read.cube_unsure")
        odds = ", ".join(f"{value} {chance:.1%}" for value, chance in cube.odds[:2])
        column, side = (text(lang, f"cli.read.cube_{where.value}") for where in (cube.column, cube.side))
        click.echo(text(lang, "cli.read.cube", number=number, odds=odds, column=column, side=side))
    unsure = [number for number, place in enumerate(board.points, 1) if place.certainty < SURE]
    if unsure:
        click.echo(text(lang, "cli.read.unsure", places=", ".join(f"p{number}" for number in unsure)))
    click.echo(text(lang, "cli.read.legend"))


def _borne_off(place: PlaceReading) -> dict[str, object]:
    """Checkers of a set that lie neither on points nor on the bar; ``seen`` if all beside the board is in view."""
    return {"count": abs(place.count), "certainty": round(place.certainty, 4), "seen": not place.hidden}


def _doubted(place: PlaceReading) -> str:
    return f"{abs(place.count)}{'?' if place.certainty < SURE or place.hidden else ''}"


def _cell(place: PlaceReading) -> str:
    mark = "." if place.count == 0 else f"{'o' if place.count > 0 else 'x'}{abs(place.count)}"
    return f"{mark}{'?' if place.certainty < SURE or place.hidden else '':1}".ljust(4)
