"""Wrong plays are wrong by the rules, whatever position they are made in."""

from pathlib import Path
from random import Random

import pytest
from scripted import play_on, sit_down

from controller.rules import Illegal, Legal, Roll, judge, legal_plays, ruleset
from controller.simulator.crossing import after, difference, moves_of, place_of, position_of, table_position
from controller.simulator.misplays import misplays
from controller.simulator.truth import truth_of

pytestmark = pytest.mark.slow  # plays whole matches


@pytest.mark.parametrize("name", ["long-fnr", "short-wbgf", "hyper"])
def test_misplays_and_plays_of_a_whole_game(tmp_path: Path, name: str) -> None:
    rules = ruleset(name)
    table, referee = sit_down(tmp_path / "table", name, seed=6)
    play_on(table, referee)
    (game,) = truth_of(table.entries).account.games
    starter, found = game.turns[0].side, 0
    kinds: set[str] = set()
    for earlier, turn in zip(game.turns, game.turns[1:], strict=False):
        before, roll = position_of(earlier.end, turn.side, rules.game), Roll.of(*turn.roll)
        occasion = {"first_turn": turn.number <= 2, "second_player": turn.side is not starter}
        legal = legal_plays(before, roll, rules, **occasion)
        for end in misplays(before, roll, legal, rules.game, Random(turn.number))[:4]:
            found += 1
            verdict = judge(before, roll, end, rules, **occasion)
            assert isinstance(verdict, Illegal)
            kinds |= {fault.fault.value for fault in verdict.faults}
            wrong = table_position(end, turn.side, rules.game)
            assert after(earlier.end, difference(earlier.end, wrong)) == wrong
        for end, play in list(legal.items())[:4]:
            assert isinstance(judge(before, roll, end, rules, **occasion), Legal)
            by_hand = after(earlier.end, moves_of(play, turn.side, rules.game))
            assert by_hand == table_position(end, turn.side, rules.game)
    assert found > 20
    assert kinds >= {"wrong_distance", "die_not_used", "extra_step"}
    assert ("head" in kinds) is (name == "long-fnr")


@pytest.mark.parametrize("name", ["long-fnr", "short-wbgf"])
def test_both_sides_see_the_same_table_from_their_own_seats(tmp_path: Path, name: str) -> None:
    rules = ruleset(name)
    table, referee = sit_down(tmp_path / "table", name, seed=6)
    play_on(table, referee)
    for turn in truth_of(table.entries).account.games[0].turns:
        for side in (turn.side, turn.side.other):
            seen = position_of(turn.end, side, rules.game)
            assert table_position(seen, side, rules.game) == turn.end
            for point in range(1, 25):
                assert seen.at(point) == turn.end.count(side, place_of(point, side, rules.game)) - turn.end.count(
                    side.other, place_of(point, side, rules.game)
                )
