"""A demo that is told to stop clears its table away, and says no word of alarm."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # runs the command


@pytest.mark.parametrize(
    ("told", "code"),
    [pytest.param(signal.SIGTERM, 143, id="terminated"), pytest.param(signal.SIGINT, 130, id="ctrl-c")],
)
def test_a_demo_that_is_told_to_stop_leaves_nothing_behind(tmp_path: Path, told: signal.Signals, code: int) -> None:
    demo = subprocess.Popen(
        [sys.executable, "-c", "from controller.cli import main; main()", "demo", "--headless", "--ruleset", "hyper"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        start_new_session=True,
    )
    assert demo.stdout is not None
    assert demo.stderr is not None
    assert demo.stdout.readline().startswith("Under the board: ")
    # The first turn has been played: everything that a demo needs is there.
    assert "turn 1" in demo.stderr.readline()
    assert list(tmp_path.glob("nardy-*"))
    # A terminal tells everything that was started from it.
    os.killpg(demo.pid, told)
    _, said = demo.communicate(timeout=60)
    assert demo.returncode == code
    assert "WARNING" not in said
    assert list(tmp_path.glob("nardy-*")) == []
