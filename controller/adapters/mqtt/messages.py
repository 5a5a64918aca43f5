"""What a board publishes: one frozen model a topic, under ``nardy/v1/<club>/<board>/<name>``.

Places are White's own points p1..p24 (p1 drawn bottom right, p12 bottom left, p13 top left, p24 top right);
checkers are signed there: +n white, -n black. Notation is the mover's own numbering, as players write it.
Times are milliseconds of the referee's monotonic clock, and UTC beside them for people.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from controller.adapters.shown import ShownPhase
from controller.referee.events import Device, DieState, Half
from controller.referee.orders import ClaimKind
from controller.referee.rulings import Judge, PlayVerdict, ThrowOutcome
from controller.rules import Game, Kind, Side

VERSION = 1
"""Grows when a reader of the old shape would misread the new one."""


def _one_of(*closed_lists: type[Enum] | tuple[Enum, ...]) -> tuple[AfterValidator, WithJsonSchema]:
    """Annotations of a text that is the value of a member of the domain's own ``closed_lists``; each value once."""
    values = tuple(dict.fromkeys(str(member.value) for closed in closed_lists for member in closed))

    def known(text: str) -> str:
        if text not in values:
            listed = {"expected": " or ".join((", ".join(map(repr, values[:-1])), repr(values[-1])))}
            raise PydanticCustomError("one_of", "Input should be {expected}", listed)
        return text

    return AfterValidator(known), WithJsonSchema({"enum": list(values), "type": "string"})


ResignKind = Annotated[str, *_one_of(tuple(kind for kind in Kind if kind not in {Kind.DROP, Kind.DRAW}))]
ResultKind = Annotated[str, *_one_of(Kind)]
SideName = Annotated[str, *_one_of(Side)]
ClaimAbout = Annotated[str, *_one_of(ClaimKind)]
HalfName = Annotated[str, *_one_of(Half)]
DieStateName = Annotated[str, *_one_of(DieState)]
DeviceName = Annotated[str, *_one_of(Device)]
Phase = Annotated[str, *_one_of(ShownPhase)]
Verdict = Annotated[str, *_one_of(PlayVerdict, ThrowOutcome)]
"""A play is accepted, refused or please_look; a throw is valid, re_roll or please_look."""

Face = Annotated[int, Field(ge=1, le=6)]
Count = Annotated[int, Field(ge=0, le=15)]
Checkers = Annotated[int, Field(ge=-15, le=15)]
ReserveMs = Annotated[int, Field(ge=0)]
Probability = Annotated[float, Field(ge=0.0, le=1.0)]


class Part(BaseModel):
    """A frozen piece of a message; a key nobody defined is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Content(Part):
    """The content of one topic, without the stamp the feed puts on it."""

    topic: ClassVar[str]
    retained: ClassVar[bool]


class Stamp(Part):
    """What every message carries besides its content."""

    v: Literal[1] = Field(description="version of the message's shape")
    seq: Annotated[int, Field(ge=0)] = Field(description="counts every message of the session: a gap is a loss")
    session: str = Field(description="new each time the referee starts")
    utc: AwareDatetime = Field(description="when it was said, for people")
    mono_ms: int = Field(description="when it was said, on the referee's monotonic clock")


class Texts(Part):
    """The same sentence in both languages."""

    en: str
    ru: str


class BoardPosition(Part):
    """Where the checkers are, from White's own view."""

    points: tuple[Checkers, ...] = Field(min_length=24, max_length=24, description="p1 first; +n white, -n black")
    bar: tuple[Count, Count] = Field(default=(0, 0), description="white, black")
    off: tuple[Count, Count] = Field(default=(0, 0), description="borne off: white, black")


class DieShown(Part):
    """One die as it lies; u runs left to right and v bottom to top over the playing surface, 0..1 inside it."""

    value: Face | None = None
    u: float
    v: float
    half: HalfName = "none"
    state: DieStateName = "flat"


