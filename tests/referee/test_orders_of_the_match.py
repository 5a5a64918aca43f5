"""What an arbiter orders beside the play: awards, penalties, breaks, length, clock, seats, claims, adjourning."""

import pytest

from controller.clock import Millis
from controller.referee.events import Restarted, Scene, SceneChanged, TurnEnd
from controller.referee.orders import (
    Adjourn,
    AnswerClaim,
    AwardGame,
    AwardMatch,
    Claim,
    ClaimKind,
    Double,
    Draw,
    IntroduceClock,
    Penalise,
    Resign,
    Resume,
    RulingNumber,
    SetClock,
    SetCube,
    SetLength,
    SetRoll,
    SetScore,
    SetTurn,
    Swap,
    Take,
    TakeBreak,
    Undo,
    VoidThrow,
    Warn,
)
from controller.referee.state import PauseReason, Phase
from controller.rules import Cube, Game, Kind, Roll, Score, Side, arranged, ruleset, varied
from tests.referee.tabletop import Table
from tests.referee.test_orders import played, refused, timed
from tests.referee.test_turns import after

WHITE, BLACK = Side.WHITE, Side.BLACK
WHY = "by the rules of the event"


def left(table: Table) -> tuple[int, int]:
    clock, at = table.state.clock, table.state.at
    return clock.reserve(WHITE, at), clock.reserve(BLACK, at)


def between_games() -> Table:
    """White has won a point and thrown first; the second game is to be set up."""
    table = timed()
    table.resign(BLACK)
    assert table.state.phase is Phase.SETUP
    return table


# --- awards ---


@pytest.mark.parametrize(("kind", "points"), [(Kind.OIN, 1), (Kind.MARS, 2), (Kind.KOKS, 3)])
def test_an_awarded_game_counts_as_its_kind_does(kind: Kind, points: int) -> None:
    table = timed()
    table.order(AwardGame(BLACK, kind), WHY)
    assert table.state.score == (0, points)
    assert (table.state.finished[-1].winner, table.state.phase) == (BLACK, Phase.SETUP)


def test_an_awarded_game_counts_with_the_cube() -> None:
    table = played()
    table.order(Double(BLACK))
    table.order(Take())
    table.order(AwardGame(WHITE, Kind.MARS), WHY)
    assert table.state.score == (4, 0)


def test_a_game_is_forfeited_before_it_begins_and_that_is_taken_back_game_by_game() -> None:
    table = between_games()
    table.order(AwardGame(BLACK), WHY)
    assert (table.state.score, table.state.game.number) == ((1, 1), 3)
    table.order(Undo())
    assert (table.state.score, table.state.game.number) == ((1, 0), 2)
    table.order(Undo())
    assert (table.state.score, table.state.game.number, table.state.turn) == ((0, 0), 1, WHITE)


def test_an_awarded_match_is_over_at_its_score_and_undo_goes_on_with_it() -> None:
    table = timed()
    before = left(table)
    table.order(AwardMatch(BLACK), WHY)
    assert (table.state.phase, table.state.winner, table.state.score) == (Phase.MATCH_OVER, BLACK, (0, 0))
    table.order(Undo())
    assert (table.state.phase, table.state.turn, table.state.roll) == (Phase.TO_PLAY, WHITE, Roll(3, 1))
    table.order(Resume())
    assert left(table)[0] <= before[0]
    assert table.state.clock.running is WHITE


def test_what_is_awarded_has_a_size_that_the_ruleset_knows_and_a_reason() -> None:
    refused(timed(), AwardGame(WHITE), "say_why")
    refused(timed(), AwardGame(WHITE, Kind.DRAW), "no_such_result", WHY)
    refused(Table(ruleset("short-money")), AwardMatch(WHITE), "no_match_to_award", WHY)


