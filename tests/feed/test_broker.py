"""The embedded broker: it answers, lets only the referee write, and never outlives it."""

import os
import signal
import socket
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from listening import Listener, until

from controller.adapters.mqtt.broker import Broker, BrokerSettings, PortTakenError, claim_port
from controller.adapters.mqtt.memory_folder import memory_folder

PREFIX = "nardy/v1/club/7"


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def referee(broker: Broker) -> Listener:
    return Listener(broker.port, PREFIX, broker.user, broker.password)


def test_a_late_listener_receives_what_is_retained(broker: Broker) -> None:
    with referee(broker) as writer:
        writer.say("match", b"final", retain=True)
        writer.say("event", b"gone")
    with Listener(broker.port, PREFIX, late=True) as late:
        until(lambda: late.heard)
        assert ("match", b"final", True) in late.heard
        assert late.of("event") == []


def test_a_spectator_can_neither_write_nor_order_nor_read_orders(broker: Broker) -> None:
    with referee(broker) as writer, Listener(broker.port, PREFIX) as spectator:
        spectator.say("state", b"forged", retain=True)
        spectator.say("cmd/set_score", b"{}")
        writer.say("cmd/pause", b"secret")
        writer.say("health", b"last")
        until(lambda: spectator.of("health"))
        assert writer.of("state") == []
        assert writer.of("cmd/set_score") == []
        assert spectator.of("cmd/pause") == []


def test_an_arbiter_with_the_password_may_order_but_not_speak_for_the_board(tmp_path: Path) -> None:
    settings = BrokerSettings(tmp_path, port=0, websocket_port=0, arbiter_password="whistle")  # noqa: S106 - a test's own
    with (
        Broker(settings) as broker,
        referee(broker) as writer,
        Listener(broker.port, PREFIX, "arbiter", "whistle") as arbiter,
    ):
        arbiter.say("state", b"forged", retain=True)
        arbiter.say("cmd/pause", b"{}")
        until(lambda: writer.of("cmd/pause"))
        assert writer.of("state") == []


def test_a_taken_port_is_named_with_what_to_do(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(
            PortTakenError, match=rf"cannot listen on 127\.0\.0\.1:{port}.*choose another port, or 0 for any free one"
        ):
            Broker(BrokerSettings(tmp_path, port=port, websocket_port=0)).start()


def test_two_brokers_with_free_ports_stand_side_by_side(broker: Broker, tmp_path: Path) -> None:
    with Broker(BrokerSettings(tmp_path, port=0, websocket_port=0)) as other:
        assert len({broker.port, broker.websocket_port, other.port, other.websocket_port}) == 4


def test_stopping_frees_the_ports(tmp_path: Path) -> None:
    broker = Broker(BrokerSettings(tmp_path, port=0, websocket_port=0))
    broker.start()
    ports = (broker.port, broker.websocket_port)
    broker.stop()
    assert [claim_port("127.0.0.1", port) for port in ports] == list(ports)


def test_a_broker_that_dies_comes_back_on_the_same_port(tmp_path: Path) -> None:
    with Broker(BrokerSettings(tmp_path, port=0, websocket_port=0)) as broker:
        assert broker._child is not None
        first = broker._child.pid
        os.kill(first, signal.SIGKILL)
        until(lambda: broker._child is not None and broker._child.pid != first and listens(broker.port))


def test_a_broker_that_begins_anew_has_forgotten_what_was_left_in_it(tmp_path: Path) -> None:
    with Broker(BrokerSettings(tmp_path, port=0, websocket_port=0)) as broker:
        with referee(broker) as writer:
            writer.say("match", b"old", retain=True)
        assert broker._child is not None
        first = broker._child.pid
        broker.begin_anew()
        until(lambda: broker._child is not None and broker._child.pid != first and listens(broker.port))
        with referee(broker) as writer, Listener(broker.port, PREFIX, late=True) as late:
            writer.say("health", b"there", retain=True)
            until(lambda: late.of("health"))
            assert late.of("match") == []


def test_the_brokers_files_lie_in_memory_where_nobody_else_may_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = tmp_path / "run"
    runtime.mkdir()
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(runtime))
    (tmp_path / "store").mkdir()
    with Broker(BrokerSettings(tmp_path / "store", port=0, websocket_port=0)):
        (folder,) = runtime.iterdir()
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert list((tmp_path / "store").iterdir()) == []
    assert list(runtime.iterdir()) == []


def test_a_name_in_memory_that_somebody_else_has_taken_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setattr("controller.adapters.mqtt.memory_folder.SHARED_MEMORY", tmp_path)
    taken = memory_folder("broker", tmp_path / "journal")
    assert taken.parent == tmp_path
    taken.chmod(0o777)
    assert memory_folder("broker", tmp_path / "journal") == tmp_path / "journal" / "broker"
    taken.rmdir()
    taken.symlink_to(tmp_path / "elsewhere")
    assert memory_folder("broker", tmp_path / "journal") == tmp_path / "journal" / "broker"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux ends a child with its parent")
def test_kill_9_of_the_referee_leaves_no_broker_behind(tmp_path: Path) -> None:
    program = textwrap.dedent(
        f"""
        import time
        from pathlib import Path
        from controller.adapters.mqtt.broker import Broker, BrokerSettings
        broker = Broker(BrokerSettings(Path({str(tmp_path)!r}), port=0, websocket_port=0))
        broker.start()
        print(broker.port, flush=True)
        time.sleep(60)
        """
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        port = int(parent.stdout.readline())
        assert listens(port)
        parent.kill()
    until(lambda: not listens(port), 5)
    assert claim_port("127.0.0.1", port) == port
