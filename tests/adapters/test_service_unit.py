"""The systemd unit, read by systemd's own tools where they are installed."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

UNIT = Path(__file__).parents[2] / "hardware/systemd/nardy-referee.service"
MOST_EXPOSURE = 2.5


class Repeated(dict[str, str]):
    """Joins the values of a key that a unit gives more than once."""

    def __setitem__(self, key: str, value: object) -> None:
        if isinstance(value, list) and key in self and isinstance(self[key], list):
            value = [*self[key], *value]
        super().__setitem__(key, value)  # type: ignore[assignment]


def unit() -> configparser.RawConfigParser:
    parser = configparser.RawConfigParser(dict_type=Repeated, strict=False, delimiters=("=",), comment_prefixes=("#",))
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(UNIT.read_text())
    return parser


def analyze(*words: str) -> subprocess.CompletedProcess[str]:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not installed: apt-get install systemd")
    return subprocess.run([program, *words], text=True, capture_output=True, timeout=60, check=False)


def test_systemd_knows_every_line_of_the_unit(tmp_path: Path) -> None:
    copy = tmp_path / UNIT.name
    # The program is not installed where the tests run, which is all that may be missing.
    copy.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", UNIT.read_text(), flags=re.MULTILINE))
    told = analyze("verify", "--man=no", str(copy))
    complaints = [line for line in (told.stdout + told.stderr).splitlines() if UNIT.name in line]
    assert complaints == []


def test_the_service_is_shut_in() -> None:
    told = analyze("security", "--offline=true", str(UNIT))
    exposure = re.search(r"Overall exposure level for \S+: ([0-9.]+)", told.stdout)
    assert exposure is not None, told.stdout + told.stderr
    assert float(exposure[1]) <= MOST_EXPOSURE


def test_systemd_waits_for_ready_and_restarts_a_service_that_falls_silent() -> None:
    service = unit()["Service"]
    assert service["Type"] == "notify"
    assert float(service["WatchdogSec"]) >= 10
    assert service["Restart"] == "on-failure"
    assert service["ExecStart"].endswith("nardy-referee run --config /etc/nardy-referee/referee.toml")


def test_the_example_keeps_its_journal_where_the_unit_may_write() -> None:
    example = (UNIT.parents[1] / "referee.toml").read_text()
    written = re.search(r'^path = "(/var/lib/([^/"]+)/[^"]+)"$', example, re.MULTILINE)
    assert written is not None
    assert unit()["Service"]["StateDirectory"] == written[2]
