"""What ``append`` has returned for is there after kill -9 and on a full disk."""

import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.adapters.journal_under_fire import check

pytestmark = pytest.mark.slow  # kills a writer again and again

WRITER = Path(__file__).with_name("journal_under_fire.py")
KILLS = 6


def test_a_killed_writer_loses_no_event_it_has_promised(tmp_path: Path) -> None:
    chance = random.Random(7)
    path = tmp_path / "j.sqlite"
    promised = 0
    for _ in range(KILLS):
        writer = subprocess.Popen([sys.executable, str(WRITER), str(path)], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        found = int(writer.stdout.readline())
        assert found >= promised
        time.sleep(chance.uniform(0.0, 0.25))
        writer.kill()
        said = writer.stdout.read()
        writer.wait(timeout=10)
        # A line cut off by the kill is no promise.
        promised = max([found, *(int(line) for line in said.splitlines(keepends=True) if line.endswith("\n"))])
        check(path, promised)
    assert promised > KILLS


def test_a_full_disk_keeps_what_was_written_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    told = subprocess.run(
        [sys.executable, str(WRITER), str(path), "200000"], capture_output=True, text=True, timeout=60, check=False
    )
    assert told.returncode == 0, told.stderr
    *_, last, full, after = told.stdout.splitlines()
    assert re.match(r"full: the journal .*j\.sqlite (could not be written|does not fit on the disk)", full)
    assert int(after) > int(last) > 10
    check(path, int(after))
