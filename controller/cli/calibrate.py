"""``nardy-referee calibrate``: where the board lies before its camera, measured and written into the settings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeVar

import click
import numpy as np
import numpy.typing as npt

from controller.adapters.board_view import CameraSilentError, frames_of, marked_corners, small_dice
from controller.adapters.output_file import write_output
from controller.adapters.recordings import read_picture, write_picture
from controller.cli.board import parse_bar, parse_corners
from controller.doctor.examination import take_picture
from controller.doctor.judges import judge_picture
from controller.locale import Lang, LocalizedError, text
from controller.rules import Game, start
from controller.settings import BoardSettings, Measured, Settings, lines_of, load, write_settings
from vision.annotate import annotate, name_corners
from vision.board.calibrate import fit_bar
from vision.board.geometry import BoardNotFoundError, BoardPose, BoardShape, Corners, Frame
from vision.board.markers import marker_sheet
from vision.board.printing import page_pdf
from vision.camera.lens import Lens, charuco_sheet, learn_lens
from vision.camera.source import open_source
from vision.checkers.reader import CheckerReader
from vision.dice.views import LEAST_DIE_PX, usual_die_px
from vision.findings import examine, recognised
from vision.readings import BoardReading

T = TypeVar("T")

PICTURE_FILE, LENS_FILE = "calibrated.png", "lens.json"
"""Their names beside the settings."""
DOTS_PER_MM = 8.0
MOST_LENS_PICTURES = 40
"""Of a film of the sheet; more teach nothing and take minutes."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller gives instead of having it found: the lens's pictures, the picture, corners, bar."""

    lens: Path | None
    picture: Path | None
    corners: str | None
    bar: str | None


class CalibrationError(LocalizedError, ValueError):
    """The board cannot be measured; the text says what to look at."""


def command(lang: Lang) -> click.Command:
    """Return the subcommand in one language."""

    @click.command("calibrate", help=text(lang, "cli.calibrate.about"))
    @click.option("--config", type=click.Path(dir_okay=False, path_type=Path), help=text(lang, "cli.run.config"))
    @click.option(
        "--picture",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help=text(lang, "cli.calibrate.picture"),
    )
    @click.option("--corners", help=text(lang, "cli.corners"))
    @click.option("--bar", help=text(lang, "cli.bar"))
    @click.option("--lens", type=click.Path(exists=True, path_type=Path), help=text(lang, "cli.calibrate.lens"))
    @click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help=text(lang, "cli.calibrate.out"))
    @click.option(
        "--markers", type=click.Path(dir_okay=False, path_type=Path), help=text(lang, "cli.calibrate.markers")
    )
    @click.option(
        "--charuco", type=click.Path(dir_okay=False, path_type=Path), help=text(lang, "cli.calibrate.charuco")
    )
    def calibrate(
        config: Path | None,
        picture: Path | None,
        corners: str | None,
        bar: str | None,
        lens: Path | None,
        out: Path | None,
        markers: Path | None,
        charuco: Path | None,
    ) -> None:
        for sheet, page in ((markers, marker_sheet), (charuco, charuco_sheet)):
            if sheet is not None:
                _print_sheet(lang, sheet, page(dots_per_mm=DOTS_PER_MM))
        if config is None and picture is None and lens is None:
            if markers is None and charuco is None:
                raise click.UsageError(text(lang, "cli.calibrate.nothing"))
            return
        home = config.parent if config else Path()
        _measure(lang, config, Options(lens, picture, corners, bar), out or home / PICTURE_FILE)

    return calibrate


def _measure(lang: Lang, config: Path | None, asked: Options, out: Path) -> None:
    """Measure lens and board, and write them into the settings; without settings, print the lines to put there."""
    settings = load(config, lang) if config else Settings(board=BoardSettings(id="board"))
    measured: dict[str, dict[str, object]] = {}
    learnt = _learn(lang, asked.lens, (config.parent if config else Path()) / LENS_FILE) if asked.lens else None
    if learnt is not None:
        measured["camera"] = {"lens": LENS_FILE}
        settings = settings.model_copy(update={"camera": settings.camera.model_copy(update={"lens": learnt})})
    if config or asked.picture:
        sources = [path for path in (config, asked.picture) if path]
        measured["board"] = _place(lang, settings, asked, out, sources)
    _write(lang, config, measured)
    if "board" in measured and settings.board.corner_order is not None:
        click.echo(text(lang, "cli.calibrate.seats"))


