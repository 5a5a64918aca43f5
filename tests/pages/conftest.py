"""The stage and a browser for the pages' tests."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from screen import Screen

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from stage import Stage

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


@pytest.fixture
def screen(browser: "Chrome", on_stage: "Stage") -> Iterator[Screen]:
    watching = Screen(browser, on_stage)
    yield watching
    faults = [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    refused_orders = "the server responded with a status of 4"  # a refusal that a test asked for
    link_gone = "WebSocket connection to"  # a broker that a test killed
    assert [fault for fault in faults if refused_orders not in fault and link_gone not in fault] == []
