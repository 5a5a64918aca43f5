"""Looks at the devices themselves, for a few seconds each, and hands what they report to the judges."""

import errno
import os
import queue
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from controller.adapters.journal import JournalError, JournalReader
from controller.adapters.mqtt.broker import BrokerError, PortTakenError, broker_program, claim_port
from controller.adapters.mqtt.link import BrokerAddress
from controller.doctor.findings import ButtonsNamed, Finding, Grade, Part, SentenceOf, fault, ok
from controller.doctor.judges import (
    Seat,
    judge_board,
    judge_clock,
    judge_disk,
    judge_picture,
    judge_pose,
    judge_power,
    judge_reeds,
)
from controller.doctor.walk import Walk
from controller.ports.entries import ENTRIES
from controller.rules import Game
from controller.settings import FeedSettings, PageSettings
from firmware_bridge.clocks import monotonic_us
from firmware_bridge.link import BoardLink
from firmware_bridge.messages import STAT_US, SelfTest
from firmware_bridge.pi_chain import PiChain
from firmware_bridge.pins import PinError, PinPanel
from firmware_bridge.ports import boards, group_of, user_name
from firmware_bridge.rig import Rig
from firmware_bridge.values import LinkBack, LinkLost, LinkValue, ReedFrame, SensorsLost, Trouble
from vision.board.geometry import BoardNotFoundError, BoardPose, Frame
from vision.camera.lens import LensError
from vision.camera.source import TimedFrame
from vision.errors import VisionError

ANSWER_US = 8_000_000
"""A board that is reset by the opening of its port answers within half of it."""
LISTEN_US = STAT_US + 1_000_000
"""Until the counters have come once."""
CHAIN_US = 4_000_000
PICTURE_S = 20.0
PICTURES = 5
"""The first ones of a camera are often dark: it has not found its exposure yet."""
BROKER_S = 3.0
REFUSED_PORT = {errno.EACCES: "port.forbidden", errno.EADDRNOTAVAIL: "port.elsewhere"}
"""Texts for the operating system's answers about a port; for anything else another program has it."""
SYNCHRONISED = Path("/run/systemd/timesync/synchronized")


def look_at_board(rig: Rig, port: str, game: Game) -> list[Finding]:
    """Open the board's port and listen for some seconds."""
    link = BoardLink(port, expected=rig.expected(), now_us=monotonic_us)
    try:
        reported = listen(link.poll)
    finally:
        link.close()
    return judge_board(reported, rig, game, _seat(port))


def _seat(port: str) -> Seat:
    return Seat(port, group_of(port), user_name(), tuple(boards()))


def listen(poll: Callable[[int], Iterable[LinkValue]]) -> list[LinkValue]:
    """Return what is reported until the board is lost, or for ``LISTEN_US`` after it has answered."""
    reported: list[LinkValue] = []
    end = monotonic_us() + ANSWER_US
    while monotonic_us() < end:
        for value in poll(50):
            reported.append(value)
            if isinstance(value, LinkLost) and value.why is not Trouble.RESTARTED:
                return reported
            if isinstance(value, LinkBack):
                end = monotonic_us() + LISTEN_US
    return reported


def walk_over(rig: Rig, port: str | None, game: Game, idle_s: float) -> Iterator[Finding]:
    """Follow a walk over the board until everything has answered, nothing has for ``idle_s``, or Ctrl-C."""
    sources = _sources(rig, port)
    if isinstance(sources, Finding):
        yield sources
        return
    walk = Walk(rig)
    unreachable = False
    quiet_since_us = monotonic_us()
    with ExitStack() as stack, suppress(KeyboardInterrupt):
        for source in sources:
            stack.callback(source.close)
            if isinstance(source, PinPanel):
                source.send(SelfTest())
        while not walk.done and monotonic_us() - quiet_since_us < idle_s * 1_000_000:
            reported = [(source, value) for source in sources for value in source.poll(20)]
            for origin, value in reported:
                if isinstance(value, LinkLost) and port is not None and value.why is not Trouble.RESTARTED:
                    unreachable = True
                    yield from judge_board([value], rig, game, _seat(port))
                if isinstance(value, LinkBack) and isinstance(origin, BoardLink):
                    origin.send(SelfTest())
                for finding in walk.hear(value):
                    quiet_since_us = monotonic_us()
                    yield finding
    if port is None or walk.heard:
        yield from walk.end()
    elif not unreachable:
        yield from judge_board([], rig, game, _seat(port))


def _sources(rig: Rig, port: str | None) -> list[BoardLink | PinPanel | PiChain] | Finding:
    """Open what a walk listens to, or report why it cannot be had."""
    if port is not None:
        return [BoardLink(port, expected=rig.expected(), now_us=monotonic_us)]
    try:
        panel = PinPanel(rig)
    except PinError as error:
        return _no_pins(error)
    try:
        return [panel, PiChain(rig)] if rig.chain else [panel]
    except PinError as error:
        panel.close()
        return _no_chain(error)


def look_at_pins(rig: Rig, game: Game) -> Iterator[Finding]:
    """Claim this computer's pins, see whether a button is down, and read the chain if there is one."""
    try:
        panel = PinPanel(rig)
    except PinError as error:
        yield _no_pins(error)
        return
    held = panel.held()
    panel.close()
    if held:
        yield fault("buttons", "buttons.held", buttons=ButtonsNamed(held))
    else:
        yield ok("buttons", "buttons.open", buttons=ButtonsNamed(tuple(rig.buttons)))
    if rig.chain is None:
        return
    try:
        chain = PiChain(rig)
    except PinError as error:
        yield _no_chain(error)
        return
    reported: list[LinkValue] = []
    end = monotonic_us() + CHAIN_US
    while monotonic_us() < end:
        reported += chain.poll(50)
    chain.close()
    frames = [value for value in reported if isinstance(value, ReedFrame)]
    dead = not frames or any(isinstance(value, SensorsLost) for value in reported)
    yield from [fault("reeds", "reeds.silent")] if dead else judge_reeds(rig, game, frames)


