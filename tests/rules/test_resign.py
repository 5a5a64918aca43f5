"""Resignations: their worth and the warnings that go with them."""

import pytest

from controller.rules import (
    Cube,
    GameResult,
    Kind,
    Resignation,
    ResignError,
    contact,
    presets,
    resign_kinds,
    resignation,
    ruleset,
    start,
)
from tests.rules.boards import Counts, board, rules

SHORT = rules("short-wbgf")
LONG = rules("long-fnr")


def test_a_single_game_is_worth_the_cube() -> None:
    conceded = resignation(board(SHORT, {4: 10}, {3: 5}), Kind.OIN, SHORT, Cube(4, doubles=2))
    assert conceded == Resignation(GameResult(Kind.OIN, 4), contact=False, could_cost_more=False, could_cost_less=False)


def test_an_early_resignation_warns_of_contact_and_of_a_dearer_end() -> None:
    conceded = resignation(start(SHORT.game), Kind.OIN, SHORT)
    assert conceded.contact
    assert conceded.could_cost_more
    assert resignation(start(SHORT.game), Kind.KOKS, SHORT) == Resignation(
        GameResult(Kind.KOKS, 3), contact=True, could_cost_more=False, could_cost_less=True
    )


@pytest.mark.parametrize(
    ("preset", "mine", "theirs", "kind", "more"),
    [
        pytest.param("short-wbgf", {5: 10, 4: 5}, {3: 2, 2: 3}, Kind.OIN, True, id="mars is possible"),
        pytest.param("short-wbgf", {5: 10, 4: 5}, {3: 2, 2: 3}, Kind.MARS, False, id="koks is not, without contact"),
        pytest.param(
            "short-wbgf", {19: 1, 4: 14}, {3: 2, 2: 3}, Kind.MARS, True, id="one is still in the other's home"
        ),
        pytest.param("short-wbgf", {13: 15}, {13: 15}, Kind.MARS, True, id="one may still be hit"),
        pytest.param("long-classic", {13: 15}, {3: 5}, Kind.MARS, True, id="home mars"),
        pytest.param("long-fnr", {24: 1, 13: 14}, {3: 5}, Kind.MARS, False, id="nothing dearer exists"),
    ],
)
def test_a_dearer_loss_is_warned_of_where_one_is_possible(
    preset: str, mine: Counts, theirs: Counts, kind: Kind, *, more: bool
) -> None:
    ruleset = rules(preset)
    assert resignation(board(ruleset, mine, theirs), kind, ruleset).could_cost_more is more


def test_under_jacoby_a_mars_is_worth_one_until_somebody_doubles() -> None:
    money = rules("short-money")
    position = board(money, {4: 15}, {3: 5})
    assert resignation(position, Kind.MARS, money).result == GameResult(Kind.MARS, 1)
    assert resignation(position, Kind.MARS, money, Cube(2, doubles=1)).result == GameResult(Kind.MARS, 4)


@pytest.mark.parametrize(("preset", "kind"), [("long-fnr", Kind.KOKS), ("short-wbgf", Kind.HOME_MARS)])
def test_what_the_ruleset_does_not_know_cannot_be_resigned(preset: str, kind: Kind) -> None:
    ruleset = rules(preset)
    with pytest.raises(ResignError, match=f"'{preset}' has no {kind.value} to resign"):
        resignation(start(ruleset.game), kind, ruleset)


def test_khachapuri_is_resigned_by_the_difference() -> None:
    khachapuri = rules("khachapuri")
    position = board(khachapuri, {4: 9}, {3: 5})
    assert resignation(position, Kind.DIFFERENCE, khachapuri).result == GameResult(Kind.DIFFERENCE, 9)
    with pytest.raises(ResignError, match="settled by the difference, not by mars"):
        resignation(position, Kind.MARS, khachapuri)


@pytest.mark.parametrize(
    ("preset", "mine", "theirs", "expected"),
    [
        ("short-wbgf", {10: 15}, {10: 15}, False),
        ("short-wbgf", {13: 15}, {13: 15}, True),
        ("short-wbgf", {25: 1, 1: 14}, {1: 15}, True),
        ("short-wbgf", {12: 15}, {14: 15}, True),
        ("long-fnr", {24: 15}, {24: 15}, True),
        ("long-fnr", {12: 15}, {12: 15}, False),
        ("long-fnr", {20: 1, 6: 14}, {6: 15}, True),
        ("long-fnr", {6: 15}, {20: 1, 6: 14}, True),
        ("long-fnr", {6: 15}, {12: 1, 6: 14}, False),
    ],
)
def test_contact(preset: str, mine: Counts, theirs: Counts, expected: bool) -> None:
    ruleset = rules(preset)
    assert contact(board(ruleset, mine, theirs), ruleset) is expected


def test_what_can_be_conceded_is_offered_and_nothing_else() -> None:
    assert resign_kinds(ruleset("khachapuri")) == (Kind.DIFFERENCE,)
    assert resign_kinds(SHORT) == (Kind.OIN, Kind.MARS, Kind.KOKS)
    for preset in presets():
        chosen = ruleset(preset)
        for kind in Kind:
            if kind in resign_kinds(chosen):
                assert resignation(start(chosen.game), kind, chosen).result.kind is kind
            else:
                with pytest.raises(ResignError):
                    resignation(start(chosen.game), kind, chosen)
