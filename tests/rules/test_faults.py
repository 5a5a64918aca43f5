"""Each kind of fault is found, named, explained in both languages, and says where its rule is written."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.locale import Lang, text
from controller.rules import (
    FaultKind,
    Illegal,
    Legal,
    Play,
    Position,
    Roll,
    Ruleset,
    judge,
    judge_steps,
    legal_plays,
    presets,
    ruleset,
)
from controller.rules.clauses import ALL_CLAUSES, clause_of
from controller.rules.ruleset import OPTIONS
from tests.rules.boards import Counts, board, rules
from tests.rules.strategies import rolls, turns

HEADS: Counts = {24: 15}


@dataclass(frozen=True)
class Seen:
    """A turn and what the board showed after it."""

    faults: str
    preset: str
    mine: Counts
    theirs: Counts
    roll: str
    after: Counts
    theirs_after: Counts | None = None
    first_turn: bool = False
    options: dict[str, object] = field(default_factory=dict)
    off: int = 0
    """Checkers that were borne off."""
    says: str = ""


BOARDS = [
    Seen("checker_count", "long-fnr", {24: 10, 11: 5}, HEADS, "6-5", {24: 9, 13: 1, 11: 6}, says="16"),
    Seen("checker_count", "short-wbgf", {13: 15}, {1: 15}, "6-5", {7: 1, 8: 1, 13: 12}, says="14"),
    Seen("checker_count", "long-fnr", HEADS, HEADS, "6-5", {24: 14, 13: 1}, {24: 14}, first_turn=True, says="14"),
    Seen("opponent_moved", "long-fnr", HEADS, {24: 14, 20: 1}, "6-5", {24: 14, 13: 1}, {24: 14, 19: 1}, says="8, 7"),
    Seen("opponent_moved", "short-wbgf", {24: 15}, {13: 15}, "6-5", {24: 13, 19: 1, 18: 1}, {13: 14, 10: 1}),
    Seen("hit_left", "short-wbgf", {24: 2, 13: 13}, {7: 1, 3: 14}, "6-5", {24: 1, 18: 1, 13: 12, 8: 1},
         {3: 14}, says="18"),
    Seen("backwards", "long-fnr", {20: 5, 10: 10}, HEADS, "6-5", {20: 4, 21: 1, 10: 10}, says="20"),
    Seen("wrong_distance", "long-fnr", {20: 5, 10: 10}, HEADS, "6-5", {20: 4, 16: 1, 10: 10}, says="4"),
    Seen("wrong_distance", "short-wbgf", {13: 15}, {1: 15}, "6-5", {13: 14, 4: 1}, says="9"),
    Seen("extra_step", "long-fnr", {20: 5, 10: 10}, HEADS, "6-5", {20: 3, 14: 2, 10: 9, 5: 1}, says="6"),
    Seen("blocked_point", "long-fnr", {20: 1, 2: 14}, {5: 1, 3: 14}, "5-3", {12: 1, 2: 14}, says="1"),
    Seen("blocked_point", "short-wbgf", {24: 1, 6: 14}, {6: 2, 7: 13}, "6-5", {13: 1, 6: 14}),
    Seen("blocked_point", "short-wbgf", {24: 1, 6: 14}, {7: 2, 3: 13}, "6-5", {18: 1, 6: 13, 1: 1},
         {3: 13, 25: 2}, says="18"),
    Seen("head", "long-fnr", HEADS, HEADS, "6-5", {24: 13, 19: 1, 18: 1}, first_turn=True, says="2"),
    Seen("block_of_six", "long-fnr", {24: 6, 15: 3, 11: 2, 10: 1, 9: 1, 8: 1, 7: 1}, HEADS, "5-1",
         {24: 5, 23: 1, 15: 3, 11: 1, 10: 1, 9: 1, 8: 1, 7: 1, 6: 1}),
    Seen("block_of_six", "long-fnr", {24: 6, 15: 3, 11: 2, 10: 1, 9: 1, 8: 1, 7: 1}, {24: 14, 17: 1}, "5-1",
         {24: 5, 23: 1, 15: 3, 11: 1, 10: 1, 9: 1, 8: 1, 7: 1, 6: 1}, options={"block": "home"}),
    Seen("block_of_six", "long-fnr", {24: 6, 15: 3, 11: 2, 10: 1, 9: 1, 8: 1, 7: 1}, {24: 14, 5: 1}, "5-1",
         {24: 5, 23: 1, 15: 3, 11: 1, 10: 1, 9: 1, 8: 1, 7: 1, 6: 1}, options={"block": "never"}),
    Seen("bar_first", "short-wbgf", {25: 1, 13: 14}, {1: 15}, "6-5", {25: 1, 13: 12, 7: 1, 8: 1}),
    Seen("bear_off_early", "long-fnr", {7: 1, 6: 2}, {10: 15}, "6-5", {7: 1, 1: 1}, off=1, says="6"),
    Seen("bear_off_lower", "short-wbgf", {6: 2, 3: 2}, {24: 15}, "5-4", {6: 1, 3: 1, 2: 1}, off=1, says="3"),
    Seen("bear_off_inexact", "crazy", {4: 1, 2: 1}, {10: 15}, "6-5", {2: 1}, off=1, says="4"),
    Seen("home_move", "crazy", {6: 2, 3: 1}, {10: 15}, "4-3", {6: 1, 2: 1}, off=1, says="6"),
    Seen("die_not_used", "short-wbgf", {13: 15}, {1: 15}, "6-5", {13: 14, 7: 1}, says="5"),
    Seen("die_not_used", "long-fnr", {20: 5, 10: 10}, HEADS, "6-5", {20: 5, 10: 10}),
    Seen("larger_die", "short-wbgf", {10: 1, 2: 14}, {24: 2, 12: 13}, "5-4", {6: 1, 2: 14}, says="5"),
    Seen("larger_die", "long-fnr", {10: 1, 2: 14}, {13: 1, 3: 14}, "5-4", {6: 1, 2: 14}, says="5"),
    Seen("head block_of_six", "long-fnr", {24: 6, 15: 3, 11: 2, 10: 1, 9: 1, 8: 1, 7: 1}, HEADS, "5-1",
         {24: 4, 23: 2, 15: 3, 11: 1, 10: 1, 9: 1, 8: 1, 7: 1, 6: 1}),
]  # fmt: skip


def verdict_of(case: Seen) -> Illegal:
    ruleset_ = rules(case.preset, **case.options)
    before = board(ruleset_, case.mine, case.theirs)
    theirs = case.theirs if case.theirs_after is None else case.theirs_after
    points = [0] * 24
    for counts, sign in ((case.after, 1), (theirs, -1)):
        for own_point, count in counts.items():
            point = own_point if sign > 0 else ruleset_.game.mirrored(own_point) if own_point < 25 else 25
            if own_point < 25:
                points[point - 1] = sign * count
    off = (before.off[0] + case.off, before.off[1])
    after = Position(tuple(points), (case.after.get(25, 0), theirs.get(25, 0)), off)
    verdict = judge(before, Roll.parse(case.roll), after, ruleset_, first_turn=case.first_turn)
    assert isinstance(verdict, Illegal)
    return verdict


@pytest.mark.parametrize("case", BOARDS, ids=lambda case: f"{case.faults}-{case.preset}")
def test_the_fault_on_the_board_has_its_name(case: Seen) -> None:
    found = [fault.key for fault in verdict_of(case).faults]
    if case.faults == "head block_of_six":
        assert set(case.faults.split()) <= set(found)
    else:
        assert found == [case.faults]


@pytest.mark.parametrize("case", BOARDS, ids=lambda case: f"{case.faults}-{case.preset}")
@pytest.mark.parametrize("lang", Lang)
def test_the_fault_is_explained(case: Seen, lang: Lang) -> None:
    for fault in verdict_of(case).faults:
        assert text(lang, f"fault.{fault.key}")
        sentence = text(lang, fault.why, **fault.values)
        assert "{" not in sentence
        assert text(lang, f"rules.clause.{fault.clause}")
        assert fault.source
    assert case.says in " ".join(text(lang, fault.why, **fault.values) for fault in verdict_of(case).faults)


def test_every_kind_of_fault_has_a_case() -> None:
    told = {name for case in BOARDS for name in case.faults.split()} | {"no_checker"}
    assert told == {kind.value for kind in FaultKind}


@pytest.mark.parametrize("lang", Lang)
def test_a_play_from_an_empty_point_is_named(lang: Lang) -> None:
    ruleset_ = ruleset("short-wbgf")
    verdict = judge_steps(board(ruleset_, {13: 15}, {1: 15}), Roll(6, 5), Play.parse("20/14 13/8"), ruleset_)
    assert isinstance(verdict, Illegal)
    (fault,) = verdict.faults
    assert fault.key == "no_checker"
    assert "20" in text(lang, fault.why, **fault.values)


@pytest.mark.parametrize("lang", Lang)
def test_every_fault_clause_and_option_has_a_text(lang: Lang) -> None:
    for kind in FaultKind:
        assert text(lang, f"fault.{kind.value}")
    for clause in ALL_CLAUSES:
        assert text(lang, f"rules.clause.{clause}")
    for option in OPTIONS:
        assert text(lang, f"option.{option}")


@pytest.mark.parametrize("preset", presets())
def test_every_fault_a_game_can_have_has_a_clause(preset: str) -> None:
    short_only = {FaultKind.BAR_FIRST}
    long_only = {FaultKind.HEAD, FaultKind.BLOCK_OF_SIX, FaultKind.BEAR_OFF_INEXACT, FaultKind.HOME_MOVE}
    ruleset_ = ruleset(preset)
    for kind in FaultKind:
        if kind not in (long_only if ruleset_.game.opposed else short_only):
            assert clause_of(kind, ruleset_).source


def test_the_likest_legal_play_comes_first() -> None:
    ruleset_ = ruleset("short-wbgf")
    before = board(ruleset_, {24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5})
    verdict = judge_steps(before, Roll(3, 1), Play.parse("8/5 6/4"), ruleset_)
    assert isinstance(verdict, Illegal)
    assert str(verdict.would_be_legal[0]) in {"8/5 6/5", "8/5 5/4"}


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(turns(), rolls, st.data())
def test_one_checker_put_elsewhere_is_never_called_legal_without_being_so(
    turn: tuple[Ruleset, Position], roll: Roll, data: st.DataObject
) -> None:
    ruleset_, position = turn
    legal = legal_plays(position, roll, ruleset_)
    end = data.draw(st.sampled_from(sorted(legal)))
    points = list(end.points)
    source = data.draw(st.integers(0, 23))
    target = data.draw(st.integers(0, 23))
    sign = 1 if points[source] > 0 else -1
    points[source] -= sign if points[source] else 0
    points[target] += sign
    seen = Position(tuple(points), end.bar, end.off)
    verdict = judge(position, roll, seen, ruleset_)
    assert isinstance(verdict, Legal) == (seen in legal)
    if isinstance(verdict, Illegal):
        assert verdict.faults
        for fault in verdict.faults:
            for lang in Lang:
                text(lang, fault.why, **fault.values)
