"""Boards to talk to: the stand-in and, where it can be built, the real firmware in the emulator."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from bench_table import Bench, Spoiler

from firmware_bridge import emulator
from firmware_bridge.rig import Rig
from firmware_bridge.standin import StandIn
from firmware_bridge.virtual_board import VirtualBoard


@pytest.fixture(scope="session")
def elf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The firmware, built once."""
    if reason := emulator.missing():
        pytest.skip(reason)
    return emulator.build(tmp_path_factory.mktemp("firmware"))


@pytest.fixture(params=["stand-in", pytest.param("firmware", marks=pytest.mark.slow)])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    """A running board whose link is up."""
    wire = Spoiler()
    rig = Rig.load("full")
    board: VirtualBoard
    if request.param == "stand-in":
        board = StandIn(rig.slot_count, rig=rig.fingerprint(), wire=wire, back=wire.back, folder=tmp_path)
    else:
        board = emulator.Emulator(rig, request.getfixturevalue("elf"), wire=wire, back=wire.back, folder=tmp_path)
    table = Bench(board, wire)
    table.run(300)
    yield table
    table.link.close()
    board.close()