def test_a_draw_is_agreed_where_the_rules_know_one() -> None:
    table = Table(varied(ruleset("long-treegame"), {"play": "match", "length": 3}), TurnEnd.LIFT)
    table.rest()
    table.order(Draw(), "agreed")
    assert (table.state.score, table.state.finished[-1].winner) == ((0, 0), None)
    assert table.state.phase is Phase.SETUP
    refused(timed(), Draw(), "no_draw", "agreed")


# --- warnings, penalty points, lateness ---


def test_warnings_are_counted_through_the_match() -> None:
    table = timed()
    table.order(Warn(BLACK), "spoke to a spectator")
    table.resign(WHITE)
    table.order(Warn(BLACK), "again")
    assert table.state.warnings == (BLACK, BLACK)
    refused(table, Warn(WHITE), "say_why")


def test_penalty_points_go_to_the_opponent_and_may_win_the_match() -> None:
    table = timed()
    table.order(Penalise(WHITE, 2), WHY)
    assert (table.state.score, table.state.phase) == ((0, 2), Phase.TO_PLAY)
    table.order(Penalise(WHITE, 5), WHY)
    assert (table.state.winner, table.state.score) == (BLACK, (0, 7))
    table.order(Undo())
    assert (table.state.score, table.state.winner) == ((0, 2), None)


def test_penalty_points_are_one_or_more_and_belong_to_a_match() -> None:
    table = timed()
    refused(table, Penalise(WHITE, 0), "no_such_points", WHY)
    refused(Table(ruleset("short-money")), Penalise(WHITE), "no_match_for_points", WHY)


def test_a_score_set_after_penalty_points_is_the_score() -> None:
    table = timed()
    table.order(Penalise(WHITE), WHY)
    table.order(SetScore(Score(0, 1)))
    table.resign(WHITE)
    assert table.state.score == (0, 2)
    assert table.state.finished[-1].after == (0, 2)


# --- breaks ---


def test_a_break_stops_both_clocks_until_the_match_is_resumed() -> None:
    table = timed()
    table.order(TakeBreak(BLACK))
    before = left(table)
    table.now += 300_000
    table.order(Resume())
    assert left(table) == before
    assert (table.state.breaks, table.state.clock.running) == ((BLACK,), WHITE)


def test_no_more_breaks_are_taken_than_the_ruleset_gives() -> None:
    table = Table(varied(ruleset("short-wbgf"), {"breaks": 1}))
    table.order(TakeBreak(BLACK))
    table.order(Resume())
    refused(table, TakeBreak(BLACK), "no_break_left")
    table.order(TakeBreak(WHITE))
    assert table.state.breaks == (BLACK, WHITE)


# --- length and clock ---


def test_a_longer_match_goes_on_where_it_would_have_been_over() -> None:
    table = timed()
    table.order(SetScore(Score(6, 0)))
    table.order(SetLength(9))
    table.order(AwardGame(WHITE), WHY)
    assert (table.state.phase, table.state.score, table.state.rules.length) == (Phase.SETUP, (7, 0), 9)


def test_a_match_that_ended_by_a_wrong_length_goes_on() -> None:
    table = timed()
    table.order(SetScore(Score(6, 0)))
    table.order(AwardGame(WHITE), WHY)
    assert table.state.phase is Phase.MATCH_OVER
    table.order(SetLength(9))
    assert (table.state.phase, table.state.winner, table.state.score) == (Phase.SETUP, None, (7, 0))
    assert table.state.game.number == 2


def test_the_crawford_game_follows_the_length() -> None:
    table = between_games()
    table.order(SetScore(Score(4, 0)))
    assert not table.state.crawford_game
    table.order(SetLength(5))
    assert table.state.crawford_game


@pytest.mark.parametrize(("points", "why"), [(0, "no_such_length"), (100, "no_such_length"), (3, "length_is_reached")])
def test_a_length_is_above_the_score(points: int, why: str) -> None:
    table = timed()
    table.order(SetScore(Score(3, 0)))
    refused(table, SetLength(points), why)
    refused(Table(ruleset("short-money")), SetLength(5), "no_match_length")


