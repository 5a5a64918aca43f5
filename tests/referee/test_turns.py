"""What players and the arbiter see the referee do with plays."""

import random

import pytest

from controller.clock import Millis
from controller.ports.entries import ENTRIES
from controller.referee.events import Restarted, TurnEnd
from controller.referee.fold import replayed
from controller.referee.orders import Confirm, Correct, OrderRefusedError, Refuse, SetRoll, Undo
from controller.referee.rulings import Judge, PlayRuling, PlayVerdict, ThrowRuling
from controller.referee.state import PauseReason, Phase
from controller.rules import Kind, Play, Position, Side, legal_plays, ruleset
from tests.referee.tabletop import Table, die


def play_random_turn(table: Table, rng: random.Random) -> None:
    state = table.state
    assert state.turn is not None
    if state.phase is Phase.TO_THROW:
        table.throw_valid(state.turn, rng.randint(1, 6), rng.randint(1, 6), shift=rng.random() * 0.3)
    state = table.state
    assert state.phase is Phase.TO_PLAY
    assert state.roll is not None
    assert state.position is not None
    legal = legal_plays(
        state.position, state.roll, state.rules, first_turn=state.first_turn, second_player=state.second_player
    )
    table.place(rng.choice(sorted(legal)), state.turn)
    if table.state.turn_end is TurnEnd.PRESS:
        table.press(state.turn)
    else:
        table.throw()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["short-wbgf", "long-fnr", "long-classic", "hyper", "khachapuri"])
def test_a_whole_random_game_is_accepted_turn_by_turn(name: str) -> None:
    table, rng = Table(ruleset(name)), random.Random(name)
    table.open_with(5, 2)
    while not table.state.finished:
        play_random_turn(table, rng)
    plays = [r for r in table.rulings if isinstance(r, PlayRuling)]
    game = table.state.finished[0]
    assert {ruling.verdict for ruling in plays} == {PlayVerdict.ACCEPTED}
    assert len(plays) == len(game.turns)
    assert game.turns[-1].after.off[0] == table.rules.game.checkers
    assert sum(table.state.score) == game.result.points if game.result else 0


def opened(name: str = "short-wbgf") -> Table:
    """White has opened with 3-1 and is to play it."""
    table = Table(ruleset(name))
    table.open_with(3, 1)
    assert table.state.phase is Phase.TO_PLAY
    return table


def after(table: Table, play: str) -> Position:
    state = table.state
    assert state.position is not None
    assert state.roll is not None
    wanted = sorted(Play.parse(play))
    legal = legal_plays(state.position, state.roll, state.rules, first_turn=state.first_turn)
    return next(end for end, made in legal.items() if sorted(made) == wanted)


def moved(table: Table, source: int, target: int) -> Position:
    """Move one of the mover's checkers, whatever the rules say."""
    position = table.state.position
    assert position is not None
    points = list(position.points)
    points[source - 1] -= 1
    points[target - 1] += 1
    return Position(tuple(points), position.bar, position.off)


def test_nothing_is_judged_before_the_press() -> None:
    table = opened()
    table.place(moved(table, 13, 9), Side.WHITE)
    assert not [r for r in table.rulings if isinstance(r, PlayRuling)]


def test_a_wrong_distance_is_refused_with_fault_and_legal_plays_then_put_right() -> None:
    table = opened()
    table.place(moved(table, 13, 8), Side.WHITE)
    table.press(Side.WHITE)
    refused = table.last
    assert isinstance(refused, PlayRuling)
    assert refused.verdict is PlayVerdict.REFUSED
    assert refused.faults
    assert refused.would_be_legal
    assert table.state.turn is Side.WHITE
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    table.press(Side.WHITE)
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is PlayVerdict.ACCEPTED
    assert table.state.turn is Side.BLACK
    assert len(table.state.game.turns[0].refused) == 1


def test_pressing_without_moving_is_refused() -> None:
    table = opened("long-fnr")
    table.press(Side.WHITE)
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is PlayVerdict.REFUSED


def test_a_refusal_gives_the_mover_his_clock_back_and_the_opponent_his_time() -> None:
    table = opened()
    table.press(Side.BLACK)  # the lower opening die starts White's clock
    before = table.state.clock.reserve(Side.BLACK, table.state.at)
    table.press(Side.WHITE)
    assert table.state.clock.running is Side.WHITE
    assert table.state.clock.reserve(Side.BLACK, table.state.at) == before


def test_two_likely_plays_are_a_question_and_the_arbiter_decides() -> None:
    table = opened()
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    # p5, p6 and p8 read as if 24/21 24/23 were as likely.
    torn = {4: ((2, 0.5), (0, 0.5)), 5: ((4, 0.5), (5, 0.5)), 7: ((2, 0.5), (3, 0.5))}
    torn |= {23: ((2, 0.5), (0, 0.5)), 22: ((0, 0.5), (1, 0.5)), 20: ((0, 0.5), (1, 0.5))}
    table.stir()
    table.finger(Side.WHITE)
    table.look(7, odds=torn)
    asked = table.last
    assert isinstance(asked, PlayRuling)
    assert asked.verdict is PlayVerdict.PLEASE_LOOK
    assert table.state.phase is Phase.DECIDING
    story = next(n for n, told in enumerate(asked.hypotheses) if str(told.play) == "8/5 6/5")
    table.order(Confirm(asked.number, story))
    assert str(table.state.game.turns[-1].play) == "8/5 6/5"
    assert isinstance(table.last, PlayRuling)
    assert table.last.judge is Judge.ARBITER
    assert table.state.turn is Side.BLACK


