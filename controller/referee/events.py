"""Everything that can happen at the table, as the journal keeps it.

``at`` is host monotonic time in milliseconds, taken at the edge where the thing happened. An event says what a sensor,
a button or a person said; what it means is the fold's business.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

from controller.clock import Millis
from controller.fusion.evidence import BoardLook
from controller.referee.orders import Order
from controller.rules import Ruleset

LATE_MS = 4_000
"""How late something may be heard and still count from the moment at which it happened.

A line of the board that is silent for three seconds is called lost; a press kept there arrives within a second more
when the line is back. What is heard later came from a lost device: people saw its notice, and the arbiter decides.
"""


class Scene(Enum):
    """What the camera sees happening, apart from what lies where."""

    QUIET = "quiet"
    MOVING = "moving"
    HAND = "hand"
    UNREADABLE = "unreadable"
    """Too dark, overexposed, frozen, or the board is out of view."""


class Button(Enum):
    """A button on the table: each player's clock button, and the pause between them."""

    WHITE = "white"
    BLACK = "black"
    PAUSE = "pause"


class BoardPlace(Enum):
    """Where the board lies in the camera's picture."""

    IN_PLACE = "in_place"
    MOVED = "moved"
    """Camera or board was bumped; it has not come to rest, or not been found again yet."""
    OUT_OF_VIEW = "out_of_view"
    TOO_DARK = "too_dark"
    OVEREXPOSED = "overexposed"
    FROZEN = "frozen"
    """The camera hangs: its picture does not change by a single bit."""


class Device(Enum):
    """Something that can be lost and come back while a match runs."""

    CAMERA = "camera"
    REEDS = "reeds"
    BUTTONS = "buttons"
    FEED = "feed"
    JOURNAL = "journal"
    """Lost while the disk takes nothing: what happens meanwhile is written when it takes more."""


class DieState(Enum):
    """How a die lies."""

    FLAT = "flat"
    COCKED = "cocked"
    ON_CHECKER = "on_checker"
    ON_BAR = "on_bar"
    OFF_BOARD = "off_board"
    MOVING = "moving"
    UNSURE = "unsure"


class Half(Enum):
    """A half of the playing surface as the camera sees it: the right one holds p1..p6 and p19..p24."""

    LEFT = "left"
    RIGHT = "right"
    NONE = "none"


class TurnEnd(Enum):
    """How a player says that the turn is over (003:L23)."""

    PRESS = "press"
    """By the button: of the clock, or, where the rules have the bar tapped, of a clock that measures no time."""
    LIFT = "lift"
    """By taking the dice off the board, wherever they are laid then."""
    HANDOVER = "handover"
    """By handing the dice over: they have left the board and do not lie beside it on the mover's own side."""


def turn_end_of(rules: Ruleset, *, buttons: bool = True) -> TurnEnd:
    """How turns end at a table, with or without ``buttons`` to press; a tap on the bar is not seen and needs them."""
    if rules.ends_by_press and buttons:
        return TurnEnd.PRESS
    sign = rules.turn_end_without_clock if rules.ends_by_press else rules.turn_ends_by
    return TurnEnd.HANDOVER if sign == "dice_handover" else TurnEnd.LIFT


class CubeSide(Enum):
    """Where the doubling cube lies: with White, who sits at p1..p12, with Black, or with nobody."""

    NEAR = "near"
    MIDDLE = "middle"
    FAR = "far"
    BETWEEN = "between"
    """It cannot be said."""


Colour = tuple[int, int, int]
"""Blue, green, red, 0..255 each."""


@dataclass(frozen=True, slots=True)
class DieSeen:
    """One die in one look.

    ``u``, ``v`` are fractions of the playing surface (from the p12/p13 side to the p1/p24 side, from the near side to
    the far side), outside 0..1 beside the board. ``faces`` are the chances of 1..6, ``states`` those of each state,
    ``colour`` is that of its top; None where nobody has read it.
    """

    u: float
    v: float
    faces: tuple[float, float, float, float, float, float]
    states: tuple[tuple[DieState, float], ...]
    half: Half
    x_px: float = 0.0
    y_px: float = 0.0
    size_px: float = 0.0
    colour: Colour | None = None


@dataclass(frozen=True, slots=True)
class CubeSeen:
    """The doubling cube in one look; ``value`` is None where its number is not sure."""

    value: int | None
    side: CubeSide


@dataclass(frozen=True, slots=True)
class MatchOpened:
    """The arbiter set up a match; the ruleset travels whole, so that the journal needs no other file to be replayed."""

    at: Millis
    ruleset: str
    rules: Ruleset
    white: str
    black: str
    turn_end: TurnEnd
    seed: int | None = None
    """A number drawn when the match was set up: it decides what the rules leave to chance. None in older journals."""
    kind: Literal["match_opened"] = "match_opened"