def test_a_clock_introduced_at_a_score_gives_a_minute_for_each_point_that_either_needs() -> None:
    # Unified clock rules, 2.1: Black needs 4 points and White 6, so each clock shows a half of 10 at 2 minutes: 10.
    # The text itself gives 30 minutes, at 6 a point.
    table = Table(varied(ruleset("short-ru"), {"length": 7}), TurnEnd.LIFT)
    table.order(SetScore(Score(1, 3)))
    table.order(IntroduceClock())
    assert left(table) == (600_000, 600_000)
    assert table.state.clock.control.delay_ms == 12_000
    table.open_with(3, 1)
    table.finger(BLACK)
    assert table.state.clock.running is WHITE
    table.place(after(table, "8/5 6/5"), WHITE)
    table.press(WHITE)
    assert (table.state.turn, table.state.clock.running) == (BLACK, BLACK)


def test_a_clock_comes_in_between_games_and_once() -> None:
    refused(timed(), IntroduceClock(), "clock_is_there")
    table = Table(ruleset("short-ru"), TurnEnd.LIFT)
    table.open_with(3, 1)
    refused(table, IntroduceClock(), "clock_between_games")
    money = Table(ruleset("short-money"))
    refused(money, IntroduceClock(), "say_the_reserve")
    refused(money, IntroduceClock(Millis(-1)), "no_such_time")
    money.order(IntroduceClock(Millis(300_000), Millis(5_000)))
    assert (left(money), money.state.clock.control.delay_ms) == ((300_000, 300_000), 5_000)


# --- a match put aside ---


def test_an_adjourned_match_keeps_clocks_position_and_roll_whatever_happens_on_the_board() -> None:
    table = timed()
    table.order(Adjourn())
    before, position = left(table), table.state.white_position()
    table.white = arranged(Game.SHORT, {}, {})
    table.throw_valid(BLACK, 6, 6)
    table.finger(WHITE)
    table.tick(3_600_000)
    assert (table.state.paused, table.state.phase) == (PauseReason.ADJOURNED, Phase.TO_PLAY)
    table.white, table.dice = position, ()
    table.order(Resume())
    assert (left(table), table.state.roll, table.state.clock.running) == (before, Roll(3, 1), WHITE)
    table.place(after(table, "8/5 6/5"), WHITE)
    table.press(WHITE)
    assert table.state.turn is BLACK


def test_an_adjourned_match_is_taken_up_after_a_restart() -> None:
    table = played()
    table.order(Adjourn())
    before = left(table)
    table.happens(Restarted(Millis(5)))
    table.now = 86_400_000
    table.happens(SceneChanged(table.later(), Scene.QUIET))
    table.finger(WHITE)
    assert table.state.paused is PauseReason.ADJOURNED
    table.order(Resume())
    assert (left(table), table.state.turn, table.state.clock.running) == (before, BLACK, BLACK)
    table.dice = ()
    table.rest()
    table.throw_valid(BLACK, 6, 4, shift=0.2)
    assert table.state.roll == Roll(6, 4)


def test_dice_that_lay_there_when_an_adjourned_match_goes_on_are_no_throw() -> None:
    table = played()
    table.order(Adjourn())
    table.throw_valid(BLACK, 6, 6, shift=0.2)
    table.order(Resume())
    table.rest()
    assert table.state.phase is Phase.TO_THROW


def test_orders_of_the_play_wait_until_an_adjourned_match_is_resumed() -> None:
    table = timed()
    table.order(Adjourn())
    for order in (VoidThrow(), SetRoll((6, 5)), Double(WHITE), Adjourn(), Resign(WHITE)):
        refused(table, order, "adjourned")
    table.order(SetScore(Score(1, 1)))
    table.order(SetClock(white_ms=Millis(60_000)))
    assert table.state.paused is PauseReason.ADJOURNED


