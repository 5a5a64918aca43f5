"""Topics and bytes: content plus stamp to JSON and back."""

import json
from dataclasses import dataclass
from typing import Any

from controller.adapters.mqtt.messages import CONTENTS, Content, Stamp
from controller.locale import LocalizedError

ROOT = "nardy/v1"
MOST_BYTES = 16_384
"""The longest JSON text that is read from a network: a correction with its note has 1,500 bytes."""
MOST_DEPTH = 8
"""The deepest nesting that is read: the parts of a command, or of a status, nest three deep."""
MODELS: dict[str, type[Content]] = {model.topic: model for model in CONTENTS}


class FeedError(LocalizedError, RuntimeError):
    """The feed cannot run: its broker, that one's address or the board's topic is wrong."""


class PayloadError(ValueError):
    """A payload does not fit the schema of its topic."""


@dataclass(frozen=True, slots=True)
class BoardTopics:
    """Which board publishes: the two names between ``nardy/v1/`` and the topic's own name."""

    club: str
    board: str

    def __post_init__(self) -> None:
        for level in (self.club, self.board):
            # Dots and blanks too: the embedded broker maps levels to subjects that forbid them.
            if not level or any(c in "/+#.*>$" or c.isspace() or not c.isprintable() for c in level):
                raise FeedError("topic_level", level=level)

    @property
    def prefix(self) -> str:
        """Everything before the topic's own name, without the last slash."""
        return f"{ROOT}/{self.club}/{self.board}"

    def topic(self, name: str) -> str:
        """Full topic of one name, such as ``state`` or ``cmd/pause``."""
        return f"{self.prefix}/{name}"


def read_json(payload: bytes) -> object:
    """Parse JSON that anybody may have sent; how long and how deep it is is looked at first.

    Raises ValueError in one short line.
    """
    if len(payload) > MOST_BYTES:
        msg = f"{len(payload)} bytes, at most {MOST_BYTES} are read"
        raise ValueError(msg)
    depth = 0
    # Brackets within texts count too: nothing that is meant for us has so many.
    for byte in payload:
        depth += (byte in b"[{") - (byte in b"]}")
        if depth > MOST_DEPTH:
            msg = f"nested deeper than {MOST_DEPTH}"
            raise ValueError(msg)
    try:
        parsed: object = json.loads(payload)
    except RecursionError as wrong:
        # Brackets that close within texts can hide a depth from the count.
        msg = "nested too deep"
        raise ValueError(msg) from wrong
    return parsed


def encode(stamp: Stamp, content: Content) -> bytes:
    """Return the payload: one flat JSON object, stamp first."""
    return json.dumps(
        {**stamp.model_dump(mode="json"), **content.model_dump(mode="json")}, ensure_ascii=False, separators=(",", ":")
    ).encode()


def decode(name: str, payload: bytes) -> tuple[Stamp, Content]:
    """Read the payload of the topic ``name`` (``state``, ``clock``, ...).

    Raises PayloadError when there is no such topic or the payload does not fit it.
    """
    model = MODELS.get(name)
    if model is None:
        msg = f"no topic {name!r}; topics: {', '.join(MODELS)}"
        raise PayloadError(msg)
    try:
        fields = read_json(payload)
    except ValueError as wrong:
        msg = f"payload of {name!r} is not JSON: {wrong}"
        raise PayloadError(msg) from wrong
    if not isinstance(fields, dict):
        msg = f"payload of {name!r} is no JSON object: {payload[:60]!r}"
        raise PayloadError(msg)
    stamp = {key: fields.pop(key) for key in Stamp.model_fields if key in fields}
    try:
        # JSON mode: arrays become tuples, dates are text.
        return Stamp.model_validate_json(json.dumps(stamp)), model.model_validate_json(json.dumps(fields))
    except ValueError as wrong:
        msg = f"payload of {name!r} does not fit: {wrong}"
        raise PayloadError(msg) from wrong


def schema(model: type[Content]) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a whole message: the stamp and the content of one topic."""
    stamp, content = Stamp.model_json_schema(mode="serialization"), model.model_json_schema(mode="serialization")
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{ROOT}/<club>/<board>/{model.topic}",
        "description": f"{(model.__doc__ or '').strip()} {'Retained' if model.retained else 'Not retained'}, QoS 1.",
        "type": "object",
        "properties": {**stamp["properties"], **content["properties"]},
        "required": [*stamp["required"], *content.get("required", ())],
        # Readers must let newer keys pass; only the writer is held to the letter.
        "additionalProperties": True,
    }
    if "$defs" in content:
        whole["$defs"] = content["$defs"]
    return whole
