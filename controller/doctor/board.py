"""Is the board on its port, with the right firmware, and does it keep talking? Judges what a link reported. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from controller.doctor.findings import Finding, fault, note, ok
from controller.doctor.reeds import judge_reeds
from controller.rules import Game
from firmware_bridge.handshake import flash_command
from firmware_bridge.messages import (
    BAUD,
    PROTOCOL_MAJOR,
    PROTOCOL_MINOR,
    PROTOCOL_TABLES,
    Hello,
    ResetCause,
)
from firmware_bridge.rig import Rig
from firmware_bridge.values import Health, LinkBack, LinkLost, LinkValue, ReedFrame, SensorsLost, Trouble

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
