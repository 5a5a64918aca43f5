"""The table is an observer: it may know the rules and the devices, never the referee that is on trial."""

import ast
from pathlib import Path
from typing import get_args

import controller.simulator
from controller.simulator.actions import Action
from controller.simulator.table_state import after

FORBIDDEN = ("controller.referee", "controller.fusion", "controller.service", "controller.cli")
FACES_THE_REFEREE = {
    "account.py": "compares the referee's record with what was played",
    "arbiter.py": "writes orders",
    "session.py": "plugs the table into the referee",
    "visible.py": "is the display",
}
"""What stands between the table and the referee. Nothing else of the table knows that there is one."""


def test_the_table_never_asks_the_referee() -> None:
    sources = [
        source
        for source in Path(controller.simulator.__file__).parent.glob("*.py")
        if source.name not in FACES_THE_REFEREE
    ]
    assert len(sources) > 10
    for source in sources:
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            names = (
                [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else []
            )
            assert not [name for name in names if name.startswith(FORBIDDEN)], f"{source.name} imports {names}"


def test_every_action_has_consequences() -> None:
    missing = [kind.__name__ for kind in get_args(Action) if after.dispatch(kind) is after.dispatch(object)]
    assert missing == []
