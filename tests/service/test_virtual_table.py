"""Whole matches at the virtual table, with reeds on a pty, buttons on mock pins and an observer who sees everything."""

from pathlib import Path

import pytest

from controller.cli.compose import Demonstration
from controller.simulator.account import account
from controller.simulator.truth import compare
from firmware_bridge.emulator import missing, virtual_board
from tests.service.observer import observer

pytestmark = pytest.mark.slow  # plays whole matches


@pytest.mark.parametrize("faults", [False, True], ids=["fair", "with faults"])
@pytest.mark.parametrize("ruleset", ["long-fnr", "short-wbgf", "long-classic", "hyper", "khachapuri"])
def test_the_record_equals_what_was_played(tmp_path: Path, ruleset: str, faults: bool) -> None:
    with Demonstration(tmp_path, ruleset, observer, seed=3, games=1, faults=faults) as show:
        show.run()
        truth = show.truth()
        assert compare(truth.account, account(show.state)) == []
        assert truth.account.games[0].winner is not None
        assert bool(truth.faults) == faults


def test_the_record_is_the_same_with_the_real_firmware_under_the_board(tmp_path: Path) -> None:
    if reason := missing():
        pytest.skip(reason)
    with Demonstration(tmp_path, "hyper", observer, seed=5, games=1, faults=True, build=virtual_board) as show:
        show.run()
        assert compare(show.truth().account, account(show.state)) == []
