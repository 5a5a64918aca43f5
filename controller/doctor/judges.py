"""What the doctor makes of what was seen and reported: board, reeds, picture, machine. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from controller.doctor.findings import Finding, ReedsNamed, fault, note, ok
from controller.rules import Game, start
from firmware_bridge.handshake import flash_command
from firmware_bridge.messages import BAUD, PROTOCOL_MAJOR, PROTOCOL_MINOR, PROTOCOL_TABLES, Hello, ResetCause
from firmware_bridge.rig import POINTS, Rig
from firmware_bridge.values import Health, LinkBack, LinkLost, LinkValue, ReedFrame, SensorsLost, Trouble
from vision.board.geometry import BoardPose, Frame
from vision.camera.motion import BRIGHT_LEVEL, DARK_LEVEL
from vision.dice.views import LEAST_DIE_PX, usual_die_px

MOST_SPOILT = 1
"""Frames that may be spoilt while the port is opened in the middle of one."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Where the board is plugged in, as far as the operating system knows."""

    port: str
    group: str
    """Who may use the port."""
    user: str
    others: tuple[str, ...]
    """Ports there are, by their lasting names."""


def judge_board(reported: Sequence[LinkValue], rig: Rig, game: Game, seat: Seat) -> list[Finding]:
    """Judge what was reported in the few seconds after the port was opened."""
    lost = [value for value in reported if isinstance(value, LinkLost) and value.why is not Trouble.RESTARTED]
    back = [value for value in reported if isinstance(value, LinkBack)]
    if not back:
        why = lost[-1].why if lost else Trouble.SILENT
        return [_unreachable(why, seat)]
    findings = [*_hello(back[-1].hello, rig, seat)]
    if lost:
        findings.append(fault("line", f"board.{lost[-1].why.value}", **_values(seat)))
    findings += _line([value for value in reported if isinstance(value, Health)])
    if rig.chain:
        frames = [value for value in reported if isinstance(value, ReedFrame)]
        dead = not frames or any(isinstance(value, SensorsLost) for value in reported)
        findings += [fault("reeds", "reeds.silent")] if dead else judge_reeds(rig, game, frames)
    return findings


def _unreachable(why: Trouble, seat: Seat) -> Finding:
    return fault("board", f"board.{why.value}", **_values(seat))


def _values(seat: Seat) -> dict[str, object]:
    return {
        "port": seat.port,
        "group": seat.group,
        "user": seat.user,
        "others": ", ".join(seat.others) or "-",
        "baud": BAUD,
        "flash": flash_command(seat.port),
    }


def _hello(hello: Hello, rig: Rig, seat: Seat) -> Iterator[Finding]:
    version = f"{hello.firmware_major}.{hello.firmware_minor}.{hello.firmware_patch}"
    yield ok("board", "board.answers", id=hello.board_id.hex(), version=version, slots=hello.slots)
    flash = flash_command(seat.port)
    if (hello.minor, hello.tables) != (PROTOCOL_MINOR, PROTOCOL_TABLES):
        theirs, ours = f"{hello.major}.{hello.minor}", f"{PROTOCOL_MAJOR}.{PROTOCOL_MINOR}"
        yield note("board", "board.other_tables", theirs=theirs, ours=ours, flash=flash)
    if hello.rig != rig.fingerprint():
        yield fault("board", "board.other_rig", rig=rig.name, flash=flash)
    if hello.reset_cause & ResetCause.BROWN_OUT:
        yield note("board", "board.brown_out")
    if hello.reset_cause & ResetCause.WATCHDOG:
        yield note("board", "board.watchdog")


def _line(healths: Sequence[Health]) -> Iterator[Finding]:
    if not healths:
        return
    last = healths[-1]
    spoilt = last.lost + max(0, last.rejects - MOST_SPOILT) + max(0, last.stat.rx_bad - MOST_SPOILT)
    if spoilt:
        yield note("line", "line.noisy", frames=spoilt)
    elif last.round_trip_us is not None:
        yield ok("line", "line.clean", round_trip=f"{last.round_trip_us / 1_000:.0f}")
    if last.stat.chain_bad:
        yield note("reeds", "reeds.loose", scans=last.stat.chain_bad)
    if last.stat.press_lost:
        yield note("buttons", "buttons.lost", presses=last.stat.press_lost)


MOST_NAMED = 6
"""More reeds than these that differ mean another position, not reeds that lie."""
MOST_CHANGES = 3
"""Of a reed over which nothing moves, in the few seconds of listening."""


def judge_reeds(rig: Rig, game: Game, frames: Sequence[ReedFrame]) -> list[Finding]:
    """Judge what the reeds showed while nobody touched the board; the last frame is how they are now."""
    closed = frozenset(frames[-1].occupied)
    return [*_chatter(rig, frames), _position(rig, game, closed)]


