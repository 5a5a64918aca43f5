"""A doubling cube that lies otherwise than in the match is noticed, said once, and changes nothing."""

from dataclasses import replace

import pytest

from controller.adapters.mqtt.messages import EventMessage
from controller.adapters.mqtt.notice_messages import notice_messages
from controller.ports.updates import CubeNoticed
from controller.referee.events import CubeSeen, CubeSide
from controller.referee.orders import SetScore, Take
from controller.referee.state import Phase, State
from controller.rules import Ruleset, Score, Side, ruleset
from tests.referee.tabletop import Table

LONG_MS = 11_000
CENTRED = CubeSeen(64, CubeSide.MIDDLE)


def to_throw(rules: Ruleset | None = None) -> Table:
    table = Table(rules or ruleset("short-wbgf"))
    table.rest()
    table.open_with(5, 3)
    return table


def doubled() -> Table:
    """White has doubled, Black has taken: the cube stands at 2 and is Black's."""
    table = to_throw()
    table.state = replace(table.state, cube=replace(table.state.cube, value=2, owner=Side.BLACK))
    return table


def cube_news(before: State, now: State) -> tuple[EventMessage, ...]:
    """What the feed says about the cube after an event."""
    noticed = CubeNoticed.between(before, now)
    return tuple(notice_messages(noticed, now)) if noticed else ()


def said(table: Table, cube: CubeSeen | None, looks: int = 4, wait_ms: int = LONG_MS) -> list[str]:
    """What is said about the cube, in English, while the table shows it for a time."""
    table.cube = cube
    texts: list[str] = []
    for number in range(looks):
        before = table.state
        table.later(wait_ms // (looks - 1) if number else 0)
        table.look(1)
        texts += [event.texts.en for event in cube_news(before, table.state)]
    return texts


def test_a_cube_that_nobody_turned_is_as_it_should_be() -> None:
    assert said(to_throw(), CENTRED) == []


def test_a_cube_that_shows_another_number_is_said_once() -> None:
    table = to_throw()
    assert said(table, CubeSeen(2, CubeSide.MIDDLE), looks=8) == [
        "The cube on the table shows 2; in the match nobody has doubled yet"
    ]
    assert table.state.cube.value == 1
    assert said(table, CubeSeen(2, CubeSide.MIDDLE)) == []


def test_it_is_said_again_when_it_was_put_right_in_between() -> None:
    table = to_throw()
    wrong = CubeSeen(2, CubeSide.MIDDLE)
    assert len(said(table, wrong)) == 1
    assert said(table, CENTRED) == []
    assert len(said(table, wrong)) == 1


def test_who_takes_a_double_may_think_before_he_turns_the_cube() -> None:
    table = doubled()
    assert said(table, CENTRED, looks=10, wait_ms=6_000) == []
    assert said(table, CubeSeen(2, CubeSide.FAR)) == []


def test_a_single_look_accuses_nobody() -> None:
    table = to_throw()
    assert said(table, CubeSeen(8, CubeSide.MIDDLE), looks=2, wait_ms=60_000) == []


@pytest.mark.parametrize(
    ("seen", "sentence"),
    [
        (CubeSeen(4, CubeSide.FAR), "The cube on the table shows 4; in the match it stands at 2"),
        (CubeSeen(2, CubeSide.NEAR), "The cube lies with White; in the match it belongs to Black"),
        (CubeSeen(2, CubeSide.MIDDLE), "The cube lies in the middle; in the match it belongs to Black"),
    ],
)
def test_number_and_owner_are_told_apart(seen: CubeSeen, sentence: str) -> None:
    assert said(doubled(), seen) == [sentence]


def test_a_cube_with_a_player_that_is_nobodys_is_said_in_both_languages() -> None:
    table = to_throw()
    table.cube = CubeSeen(None, CubeSide.FAR)
    table.look(3)
    table.later(LONG_MS)
    before = table.state
    table.look(1)
    (event,) = cube_news(before, table.state)
    assert event.kind == "cube"
    assert event.texts.en == "The cube lies with Black; in the match it is nobody's"
    assert event.texts.ru == "Куб лежит у игрока Black, а в матче он ничей"


@pytest.mark.parametrize("unsure", [None, CubeSeen(None, CubeSide.BETWEEN), CubeSeen(None, CubeSide.FAR)])
def test_what_cannot_be_read_is_not_held_against_the_match(unsure: CubeSeen | None) -> None:
    assert said(doubled(), unsure, looks=8) == []


def test_looks_without_the_cube_do_not_put_it_right() -> None:
    table = to_throw()
    wrong = CubeSeen(16, CubeSide.MIDDLE)
    assert said(table, wrong, looks=3, wait_ms=4_000) == []
    assert said(table, None, looks=2, wait_ms=4_000) == []
    assert len(said(table, wrong, looks=2, wait_ms=4_000)) == 1


def test_a_number_that_is_read_in_every_other_look_only_is_held_against_the_match() -> None:
    table = doubled()
    texts: list[str] = []
    for number in range(12):
        texts += said(table, CubeSeen(4 if number % 2 else None, CubeSide.NEAR), looks=1)
        table.later(2_000)
    assert texts == [
        "The cube on the table shows 4; in the match it stands at 2",
        "The cube lies with White; in the match it belongs to Black",
    ]


def test_a_question_to_the_arbiter_does_not_have_it_said_again() -> None:
    table = to_throw()
    wrong = CubeSeen(2, CubeSide.MIDDLE)
    assert len(said(table, wrong)) == 1
    phase = table.state.phase
    table.state = replace(table.state, phase=Phase.DECIDING)
    assert said(table, wrong, looks=2) == []
    table.state = replace(table.state, phase=phase)
    assert said(table, wrong, looks=8) == []


def test_an_offered_cube_lies_where_it_likes() -> None:
    table = to_throw()
    table.state = replace(table.state, cube=replace(table.state.cube, offered_by=Side.WHITE))
    assert said(table, CubeSeen(2, CubeSide.FAR), looks=8) == []
    table.order(Take())
    assert said(table, CubeSeen(2, CubeSide.FAR), looks=8) == []
    assert len(said(table, CENTRED)) == 2, "its number and its owner"


def test_without_a_cube_in_the_rules_none_is_watched() -> None:
    rules = replace(ruleset("short-wbgf"), cube=False, crawford=False)
    assert said(to_throw(rules), CubeSeen(8, CubeSide.FAR), looks=8) == []


def test_in_the_crawford_game_it_may_lie_aside() -> None:
    table = to_throw()
    table.order(SetScore(Score(6, 0)))
    assert said(table, CubeSeen(64, CubeSide.FAR), looks=8) == []


def test_no_cube_has_the_face_of_a_game_that_is_worth_more() -> None:
    table = doubled()
    table.state = replace(table.state, cube=replace(table.state.cube, value=128))
    assert said(table, CubeSeen(2, CubeSide.FAR), looks=8) == []
