"""What earlier builds wrote is read as what it meant."""

import json

import pytest

from controller.ports.entries import ENTRIES
from controller.referee.events import Ordered
from controller.referee.orders import Face, Order, SetRoll, SetScore, Start, Take
from controller.rules import Score


@pytest.mark.parametrize(
    ("written", "order"),
    [
        ({"verb": "begin"}, Start()),
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
