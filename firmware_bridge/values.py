"""What the bridge reports to the rest of the program: frozen values, each with its moment on the host's clock."""

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from firmware_bridge.clocks import Micros
from firmware_bridge.messages import Command, Hello, Refusal, Stat

ButtonName = Literal["white", "black", "pause"]


class Trouble(Enum):
    """Why there is no link to the board."""

    NO_PORT = "no_port"
    NO_PERMISSION = "no_permission"
    IN_USE = "in_use"
    NOT_SERIAL = "not_serial"
    SILENT = "silent"
    """Nothing came in after the port was opened."""
    FOREIGN = "foreign"
    """Something came in, but not from our firmware."""
    OLD_FIRMWARE = "old_firmware"
    """The protocol's major version differs, older or newer."""
    WRONG_RIG = "wrong_rig"
    """The firmware was built for another number of slots."""
    UNPLUGGED = "unplugged"
    STOPPED = "stopped"
    """A board that had been talking fell silent."""
    RESTARTED = "restarted"
    """The microcontroller started again; a LinkBack follows at once."""


@dataclass(frozen=True, slots=True)
class ReedFrame:
    """All slots on which a checker lies. Comes when that changes, and after each loss that was healed."""

    at_us: Micros
    """When the reeds changed, by the board's clock."""
    occupied: tuple[int, ...]
    """Slot numbers, rising."""


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """A button went down. Comes exactly once for each press."""

    at_us: Micros
    """When the contact first closed, by the clock of the board or of the pin's interrupt."""
    button: ButtonName
    count: int
    """Number of the press in its session; together with the session it names the press for ever."""
    session: int = 0


@dataclass(frozen=True, slots=True)
class LinkLost:
    """The board cannot be reached. Reported once, however long it lasts."""

    at_us: Micros
    why: Trouble
    detail: str
    """One line for the log or the doctor: what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class LinkBack:
    """The board answers, for the first time or again."""

    at_us: Micros
    hello: Hello
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SensorsLost:
    """The link works but no keyframe came for three periods: the state of the reeds is unknown."""

    at_us: Micros


@dataclass(frozen=True, slots=True)
class SensorsBack:
    """Keyframes come again."""

    at_us: Micros


@dataclass(frozen=True, slots=True)
class Gap:
    """Frames were lost on the line; a keyframe has put the slots right."""

    at_us: Micros
    frames: int
    """How many never came."""
    healed_after_us: int


@dataclass(frozen=True, slots=True)
class CommandDone:
    """What became of a command."""

    at_us: Micros
    command: Command
    refusal: Refusal | None = None
    """Set when the board refused."""
    answered: bool = True
    """False when the board did not answer three tries, or the link was lost first."""


@dataclass(frozen=True, slots=True)
class Health:
    """The board's counters, and the host's for the same line."""

    at_us: Micros
    stat: Stat
    rejects: int
    """Frames from the board that were thrown away since the program started."""
    lost: int
    """Frames of the board that never came, likewise."""
    round_trip_us: int | None
    """Shortest of the last pings; None before the first answer."""


LinkValue = ReedFrame | ButtonPress | LinkLost | LinkBack | SensorsLost | SensorsBack | Gap | CommandDone | Health
