"""The arbiter's orders at odd moments: each does what its words say, or is refused with a reason."""

from collections.abc import Callable

import pytest

from controller.clock import Millis
from controller.referee.dice import VoidReason
from controller.referee.events import DieState, Restarted, Scene, SceneChanged, TurnEnd
from controller.referee.orders import (
    Confirm,
    Correct,
    Double,
    Order,
    OrderRefusedError,
    Pause,
    Refuse,
    Resign,
    Resume,
    RulingNumber,
    SetClock,
    SetRoll,
    SetScore,
    Start,
    Take,
    Undo,
    VoidThrow,
)
from controller.referee.rulings import PlayRuling, PlayVerdict, ThrowOutcome, ThrowRuling
from controller.referee.state import PauseReason, Phase
from controller.rules import Cube, Game, Kind, Position, Roll, Score, Side, arranged, ruleset, start, varied
from tests.referee.tabletop import Table, die
from tests.referee.test_turns import after, moved, opened


def refused(table: Table, order: Order, why: str, note: str = "") -> None:
    before = table.state
    with pytest.raises(OrderRefusedError, match=f"^{why}$"):
        table.order(order, note)
    assert table.state == before


def timed() -> Table:
    """White is to play 3-1 and his time runs."""
    table = opened()
    table.finger(Side.BLACK)
    assert table.state.clock.running is Side.WHITE
    return table


def played() -> Table:
    """White has played his 3-1; Black is to throw and his time runs."""
    table = timed()
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    table.press(Side.WHITE)
    assert table.state.turn is Side.BLACK
    return table


def asked() -> Table:
    """White has pressed with a hand over the board; the referee asks and both clocks stand."""
    table = timed()
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    table.stir()
    table.finger(Side.WHITE)
    table.look(8, hidden=(4, 5, 6, 7))
    assert table.state.phase is Phase.DECIDING
    return table


SHORT = arranged(Game.SHORT, {1: 2}, {2: 1})
IMPOSSIBLE = [
    pytest.param(start(Game.SHORT)._replace(off=(1, 0)), id="sixteen white checkers"),
    pytest.param(SHORT._replace(off=(0, 0)), id="too few checkers"),
    pytest.param(Position((0,) * 24, (0, 0), (15, 15)), id="an empty board"),
    pytest.param(Position((40, *[0] * 23), (0, 0), (0, 0)), id="forty on a point"),
]


@pytest.mark.parametrize("position", IMPOSSIBLE)
def test_a_position_that_cannot_be_is_no_correction(position: Position) -> None:
    refused(opened(), Correct(position, Side.WHITE), "impossible_position")


def test_nothing_is_put_on_the_bar_of_long_nardy() -> None:
    table = Table(ruleset("long-fnr"))
    refused(table, Correct(start(Game.LONG)._replace(points=(0,) * 11 + (-15,) + (0,) * 11 + (14,), bar=(1, 0)),
                           Side.WHITE), "impossible_position")  # fmt: skip


def test_a_correction_gives_the_time_to_the_side_on_turn() -> None:
    table = timed()
    table.order(Correct(table.state.white_position(), Side.BLACK))
    assert table.state.clock.running is Side.BLACK


def test_a_correction_that_leaves_a_side_without_checkers_ends_the_game() -> None:
    table = opened()
    table.order(Correct(arranged(Game.SHORT, {}, {6: 14}), Side.BLACK))
    assert table.state.score == (1, 0)
    assert table.state.phase is Phase.SETUP


@pytest.mark.parametrize("length", [1, 5])
def test_a_correction_that_ended_the_game_by_mistake_is_taken_back(length: int) -> None:
    table = Table(varied(ruleset("short-wbgf"), {"length": length}))
    table.open_with(3, 1)
    before = table.state
    table.order(Correct(arranged(Game.SHORT, {}, {6: 14}), Side.BLACK))
    assert table.state.finished
    table.order(Undo())
    state = table.state
    assert (state.phase, state.turn, state.position, state.roll) == (
        before.phase, before.turn, before.position, before.roll,
    )  # fmt: skip
    assert (state.score, state.finished, state.winner) == ((0, 0), (), None)


