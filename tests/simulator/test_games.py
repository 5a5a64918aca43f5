"""Whole games at the virtual table under a referee who makes no mistakes."""

from dataclasses import replace
from pathlib import Path

import pytest
from scripted import ScriptedReferee, play_on, sit_down

from controller.rules import Roll, Side, legal_plays, result, ruleset, start
from controller.simulator.actions import Helped, PlannedFault, Press, Rest, SawRefused, TableEntry
from controller.simulator.crossing import position_of, table_position
from controller.simulator.layout import OFF
from controller.simulator.table import VirtualTable
from controller.simulator.truth import GameAccount, RefusedAccount, compare, truth_of
from controller.simulator.world import TableDieState

pytestmark = pytest.mark.slow  # plays whole matches

NAMES = ("long-fnr", "long-classic", "long-club", "khachapuri", "short-wbgf", "short-ru", "nackgammon", "hyper")


def played(path: Path, name: str, **how: object) -> VirtualTable:
    table, referee = sit_down(path, name, **how)
    play_on(table, referee)
    return table


def assert_legal(game: GameAccount, name: str) -> None:
    """Each turn's end must be among the legal ends of the position before, for the roll that was thrown."""
    rules = ruleset(name)
    position = table_position(start(rules.game), Side.WHITE, rules.game)
    starter = game.turns[0].side
    for index, turn in enumerate(game.turns):
        assert turn.number == index + 1
        assert turn.side is (starter if index % 2 == 0 else starter.other)
        before = position_of(position, turn.side, rules.game)
        legal = legal_plays(
            before, Roll.of(*turn.roll), rules, first_turn=index < 2, second_player=turn.side is not starter
        )
        assert position_of(turn.end, turn.side, rules.game) in legal
        position = turn.end
    winner = game.turns[-1].side
    assert game.winner is winner
    assert position.count(winner, OFF) == rules.game.checkers
    expected = result(position_of(position, winner, rules.game), rules)
    assert (game.result, game.points) == (expected.kind.value, expected.points)


@pytest.mark.parametrize("name", NAMES)
def test_every_turn_of_a_game_is_legal_and_the_result_is_that_of_the_rules(tmp_path: Path, name: str) -> None:
    truth = truth_of(played(tmp_path / "table", name, seed=5).entries)
    (game,) = truth.account.games
    assert_legal(game, name)
    assert truth.faults == ()
    assert truth.helps == ()


def test_a_match_of_three_games_keeps_the_score(tmp_path: Path) -> None:
    account = truth_of(played(tmp_path / "table", "long-classic", games=3).entries).account
    won = {side: sum(game.points for game in account.games if game.winner is side) for side in Side}
    assert account.score == (won[Side.WHITE], won[Side.BLACK])
    # long-classic is played to 3: it may be over before the third game.
    assert len(account.games) == 3 or max(account.score) >= 3
    for earlier, later in zip(account.games, account.games[1:], strict=False):
        assert later.openings == (), "the winner of the game before starts without an opening throw"
        assert later.turns[0].side is earlier.winner


def test_the_same_seed_plays_the_same_game_and_another_one_another(tmp_path: Path) -> None:
    first, again, other = (
        truth_of(played(tmp_path / str(index), "short-wbgf", seed=seed).entries).account
        for index, seed in enumerate((7, 7, 8))
    )
    assert first == again
    assert first != other


def test_no_checker_is_ever_lost_or_found(tmp_path: Path) -> None:
    table, referee = sit_down(tmp_path / "table", "short-wbgf", faults=True)
    seen: list[int] = []

    def count(_entry: TableEntry, _world: object) -> None:
        checkers = table.world.checkers
        if checkers:
            white = sum(checker.side is Side.WHITE for checker in checkers)
            seen.append(white)
            assert (white, len(checkers)) == (15, 30)
            in_hand = 0 if table.world.held is None else 1
            assert sum(table.world.heights().values()) == 30 - in_hand

    table.listen(count)
    play_on(table, referee)
    assert len(seen) > 300


