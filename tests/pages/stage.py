"""A whole stage for the pages: real broker, real feed, real web server, and Chromium in front of it."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from recorded_match import Scene
from screen import PIN
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from controller.adapters.mqtt.broker import Broker, BrokerSettings
from controller.adapters.mqtt.commands import Reply
from controller.adapters.mqtt.link import BrokerAddress, FeedLink
from controller.adapters.mqtt.messages import Texts
from controller.adapters.mqtt.wire import BoardTopics
from controller.adapters.pages.server import Pages
from controller.adapters.pages.sign_in import SignIn
from controller.adapters.pages.site import Live, Place
from controller.ports.updates import Command

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
CHROMEDRIVER = shutil.which("chromedriver")
PATIENCE_S = 45
FLAGS = (
    "headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking",
    "disable-component-update", "disable-sync", "hide-scrollbars", "lang=en",
)  # fmt: skip


@dataclass
class Stage:
    """What stands on the stage."""

    broker: Broker
    feed: FeedLink
    pages: Pages
    evidence: Path
    orders: list[Command] = field(default_factory=list)

    def play(self, scene: Scene) -> None:
        for content in scene.contents:
            self.feed.publish(content)


@contextmanager
def stage(folder: Path, viewer_delay_ms: int = 0, pages_port: int = 0) -> Iterator[Stage]:
    board = BoardTopics("club", "7")
    evidence = folder / "evidence"
    evidence.mkdir(parents=True, exist_ok=True)
    orders: list[Command] = []

    def obey(command: Command) -> Reply:
        orders.append(command)
        refused = command.order.verb == "undo"
        words = ("Nothing to take back.", "Нечего отменять.") if refused else ("Done.", "Сделано.")
        return Reply(done=not refused, texts=Texts(en=words[0], ru=words[1]))

    with Broker(BrokerSettings(folder, port=0, websocket_port=0)) as broker:
        address = BrokerAddress("127.0.0.1", broker.port, user=broker.user, password=broker.password)
        feed = FeedLink(board, address, orders.append, viewer_delay_ms=viewer_delay_ms)
        feed.start()
        try:
            live = Live(broker.arbiter, broker.arbiter_password) if viewer_delay_ms else None
            place = Place(board, broker.websocket_url, evidence, live=live)
            with Pages(place, SignIn(PIN), obey, port=pages_port) as pages:
                yield Stage(broker, feed, pages, evidence, orders)
        finally:
            feed.stop()


@contextmanager
def chromium(width: int = 1280, height: int = 800) -> Iterator[webdriver.Chrome]:
    profile = tempfile.mkdtemp(prefix="nardy-chromium-")
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in (*FLAGS, f"user-data-dir={profile}"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(CHROMEDRIVER))
    driver.set_page_load_timeout(PATIENCE_S)
    driver.set_script_timeout(PATIENCE_S)
    try:
        sized(driver, width, height)
        yield driver
    finally:
        driver.quit()
        shutil.rmtree(profile, ignore_errors=True)


def sized(driver: webdriver.Chrome, width: int, height: int) -> None:
    """Give the page exactly this many CSS pixels; windows have a least width that phones are below."""
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
    )
