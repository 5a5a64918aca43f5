"""The feed against a real broker: what spectators hear, in which order, whatever the link does."""

import json
import random
import secrets
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from listening import Listener, Wire, until

from controller.adapters.mqtt.broker import Broker, BrokerSettings, claim_port
from controller.adapters.mqtt.link import BrokerAddress, FeedLink
from controller.adapters.mqtt.messages import (
    BoardPosition,
    ClockMessage,
    EventMessage,
    Stamp,
    StateMessage,
    StatusMessage,
    Texts,
)
from controller.adapters.mqtt.wire import BoardTopics, FeedError, decode, encode
from controller.ports.updates import Command

BOTH = Texts(en="yes", ru="да")


def state(turn: int) -> StateMessage:
    return StateMessage(phase="to_throw", turn=turn, position=BoardPosition(points=(0,) * 24))


def event(number: int) -> EventMessage:
    return EventMessage(kind="cube", at_mono_ms=number, texts=BOTH)


def moments(payloads: list[bytes]) -> list[int]:
    return [json.loads(payload)["at_mono_ms"] for payload in payloads if payload]


def turns(payloads: list[bytes]) -> list[int]:
    return [json.loads(payload)["turn"] for payload in payloads if payload]


def writing(board: BoardTopics, broker: Broker) -> Listener:
    return Listener(broker.port, board.prefix, broker.user, broker.password)


@pytest.fixture
def board() -> BoardTopics:
    """A board of its own for each test, so that nothing retained is inherited."""
    return BoardTopics("club", secrets.token_hex(4))


@contextmanager
def feeding(board: BoardTopics, broker: Broker, port: int | None = None, **more: Any) -> Iterator[FeedLink]:
    address = BrokerAddress("127.0.0.1", port or broker.port, user=broker.user, password=broker.password)
    feed = FeedLink(board, address, more.pop("heard", []).append, **more)
    feed.start()
    try:
        yield feed
    finally:
        feed.stop()


def test_a_late_spectator_gets_the_last_state_and_no_old_events(board: BoardTopics, broker: Broker) -> None:
    with feeding(board, broker) as feed:
        for turn in range(1, 4):
            feed.publish(state(turn))
            feed.publish(event(turn))
        assert feed.wait_sent(5)
        with Listener(broker.port, board.prefix, late=True) as late:
            until(lambda: late.of("state") and late.of("status"))
            assert turns(late.of("state")) == [3]
            assert late.of("event") == []
            assert json.loads(late.of("status")[-1])["status"] == "online"


def test_messages_are_numbered_and_stamped_with_one_session(board: BoardTopics, broker: Broker) -> None:
    with Listener(broker.port, board.prefix) as spectator, feeding(board, broker) as feed:
        for turn in range(1, 6):
            feed.publish(event(turn))
        until(lambda: len(spectator.of("event")) == 5)
        stamps = [decode("event", payload)[0] for payload in spectator.of("event")]
        assert [stamp.seq for stamp in stamps] == sorted({stamp.seq for stamp in stamps})
        assert {stamp.session for stamp in stamps} == {feed.session}


def test_a_clean_stop_says_stopped(board: BoardTopics, broker: Broker) -> None:
    with Listener(broker.port, board.prefix) as spectator:
        with feeding(board, broker) as feed:
            until(lambda: feed.connected)
        until(lambda: spectator.of("status"))
        until(lambda: json.loads(spectator.of("status")[-1])["status"] == "stopped")


def test_the_broker_says_offline_when_the_referee_is_killed(board: BoardTopics, broker: Broker) -> None:
    program = textwrap.dedent(
        f"""
        import time
        from controller.adapters.mqtt.link import BrokerAddress, FeedLink
        from controller.adapters.mqtt.wire import BoardTopics
        address = BrokerAddress("127.0.0.1", {broker.port}, user={broker.user!r}, password={broker.password!r})
        feed = FeedLink(BoardTopics({board.club!r}, {board.board!r}), address, print)
        feed.start()
        time.sleep(60)
        """
    )
    with Listener(broker.port, board.prefix) as spectator, subprocess.Popen([sys.executable, "-c", program]) as referee:
        until(lambda: spectator.of("status"), 15)
        referee.kill()
        until(lambda: json.loads(spectator.of("status")[-1])["status"] == "offline")


def test_the_late_last_will_of_an_earlier_session_does_not_stick(board: BoardTopics, broker: Broker) -> None:
    with feeding(board, broker) as feed, writing(board, broker) as spectator:
        until(lambda: feed.connected and spectator.of("status"))
        earlier = Stamp(v=1, seq=1, session="earlier", utc=datetime.now(UTC), mono_ms=1)
        spectator.say("status", encode(earlier, StatusMessage(status="offline")), retain=True)
        until(lambda: json.loads(spectator.of("status")[-1])["session"] == feed.session)
        assert json.loads(spectator.of("status")[-1])["status"] == "online"