class PlayedTurn(Part):
    """One line of the list of last plays."""

    turn: Annotated[int, Field(ge=1)]
    side: SideName
    roll: tuple[Face, Face] | None
    notation: str
    verdict: Verdict


class StatusMessage(Content):
    """Is the referee there; the broker itself says ``offline`` when the link breaks (last will)."""

    topic = "status"
    retained = True

    status: Literal["online", "stopped", "offline"]


class Players(Part):
    """Who sits where."""

    white: str
    black: str


class ScoreShown(Part):
    """Points won in the match so far."""

    white: Annotated[int, Field(ge=0)] = 0
    black: Annotated[int, Field(ge=0)] = 0


class CubeShown(Part):
    """The doubling cube: its value, whose it is (none = centred), and an offer on the table."""

    value: Annotated[int, Field(ge=1)] = 1
    owner: SideName | None = None
    offered_by: SideName | None = None
    beaver: bool = Field(default=False, description="an offered cube can be turned once more")
    offered_value: int | None = Field(default=None, description="what the cube would be worth when the offer is taken")
    answer_by: SideName | None = Field(default=None, description="who has to take or pass an offer")


class RulesetName(Part):
    """The ruleset's preset name and what people call it."""

    name: str
    title: Texts


class Counted(Part):
    """How often something was counted against or for each side in the match."""

    white: Annotated[int, Field(ge=0)] = 0
    black: Annotated[int, Field(ge=0)] = 0


class MatchMessage(Content):
    """What is being played, by whom, and how it stands."""

    topic = "match"
    retained = True

    match: str = Field(description="id of the match")
    players: Players
    ruleset: RulesetName
    game: Annotated[str, *_one_of(Game)]
    length: Annotated[int, Field(ge=0)] = Field(description="points to win; 0 = no limit")
    score: ScoreShown = ScoreShown()
    game_number: Annotated[int, Field(ge=1)] = 1
    crawford: bool = False
    kestum: bool = Field(default=False, description="a throw can be called void while it rolls")
    cube: CubeShown | None = None
    resign_kinds: tuple[ResignKind, ...] = Field(
        default=("oin", "mars", "koks"), description="what can be conceded under this ruleset, cheapest first"
    )
    cube_faces: tuple[Annotated[int, Field(ge=1)], ...] = Field(default=(), description="what the cube may show")
    draw: bool = Field(default=False, description="the ruleset knows a drawn game")
    warnings: Counted = Counted()
    breaks: Counted = Field(default=Counted(), description="breaks taken")
    breaks_allowed: Annotated[int, Field(ge=0)] = Field(default=0, description="breaks of each player; 0 = no number")


class ClaimShown(Part):
    """A player's claim or appeal."""

    side: SideName
    about: ClaimAbout
    ruling: str | None = Field(default=None, description="id of the ruling that it is about")
    texts: Texts


class StateMessage(Content):
    """The board as the referee holds it true, and what it waits for."""

    topic = "state"
    retained = True

    phase: Phase
    turn: Annotated[int, Field(ge=0)] = Field(default=0, description="number of the turn in this game; 0 before it")
    side: SideName | None = None
    position: BoardPosition
    pips: tuple[int, int] | None = Field(default=None, description="pip count: white, black")
    roll: tuple[Face, Face] | None = Field(default=None, description="the valid throw, larger first")
    dice: tuple[DieShown, ...] = ()
    last_plays: tuple[PlayedTurn, ...] = Field(default=(), description="newest last")
    waiting_for: Texts | None = Field(default=None, description="what the referee expects next")
    claim: ClaimShown | None = Field(default=None, description="a claim that waits for the arbiter's answer")
    undo: Texts | None = Field(default=None, description="what the order undo would take back")