@pytest.mark.parametrize("name", ["long-fnr", "short-wbgf", "short-ru"])
@pytest.mark.parametrize("seed", [1, 2])
def test_with_faults_each_kind_happens_once_and_the_game_goes_on_legally(tmp_path: Path, name: str, seed: int) -> None:
    table = played(tmp_path / "table", name, seed=seed, faults=True)
    truth = truth_of(table.entries)
    assert sorted(fault.value for _, _, fault in truth.faults) == sorted(
        fault.value for fault in table.habits.possible_faults()
    )
    (game,) = truth.account.games
    assert_legal(game, name)
    voids = [(turn.number, reason) for turn in game.turns for reason in turn.voids]
    unthrown = {PlannedFault.ILLEGAL_PLAY, PlannedFault.HAND_IN_VIEW, PlannedFault.BUMPED_CAMERA}
    assert voids == [(number, fault.value) for _, number, fault in truth.faults if fault not in unthrown]
    refused = [(turn.number, refusal) for turn in game.turns for refusal in turn.refused]
    (illegal,) = (number for _, number, fault in truth.faults if fault is PlannedFault.ILLEGAL_PLAY)
    assert [number for number, _ in refused] == [illegal]
    assert refused[0][1].wrong


def test_faulty_throws_lie_as_their_names_say(tmp_path: Path) -> None:
    table = played(tmp_path / "table", "short-wbgf", seed=3, faults=True)
    faulty = {entry.action.fault: entry.action for entry in table.entries if isinstance(entry.action, Rest)}
    bar_left, bar_right = table.habits.layout.bar

    def half(u: float) -> str:
        return "left" if 0 < u < bar_left else "right" if bar_right < u < 1 else "none"

    own = {Side.WHITE: "right", Side.BLACK: "left"}
    for fault, rest in faulty.items():
        lies = [die.state for die in rest.dice]
        halves = [half(die.u) for die in rest.dice]
        match fault:
            case PlannedFault.SPLIT_HALVES:
                assert sorted(halves) == ["left", "right"]
            case PlannedFault.WRONG_HALF:
                assert halves == [own[rest.side.other]] * 2
            case PlannedFault.OFF_BOARD:
                assert "none" in halves
                assert TableDieState.OFF_BOARD in lies
            case PlannedFault.COCKED:
                assert TableDieState.COCKED in lies
                assert max(die.tilt_deg for die in rest.dice) > 20
            case PlannedFault.ON_BAR:
                assert TableDieState.ON_BAR in lies
                assert "none" in halves
            case PlannedFault.ON_CHECKER:
                assert TableDieState.ON_CHECKER in lies
                assert max(die.height_m for die in rest.dice) >= table.habits.layout.thickness_m
            case None:
                assert lies == [TableDieState.FLAT] * len(lies)
                assert halves == [own[rest.side]] * len(halves)


def test_a_refused_play_is_put_right_on_the_table(tmp_path: Path) -> None:
    table = played(tmp_path / "table", "long-fnr", seed=2, faults=True)
    kinds = [type(entry.action) for entry in table.entries]
    refused = kinds.index(SawRefused)
    assert Press in kinds[refused:], "the player has to press again"
    (game,) = truth_of(table.entries).account.games
    (turn,) = (turn for turn in game.turns if turn.refused)
    assert turn.end != turn.refused[0].end


def test_a_hand_left_over_the_board_is_there_at_the_press_and_leaves_later(tmp_path: Path) -> None:
    table, referee = sit_down(tmp_path / "table", "long-fnr", faults=True)
    hands: list[bool] = []

    def watch(entry: TableEntry, _world: object) -> None:
        if isinstance(entry.action, Press):
            hands.append(table.world.hand is not None)
            assert hands[-1] is (entry.action.fault is PlannedFault.HAND_IN_VIEW)

    table.listen(watch)
    play_on(table, referee)
    assert hands.count(True) == 1


def test_a_press_that_nobody_noticed_is_repeated(tmp_path: Path) -> None:
    calm = truth_of(played(tmp_path / "calm", "hyper", seed=4).entries).account
    presses = 0

    def every_third_press(entry: TableEntry) -> bool:
        nonlocal presses
        presses += isinstance(entry.action, Press)
        return isinstance(entry.action, Press) and presses % 3 == 0

    rules = ruleset("hyper")
    table, referee = sit_down(tmp_path / "deaf", "hyper", seed=4, referee=ScriptedReferee(rules, every_third_press))
    play_on(table, referee)
    truth = truth_of(table.entries)
    assert truth.account == calm
    assert sum(isinstance(entry.action, Press) for entry in table.entries) > len(calm.games[0].turns)


