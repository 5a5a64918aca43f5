"""What several test folders need."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from hatch_build import COMPILED, compile_words

ROOT = Path(__file__).parents[1]

BYTES_A_WORKER = 1 << 30
"""A worker that has loaded the networks and draws boards stays under one gigabyte."""

HERE = Path(__file__).parent
DRAWN = {"vision", "evaluate"}
"""Folders whose tests draw tables and load the networks: none of them belongs to the fast lane."""

# Property tests draw the same examples every time, so that a red run is red again. `python -m tests.bench.random_run`
# draws others for as long as one likes. No profile has a deadline: a busy machine is no fault of the code.
settings.register_profile("fixed", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("random", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("fixed")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Spread the whole suite over this machine's cores, as far as its memory goes; run a part of it in one process."""
    if config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return 0
    memory_bytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(1, min(len(os.sched_getaffinity(0)), memory_bytes // BYTES_A_WORKER))


@pytest.fixture(scope="session", autouse=True)
def clicks_words() -> None:
    """Compile click's Russian words, as the build does, where this checkout was not installed or they have changed."""
    compiled, texts = ROOT / COMPILED, ROOT / "controller/locale"
    written = compiled.stat().st_mtime if compiled.exists() else 0.0
    if written < max((texts / f"{lang}.toml").stat().st_mtime for lang in ("en", "ru")):
        compile_words(ROOT)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the folders of ``DRAWN`` out of the fast lane."""
    for item in items:
        if item.path.is_relative_to(HERE) and item.path.relative_to(HERE).parts[0] in DRAWN:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder of reference pictures and oracle rows that lies beside the project, never inside it."""
    folder = Path(os.environ.get("NARDY_SHARED", Path(__file__).parents[2] / "shared"))
    if not (folder / "oracle").is_dir():
        pytest.skip(f"no reference data at {folder}: set NARDY_SHARED to the folder that holds oracle/ and boards/")
    return folder
