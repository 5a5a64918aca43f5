"""The settings of one board as frozen values, one class a table.

``docs/settings.md`` describes each key for people; a test holds the two together.
"""

from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, model_validator
from pydantic_core import PydanticCustomError

from controller.rules import Ruleset, house_rules, presets, ruleset
from controller.settings.problems import shown

Fraction = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Pixel = Annotated[float, Field(ge=-10_000, le=20_000, allow_inf_nan=False)]
Spot = tuple[Pixel, Pixel]
Port = Annotated[int, Field(ge=0, le=65_535)]
Pin = Annotated[int, Field(ge=0, le=27)]
"""A GPIO by its BCM number, as on the 40-pin header."""
SECRETS = frozenset({"password", "arbiter_pin"})
Name = Annotated[str, Field(min_length=1, max_length=60)]


def _wrong(*, got: object, allowed: str, **values: object) -> PydanticCustomError:
    """Return the error of a value; ``allowed`` is what may stand there, a key below ``settings.allowed``."""
    context = {"got": shown(got), "allowed": f"settings.allowed.{allowed}", **values}
    return PydanticCustomError("not_allowed", "{allowed}", context)


def _together(*, key: str, problem: str, **values: object) -> PydanticCustomError:
    """Return the error of a ``key`` that is wrong only beside others of its section."""
    context = {"at": key, "problem": f"settings.together.{problem}", **values}
    return PydanticCustomError("together", "{problem}", context)


def _topic_level(name: str) -> str:
    if not name or len(name) > 40 or any(c in "/+#.*>$" or c.isspace() or not c.isprintable() for c in name):
        raise _wrong(got=name, allowed="topic_level")
    return name


def _websocket(address: str) -> str:
    if not address.startswith(("ws://", "wss://")):
        raise _wrong(got=address, allowed="websocket")
    return address


def _arbiter_pin(pin: SecretStr) -> SecretStr:
    if not 4 <= len(pin.get_secret_value()) <= 12:
        raise _wrong(got="***", allowed="arbiter_pin")
    return pin


def _known_ruleset(name: str) -> str:
    if name not in presets() and not name.endswith(".toml"):
        raise _wrong(got=name, allowed="ruleset", presets=", ".join(presets()))
    return name


def _broker(address: str) -> str:
    if address == "embedded":
        return address
    try:
        parts = urlsplit(address)
        good = parts.scheme in {"mqtt", "mqtts"} and parts.hostname and parts.port != 0 and not parts.username
    except ValueError:
        good = False
    if not good:
        raise _wrong(got=address, allowed="broker")
    return address


TopicLevel = Annotated[str, AfterValidator(_topic_level)]


class Section(BaseModel):
    """A table of the file: frozen, no unknown keys, no values of another type."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class BoardSettings(Section):
    """Which board it is, how it is built and how it lies in the picture."""

    id: TopicLevel
    club: TopicLevel = "club"
    name: Name | None = None
    home: Literal["right", "left"] | None = None
    """Where White's home is, as White sees the board; right where only the seat is given."""
    white_seat: Literal["bottom", "top", "left", "right"] | None = None
    """Where White sits, as the picture shows the board; at the bottom where only the home is given."""
    corners: tuple[Spot, Spot, Spot, Spot] | None = None
    """The playing surface's corners in the picture, pixels, in the order p1, p12, p13, p24."""
    bar: tuple[Fraction, Fraction] = (0.46, 0.54)
    """The bar's edges as fractions of the surface's width from the p12/p13 side."""
    checker: Annotated[float, Field(ge=0.5, le=1.1, allow_inf_nan=False)] = 0.86
    """A checker's diameter in widths of a point."""
    thickness: Annotated[float, Field(ge=0.05, le=1.0, allow_inf_nan=False)] = 0.25
    """A checker's height in diameters."""

    @property
    def corner_order(self) -> tuple[int, int, int, int] | None:
        """Which picture corner is p1, p12, p13, p24: indexes of top left, top right, bottom right, bottom left.

        None where neither seat nor home is given: then the markers on the rim name the corners.
        """
        if self.home is None and self.white_seat is None:
            return None
        seen_from_white = (3, 2, 1, 0) if self.home == "left" else (2, 3, 0, 1)
        turn = {"bottom": 0, "left": 1, "top": 2, "right": 3}[self.white_seat or "bottom"]
        p1, p12, p13, p24 = ((corner + turn) % 4 for corner in seen_from_white)
        return p1, p12, p13, p24

    @model_validator(mode="after")
    def _bar_lies_in_the_middle(self) -> "BoardSettings":
        left, right = self.bar
        if not 0.2 < left <= right < 0.8:
            raise _together(key="bar", problem="bar", got=shown(self.bar))
        return self


