"""A rig: which slot lies where, and which pin does what. Read from ``hardware/rig/*.toml``."""

import binascii
import json
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from firmware_bridge.handshake import Expected
from firmware_bridge.messages import MAX_SLOTS
from firmware_bridge.values import ButtonName

POINTS = tuple(f"p{number}" for number in range(1, 25))
PLACES = (*POINTS, "bar_white", "bar_black", "tray_white", "tray_black")
PINS: dict[str, tuple[str, ...]] = {
    # PD0, PD1 are the serial line, PB6, PB7 the resonator, PC6 the reset.
    "atmega328p": tuple(
        f"P{port}{pin}" for port, pins in (("B", "012345"), ("C", "012345"), ("D", "234567")) for pin in pins
    ),
    # 0 and 1 read the identity of boards on top of the Pi.
    "pi": tuple(f"GPIO{number}" for number in range(2, 28)),
}
HOMES = (Path(__file__).parent / "rigs", Path(__file__).parents[1] / "hardware" / "rig")
"""Where the rigs that come with the project lie: in an installed package, and in its source tree."""

LampName = Literal["white_turn", "black_turn", "accepted", "refused", "please_look"]
Above0 = Annotated[float, Field(gt=0)]


class RigError(ValueError):
    """A rig file that contradicts itself; the message names file, key and what is allowed."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Board(_Part):
    """Sizes of board and checkers, millimetres."""

    checker_diameter_mm: Above0
    checker_height_mm: Above0
    point_pitch_mm: Above0
    slot_pitch_mm: Above0
    bar_width_mm: Above0
    field_depth_mm: Above0
    tray_floor_mm: Above0
    """Wood and felt between the middle of the reed's glass and the checker."""


class Magnet(_Part):
    """The disc magnet in each checker, upright (its poles up and down)."""

    diameter_mm: Above0
    height_mm: Above0
    remanence_t: Above0
    depth_mm: Above0
    """Its lower face above the underside of the checker."""


class Reed(_Part):
    """The reed switch under each slot, lying flat along the point."""

    operate_at: Above0
    """Ampere-turns at which it closes."""
    release_at: Above0
    """Ampere-turns at which it opens again."""
    glass_length_mm: Above0
    off_middle_mm: Above0
    """Distance of its middle from the middle of the slot, along the point; see hardware/README.md."""