@dataclass(frozen=True, slots=True)
class Looked:
    """The camera took a look at a quiet scene."""

    at: Millis
    board: BoardLook
    dice: tuple[DieSeen, ...]
    cube: CubeSeen | None = None
    """None where none was seen or none is played with."""
    kind: Literal["looked"] = "looked"


@dataclass(frozen=True, slots=True)
class RollingDice:
    """Dice as far as a frame shows them while something moves: which of them roll on, which have stopped."""

    at: Millis
    dice: tuple[DieSeen, ...]
    kind: Literal["glimpsed"] = "glimpsed"


@dataclass(frozen=True, slots=True)
class SceneChanged:
    """The scene became quiet, began to move, or a hand came into view."""

    at: Millis
    scene: Scene
    kind: Literal["scene_changed"] = "scene_changed"


@dataclass(frozen=True, slots=True)
class ReedsChanged:
    """The reeds as they are now: (row, closed switches, switches in the row).

    Rows 0..23 are p1..p24, 24 is White's half of the bar and 25 Black's, 26 White's tray and 27 Black's. Nothing at
    all: the reeds are lost. Trays are kept for the record; what was borne off follows from the rest of the board.
    """

    at: Millis
    closed: tuple[tuple[int, int, int], ...]
    kind: Literal["reeds_changed"] = "reeds_changed"


class SlotFault(Enum):
    """How a reed lies."""

    STUCK = "stuck"
    DEAD = "dead"
    CHATTERING = "chattering"
    SWAPPED = "swapped"


@dataclass(frozen=True, slots=True)
class SlotDoubted:
    """A reed was found to lie. ``row`` is one of ``ReedsChanged``, ``slot`` counts on its place from 1 at the rail.

    ``other`` is the (row, slot) that an exchanged one answers for.
    """

    at: Millis
    row: int
    slot: int
    fault: SlotFault
    other: tuple[int, int] | None = None
    kind: Literal["slot_doubted"] = "slot_doubted"


@dataclass(frozen=True, slots=True)
class Pressed:
    """Somebody pressed a button; ``at`` is when the finger did, not when the host heard of it."""

    at: Millis
    button: Button
    kind: Literal["pressed"] = "pressed"


@dataclass(frozen=True, slots=True)
class Ordered:
    """The arbiter, or a player through the panel, gave an order."""

    at: Millis
    who: str
    order: Order
    note: str = ""
    """Why, as they gave it."""
    kind: Literal["ordered"] = "ordered"


@dataclass(frozen=True, slots=True)
class Ticked:
    """A second passed while a clock ran: a checkpoint for a restart, and the moment a flag can fall."""

    at: Millis
    kind: Literal["ticked"] = "ticked"


@dataclass(frozen=True, slots=True)
class Restarted:
    """The service started again; monotonic time may have begun anew, so ``at`` belongs to the new count."""

    at: Millis
    kind: Literal["restarted"] = "restarted"


@dataclass(frozen=True, slots=True)
class DeviceChanged:
    """A device was lost or came back; ``why`` is a key of the texts under ``device.why``."""

    at: Millis
    device: Device
    up: bool
    why: str = field(default="")
    kind: Literal["device_changed"] = "device_changed"


@dataclass(frozen=True, slots=True)
class BoardChecked:
    """The board is no longer where it lay in the picture, or it is found again.

    ``missing`` are the corners (0 to 3 for p1, p12, p13, p24) that have left the picture, ``size`` its (width, height)
    where it is another one than the board was measured in.
    """

    at: Millis
    place: BoardPlace
    missing: tuple[int, ...] = ()
    size: tuple[int, int] | None = None
    kind: Literal["board_checked"] = "board_checked"


Event = (
    MatchOpened
    | Looked
    | RollingDice
    | SceneChanged
    | ReedsChanged
    | SlotDoubted
    | Pressed
    | Ordered
    | Ticked
    | Restarted
    | DeviceChanged
    | BoardChecked
)

__all__ = [
    "BoardChecked",
    "BoardPlace",
    "Button",
    "Colour",
    "CubeSeen",
    "CubeSide",
    "Device",
    "DeviceChanged",
    "DieSeen",
    "DieState",
    "Event",
    "Half",
    "Looked",
    "MatchOpened",
    "Ordered",
    "Pressed",
    "ReedsChanged",
    "Restarted",
    "RollingDice",
    "Scene",
    "SceneChanged",
    "SlotDoubted",
    "SlotFault",
    "Ticked",
    "TurnEnd",
    "turn_end_of",
]
