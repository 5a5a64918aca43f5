from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.boardtime import BoardTime


@given(
    drift_ppm=st.floats(-4000, 4000),
    start_us=st.integers(0, 2**32 - 1),
    delays=st.lists(st.tuples(st.floats(0.5, 1.5), st.floats(0.5, 1.5)), min_size=40, max_size=40),
    stalls=st.sets(st.integers(0, 39), max_size=20),
)
def test_board_time_follows_a_drifting_clock_through_a_busy_host(
    drift_ppm: float, start_us: int, delays: list[tuple[float, float]], stalls: set[int]
) -> None:
    def board_us(host_ms: float) -> int:
        return (start_us + round(host_ms * 1000 * (1 + drift_ppm / 1e6))) % 2**32

    clock = BoardTime(board_us(0.0), 3.0)
    for number, (there_ms, back_ms) in enumerate(delays):
        sent_ms = 10.0 + 984.0 * number
        # A stalled host reads the answer half a second late.
        late_ms = 500.0 if number in stalls and number % 2 else 0.0
        clock.pong(sent_ms, board_us(sent_ms + there_ms), sent_ms + there_ms + back_ms + late_ms)
    last_ms = 10.0 + 984.0 * 39
    for pressed_ms in (last_ms - 400.0, last_ms + 300.0, last_ms + 900.0):
        assert abs(clock.host_ms(board_us(pressed_ms)) - pressed_ms) < 3.0


def test_the_wrap_of_the_boards_clock_is_no_jump() -> None:
    clock = BoardTime(2**32 - 1000, 100.0)
    assert clock.host_ms(1000) == 102.0
