"""Commands: what an arbiter may say, and what happens to what cannot be read."""

import json
from pathlib import Path
from typing import get_args

import jsonschema
import pytest

from controller.adapters.mqtt.commands import (
    Command,
    CommandError,
    Confirm,
    Correct,
    SetClock,
    SetRoll,
    read_command,
    read_topic,
)

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "feed" / "cmd.json").read_text("utf-8"))
POSITION = {"points": [0] * 24, "bar": [0, 0], "off": [15, 15]}
EXAMPLES: dict[str, dict[str, object]] = {
    "start": {},
    "confirm": {"ruling": "r1", "story": 1},
    "refuse": {"ruling": "r1"},
    "correct": {"position": POSITION, "turn": "black"},
    "set_roll": {"roll": [6, 5]},
    "void_throw": {},
    "kestum": {"side": "black"},
    "pause": {"note": "a cup fell"},
    "resume": {},
    "set_clock": {"white_ms": 60000, "black_ms": 61000},
    "set_score": {"score": {"white": 3, "black": 0}},
    "resign": {"side": "white", "kind": "mars"},
    "double": {"side": "black"},
    "take": {},
    "pass": {},
    "undo": {},
}


def test_every_verb_has_an_example_here() -> None:
    assert {model.model_fields["verb"].default for model in get_args(Command)} == EXAMPLES.keys()


@pytest.mark.parametrize("verb", EXAMPLES)
def test_the_example_of_a_verb_is_read_from_the_web_and_from_mqtt(verb: str) -> None:
    fields = {"verb": verb, "id": "1", **EXAMPLES[verb]}
    jsonschema.Draft202012Validator(SCHEMA).validate(fields)
    assert read_command(fields) == read_topic(verb, json.dumps({"id": "1", **EXAMPLES[verb]}).encode())
    assert read_command(fields).verb == verb


def test_what_was_ordered_comes_out() -> None:
    assert isinstance(command := read_command({"verb": "set_roll", "roll": [6, 5]}), SetRoll)
    assert command.roll == (6, 5)
    assert isinstance(command := read_command({"verb": "confirm", "ruling": "r7"}), Confirm)
    assert (command.ruling, command.story) == ("r7", 0)
    assert isinstance(command := read_command({"verb": "correct", "position": POSITION}), Correct)
    assert (command.position.off, command.turn) == ((15, 15), None)
    assert isinstance(command := read_topic("set_clock", b'{"white_ms": 5, "black_ms": 6}'), SetClock)
    assert (command.white_ms, command.black_ms) == (5, 6)


def test_two_orders_have_two_ids() -> None:
    assert read_topic("pause", b"").id != read_topic("pause", b"").id


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"verb": "set_roll", "roll": [7, 1]}, r"set_roll\.roll\.0"),
        ({"verb": "set_roll"}, r"set_roll\.roll"),
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
