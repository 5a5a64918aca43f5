from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.clocks import BoardTime, Micros

PING_US = 984_000
delays_us = st.integers(500, 1_500)


@given(
    drift_ppm=st.integers(-4000, 4000),
    start_us=st.integers(0, 2**32 - 1),
    delays=st.lists(st.tuples(delays_us, delays_us), min_size=40, max_size=40),
    stalls=st.sets(st.integers(0, 39), max_size=20),
)
def test_board_time_follows_a_drifting_clock_through_a_busy_host(
    drift_ppm: int, start_us: int, delays: list[tuple[int, int]], stalls: set[int]
) -> None:
    def board_us(host_us: int) -> int:
        return (start_us + host_us + host_us * drift_ppm // 1_000_000) % 2**32

    clock = BoardTime(board_us(0), Micros(3_000))
    for number, (there_us, back_us) in enumerate(delays):
        sent_us = 10_000 + PING_US * number
        # A stalled host reads the answer half a second late.
        late_us = 500_000 if number in stalls and number % 2 else 0
        clock.pong(Micros(sent_us), board_us(sent_us + there_us), Micros(sent_us + there_us + back_us + late_us))
    last_us = 10_000 + PING_US * 39
    for pressed_us in (last_us - 400_000, last_us + 300_000, last_us + 900_000):
        assert abs(clock.host_us(board_us(pressed_us)) - pressed_us) < 3_000


def test_the_wrap_of_the_boards_clock_is_no_jump() -> None:
    clock = BoardTime(2**32 - 1000, Micros(100_000))
    assert clock.host_us(1000) == 102_000
