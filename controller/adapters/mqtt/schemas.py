"""Write the published JSON Schemas: ``python -m controller.adapters.mqtt.schemas docs/feed``."""

import json
import sys
from pathlib import Path

from controller.adapters.mqtt.commands import COMMANDS
from controller.adapters.mqtt.messages import CONTENTS
from controller.adapters.mqtt.wire import ROOT, schema


def schema_files() -> dict[str, str]:
    """Return file name and text of each schema: one a topic, one for the commands."""
    commands = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{ROOT}/<club>/<board>/cmd/<verb>",
        "description": "What an arbiter may order. Not retained (a retained command is refused), QoS 1.",
        **COMMANDS.json_schema(),
    }
    schemas = {model.topic: schema(model) for model in CONTENTS} | {"cmd": commands}
    return {f"{name}.json": json.dumps(body, indent=2, ensure_ascii=False) + "\n" for name, body in schemas.items()}


def write_schemas(folder: Path) -> None:
    """Write every schema into ``folder``, over what is there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in schema_files().items():
        (folder / name).write_text(text, "utf-8")


if __name__ == "__main__":
    write_schemas(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/feed"))
