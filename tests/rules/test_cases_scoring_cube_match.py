"""Adjudication cases K and N: results and the last move; others about score and cube are in ``tests/referee``."""

import pytest

from controller.rules import (
    DRAWN,
    Cube,
    CubeError,
    GameResult,
    Kind,
    Roll,
    Side,
    after_last_move,
    drop,
    last_move_due,
    legal_plays,
    offer,
    passed,
    presets,
    result,
    take,
)
from tests.rules.boards import LONG, Counts, board, rules

WHITE, BLACK = Side.WHITE, Side.BLACK
WON: Counts = {}


# K: what a game is worth


SHORT = "short-wbgf"
K_CASES: list[tuple[str, tuple[str, ...], dict[str, object], Counts, Cube, Kind, int]] = [
    ("K01", (*LONG, "crazy"), {}, {4: 14}, Cube(), Kind.OIN, 1),
    ("K02", (*LONG, "crazy"), {}, {12: 3, 4: 12}, Cube(), Kind.MARS, 2),
    ("K03", ("long-classic",), {}, {6: 5, 3: 10}, Cube(), Kind.HOME_MARS, 3),
    ("K04", ("long-fnr", "long-club", "alerator-long"), {}, {6: 5, 3: 10}, Cube(), Kind.MARS, 2),
    ("K05", ("long-classic",), {}, {20: 1, 10: 4, 3: 10}, Cube(), Kind.KOKS, 3),
    ("K05 on the quarter's last point", ("long-classic",), {}, {19: 1, 10: 4, 3: 10}, Cube(), Kind.KOKS, 3),
    ("K06", ("long-fnr", "long-club", "alerator-long"), {}, {20: 1, 10: 4, 3: 10}, Cube(), Kind.MARS, 2),
    ("K07", ("long-classic",), {}, {15: 5, 9: 10}, Cube(), Kind.MARS, 2),
    ("K08", (SHORT, "short-money"), {"jacoby": False}, {25: 1, 6: 14}, Cube(), Kind.KOKS, 3),
    ("K09", (SHORT, "short-money"), {"jacoby": False}, {20: 1, 6: 14}, Cube(), Kind.KOKS, 3),
    ("K09 on the home's last point", (SHORT,), {}, {19: 1, 6: 14}, Cube(), Kind.KOKS, 3),
    ("K10", (SHORT, "short-money"), {"jacoby": False}, {18: 1, 6: 14}, Cube(), Kind.MARS, 2),
    ("K11", ("short-ru",), {}, {20: 1, 6: 14}, Cube(), Kind.MARS, 2),
    ("K12", ("short-money",), {}, {25: 1, 6: 14}, Cube(), Kind.KOKS, 1),
    ("K13", ("short-money",), {}, {25: 1, 6: 14}, Cube(2, BLACK, doubles=1), Kind.KOKS, 6),
    ("K14", (SHORT,), {}, {25: 1, 6: 14}, Cube(), Kind.KOKS, 3),
    ("K15", ("hyper",), {}, {10: 3}, Cube(), Kind.MARS, 2),
    ("K19", ("short-money",), {}, {10: 15}, Cube(2, None, automatic=1), Kind.MARS, 2),
]


@pytest.mark.parametrize(
    ("preset", "options", "loser", "cube", "kind", "points"),
    [pytest.param(preset, *row[2:], id=f"{row[0]}-{preset}") for row in K_CASES for preset in row[1]],
)
def test_results(preset: str, options: dict[str, object], loser: Counts, cube: Cube, kind: Kind, points: int) -> None:
    ruleset = rules(preset, **options)
    assert result(board(ruleset, WON, loser), ruleset, cube) == GameResult(kind, points)


