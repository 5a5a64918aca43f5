"""Whatever comes in over the feed, and whatever broker is there: no thread ends, and a lost broker is reported."""

import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import paho.mqtt.client as mqtt
import pytest
from listening import Listener, until
from paho.mqtt.enums import CallbackAPIVersion

from controller.adapters.mqtt import link
from controller.adapters.mqtt.broker import Broker, BrokerSettings
from controller.adapters.mqtt.link import REFUSED_A_MINUTE, BrokerAddress, FeedLink
from controller.adapters.mqtt.wire import MOST_BYTES, BoardTopics, FeedError, read_json
from controller.ports.updates import Command

CONNACK = b"\x20\x02\x00\x00"
TOPIC_LONGER_THAN_ITS_MESSAGE = b"\x30\x03\xff\xff\x00"

HOSTILE = {
    "deep": b"[" * 100_000,
    "deep within the size": b"[" * (MOST_BYTES - 1),
    "deep objects": b'{"a":' * 3_000,
    "long": b'"' + b"x" * 500_000 + b'"',
    "no UTF-8": b"\xff\xfe\x00",
    "a lone surrogate": rb'{"note": "\ud800"}',
    "a number of 5,000 digits": b'{"id": ' + b"9" * 5_000 + b"}",
    "not a number": b'{"white_ms": NaN, "black_ms": Infinity}',
    "nothing": b"\x00",
}


@contextmanager
def feeding(address: BrokerAddress, heard: list[Command], board: BoardTopics, links: list[str]) -> Iterator[FeedLink]:
    feed = FeedLink(board, address, heard.append, on_link=links.append)
    feed.start()
    try:
        yield feed
    finally:
        feed.stop()


@pytest.mark.parametrize("payload", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("topic", ["cmd/set_clock", "cmd/pause/pause", "status"])
def test_no_message_ends_the_feed(broker: Broker, topic: str, payload: bytes) -> None:
    board, heard = BoardTopics("club", f"b{abs(hash((topic, payload[:9], len(payload))))}"), list[Command]()
    address = BrokerAddress("127.0.0.1", broker.port, user=broker.user, password=broker.password)
    links: list[str] = []
    with (
        feeding(address, heard, board, links) as feed,
        Listener(broker.port, board.prefix, broker.user, broker.password) as sender,
    ):
        until(lambda: feed.connected)
        sender.say(topic, payload)
        sender.say("cmd/resume", b"")
        until(lambda: heard, 5)
        assert [command.order.verb for command in heard] == ["resume"]
        assert links == [""]


@pytest.mark.parametrize("payload", HOSTILE.values(), ids=HOSTILE)
def test_what_cannot_be_read_is_a_value_error_in_a_short_line(payload: bytes) -> None:
    try:
        read_json(payload)
    except ValueError as error:
        assert len(str(error)) < 300  # noqa: PT017 - some of them can be read, and are refused as commands


def test_a_flood_of_unreadable_commands_is_reported_only_so_often(broker: Broker) -> None:
    board, refused = BoardTopics("club", "flooded"), list[str]()
    address = BrokerAddress("127.0.0.1", broker.port, user=broker.user, password=broker.password)
    heard: list[Command] = []
    feed = FeedLink(board, address, heard.append, on_bad_command=lambda verb, _: refused.append(verb))
    feed.start()
    try:
        with Listener(broker.port, board.prefix, broker.user, broker.password) as sender:
            until(lambda: feed.connected)
            for _ in range(3 * REFUSED_A_MINUTE):
                sender.say("cmd/nonsense", b"{")
            sender.say("cmd/resume", b"")
            until(lambda: heard)
    finally:
        feed.stop()
    assert len(refused) == REFUSED_A_MINUTE


KEPT_SESSIONS = 160
"""So many strangers with eight acknowledged subscriptions each use up what NATS keeps of them (1000)."""


def test_strangers_who_use_up_the_brokers_memory_keep_neither_pages_nor_orders_out(tmp_path: Path) -> None:
    strangers: list[mqtt.Client] = []
    heard: list[Command] = []
    links: list[str] = []
    board = BoardTopics("club", "7")
    refused = threading.Event()
    with Broker(BrokerSettings(tmp_path, port=0, websocket_port=0)) as broker:
        for number in range(KEPT_SESSIONS):
            stranger = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=f"s{number}", clean_session=False)
            stranger.on_subscribe = lambda _c, _u, _m, codes, _p: (
                refused.set() if any(code.is_failure for code in codes) else None
            )
            stranger.connect("127.0.0.1", broker.port)
            stranger.loop_start()
            stranger.subscribe([(board.topic(str(each)), 1) for each in range(8)])
            strangers.append(stranger)
        assert refused.wait(20), "the broker keeps more than it did: the test proves nothing any more"
        address = BrokerAddress("127.0.0.1", broker.port, user=broker.user, password=broker.password)
        page = mqtt.Client(CallbackAPIVersion.VERSION2, client_id="page")
        shown: list[str] = []
        try:
            with feeding(address, heard, board, links) as feed:
                until(lambda: feed.connected)
                page.on_message = lambda _c, _u, message: shown.append(message.topic)
                page.connect("127.0.0.1", broker.port)
                page.loop_start()
                page.subscribe(board.topic("+"), 0)
                until(lambda: board.topic("status") in shown)
                page.username_pw_set(broker.arbiter, broker.arbiter_password)
                page.reconnect()
                until(page.is_connected)
                page.publish(board.topic("cmd/pause"), b"", 1)
                until(lambda: heard)
            assert links == [""]
        finally:
            for client in (*strangers, page):
                client.disconnect()
                client.loop_stop()


