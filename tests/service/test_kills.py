"""The process is killed in the middle of a match, again and again, and the record is that of the match played."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # plays whole matches

ROOT = Path(__file__).parents[2]


def play(folder: Path, ruleset: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.service.play_on", str(folder), ruleset],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
    )


def outcome(process: "subprocess.Popen[str]") -> tuple[int, str]:
    said, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    differences, record = said.strip().split(" ", 1)
    return int(differences), record


def size(folder: Path) -> int:
    """Bytes in which the table has kept what was done at it."""
    table = folder / "table.jsonl"
    return table.stat().st_size if table.exists() else 0


@pytest.mark.parametrize("ruleset", ["hyper", "long-classic"])
def test_killed_at_random_moments_the_match_ends_with_the_same_record(tmp_path: Path, ruleset: str) -> None:
    rng = random.Random(ruleset)
    undisturbed = outcome(play(tmp_path / "undisturbed", ruleset))
    assert undisturbed[0] == 0
    killed = tmp_path / "killed"
    kills = 0
    for _ in range(6):
        process = play(killed, ruleset)
        # Killed by what has happened, not by the clock: machines differ.
        until = size(killed) + rng.randint(200, 6_000)
        while process.poll() is None and size(killed) < until:
            time.sleep(0.002)
        if process.poll() is None:
            process.kill()
            kills += 1
        process.communicate()
    assert kills
    assert outcome(play(killed, ruleset)) == undisturbed