def test_a_throw_that_nobody_read_is_told_by_the_arbiter(tmp_path: Path) -> None:
    rules = ruleset("hyper")
    throws = 0

    def every_fifth_throw(entry: TableEntry) -> bool:
        nonlocal throws
        throws += isinstance(entry.action, Rest)
        return isinstance(entry.action, Rest) and throws > 2 and throws % 5 == 0

    table, referee = sit_down(tmp_path / "table", "hyper", referee=ScriptedReferee(rules, every_fifth_throw))
    play_on(table, referee)
    truth = truth_of(table.entries)
    assert {verb.value for _, _, verb in truth.helps} == {"set_roll"}
    assert_legal(truth.account.games[0], "hyper")


def test_please_look_is_answered_by_the_arbiter_who_saw_it(tmp_path: Path) -> None:
    rules = ruleset("hyper")
    asking = ScriptedReferee(rules, ask_about_plays=True)
    table, referee = sit_down(tmp_path / "table", "hyper", seed=2, faults=True, referee=asking)
    play_on(table, referee)
    truth = truth_of(table.entries)
    verbs = [entry.action.verb.value for entry in table.entries if isinstance(entry.action, Helped)]
    turns = truth.account.games[0].turns
    assert verbs.count("confirm") == len(turns)
    assert verbs.count("refuse") == sum(len(turn.refused) for turn in turns)
    assert len(truth.helps) == len(verbs)


def test_a_legal_play_that_was_refused_is_shown_again_and_the_record_is_blamed(tmp_path: Path) -> None:
    calm = truth_of(played(tmp_path / "calm", "hyper", seed=4).entries).account.games[0]
    rules = ruleset("hyper")
    table, referee = sit_down(tmp_path / "once", "hyper", seed=4, referee=ScriptedReferee(rules, stubborn=1))
    play_on(table, referee)
    truth = truth_of(table.entries)
    assert truth.helps == ()
    (game,) = truth.account.games
    assert [(turn.roll, turn.end) for turn in game.turns] == [(turn.roll, turn.end) for turn in calm.turns]
    assert all(turn.refused == (RefusedAccount(turn.end, ()),) for turn in game.turns)
    honest = replace(game, turns=tuple(replace(turn, refused=()) for turn in game.turns))
    found = compare(truth.account, replace(truth.account, games=(honest,)))
    assert len(found) == len(game.turns), "what the table knows to be legal cannot have been refused rightly"


def test_the_arbiter_overrules_a_referee_who_refuses_again_and_again(tmp_path: Path) -> None:
    rules = ruleset("hyper")
    table, referee = sit_down(tmp_path / "table", "hyper", seed=4, referee=ScriptedReferee(rules, stubborn=99))
    play_on(table, referee)
    truth = truth_of(table.entries)
    assert {verb.value for _, _, verb in truth.helps} == {"confirm"}
    assert len(truth.helps) == len(truth.account.games[0].turns)


def test_where_no_story_fits_the_arbiter_sets_the_board_once_a_play(tmp_path: Path) -> None:
    rules = ruleset("hyper")
    table, referee = sit_down(tmp_path / "table", "hyper", seed=4, referee=ScriptedReferee(rules, clueless=True))
    play_on(table, referee)
    truth = truth_of(table.entries)
    assert {verb.value for _, _, verb in truth.helps} == {"correct"}
    assert len(truth.helps) == len(truth.account.games[0].turns)
    assert_legal(truth.account.games[0], "hyper")


def test_a_play_that_the_display_shows_otherwise_is_taken_back_and_shown_again(tmp_path: Path) -> None:
    calm = truth_of(played(tmp_path / "calm", "hyper", seed=4).entries).account.games[0]
    rules = ruleset("hyper")
    table, referee = sit_down(tmp_path / "table", "hyper", seed=4, referee=ScriptedReferee(rules, misreads=True))
    play_on(table, referee)
    truth = truth_of(table.entries)
    assert {verb.value for _, _, verb in truth.helps} == {"refuse"}
    assert [turn.end for turn in truth.account.games[0].turns] == [turn.end for turn in calm.turns]


def test_nobody_moves_while_the_display_is_dark(tmp_path: Path) -> None:
    table, _ = sit_down(tmp_path / "table", "long-fnr")
    table.show(None)
    table.advance(600_000)
    assert table.entries == ()
