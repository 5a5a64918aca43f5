"""A wall clock that is set in the middle of a match moves no display."""

import time
from pathlib import Path

import httpx
import pytest

from controller.adapters.mqtt.steady_time import SteadyTime
from controller.adapters.mqtt.wire import BoardTopics
from controller.adapters.pages.server import Pages
from controller.adapters.pages.sign_in import SignIn
from controller.adapters.pages.site import Place


class Machine:
    """A machine whose wall clock somebody sets."""

    def __init__(self) -> None:
        self.wall_ms = 1_700_000_000_000
        self.monotonic_ms = 5_000

    def passes(self, ms: int) -> None:
        self.wall_ms += ms
        self.monotonic_ms += ms


def test_the_time_of_day_goes_on_whatever_the_wall_clock_is_set_to() -> None:
    machine = Machine()
    steady = SteadyTime(lambda: machine.wall_ms * 1_000_000, lambda: machine.monotonic_ms * 1_000_000)
    for step_ms in (-600_000, 3_600_000):
        before = steady.utc_ms()
        machine.passes(250)
        machine.wall_ms += step_ms
        assert steady.utc_ms() - before == 250
    assert steady.utc().timestamp() * 1000 == steady.utc_ms() == 1_700_000_000_500


def test_pages_that_load_after_a_step_count_from_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place(BoardTopics("club", "7"), "ws://{host}:9001/mqtt", tmp_path)
    with (
        Pages(place, SignIn(), lambda _: pytest.fail("no order was given"), port=0) as serving,
        httpx.Client(base_url=serving.url) as visitor,
    ):
        before = visitor.get("/api/config").json()["utc_ms"]
        wall_ns = time.time_ns
        monkeypatch.setattr(time, "time_ns", lambda: wall_ns() - 600_000_000_000)
        after = visitor.get("/api/config").json()["utc_ms"]
    assert 0 <= after - before < 60_000
