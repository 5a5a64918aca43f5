"""Laws of legal plays, held against random positions and a second generator."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules import (
    Game,
    Legal,
    Play,
    Position,
    Roll,
    Ruleset,
    Side,
    check_position,
    judge,
    judge_steps,
    legal_plays,
)
from controller.rules.legal import head_limit
from tests.rules.naive import naive_ends
from tests.rules.strategies import positions, rolls, turns

pytestmark = pytest.mark.slow  # many examples

EXAMPLES = 300


@settings(max_examples=EXAMPLES, deadline=None)
@given(turns(), rolls)
def test_no_legal_play_is_missed_and_none_is_invented(turn: tuple[Ruleset, Position], roll: Roll) -> None:
    rules, position = turn
    limit = head_limit(position, roll, rules)
    assert set(legal_plays(position, roll, rules)) == naive_ends(position, roll, rules, limit)


@settings(max_examples=EXAMPLES, deadline=None)
@given(turns(), rolls)
def test_checkers_are_conserved_and_only_the_mover_moves_unless_he_hits(
    turn: tuple[Ruleset, Position], roll: Roll
) -> None:
    rules, position = turn
    for end, play in legal_plays(position, roll, rules).items():
        check_position(end, rules.game)
        hits = sum(step.hit for step in play.steps)
        assert end.bar[1] == position.bar[1] + hits
        assert end.off[1] == position.off[1]
        if not rules.game.opposed:
            assert [min(count, 0) for count in end.points] == [min(count, 0) for count in position.points]


@settings(max_examples=EXAMPLES, deadline=None)
@given(turns(), rolls)
def test_the_canonical_play_leads_to_its_end_with_the_dice_thrown(turn: tuple[Ruleset, Position], roll: Roll) -> None:
    rules, position = turn
    for end, play in legal_plays(position, roll, rules).items():
        assert by_hand(position, play) == end
        pips = [step.source - step.target for step in play.steps]
        dice = list(roll.dice)
        for distance, step in sorted(zip(pips, play.steps, strict=True), reverse=True):
            # Only a checker that is borne off may fall short of its die.
            die = min(d for d in dice if d == distance or (step.target == 0 and d >= distance))
            dice.remove(die)


def by_hand(position: Position, play: Play) -> Position:
    """Return the position after ``play``, step by step as a hand would do it."""
    points, bar, off = list(position.points), list(position.bar), list(position.off)
    for step in play.steps:
        if step.source == 25:
            bar[0] -= 1
        else:
            assert points[step.source - 1] > 0
            points[step.source - 1] -= 1
        if step.target == 0:
            off[0] += 1
            continue
        assert step.hit == (points[step.target - 1] < 0)
        if step.hit:
            points[step.target - 1] = 0
            bar[1] += 1
        points[step.target - 1] += 1
    assert bar[0] >= 0
    return Position(tuple(points), (bar[0], bar[1]), (off[0], off[1]))


@settings(max_examples=EXAMPLES, deadline=None)
@given(turns(), rolls)
def test_every_generated_play_is_judged_legal_by_its_end_and_by_its_steps(
    turn: tuple[Ruleset, Position], roll: Roll
) -> None:
    rules, position = turn
    for end, play in legal_plays(position, roll, rules).items():
        assert judge(position, roll, end, rules) == Legal(play, end)
        told = judge_steps(position, roll, Play.parse(str(play)), rules)
        assert isinstance(told, Legal)
        assert told.end == end


@settings(max_examples=EXAMPLES, deadline=None)
@given(turns(), rolls, turns())
def test_what_is_not_legal_has_a_fault_with_a_clause_and_a_legal_play_instead(
    turn: tuple[Ruleset, Position], roll: Roll, other: tuple[Ruleset, Position]
) -> None:
    rules, position = turn
    seen = other[1]
    legal = legal_plays(position, roll, rules)
    verdict = judge(position, roll, seen, rules)
    if seen in legal:
        assert isinstance(verdict, Legal)
        return
    assert not isinstance(verdict, Legal)
    assert verdict.faults
    assert all(fault.clause and fault.source for fault in verdict.faults)
    assert set(verdict.would_be_legal) == set(legal.values())


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.sampled_from(Game).flatmap(lambda game: st.tuples(st.just(game), positions(game))))
def test_turning_the_board_twice_changes_nothing(given_position: tuple[Game, Position]) -> None:
    game, position = given_position
    turned = position.turned(game)
    assert turned.turned(game) == position
    assert (turned.total, turned.opponent_total) == (position.opponent_total, position.total)
    assert all(turned.at(game.mirrored(point)) == -position.at(point) for point in range(1, 25))


@settings(max_examples=EXAMPLES, deadline=None)
@given(turns())
def test_a_compact_position_reads_back(turn: tuple[Ruleset, Position]) -> None:
    position = turn[1]
    assert Position.parse(position.compact()) == position


@settings(max_examples=100, deadline=None)
@given(turns(), st.sampled_from(Side))
def test_whites_view_of_a_board_converts_back(turn: tuple[Ruleset, Position], side: Side) -> None:
    rules, position = turn
    white = position.seen_by(side, rules.game)
    assert white.seen_by(side, rules.game) == position
    assert white == (position if side is Side.WHITE else position.turned(rules.game))