@pytest.mark.parametrize("preset", [name for name in presets() if rules(name).cube and name != "khachapuri"])
def test_k17_k18_a_passed_double_costs_the_value_before_it(preset: str) -> None:
    ruleset = rules(preset)
    begin = board(ruleset, {6: ruleset.game.checkers}, {6: ruleset.game.checkers})
    doubled = offer(Cube(), WHITE, ruleset, turn=WHITE, thrown=False)
    winner, value = passed(doubled, ruleset)
    assert winner is WHITE
    assert drop(begin, BLACK, WHITE, ruleset, value) == GameResult(Kind.DROP, 1)
    redoubled = offer(take(doubled, ruleset), BLACK, ruleset, turn=BLACK, thrown=False)
    winner, value = passed(redoubled, ruleset)
    assert winner is BLACK
    assert drop(begin, WHITE, BLACK, ruleset, value) == GameResult(Kind.DROP, 2)


def test_k20_a_passed_double_in_khachapuri_costs_the_losers_checkers_on_the_board() -> None:
    khachapuri = rules("khachapuri", cube=True)
    doubled = offer(Cube(), WHITE, khachapuri, turn=WHITE, thrown=False)
    winner, value = passed(doubled, khachapuri)
    position = board(khachapuri, {4: 5}, {4: 9})
    assert winner is WHITE
    assert drop(position, BLACK, WHITE, khachapuri, value) == GameResult(Kind.DROP, 9)


MATCH5 = rules("short-wbgf", length=5)
MONEY = rules("short-money")

CUBE_PRESETS = [name for name in presets() if rules(name).cube]


def test_a_double_that_waits_must_be_answered_first() -> None:
    doubled = offer(Cube(), WHITE, MATCH5, turn=WHITE, thrown=False)
    with pytest.raises(CubeError, match="white may not double: answer_first"):
        offer(doubled, WHITE, MATCH5, turn=WHITE, thrown=False)


# N: the last move

TREEGAME = rules("long-treegame")


def test_n01_the_second_player_draws_if_he_finishes_in_his_last_turn() -> None:
    won = board(TREEGAME, WON, {1: 2})
    assert last_move_due(won, TREEGAME, winner_began=True)
    ends = legal_plays(won.turned(TREEGAME.game), Roll(2, 1), TREEGAME)
    assert [after_last_move(end.turned(TREEGAME.game), TREEGAME) for end in ends] == [DRAWN]


def test_n02_the_starter_wins_if_the_second_player_cannot_finish() -> None:
    won = board(TREEGAME, WON, {6: 1, 5: 1})
    assert last_move_due(won, TREEGAME, winner_began=True)
    ends = legal_plays(won.turned(TREEGAME.game), Roll(4, 1), TREEGAME)
    scores = {after_last_move(end.turned(TREEGAME.game), TREEGAME) for end in ends}
    assert scores == {GameResult(Kind.OIN, 1)}


def test_n03_the_starter_has_no_last_move() -> None:
    assert not last_move_due(board(TREEGAME, WON, {1: 2}), TREEGAME, winner_began=False)


@pytest.mark.parametrize("preset", [name for name in presets() if name not in {"long-treegame", "hyper"}])
def test_n04_elsewhere_the_game_is_over_at_once(preset: str) -> None:
    ruleset = rules(preset)
    assert not last_move_due(board(ruleset, WON, {1: 2}), ruleset, winner_began=True)


def test_n05_no_last_move_for_five_checkers() -> None:
    won = board(TREEGAME, WON, {1: 5})
    assert not last_move_due(won, TREEGAME, winner_began=True)
    assert result(won, TREEGAME) == GameResult(Kind.OIN, 1)


def test_n06_a_checker_borne_off_in_the_last_turn_saves_the_mars() -> None:
    won = board(TREEGAME, WON, {6: 5, 1: 10})
    assert last_move_due(won, TREEGAME, winner_began=True)
    assert result(won, TREEGAME) == GameResult(Kind.MARS, 2)
    ends = legal_plays(won.turned(TREEGAME.game), Roll(5, 1), TREEGAME)
    saved = [end for end in ends if end.off[0] == 1]
    assert {after_last_move(end.turned(TREEGAME.game), TREEGAME) for end in saved} == {GameResult(Kind.OIN, 1)}
