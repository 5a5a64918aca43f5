"""One real broker for the tests that only need some broker."""

from collections.abc import Iterator

import pytest

from controller.adapters.mqtt.broker import Broker, BrokerSettings


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    with Broker(BrokerSettings(tmp_path_factory.mktemp("broker"), port=0, websocket_port=0)) as running:
        yield running
