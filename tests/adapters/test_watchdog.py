"""What systemd would hear, on a socket of the same kind."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from controller.adapters.watchdog import ServiceManager, StatusLine
from controller.locale import Lang
from controller.ports.updates import Update
from controller.rules import ruleset
from tests.referee.tabletop import Table


class Ear:
    """The service manager's end: a datagram socket that keeps what it heard."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.settimeout(0)

    def heard(self) -> list[str]:
        messages = []
        while True:
            try:
                messages.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return messages


@pytest.fixture
def ear(tmp_path: Path) -> Iterator[Ear]:
    ear = Ear(str(tmp_path / "notify"))
    yield ear
    ear.socket.close()


def environment(ear: Ear, **more: str) -> dict[str, str]:
    return {"NOTIFY_SOCKET": ear.socket.getsockname(), **more}


def test_a_service_says_that_it_is_ready_what_it_does_and_that_it_stops(ear: Ear) -> None:
    with ServiceManager.of_process(environment(ear)) as manager:
        manager.ready()
        manager.status("game 1:\nWhite to throw")
    assert ear.heard() == ["READY=1", "STATUS=game 1: White to throw", "STOPPING=1"]


def test_the_same_status_is_sent_once(ear: Ear) -> None:
    manager = ServiceManager.of_process(environment(ear))
    for line in ("a", "a", "b", "a"):
        manager.status(line)
    assert ear.heard() == ["STATUS=a", "STATUS=b", "STATUS=a"]
    manager.close()


@pytest.mark.parametrize(("lang", "line"), [(Lang.EN, "Set up the start position"), (Lang.RU, "Расставьте шашки")])
def test_the_status_says_what_the_referee_waits_for(ear: Ear, lang: Lang, line: str) -> None:
    manager = ServiceManager.of_process(environment(ear))
    StatusLine(manager, lang).publish(Update(None, Table(ruleset("short-wbgf")).state))
    assert ear.heard() == [f"STATUS={line}"]
    manager.close()


def test_signs_of_life_come_twice_in_each_period_however_often_the_loop_turns(ear: Ear) -> None:
    manager = ServiceManager.of_process(environment(ear, WATCHDOG_USEC="20000000", WATCHDOG_PID=str(os.getpid())))
    for now_ms in range(1_000_000, 1_060_000, 100):
        manager.alive(now_ms)
    assert ear.heard() == ["WATCHDOG=1"] * 6
    manager.close()


def test_no_sign_is_given_that_was_asked_of_another_process(ear: Ear) -> None:
    manager = ServiceManager.of_process(environment(ear, WATCHDOG_USEC="20000000", WATCHDOG_PID="1"), pid=2)
    manager.alive(0)
    manager.ready()
    assert ear.heard() == ["READY=1"]
    manager.close()


def test_the_abstract_socket_of_newer_systemds_works() -> None:
    name = f"nardy-{uuid4()}"
    ear = Ear(f"\0{name}")
    ServiceManager.of_process({"NOTIFY_SOCKET": f"@{name}"}).ready()
    assert ear.heard() == ["READY=1"]
    ear.socket.close()


def test_without_a_service_manager_nothing_happens() -> None:
    with ServiceManager.of_process({"WATCHDOG_USEC": "20000000"}) as manager:
        manager.ready()
        manager.alive(0)
        manager.status("alone")


def test_a_service_manager_that_went_away_stops_no_match(
    ear: Ear, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    manager = ServiceManager.of_process(environment(ear))
    ear.socket.close()
    (tmp_path / "notify").unlink()
    manager.ready()
    manager.status("nobody hears this")
    back = Ear(str(tmp_path / "notify"))
    manager.ready()
    assert back.heard() == ["READY=1"]
    back.socket.close()
    manager.close()
    said = [record.getMessage() for record in caplog.records]
    assert len([line for line in said if "does not take messages" in line]) == 2  # gone, then gone again at close
    assert "the service manager takes messages again" in said
