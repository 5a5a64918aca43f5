"""What the demo prints at its end."""

from pathlib import Path

import pytest

from controller.adapters.journal import Journal
from controller.cli.demo_report import report
from controller.locale import Lang
from controller.ports.entries import ENTRIES
from controller.referee.orders import Penalise
from controller.rules import Side
from controller.simulator.truth import truth_of
from tests.referee.tabletop import Table


def test_the_sheet_at_the_demos_end_has_the_arbiters_orders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = Table()
    table.open_with(3, 1)
    table.order(Penalise(Side.BLACK), "a telephone rang")
    with Journal(tmp_path / "match.sqlite", ENTRIES) as journal:
        journal.append(table.events)
        report(Lang.EN, table.state, truth_of(()), tmp_path / "match.sqlite")
    printed = capsys.readouterr().out
    assert "Order (arbiter): penalty points" in printed
    assert "reason: a telephone rang" in printed