def test_undo_takes_the_cube_back_step_by_step_and_then_the_turn() -> None:
    table = played()
    table.order(Double(Side.BLACK))
    table.order(Take())
    table.order(Undo())
    assert table.state.cube.offered_by is Side.BLACK
    table.order(Undo())
    assert (table.state.turn, table.state.cube) == (Side.BLACK, Cube())
    table.order(Undo())
    assert (table.state.turn, table.state.cube, table.state.game.cube) == (Side.WHITE, Cube(), ())
    table.press(Side.WHITE)
    if table.state.phase is Phase.DECIDING:
        table.order(Confirm(RulingNumber(table.last.number)))
    assert table.state.turn is Side.BLACK
    table.order(Double(Side.BLACK))
    assert table.state.cube.offered_by is Side.BLACK


def test_undo_after_a_correction_goes_back_to_the_corrected_position() -> None:
    table = opened()
    table.white = arranged(Game.SHORT, {6: 5, 5: 3}, {6: 5, 5: 3})
    table.order(Correct(table.white, Side.WHITE))
    table.throw_valid(Side.WHITE, 2, 1, shift=0.2)
    assert table.state.position is not None
    table.place(after(table, "6/4 6/5"), Side.WHITE)
    table.press(Side.WHITE)
    assert table.state.turn is Side.BLACK
    table.order(Undo())
    assert table.state.white_position() == arranged(Game.SHORT, {6: 5, 5: 3}, {6: 5, 5: 3})


def test_a_clock_set_while_the_referee_asks_stays_set_when_the_play_is_refused() -> None:
    table = asked()
    table.order(SetClock(Millis(600_000), Millis(500_000)))
    table.order(Refuse(RulingNumber(table.last.number)))
    state = table.state
    assert (state.phase, state.clock.running) == (Phase.TO_PLAY, Side.WHITE)
    assert (state.clock.reserve(Side.WHITE, state.at), state.clock.reserve(Side.BLACK, state.at)) == (600_000, 500_000)


def test_undo_gives_the_mover_his_time_and_keeps_a_pause() -> None:
    table = played()
    table.order(Pause())
    table.order(Undo())
    assert table.state.clock.turn is Side.WHITE
    assert table.state.clock.running is None
    table.order(Resume())
    assert table.state.clock.running is Side.WHITE


def test_a_ruling_on_a_turn_that_was_undone_is_past() -> None:
    table = played()
    number = table.last.number
    table.order(Undo())
    refused(table, Refuse(number), "ruling_is_past")
    refused(table, Confirm(number), "ruling_is_past")


def test_the_opponents_dice_on_the_board_do_not_close_a_play_that_the_arbiter_took_back() -> None:
    table = played()
    table.throw_valid(Side.BLACK, 6, 4, shift=0.2)
    table.order(Undo())
    table.rest()
    assert table.state.turn is Side.WHITE
    assert not table.state.game.turns


def test_a_play_that_the_arbiter_took_back_is_asked_about_when_it_is_pressed_again() -> None:
    table = played()
    table.order(Refuse(table.last.number))
    table.press(Side.WHITE)
    table.look(6)
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is PlayVerdict.PLEASE_LOOK


def test_without_a_clock_a_play_taken_back_waits_for_another_one() -> None:
    table = Table(ruleset("short-ru"), TurnEnd.LIFT)
    table.open_with(3, 1)
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    table.throw()
    assert table.state.turn is Side.BLACK
    table.order(Undo())
    table.rest()
    assert table.state.turn is Side.WHITE
    table.place(after(table, "24/21 24/23"), Side.WHITE)
    assert table.state.turn is Side.BLACK
    assert str(table.state.game.turns[-1].play).startswith("24")


def test_a_refused_play_that_the_arbiter_lets_stand_passes_the_time_on() -> None:
    table = timed()
    table.place(moved(table, 13, 8), Side.WHITE)
    table.press(Side.WHITE)
    assert table.state.clock.running is Side.WHITE
    table.order(Confirm(table.last.number))
    assert table.state.turn is Side.BLACK
    assert table.state.clock.running is Side.BLACK


