"""Opening a serial port, with one clear line when it cannot be."""

import errno
import grp
import os
import stat
from pathlib import Path

import serial

from firmware_bridge.messages import BAUD
from firmware_bridge.values import Trouble

BY_ID = Path("/dev/serial/by-id")
WRITE_TIMEOUT_S = 0.5


class PortError(OSError):
    """A port that cannot be opened; ``why`` and ``detail`` are those of a LinkLost."""

    def __init__(self, why: Trouble, detail: str) -> None:
        super().__init__(detail)
        self.why = why
        self.detail = detail


def open_port(port: str, baud: int = BAUD) -> serial.Serial:
    """Open ``port`` for us alone, reads not blocking.

    Raises PortError.
    """
    try:
        if stat.S_ISCHR(Path(port).stat().st_mode):
            return serial.Serial(port, baud, timeout=0, write_timeout=WRITE_TIMEOUT_S, exclusive=True)
    except (OSError, serial.SerialException) as error:
        raise PortError(*explain(port, error)) from error
    raise PortError(Trouble.NOT_SERIAL, f"{port} is not a serial port")


def explain(port: str, error: OSError) -> tuple[Trouble, str]:
    """Return what ``error`` means for somebody who wants to open ``port``."""
    match error.errno:
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            found = ", ".join(boards()) or "none"
            return Trouble.NO_PORT, f"no device at {port}; serial ports here: {found}"
        case errno.EACCES | errno.EPERM:
            return Trouble.NO_PERMISSION, _permission(port)
        case errno.EBUSY | errno.EAGAIN:
            return (
                Trouble.IN_USE,
                f"{port} is in use by another program: close it (a serial monitor, a second referee?)",
            )
        case errno.ENOTTY | None:
            return Trouble.NOT_SERIAL, f"{port} is not a serial port"
        case _:
            return Trouble.UNPLUGGED, f"{port} cannot be used: {error.strerror or error}"


def boards(by_id: Path = BY_ID) -> list[str]:
    """Return the ports under their lasting names, which do not change when another device is plugged in."""
    return sorted(str(path) for path in by_id.iterdir()) if by_id.is_dir() else []


def group_of(port: str) -> str:
    """Return the group that may use ``port``; its number where it has no name, "dialout" where there is no port."""
    try:
        owner = Path(port).stat().st_gid
    except OSError:
        return "dialout"
    try:
        return grp.getgrgid(owner).gr_name
    except KeyError:
        return str(owner)


def user_name() -> str:
    """Return who runs this program."""
    return os.environ.get("USER") or "<user>"


def _permission(port: str) -> str:
    group, who = group_of(port), user_name()
    cure = f"`sudo usermod -aG {group} {who}`, then log in again"
    return f"no permission for {port}: it belongs to the group {group}; {cure}"
