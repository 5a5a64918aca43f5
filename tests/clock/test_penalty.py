import pytest

from controller.clock import ClockError, FlagRule, MatchLost, Millis, PenaltyPoints, flag_penalty, late_penalty


def minutes(count: float) -> Millis:
    return Millis(round(count * 60_000))


def test_q16_a_fallen_flag_loses_the_match() -> None:
    assert flag_penalty(FlagRule("match_lost"), 0) == MatchLost()


@pytest.mark.parametrize(("earlier", "points"), [(0, 2), (1, 1), (2, 1)])
def test_the_unified_rules_of_2001_take_two_points_then_one_and_give_five_minutes(earlier: int, points: int) -> None:
    assert flag_penalty(FlagRule("penalty_points"), earlier) == PenaltyPoints(points, minutes(5))


@pytest.mark.parametrize(
    ("late", "length", "expected"),
    [
        pytest.param(11, 7, 2, id="q22-11-minutes-cost-2-points"),
        pytest.param(4.9, 7, 0, id="under-5-minutes-is-free"),
        pytest.param(5, 7, 1, id="1-point-at-5-minutes"),
        pytest.param(15, 7, 3, id="3-of-7-is-not-yet-more-than-half"),
        pytest.param(20, 7, MatchLost(), id="4-of-7-is"),
    ],
)
def test_lateness(late: float, length: int, expected: int | MatchLost) -> None:
    assert late_penalty(minutes(late), length) == expected


def test_nobody_is_late_by_less_than_nothing() -> None:
    with pytest.raises(ClockError, match=r"got -1 ms"):
        late_penalty(Millis(-1), 7)
