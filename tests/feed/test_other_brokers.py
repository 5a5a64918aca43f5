"""The same feed through a mosquitto that somebody else runs: plain with users, and over TLS."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from listening import Listener, until

from controller.adapters.mqtt.broker import claim_port
from controller.adapters.mqtt.link import BrokerAddress, FeedLink
from controller.adapters.mqtt.messages import BoardPosition, StateMessage
from controller.adapters.mqtt.wire import BoardTopics, decode
from controller.ports.updates import Command

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
OPENSSL = shutil.which("openssl")
BOARD = BoardTopics("club", "7")
USER, PASSWORD = "board7", "s3cret"

pytestmark = pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed (apt-get install mosquitto)")


@contextmanager
def mosquitto(folder: Path, *listener: str) -> Iterator[int]:
    """Run one with a listener for us and a plain one to listen at; yields the plain one's port."""
    plain = claim_port("127.0.0.1", 0)
    users = folder / "users"
    users.touch()
    subprocess.run(["mosquitto_passwd", "-b", str(users), USER, PASSWORD], check=True, capture_output=True)
    rights = folder / "rights"
    rights.write_text(f"topic read nardy/#\nuser {USER}\ntopic readwrite nardy/v1/club/7/#\n")
    config = folder / "mosquitto.conf"
    lines = [
        "per_listener_settings false",
        "allow_anonymous true",
        f"password_file {users}",
        f"acl_file {rights}",
        "user root",
        f"listener {plain} 127.0.0.1",
        *listener,
    ]
    config.write_text("\n".join(lines) + "\n")
    with subprocess.Popen([str(MOSQUITTO), "-c", str(config)], stderr=subprocess.PIPE) as running:
        try:
            until(lambda: _answers(plain))
            yield plain
        finally:
            running.terminate()


def _answers(port: int) -> bool:
    try:
        with Listener(port, "nardy"):
            return True
    except OSError:
        return False


def check(address: BrokerAddress, listening_port: int) -> None:
    """A state goes out and is retained, a command comes in, a stop is told."""
    heard: list[Command] = []
    feed = FeedLink(BOARD, address, heard.append)
    feed.start()
    feed.publish(StateMessage(phase="to_throw", turn=5, position=BoardPosition(points=(0,) * 24)))
    until(lambda: feed.connected)
    assert feed.wait_sent(5)
    with Listener(listening_port, BOARD.prefix, USER, PASSWORD) as late:
        until(lambda: late.of("state"))
        _, state = decode("state", late.of("state")[-1])
        assert isinstance(state, StateMessage)
        assert state.turn == 5
        late.say("cmd/pause", b"{}")
        until(lambda: [command.order.verb for command in heard] == ["pause"])
        feed.stop()
        until(lambda: b'"stopped"' in late.of("status")[-1])


@pytest.mark.skipif(shutil.which("mosquitto_passwd") is None, reason="mosquitto_passwd is not installed")
class TestMosquitto:
    def test_with_a_user_and_rights(self, tmp_path: Path) -> None:
        with mosquitto(tmp_path) as port:
            check(BrokerAddress.parse(f"mqtt://{USER}:{PASSWORD}@127.0.0.1:{port}"), port)

    @pytest.mark.skipif(OPENSSL is None, reason="openssl is not installed, no certificate can be made")
    def test_over_tls_with_the_clubs_own_authority(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
        making = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
        subprocess.run(
            [str(OPENSSL), *making.split(), "-keyout", str(key), "-out", str(cert)], check=True, capture_output=True
        )
        tls_port = claim_port("127.0.0.1", 0)
        listener = (f"listener {tls_port} 127.0.0.1", f"certfile {cert}", f"keyfile {key}")
        with mosquitto(tmp_path, *listener) as port:
            monkeypatch.setenv("SSL_CERT_FILE", str(cert))
            check(BrokerAddress.parse(f"mqtts://{USER}:{PASSWORD}@localhost:{tls_port}"), port)

    def test_a_refused_password_leaves_the_referee_running(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        with mosquitto(tmp_path) as port:
            feed = FeedLink(BOARD, BrokerAddress("127.0.0.1", port, user=USER, password="wrong"), print)  # noqa: S106
            feed.start()
            until(lambda: "refuses us" in caplog.text)
            feed.publish(StateMessage(phase="setup", position=BoardPosition(points=(0,) * 24)))
            assert not feed.connected
            feed.stop()
