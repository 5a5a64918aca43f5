"""What earlier builds wrote is read as what it meant."""

import json

import pytest

from controller.fusion.hypotheses import Hypothesis, HypothesisKind
from controller.ports.entries import ENTRIES, CloseUp, Ruled
from controller.referee.events import DieState, Half, Ordered
from controller.referee.orders import (
    Confirm,
    Face,
    HypothesisNumber,
    Order,
    RulingNumber,
    SetRoll,
    SetScore,
    Start,
    Take,
)
from controller.referee.rulings import DieAtRest, PlayRuling, ThrowRuling
from controller.rules import Game, Play, Position, Score, start


@pytest.mark.parametrize(
    ("written", "order"),
    [
        ({"verb": "begin"}, Start()),
        ({"verb": "confirm", "ruling": 3, "story": 1}, Confirm(RulingNumber(3), HypothesisNumber(1))),
        ({"verb": "set_roll", "first": 6, "second": 3}, SetRoll((Face(6), Face(3)))),
        ({"verb": "set_score", "white": 2, "black": 4}, SetScore(Score(2, 4))),
        ({"verb": "take", "side": "black"}, Take()),
    ],
)
def test_an_order_of_an_earlier_build_is_read(written: dict[str, object], order: Order) -> None:
    row = {"kind": "ordered", "at": 5, "who": "arbiter", "order": written}
    entry = ENTRIES.validate_json(json.dumps(row))
    assert isinstance(entry, Ordered)
    assert (entry.order, entry.note) == (order, "")


def test_a_ruling_of_an_earlier_build_is_read() -> None:
    before, after = start(Game.SHORT), Position(start(Game.SHORT).points)
    guess = {"tale": "legal", "after": list(after), "notation": "8/5 6/5", "probability": 0.9}
    ruling = {
        "kind": "play", "number": 3, "at": 5, "side": "white", "roll": [3, 1], "verdict": "accepted",
        "judge": "referee", "before": list(before), "after": list(after), "notation": "8/5 6/5", "faults": [],
        "would_be_legal": ["pass"], "stories": [guess],
    }  # fmt: skip
    entry = ENTRIES.validate_json(json.dumps({"kind": "ruled", "at": 5, "ruling": ruling, "pictures": ["a"]}))
    assert isinstance(entry, Ruled)
    assert isinstance(entry.ruling, PlayRuling)
    assert entry.ruling.play == Play.parse("8/5 6/5")
    assert entry.ruling.would_be_legal == (Play(()),)
    assert entry.ruling.hypotheses == (Hypothesis(HypothesisKind.LEGAL, after, Play.parse("8/5 6/5"), 0.9, 0.0),)
    assert ENTRIES.validate_json(ENTRIES.dump_json(entry)) == entry


def test_the_dice_of_a_ruling_of_an_earlier_build_are_read() -> None:
    die = {"u": 0.7, "v": 0.5, "face": 6, "chance": 0.99, "state": "flat", "half": "right"}
    ruling = {
        "kind": "throw", "number": 2, "at": 5, "side": None, "outcome": "valid", "judge": "referee",
        "values": [6, 1], "reason": None, "dice": [die], "rethrown": None, "early": False,
    }  # fmt: skip
    row = {"kind": "ruled", "at": 5, "ruling": ruling, "pictures": [], "close_ups": [{"picture": "b", "die": die}]}
    entry = ENTRIES.validate_json(json.dumps(row))
    assert isinstance(entry, Ruled)
    assert isinstance(entry.ruling, ThrowRuling)
    read = DieAtRest(0.7, 0.5, 6, 0.99, DieState.FLAT, Half.RIGHT)
    assert (entry.ruling.dice, entry.close_ups) == ((read,), (CloseUp("b", read),))
