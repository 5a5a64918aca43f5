"""What stands between the referee and the world: the arbiter sees at once what viewers see late, losses are told."""

import json
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path

from pydantic import SecretStr

from controller.adapters.mqtt.broker import Broker, BrokerSettings
from controller.adapters.outlets import Outlets
from controller.clock import Millis
from controller.referee.events import Device, DeviceChanged, Event
from controller.service.inbox import Inbox, Posted
from controller.settings import BoardSettings, FeedSettings, PageSettings, Settings
from tests.feed.listening import Listener, Wire, until


@contextmanager
def outlets(folder: Path, feed: FeedSettings, inbox: Inbox) -> Iterator[Outlets]:
    settings = Settings(board=BoardSettings(id="7", name="Table 7"), feed=feed, pages=PageSettings(port=0))
    with Outlets(settings, folder, folder, inbox=inbox, now_ms=lambda: Millis(5)) as standing:
        yield standing


def posted(inbox: Inbox) -> list[Event]:
    """Return what has been posted to the referee since the last call."""
    items = [thing for item in inbox.take(0) if isinstance(item, Posted) for thing in item.things]
    return [thing for thing in items if isinstance(thing, DeviceChanged)]


def live_key(standing: Outlets) -> dict[str, str] | None:
    """What an arbiter's browser is given after it has said the PIN."""
    assert standing.addresses is not None
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    body = json.dumps({"pin": standing.addresses.new_pin}).encode()
    with browser.open(f"{standing.addresses.display}api/session", body) as answer:
        said: dict[str, dict[str, str] | None] = json.load(answer)
    return said["live"]


def test_the_arbiter_reads_undelayed_what_viewers_see_later(tmp_path: Path) -> None:
    with outlets(tmp_path, FeedSettings(port=0, websocket_port=0, viewer_delay_s=600), Inbox()) as standing:
        key = live_key(standing)
        assert key is not None
        assert standing.addresses is not None
        port = int(standing.addresses.broker.rsplit(":", 1)[1])
        with Listener(port, "nardy/v1/club/7", key["user"], key["password"], late=True) as arbiter:
            arbiter.say("cmd/set_roll", b'{"roll": [7, 1]}')
            until(lambda: arbiter.of("live/event"))
            said = json.loads(arbiter.of("live/event")[0])
        assert said["kind"] == "refused_command"
        assert "set_roll" in said["texts"]["en"]
        assert "set_roll" in said["texts"]["ru"]


def test_the_pages_call_the_board_by_its_name_in_the_settings(tmp_path: Path) -> None:
    with outlets(tmp_path, FeedSettings(port=0, websocket_port=0), Inbox()) as standing:
        assert standing.addresses is not None
        with urllib.request.build_opener().open(f"{standing.addresses.display}api/config") as answer:
            assert json.load(answer)["name"] == "Table 7"


def test_without_a_delay_the_arbiter_reads_what_everybody_reads(tmp_path: Path) -> None:
    with outlets(tmp_path, FeedSettings(port=0, websocket_port=0), Inbox()) as standing:
        assert live_key(standing) is None


def test_a_broker_that_goes_and_comes_back_is_reported_to_the_referee(tmp_path: Path) -> None:
    told: list[Event] = []
    inbox = Inbox()
    with Broker(BrokerSettings(tmp_path, port=0, websocket_port=0)) as broker:
        wire = Wire(broker.port)
        feed = FeedSettings(
            broker=f"mqtt://127.0.0.1:{wire.port}",
            user=broker.user,
            password=SecretStr(broker.password),
            websocket_url=broker.websocket_url,
        )
        with Listener(broker.port, "nardy/v1/club/7") as viewer, outlets(tmp_path, feed, inbox):
            until(lambda: viewer.of("status"))
            assert posted(inbox) == []
            wire.cut()
            until(lambda: told.extend(posted(inbox)) or len(told) > 1)
        wire.close()
    assert [(event.device, event.up) for event in told[:2] if isinstance(event, DeviceChanged)] == [
        (Device.FEED, False),
        (Device.FEED, True),
    ]