class ClockMessage(Content):
    """Both reserves at one moment; sent on a change only, readers count on from ``asof``."""

    topic = "clock"
    retained = True

    running: SideName | None
    white_ms: ReserveMs
    black_ms: ReserveMs
    delay_ms: ReserveMs = Field(default=0, description="free time at the start of each turn")
    delay_ms_left: ReserveMs = 0
    asof_mono_ms: int
    asof_utc: AwareDatetime
    paused: Texts | None = Field(default=None, description="why nothing runs, when the clock was halted")
    timed: bool = Field(default=True, description="false where nobody's time is counted: there is no reserve to show")
    flag: SideName | None = None


class EventMessage(Content):
    """A notice that no other topic carries: how board, cube and checkers lie, a resignation, a refused order."""

    topic = "event"
    retained = False

    kind: Literal["device", "cube", "checkers", "resignation", "refused_command"]
    at_mono_ms: int
    texts: Texts


class HypothesisShown(Part):
    """One explanation of what was seen."""

    probability: Probability
    notation: str | None = None
    roll: tuple[Face, Face] | None = None
    position: BoardPosition | None = None
    legal: bool = True
    texts: Texts | None = None


class Picture(Part):
    """A frame the ruling rests on; ``url`` is relative to the arbiter's page."""

    url: str
    at_mono_ms: int
    texts: Texts | None = None
    die: DieShown | None = Field(default=None, description="the die that this is a close-up of; none: the whole frame")


class RulingMessage(Content):
    """The last ruling, with everything the referee saw."""

    topic = "ruling"
    retained = True

    id: str
    subject: Literal["play", "throw"]
    verdict: Verdict
    turn: int
    side: SideName | None
    roll: tuple[Face, Face] | None = None
    notation: str | None = None
    reason: str | None = Field(default=None, description="key of the fault, such as blocked_point")
    texts: Texts | None = Field(default=None, description="the reason in words")
    clause: Texts | str | None = Field(default=None, description="the paragraph's number, or its words")
    source: str | None = None
    hypotheses: tuple[HypothesisShown, ...] = Field(default=(), description="most probable first")
    before: BoardPosition | None = None
    seen: BoardPosition | None = Field(default=None, description="the position the camera and the reeds show")
    would_be_legal: tuple[str, ...] = ()
    dice: tuple[DieShown, ...] = Field(default=(), description="how the dice of a ruling on a throw lie")
    pictures: tuple[Picture, ...] = ()
    decided_by: Annotated[str, *_one_of(Judge)] = Judge.REFEREE.value
    needs_arbiter: bool = False
    written: bool = Field(default=True, description="false while the journal, which could not be written, lacks it")


class ResultMessage(Content):
    """How the last finished game ended."""

    topic = "result"
    retained = True

    match: str
    game_number: Annotated[int, Field(ge=1)]
    winner: SideName | None = Field(description="null: a draw")
    kind: ResultKind
    points: Annotated[int, Field(ge=0)]
    cube: Annotated[int, Field(ge=1)] = Field(default=1, description="its value when the game ended")
    score: ScoreShown
    match_over: bool
    texts: Texts


class DeviceHealth(Part):
    """How one device is; ``off`` means the board was set up without it."""

    state: Literal["ok", "weak", "lost", "off"]
    texts: Texts | None = None


def _every_device(devices: Mapping[str, DeviceHealth]) -> Mapping[str, DeviceHealth]:
    missing = [device.value for device in Device if device.value not in devices]
    if missing:
        raise PydanticCustomError("missing_devices", "Missing: {names}", {"names": ", ".join(missing)})
    return devices


class HealthMessage(Content):
    """How the devices are."""

    topic = "health"
    retained = True

    devices: Annotated[Mapping[DeviceName, DeviceHealth], AfterValidator(_every_device)]


CONTENTS: tuple[type[Content], ...] = (
    StatusMessage,
    MatchMessage,
    StateMessage,
    ClockMessage,
    EventMessage,
    RulingMessage,
    ResultMessage,
    HealthMessage,
)
"""Every topic's model, ``cmd`` apart (see ``commands``)."""
