"""Whatever happens at the table, what the feed says of it is well formed and said in both languages."""

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from controller.adapters.mqtt import match_messages
from controller.adapters.mqtt.health_messages import health_message
from controller.adapters.mqtt.messages import Content, Texts
from controller.adapters.mqtt.ruling_messages import ruling_message
from controller.clock import Millis
from controller.locale import Lang
from controller.ports.entries import CloseUp, Ruled
from controller.referee.events import BoardChecked, BoardPlace, Device, TurnEnd
from controller.referee.rulings import ThrowRuling
from controller.referee.state import CubeTurned, GameLog, Phase
from controller.rules import GameResult, Kind, Side, ruleset
from controller.service.recording import match_record
from tests.referee.random_events import RandomEvents
from tests.referee.random_turns import OPTION_SETS
from tests.referee.tabletop import Table

pytestmark = pytest.mark.slow  # plays whole matches


def check(message: Content) -> None:
    assert type(message).model_validate_json(message.model_dump_json()) == message
    for texts in said(message):
        assert texts.en
        assert texts.ru
        assert "{" not in texts.en + texts.ru


def said(part: object) -> list[Texts]:
    if isinstance(part, Texts):
        return [part]
    if isinstance(part, BaseModel):
        return [texts for name in type(part).model_fields for texts in said(getattr(part, name))]
    if isinstance(part, Mapping):
        return [texts for each in part.values() for texts in said(each)]
    if isinstance(part, tuple):
        return [texts for each in part for texts in said(each)]
    return []


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_every_message_of_every_moment_is_valid_and_in_both_languages(seed: int) -> None:
    rng = random.Random(seed)
    table = Table(OPTION_SETS[rng.choice(list(OPTION_SETS))])
    random_events = RandomEvents(table, rng)
    for _ in range(30):
        told = len(table.rulings)
        random_events.step()
        state = table.state
        check(match_messages.match_message(state, "m"))
        check(match_messages.state_message(state))
        check(match_messages.clock_message(state))
        check(health_message(state, frozenset(Device)))
        for ruling in table.rulings[told:]:
            dice = ruling.dice if isinstance(ruling, ThrowRuling) else ()
            close_ups = tuple(CloseUp(f"{number}.jpg", die) for number, die in enumerate(dice))
            message = ruling_message(state, Ruled(ruling.at, ruling, ("a.jpg",), close_ups))
            check(message)
            assert [picture.url for picture in message.pictures] == [
                "evidence/a.jpg",
                *(f"evidence/{close_up.picture}" for close_up in close_ups),
            ]
        for game in state.finished:
            result = match_messages.result_message(state, game, "m")
            assert result is not None
            check(result)


def test_what_is_wrong_with_the_boards_place_is_named_in_both_languages() -> None:
    table = Table(ruleset("short-wbgf"))

    def told(
        place: BoardPlace,
        missing: tuple[int, ...] = (),
        size: tuple[int, int] | None = None,
        fitted: frozenset[Device] = frozenset({Device.CAMERA, Device.BUTTONS}),
    ) -> Texts | None:
        table.happens(BoardChecked(Millis(table.now), place, missing, size))
        return health_message(table.state, fitted).devices["camera"].texts

    gone = told(BoardPlace.OUT_OF_VIEW, (1, 2))
    assert gone is not None
    assert gone.en == "Board not in view: corners 2 (p12) and 3 (p13) missing"
    assert gone.ru == "Доска видна не вся: нет углов 2 (p12) и 3 (p13)"
    felt = told(BoardPlace.FROZEN, fitted=frozenset(Device))
    assert felt is not None
    assert felt.en == (
        "The camera's picture does not change. The board sensors follow the checkers; the arbiter enters each throw."
    )
    other = told(BoardPlace.OUT_OF_VIEW, size=(640, 480))
    assert other is not None
    assert "640x480" in other.en
    assert "640x480" in other.ru
    moved = told(BoardPlace.MOVED, fitted=frozenset(Device))
    assert moved is not None
    assert moved.en == "Board moved: looking for it"
    assert told(BoardPlace.IN_PLACE) is None


def test_a_player_without_a_name_is_called_by_the_colour_in_each_language() -> None:
    table = Table(ruleset("short-wbgf"))
    nameless = replace(table.state, white="", black="Анна", phase=Phase.TO_THROW, turn=Side.WHITE)
    waiting = match_messages.state_message(nameless).waiting_for
    assert waiting is not None
    assert (waiting.en, waiting.ru) == ("White to throw", "Бросок: Белые")
    assert match_record(nameless, Lang.RU).white == "Белые"
    assert match_record(nameless, Lang.RU).black == "Анна"


def test_without_a_clock_the_displays_are_reported_that_nobodys_time_is_counted() -> None:
    assert not match_messages.clock_message(Table(ruleset("long-classic")).state).timed
    assert match_messages.clock_message(Table(ruleset("long-fnr")).state).timed
    # Without buttons nobody can press, whatever the ruleset says.
    assert not match_messages.clock_message(Table(ruleset("long-fnr"), TurnEnd.LIFT).state).timed


def test_a_result_names_the_cube_as_it_was_last_taken() -> None:
    turned = (
        CubeTurned(3, Side.WHITE, "double", 2),
        CubeTurned(3, Side.BLACK, "take", 2),
        CubeTurned(8, Side.BLACK, "double", 4),
    )
    passed = GameLog(1, winner=Side.BLACK, result=GameResult(Kind.DROP, 2), cube=turned)
    result = match_messages.result_message(Table(ruleset("short-wbgf")).state, passed, "m")
    assert result is not None
    assert (result.kind, result.cube, result.points) == ("drop", 2, 2)
