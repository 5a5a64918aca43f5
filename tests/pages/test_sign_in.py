"""The arbiter signs in with the PIN; guessing locks it for a while."""

import re

from hypothesis import given
from hypothesis import strategies as st

from controller.adapters.pages.sign_in import LOCKED_MS, TRIES, SignIn, new_pin


def test_a_pin_is_six_digits_and_not_always_the_same() -> None:
    pins = {new_pin() for _ in range(20)}
    assert len(pins) > 1
    assert all(re.fullmatch(r"\d{6}", pin) for pin in pins)


def test_the_right_pin_opens_a_session_that_is_known() -> None:
    sign_in = SignIn("123456")
    token = sign_in.open_session("123456", 0)
    assert token is not None
    assert sign_in.knows(token)
    assert token != sign_in.open_session("123456", 0)


@given(st.text(max_size=12).filter(lambda pin: pin != "123456"))
def test_any_other_pin_opens_nothing(pin: str) -> None:
    sign_in = SignIn("123456")
    assert sign_in.open_session(pin, 0) is None
    assert not sign_in.knows(pin)
    assert not sign_in.knows(None)


def test_guessing_locks_signing_in_even_for_the_right_pin_and_only_for_a_while() -> None:
    sign_in = SignIn("123456")
    for guess in range(TRIES):
        assert sign_in.locked_ms(1000) == 0
        assert sign_in.open_session(f"00000{guess}", 1000) is None
    assert sign_in.locked_ms(1000) == LOCKED_MS
    assert sign_in.open_session("123456", 1000 + LOCKED_MS - 1) is None
    assert sign_in.open_session("123456", 1000 + LOCKED_MS) is not None


def test_a_session_outlives_the_lock() -> None:
    sign_in = SignIn("123456")
    token = sign_in.open_session("123456", 0)
    for _ in range(TRIES):
        sign_in.open_session("999999", 0)
    assert sign_in.knows(token)
