"""What the bridge reports becomes events, and accepted plays show which reeds are faulty."""

from dataclasses import replace

import pytest

from controller.adapters.bridge import BridgeAdapter
from controller.clock import Millis
from controller.doctor.judges import set_up
from controller.ports.entries import Ruled
from controller.ports.updates import Update
from controller.referee.events import SlotDoubted, SlotFault
from controller.referee.rulings import Judge, PlayRuling, PlayVerdict
from controller.rules import Game, Position, Side, ruleset, start
from firmware_bridge.clocks import Micros
from firmware_bridge.rig import Rig
from firmware_bridge.values import ReedFrame
from tests.referee.tabletop import Table

FULL = Rig.load("full")
START = start(Game.SHORT)
STATE = Table(ruleset("short-wbgf")).state


def played(adapter: BridgeAdapter, white_view: Position, verdict: PlayVerdict, *, turn: Side, plays: int = 6) -> None:
    """Publish plays after each of which the checkers lie so."""
    here = white_view if turn is Side.WHITE else white_view.turned(Game.SHORT)
    state = replace(STATE, turn=turn, position=here)
    ruling = PlayRuling(1, Millis(0), Side.WHITE, (2, 1), verdict, Judge.REFEREE, START, START, None)
    for _ in range(plays):
        adapter.publish(Update(STATE, state, (Ruled(Millis(0), ruling),)))


def felt(adapter: BridgeAdapter, *slots: int, at_ms: int = 0) -> list[SlotDoubted]:
    """Let the reeds report these slots beside the start position; return those that are doubted."""
    occupied = tuple(sorted({*set_up(FULL, Game.SHORT), *slots}))
    events = adapter.events(ReedFrame(Micros(1_000 * at_ms), occupied))
    return [event for event in events if isinstance(event, SlotDoubted)]


def test_a_reed_that_stays_closed_on_an_empty_point_is_doubted_after_accepted_plays() -> None:
    adapter, stuck = BridgeAdapter(FULL), FULL.slots["p2"][0]
    assert felt(adapter, stuck) == []
    played(adapter, START, PlayVerdict.ACCEPTED, turn=Side.WHITE)
    assert felt(adapter, stuck, at_ms=7) == [SlotDoubted(Millis(7), 1, 1, SlotFault.STUCK)]
    assert felt(adapter, stuck, at_ms=8) == []


@pytest.mark.parametrize("verdict", [PlayVerdict.REFUSED, PlayVerdict.PLEASE_LOOK])
def test_a_play_that_does_not_stand_teaches_nothing(verdict: PlayVerdict) -> None:
    adapter, stuck = BridgeAdapter(FULL), FULL.slots["p2"][0]
    felt(adapter, stuck)
    played(adapter, START, verdict, turn=Side.WHITE)
    assert felt(adapter, stuck, at_ms=7) == []


def test_the_position_is_taken_from_whites_side_whoever_is_on_turn() -> None:
    adapter, slot = BridgeAdapter(FULL), FULL.slots["p2"][0]
    points = list(START.points)
    points[1], points[23] = 1, 1
    felt(adapter, slot)
    played(adapter, Position(tuple(points)), PlayVerdict.ACCEPTED, turn=Side.BLACK, plays=45)
    assert felt(adapter, slot, at_ms=7) == []