def test_a_hand_left_over_the_board_at_the_press_is_a_question_until_it_goes() -> None:
    table = opened()
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    table.stir()
    table.finger(Side.WHITE)
    table.look(8, hidden=(4, 5, 6, 7))
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is PlayVerdict.PLEASE_LOOK
    table.rest()
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is PlayVerdict.ACCEPTED
    assert str(table.last.play) == "8/5 6/5"


def test_a_press_that_nobody_can_see_after_four_seconds_is_a_question() -> None:
    table = opened()
    table.stir()
    table.finger(Side.WHITE)
    table.tick(4_500)
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is PlayVerdict.PLEASE_LOOK


def test_dice_that_stay_where_they_lay_are_no_new_throw() -> None:
    table = opened()
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    table.press(Side.WHITE)
    table.rest()
    assert table.state.phase is Phase.TO_THROW
    assert len([r for r in table.rulings if isinstance(r, ThrowRuling)]) == 1


def test_without_a_clock_lifting_the_dice_ends_the_turn() -> None:
    table = Table(ruleset("short-ru"), TurnEnd.LIFT)
    table.open_with(3, 1)
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    assert not [r for r in table.rulings if isinstance(r, PlayRuling)]
    table.throw(die(3, 1.2), die(1, 1.25))
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is PlayVerdict.ACCEPTED
    table.throw_valid(Side.BLACK, 6, 2)
    assert table.state.phase is Phase.TO_PLAY
    assert table.state.turn is Side.BLACK


def test_t02_an_illegal_play_stands_once_the_opponent_has_thrown_validly() -> None:
    table = opened()
    wrong = moved(table, 13, 8)
    table.place(wrong, Side.WHITE)
    table.press(Side.WHITE)
    table.dice = (*table.dice, die(6, 0.2, 0.7), die(5, 0.3, 0.7))
    table.rest()
    assert table.state.turn is Side.BLACK
    assert table.state.roll is not None
    assert (table.state.roll.high, table.state.roll.low) == (6, 5)
    assert table.state.game.turns[0].verdict is PlayVerdict.REFUSED
    assert table.state.game.turns[0].after == wrong


def test_t03_a_void_throw_does_not_close_the_illegal_play() -> None:
    table = opened()
    table.place(moved(table, 13, 8), Side.WHITE)
    table.press(Side.WHITE)
    table.dice = (*table.dice, die(6, 0.2, 0.7), die(5, 0.8, 0.7))
    table.rest()
    assert table.state.turn is Side.WHITE


def test_the_arbiter_takes_an_accepted_play_back() -> None:
    table = opened()
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    table.press(Side.WHITE)
    assert table.state.turn is Side.BLACK
    table.order(Refuse(table.last.number))
    assert table.state.turn is Side.WHITE
    assert table.state.phase is Phase.TO_PLAY
    assert not table.state.game.turns
    table.place(after(table, "24/21 24/23"), Side.WHITE)
    table.press(Side.WHITE)
    assert sorted(map(str, table.state.game.turns[0].play.steps)) == ["24/21", "24/23"]


def test_the_arbiter_sets_a_roll_and_a_position() -> None:
    table = opened()
    table.order(Correct(table.state.white_position(), Side.BLACK))
    assert table.state.phase is Phase.TO_THROW
    table.order(SetRoll((6, 4)))
    assert table.state.turn is Side.BLACK
    assert table.state.phase is Phase.TO_PLAY


def test_an_order_that_means_nothing_now_is_refused() -> None:
    table = opened()
    with pytest.raises(OrderRefusedError, match="nothing_to_undo"):
        table.order(Undo())


def test_a_resignation_scores_what_is_conceded() -> None:
    table = opened()
    table.resign(Side.BLACK, Kind.MARS)
    assert table.state.score == (2, 0)
    assert table.state.phase is Phase.SETUP


def test_a_restart_resumes_the_turn_with_the_clock_standing() -> None:
    table = opened()
    table.press(Side.BLACK)
    table.tick(20_000)
    reserve = table.state.clock.reserve(Side.WHITE, table.state.at)
    table.happens(Restarted(Millis(5)))
    table.now = 10
    assert table.state.paused is PauseReason.RESTART
    table.tick(60_000)
    assert table.state.clock.reserve(Side.WHITE, table.state.at) == reserve
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    table.press(Side.WHITE)
    assert table.state.turn is Side.BLACK


def test_a_fallen_flag_loses_the_match() -> None:
    table = opened()
    table.press(Side.BLACK)
    table.tick(3_600_000)
    assert table.state.phase is Phase.MATCH_OVER
    assert table.state.winner is Side.BLACK


def test_the_journal_text_of_a_game_folds_to_the_same_state() -> None:
    table, rng = Table(), random.Random(3)
    table.open_with(6, 2)
    for _ in range(12):
        play_random_turn(table, rng)
    written = [ENTRIES.dump_json(event) for event in table.events]
    assert replayed(ENTRIES.validate_json(text) for text in written) == table.state  # type: ignore[misc] # no rulings
