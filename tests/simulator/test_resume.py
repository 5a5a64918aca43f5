"""The table after the demo's process was killed: it lies as it lay, and the same game goes on."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted import play_on, sit_down

from controller.adapters.shown import ShownPhase as Phase
from controller.rules import ruleset
from controller.simulator.actions import Helped, TableEntry, Verb, read, written
from controller.simulator.table import VirtualTable
from controller.simulator.table_state import TableState, with_entry
from controller.simulator.tablefile import CannotPlayError, TableFileError, read_entries
from controller.simulator.truth import Account, truth_of

pytestmark = pytest.mark.slow  # plays whole matches


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Account, list[TableEntry]]:
    """Return the file, the account and the actions of a game that nothing interrupted."""
    path = tmp_path_factory.mktemp("whole") / "table"
    table, referee = sit_down(path, "hyper", seed=9, faults=True)
    play_on(table, referee)
    return path.read_bytes(), truth_of(table.entries).account, list(table.entries)


def test_killed_after_any_action_the_same_game_is_played_to_its_end(
    whole: tuple[bytes, Account, list[TableEntry]], tmp_path: Path
) -> None:
    contents, account, entries = whole
    lines = contents.splitlines(keepends=True)
    for kept in range(0, len(entries), 13):
        path = tmp_path / str(kept)
        torn = lines[kept + 1][: len(lines[kept + 1]) // 2] if kept % 2 else b""
        path.write_bytes(b"".join(lines[: kept + 1]) + torn)
        table, referee = sit_down(path, "hyper", seed=9, faults=True)
        assert len(table.entries) == kept
        play_on(table, referee)
        assert truth_of(table.entries).account == account


def test_the_rebuilt_world_is_exactly_the_one_that_was_left(
    whole: tuple[bytes, Account, list[TableEntry]], tmp_path: Path
) -> None:
    contents, _, entries = whole
    state = TableState()
    for entry in entries[:200]:
        state = with_entry(state, entry)
    path = tmp_path / "table"
    path.write_bytes(b"".join(contents.splitlines(keepends=True)[:201]))
    table, _ = sit_down(path, "hyper", seed=9, faults=True)
    assert table.state == state
    assert table.now_ms == entries[199].at_ms


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_action_survives_the_file(whole: tuple[bytes, Account, list[TableEntry]], data: st.DataObject) -> None:
    contents, _, entries = whole
    index = data.draw(st.integers(0, len(entries) - 1))
    line = contents.split(b"\n")[index + 1]
    assert read(line) == entries[index]
    assert written(entries[index]) == line


def test_time_never_runs_backwards(whole: tuple[bytes, Account, list[TableEntry]]) -> None:
    assert all(earlier.at_ms <= later.at_ms for earlier, later in pairwise(whole[2]))


def test_another_tables_file_is_refused_with_both_names(tmp_path: Path) -> None:
    path = tmp_path / "table"
    VirtualTable(ruleset("long-fnr"), path, seed=1).close()
    with pytest.raises(TableFileError, match=r"belongs to another table \(.*long-fnr.*\), not to .*short-wbgf"):
        VirtualTable(ruleset("short-wbgf"), path, seed=1)


def test_a_file_that_is_no_table_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir,\nwhat about Sunday?\n")
    with pytest.raises(TableFileError, match=r"letter\.txt is not a table file"):
        VirtualTable(ruleset("long-fnr"), path)
    with pytest.raises(TableFileError, match=r"letter\.txt is not a table file"):
        read_entries(path)


def test_a_damaged_line_is_reported_not_skipped(whole: tuple[bytes, Account, list[TableEntry]], tmp_path: Path) -> None:
    lines = whole[0].splitlines(keepends=True)
    path = tmp_path / "table"
    path.write_bytes(b"".join([*lines[:50], b'{"at_ms": 5, "action": {"kind": "dance"}}\n', *lines[51:]]))
    with pytest.raises(TableFileError, match="is damaged"):
        sit_down(path, "hyper", seed=9, faults=True)


def test_the_cascade_of_crazy_nardy_needs_people(tmp_path: Path) -> None:
    with pytest.raises(CannotPlayError, match="ruleset 'crazy' needs people"):
        VirtualTable(ruleset("crazy"), tmp_path / "table")


PLAY = """
import sys
from dataclasses import replace
from pathlib import Path
from scripted import play_on, sit_down
table, referee = sit_down(Path(sys.argv[1]), "hyper", seed=9, faults=True)
print("begun", flush=True)
play_on(table, referee)
"""


def test_kill_9_loses_nothing_that_was_done(whole: tuple[bytes, Account, list[TableEntry]], tmp_path: Path) -> None:
    path = tmp_path / "table"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    with subprocess.Popen(
        [sys.executable, "-c", PLAY, str(path)], stdout=subprocess.PIPE, env=environment, text=True
    ) as player:
        assert player.stdout is not None
        assert player.stdout.readline() == "begun\n"
        while path.stat().st_size < 20_000 and player.poll() is None:
            continue
        player.send_signal(signal.SIGKILL)
    _, entries = read_entries(path)
    assert entries == whole[2][: len(entries)]
    assert len(entries) > 50
    table, referee = sit_down(path, "hyper", seed=9, faults=True)
    play_on(table, referee)
    assert truth_of(table.entries).account == whole[1]


def test_a_referee_who_comes_back_paused_is_told_to_go_on_but_a_wished_pause_lasts(tmp_path: Path) -> None:
    table, referee = sit_down(tmp_path / "table", "hyper")
    paused = replace(referee.seen, phase=Phase.PAUSED)
    table.show(paused)
    table.advance(10_000)
    table.advance(20_000)
    verbs = [entry.action.verb for entry in table.entries if isinstance(entry.action, Helped)]
    assert verbs
    assert set(verbs) == {Verb.RESUME}
    assert truth_of(table.entries).helps == ()
    table.show(referee.seen)
    table.show(paused)
    before = len(table.entries)
    table.advance(600_000)
    assert len(table.entries) == before