def test_a_broker_that_takes_no_messages_or_no_subscriptions_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "ACK_WAIT_S", 0.2)
    suback_refused, kept = b"\x90\x04\x00\x01\x80\x80", list[socket.socket]()

    def serve(connection: socket.socket, _: int) -> None:
        kept.append(connection)
        connection.recv(1000)
        connection.sendall(CONNACK)
        connection.recv(1000)
        connection.sendall(suback_refused)

    links: list[str] = []
    with (
        broker_that(serve) as port,
        feeding(BrokerAddress("127.0.0.1", port), [], BoardTopics("club", "x"), links),
    ):
        until(lambda: "broker_stuck" in links and "broker_deaf" in links, 10)


@contextmanager
def broker_that(serves: Callable[[socket.socket, int], None]) -> Iterator[int]:
    """A broker's place with something else in it; ``serves`` gets each connection and its number."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            number = 0
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                number += 1
                with suppress(OSError):
                    serves(connection, number)

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1]


def test_a_broker_that_sends_what_none_sends_is_lost_and_connected_to_anew(caplog: pytest.LogCaptureFixture) -> None:
    kept: list[socket.socket] = []

    def serve(connection: socket.socket, number: int) -> None:
        kept.append(connection)
        connection.recv(1000)
        connection.sendall(CONNACK)
        if number == 1:
            connection.sendall(TOPIC_LONGER_THAN_ITS_MESSAGE)

    links: list[str] = []
    with (
        broker_that(serve) as port,
        feeding(BrokerAddress("127.0.0.1", port), [], BoardTopics("club", "x"), links) as feed,
    ):
        until(lambda: links[2:], 10)
        assert links[0] == links[2] == ""
        assert links[1]
        assert feed.connected
    assert any("lost" in record.message for record in caplog.records)


def test_a_broker_that_is_not_there_is_lost_from_the_start(caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    links: list[str] = []
    with feeding(BrokerAddress("127.0.0.1", port), [], BoardTopics("club", "x"), links):
        until(lambda: links, 5)
    assert links == ["no_broker"]
    assert sum("is lost" in record.message for record in caplog.records) == 1


def test_a_wrong_password_is_reported_and_not_printed(broker: Broker, caplog: pytest.LogCaptureFixture) -> None:
    links: list[str] = []
    address = BrokerAddress("127.0.0.1", broker.port, user=broker.user, password="hush-hush")  # noqa: S106 - a wrong one
    with feeding(address, [], BoardTopics("club", "x"), links):
        until(lambda: links, 5)
    assert links == ["broker_refuses"]
    assert "hush-hush" not in caplog.text + repr(address)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate, with its key in the same file, that nobody has signed but its owner."""
    if shutil.which("openssl") is None:
        pytest.skip("a certificate is made with openssl")
    path = tmp_path_factory.mktemp("tls") / "broker.pem"
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subject = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run(
        ["openssl", *made, *subject, "-keyout", path, "-out", path.with_suffix(".crt")], check=True, capture_output=True
    )
    path.write_text(path.read_text("ascii") + path.with_suffix(".crt").read_text("ascii"), "ascii")
    return path


@contextmanager
def tls_broker(certificate: Path) -> Iterator[int]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    kept: list[socket.socket] = []

    def serve(connection: socket.socket, _: int) -> None:
        wrapped = context.wrap_socket(connection, server_side=True)
        kept.append(wrapped)
        wrapped.recv(1000)
        wrapped.sendall(CONNACK)

    with broker_that(serve) as port:
        yield port


def test_an_unknown_certificate_is_reported_and_trusted_when_its_file_is_given(certificate: Path) -> None:
    unknown: list[str] = []
    with (
        tls_broker(certificate) as port,
        feeding(BrokerAddress("127.0.0.1", port, tls=True), [], BoardTopics("club", "x"), unknown),
    ):
        until(lambda: unknown, 5)
    assert unknown == ["broker_unknown"]
    known: list[str] = []
    with tls_broker(certificate) as port:
        address = BrokerAddress("127.0.0.1", port, tls=True, ca_file=certificate.with_suffix(".crt"))
        with feeding(address, [], BoardTopics("club", "x"), known):
            until(lambda: known, 5)
    assert known == [""]


def test_a_ca_file_without_certificates_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("Dear Sir", "ascii")
    address = BrokerAddress("club.example", 8883, tls=True, ca_file=tmp_path / "ca.pem")
    with pytest.raises(FeedError, match=r"no certificates can be read from .*ca\.pem"):
        FeedLink(BoardTopics("club", "x"), address, print)
