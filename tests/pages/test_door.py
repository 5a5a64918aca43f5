"""The arbiter's door: the PIN opens it, guessing closes it."""

import re

from hypothesis import given
from hypothesis import strategies as st

from controller.adapters.pages.door import CLOSED_MS, TRIES, Door, new_pin


def test_a_pin_is_six_digits_and_not_always_the_same() -> None:
    pins = {new_pin() for _ in range(20)}
    assert len(pins) > 1
    assert all(re.fullmatch(r"\d{6}", pin) for pin in pins)


def test_the_right_pin_opens_a_session_that_is_known() -> None:
    door = Door("123456")
    token = door.knock("123456", 0)
    assert token is not None
    assert door.knows(token)
    assert token != door.knock("123456", 0)


@given(st.text(max_size=12).filter(lambda pin: pin != "123456"))
def test_any_other_pin_stays_outside(pin: str) -> None:
    door = Door("123456")
    assert door.knock(pin, 0) is None
    assert not door.knows(pin)
    assert not door.knows(None)


def test_guessing_closes_the_door_even_for_the_right_pin_and_only_for_a_while() -> None:
    door = Door("123456")
    for guess in range(TRIES):
        assert door.closed_ms(1000) == 0
        assert door.knock(f"00000{guess}", 1000) is None
    assert door.closed_ms(1000) == CLOSED_MS
    assert door.knock("123456", 1000 + CLOSED_MS - 1) is None
    assert door.knock("123456", 1000 + CLOSED_MS) is not None


def test_a_session_outlives_a_closed_door() -> None:
    door = Door("123456")
    token = door.knock("123456", 0)
    for _ in range(TRIES):
        door.knock("999999", 0)
    assert door.knows(token)
