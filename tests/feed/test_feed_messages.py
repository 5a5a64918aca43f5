"""Messages: the shapes are published, kept, and hold the writer to the letter."""

import json
from datetime import UTC, datetime
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from controller.adapters.mqtt.messages import (
    BoardPosition,
    ClockMessage,
    Content,
    DeviceHealth,
    DieShown,
    EventMessage,
    HealthMessage,
    HypothesisShown,
    MatchMessage,
    Players,
    ResultMessage,
    RulesetName,
    RulingMessage,
    ScoreShown,
    Stamp,
    StateMessage,
    StatusMessage,
    Texts,
)
from controller.adapters.mqtt.schemas import schema_files
from controller.adapters.mqtt.wire import BoardTopics, FeedError, PayloadError, decode, encode
from controller.referee.events import Device

DOCS = Path(__file__).parents[2] / "docs" / "feed"
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
BOTH = Texts(en="yes", ru="да")
EMPTY = BoardPosition(points=(0,) * 24)
STAMP = Stamp(v=1, seq=7, session="abc", utc=NOW, mono_ms=123)
OK = DeviceHealth(state="ok")
EVERY = {device.value: OK for device in Device}
TITLE = RulesetName(name="long-fnr", title=BOTH)
DIE = DieShown(value=6, u=0.7, v=0.5, half="right")
HYPOTHESIS = HypothesisShown(probability=0.5, position=EMPTY)
ONE_OF_EACH: tuple[Content, ...] = (
    StatusMessage(status="online"),
    MatchMessage(match="m", players=Players(white="A", black="B"), ruleset=TITLE, game="long", length=5),
    StateMessage(phase="to_play", side="white", turn=3, position=EMPTY, roll=(6, 5), dice=(DIE,)),
    ClockMessage(running="black", white_ms=1, black_ms=2, asof_mono_ms=5, asof_utc=NOW),
    EventMessage(kind="cube", at_mono_ms=9, texts=BOTH),
    RulingMessage(id="r", subject="play", verdict="refused", turn=3, side="white", hypotheses=(HYPOTHESIS,)),
    ResultMessage(
        match="m", game_number=1, winner=None, kind="draw", points=0, score=ScoreShown(), match_over=False, texts=BOTH
    ),
    HealthMessage(devices={**EVERY, "reeds": DeviceHealth(state="off"), "buttons": DeviceHealth(state="lost")}),
)


def test_the_published_schemas_are_those_of_the_code() -> None:
    assert {path.name: path.read_text("utf-8") for path in DOCS.glob("*.json")} == schema_files()


@pytest.mark.parametrize("content", ONE_OF_EACH, ids=lambda content: content.topic)
def test_what_is_sent_fits_the_published_schema(content: Content) -> None:
    published = json.loads((DOCS / f"{content.topic}.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(published)
    message = json.loads(encode(STAMP, content))
    jsonschema.Draft202012Validator(published, format_checker=jsonschema.FormatChecker()).validate(message)
    assert {"v", "seq", "session", "utc", "mono_ms"} <= message.keys()


@pytest.mark.parametrize("content", ONE_OF_EACH, ids=lambda content: content.topic)
def test_a_message_read_back_is_the_message_sent(content: Content) -> None:
    assert decode(content.topic, encode(STAMP, content)) == (STAMP, content)


@pytest.mark.slow
@given(st.lists(st.integers(-15, 15), min_size=24, max_size=24), st.integers(0, 10**9), st.text(max_size=30))
def test_any_position_number_and_name_survive_the_wire(points: list[int], seq: int, name: str) -> None:
    stamp = STAMP.model_copy(update={"seq": seq})
    state = StateMessage(
        phase="setup", position=BoardPosition(points=tuple(points)), waiting_for=Texts(en=name, ru=name)
    )
    assert decode("state", encode(stamp, state)) == (stamp, state)


@pytest.mark.parametrize(
    "wrong",
    [
        {"points": (0,) * 25},
        {"points": (0,) * 23},
        {"points": (16, *(0,) * 23)},
        {"points": (0,) * 24, "bar": (-1, 0)},
        {"points": (0,) * 24, "borne": (0, 0)},
    ],
)
def test_a_board_that_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        BoardPosition.model_validate(wrong)


def test_what_no_closed_list_has_is_refused_with_what_may_stand_there() -> None:
    with pytest.raises(ValidationError, match="Input should be 'white' or 'black'"):
        StateMessage(phase="to_play", side="green", position=EMPTY)
    with pytest.raises(ValidationError, match="Missing: feed"):
        HealthMessage(devices={name: OK for name in EVERY if name != "feed"})


def test_a_message_cannot_be_changed_after_it_was_made() -> None:
    with pytest.raises(ValidationError):
        EMPTY.points = (1,) * 24  # type: ignore[misc]


@pytest.mark.parametrize("payload", [b"", b"[]", b"3", b"{}", b'{"v":2}', b"\xff"])
def test_a_payload_that_is_no_message_is_reported(payload: bytes) -> None:
    with pytest.raises(PayloadError, match="status"):
        decode("status", payload)


def test_an_unknown_topic_names_the_known_ones() -> None:
    with pytest.raises(PayloadError, match="no topic 'weather'; topics: status, match, state"):
        decode("weather", b"{}")


@pytest.mark.parametrize("level", ["", "a/b", "#", "+", "two words", "dot.ted", "$SYS"])
def test_a_name_that_is_no_topic_level_is_refused(level: str) -> None:
    with pytest.raises(FeedError, match="one topic level"):
        BoardTopics("club", level)


def test_topics_are_the_contract() -> None:
    assert BoardTopics("клуб", "7").topic("state") == "nardy/v1/клуб/7/state"
