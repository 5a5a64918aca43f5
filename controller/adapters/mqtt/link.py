"""The link to the broker: stamps messages and gets them to a broker, whenever there is one.

The referee's thread never waits: ``publish`` only puts the content into a delay line. One sender thread hands messages
to the MQTT client one at a time, the next after the broker acknowledged the last. So retained topics never queue up
(only their latest content is kept), and a reconnect cannot bring an older state after a newer one.
"""

import logging
import secrets
import ssl
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from urllib.parse import unquote, urlsplit

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from controller.adapters.mqtt.commands import CommandError, read_topic
from controller.adapters.mqtt.messages import CONTENTS, ClockMessage, Content, Stamp, StatusMessage
from controller.adapters.mqtt.steady_time import STEADY
from controller.adapters.mqtt.wire import BoardTopics, FeedError, PayloadError, decode, encode
from controller.ports.updates import Command

logger = logging.getLogger(__name__)

QOS = 1
"""Every message is acknowledged by the broker."""
LISTEN_QOS = 0
"""What is listened to: a session that ends with its connection gains nothing from more, and an embedded broker keeps
something for each subscription with more, of which strangers can use up all."""
KEEPALIVE_S = 15
ACK_WAIT_S = 5.0
RECONNECT_MIN_S = 1
RECONNECT_MAX_S = 15
EVENTS_KEPT = 2000
"""Events held while no broker is there; the oldest go first. The journal has them all."""
SEEN_COMMANDS = 256
REFUSED_A_MINUTE = 30
"""So many refused commands a minute are reported: a flood of them fills neither the log nor the events of the feed."""
MINUTE_MS = 60_000
VERB_SHOWN = 40
"""So many letters of a topic under ``cmd/`` are shown."""
LIVE = "live/"
"""Where the undelayed messages go while viewers see a delayed match."""


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """A broker to connect to: ``mqtt://`` or ``mqtts://``, with ``user:password@`` when it asks for one."""

    host: str
    port: int
    tls: bool = False
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    ca_file: Path | None = None
    """Certificates that a ``mqtts`` broker may be signed by; None: those that the system trusts."""

    @classmethod
    def parse(cls, url: str) -> "BrokerAddress":
        """Read an address such as ``mqtts://club:secret@broker.example:8883``.

        Raises FeedError saying what is wrong with it.
        """
        parts = urlsplit(url)
        try:
            port = parts.port
        except ValueError:
            port = 0
        if parts.scheme not in {"mqtt", "mqtts"} or not parts.hostname or port == 0:
            # Never the whole address: it may hold a password.
            given = f"{parts.scheme}://{parts.hostname or ''}"
            raise FeedError("broker_address", given=given)
        tls = parts.scheme == "mqtts"
        user = unquote(parts.username) if parts.username else None
        password = unquote(parts.password) if parts.password else None
        return cls(parts.hostname, port or (8883 if tls else 1883), tls=tls, user=user, password=password)


class _Client(mqtt.Client):
    """A client whose network thread outlives whatever a broker sends: it reports the error and connects anew."""

    def __init__(self, address: BrokerAddress, client_id: str, broken: Callable[[], None]) -> None:
        super().__init__(CallbackAPIVersion.VERSION2, client_id=client_id, protocol=mqtt.MQTTv311)
        self._address = address
        self._broken = broken

    def begin(self) -> None:
        """Have the next turn of the loop connect."""
        self.connect_async(self._address.host, self._address.port, keepalive=KEEPALIVE_S)

    def loop_forever(self, timeout: float = 1.0, retry_first_connection: bool = False) -> MQTTErrorCode:  # noqa: FBT001, FBT002 - paho's own signature
        """Do the network's work until the client is told to stop."""
        while True:
            try:
                return super().loop_forever(timeout, retry_first_connection)
            except Exception:
                logger.exception("the link to the broker failed; it connects anew")
            self._broken()
            time.sleep(RECONNECT_MIN_S)
            self.begin()