# --- seats, colours, names; turn and cube ---


def test_players_who_change_seats_keep_their_points_time_and_games() -> None:
    table = between_games()
    table.order(SetClock(Millis(100_000), Millis(200_000)))
    table.order(Warn(WHITE), WHY)
    table.order(Swap("seats"))
    state = table.state
    assert (state.white, state.black, state.score) == ("Black", "White", (0, 1))
    assert (left(table), state.warnings) == ((200_000, 100_000), (BLACK,))
    game = state.finished[0]
    assert (game.winner, game.starter, game.after) == (BLACK, BLACK, (0, 1))


def test_seats_and_colours_are_changed_between_games_names_at_any_time() -> None:
    for what in ("seats", "colours"):
        refused(timed(), Swap(what), "between_games")  # type: ignore[arg-type] # the two of three
    refused(Table(), Swap("colours"), "colours_are_seen")
    table = timed()
    table.order(Swap("names"))
    assert (table.state.white, table.state.black, table.state.turn) == ("Black", "White", WHITE)


def test_a_game_begins_with_the_colours_exchanged() -> None:
    table = between_games()
    light = table.state.light
    table.order(Swap("colours"))
    table.white = table.white._replace(points=tuple(-count for count in Table().white.points))
    table.dice = ()
    table.rest()
    assert light is WHITE
    assert (table.state.phase, table.state.light) == (Phase.OPENING, BLACK)


def test_the_turn_is_set_and_the_position_stays() -> None:
    table = timed()
    position = table.state.white_position()
    table.order(SetTurn(BLACK))
    assert (table.state.turn, table.state.phase, table.state.clock.running) == (BLACK, Phase.TO_THROW, BLACK)
    assert table.state.white_position() == position
    refused(between_games(), SetTurn(WHITE), "no_game_yet")


def test_the_cube_is_set_to_a_face_that_it_has() -> None:
    table = played()
    table.order(SetCube(4, WHITE))
    assert (table.state.cube.value, table.state.cube.owner) == (4, WHITE)
    refused(table, Double(BLACK), "not_the_owner")
    refused(table, SetCube(3), "no_such_cube")
    refused(table, SetCube(128), "no_such_cube")
    refused(table, SetCube(1, WHITE), "cube_of_nobody")
    refused(between_games(), SetCube(2), "no_game_for_a_cube")
    table.order(AwardGame(BLACK), WHY)
    assert table.state.score == (0, 4)
    assert table.state.cube == Cube()


# --- claims ---


def test_a_claim_stops_the_clocks_until_the_arbiter_answers() -> None:
    table = timed()
    table.order(Claim(BLACK, ClaimKind.RULING, RulingNumber(table.last.number)))
    before = left(table)
    table.now += 60_000
    refused(table, Resume(), "answer_the_claim")
    refused(table, Claim(WHITE, ClaimKind.CLOCK), "answer_the_claim")
    table.order(AnswerClaim(granted=False))
    assert (left(table), table.state.clock.running, table.state.claim) == (before, WHITE, None)
    refused(table, AnswerClaim(granted=True), "no_claim_open")


def test_a_claim_is_about_a_ruling_that_there_is() -> None:
    table = timed()
    refused(table, Claim(BLACK, ClaimKind.RULING, RulingNumber(99)), "no_such_ruling")


def test_a_claim_may_follow_the_end_of_the_match() -> None:
    table = timed()
    table.tick(3_600_000)
    assert table.state.phase is Phase.MATCH_OVER
    table.order(Claim(WHITE, ClaimKind.FLAG))
    table.order(AnswerClaim(granted=True))
    table.order(Undo())
    table.order(Undo())
    assert (table.state.phase, table.state.claim) == (Phase.MATCH_OVER, None)
    table.order(Undo())
    assert (table.state.phase, table.state.turn) == (Phase.TO_PLAY, WHITE)
