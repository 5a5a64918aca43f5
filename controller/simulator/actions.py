"""Everything that can happen at the virtual table, one small value an action.

The table is the fold of its actions (`table_state.py`), and the table file is nothing but these values.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from controller.rules import Side
from controller.simulator.layout import Place
from controller.simulator.world import Checker, Die, TablePosition, View


class PlannedFault(Enum):
    """A thing that goes wrong on purpose. Throws carry the names under which a referee has to void them."""

    ILLEGAL_PLAY = "illegal_play"
    COCKED = "cocked"
    SPLIT_HALVES = "split_halves"
    WRONG_HALF = "wrong_half"
    OFF_BOARD = "off_board"
    ON_CHECKER = "on_checker"
    ON_BAR = "on_bar"
    KESTUM = "kestum"
    PREMATURE = "premature"
    HAND_IN_VIEW = "hand_in_view"
    BUMPED_CAMERA = "bumped_camera"


class Verb(Enum):
    """What the arbiter can tell the referee."""

    START = "start"
    CONFIRM = "confirm"
    REFUSE = "refuse"
    CORRECT = "correct"
    SET_ROLL = "set_roll"
    VOID_THROW = "void_throw"
    RESUME = "resume"
    KESTUM = "kestum"
    """What the thrower's opponent calls out, and somebody has to enter."""


@dataclass(frozen=True, slots=True)
class Move:
    """One checker carried from one place to another, by White's numbering."""

    side: Side
    source: Place
    target: Place


@dataclass(frozen=True, slots=True)
class SetUp:
    """All checkers are put into the start position of game number ``game``."""

    game: int
    checkers: tuple[Checker, ...]
    kind: Literal["set_up"] = "set_up"


@dataclass(frozen=True, slots=True)
class OpeningBegins:
    """The players take one die each."""

    kind: Literal["opening_begins"] = "opening_begins"


@dataclass(frozen=True, slots=True)
class TurnBegins:
    """It is ``side``'s turn to throw; turns of a game count from 1."""

    side: Side
    number: int
    kind: Literal["turn_begins"] = "turn_begins"


@dataclass(frozen=True, slots=True)
class Reach:
    """A hand comes into view, or moves on, with the fingers over a spot."""

    side: Side
    u: float
    v: float
    kind: Literal["reach"] = "reach"


@dataclass(frozen=True, slots=True)
class Away:
    """The hand leaves the view."""

    kind: Literal["away"] = "away"


@dataclass(frozen=True, slots=True)
class Lift:
    """The hand takes checker number ``index``."""

    index: int
    kind: Literal["lift"] = "lift"


@dataclass(frozen=True, slots=True)
class Put:
    """The hand puts checker number ``index`` down as ``checker``, with the fingers at ``u``, ``v``."""

    index: int
    checker: Checker
    u: float
    v: float
    kind: Literal["put"] = "put"


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice leave the cup and roll: where they are for an instant is in ``dice``."""

    side: Side
    dice: tuple[Die, ...]
    kind: Literal["throw"] = "throw"


@dataclass(frozen=True, slots=True)
class Rest:
    """The thrown dice have come to rest; ``fault`` says why the throw is void, None: it is good."""

    side: Side
    dice: tuple[Die, ...]
    fault: PlannedFault | None = None
    kind: Literal["rest"] = "rest"


@dataclass(frozen=True, slots=True)
class LiftDice:
    """A player puts the dice back into the cup; without a clock this ends the turn."""

    side: Side
    ends_turn: bool = False
    kind: Literal["lift_dice"] = "lift_dice"


@dataclass(frozen=True, slots=True)
class TookRoll:
    """The players saw that the throw was read; ``side`` is to play it."""

    ruling_id: str
    side: Side
    roll: tuple[int, int]
    kind: Literal["took_roll"] = "took_roll"


@dataclass(frozen=True, slots=True)
class SawVoid:
    """The players saw that the throw does not count."""

    ruling_id: str
    reason: str
    kind: Literal["saw_void"] = "saw_void"


@dataclass(frozen=True, slots=True)
class Chose:
    """The player knows what to play: the moves by hand, the position they lead to, what is wrong with it."""

    notation: str
    end: TablePosition
    moves: tuple[Move, ...]
    wrong: tuple[str, ...] = ()
    kind: Literal["chose"] = "chose"


@dataclass(frozen=True, slots=True)
class Press:
    """A finger presses the player's clock button; ``fault`` when a hand is left in view meanwhile."""

    side: Side
    fault: PlannedFault | None = None
    kind: Literal["press"] = "press"


@dataclass(frozen=True, slots=True)
class Release:
    """The finger leaves the button."""

    side: Side
    kind: Literal["release"] = "release"


@dataclass(frozen=True, slots=True)
class SawAccepted:
    """The players saw that the play was accepted."""

    ruling_id: str
    kind: Literal["saw_accepted"] = "saw_accepted"


@dataclass(frozen=True, slots=True)
class SawRefused:
    """The players saw that the play was refused."""

    ruling_id: str
    kind: Literal["saw_refused"] = "saw_refused"


@dataclass(frozen=True, slots=True)
class Helped:
    """The arbiter, who knows what happened, tells the referee; only what the verb needs is set."""

    verb: Verb
    ruling: str = ""
    hypothesis: int = 0
    roll: tuple[int, int] | None = None
    position: TablePosition | None = None
    turn: Side | None = None
    overrules: bool = False
    """An accepted play is taken back."""
    kind: Literal["helped"] = "helped"


@dataclass(frozen=True, slots=True)
class Answers:
    """``side`` answers an offered double; ``value`` is what the cube shows once it is taken."""

    side: Side
    takes: bool
    value: int
    kind: Literal["answers"] = "answers"


@dataclass(frozen=True, slots=True)
class Bump:
    """Somebody knocks against the camera's arm: from now on it looks from ``view``."""

    view: View
    kind: Literal["bump"] = "bump"


@dataclass(frozen=True, slots=True)
class GameEnds:
    """A side has borne off everything, or the referee shows that the game has ended; a draw has no winner."""

    winner: Side | None
    result: str
    points: int
    kind: Literal["game_ends"] = "game_ends"


@dataclass(frozen=True, slots=True)
class MatchEnds:
    """The players get up."""

    kind: Literal["match_ends"] = "match_ends"


Action = (
    SetUp
    | OpeningBegins
    | TurnBegins
    | Reach
    | Away
    | Lift
    | Put
    | Throw
    | Rest
    | LiftDice
    | TookRoll
    | SawVoid
    | Chose
    | Press
    | Release
    | SawAccepted
    | SawRefused
    | Helped
    | Answers
    | Bump
    | GameEnds
    | MatchEnds
)


@dataclass(frozen=True, slots=True)
class TableEntry:
    """An action and when it was done, in milliseconds of table time."""

    at_ms: int
    action: Annotated[Action, Field(discriminator="kind")]


_ENTRY: TypeAdapter[TableEntry] = TypeAdapter(TableEntry)


def written(entry: TableEntry) -> bytes:
    """Return ``entry`` as one JSON line without its newline."""
    return _ENTRY.dump_json(entry, exclude_defaults=False)


def read(line: bytes) -> TableEntry:
    """Return the entry of one JSON line.

    Raises pydantic.ValidationError (a ValueError) when it is none.
    """
    return _ENTRY.validate_json(line)
