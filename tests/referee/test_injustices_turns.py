"""No player loses by the machine's mistake, from turn to turn.

6 closed out and out of turn, 7 the Crawford game, 10 resignations; 11 is in test_injustices_early.py.
"""

import pytest

from controller.adapters.mqtt.notice_messages import notice_messages
from controller.formats.mat import mat, read_mat
from controller.formats.sheet import text_sheet
from controller.locale import Lang
from controller.ports.updates import ResignationNoticed
from controller.referee.dice import VoidReason
from controller.referee.events import (
    TurnEnd,
)
from controller.referee.fold import replayed
from controller.referee.orders import (
    Correct,
    Double,
    OrderRefusedError,
    Resign,
    SetScore,
    Undo,
)
from controller.referee.rulings import ThrowOutcome, ThrowRuling
from controller.referee.state import Phase
from controller.rules import (
    Game,
    Kind,
    Play,
    Position,
    Roll,
    Score,
    Side,
    arranged,
    legal_plays,
    ruleset,
    varied,
)
from controller.service.recording import match_record
from tests.referee.tabletop import Table
from tests.referee.timed_table import doubling

WHITE, BLACK = Side.WHITE, Side.BLACK


# 6. Closed out, and out of turn


CLOSED_OUT = arranged(Game.SHORT, {25: 1, 13: 14}, {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2})
"""White's only way in is closed by six points."""


def closed_out() -> Table:
    table = doubling()
    table.white = CLOSED_OUT
    table.order(Correct(CLOSED_OUT, WHITE))
    table.dice = ()
    table.rest()
    return table


def test_6_a_closed_out_player_may_press_without_throwing() -> None:
    table = closed_out()
    table.finger(WHITE)
    assert (table.state.phase, table.state.turn, table.state.clock.running) == (Phase.TO_THROW, BLACK, BLACK)
    table.throw_valid(BLACK, 6, 5)
    assert (table.state.phase, table.state.roll) == (Phase.TO_PLAY, Roll(6, 5))
    (turn,) = table.state.game.turns
    assert (turn.roll, turn.play, turn.after) == (None, Play(()), CLOSED_OUT)
    assert "White        no legal play" in text_sheet(match_record(table.state), Lang.EN)


def test_6_and_takes_that_back_with_undo() -> None:
    table = closed_out()
    table.finger(WHITE)
    table.order(Undo())
    assert (table.state.phase, table.state.turn, table.state.roll) == (Phase.TO_THROW, WHITE, None)
    table.throw_valid(WHITE, 6, 5)
    assert table.state.phase is Phase.TO_PLAY


def test_6_a_mat_file_leaves_the_place_of_the_throw_empty_and_is_read_again() -> None:
    table = closed_out()
    table.finger(WHITE)
    table.throw_valid(BLACK, 6, 5)
    assert table.state.position is not None
    table.place(min(legal_plays(table.state.position, Roll(6, 5), table.rules)), BLACK)
    table.press(BLACK)
    (game,) = read_mat(mat(match_record(table.state))).games
    assert [action.side for action in game.actions] == [BLACK]


def test_6_who_can_enter_has_to_throw() -> None:
    table = doubling()
    table.finger(WHITE)
    assert (table.state.turn, table.state.phase) == (WHITE, Phase.TO_THROW)


@pytest.mark.parametrize("name", ["short-wbgf", "long-fnr", "short-us"])
def test_6_after_a_press_without_a_throw_the_opponents_throw_is_asked_about(name: str) -> None:
    table = Table(ruleset(name), turn_end=TurnEnd.PRESS)
    table.open_with(5, 3)
    table.order(Correct(table.white, WHITE))
    table.dice = ()
    table.rest()
    table.finger(BLACK)
    table.finger(WHITE)
    table.throw_valid(BLACK, 6, 4)
    ruling = table.last
    assert isinstance(ruling, ThrowRuling)
    assert (ruling.outcome, ruling.reason) == (ThrowOutcome.PLEASE_LOOK, VoidReason.OUT_OF_TURN)
    assert table.state.turn is WHITE