def set_up(rig: Rig, game: Game) -> frozenset[int]:
    """Return the slots that are closed in the start position of ``game``: the first ones from the rail."""
    heights = dict(zip(POINTS, map(abs, start(game).points), strict=True))
    return frozenset(slot for place, height in heights.items() for slot in rig.slots[place][:height])


def _position(rig: Rig, game: Game, closed: frozenset[int]) -> Finding:
    meant = {"empty": frozenset[int](), "start": set_up(rig, game)}
    name = min(meant, key=lambda name: len(closed ^ meant[name]))
    wrong = closed ^ meant[name]
    if not wrong:
        return ok("reeds", f"reeds.{name}")
    if len(wrong) > MOST_NAMED:
        return note("reeds", "reeds.other", closed=len(closed))
    stuck, dead = closed - meant[name], meant[name] - closed
    if not dead:
        return fault("reeds", f"reeds.{name}_stuck", stuck=_named(rig, stuck))
    if not stuck:
        return fault("reeds", "reeds.start_dead", dead=_named(rig, dead))
    return fault("reeds", "reeds.start_both", stuck=_named(rig, stuck), dead=_named(rig, dead))


def _chatter(rig: Rig, frames: Sequence[ReedFrame]) -> list[Finding]:
    changes = Counter(
        slot for before, after in pairwise(frames) for slot in frozenset(before.occupied) ^ frozenset(after.occupied)
    )
    restless = frozenset(slot for slot, count in changes.items() if count > MOST_CHANGES)
    return [fault("reeds", "reeds.chatter", reeds=_named(rig, restless))] if restless else []


def _named(rig: Rig, slots: frozenset[int]) -> ReedsNamed:
    """Name ``slots``; bits of the chain at which the rig has no reed are left out."""
    at = {slot: (place, index) for place, own in rig.slots.items() for index, slot in enumerate(own, 1)}
    return ReedsNamed(tuple(at[slot] for slot in sorted(slots) if slot in at))


def judge_picture(frame: Frame, asked: tuple[int, int]) -> Iterator[Finding]:
    """Judge size and light; a picture in which nothing can be seen ends with a fault."""
    height, width = frame.shape[:2]
    if (width, height) != asked:
        yield note("camera", "camera.other_size", width=width, height=height, asked=f"{asked[0]}x{asked[1]}")
    level = float(np.median(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)))
    if level < DARK_LEVEL:
        yield fault("camera", "camera.dark")
    elif level > BRIGHT_LEVEL:
        yield fault("camera", "camera.bright")


def judge_pose(pose: BoardPose) -> Finding:
    """Judge where the board lies in the picture."""
    if missing := pose.corners_missing():
        return fault("camera", "camera.corners", corners=", ".join(str(corner + 1) for corner in missing))
    die_px = usual_die_px(pose)
    if die_px < LEAST_DIE_PX:
        return note("camera", "camera.far", px=int(die_px), least=int(LEAST_DIE_PX))
    return ok("camera", "camera.board", px=int(die_px))


LEAST_FREE_MB, FEW_FREE_MB = 100, 1000
"""A match with its pictures takes about 100 MB."""
BORN_YEAR = 2024
"""A clock that shows less has no battery and no network."""
LOW_NOW, LOW_BEFORE = 1 << 0, 1 << 16
"""Bits of ``vcgencmd get_throttled`` for too low a voltage (raspberrypi.com, vcgencmd)."""


def judge_disk(folder: str, free_mb: int, *, writable: bool) -> Finding:
    """Judge the disk that takes the journal."""
    if not writable:
        return fault("disk", "disk.not_writable", folder=folder)
    if free_mb < LEAST_FREE_MB:
        return fault("disk", "disk.full", folder=folder, free=free_mb)
    if free_mb < FEW_FREE_MB:
        return note("disk", "disk.nearly_full", folder=folder, free=free_mb)
    return ok("disk", "disk.free", folder=folder, free=free_mb)


def judge_clock(year: int, synchronised: bool | None) -> Finding:  # noqa: FBT001  # an answer, not a switch
    """Judge the wall clock; ``synchronised`` is None where that cannot be known."""
    if year < BORN_YEAR:
        return fault("clock", "clock.wrong", year=year)
    if synchronised is None:
        return ok("clock", "clock.unknown")
    return ok("clock", "clock.right") if synchronised else note("clock", "clock.alone")


def judge_power(throttled: str) -> Iterator[Finding]:
    """Judge the answer of ``vcgencmd get_throttled`` ("throttled=0x50005"); nothing where it is another."""
    try:
        bits = int(throttled.strip().partition("=")[2], 16)
    except ValueError:
        return
    if bits & LOW_NOW:
        yield fault("power", "power.low")
    elif bits & LOW_BEFORE:
        yield note("power", "power.was_low")
    else:
        yield ok("power", "power.good")
