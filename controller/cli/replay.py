"""``nardy-referee replay``: the rulings on a video, frames or a journal; the positions of other programs' matches."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from time import monotonic

import click
from pydantic import TypeAdapter

from controller.adapters.camera import open_camera
from controller.adapters.journal import JournalReader
from controller.adapters.recordings import RecordingError, first_picture, length, shots
from controller.cli.board import pose_of
from controller.cli.verify import anyway_option
from controller.clock import Millis
from controller.formats.mat import Answered, Beavered, Doubled, MatMatch, Moved, Placed, positions, read_mat
from controller.formats.notation import play_text, position_text, standard
from controller.formats.ogxm import read_ogxm
from controller.locale import Lang, text
from controller.ports.entries import ENTRIES
from controller.referee.rulings import PlayRuling, Ruling
from controller.rules import Side, presets, ruleset
from controller.service.replaying import Happened, referee_frames
from controller.service.ruling_again import RuledAgain, ruled_again

JOURNAL_SUFFIXES = frozenset({".sqlite", ".db"})
MATCH_FILES: Mapping[str, Callable[[Path], MatMatch]] = {
    ".mat": lambda path: read_mat(path.read_text("utf-8-sig")),
    ".ogxm": lambda path: read_ogxm(path.read_bytes()),
}
"""Matches of other programs, by the ends of their names."""
OTHERWISE = 1
"""Exit code when today's program rules otherwise than the journal says."""
COUNTED = ("play_accepted", "play_refused", "play_please_look", "throw_valid", "throw_re_roll", "throw_please_look")
"""What the summary counts: rulings on plays and throws by their outcome."""
RULING: TypeAdapter[Ruling] = TypeAdapter(Ruling)


def command(lang: Lang) -> click.Command:
    """Return the subcommand in one language."""

    @click.command("replay", help=text(lang, "cli.replay.about"))
    @click.argument("path", type=click.Path(exists=True, path_type=Path))
    @click.option(
        "--ruleset", "name", default="short-ru", show_default=True, type=click.Choice(list(presets())),
        help=text(lang, "cli.ruleset"),
    )  # fmt: skip
    @click.option("--corners", help=text(lang, "cli.corners"))
    @click.option("--bar", help=text(lang, "cli.bar"))
    @click.option("--json", "as_json", is_flag=True, help=text(lang, "cli.replay.json"))
    @anyway_option(lang)
    def replay(path: Path, name: str, corners: str | None, bar: str | None, as_json: bool, anyway: bool) -> None:
        if path.suffix.lower() in MATCH_FILES:
            _replay_match(lang, MATCH_FILES[path.suffix.lower()](path))
            return
        if path.suffix in JOURNAL_SUFFIXES:
            _replay_journal(lang, path, as_json=as_json, anyway=anyway)
            return
        _replay_pictures(lang, path, _frames(path, name, corners, bar), as_json=as_json)

    return replay


def _replay_pictures(lang: Lang, path: Path, frames: Iterator[Happened], *, as_json: bool) -> None:
    """Print each ruling with its frame and time, how far it has come, and how many there were of each kind."""
    progress = _Progress(lang, length(path))
    made: Counter[str] = Counter()
    seen = 0
    for happened in frames:
        seen = happened.number + 1
        for ruling in happened.rulings:
            made[_kind(ruling)] += 1
            at = text(lang, "cli.replay.frame", number=happened.number, time=_time(happened.at))
            click.echo(_json(happened.number, ruling) if as_json else _line(lang, at, ruling))
        progress.reached(seen)
    if not made:
        click.echo(text(lang, "cli.replay.nothing"), err=True)
    counts = {key: made[key] for key in COUNTED}
    click.echo(text(lang, "cli.replay.summary", frames=seen, rulings=made.total(), **counts), err=True)


class _Progress:
    """Says at each tenth of the way how far a recording has come, and about how long the rest takes."""

    def __init__(self, lang: Lang, whole: int) -> None:
        self._lang = lang
        self._whole = whole
        self._tenths = 0
        self._begun_s = monotonic()

    def reached(self, seen: int) -> None:
        """Note that ``seen`` frames have been looked at."""
        tenths = 10 * seen // self._whole if self._whole else 0
        if self._tenths < tenths < 10:
            spent_s = monotonic() - self._begun_s
            left = _time(Millis(round(1000 * spent_s * (self._whole - seen) / seen)))
            percent = 10 * tenths
            click.echo(text(self._lang, "cli.replay.progress", percent=percent, whole=self._whole, left=left), err=True)
            self._tenths = tenths


