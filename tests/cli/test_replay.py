"""A recording that is refereed: each ruling with its frame and time, how far it has come, and a summary."""

import re
from pathlib import Path

import pytest

from tests.cli.test_bad_input import nardy

pytestmark = pytest.mark.slow  # runs the command


def test_a_replay_says_where_it_is_and_what_it_has_ruled(shared: Path) -> None:
    folder = shared / "rendered" / "dev" / "dev_seq_short"
    pictures = len(list(folder.glob("*.jpg")))
    done = nardy("replay", str(folder), "--ruleset", "short-wbgf")
    lines = done.stdout.splitlines()
    assert lines
    for line in lines:
        number, minutes, seconds = re.match(r"frame +(\d+), (\d+):(\d\d)  ", line).groups()  # type: ignore[union-attr]
        # A picture of a folder stands for 3.2 seconds.
        assert 3.2 * int(number) - 1 < 60 * int(minutes) + int(seconds) < 3.2 * (int(number) + 1)
    told = [int(percent) for percent in re.findall(r"^(\d+) % of", done.stderr, re.MULTILINE)]
    assert told == sorted(set(told))
    assert len(told) >= 8
    summary = done.stderr.splitlines()[-1]
    assert summary.startswith(f"Frames: {pictures}, rulings: {len(lines)}.")
    accepted = sum(line.endswith("accepted") for line in lines)
    assert f"Plays: {accepted} accepted" in summary
