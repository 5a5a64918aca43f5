"""The arbiter signs in with the PIN; who guesses locks out themselves."""

import re
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.adapters.pages.sign_in import ADDRESSES, LOCKED_MS, SESSIONS, TRIES, SignIn, new_pin, sender_of
from controller.adapters.pages.sign_in_file import SIGN_IN_FILE, SignInFile

DESK, PHONE = "192.168.1.10", "192.168.1.66"


def test_a_pin_is_six_digits_and_not_always_the_same() -> None:
    pins = {new_pin() for _ in range(20)}
    assert len(pins) > 1
    assert all(re.fullmatch(r"\d{6}", pin) for pin in pins)


def test_the_right_pin_opens_a_session_that_is_known() -> None:
    sign_in = SignIn("123456")
    token = sign_in.open_session("123456", DESK, 0)
    assert token is not None
    assert sign_in.knows(token)
    assert token != sign_in.open_session("123456", DESK, 0)


@given(st.text(max_size=12).filter(lambda pin: pin != "123456"))
def test_any_other_pin_opens_nothing(pin: str) -> None:
    sign_in = SignIn("123456")
    assert sign_in.open_session(pin, DESK, 0) is None
    assert not sign_in.knows(pin)
    assert not sign_in.knows(None)


def test_guessing_locks_out_the_address_it_comes_from_for_a_while() -> None:
    sign_in = SignIn("123456")
    for guess in range(TRIES):
        assert sign_in.locked_ms(PHONE, 1000) == 0
        assert sign_in.open_session(f"00000{guess}", PHONE, 1000) is None
    assert sign_in.locked_ms(PHONE, 1000) == LOCKED_MS
    assert sign_in.open_session("123456", PHONE, 1000 + LOCKED_MS - 1) is None
    assert sign_in.open_session("123456", PHONE, 1000 + LOCKED_MS) is not None


def test_a_spectator_who_guesses_all_evening_keeps_no_arbiter_out() -> None:
    sign_in = SignIn("123456")
    for second in range(3_600):
        sign_in.open_session("999999", PHONE, second * 1000)
        if second % 60 == 0:
            assert sign_in.open_session("123456", DESK, second * 1000) is not None


def test_guessing_from_many_addresses_keeps_a_bounded_memory_and_no_arbiter_out() -> None:
    sign_in = SignIn("123456")
    for guess in range(3 * ADDRESSES):
        sign_in.open_session("999999", f"10.0.{guess // 256}.{guess % 256}", 0)
    assert len(sign_in._tries) == ADDRESSES
    assert sign_in.open_session("123456", DESK, 0) is not None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.168.1.10", "192.168.1.10", True),
        ("192.168.1.10", "192.168.1.11", False),
        ("::ffff:192.168.1.10", "192.168.1.10", True),
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
    ],
)
def test_one_host_of_an_ipv6_network_is_one_sender_whatever_address_it_chooses(
    one: str, other: str, same: bool
) -> None:
    assert (sender_of(one) == sender_of(other)) is same


def test_a_session_outlives_the_lock_and_ends_when_it_is_closed() -> None:
    sign_in = SignIn("123456")
    token = sign_in.open_session("123456", DESK, 0)
    assert token is not None
    for _ in range(TRIES):
        sign_in.open_session("999999", DESK, 0)
    assert sign_in.knows(token)
    sign_in.close(token)
    assert not sign_in.knows(token)


def test_sessions_and_a_made_up_pin_outlive_the_process(tmp_path: Path) -> None:
    file = SignInFile(tmp_path / SIGN_IN_FILE)
    before = SignIn(None, file)
    token = before.open_session(before.pin, DESK, 0)
    after = SignIn(None, file)
    assert (before.new, after.new) == (True, False)
    assert after.pin == before.pin
    assert after.knows(token)
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert str(token) not in file.path.read_text()


def test_another_pin_in_the_settings_closes_what_the_old_one_opened(tmp_path: Path) -> None:
    file = SignInFile(tmp_path / SIGN_IN_FILE)
    before = SignIn("1234", file)
    token = before.open_session("1234", DESK, 0)
    assert SignIn("1234", file).knows(token)
    assert not SignIn("5678", file).knows(token)
    # A PIN that was taken out of the settings opens nothing any more.
    made_up = SignIn(None, file)
    assert made_up.new
    assert made_up.pin != "5678"


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b'{"pin": 5}', b'{"pin": "1234", "more": 1}'])
def test_a_damaged_file_means_signing_in_again_and_nothing_worse(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / SIGN_IN_FILE
    path.write_bytes(content)
    sign_in = SignIn(None, SignInFile(path))
    assert sign_in.new
    assert SignIn(None, SignInFile(path)).pin == sign_in.pin


def test_the_oldest_of_too_many_sessions_closes() -> None:
    sign_in = SignIn("123456")
    tokens = [sign_in.open_session("123456", DESK, 0) for _ in range(SESSIONS + 1)]
    assert [sign_in.knows(token) for token in (tokens[0], tokens[1], tokens[-1])] == [False, True, True]