def test_an_illegal_play_that_the_opponent_closes_passes_the_time_on() -> None:
    table = timed()
    table.place(moved(table, 13, 8), Side.WHITE)
    table.press(Side.WHITE)
    table.dice = (*table.dice, die(6, 0.2, 0.7), die(5, 0.3, 0.7))
    table.rest()
    assert table.state.turn is Side.BLACK
    assert table.state.clock.running is Side.BLACK


def test_a_play_put_right_without_a_press_is_what_the_opponents_throw_closes() -> None:
    table = timed()
    table.place(moved(table, 13, 8), Side.WHITE)
    table.press(Side.WHITE)
    right = after(table, "8/5 6/5")
    table.place(right, Side.WHITE)
    table.dice = (*table.dice, die(6, 0.2, 0.7), die(5, 0.3, 0.7))
    table.rest()
    assert table.state.game.turns[0].after == right
    assert table.state.game.turns[0].verdict is PlayVerdict.ACCEPTED


def test_a_story_of_a_board_that_cannot_be_is_not_confirmed() -> None:
    table = timed()
    # Three checkers of White's are in somebody's hand.
    points = list(table.white.points)
    for point in (24, 13, 8):
        points[point - 1] -= 1
    table.white = table.white._replace(points=tuple(points))
    table.rest()
    table.press(Side.WHITE)
    table.look(6)
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is PlayVerdict.PLEASE_LOOK
    refused(table, Confirm(table.last.number, 0), "impossible_position")
    refused(table, Confirm(table.last.number, 9), "no_such_hypothesis")
    refused(table, Confirm(table.last.number, -1), "no_such_hypothesis")


@pytest.mark.parametrize("roll", [(0, 3), (7, 3), (3, 0), (3, 7)])
def test_a_die_has_six_faces(roll: tuple[int, int]) -> None:
    table = opened()
    table.order(Correct(table.state.white_position(), Side.WHITE))
    refused(table, SetRoll(roll), "no_such_roll")


def test_a_roll_that_was_read_wrongly_is_set_right_after_the_play() -> None:
    table = played()
    table.throw_valid(Side.BLACK, 6, 4, shift=0.2)
    table.order(SetRoll((6, 5)))
    assert table.state.roll == Roll(6, 5)
    table.place(after(table, "24/18 13/8"), Side.BLACK)
    table.press(Side.BLACK)
    assert table.state.game.turns[-1].roll == Roll(6, 5)
    assert table.state.turn is Side.WHITE


def test_an_opening_read_the_wrong_way_round_is_set_right() -> None:
    table = opened()
    assert table.state.turn is Side.WHITE
    table.order(SetRoll((1, 3)))
    assert table.state.turn is Side.BLACK
    assert table.state.game.openings == ((1, 3),)


def test_a_voided_opening_is_thrown_by_both() -> None:
    table = opened()
    table.order(VoidThrow())
    assert table.state.phase is Phase.OPENING
    assert table.state.turn is None
    assert table.state.game.openings == ()
    assert table.state.game.opening_voids == (VoidReason.BY_ARBITER,)


def test_a_void_throw_that_the_arbiter_lets_stand_is_played() -> None:
    table = played()
    table.throw(die(6, 0.2), die(5, 0.3, state=DieState.COCKED))
    assert isinstance(table.last, ThrowRuling)
    assert table.last.outcome is ThrowOutcome.RE_ROLL
    table.order(Confirm(table.last.number))
    assert table.state.roll == Roll(6, 5)
    assert table.state.phase is Phase.TO_PLAY


def test_a_valid_throw_that_the_arbiter_refuses_is_thrown_again() -> None:
    table = played()
    table.throw_valid(Side.BLACK, 6, 4, shift=0.2)
    table.order(Refuse(table.last.number))
    assert table.state.phase is Phase.TO_THROW
    assert table.state.turn is Side.BLACK
    assert table.state.in_play.voids == (VoidReason.BY_ARBITER,)


