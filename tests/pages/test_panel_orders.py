"""The panel's forms for orders about the match, in a real browser: each reaches the referee with its reason."""

import pytest
from recorded_match import Scene, match, scenes
from screen import PHONE, Screen, until

from controller.adapters.mqtt.messages import ClaimShown, StateMessage, Texts
from controller.clock import Millis
from controller.referee.orders import (
    Adjourn,
    AnswerClaim,
    AwardGame,
    AwardMatch,
    Claim,
    ClaimKind,
    Late,
    Penalise,
    SetCube,
    SetLength,
    SetTurn,
    Swap,
    TakeBreak,
    Undo,
    Warn,
)
from controller.rules import Kind, Side

pytestmark = [pytest.mark.browser, pytest.mark.slow]

YES = "#sure button[value=yes]"


def order(screen: Screen, tab: str, button: str, why: str = "") -> None:
    """Give one order and wait until it has reached the referee."""
    before = len(screen.stage.orders)
    for css in (f"[data-tab={tab}]", button):
        # On a phone the lowest row of buttons lies over the page.
        screen.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", css)
        screen.one(css).click()
    if why:
        screen.one("#sure input").send_keys(why)
    screen.one(YES).click()
    screen.ordered(before + 1)
    until(lambda: not screen.one("#sure").is_displayed())


def test_the_orders_about_the_match_reach_the_referee_from_a_phone(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.arbiter_url}?lang=ru", PHONE)
    screen.enter()
    start, throw, *_ = scenes("short")
    screen.shows(start)
    screen.stage.play(Scene("match", (match("short", cube_faces=(1, 2, 4)),)))
    screen.shows(throw)
    until(lambda: len(screen.all("[data-form=set_cube] [name=value] option")) == 3)
    order(screen, "players", "[data-verb=warn]", "разговор со зрителем")
    order(screen, "players", "[data-verb=penalise]", "телефон")
    order(screen, "players", "[data-verb=late]")
    order(screen, "players", "[data-verb=take_break]")
    order(screen, "score", "[data-form=set_length] button")
    order(screen, "cube", "[data-form=set_cube] button")
    order(screen, "resign", "[data-form=award_game] button", "не вернулся")
    order(screen, "resign", "[data-order=award_match][data-side=black]", "неявка")
    order(screen, "claim", "[data-form=claim] button")
    order(screen, "match", "[data-order=set_turn][data-side=black]")
    order(screen, "match", "[data-what=names]")
    order(screen, "match", "[data-order=adjourn]")
    assert [command.order for command in screen.stage.orders] == [
        Warn(Side.WHITE),
        Penalise(Side.WHITE, 1),
        Late(Side.WHITE, Millis(300_000)),
        TakeBreak(Side.WHITE),
        SetLength(5),
        SetCube(1),
        AwardGame(Side.WHITE, Kind.OIN),
        AwardMatch(Side.BLACK),
        Claim(Side.WHITE, ClaimKind.PLAY),
        SetTurn(Side.BLACK),
        Swap("names"),
        Adjourn(),
    ]
    assert screen.stage.orders[0].note == "разговор со зрителем"


def test_a_penalty_is_not_sent_without_its_reason(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.arbiter_url}?lang=en")
    screen.enter()
    screen.shows(next(scenes("short")))
    screen.one("[data-tab=players]").click()
    screen.one("[data-verb=penalise]").click()
    assert screen.text("#sure-words") == "White: Penalty points?"
    screen.one(YES).click()
    assert screen.one("#sure").is_displayed()
    screen.one("#sure button[value=no]").click()
    assert screen.stage.orders == []


def test_an_open_claim_is_answered_and_undo_names_what_it_takes_back(screen: Screen) -> None:
    screen.open(f"{screen.stage.pages.arbiter_url}?lang=en")
    screen.enter()
    start, *_ = scenes("short")
    screen.shows(start)
    state = next(content for content in start.contents if isinstance(content, StateMessage))
    claim = ClaimShown(side="black", about="clock", texts=Texts(en="Black claims: the clock", ru="Чёрные: время"))
    undo = Texts(en="the order “claim”", ru="распоряжение «заявление»")
    screen.stage.play(Scene("claim", (state.model_copy(update={"claim": claim, "undo": undo}),)))
    screen.one("[data-tab=claim]").click()
    until(lambda: screen.text("#claimed") == "Black claims: the clock")
    order(screen, "claim", "[data-granted=no]")
    screen.one("[data-order=undo]").click()
    assert screen.text("#sure-words") == "Take back the order “claim”?"
    screen.one(YES).click()
    screen.ordered(2)
    assert [command.order for command in screen.stage.orders] == [AnswerClaim(granted=False), Undo()]
