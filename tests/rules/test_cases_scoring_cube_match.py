"""Adjudication cases A, K, M, N and T: who begins, results, cube, Crawford, last move, completed moves."""

import pytest

from controller.rules import (
    DRAWN,
    Cube,
    CubeError,
    GameResult,
    Kind,
    MatchScore,
    NextStart,
    Player,
    Remedy,
    Roll,
    Ruleset,
    Side,
    Sign,
    Since,
    Started,
    Tie,
    after_last_move,
    beaver,
    drop,
    ends_turn,
    last_move_due,
    legal_plays,
    lifted_early,
    offer,
    offer_refusal,
    opening,
    passed,
    presets,
    presses_first,
    remedy,
    result,
    take,
)
from tests.rules.boards import LONG, Counts, board, rules

WHITE, BLACK = Side.WHITE, Side.BLACK
WON: Counts = {}


# A: opening and who starts


@pytest.mark.parametrize("preset", [name for name in presets() if rules(name).auto_double == 0])
def test_a01_equal_opening_dice_are_thrown_again(preset: str) -> None:
    assert opening(4, 4, rules(preset), Cube()) == Tie(Cube())


@pytest.mark.parametrize("preset", ["long-fnr", "alerator-long"])
def test_a02_the_starter_plays_the_opening_dice(preset: str) -> None:
    assert opening(5, 3, rules(preset)) == Started(WHITE, Roll(5, 3), swap_colours=False)


def test_a03_the_starter_throws_anew() -> None:
    assert opening(5, 3, rules("long-classic")) == Started(WHITE, None, swap_colours=False)


def test_a05_the_winner_starts_the_next_game() -> None:
    score = MatchScore.new(rules("long-classic")).after(BLACK, GameResult(Kind.OIN, 1))
    assert score.next_start == NextStart("settled", BLACK)


@pytest.mark.parametrize("winner", [WHITE, BLACK])
def test_a06_colours_swap_and_the_former_black_starts_whatever_the_result(winner: Side) -> None:
    score = MatchScore.new(rules("long-club"))
    assert score.player(WHITE) is Player.FIRST
    score = score.after(winner, GameResult(Kind.OIN, 1))
    assert score.player(WHITE) is Player.SECOND
    assert score.next_start == NextStart("settled", WHITE)
    # Points stay with the player, not with the colour.
    assert score.of(winner.other) == 1


def test_a06_the_higher_die_gets_white() -> None:
    assert opening(2, 6, rules("long-club")) == Started(WHITE, None, swap_colours=True)
    assert opening(6, 2, rules("long-club")) == Started(WHITE, None, swap_colours=False)


def test_a07_each_game_has_its_own_opening_throw() -> None:
    score = MatchScore.new(rules("short-wbgf")).after(BLACK, GameResult(Kind.OIN, 1))
    assert score.next_start == NextStart("throw")


def test_a08_the_second_tie_doubles_nothing_when_the_limit_is_one() -> None:
    money = rules("short-money")
    first = opening(3, 3, money, Cube())
    assert isinstance(first, Tie)
    second = opening(6, 6, money, first.cube)
    assert isinstance(second, Tie)
    assert (second.cube.value, second.cube.owner) == (2, None)
    assert opening(5, 2, money, second.cube) == Started(WHITE, Roll(5, 2), swap_colours=False)


@pytest.mark.parametrize("preset", [name for name in presets() if rules(name).play == "match"])
def test_a09_ties_double_nothing_in_a_match(preset: str) -> None:
    assert opening(3, 3, rules(preset), Cube()) == Tie(Cube())


def test_q11_the_lower_opening_die_starts_the_clock() -> None:
    assert presses_first(5, 3) is BLACK


# K: what a game is worth


