"""Whatever happens at the table, what the feed says of it is well formed and said in both languages."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from controller.adapters.feed.messages import Content, Texts
from controller.referee.events import Device
from controller.referee.rulings import ThrowRuling
from controller.rules import ruleset
from controller.service import telling
from controller.service.entries import CloseUp, Ruled
from controller.service.health import health_message
from tests.referee.mischief import Mischief
from tests.referee.tabletop import Table
from tests.referee.test_any_events import RULESETS


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
    if isinstance(part, tuple):
        return [texts for each in part for texts in said(each)]
    return []


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_every_message_of_every_moment_is_valid_and_in_both_languages(seed: int) -> None:
    rng = random.Random(seed)
    table = Table(ruleset(rng.choice(RULESETS)))
    mischief = Mischief(table, rng)
    for _ in range(30):
        told = len(table.rulings)
        mischief.step()
        state = table.state
        check(telling.match_message(state, "m"))
        check(telling.state_message(state))
        check(telling.clock_message(state))
        check(health_message(state, frozenset(Device)))
        for ruling in table.rulings[told:]:
            dice = ruling.dice if isinstance(ruling, ThrowRuling) else ()
            close_ups = tuple(CloseUp(f"{number}.jpg", die) for number, die in enumerate(dice))
            message = telling.ruling_message(state, Ruled(ruling.at, ruling, ("a.jpg",), close_ups))
            check(message)
            assert [picture.url for picture in message.pictures] == [
                "evidence/a.jpg",
                *(f"evidence/{close_up.picture}" for close_up in close_ups),
            ]
        for game in state.finished:
            result = telling.result_message(state, game, "m")
            assert result is not None
            check(result)
