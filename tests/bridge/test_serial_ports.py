"""Ports that are no board: one clear line each."""

import errno
import os
import pty
import tty
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import serial
from cobs import cobs

from firmware_bridge import messages as m
from firmware_bridge.clocks import Micros
from firmware_bridge.frames import CRC, Frame, crc, encode
from firmware_bridge.handshake import Expected
from firmware_bridge.link import BoardLink
from firmware_bridge.ports import PortError, explain, open_port
from firmware_bridge.values import LinkBack, LinkLost, LinkValue, Trouble

HELLO = m.Hello(1, 0, m.PROTOCOL_TABLES, 0, 1, 0, 7, 160, 1, 1, 1, bytes(16))


class Far:
    """Somebody at the other end of a serial port."""

    def __init__(self) -> None:
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        self.port = os.ttyname(self.slave)
        self.now_us = Micros(0)

    def hear(self, link: BoardLink, say: Callable[[], bytes], until_ms: int = 3_000) -> list[LinkValue]:
        """Let the link listen to what ``say`` says each 100 ms."""
        values: list[LinkValue] = []
        while self.now_us < 1_000 * until_ms:
            os.write(self.master, say())
            values += link.poll(5)
            self.now_us = Micros(self.now_us + 100_000)
        return values


@pytest.fixture
def far() -> Iterator[Far]:
    far = Far()
    yield far
    os.close(far.master)
    os.close(far.slave)


def trouble(values: list[LinkValue]) -> list[tuple[Trouble, str]]:
    return [(value.why, value.detail) for value in values if isinstance(value, LinkLost)]


def test_a_port_that_is_not_there_names_those_that_are() -> None:
    values = BoardLink("/dev/serial/by-id/usb-nothing").poll()
    assert trouble(list(values)) == [
        (Trouble.NO_PORT, "no device at /dev/serial/by-id/usb-nothing; serial ports here: none")
    ]


def test_a_missing_board_is_said_once() -> None:
    now_us = Micros(0)
    link = BoardLink("/dev/serial/by-id/usb-nothing", now_us=lambda: now_us)
    values: list[LinkValue] = []
    for _ in range(100):
        now_us = Micros(now_us + 100_000)
        values += link.poll()
    assert len(values) == 1


def test_a_file_is_no_serial_port(tmp_path: Path) -> None:
    path = tmp_path / "board"
    path.write_text("")
    with pytest.raises(PortError, match=f"{path} is not a serial port") as caught:
        open_port(str(path))
    assert caught.value.why is Trouble.NOT_SERIAL


def test_a_device_that_is_no_terminal_is_no_serial_port() -> None:
    with pytest.raises(PortError, match="/dev/null is not a serial port"):
        open_port("/dev/null")


def test_a_port_in_use_says_so(far: Far) -> None:
    with serial.Serial(far.port, exclusive=True):
        (lost,) = BoardLink(far.port).poll()
    assert isinstance(lost, LinkLost)
    assert lost.why is Trouble.IN_USE
    assert lost.detail.startswith(f"{far.port} is in use by another program")


def test_no_permission_names_the_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ttyUSB0"
    path.write_text("")
    monkeypatch.setenv("USER", "ann")
    monkeypatch.setattr("grp.getgrgid", lambda _gid: type("Group", (), {"gr_name": "dialout"}))
    why, detail = explain(str(path), PermissionError(errno.EACCES, "Permission denied"))
    assert why is Trouble.NO_PERMISSION
    assert detail == (
        f"no permission for {path}: it belongs to the group dialout; `sudo usermod -aG dialout ann`, then log in again"
    )


def test_a_silent_port_is_given_up_after_the_boot_loaders_time(far: Far) -> None:
    link = BoardLink(far.port, now_us=lambda: far.now_us)
    assert trouble(far.hear(link, lambda: b"")) == [
        (Trouble.SILENT, "no answer within 2.5 s: is this the board's port, and is it powered?")
    ]
    assert m.AskHello.CODE in os.read(far.master, 1000)


def test_a_board_that_opening_its_port_has_reset_is_waited_for(far: Far) -> None:
    """The DTR line of an adapter resets the board; its boot loader talks first, for up to two seconds."""
    link = BoardLink(far.port, now_us=lambda: far.now_us)

    def booting() -> bytes:
        return (
            b"\0" + encode(Frame(HELLO, 0, 1000))
            if far.now_us == 2_000_000
            else b"\x14\x10"
            if far.now_us < 300_000
            else b""
        )

    values = far.hear(link, booting, until_ms=2600)
    assert [type(value) for value in values] == [LinkBack]
    link.close()


def test_another_devices_chatter_is_called_foreign(far: Far) -> None:
    link = BoardLink(far.port, now_us=lambda: far.now_us)
    ((why, detail),) = trouble(far.hear(link, lambda: b"$GPGGA,092750.000,5321.6802,N,00630.3372,W\r\n"))
    assert why is Trouble.FOREIGN
    assert detail.startswith("something is talking on this port, but not the board's firmware at 250000 baud")


def test_a_board_of_another_major_version_is_refused_with_the_cure(far: Far) -> None:
    link = BoardLink(far.port, now_us=lambda: far.now_us)
    old = encode(Frame(replace(HELLO, major=0, minor=9), 1, 0))
    ((why, detail), *_) = trouble(far.hear(link, lambda: old, 400))
    assert why is Trouble.OLD_FIRMWARE
    assert detail == (
        "the board speaks protocol 0.9, this program 1.x: flash it with `make -C firmware_bridge/firmware flash`"
    )


def test_a_later_hello_with_more_fields_is_still_recognised(far: Far) -> None:
    link = BoardLink(far.port, now_us=lambda: far.now_us)
    body = bytes([m.Hello.CODE]) + bytes(6) + bytes([2, 3]) + bytes(40)
    # The frame of a future version, made by hand: our own encoder would refuse the extra fields.
    future = cobs.encode(body + CRC.pack(crc(body))) + b"\0"
    ((why, detail), *_) = trouble(far.hear(link, lambda: future, 400))
    assert why is Trouble.OLD_FIRMWARE
    assert "protocol 2.3" in detail


def test_a_board_for_another_rig_is_refused(far: Far) -> None:
    link = BoardLink(far.port, expected=Expected(120, 7), now_us=lambda: far.now_us)
    ((why, detail), *_) = trouble(far.hear(link, lambda: encode(Frame(HELLO, 1, 0)), 400))
    assert why is Trouble.WRONG_RIG
    assert detail.startswith("the board's firmware reads 160 slots, the rig file has 120")


def test_a_minor_difference_is_only_a_warning(far: Far) -> None:
    link = BoardLink(far.port, expected=Expected(160, 8), now_us=lambda: far.now_us)
    newer = encode(Frame(replace(HELLO, minor=1), 1, 0))
    (back, *_) = far.hear(link, lambda: newer, 400)
    assert isinstance(back, LinkBack)
    version, rig = back.warnings
    assert version.startswith("the board speaks protocol 1.1")
    assert rig.startswith("the board was built from rig 0007, the rig file is 0008")


def test_the_raw_bytes_are_recorded_with_their_times(far: Far) -> None:
    kept: list[tuple[Micros, bytes]] = []
    link = BoardLink(far.port, now_us=lambda: far.now_us, record=lambda at_us, data: kept.append((at_us, data)))
    far.now_us = Micros(700_000)
    hello = encode(Frame(HELLO, 1, 0))
    link.poll()
    os.write(far.master, hello)
    link.poll(100)
    assert kept == [(700_000, hello)]
