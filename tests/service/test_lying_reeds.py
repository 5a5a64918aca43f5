"""Reeds that lie, found from the play at the virtual table, named to the arbiter, and no harm to the record."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from controller.adapters.mqtt.feed_publisher import FeedPublisher
from controller.adapters.mqtt.messages import Content, HealthMessage
from controller.cli.compose import Demonstration
from controller.simulator.account import account
from controller.simulator.truth import compare
from firmware_bridge.clocks import Micros
from firmware_bridge.rig import Rig
from firmware_bridge.standin import StandIn
from firmware_bridge.virtual_board import VirtualBoard
from tests.service.observer import observer

pytestmark = pytest.mark.slow  # plays whole matches

FULL = Rig.load("full")
Reeds = Callable[[set[int]], set[int]]


def stuck(slot: int) -> Reeds:
    return lambda closed: closed | {slot}


def dead(slot: int) -> Reeds:
    return lambda closed: closed - {slot}


class Ear:
    """Keeps the last that was said of the reeds."""

    def __init__(self) -> None:
        self.state = ""
        self.en = self.ru = ""

    def hear(self, content: Content) -> None:
        if isinstance(content, HealthMessage):
            reeds = content.devices["reeds"]
            self.state = reeds.state
            self.en, self.ru = (reeds.texts.en, reeds.texts.ru) if reeds.texts else ("", "")


@pytest.mark.parametrize(
    ("reeds", "en", "ru"),
    [
        pytest.param(
            stuck(FULL.slots["p15"][4]),
            "Point 15, reed 5 from the rail: always closed. Only the camera follows the checkers there.",
            "Пункт 15, геркон 5 от борта: всегда замкнут. Там за шашками следит только камера.",
            id="stuck",
        ),
        pytest.param(
            dead(FULL.slots["p5"][0]),
            "Point 5, reed 1 from the rail: never closes. Only the camera follows the checkers there.",
            "Пункт 5, геркон 1 от борта: не замыкается. Там за шашками следит только камера.",
            id="dead",
        ),
    ],
)
def test_a_reed_that_lies_is_named_and_the_record_stays_right(tmp_path: Path, reeds: Reeds, en: str, ru: str) -> None:
    class Board(StandIn):
        def set_slots(self, occupied: Iterable[int]) -> None:
            super().set_slots(reeds(set(occupied)))

    def build(rig: Rig, *, now_us: Micros, folder: Path) -> VirtualBoard:
        return Board(rig.slot_count, rig=rig.fingerprint(), now_us=now_us, folder=folder)

    ear = Ear()
    with Demonstration(tmp_path, "short-wbgf", observer, seed=5, games=1, faults=False, build=build) as show:
        show.run(FeedPublisher(show.match_id, show.fitted, ear.hear))
        assert compare(show.truth().account, account(show.state)) == []
    assert (ear.en, ear.ru) == (en, ru)
    assert ear.state == "weak"