class Chain(_Part):
    """The shift registers that read the reeds."""

    registers: Annotated[int, Field(ge=1, le=MAX_SLOTS // 8)]
    load: str
    clock: str
    output: str


class Buzzer(_Part):
    """What sounds."""

    pin: str


class Rig(_Part):
    """One way to build the board."""

    name: Annotated[str, Field(min_length=1)]
    controller: Literal["atmega328p", "pi"]
    buttons: dict[ButtonName, str]
    lamps: dict[LampName, str] = Field(default_factory=dict)
    """Pin by name; the number of a lamp is its rank here."""
    buzzer: Buzzer | None = None
    chain: Chain | None = None
    slots: dict[str, tuple[int, ...]] = Field(default_factory=dict)
    """Slot numbers by place, the one at the rail first. A slot's number is its bit in the chain."""
    board: Board | None = None
    magnet: Magnet | None = None
    reed: Reed | None = None

    @classmethod
    def load(cls, rig: str | Path) -> Self:
        """Read a rig file, or one that comes with the project by its name ("full").

        Raises RigError.
        """
        path = _find(rig)
        try:
            return cls.model_validate(tomllib.loads(path.read_text("utf-8")))
        except ValidationError as error:
            first = error.errors()[0]
            key = ".".join(map(str, first["loc"]))
            what = str(first["msg"]).removeprefix("Value error, ")
            msg = f"{path}: {key}{': ' if key else ''}{what}"
            raise RigError(msg) from None
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            msg = f"{path}: {getattr(error, 'strerror', None) or error}"
            raise RigError(msg) from None

    @model_validator(mode="after")
    def _wired_once(self) -> Self:
        seen: dict[str, str] = {}
        for use, pin in self.pins().items():
            free = PINS[self.controller]
            if pin not in free:
                msg = f"{use}: {pin!r} is no free pin of the {self.controller}; allowed: {', '.join(free)}"
                raise ValueError(msg)
            if pin in seen:
                msg = f"pin {pin} is used twice: for {seen[pin]} and for {use}"
                raise ValueError(msg)
            seen[pin] = use
        if self.controller == "atmega328p" and self.buzzer and self.buzzer.pin != "PB1":
            msg = f"buzzer.pin: on the atmega328p only PB1 (OC1A) can sound a pitch, got {self.buzzer.pin!r}"
            raise ValueError(msg)
        if self.controller == "pi" and self.chain:
            self._spi_free(seen)
        if missing := {"white", "black"} - set(self.buttons):
            msg = f"buttons: the {min(missing)} clock button has no pin"
            raise ValueError(msg)
        return self

    def _spi_free(self, seen: dict[str, str]) -> None:
        chain = self.chain
        if chain and (chain.clock, chain.output) != ("GPIO11", "GPIO9"):
            msg = f"chain: SPI 0 of the Pi clocks on GPIO11 and reads on GPIO9, got {chain.clock} and {chain.output}"
            raise ValueError(msg)
        for pin in ("GPIO8", "GPIO10"):
            if pin in seen:
                msg = f"{seen[pin]}: {pin} belongs to SPI 0, which reads the chain"
                raise ValueError(msg)

    @model_validator(mode="after")
    def _one_sensor_a_bit(self) -> Self:
        owner: dict[int, str] = {}
        for place, bits in self.slots.items():
            if place not in PLACES:
                msg = f"slots.{place}: no such place; places: p1 to p24, {', '.join(PLACES[24:])}"
                raise ValueError(msg)
            for bit in bits:
                if not 0 <= bit < self.slot_count:
                    msg = f"slots.{place}: bit {bit} is not in the chain, which has {self.slot_count} bits from 0"
                    raise ValueError(msg)
                if bit in owner:
                    msg = f"slots.{place}: two sensors on bit {bit}; {owner[bit]} has it already"
                    raise ValueError(msg)
                owner[bit] = place
        if self.chain and (bare := [point for point in POINTS if not self.slots.get(point)]):
            msg = f"slots.{bare[0]}: every point needs at least one slot"
            raise ValueError(msg)
        return self

    @property
    def slot_count(self) -> int:
        """Slots in the chain, used or not."""
        return 8 * self.chain.registers if self.chain else 0

    def place_of(self, slot: int) -> tuple[str, int]:
        """Return the place of ``slot`` and its index there, 0 at the rail.

        Raises RigError for a slot that no place has.
        """
        try:
            return self._places[slot]
        except KeyError:
            msg = f"rig {self.name}: no place has slot {slot}"
            raise RigError(msg) from None

    def occupied_places(self, occupied: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
        """Return the occupied indices by place, of a ReedFrame's slots; slots of no place are left out."""
        found: dict[str, list[int]] = {}
        for slot in occupied:
            if at := self._places.get(slot):
                found.setdefault(at[0], []).append(at[1])
        return {place: tuple(sorted(indices)) for place, indices in found.items()}

    def lamp_number(self, lamp: str) -> int:
        """Return the number of ``lamp`` in a Lamp command.

        Raises RigError for a lamp the rig does not have.
        """
        names = list(self.lamps)
        for number, name in enumerate(names):
            if name == lamp:
                return number
        msg = f"rig {self.name}: no lamp {lamp!r}; it has {', '.join(names) or 'none'}"
        raise RigError(msg)

    def pins(self) -> dict[str, str]:
        """Return every pin in use, by what it does ("button white", "chain load")."""
        used = {f"button {name}": pin for name, pin in self.buttons.items()}
        used |= {f"lamp {name}": pin for name, pin in self.lamps.items()}
        if self.buzzer:
            used["buzzer"] = self.buzzer.pin
        if self.chain:
            used |= {"chain load": self.chain.load, "chain clock": self.chain.clock, "chain output": self.chain.output}
        return used

    def fingerprint(self) -> int:
        """Return 16 bits that change when the firmware would have to: pins, registers, order of lamps."""
        wired = [self.controller, list(self.pins().items()), self.slot_count]
        return binascii.crc_hqx(json.dumps(wired).encode(), 0xFFFF)

    def expected(self) -> Expected:
        """Return what a BoardLink should find."""
        return Expected(self.slot_count, self.fingerprint())

    @cached_property
    def _places(self) -> dict[int, tuple[str, int]]:
        return {slot: (place, index) for place, slots in self.slots.items() for index, slot in enumerate(slots)}


def _find(rig: str | Path) -> Path:
    path = Path(rig)
    if path.suffix == ".toml":
        return path
    for home in HOMES:
        if (home / f"{rig}.toml").is_file():
            return home / f"{rig}.toml"
    known = sorted({file.stem for home in HOMES if home.is_dir() for file in home.glob("*.toml")})
    msg = f"no rig {str(rig)!r}; known: {', '.join(known) or 'none'}, or give a path that ends in .toml"
    raise RigError(msg)