@pytest.mark.parametrize("score", [(-1, 0), (7, 0), (0, 99)])
def test_a_score_is_set_within_the_match(score: tuple[int, int]) -> None:
    refused(opened(), SetScore(Score(*score)), "no_such_score")


def test_no_clock_is_set_below_zero() -> None:
    refused(opened(), SetClock(Millis(-1), Millis(0)), "no_such_time")


@pytest.mark.parametrize(("name", "kind"), [("short-wbgf", "drop"), ("short-wbgf", "draw"), ("khachapuri", "mars")])
def test_only_losses_that_the_ruleset_has_are_conceded(name: str, kind: str) -> None:
    table = Table(ruleset(name))
    table.open_with(5, 3)
    refused(table, Resign(Side.BLACK, Kind(kind)), "no_such_result")


def test_nothing_changes_a_match_that_is_over() -> None:
    table = timed()
    table.tick(3_600_000)
    assert table.state.phase is Phase.MATCH_OVER
    table.tick(10_000)
    over = table.state
    table.finger(Side.BLACK)
    table.finger(Side.WHITE)
    table.throw_valid(Side.BLACK, 6, 6)
    table.tick()
    assert table.state == over
    for order in (Start(), Pause(), VoidThrow(), Double(Side.WHITE)):
        refused(table, order, "match_is_over")


def test_dice_are_no_throw_until_a_double_is_answered() -> None:
    table = played()
    table.order(Double(Side.BLACK))
    table.throw_valid(Side.BLACK, 6, 4, shift=0.2)
    assert table.state.phase is Phase.TO_THROW
    refused(table, SetRoll((6, 4)), "answer_first")
    table.order(Take())
    table.rest()
    assert table.state.phase is Phase.TO_PLAY
    assert table.state.cube.value == 2


def test_an_open_question_keeps_the_clocks_until_it_is_answered() -> None:
    table = asked()
    refused(table, Resume(), "question_is_open")
    table.order(Pause())
    table.order(Resume())
    assert table.state.clock.running is None
    table.rest()
    assert table.state.turn is Side.BLACK
    assert table.state.clock.running is Side.BLACK


def test_a_pause_outlasts_the_answer_to_a_question() -> None:
    table = asked()
    table.order(Pause())
    table.rest()
    assert table.state.turn is Side.BLACK
    assert table.state.paused is PauseReason.ORDERED
    assert table.state.clock.running is None


@pytest.mark.parametrize("moment", [opened, timed, played, asked], ids=lambda moment: moment.__name__)
def test_a_restart_at_any_moment_charges_nobody_and_the_turn_goes_on(moment: Callable[[], Table]) -> None:
    table = moment()
    state = table.state
    left = [state.clock.reserve(side, state.at) for side in Side]
    table.happens(Restarted(Millis(3)))
    table.now = 500_000
    table.happens(SceneChanged(table.later(), Scene.QUIET))
    assert [table.state.clock.reserve(side, table.state.at) for side in Side] == left
    assert (table.state.turn, table.state.roll, table.state.phase) == (state.turn, state.roll, state.phase)


def test_a_refusal_after_a_restart_charges_the_mover_up_to_his_press_only() -> None:
    table = opened("long-fnr")
    table.finger(Side.BLACK)
    table.tick(30_000)
    table.stir()
    table.finger(Side.WHITE)
    at_press = table.state.clock.reserve(Side.WHITE, table.state.at)
    table.tick(3_000)
    table.happens(Restarted(Millis(5)))
    table.now = 10
    table.rest()
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is PlayVerdict.REFUSED
    assert table.state.clock.reserve(Side.WHITE, table.state.at) == at_press


def test_dice_that_were_hidden_when_the_arbiter_set_the_roll_are_the_movers() -> None:
    table = Table(ruleset("short-wbgf"))
    table.open_with(5, 2)
    table.order(VoidThrow())
    table.throw()
    table.order(SetRoll((3, 1)))
    table.dice = (die(3, 0.7), die(1, 0.85))
    table.rest()
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    table.press(Side.WHITE)
    table.rest()
    assert table.state.turn is Side.BLACK
    assert table.state.phase is Phase.TO_THROW
    assert not table.state.in_play.voids