def test_what_an_earlier_session_left_behind_is_cleared(board: BoardTopics, broker: Broker) -> None:
    with feeding(board, broker) as earlier:
        earlier.publish(state(99))
        assert earlier.wait_sent(5)
    with feeding(board, broker) as feed:
        until(lambda: feed.connected)
        assert feed.wait_sent(5)
        with Listener(broker.port, board.prefix, late=True) as late:
            until(lambda: late.of("status"))
            # The broker hands over what is retained before what is new.
            feed.publish(event(1))
            until(lambda: late.of("event"))
            assert late.of("state") == []


def test_the_referee_runs_on_without_a_broker_and_tells_all_when_one_comes(board: BoardTopics, broker: Broker) -> None:
    near_port = claim_port("127.0.0.1", 0)
    with Listener(broker.port, board.prefix) as spectator, feeding(board, broker, near_port) as feed:
        # The broker comes only after this: whoever waited for it here would wait for ever.
        for turn in range(1, 51):
            feed.publish(state(turn))
            feed.publish(event(turn))
        assert not feed.wait_sent(0.1)
        wire = Wire(broker.port, near_port)
        until(lambda: len(spectator.of("event")) == 50 and turns(spectator.of("state")), 20)
        assert moments(spectator.of("event")) == list(range(1, 51))
        assert turns(spectator.of("state")) == [50]
        assert feed.wait_sent(5)
        wire.close()


def test_a_broker_that_forgot_everything_is_reported_again(board: BoardTopics, tmp_path: Path) -> None:
    broker = Broker(BrokerSettings(tmp_path, port=0, websocket_port=0))
    broker.start()
    with feeding(board, broker) as feed:
        feed.publish(state(7))
        assert feed.wait_sent(5)
        broker.stop()
        until(lambda: not feed.connected)
        reborn = Broker(BrokerSettings(tmp_path / "other", port=broker.port, websocket_port=0))
        reborn.user, reborn.password = broker.user, broker.password
        with reborn:
            until(lambda: feed.connected, 20)
            assert feed.wait_sent(5)
            with Listener(reborn.port, board.prefix, late=True) as late:
                until(lambda: late.of("state"))
                assert turns(late.of("state")) == [7]


def test_the_referee_is_reported_when_the_broker_comes_and_goes(board: BoardTopics, broker: Broker) -> None:
    links: list[str] = []
    wire = Wire(broker.port)
    with feeding(board, broker, wire.port, on_link=links.append):
        until(lambda: links == [""])
        wire.cut()
        until(lambda: links == ["", "no_broker", ""])
    wire.close()


@pytest.mark.parametrize("seed", [1, 2])
def test_a_link_cut_again_and_again_never_goes_back_and_loses_no_event(
    board: BoardTopics, broker: Broker, seed: int
) -> None:
    dice = random.Random(seed)
    wire = Wire(broker.port)
    rounds, each = 4, 80
    last = rounds * each
    with Listener(broker.port, board.prefix) as spectator, feeding(board, broker, wire.port) as feed:
        for number in range(rounds):
            until(lambda: feed.connected)
            cut_at = dice.randrange(each)
            for turn in range(number * each + 1, (number + 1) * each + 1):
                feed.publish(state(turn))
                feed.publish(event(turn))
                if turn % each == cut_at:
                    wire.cut()
                time.sleep(dice.choice([0, 0, 0.001]))
        assert feed.wait_sent(30)
        until(lambda: moments(spectator.of("event"))[-1:] == [last] and turns(spectator.of("state"))[-1:] == [last])
        seen = turns(spectator.of("state"))
        assert seen == sorted(seen)
        events = moments(spectator.of("event"))
        assert events == sorted(events)
        assert set(events) == set(range(1, last + 1))
        assert "offline" in [json.loads(payload)["status"] for payload in spectator.of("status")]
        with Listener(broker.port, board.prefix, late=True) as late:
            until(lambda: late.of("state"))
            assert turns(late.of("state")) == [last]
    wire.close()


def test_a_command_reaches_the_referee_once_however_often_it_is_sent(board: BoardTopics, broker: Broker) -> None:
    heard: list[Command] = []
    with (
        feeding(board, broker, heard=heard) as feed,
        Listener(broker.port, board.prefix, broker.user, broker.password) as arbiter,
    ):
        until(lambda: feed.connected)
        assert feed.wait_sent(5)
        for _ in range(3):
            arbiter.say("cmd/pause", b'{"id": "p1", "by": "table 7"}')
        arbiter.say("cmd/resume", b"")
        until(lambda: len(heard) >= 2)
        assert [(command.order.verb, command.by) for command in heard] == [
            ("pause", "table 7"),
            ("resume", "arbiter"),
        ]


