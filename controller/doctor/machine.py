"""Disk, clock and power of the machine. Pure: the figures come in as arguments."""

from collections.abc import Iterator

from controller.doctor.findings import Finding, fault, note, ok

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