def _no_pins(error: PinError) -> Finding:
    return fault("buttons", "buttons.no_pins", why=_sentence(error))


def _no_chain(error: PinError) -> Finding:
    return fault("reeds", "reeds.no_chain", why=_sentence(error))


def _sentence(error: PinError) -> str:
    """Return the device's own words with one mark at their end."""
    return f"{str(error.__cause__ or error).rstrip('.!')}."


def look_through_camera(
    source: str,
    size: tuple[int, int],
    open_source: Callable[[], Iterator[TimedFrame]],
    pose_of: Callable[[Frame], BoardPose],
) -> Iterator[Finding]:
    """Take a few pictures and look for the board in the last one; a camera that hangs is given up."""
    frame = take_picture(open_source)
    if frame is None:
        yield fault("camera", "camera.silent", source=source, seconds=int(PICTURE_S))
        return
    if isinstance(frame, LensError):
        yield fault("camera", "camera.no_lens", why=SentenceOf(frame))
        return
    if isinstance(frame, VisionError):
        yield fault("camera", "camera.closed", source=source)
        return
    findings = list(judge_picture(frame, size))
    yield from findings
    if any(finding.grade is Grade.FAULT for finding in findings):
        return
    try:
        yield judge_pose(pose_of(frame))
    except BoardNotFoundError:
        yield fault("camera", "camera.no_board")


def take_picture(open_source: Callable[[], Iterator[TimedFrame]]) -> Frame | VisionError | None:
    """Take a few pictures and return the last; None where the camera gives none, or hangs."""
    answer: queue.Queue[Frame | VisionError | None] = queue.Queue()

    def take() -> None:
        try:
            frame = None
            for shot in islice(open_source(), PICTURES):
                frame = shot.frame
            answer.put(frame)
        except VisionError as error:
            answer.put(error)

    threading.Thread(target=take, name="first pictures", daemon=True).start()
    try:
        return answer.get(timeout=PICTURE_S)
    except queue.Empty:
        return None


def look_at_feed(feed: FeedSettings, pages: PageSettings) -> Iterator[Finding]:
    """See whether the broker is there, and whether the ports of broker and pages are free."""
    if feed.broker == "embedded":
        yield from _ports("broker", ((feed.host, feed.port), (pages.host, feed.websocket_port)))
    else:
        address = BrokerAddress.parse(feed.broker)
        try:
            socket.create_connection((address.host, address.port), BROKER_S).close()
            yield ok("broker", "broker.answers", address=feed.broker)
        except OSError as error:
            yield fault("broker", "broker.unreachable", address=feed.broker, why=error.strerror or error)
    yield from _ports("pages", ((pages.host, pages.port),))


def _ports(part: Part, wanted: tuple[tuple[str, int], ...]) -> Iterator[Finding]:
    try:
        if part == "broker":
            broker_program()
    except BrokerError:
        yield fault(part, "broker.none")
        return
    for host, port in wanted:
        try:
            claim_port(host, port)
        except PortTakenError as error:
            cause = error.__cause__
            number, why = (cause.errno, cause.strerror) if isinstance(cause, OSError) else (None, str(error))
            yield fault(part, REFUSED_PORT.get(number or 0, "port.taken"), host=host, port=port, why=why)
            return
    yield ok(part, "port.free", ports=", ".join(str(port) for _, port in wanted))


def look_at_machine(journal: Path) -> Iterator[Finding]:
    """See whether there is room for the journal, whether the clock is right and the supply strong enough."""
    folder = next(parent for parent in (journal.parent, *journal.parent.parents) if _there(parent))
    writable = folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
    if _there(journal):
        writable = writable and os.access(journal, os.W_OK)
    yield judge_disk(str(journal.parent), shutil.disk_usage(folder).free // 1_000_000, writable=writable)
    yield from _look_into(journal)
    yield judge_clock(datetime.now(UTC).year, _synchronised())
    if program := shutil.which("vcgencmd"):
        yield from judge_power(_answer_of(program, "get_throttled"))


def _there(path: Path) -> bool:
    """Whether a path exists, as far as this user may know."""
    try:
        return path.exists()
    except PermissionError:
        return False


def _look_into(journal: Path) -> Iterator[Finding]:
    """See whether what lies where the journal shall be is a journal."""
    if not _there(journal):
        return
    if journal.is_dir():
        yield fault("disk", "disk.is_folder", path=journal)
        return
    if journal.stat().st_size == 0:
        # One that is still to begin.
        return
    try:
        JournalReader(journal, ENTRIES).close()
    except JournalError as error:
        yield fault("disk", "disk.no_journal", why=SentenceOf(error))


def _synchronised() -> bool | None:
    """Whether the clock follows the network's; None where that cannot be known."""
    if SYNCHRONISED.exists():
        return True
    program = shutil.which("timedatectl")
    answer = _answer_of(program, "show", "-p", "NTPSynchronized", "--value").strip() if program else ""
    return {"yes": True, "no": False}.get(answer)


def _answer_of(program: str, *arguments: str) -> str:
    try:
        done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=5, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout
