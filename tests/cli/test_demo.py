"""The demo that somebody watches: it shows its end until they go, says where the record is, and goes on from there."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from controller.adapters.journal import JournalReader
from controller.ports.entries import ENTRIES
from controller.referee.events import MatchOpened
from tests.cli.test_bad_input import nardy

pytestmark = pytest.mark.slow  # runs the command


@contextmanager
def demo(*arguments: str, cwd: Path) -> "Iterator[subprocess.Popen[str]]":
    running = subprocess.Popen(
        [sys.executable, "-c", "from controller.cli import main; main()", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=cwd,
        env={**os.environ, "TMPDIR": str(cwd)},
    )
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


def lines_until(running: "subprocess.Popen[str]", wanted: str) -> list[str]:
    assert running.stdout is not None
    lines: list[str] = []
    for line in running.stdout:
        lines.append(line.rstrip())
        if wanted in line:
            return lines
    pytest.fail(f"ended without {wanted!r}:\n" + "\n".join(lines))


def test_the_result_stays_until_enter_and_names_the_record(tmp_path: Path) -> None:
    whole = ["demo", "--ruleset", "hyper", "--port", "0", "--speed", "50"]
    with demo("--lang", "ru", *whole, cwd=tmp_path) as running:
        address = next(line for line in lines_until(running, "?lang=ru") if "?lang=ru" in line).split()[-1]
        said = lines_until(running, "Enter")
        with urlopen(address) as page:  # noqa: S310 - the demo's own page
            assert page.status == 200
        out, _ = running.communicate("\n", timeout=60)
        assert running.returncode == 0, out
    turns = [line for line in said if line.startswith("партия 1, ход")]
    assert "off" in turns[-1], "the last turn of the game is told as well"
    assert {line.split(": ")[1].split()[0] for line in turns} == {"Алиса", "Борис"}
    journal = Path(next(line.split()[-1] for line in said if "export" in line))
    export = nardy("export", str(journal))
    assert export.returncode == 0
    assert "Alice" not in export.stdout
    assert "Алиса" in export.stdout


def test_ctrl_c_in_the_middle_names_the_record_and_the_folder_alone_goes_on(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    options = ("--folder", str(kept), "--port", "0")
    with demo("demo", "--ruleset", "hyper", "--seed", "7", "--speed", "50", *options, cwd=tmp_path) as running:
        lines_until(running, "turn 2")
        running.send_signal(signal.SIGINT)
        lines_until(running, f"demo --folder {kept}")
        assert running.wait(60) == 130
    with demo("demo", "--speed", "50", *options, cwd=tmp_path) as running:
        lines_until(running, "Enter")
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 0
    with JournalReader(kept / "journal.sqlite", ENTRIES) as journal:
        opened = [entry.event for entry in journal.entries() if isinstance(entry.event, MatchOpened)]
    assert [(match.ruleset, match.seed) for match in opened] == [("hyper", 7)]
    another = nardy("demo", "--headless", "--folder", str(kept), "--seed", "8")
    assert another.returncode == 2
    assert "seed 7, not 8" in another.stderr