class CameraSettings(Section):
    """Where the pictures come from."""

    source: int | str = Field(default=0, union_mode="left_to_right")
    """A camera's number, an rtsp:// or http:// address, a video file or a folder of frames."""
    size: tuple[Annotated[int, Field(ge=160, le=8_192)], Annotated[int, Field(ge=120, le=8_192)]] = (1280, 720)
    """Width and height asked of the camera, pixels."""
    fps: Annotated[float, Field(ge=1, le=120, allow_inf_nan=False)] = 15.0
    lens: Path | None = None
    """What ``calibrate --lens`` learnt of the lens; every frame is straightened by it."""


class BridgeSettings(Section):
    """What is under the board: reeds on a microcontroller's serial port, or without a port on this computer's pins."""

    port: str | None = None
    rig: Path | None = None
    """The file that maps reeds to places, or the name of a rig that comes with the project."""

    @model_validator(mode="after")
    def _a_port_needs_a_rig(self) -> "BridgeSettings":
        if self.port is not None and self.rig is None:
            raise _together(key="rig", problem="port_without_rig")
        return self


class ButtonSettings(Section):
    """Buttons, lamps and buzzer wired to this computer, by GPIO; those left out are absent or on the bridge."""

    white: Pin | None = None
    black: Pin | None = None
    pause: Pin | None = None
    lamp_white: Pin | None = None
    lamp_black: Pin | None = None
    lamp_ruling: Pin | None = None
    buzzer: Pin | None = None

    @model_validator(mode="after")
    def _one_thing_a_pin(self) -> "ButtonSettings":
        taken: dict[int, str] = {}
        for key in type(self).model_fields:
            pin = getattr(self, key)
            if pin is None:
                continue
            if pin in taken:
                raise _together(key=key, problem="pin_taken", pin=pin, other=taken[pin])
            taken[pin] = key
        return self


class MatchSettings(Section):
    """The match that is offered when the table is set up."""

    ruleset: Annotated[str, AfterValidator(_known_ruleset)] = "long-fnr"
    """A preset's name or a TOML file with house rules."""
    length: Annotated[int, Field(ge=1, le=99)] | None = None
    """Points to win; the ruleset's own when left out."""
    white: Name | None = None
    black: Name | None = None

    def rules(self) -> Ruleset:
        """Return the ruleset, with the length that is asked for.

        Raises RulesError for house rules that cannot be used, OSError for a file that cannot be read.
        """
        length = f"length = {self.length}\n" if self.length else ""
        if self.ruleset in presets():
            if not length:
                return ruleset(self.ruleset)
            return house_rules(f'inherits = "{self.ruleset}"\n{length}', self.ruleset)
        file = Path(self.ruleset)
        return house_rules(file.read_text("utf-8") + length, file.stem)


class FeedSettings(Section):
    """The MQTT broker that the displays listen to."""

    broker: Annotated[str, AfterValidator(_broker)] = "embedded"
    user: str | None = None
    password: SecretStr | None = None
    ca_file: Path | None = None
    """Certificates that the broker's own is checked with (PEM); those that the system trusts when left out."""
    host: Annotated[str, Field(min_length=1)] = "127.0.0.1"
    """Where the embedded broker listens."""
    port: Port = 1883
    websocket_port: Port = 9001
    websocket_url: Annotated[str, AfterValidator(_websocket)] | None = None
    """What browsers connect to when the broker is another one."""
    viewer_delay_s: Annotated[float, Field(ge=0, le=3_600, allow_inf_nan=False)] = 0.0

    @model_validator(mode="after")
    def _browsers_need_an_address(self) -> "FeedSettings":
        if self.broker != "embedded" and self.websocket_url is None:
            raise _together(key="websocket_url", problem="no_websocket")
        return self


class PageSettings(Section):
    """The display and the arbiter's panel."""

    host: Annotated[str, Field(min_length=1)] = "127.0.0.1"
    port: Port = 8080
    arbiter_pin: Annotated[SecretStr, AfterValidator(_arbiter_pin)] | None = None
    """Opens the arbiter's panel; one is made up at the first start when left out."""
    names: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    """Names by which people open the pages, beside addresses, this machine's name and names of the local network."""


class JournalSettings(Section):
    """Where every event is kept."""

    path: Path = Path("journal/referee.sqlite")

    @property
    def evidence(self) -> Path:
        """The folder of pictures beside the journal."""
        return self.path.parent / "evidence"


class Settings(Section):
    """Everything in one board's file. Paths are absolute, or relative to where the process was started."""

    language: Literal["en", "ru"] = "en"
    board: BoardSettings
    camera: CameraSettings = CameraSettings()
    bridge: BridgeSettings = BridgeSettings()
    buttons: ButtonSettings = ButtonSettings()
    match: MatchSettings = MatchSettings()
    feed: FeedSettings = FeedSettings()
    pages: PageSettings = PageSettings()
    journal: JournalSettings = JournalSettings()