# 7. Crawford and a score that was set


@pytest.mark.parametrize("scores", [(Score(4, 2),), (Score(0, 1), Score(4, 1))])
def test_7_nobody_doubles_in_the_crawford_game_whoever_set_the_score(scores: tuple[Score, ...]) -> None:
    table = doubling(length=5)
    for score in scores:
        table.order(SetScore(score))
    assert table.state.crawford_game
    with pytest.raises(OrderRefusedError, match="crawford"):
        table.order(Double(Side.WHITE))


# 10. Resignations


RACE = arranged(Game.SHORT, {3: 2, 2: 3}, {5: 10, 4: 5})
"""Black can be hindered by nobody any more, and has borne off nothing."""


def resigning(name: str, position: Position | None = None) -> Table:
    table = Table(ruleset(name))
    table.open_with(5, 3)
    if position is not None:
        table.order(Correct(position, WHITE))
    return table


def conceding(table: Table, order: Resign) -> list[str]:
    """Give the order, and say what the feed then says of it."""
    before = table.state
    table.order(order)
    noticed = ResignationNoticed.between(before, table.state)
    return [message.texts.en for message in notice_messages(noticed, table.state)] if noticed else []


def test_10_with_contact_the_wbgfs_rules_ask_before_a_game_is_conceded() -> None:
    table = resigning("short-wbgf")
    (said,) = conceding(table, Resign(BLACK))
    assert said.startswith("Black resigns (single) while the sides can still hinder each other")
    assert not table.state.finished
    assert conceding(table, Resign(BLACK)) == []
    assert table.state.finished[0].winner is WHITE
    assert replayed(table.events) == table.state


def test_10_a_question_about_a_resignation_lapses_when_the_game_goes_on() -> None:
    table = resigning("short-wbgf", RACE)
    assert conceding(table, Resign(BLACK, Kind.KOKS))
    table.throw_valid(WHITE, 6, 5)
    assert conceding(table, Resign(BLACK, Kind.KOKS))
    assert not table.state.finished


def test_10_without_contact_the_only_loss_is_conceded_without_a_word() -> None:
    table = resigning("short-wbgf", arranged(Game.SHORT, {3: 2, 2: 3}, {5: 9, 4: 5}))
    assert conceding(table, Resign(BLACK)) == []
    assert table.state.finished[0].winner is WHITE


def test_10_who_gives_less_than_the_game_may_cost_needs_the_opponents_word() -> None:
    table = resigning("short-wbgf", RACE)
    (said,) = conceding(table, Resign(BLACK))
    assert "a dearer loss is still possible, so the opponent has to agree" in said
    assert not table.state.finished
    assert conceding(table, Resign(BLACK)) == []
    assert table.state.finished[0].winner is WHITE


def test_10_where_a_resignation_counts_at_once_the_notice_says_so_too() -> None:
    table = resigning("short-us", RACE)
    (said,) = conceding(table, Resign(BLACK))
    assert "although a dearer loss was possible" in said
    assert table.state.finished[0].winner is WHITE


def test_10_who_gives_more_than_was_needed_is_warned() -> None:
    table = resigning("short-wbgf", RACE)
    (said,) = conceding(table, Resign(BLACK, Kind.MARS))
    assert "a smaller loss is still possible" in said
    long = resigning("long-fnr")
    (said,) = conceding(long, Resign(BLACK, Kind.MARS))
    assert said.endswith("although a smaller loss was possible. Undo takes it back")
    assert long.state.finished


def test_10_rules_may_refuse_a_resignation_with_contact() -> None:
    table = Table(varied(ruleset("short-wbgf"), {"resign_contact": "refused"}))
    table.open_with(5, 3)
    with pytest.raises(OrderRefusedError, match="resign_with_contact"):
        table.order(Resign(BLACK))
