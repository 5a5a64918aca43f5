"""Virtual time against the wall clock."""

from itertools import islice

import pytest

from controller.simulator.session import Pace


class Wall:
    """A wall clock that only sleeping moves on."""

    def __init__(self) -> None:
        self.now_s = 50.0

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def test_four_times_as_fast_shows_ten_seconds_of_table_in_two_and_a_half() -> None:
    wall = Wall()
    frames = list(islice(Pace(100, 4.0).frames(7_000, wall_s=lambda: wall.now_s, sleep_s=wall.sleep), 100))
    assert frames == list(range(7_100, 17_001, 100))
    assert wall.now_s - 50.0 == pytest.approx(2.5)


def test_headless_never_waits() -> None:
    def never(_seconds: float) -> None:
        pytest.fail("a headless run waited")

    assert list(islice(Pace(100).frames(0, sleep_s=never), 3)) == [100, 200, 300]


def test_a_slow_machine_skips_nothing_and_does_not_hurry_afterwards() -> None:
    wall = Wall()
    frames = Pace(100, 1.0).frames(0, wall_s=lambda: wall.now_s, sleep_s=wall.sleep)
    next(frames)
    wall.now_s += 3.0  # the referee thought for three seconds
    assert next(frames) == 200
    before_s = wall.now_s
    assert next(frames) == 300
    assert wall.now_s - before_s == pytest.approx(0.1)


@pytest.mark.parametrize(("frame_ms", "speed"), [(0, None), (100, 0.0), (100, -1.0)])
def test_time_that_stands_still_is_refused(frame_ms: int, speed: float | None) -> None:
    with pytest.raises(ValueError, match="time has to go on"):
        Pace(frame_ms, speed)
