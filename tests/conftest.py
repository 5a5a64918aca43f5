"""What several test folders need."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder of reference pictures and oracle rows that lies beside the project, never inside it."""
    folder = Path(os.environ.get("NARDY_SHARED", Path(__file__).parents[2] / "shared"))
    if not (folder / "oracle").is_dir():
        pytest.skip(f"no reference data at {folder}: set NARDY_SHARED to the folder that holds oracle/ and boards/")
    return folder
