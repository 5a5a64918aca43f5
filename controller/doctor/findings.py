"""The doctor's findings, one a line."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

from controller.fusion.evidence import POINTS
from controller.locale import Lang, LocalizedError, plain, text
from firmware_bridge.values import ButtonName
from vision.errors import VisionError

Part = Literal[
    "settings", "rules", "board", "line", "reeds", "buttons", "camera", "broker", "pages", "disk", "clock", "power"
]
"""What a finding is about."""


class Grade(Enum):
    """How bad it is."""

    OK = "ok"
    NOTE = "note"
    """A match can be played, but somebody should know."""
    FAULT = "fault"
    """No match can be played so, or not with everything that is fitted."""


@dataclass(frozen=True, slots=True)
class ReedsNamed:
    """Reeds by place ("p1", "bar_white") and number, 1 being the one at the rail."""

    reeds: tuple[tuple[str, int], ...]

    def in_words(self, lang: Lang) -> str:
        """Name them in ``lang``."""
        return "; ".join(text(lang, "doctor.reed", place=_place(lang, place), slot=slot) for place, slot in self.reeds)


@dataclass(frozen=True, slots=True)
class ButtonsNamed:
    """Clock buttons by the name they have in the rig."""

    buttons: tuple[ButtonName, ...]

    def in_words(self, lang: Lang) -> str:
        """Name them in ``lang``."""
        return ", ".join(text(lang, f"doctor.button.{button}") for button in self.buttons)


@dataclass(frozen=True, slots=True)
class SentenceOf:
    """An error's sentence."""

    error: VisionError | LocalizedError

    def in_words(self, lang: Lang) -> str:
        """Return it in ``lang``."""
        return plain(self.error, lang)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    part: Part
    grade: Grade
    key: str
    """Its text in the catalogue, without ``doctor.``."""
    values: Mapping[str, object] = field(default_factory=dict)

    def in_words(self, lang: Lang) -> str:
        """What was found, and what to do, in ``lang``."""
        values = {
            name: value.in_words(lang) if isinstance(value, ReedsNamed | ButtonsNamed | SentenceOf) else value
            for name, value in self.values.items()
        }
        return text(lang, f"doctor.{self.key}", **values)


def ok(part: Part, key: str, **values: object) -> Finding:
    """Return a finding that all is well."""
    return Finding(part, Grade.OK, key, values)


def note(part: Part, key: str, **values: object) -> Finding:
    """Return a finding that somebody should know."""
    return Finding(part, Grade.NOTE, key, values)


def fault(part: Part, key: str, **values: object) -> Finding:
    """Return a finding that has to be mended."""
    return Finding(part, Grade.FAULT, key, values)


def _place(lang: Lang, place: str) -> str:
    if place.startswith("p") and place[1:].isdigit() and 1 <= int(place[1:]) <= POINTS:
        return text(lang, "device.place.point", number=int(place[1:]))
    return text(lang, f"device.place.{place}")