def _learn(lang: Lang, pictures: Path, file: Path) -> Path:
    """Learn the lens from pictures of the sheet, and keep it in ``file``."""
    chosen = spread_out((shot.frame for shot in open_source(str(pictures))), MOST_LENS_PICTURES)
    lens = learn_lens(chosen)
    lens.save(file)
    click.echo(text(lang, "cli.calibrate.learnt", pictures=len(chosen), error=f"{lens.error_px:.2f}", file=file))
    return file.absolute()


def spread_out(frames: Iterable[T], most: int) -> list[T]:
    """Return at most so many frames, evenly spread over all; a film is never held whole."""
    kept: list[T] = []
    step = 1
    for number, frame in enumerate(frames):
        if number % step == 0:
            kept.append(frame)
        if len(kept) > most:
            kept, step = kept[::2], 2 * step
    return kept


def _place(lang: Lang, settings: Settings, asked: Options, out: Path, sources: list[Path]) -> dict[str, object]:
    """Measure where the board lies, and draw into ``out`` what was found; a board that is not found is shown bare.

    Raises CalibrationError that says what to do.
    """
    frame = _picture(lang, settings, asked.picture)
    try:
        corners = parse_corners(asked.corners) if asked.corners else marked_corners(settings.board, frame)
        bar = parse_bar(asked.bar) if asked.bar else fit_bar(frame, corners)
        board = settings.board
        shape = BoardShape(bar or board.bar, board.checker, board.thickness)
        pose = BoardPose(corners, shape, (frame.shape[1], frame.shape[0]))
        examine(frame, pose)
    except BoardNotFoundError as error:
        write_picture(out, frame, sources=sources)
        raise CalibrationError("calibrate_not_found", why=error, out=out) from error
    game = settings.match.rules().game
    reading = CheckerReader(set_size=game.checkers).read(frame, pose)
    write_picture(out, name_corners(annotate(frame, pose, reading), pose), sources=sources)
    if bar is None:
        raise CalibrationError("calibrate_no_bar", out=out)
    recognised(reading)
    _say(lang, pose, reading, game)
    click.echo(text(lang, "cli.calibrate.drawn", out=out))
    return {"corners": _rounded(corners), "bar": [round(edge, 4) for edge in bar]}


def _picture(lang: Lang, settings: Settings, file: Path | None) -> Frame:
    """Take the picture from the camera, or from a file as that camera would have given it."""
    camera = settings.camera
    if file is not None:
        frame = read_picture(file)
        return frame if camera.lens is None else Lens.load(camera.lens).straighten(frame)
    taken = take_picture(lambda: frames_of(camera))
    if taken is None:
        raise CameraSilentError("camera_silent", source=camera.source)
    if isinstance(taken, Exception):
        raise taken
    for finding in islice(judge_picture(taken, camera.size), 1):
        click.echo(finding.in_words(lang), err=True)
    return taken


def _say(lang: Lang, pose: BoardPose, reading: BoardReading, game: Game) -> None:
    """Print what a builder should know before leaving it at that."""
    counts = [abs(place.count) for place in reading.points]
    if counts in [_mirrored(heights) for heights in _starts(game)] and counts not in _starts(game):
        click.echo(text(lang, "cli.calibrate.mirrored"), err=True)
    if usual_die_px(pose) < LEAST_DIE_PX:
        click.echo(small_dice(lang, usual_die_px(pose)), err=True)


def _starts(game: Game) -> list[list[int]]:
    """How many checkers lie where before a game; backgammon is often set up to be calibrated by."""
    return [[abs(count) for count in start(played).points] for played in (game, Game.SHORT)]


def _mirrored(heights: Sequence[int]) -> list[int]:
    """The same on a board whose home is on the other hand."""
    return [*heights[11::-1], *heights[:11:-1]]


def _rounded(corners: Corners) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in corners]


def _write(lang: Lang, config: Path | None, measured: Measured) -> None:
    if config is not None:
        write_settings(config, measured, lang)
    said = "cli.calibrate.written" if config else "cli.calibrate.unwritten"
    click.echo(text(lang, said, file=config))
    for line in lines_of(measured):
        click.echo(line)


def _print_sheet(lang: Lang, out: Path, page: npt.NDArray[np.uint8]) -> None:
    """Write a sheet to print, a PDF or a picture."""
    if out.suffix.lower() == ".pdf":
        write_output(out, page_pdf(page, DOTS_PER_MM))
    else:
        write_picture(out, page)
    click.echo(text(lang, "cli.calibrate.sheet", out=out))
