"""The real command as a process of its own, before a camera stream, a board on a pty and its broker: it referees."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from controller.adapters.journal import Intact, JournalReader, verify
from controller.ports.entries import ENTRIES
from controller.service.opening import found_in
from controller.simulator.account import account
from controller.simulator.truth import Account, compare
from tests.cli.street_table import Feed, Panel, StreetTable
from tests.feed.listening import Listener, until

ROOT = Path(__file__).parents[2]
SEED = 22
"""In this game an illegal play is shown in turn 2, and no throw goes wrong before turn 7."""
TURNS = 5
START_S = 60.0
PATIENCE_S = 400.0


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


@contextmanager
def running(config: Path, log: Path) -> Iterator["subprocess.Popen[str]"]:
    """The command ``nardy-referee run`` in a process of its own."""
    with log.open("w") as said:
        process = subprocess.Popen(
            [sys.executable, "-c", "from nardy_referee import main; main()", "-v", "run", "--config", str(config)],
            cwd=ROOT,
            stdout=said,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def first_turns(played: Account, turns: int) -> Account:
    """The account of the first turns of the first game."""
    (game,) = played.games
    return Account((replace(game, turns=game.turns[:turns]),), (0, 0))


@pytest.mark.slow
def test_a_match_before_the_real_command_is_recorded_and_shown_as_it_was_played(tmp_path: Path) -> None:
    feed_port, websocket_port, page_port = free_port(), free_port(), free_port()
    log = tmp_path / "log.txt"
    with StreetTable(tmp_path, "hyper", SEED) as table:
        config = table.settings(tmp_path, feed_port, websocket_port, page_port)
        with running(config, log) as process:
            until(lambda: process.poll() is not None or "http://" in log.read_text(), START_S)
            assert process.poll() is None, log.read_text()
            with Listener(feed_port, "nardy/v1/club/7") as listener:
                feed = Feed(listener)
                truth = table.play(feed, Panel(f"http://127.0.0.1:{page_port}/"), turns=TURNS, patience_s=PATIENCE_S)
                process.send_signal(signal.SIGTERM)
                assert process.wait(30) == 0, log.read_text()
    played = first_turns(truth.account, TURNS)
    assert any(turn.refused for turn in played.games[0].turns)
    journal = tmp_path / "match.sqlite"
    assert isinstance(verify(journal, ENTRIES), Intact)
    with JournalReader(journal, ENTRIES) as reader:
        found = found_in(reader)
    assert found is not None
    assert compare(played, first_turns(account(found.state), TURNS)) == []
    shown = [ruling for ruling in feed.rulings if ruling["subject"] == "play"]
    accepted = {ruling["turn"]: ruling["notation"] for ruling in shown if ruling["verdict"] == "accepted"}
    assert [accepted[turn.number] for turn in played.games[0].turns] == [
        turn.notation for turn in played.games[0].turns
    ]
    assert [ruling["turn"] for ruling in shown if ruling["verdict"] == "refused"] == [
        turn.number for turn in played.games[0].turns for _ in turn.refused
    ]
    assert "the board's look was learnt" in log.read_text()
    assert "Traceback" not in log.read_text()
