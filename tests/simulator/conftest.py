"""A disk that pretends: these tests play thousands of actions, and the machine is not switched off meanwhile."""

import os

import pytest


@pytest.fixture(autouse=True)
def fast_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _file: None)
