"""A plain MQTT client that remembers what it heard, and a wire that can be cut."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion


@dataclass
class Listener:
    """Subscribes to everything under ``prefix`` and keeps (topic below it, payload, retained).

    A ``late`` one subscribes again and again until it leaves: the broker may acknowledge a retained message before it
    hands it to new subscribers.
    """

    port: int
    prefix: str
    user: str | None = None
    password: str | None = None
    late: bool = False
    heard: list[tuple[str, bytes, bool]] = field(default_factory=list)

    def __enter__(self) -> Self:
        subscribed = threading.Event()
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv311)
        if self.user:
            self.client.username_pw_set(self.user, self.password)
        self.client.on_connect = lambda client, *_: client.subscribe(f"{self.prefix}/#", 1)
        self.client.on_subscribe = lambda *_: subscribed.set()
        self.client.on_message = lambda _c, _u, message: self._keep(message)
        self.client.connect("127.0.0.1", self.port)
        self.client.loop_start()
        assert subscribed.wait(5)
        self.left = threading.Event()
        if self.late:
            threading.Thread(target=self._subscribe_again, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.left.set()
        self.client.disconnect()
        self.client.loop_stop()

    def _keep(self, message: mqtt.MQTTMessage) -> None:
        entry = (message.topic.removeprefix(f"{self.prefix}/"), bytes(message.payload), message.retain)
        if not (self.late and entry in self.heard):
            self.heard.append(entry)

    def _subscribe_again(self) -> None:
        while not self.left.wait(0.3):
            self.client.subscribe(f"{self.prefix}/#", 1)

    def of(self, topic: str) -> list[bytes]:
        return [payload for name, payload, _ in list(self.heard) if name == topic]

    def say(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        self.client.publish(f"{self.prefix}/{topic}", payload, 1, retain=retain).wait_for_publish(5)


def until(true: Callable[[], object], timeout_s: float = 30.0) -> None:
    """Wait until ``true()`` holds; fails when it does not in time."""
    deadline = time.monotonic() + timeout_s
    while not true():
        assert time.monotonic() < deadline, "it never became true"
        time.sleep(0.01)


class Wire:
    """A TCP wire to a broker's port that can be laid late and cut at any moment."""

    def __init__(self, port: int, near_port: int = 0) -> None:
        self._to = port
        self._server = socket.create_server(("127.0.0.1", near_port))
        self.port: int = self._server.getsockname()[1]
        self._ends: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._server.accept()
                far = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                return
            self._ends += [near, far]
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=_pump, args=(source, target), daemon=True).start()

    def cut(self) -> None:
        ends, self._ends = self._ends, []
        for end in ends:
            _hang_up(end)

    def close(self) -> None:
        self._server.close()
        self.cut()


def _pump(source: socket.socket, target: socket.socket) -> None:
    try:
        while chunk := source.recv(4096):
            target.sendall(chunk)
    except OSError:
        return
    finally:
        # Shut down, not closed: a close would wait for the other thread that still reads from it.
        _hang_up(source)
        _hang_up(target)


def _hang_up(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
