"""The entry of the command: makes sure that ``controller`` and ``vision`` are this program's before they are imported.

Both names also exist on the package index. A name of its own cannot be hidden by another distribution, so this module
stands beside the packages and not in one of them.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

OURS = {"controller": "cli/group.py", "vision": "readings.py", "firmware_bridge": "link.py"}
"""A file of each package that no other distribution of that name has."""

BAD_INPUT = 2


def stranger() -> str | None:
    """Return what hides one of our packages, in one line that says what to do; None where all are ours."""
    for name, known in OURS.items():
        spec = find_spec(name)
        folders = list(spec.submodule_search_locations or ()) if spec else []
        where = folders[0] if folders else spec.origin if spec else None
        if where is None or not (Path(where) / known).is_file():
            return (
                f"the package {name!r} at {where or 'nowhere'} is not that of nardy-referee: "
                "remove the distribution it belongs to, or install nardy-referee into a virtual environment of its own"
            )
    return None


def main() -> None:
    """Run the command line."""
    if found := stranger():
        # The texts of both languages stand in a package that may be the hidden one.
        sys.stderr.write(f"Error: {found}\n")
        sys.exit(BAD_INPUT)
    from controller.cli import main as run  # noqa: PLC0415 - only now it is known to be ours

    run()
