"""The stage and a browser for the pages' tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

CHROMIUM_MISSING = "Chromium and chromedriver are not installed (Debian: apt-get install chromium chromium-driver)"


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    pytest.importorskip("selenium", reason="selenium is not installed (pip install selenium)")
    from stage import CHROMEDRIVER, CHROMIUM, chromium  # noqa: PLC0415 - needs selenium

    if not CHROMIUM or not CHROMEDRIVER:
        pytest.skip(CHROMIUM_MISSING)
    with chromium() as driver:
        yield driver


@pytest.fixture
def on_stage(tmp_path: Path) -> Iterator[object]:
    from stage import stage  # noqa: PLC0415 - needs selenium

    with stage(tmp_path) as standing:
        yield standing
