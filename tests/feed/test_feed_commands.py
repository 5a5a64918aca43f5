"""Commands: what an arbiter may say, and what happens to what cannot be read."""

import json
from pathlib import Path

import jsonschema
import pytest

from controller.adapters.mqtt.commands import (
    VERBS,
    CommandError,
    read_command,
    read_topic,
)
from controller.clock import Millis
from controller.ports.updates import Command
from controller.referee.orders import (
    CallKestum,
    Confirm,
    Correct,
    Face,
    Order,
    Pause,
    Resign,
    RulingNumber,
    SetClock,
    SetRoll,
    SetScore,
)
from controller.rules import Kind, Position, Score, Side

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "feed" / "cmd.json").read_text("utf-8"))
POSITION = {"points": [0] * 24, "bar": [0, 0], "off": [15, 15]}
EXAMPLES: dict[str, dict[str, object]] = {
    "start": {},
    "confirm": {"ruling": "1", "hypothesis": 1},
    "refuse": {"ruling": "1"},
    "correct": {"position": POSITION, "turn": "black"},
    "set_roll": {"roll": [6, 5]},
    "void_throw": {},
    "kestum": {"side": "black"},
    "pause": {"note": "a cup fell"},
    "resume": {},
    "set_clock": {"white_ms": 60000, "black_ms": 61000},
    "set_score": {"score": {"white": 3, "black": 0}},
    "late": {"side": "white", "by_ms": 660000},
    "resign": {"side": "white", "kind": "mars"},
    "double": {"side": "black"},
    "take": {},
    "beaver": {},
    "pass": {},
    "undo": {},
    "award_game": {"side": "black", "kind": "mars", "note": "did not come back"},
    "award_match": {"side": "black", "note": "did not come"},
    "draw": {"note": "agreed"},
    "warn": {"side": "white", "note": "spoke to a spectator"},
    "penalise": {"side": "white", "points": 2, "note": "a telephone rang"},
    "take_break": {"side": "white"},
    "set_length": {"points": 9},
    "introduce_clock": {"reserve_ms": 600000, "delay_ms": 12000},
    "adjourn": {},
    "swap": {"what": "seats"},
    "set_turn": {"side": "black"},
    "set_cube": {"value": 4, "owner": "white"},
    "claim": {"side": "black", "about": "ruling", "ruling": "7"},
    "answer_claim": {"granted": False},
}


def test_every_verb_has_an_example_here() -> None:
    assert set(VERBS) == EXAMPLES.keys()


@pytest.mark.parametrize("verb", EXAMPLES)
def test_the_example_of_a_verb_is_read_from_the_web_and_from_mqtt(verb: str) -> None:
    fields = {"verb": verb, "id": "1", **EXAMPLES[verb]}
    jsonschema.Draft202012Validator(SCHEMA).validate(fields)
    assert read_command(fields) == read_topic(verb, json.dumps({"id": "1", **EXAMPLES[verb]}).encode())
    assert read_command(fields).order.verb == verb


@pytest.mark.parametrize(
    ("fields", "order"),
    [
        ({"verb": "set_roll", "roll": [6, 5]}, SetRoll((Face(6), Face(5)))),
        ({"verb": "confirm", "ruling": "7"}, Confirm(RulingNumber(7))),
        ({"verb": "correct", "position": POSITION}, Correct(Position((0,) * 24, (0, 0), (15, 15)))),
        ({"verb": "set_clock", "white_ms": 5, "black_ms": 6}, SetClock(Millis(5), Millis(6))),
        ({"verb": "set_clock", "black_ms": 6}, SetClock(black_ms=Millis(6))),
        ({"verb": "set_score", "score": {"white": 3}}, SetScore(Score(3, 0))),
        ({"verb": "resign", "side": "black", "kind": "mars"}, Resign(Side.BLACK, Kind.MARS)),
        ({"verb": "kestum"}, CallKestum()),
    ],
)
def test_what_was_ordered_comes_out(fields: dict[str, object], order: Order) -> None:
    assert read_command(fields).order == order


def test_who_ordered_it_and_why_come_with_it() -> None:
    command = read_command({"verb": "pause", "id": "9", "by": "Anna", "note": "a cup fell"})
    assert command == Command(Pause(), by="Anna", note="a cup fell", id="9")


def test_two_orders_have_two_ids() -> None:
    assert read_topic("pause", b"").id != read_topic("pause", b"").id


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"verb": "set_roll", "roll": [7, 1]}, r"set_roll\.roll\.0"),
        ({"verb": "set_roll"}, r"set_roll\.roll"),
        ({"verb": "refuse", "ruling": "the last"}, r"refuse\.ruling"),
        ({"verb": "set_clock", "white_ms": -1, "black_ms": 0}, r"white_ms"),
        ({"verb": "correct", "position": {"points": [0] * 23}}, "points"),
        ({"verb": "dance"}, "dance"),
        ({"verb": "pause", "loudly": True}, "loudly"),
        ({}, "verb"),
        ("pause", "command"),
        (None, "command"),
    ],
)
def test_a_wrong_command_names_what_is_wrong(fields: object, named: str) -> None:
    with pytest.raises(CommandError, match=named):
        read_command(fields)


def test_a_payload_may_not_contradict_its_topic() -> None:
    with pytest.raises(CommandError, match="cmd/pause"):
        read_topic("pause", b'{"verb": "resume"}')
    with pytest.raises(CommandError, match="not JSON"):
        read_topic("pause", b"{")