def test_a_retained_or_unreadable_command_is_refused_and_reported(board: BoardTopics, broker: Broker) -> None:
    heard: list[Command] = []
    refused: list[tuple[str, str]] = []
    with writing(board, broker) as arbiter:
        arbiter.say("cmd/set_score", b'{"score": {"white": 9, "black": 0}}', retain=True)
        with feeding(board, broker, heard=heard, on_bad_command=lambda verb, why: refused.append((verb, why))):
            until(lambda: refused)
            arbiter.say("cmd/set_roll", b'{"roll": [9, 9]}')
            until(lambda: len(refused) == 2)
        arbiter.say("cmd/set_score", b"", retain=True)
    assert heard == []
    assert refused[0] == ("set_score", "commands must not be retained")
    assert refused[1][0] == "set_roll"
    assert "roll.0" in refused[1][1]


def test_a_viewer_delay_holds_everything_back_and_shifts_the_clock(board: BoardTopics, broker: Broker) -> None:
    delay_ms, now_ms = 60_000, [1_000]
    with (
        Listener(broker.port, board.prefix) as spectator,
        feeding(board, broker, viewer_delay_ms=delay_ms, now_ms=lambda: now_ms[0]) as feed,
    ):
        until(lambda: feed.connected)
        said_utc = datetime.now(UTC)
        feed.publish(
            ClockMessage(running="white", white_ms=60_000, black_ms=60_000, asof_mono_ms=1000, asof_utc=said_utc)
        )
        now_ms[0] += delay_ms - 1
        feed.publish(event(1))
        assert feed.wait_sent(5)
        assert not any(spectator.of("clock"))
        now_ms[0] += 1
        # The sender looks at its clock again when something new comes.
        feed.publish(event(2))
        until(lambda: any(spectator.of("clock")))
        stamp, clock = decode("clock", spectator.of("clock")[-1])
        assert isinstance(clock, ClockMessage)
        assert clock.asof_mono_ms == 1000 + delay_ms
        assert (clock.asof_utc - stamp.utc).total_seconds() * 1000 == pytest.approx(delay_ms)


def test_the_reserves_and_their_time_of_day_are_of_one_moment(board: BoardTopics, broker: Broker) -> None:
    with Listener(broker.port, board.prefix) as spectator, feeding(board, broker, now_ms=lambda: 1_653) as feed:
        until(lambda: feed.connected)
        said_utc = datetime.now(UTC)
        feed.publish(
            ClockMessage(running="white", white_ms=60_000, black_ms=60_000, asof_mono_ms=1000, asof_utc=said_utc)
        )
        until(lambda: any(spectator.of("clock")))
    stamp, clock = decode("clock", spectator.of("clock")[-1])
    assert isinstance(clock, ClockMessage)
    assert (stamp.utc - clock.asof_utc).total_seconds() * 1000 == pytest.approx(653)


def test_the_arbiter_reads_at_once_what_viewers_get_later(board: BoardTopics, broker: Broker) -> None:
    with (
        Listener(broker.port, board.prefix) as viewer,
        Listener(broker.port, board.prefix, broker.arbiter, broker.arbiter_password) as arbiter,
        feeding(board, broker, viewer_delay_ms=60_000) as feed,
    ):
        until(lambda: feed.connected)
        feed.publish(state(3))
        until(lambda: turns(arbiter.of("live/state")) == [3])
        assert turns(viewer.of("state")) == []
        assert turns(viewer.of("live/state")) == []


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("mqtt://localhost", BrokerAddress("localhost", 1883)),
        ("mqtts://club.example", BrokerAddress("club.example", 8883, tls=True)),
        ("mqtt://club:p%40ss@10.0.0.7:1999", BrokerAddress("10.0.0.7", 1999, user="club", password="p@ss")),  # noqa: S106
    ],
)
def test_a_broker_address_is_read(url: str, read: BrokerAddress) -> None:
    assert BrokerAddress.parse(url) == read


@pytest.mark.parametrize("url", ["localhost:1883", "http://x", "mqtt://", "", "mqtt://host:port", "mqtt://host:70000"])
def test_a_wrong_broker_address_shows_a_right_one(url: str) -> None:
    with pytest.raises(FeedError, match="mqtt://host:1883"):
        BrokerAddress.parse(url)


def test_a_wrong_broker_address_does_not_print_its_password() -> None:
    with pytest.raises(FeedError) as told:
        BrokerAddress.parse("http://club:hush@club.example")
    assert "hush" not in str(told.value)