class FeedLink:
    """One board's MQTT link. ``start`` it, ``publish`` contents, ``stop`` it.

    The network thread calls ``on_command`` for each command under ``cmd/``, once an id, ``on_bad_command`` with verb
    and reason for each that is refused, and ``on_link`` when the broker comes (an empty text) or is lost (why: a key of
    the texts under ``device.why``), from the first attempt on and only when that changes.
    ``viewer_delay_ms`` holds everything back; clocks keep their pace because their ``asof`` moves too. The arbiter must
    not wait, so then the same messages go out at once under ``live/`` as well.
    ``now_ms`` is the referee's monotonic clock.
    """

    def __init__(
        self,
        board: BoardTopics,
        address: BrokerAddress,
        on_command: Callable[[Command], None],
        *,
        on_bad_command: Callable[[str, str], None] | None = None,
        on_link: Callable[[str], None] | None = None,
        viewer_delay_ms: int = 0,
        now_ms: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000,
        session: str | None = None,
    ) -> None:
        self._board = board
        self._address = address
        self._on_command = on_command
        self._on_bad_command = on_bad_command
        self._on_link = on_link
        self._delay_ms = viewer_delay_ms
        self._now_ms = now_ms
        self.session = session or secrets.token_hex(6)
        self._changed = threading.Condition()
        self._seq = 0
        self._line: deque[tuple[int, _Message]] = deque()  # (due_ms, message), in order
        # The latest due payload of each retained topic; an empty one clears what an earlier session left at the broker.
        kept = [model.topic for model in CONTENTS if model.retained]
        self._retained: dict[str, bytes] = dict.fromkeys([*kept, *(LIVE + name for name in kept)], b"")
        self._unsent: OrderedDict[str, None] = OrderedDict()  # retained topics the broker lacks
        self._events: deque[_Message] = deque(maxlen=EVENTS_KEPT)
        self._seen: deque[str] = deque(maxlen=SEEN_COMMANDS)
        self._connected = False
        self._lost: str | None = None
        self._refusals: deque[int] = deque(maxlen=REFUSED_A_MINUTE)
        self._refusing_quietly = False
        self._stopping = False
        self._acked = threading.Event()
        self._sending = False
        self._client = self._make_client()
        self._sender = threading.Thread(target=self._send, name="feed sender", daemon=True)

    @property
    def connected(self) -> bool:
        """Is the broker there right now."""
        return self._connected

    def start(self) -> None:
        """Begin to connect in the background; a broker that is away is no error."""
        self._sender.start()
        self._client.begin()
        self._client.loop_start()

    def publish(self, content: Content) -> None:
        """Publish ``content``; returns at once, from any thread."""
        with self._changed:
            now_ms = self._now_ms()
            stamp = self._stamp(now_ms)
            if self._delay_ms:
                live = encode(stamp, _dated(content, stamp))
                self._take_due(_Message(LIVE + content.topic, live, content.retained))
            message = _Message(content.topic, encode(stamp, _dated(content, stamp, self._delay_ms)), content.retained)
            self._line.append((now_ms + self._delay_ms, message))
            self._changed.notify()

    def wait_sent(self, timeout_s: float) -> bool:
        """Wait until the broker has everything that is due; False when it still lacks some."""
        deadline = time.monotonic() + timeout_s
        with self._changed:
            return self._changed.wait_for(self._idle, max(0.0, deadline - time.monotonic()))

    def stop(self) -> None:
        """Publish ``stopped``, give the broker a moment to take it, and hang up."""
        self.publish(StatusMessage(status="stopped"))
        with self._changed:
            # The delay is for viewers of a running match; a stop is published at once.
            self._line = deque((0, message) for _, message in self._line)
            self._changed.notify()
        if self._connected:
            self.wait_sent(2.0)
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        self._acked.set()
        if self._sender.is_alive():
            self._sender.join(2.0)
        self._client.disconnect()
        self._client.loop_stop()

    def _stamp(self, now_ms: int) -> Stamp:
        self._seq += 1
        return Stamp(v=1, seq=self._seq, session=self.session, utc=STEADY.utc(), mono_ms=now_ms)

    def _idle(self) -> bool:
        due = bool(self._line) and self._line[0][0] <= self._now_ms()
        return not due and not self._unsent and not self._events and not self._sending

    def _make_client(self) -> _Client:
        # An id that nobody knows: whoever connects with it too would throw us out, and the session is public.
        client = _Client(self._address, f"nardy-{secrets.token_hex(12)}", lambda: self._lose("feed_broken"))
        if self._address.user is not None:
            client.username_pw_set(self._address.user, self._address.password)
        if self._address.tls:
            client.tls_set_context(_trusting(self._address.ca_file))
        client.reconnect_delay_set(RECONNECT_MIN_S, RECONNECT_MAX_S)
        client.on_connect = self._connected_to
        client.on_connect_fail = self._unreached
        client.on_disconnect = self._disconnected_from
        client.on_publish = self._published
        client.on_subscribe = self._subscribed
        client.on_message = self._heard
        client.on_pre_connect = self._before_connect
        return client

    def _before_connect(self, client: mqtt.Client, _: object) -> None:
        with self._changed:
            last_words = encode(self._stamp(self._now_ms()), StatusMessage(status="offline"))
        client.will_set(self._board.topic(StatusMessage.topic), last_words, QOS, retain=True)

    def _connected_to(
        self, client: mqtt.Client, _: object, __: mqtt.ConnectFlags, reason: ReasonCode, ___: Properties | None
    ) -> None:
        if reason.is_failure:
            self._lose("broker_refuses", str(reason))
            return
        logger.info("connected to the broker %s:%d", self._address.host, self._address.port)
        listened = (self._board.topic("cmd/#"), self._board.topic(StatusMessage.topic))
        client.subscribe([(topic, LISTEN_QOS) for topic in listened])
        with self._changed:
            # The broker may have lost everything, and its last will may have overwritten our status.
            self._retained[StatusMessage.topic] = encode(self._stamp(self._now_ms()), StatusMessage(status="online"))
            self._unsent = OrderedDict.fromkeys((StatusMessage.topic, *self._retained))
            self._connected = True
            self._changed.notify_all()
        self._linked("")

    def _unreached(self, _: mqtt.Client, __: object) -> None:
        # Called while the error is being handled, which is all that the library tells of it.
        error = sys.exc_info()[1]
        why = "broker_unknown" if isinstance(error, ssl.SSLCertVerificationError) else "no_broker"
        self._lose(why, str(error or ""))

    def _disconnected_from(
        self, _: mqtt.Client, __: object, ___: mqtt.DisconnectFlags, reason: ReasonCode, ____: Properties | None
    ) -> None:
        if self._connected:
            self._lose("no_broker", str(reason))

    def _lose(self, why: str, detail: str = "") -> None:
        """Go on without the broker; the log and ``on_link`` hear of each reason once."""
        with self._changed:
            self._connected = False
        if self._stopping or self._lost == why:
            return
        logger.warning(
            "the broker %s:%d is lost: %s (%s); the match goes on", self._address.host, self._address.port, why, detail
        )
        self._linked(why)

    def _linked(self, why: str) -> None:
        if self._lost != why:
            self._lost = why
            if self._on_link is not None:
                self._on_link(why)

    def _subscribed(
        self, _: mqtt.Client, __: object, ___: int, reasons: list[ReasonCode], ____: Properties | None
    ) -> None:
        if any(reason.is_failure for reason in reasons):
            logger.warning("the broker refuses a subscription: orders over MQTT do not arrive")
            self._linked("broker_deaf")

    def _published(self, _: mqtt.Client, __: object, ___: int, ____: ReasonCode, _____: Properties) -> None:
        # One message is under way at a time, so this can be no other's acknowledgement.
        self._acked.set()

    def _heard(self, _: mqtt.Client, __: object, message: mqtt.MQTTMessage) -> None:
        try:
            self._take(message)
        except Exception:
            # Whatever it was: this is the thread that every display depends on.
            logger.exception("a message of %d bytes could not be taken", len(message.payload))

    def _take(self, message: mqtt.MQTTMessage) -> None:
        if message.topic == self._board.topic(StatusMessage.topic):
            self._hear_status(bytes(message.payload))
            return
        verb = message.topic.removeprefix(self._board.topic("cmd/"))
        if message.retain:
            # A retained command would be obeyed again at every start.
            self._refuse(verb, "commands must not be retained")
            return
        try:
            command = read_topic(verb, bytes(message.payload))
        except CommandError as wrong:
            self._refuse(verb, str(wrong))
            return
        if command.id not in self._seen:
            self._seen.append(command.id)
            self._on_command(command)

    def _hear_status(self, payload: bytes) -> None:
        """Answer the late last will of an earlier session, which would publish ``offline`` for us; notice a rival."""
        try:
            stamp, status = decode(StatusMessage.topic, payload)
        except PayloadError:
            return
        if stamp.session == self.session or not isinstance(status, StatusMessage):
            return
        if status.status == "online":
            logger.warning("another referee (session %s) publishes for %s", stamp.session, self._board.prefix)
            return
        with self._changed:
            self._unsent[StatusMessage.topic] = None
            self._changed.notify()

    def _refuse(self, verb: str, why: str) -> None:
        now_ms = self._now_ms()
        if len(self._refusals) == REFUSED_A_MINUTE and now_ms - self._refusals[0] < MINUTE_MS:
            if not self._refusing_quietly:
                logger.warning("more than %d commands a minute are refused; no more are reported", REFUSED_A_MINUTE)
            self._refusing_quietly = True
            return
        self._refusing_quietly = False
        self._refusals.append(now_ms)
        verb = verb[:VERB_SHOWN]
        logger.warning("command %r refused: %s", verb, why)
        if self._on_bad_command is not None:
            self._on_bad_command(verb, why)

    def _send(self) -> None:
        while (message := self._next()) is not None:
            try:
                self._hand_over(message)
            except Exception:
                logger.exception("%s could not be published", message.name)
            with self._changed:
                self._sending = False
                self._changed.notify_all()

    def _hand_over(self, message: "_Message") -> None:
        sent = self._client.publish(self._board.topic(message.name), message.payload, QOS, retain=message.retain)
        if sent.rc not in {MQTTErrorCode.MQTT_ERR_SUCCESS, MQTTErrorCode.MQTT_ERR_NO_CONN}:
            logger.warning("could not hand over %s: %s", message.name, sent.rc)
        # The client repeats an unacknowledged message itself after a reconnect: wait for that, however long.
        while not self._acked.wait(ACK_WAIT_S) and not self._stopping:
            if self._connected and self._lost != "broker_stuck":
                logger.warning("the broker has not taken %s for %.0f s", message.name, ACK_WAIT_S)
                self._linked("broker_stuck")
        self._acked.clear()
        if self._lost == "broker_stuck" and not self._stopping:
            self._linked("")

    def _next(self) -> "_Message | None":
        """Wait for the next message that may go out; None at the end."""
        with self._changed:
            while not self._stopping:
                now_ms = self._now_ms()
                while self._line and self._line[0][0] <= now_ms:
                    self._take_due(self._line.popleft()[1])
                if self._connected and (self._unsent or self._events):
                    self._sending = True
                    if self._unsent:
                        name, _nothing = self._unsent.popitem(last=False)
                        return _Message(name, self._retained[name], retain=True)
                    return self._events.popleft()
                self._changed.wait((self._line[0][0] - now_ms) / 1000 if self._line else None)
            return None

    def _take_due(self, message: "_Message") -> None:
        if message.retain:
            self._retained[message.name] = message.payload
            self._unsent[message.name] = None
        else:
            if len(self._events) == EVENTS_KEPT:
                logger.warning("no broker for long: the oldest event is dropped from the feed")
            self._events.append(message)


def _dated(content: Content, stamp: Stamp, later_ms: int = 0) -> Content:
    """Give a clock's reserves the time of day of their own moment, which lies before that of the message."""
    if not isinstance(content, ClockMessage):
        return content
    asof_ms = content.asof_mono_ms + later_ms
    asof_utc = stamp.utc + timedelta(milliseconds=asof_ms - stamp.mono_ms)
    return content.model_copy(update={"asof_mono_ms": asof_ms, "asof_utc": asof_utc})


def _trusting(ca_file: Path | None) -> ssl.SSLContext:
    """What a broker's certificate is checked against.

    Raises FeedError when ``ca_file`` holds no certificates.
    """
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as error:
        raise FeedError("ca_file", path=ca_file, why=error.strerror or error) from error


@dataclass(frozen=True, slots=True)
class _Message:
    """What goes to the broker: the topic's own name, the payload, and whether the broker keeps it."""

    name: str
    payload: bytes
    retain: bool
