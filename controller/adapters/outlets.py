"""Where the referee publishes: the broker, the feed and the pages, put together from the settings."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from controller.adapters.mqtt.broker import Broker, BrokerSettings
from controller.adapters.mqtt.commands import answer_message
from controller.adapters.mqtt.link import BrokerAddress, FeedLink
from controller.adapters.mqtt.messages import Content, EventMessage
from controller.adapters.mqtt.texts import both
from controller.adapters.mqtt.wire import BoardTopics
from controller.adapters.pages.server import Pages
from controller.adapters.pages.sign_in import SignIn
from controller.adapters.pages.sign_in_file import SIGN_IN_FILE, SignInFile
from controller.adapters.pages.site import Live, Place
from controller.clock import Millis
from controller.locale import Lang, text
from controller.referee.events import Device, DeviceChanged
from controller.service.inbox import Inbox
from controller.settings import Settings


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where people can look. ``new_pin`` was made up at this start; ``pin_file`` is where such a one is kept."""

    display: str
    arbiter: str
    broker: str
    new_pin: str | None
    pin_file: Path | None

    def words(self, lang: Lang, query: str = "") -> str:
        """The addresses for people, with ``query`` at their ends.

        A PIN that was known before is not repeated, since what is printed is logged.
        """
        if self.new_pin is not None:
            pin = text(lang, "cli.pin.new", pin=self.new_pin)
        else:
            pin = text(lang, "cli.pin.kept", path=self.pin_file) if self.pin_file else text(lang, "cli.pin.set")
        return text(lang, "cli.look", display=self.display + query, arbiter=self.arbiter + query, pin=pin)


class Outlets:
    """The broker if it is ours, the feed and the pages; a context manager that ends them in order."""

    def __init__(
        self,
        settings: Settings,
        store: Path,
        evidence: Path,
        *,
        inbox: Inbox,
        now_ms: Callable[[], Millis],
    ) -> None:
        self._settings = settings
        self._store = store
        self._evidence = evidence
        self._inbox = inbox
        self._now_ms = now_ms
        self._stack = ExitStack()
        self._feed: FeedLink | None = None
        self._feed_lost = False
        self._broker: Broker | None = None
        self.addresses: Addresses | None = None

    def __enter__(self) -> Self:
        """Start everything.

        Raises BrokerError, FeedError or PagesError, having stopped what was started.
        """
        try:
            self._start()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def send(self, content: Content) -> None:
        """Send it over the feed."""
        if self._feed is not None:
            self._feed.publish(content)

    def _refused(self, verb: str, why: str) -> None:
        """Publish on the feed that a command which came over it could not be read."""
        texts = both("order.unreadable", verb=verb, why=why)
        self.send(EventMessage(kind="refused_command", at_mono_ms=self._now_ms(), texts=texts))

    def _linked(self, why: str) -> None:
        """Report to the referee that the broker is lost, or came back; our own that takes no more begins anew."""
        if why == "broker_stuck" and self._broker is not None:
            self._broker.begin_anew()
        if why or self._feed_lost:
            self._inbox.post(DeviceChanged(self._now_ms(), Device.FEED, up=not why, why=why))
        self._feed_lost = bool(why)

    def _start(self) -> None:
        settings = self._settings
        board = BoardTopics(settings.board.club, settings.board.id)
        feed_settings = settings.feed
        live: Live | None = None
        if feed_settings.broker == "embedded":
            broker = self._stack.enter_context(
                Broker(
                    BrokerSettings(
                        self._store,
                        host=feed_settings.host,
                        port=feed_settings.port,
                        websocket_host=settings.pages.host,
                        websocket_port=feed_settings.websocket_port,
                    )
                )
            )
            self._broker = broker
            url, websocket = broker.url, broker.websocket_url
            user, password = broker.user, broker.password
            if feed_settings.viewer_delay_s > 0:
                live = Live(broker.arbiter, broker.arbiter_password)
        else:
            url, websocket = feed_settings.broker, feed_settings.websocket_url or ""
            user = feed_settings.user or ""
            password = feed_settings.password.get_secret_value() if feed_settings.password else ""
        base = BrokerAddress.parse(url)
        ca_file = feed_settings.ca_file if base.tls else None
        address = BrokerAddress(base.host, base.port, base.tls, user or None, password or None, ca_file)
        self._feed = FeedLink(
            board,
            address,
            self._inbox.post,
            on_bad_command=self._refused,
            on_link=self._linked,
            viewer_delay_ms=int(feed_settings.viewer_delay_s * 1000),
            now_ms=self._now_ms,
        )
        self._feed.start()
        self._stack.callback(self._feed.stop)
        pin = settings.pages.arbiter_pin
        sign_in_file = SignInFile(self._store / SIGN_IN_FILE)
        sign_in = SignIn(pin.get_secret_value() if pin else None, sign_in_file)
        pages = self._stack.enter_context(
            Pages(
                Place(
                    board,
                    websocket,
                    self._evidence,
                    Lang(settings.language),
                    live,
                    settings.board.name or "",
                    settings.pages.names,
                ),
                sign_in,
                lambda command: answer_message(command.order, self._inbox.ask(command)),
                host=settings.pages.host,
                port=settings.pages.port,
            )
        )
        self.addresses = Addresses(
            pages.url,
            pages.arbiter_url,
            url,
            sign_in.pin if sign_in.new else None,
            None if pin else sign_in_file.path,
        )
