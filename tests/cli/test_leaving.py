"""A demo that is told to stop clears its table away."""

import os
import subprocess
import sys
from pathlib import Path


def test_a_demo_that_is_terminated_leaves_nothing_behind(tmp_path: Path) -> None:
    demo = subprocess.Popen(
        [sys.executable, "-c", "from controller.cli import main; main()", "demo", "--headless", "--ruleset", "hyper"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert demo.stdout is not None
    assert demo.stderr is not None
    assert demo.stdout.readline().startswith("Under the board: ")
    # The first turn has been played: everything that a demo needs is there.
    assert "turn 1" in demo.stderr.readline()
    assert list(tmp_path.glob("nardy-*"))
    demo.terminate()
    demo.communicate(timeout=60)
    assert demo.returncode == 143
    assert list(tmp_path.glob("nardy-*")) == []