SHORT = "short-wbgf"
K_CASES: list[tuple[str, tuple[str, ...], dict[str, object], Counts, Cube, Kind, int]] = [
    ("K01", (*LONG, "crazy"), {}, {4: 14}, Cube(), Kind.OIN, 1),
    ("K02", (*LONG, "crazy"), {}, {12: 3, 4: 12}, Cube(), Kind.MARS, 2),
    ("K03", ("long-classic",), {}, {6: 5, 3: 10}, Cube(), Kind.HOME_MARS, 3),
    ("K04", ("long-fnr", "long-club", "alerator-long"), {}, {6: 5, 3: 10}, Cube(), Kind.MARS, 2),
    ("K05", ("long-classic",), {}, {20: 1, 10: 4, 3: 10}, Cube(), Kind.KOKS, 3),
    ("K06", ("long-fnr", "long-club", "alerator-long"), {}, {20: 1, 10: 4, 3: 10}, Cube(), Kind.MARS, 2),
    ("K07", ("long-classic",), {}, {15: 5, 9: 10}, Cube(), Kind.MARS, 2),
    ("K08", (SHORT, "short-money"), {"jacoby": False}, {25: 1, 6: 14}, Cube(), Kind.KOKS, 3),
    ("K09", (SHORT, "short-money"), {"jacoby": False}, {20: 1, 6: 14}, Cube(), Kind.KOKS, 3),
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


def test_k16_a_tas_ends_at_three_and_the_surplus_is_recorded() -> None:
    tas = rules("long-classic")
    score = MatchScore(tas, points=(2, 2), games=4)
    won = score.after(WHITE, GameResult(Kind.MARS, 2))
    assert (won.points, won.winner, won.over) == ((4, 2), Player.FIRST, True)


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


# M: the cube and the Crawford game of a match

MATCH5 = rules("short-wbgf", length=5)
MONEY = rules("short-money")


def refusal(cube: Cube, side: Side, ruleset: Ruleset, **context: object) -> str | None:
    given: dict[str, object] = {"turn": side, "thrown": False, "crawford_game": False, **context}
    turn = given["turn"]
    assert isinstance(turn, Side)
    return offer_refusal(
        cube, side, ruleset, turn=turn, thrown=bool(given["thrown"]), crawford_game=bool(given["crawford_game"])
    )


def at_four_two() -> MatchScore:
    score = MatchScore.new(MATCH5)
    for winner, points in ((WHITE, 3), (BLACK, 2), (WHITE, 1)):
        score = score.after(winner, GameResult(Kind.OIN, points))
    return score


def test_m01_nobody_doubles_in_the_crawford_game() -> None:
    score = at_four_two()
    assert score.points == (4, 2)
    assert score.crawford_game
    for side in Side:
        assert refusal(Cube(), side, MATCH5, crawford_game=score.crawford_game) == "crawford"


def test_m02_the_cube_is_back_after_the_crawford_game() -> None:
    score = at_four_two().after(BLACK, GameResult(Kind.OIN, 1))
    assert score.points == (4, 3)
    assert not score.crawford_game
    for side in Side:
        assert refusal(Cube(), side, MATCH5, crawford_game=score.crawford_game) is None


def test_m03_there_is_only_one_crawford_game_in_a_match() -> None:
    score = at_four_two().after(BLACK, GameResult(Kind.OIN, 1)).after(BLACK, GameResult(Kind.OIN, 1))
    assert score.points == (4, 4)
    assert not score.crawford_game


def test_m04_a_match_to_one_has_no_cube() -> None:
    assert refusal(Cube(), WHITE, rules("short-wbgf", length=1)) == "one_point_match"


CUBE_PRESETS = [name for name in presets() if rules(name).cube]


@pytest.mark.parametrize("preset", CUBE_PRESETS)
def test_m05_only_the_owner_may_redouble(preset: str) -> None:
    ruleset = rules(preset)
    taken = take(offer(Cube(), WHITE, ruleset, turn=WHITE, thrown=False), ruleset)
    assert taken == Cube(2, BLACK, doubles=1)
    assert refusal(taken, WHITE, ruleset) == "not_the_owner"
    assert refusal(taken, BLACK, ruleset) is None


@pytest.mark.parametrize("preset", CUBE_PRESETS)
def test_m06_a_double_comes_before_the_throw(preset: str) -> None:
    assert refusal(Cube(), WHITE, rules(preset), thrown=True) == "after_the_throw"


@pytest.mark.parametrize("preset", CUBE_PRESETS)
def test_m07_a_double_is_for_the_side_to_move(preset: str) -> None:
    assert refusal(Cube(), WHITE, rules(preset), turn=BLACK) == "not_your_turn"


def test_m08_a_beaver_accepted_makes_four_for_the_one_who_beavered() -> None:
    beavered = beaver(offer(Cube(), WHITE, MONEY, turn=WHITE, thrown=False), MONEY)
    cube = take(beavered, MONEY)
    assert (cube.value, cube.owner) == (4, BLACK)


def test_m09_a_beaver_passed_costs_the_doubled_stake() -> None:
    beavered = beaver(offer(Cube(), WHITE, MONEY, turn=WHITE, thrown=False), MONEY)
    assert passed(beavered, MONEY) == (BLACK, 2)


@pytest.mark.parametrize("preset", [name for name in CUBE_PRESETS if rules(name).play == "match"])
def test_m10_there_are_no_beavers_in_a_match(preset: str) -> None:
    ruleset = rules(preset)
    doubled = offer(Cube(), WHITE, ruleset, turn=WHITE, thrown=False)
    with pytest.raises(CubeError, match="no beaver") as refused:
        beaver(doubled, ruleset)
    assert refused.value.reason == "no_beaver"


def test_m11_a_cube_at_its_last_face_is_not_turned() -> None:
    assert refusal(Cube(64, WHITE, doubles=6), WHITE, MATCH5) == "no_such_face"
    assert refusal(Cube(64, WHITE, doubles=6), WHITE, rules("short-wbgf", cube_limit=0)) is None


def test_m12_the_arithmetic_cube_ends_at_six() -> None:
    arithmetic = rules("khachapuri", cube=True, cube_progression="arithmetic", cube_limit=6)
    assert refusal(Cube(6, WHITE, doubles=5), WHITE, arithmetic) == "no_such_face"
    assert refusal(Cube(5, WHITE, doubles=4), WHITE, arithmetic) is None


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
    # A draw has no winner; who begins then is thrown for.
    assert MatchScore.new(TREEGAME).after(None, DRAWN).over


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


# T: completed moves and illegal ones

LEGAL_MOVES = [name for name in presets() if rules(name).illegal == "legal_moves"]


@pytest.mark.parametrize("preset", LEGAL_MOVES)
@pytest.mark.parametrize(
    ("since", "expected"),
    [
        pytest.param(Since.NOTHING, Remedy.CORRECT, id="T01"),
        pytest.param(Since.VALID_THROW, Remedy.STANDS, id="T02-throw"),
        pytest.param(Since.VALID_DOUBLE, Remedy.STANDS, id="T02-double"),
        pytest.param(Since.VOID_THROW, Remedy.CORRECT, id="T03"),
        pytest.param(Since.THROW_BEFORE_PRESS, Remedy.CORRECT, id="T09"),
    ],
)
def test_an_illegal_play_is_corrected_until_a_valid_throw(preset: str, since: Since, expected: Remedy) -> None:
    assert remedy(rules(preset), since) is expected


def test_t04_a_responsible_opponent_must_say() -> None:
    assert remedy(rules("short-us"), Since.NOTHING) is Remedy.OPPONENT_MUST_SAY
    assert remedy(rules("short-money"), Since.NOTHING) is Remedy.OPPONENT_MAY_SAY


@pytest.mark.parametrize("preset", [name for name in presets() if rules(name).clock != "none"])
def test_t05_t06_only_the_press_completes_a_move_where_there_is_a_clock(preset: str) -> None:
    completing = {sign for sign in Sign if ends_turn(sign, rules(preset))}
    assert completing == {Sign.CLOCK}


def test_t07_without_a_clock_the_dice_complete_it() -> None:
    assert {sign for sign in Sign if ends_turn(sign, rules("short-ru"))} == {Sign.DICE_LIFT}
    assert {sign for sign in Sign if ends_turn(sign, rules("long-classic"))} == {Sign.DICE_HANDOVER}


@pytest.mark.parametrize("preset", [name for name in LONG if rules(name).clock != "none"])
def test_t08_dice_lifted_before_the_press_are_a_warning(preset: str) -> None:
    assert lifted_early(Sign.DICE_LIFT, rules(preset))
    assert not lifted_early(Sign.CLOCK, rules(preset))
