"""``nardy-referee run``: referee a real board."""

import signal
import time
from contextlib import ExitStack
from pathlib import Path
from secrets import randbits

import click

from controller.adapters.board_lines import BoardLines, Rigs, rigs_of
from controller.adapters.board_view import CameraSilentError, frames_of, pose_of, small_dice
from controller.adapters.camera import open_camera
from controller.adapters.evidence import Evidence
from controller.adapters.journal import Journal, archive_journal
from controller.adapters.mqtt.feed_publisher import FeedPublisher
from controller.adapters.outlets import Outlets
from controller.adapters.place_memory import PLACE_FILE, PlaceMemory
from controller.adapters.watchdog import ServiceManager, StatusLine
from controller.cli.compose import Devices, Referee
from controller.cli.verify import anyway_option
from controller.clock import Millis
from controller.formats.sheet import text_sheet
from controller.locale import Lang, text
from controller.ports.entries import ENTRIES, Entry
from controller.referee.events import Device, MatchOpened, turn_end_of
from controller.rules import Ruleset
from controller.service.inbox import Inbox
from controller.service.opening import Opened, begin, found_in, resume
from controller.service.recording import history_of, match_record
from controller.settings import Settings, load
from vision.dice.views import LEAST_DIE_PX, usual_die_px


class MachineTime:
    """The machine's monotonic clock."""

    def now_ms(self) -> Millis:
        """Milliseconds since the machine was started."""
        return Millis(time.monotonic_ns() // 1_000_000)


def command(lang: Lang) -> click.Command:
    """Return the subcommand in one language."""

    @click.command("run", help=text(lang, "cli.run.about"))
    @click.option(
        "--config", type=click.Path(dir_okay=False, path_type=Path), required=True, help=text(lang, "cli.run.config")
    )
    @click.option("--new", is_flag=True, help=text(lang, "cli.run.new"))
    @anyway_option(lang)
    def run(config: Path, new: bool, anyway: bool) -> None:
        settings = load(config, lang)
        with ExitStack() as stack:
            _referee(settings, stack, lang, new=new, anyway=anyway)

    return run


def _referee(settings: Settings, stack: ExitStack, lang: Lang, *, new: bool, anyway: bool) -> None:
    """Put the board together and referee it until the process is told to stop, or the recording ends."""
    clock, inbox = MachineTime(), Inbox()
    rules = settings.match.rules()
    rigs = rigs_of(settings, lang)
    shots = frames_of(settings.camera)
    first = next(shots, None)
    if first is None:
        raise CameraSilentError("camera_silent", source=settings.camera.source)
    pose = pose_of(settings.board, first.frame)
    if usual_die_px(pose) < LEAST_DIE_PX:
        click.echo(small_dice(lang, usual_die_px(pose)), err=True)
    match = _match(settings, rules, rigs, clock.now_ms())
    journal, opened, notes = open_journal(settings.journal.path, match, lang, new=new, anyway=anyway)
    stack.enter_context(journal)
    for note in notes:
        click.echo(note)
    memory = PlaceMemory(settings.journal.path.parent / PLACE_FILE, pose)
    if not opened.resumed:
        memory.forget()
    outlets = stack.enter_context(
        Outlets(settings, settings.journal.path.parent, settings.journal.evidence, inbox=inbox, now_ms=clock.now_ms)
    )
    if outlets.addresses:
        click.echo(outlets.addresses.words(lang))
    lines = BoardLines(rigs, inbox.post)
    fitted = rigs.fitted | {Device.CAMERA, Device.FEED, Device.JOURNAL}
    manager = stack.enter_context(ServiceManager.of_process())
    referee = Referee(
        Devices(
            clock,
            shots,
            open_camera(pose, rules.game, memory),
            fitted,
            lines,
            lines.publishers,
        ),
        opened,
        inbox=inbox,
        journal=journal,
        evidence=Evidence(settings.journal.evidence),
        publishers=[
            FeedPublisher(f"{settings.board.id}-{journal.hash_of(1)[:8]}", fitted, outlets.send),
            StatusLine(manager, Lang(settings.language)),
        ],
    )
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda _number, _frame: inbox.stop())
    manager.ready()
    referee.run(lambda: manager.alive(clock.now_ms()))
    found = history_of(entry.event for entry in journal.entries())
    history = found[1] if found else None
    click.echo(text_sheet(match_record(referee.state, lang, history=history), lang))


def open_journal(
    path: Path, match: MatchOpened, lang: Lang, *, new: bool, anyway: bool = False
) -> tuple[Journal[Entry], Opened, tuple[str, ...]]:
    """Open the journal and go on with its match, or begin ``match``; the texts are what people should know of it.

    A match makes room for the next one where it is over and another one is wanted, or where ``new`` is asked for.
    Raises JournalError when the journal cannot be used, and where it is damaged and is not to be used ``anyway``.
    """
    journal = Journal(path, ENTRIES, anyway=anyway)
    try:
        if not anyway:
            journal.check()
        found = found_in(journal)
        if found is None:
            return journal, begin(journal, match), ()
        another = found.is_another(match)
        if not new and not (found.over and another):
            goes_on = text(lang, "cli.run.over" if found.over else "cli.run.resumed", path=path)
            said = (goes_on, text(lang, "cli.run.another")) if another else (goes_on,)
            return journal, resume(journal, found, match.at), said
        journal.close()
        archived = archive_journal(path, ENTRIES)
        journal = Journal(path, ENTRIES)
        return journal, begin(journal, match), (text(lang, "cli.run.archived", path=archived),)
    except BaseException:
        journal.close()
        raise


def _match(settings: Settings, rules: Ruleset, rigs: Rigs, now: Millis) -> MatchOpened:
    return MatchOpened(
        now,
        rules.name,
        rules,
        settings.match.white or "",
        settings.match.black or "",
        turn_end_of(rules, buttons=Device.BUTTONS in rigs.fitted),
        seed=randbits(48),
    )
