"""What the journal holds: the events that the state is a fold of, and the rulings that were derived from them.

Rulings are skipped when the state is rebuilt; they stay so that a later version, whose fold might rule otherwise, still
shows what was ruled, with the pictures it rested on. So is what was said on the board's line, which events came from.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, TypeAdapter

from controller.clock import Millis
from controller.referee.events import Event
from controller.referee.rulings import DieAtRest, Ruling
from controller.rules import Play


@dataclass(frozen=True, slots=True)
class CloseUp:
    """The name of a picture that shows one die, and how that die was read."""

    picture: str
    die: DieAtRest


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling that was made, the names of the pictures it rests on, and a close-up of each die in them."""

    at: Millis
    ruling: Annotated[Ruling, Field(discriminator="kind")]
    pictures: tuple[str, ...] = ()
    close_ups: tuple[CloseUp, ...] = ()
    kind: Literal["ruled"] = "ruled"


@dataclass(frozen=True, slots=True)
class Heard:
    """Raw bytes of the board's serial line: when they were read, and their hex. ``at`` is the time of the first."""

    at: Millis
    chunks: tuple[tuple[int, str], ...]
    kind: Literal["heard"] = "heard"


Entry = Event | Ruled | Heard


def _in_todays_words(row: Any) -> Any:
    """Name what earlier builds of 0.1.0 wrote as it is named now."""
    match row:
        case {"order": {"verb": "confirm", "ruling": ruling, "story": hypothesis}}:
            return {**row, "order": {"verb": "confirm", "ruling": ruling, "hypothesis": hypothesis}}
        case {"order": {"verb": "begin"}}:
            return {**row, "order": {"verb": "start"}}
        case {"order": {"verb": "set_roll", "first": first, "second": second}}:
            return {**row, "order": {"verb": "set_roll", "roll": [first, second]}}
        case {"order": {"verb": "set_score", "white": white, "black": black}}:
            return {**row, "order": {"verb": "set_score", "score": [white, black]}}
        case {"ruling": {"kind": "play", "notation": _} as ruling}:
            return {**row, "ruling": _play_ruling_today(ruling)}
        case {"ruling": {"kind": "throw", "dice": dice} as ruling}:
            close_ups = [{**close_up, "die": _die_today(close_up["die"])} for close_up in row.get("close_ups", ())]
            return {**row, "ruling": {**ruling, "dice": [_die_today(die) for die in dice]}, "close_ups": close_ups}
        case _:
            return row


def _play_ruling_today(ruling: dict[str, Any]) -> dict[str, Any]:
    guesses = [
        {**guess, "kind": guess["tale"], "play": _play_today(guess["notation"]), "misfit": 0.0}
        for guess in ruling["stories"]
    ]
    would_be_legal = [_play_today(notation) for notation in ruling["would_be_legal"]]
    play = _play_today(ruling["notation"])
    return {**ruling, "play": play, "would_be_legal": would_be_legal, "hypotheses": guesses}


def _play_today(notation: str) -> list[object] | None:
    return [Play.parse(notation).steps] if notation else None


def _die_today(die: dict[str, Any]) -> dict[str, Any]:
    return {**die, "probability": die["chance"]} if "chance" in die else die


ENTRIES: TypeAdapter[Entry] = TypeAdapter(
    Annotated[Entry, Field(discriminator="kind"), BeforeValidator(_in_todays_words)]
)
