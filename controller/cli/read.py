"""``nardy-referee read``: what lies on the board in one picture, and how surely."""

import json
from pathlib import Path

import click
import cv2
from vision.annotate import annotate

from controller.adapters.recordings import read_picture
from controller.cli.board import pose_of
from controller.locale import Lang, text
from vision.checkers import CheckerReader
from vision.dice import DiceReader
from vision.readings import BoardReading, DieReading, PlaceReading

SURE = 0.99


def command(lang: Lang) -> click.Command:
    """Return the subcommand in one language."""

    @click.command("read", help=text(lang, "cli.read.about"))
    @click.argument("picture", type=click.Path(exists=True, dir_okay=False, path_type=Path))
    @click.option("--corners", help=text(lang, "cli.corners"))
    @click.option("--bar", help=text(lang, "cli.bar"))
    @click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help=text(lang, "cli.read.out"))
    @click.option("--json", "as_json", is_flag=True, help=text(lang, "cli.read.json"))
    def read(picture: Path, corners: str | None, bar: str | None, out: Path | None, as_json: bool) -> None:  # noqa: FBT001
        frame = read_picture(picture)
        pose = pose_of(frame, picture, corners, bar)
        board = CheckerReader().read(frame, pose)
        dice = DiceReader().read(frame, pose)
        if out is not None and not cv2.imwrite(str(out), annotate(frame, pose, board, dice)):
            msg = f"cannot write {out}: give a file name that ends in .png or .jpg in a folder that exists"
            raise ValueError(msg)
        if as_json:
            click.echo(json.dumps(as_object(board, dice)))
        else:
            _print(lang, board, dice)

    return read


def as_object(board: BoardReading, dice: tuple[DieReading, ...]) -> dict[str, object]:
    """The reading as JSON: signed counts (+ lighter set, - darker set) with their certainty, and the dice."""
    return {
        "points": [place.count for place in board.points],
        "certainty": [round(place.certainty, 4) for place in board.points],
        "hidden": list(board.hidden_points),
        "bar": [board.bar_light.count, abs(board.bar_dark.count)],
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
    }


def _print(lang: Lang, board: BoardReading, dice: tuple[DieReading, ...]) -> None:
    for first in (13, 7):
        numbers = range(first, first + 12) if first == 13 else range(12, 0, -1)
        click.echo("  ".join(f"p{number:<3}" for number in numbers))
        click.echo("  ".join(_cell(board.points[number - 1]) for number in numbers))
    click.echo(text(lang, "cli.read.bar", light=board.bar_light.count, dark=abs(board.bar_dark.count)))
    for die in dice:
        click.echo(
            text(
                lang, "cli.read.die", value=die.face, sure=f"{max(die.faces):.1%}", state=die.state.value, half=die.half
            )
        )
    unsure = [number for number, place in enumerate(board.points, 1) if place.certainty < SURE]
    if unsure:
        click.echo(text(lang, "cli.read.unsure", places=", ".join(f"p{number}" for number in unsure)))
    click.echo(text(lang, "cli.read.legend"))


def _cell(place: PlaceReading) -> str:
    mark = "." if place.count == 0 else f"{'o' if place.count > 0 else 'x'}{abs(place.count)}"
    return f"{mark}{'?' if place.certainty < SURE or place.hidden else '':1}".ljust(4)
