"""Where the referee speaks: the broker, the feed and the pages, put together from the settings."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from controller.adapters.feed.broker import Broker, BrokerSettings
from controller.adapters.feed.commands import Answer, Command
from controller.adapters.feed.messages import Content
from controller.adapters.feed.publisher import BrokerAddress, Feed
from controller.adapters.feed.wire import Board
from controller.adapters.pages.server import Pages
from controller.adapters.pages.site import Place
from controller.clock import Millis
from controller.locale import Lang
from controller.settings import Settings


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where people can look."""

    display: str
    arbiter: str
    pin: str
    broker: str


class Outlets:
    """The broker if it is ours, the feed and the pages; a context manager that ends them in order."""

    def __init__(
        self,
        settings: Settings,
        store: Path,
        evidence: Path,
        *,
        ask: Callable[[Command], Answer],
        tell: Callable[[Command], None],
        now_ms: Callable[[], Millis],
    ) -> None:
        self._settings = settings
        self._store = store
        self._evidence = evidence
        self._ask = ask
        self._tell = tell
        self._now_ms = now_ms
        self._stack = ExitStack()
        self._feed: Feed | None = None
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

    def publish(self, content: Content) -> None:
        """Say it on the feed."""
        if self._feed is not None:
            self._feed.publish(content)

    def _start(self) -> None:
        settings = self._settings
        board = Board(settings.board.club, settings.board.id)
        feed_settings = settings.feed
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
            url, websocket = broker.url, broker.websocket_url
            user, password = broker.user, broker.password
        else:
            url, websocket = feed_settings.broker, feed_settings.websocket_url or ""
            user = feed_settings.user or ""
            password = feed_settings.password.get_secret_value() if feed_settings.password else ""
        base = BrokerAddress.parse(url)
        address = BrokerAddress(base.host, base.port, base.tls, user or None, password or None)
        self._feed = Feed(
            board,
            address,
            self._tell,
            viewer_delay_ms=int(feed_settings.viewer_delay_s * 1000),
            now_ms=self._now_ms,
        )
        self._feed.start()
        self._stack.callback(self._feed.stop)
        pin = settings.pages.arbiter_pin
        pages = self._stack.enter_context(
            Pages(
                Place(board, websocket, self._evidence, Lang(settings.language)),
                self._ask,
                host=settings.pages.host,
                port=settings.pages.port,
                pin=pin.get_secret_value() if pin else None,
            )
        )
        self.addresses = Addresses(pages.url, pages.arbiter_url, pages.pin, url)
