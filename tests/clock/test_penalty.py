import pytest

from controller.clock import ClockError, Millis, flag_points, late_points


def minutes(count: float) -> Millis:
    return Millis(round(count * 60_000))


@pytest.mark.parametrize(("earlier", "points"), [(0, 2), (1, 1), (2, 1)])
def test_the_unified_rules_of_2001_take_two_points_then_one(earlier: int, points: int) -> None:
    assert flag_points(earlier) == points


@pytest.mark.parametrize(
    ("late", "length", "expected"),
    [
        pytest.param(11, 7, 2, id="q22-11-minutes-cost-2-points"),
        pytest.param(4.9, 7, 0, id="under-5-minutes-is-free"),
        pytest.param(5, 7, 1, id="1-point-at-5-minutes"),
        pytest.param(15, 7, 3, id="3-of-7-is-not-yet-more-than-half"),
        pytest.param(20, 7, None, id="4-of-7-is"),
    ],
)
def test_lateness(late: float, length: int, expected: int | None) -> None:
    assert late_points(minutes(late), length) == expected


def test_nobody_is_late_by_less_than_nothing() -> None:
    with pytest.raises(ClockError, match=r"got -1 ms"):
        late_points(Millis(-1), 7)