def _kind(ruling: Ruling) -> str:
    """One of ``COUNTED``."""
    if isinstance(ruling, PlayRuling):
        return f"play_{ruling.verdict.value}"
    return f"throw_{ruling.outcome.value}"


def _time(ms: Millis) -> str:
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes}:{seconds:02}"


def _replay_match(lang: Lang, match: MatMatch) -> None:
    """Print what each action of a match leaves on the board, in White's view.

    Raises NotationError for a play that no rule allows.
    """
    rules = match.rules
    for number, game in enumerate(match.games, 1):
        white, black = game.score
        click.echo(text(lang, "sheet.game", number=number, white=white, black=black))
        for shown in positions(game, rules):
            action = shown.action
            match action:
                case Moved():
                    what = f"{action.roll} {standard(action.play)}"
                case Placed():
                    dice = f"{action.roll} ({text(lang, 'sheet.stands')})" if action.roll else ""
                    what = dice or text(lang, "cli.replay.set")
                case Doubled():
                    what = text(lang, "sheet.double", value=action.value)
                case Beavered():
                    what = text(lang, "sheet.beaver", value=action.value)
                case Answered():
                    what = text(lang, "sheet.take" if action.took else "sheet.pass")
            side = text(lang, f"cli.side.{action.side.value}")
            click.echo(f"  {side} {what}\n    {position_text(shown.position, rules.game)}")
        if game.winner is not None:
            name = match.white if game.winner is Side.WHITE else match.black
            click.echo(text(lang, "cli.replay.won", player=name, points=game.points))


def _replay_journal(lang: Lang, path: Path, *, as_json: bool, anyway: bool) -> None:
    """Fold a journal again; exit with ``OTHERWISE`` when today's program rules otherwise anywhere."""
    with JournalReader(path, ENTRIES) as journal:
        if not anyway:
            journal.check()
        compared = list(ruled_again((entry.seq, entry.event) for entry in journal.entries()))
    for again in compared:
        if as_json:
            click.echo(_compared_json(again))
            continue
        if again.recorded is not None:
            row = text(lang, "cli.replay.row", number=again.row)
            click.echo(_line(lang, row, again.recorded))
        if not again.same:
            key = "otherwise" if again.today and again.recorded else "no_more" if again.recorded else "also"
            row = text(lang, "cli.replay.row", number=again.row)
            today = _line(lang, row, again.today) if again.today else ""
            click.echo(text(lang, f"cli.replay.{key}", today=today))
    if not compared:
        click.echo(text(lang, "cli.replay.no_ruling"), err=True)
        return
    same = sum(again.same for again in compared)
    key = "cli.replay.same" if same == len(compared) else "cli.replay.differs"
    click.echo(text(lang, key, rulings=len(compared), same=same), err=as_json)
    if same != len(compared):
        raise click.exceptions.Exit(OTHERWISE)


def _frames(path: Path, name: str, corners: str | None, bar: str | None) -> Iterator[Happened]:
    recorded = shots(path)
    first = next(recorded, None)
    if first is None:
        raise RecordingError("no_frames", path=path)
    pose = pose_of(first.frame, first_picture(path), corners, bar)
    rules = ruleset(name)
    frames = ((shot.number, shot.at, shot.frame) for shot in chain([first], recorded))
    yield from referee_frames(frames, open_camera(pose, rules.game), name, rules)


def _json(number: int, ruling: Ruling) -> str:
    return json.dumps({"frame": number, "ruling": RULING.dump_python(ruling, mode="json")}, ensure_ascii=False)


def _compared_json(again: RuledAgain) -> str:
    recorded, today = (
        RULING.dump_python(ruling, mode="json") if ruling else None for ruling in (again.recorded, again.today)
    )
    fields = {"row": again.row, "ruling": recorded, "same": again.same, "today": today}
    return json.dumps(fields, ensure_ascii=False)


def _line(lang: Lang, where: str, ruling: Ruling) -> str:
    side = text(lang, f"cli.side.{ruling.side.value}") if ruling.side else text(lang, "cli.side.opening")
    if isinstance(ruling, PlayRuling):
        faults = "; ".join(text(lang, f"fault.{found.key}") for found in ruling.faults)
        what = text(lang, f"cli.verdict.{ruling.verdict.value}")
        return f"{where}  {side}: {ruling.roll[0]}-{ruling.roll[1]} {play_text(ruling.play)} {what} {faults}".rstrip()
    what = (
        text(lang, f"void.{ruling.reason.value}")
        if ruling.reason
        else text(lang, f"cli.verdict.{ruling.outcome.value}")
    )
    values = "-".join(map(str, ruling.values)) if ruling.values else ""
    return f"{where}  {side}: {values} {what}"
