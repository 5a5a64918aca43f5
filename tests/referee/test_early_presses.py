"""A press before the throw has been read is not lost."""

from controller.adapters.mqtt.match_messages import state_message
from controller.referee.orders import SetRoll
from controller.referee.rulings import PlayRuling, PlayVerdict, ThrowOutcome, ThrowRuling
from controller.referee.state import Phase
from controller.rules import Side, ruleset
from tests.referee.tabletop import Table, die
from tests.referee.test_turns import after


def black_to_throw() -> Table:
    """White has played his opening 3-1 and pressed; it is Black's turn and his clock runs."""
    table = Table(ruleset("short-wbgf"))
    table.open_with(3, 1)
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    table.press(Side.WHITE)
    table.throw()
    assert table.state.phase is Phase.TO_THROW
    assert table.state.clock.running is Side.BLACK
    return table


def plays_and_presses_unseen(table: Table) -> int:
    """Black throws 6-4, plays 24/14 and presses while hands are over the board; the moment of his finger."""
    board = table.white.turned(table.rules.game)
    points = list(board.points)
    points[23] -= 1
    points[13] += 1
    table.stir()
    table.later(3_000)
    table.finger(Side.BLACK)
    table.white = board._replace(points=tuple(points)).turned(table.rules.game)
    return table.now


def test_a_turn_that_was_pressed_before_anybody_could_look_is_ruled_on_and_timed_from_the_finger() -> None:
    table = black_to_throw()
    plays_and_presses_unseen(table)
    reserve = table.state.clock.reserve(Side.BLACK, table.state.at)
    table.later(1_500)
    table.throw(die(6, 0.2, 0.4), die(4, 0.3, 0.55))
    table.look()
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is PlayVerdict.ACCEPTED
    assert str(table.last.play) == "24/18 18/14"
    assert table.state.turn is Side.WHITE
    assert table.state.clock.reserve(Side.BLACK, table.state.at) == reserve


def test_the_display_says_that_the_throw_is_looked_for() -> None:
    table = black_to_throw()
    plays_and_presses_unseen(table)
    told = state_message(table.state).waiting_for
    assert told is not None
    assert "looking for the throw" in told.en


def test_a_flag_does_not_fall_after_the_finger_was_in_time() -> None:
    table = black_to_throw()
    falls_at = table.state.clock.falls_at()
    assert falls_at is not None
    table.now = falls_at - 3_500
    plays_and_presses_unseen(table)
    table.tick()
    assert table.state.clock.flag(table.state.at) is Side.BLACK
    assert table.state.phase is Phase.TO_THROW


def test_a_doubtful_throw_that_was_played_and_pressed_waits_for_the_arbiter_only() -> None:
    table = black_to_throw()
    doubtful = (die(6, 0.2, 0.4, chance=0.6), die(4, 0.3, 0.55))
    table.throw(*doubtful)
    table.look(6)
    assert isinstance(table.last, ThrowRuling)
    assert table.last.outcome is ThrowOutcome.PLEASE_LOOK
    plays_and_presses_unseen(table)
    table.rest()
    table.order(SetRoll((6, 4)))
    table.look()
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is PlayVerdict.ACCEPTED
    assert table.state.turn is Side.WHITE


def test_dice_lifted_before_anybody_could_read_them_are_asked_about() -> None:
    table = black_to_throw()
    plays_and_presses_unseen(table)
    table.dice = ()
    table.rest()
    assert isinstance(table.last, ThrowRuling)
    assert table.last.outcome is ThrowOutcome.PLEASE_LOOK
    told = len(table.rulings)
    table.look(10)
    assert len(table.rulings) == told
    table.order(SetRoll((6, 4)))
    table.look()
    assert isinstance(table.last, PlayRuling)
    assert str(table.last.play) == "24/18 18/14"


def test_a_press_before_any_throw_means_nothing() -> None:
    table = black_to_throw()
    table.finger(Side.BLACK)
    table.rest()
    assert table.state.turn is Side.BLACK
    assert table.state.clock.running is Side.BLACK
    table.throw_valid(Side.BLACK, 6, 4)
    table.look(10)
    assert table.state.phase is Phase.TO_PLAY
    assert table.state.pressed_at is None


def test_a_press_between_throw_and_play_is_taken_back_when_nothing_has_been_played() -> None:
    table = black_to_throw()
    table.stir()
    table.finger(Side.BLACK)
    table.throw(die(6, 0.2, 0.4), die(4, 0.3, 0.55))
    table.look(6)
    assert table.state.phase is Phase.TO_PLAY
    assert table.state.turn is Side.BLACK
    assert table.state.clock.running is Side.BLACK
    assert not any(isinstance(r, PlayRuling) and r.verdict is PlayVerdict.REFUSED for r in table.rulings)
    table.place(after(table, "24/18 18/14"), Side.BLACK)
    table.press(Side.BLACK)
    assert table.state.turn is Side.WHITE
