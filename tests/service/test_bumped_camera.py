"""A whole game at the virtual table whose camera is bumped: noticed within a second, recovered, nothing misread."""

from pathlib import Path

import pytest

from controller.adapters.journal import JournalReader
from controller.cli.compose import Demonstration, virtual_camera
from controller.ports.entries import ENTRIES
from controller.referee.events import BoardChecked, BoardPlace
from controller.simulator.account import account
from controller.simulator.actions import Bump
from controller.simulator.tablefile import read_entries
from controller.simulator.truth import compare

pytestmark = pytest.mark.slow  # plays whole matches


def test_a_bump_in_mid_game_is_noticed_within_a_second_and_the_record_stays_right(tmp_path: Path) -> None:
    with Demonstration(tmp_path, "hyper", virtual_camera, seed=6, games=1, faults=True) as show:
        show.run()
        assert compare(show.truth().account, account(show.state)) == []
    _, actions = read_entries(tmp_path / "table.jsonl")
    (bumped_at,) = [entry.at_ms for entry in actions if isinstance(entry.action, Bump)]
    with JournalReader(tmp_path / "journal.sqlite", ENTRIES) as journal:
        told = [entry.event for entry in journal.entries() if isinstance(entry.event, BoardChecked)]
    assert [event.place for event in told] == [BoardPlace.MOVED, BoardPlace.IN_PLACE]
    assert bumped_at < told[0].at <= bumped_at + 1000
    assert told[1].at <= told[0].at + 1000
