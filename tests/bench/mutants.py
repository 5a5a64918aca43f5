"""Check that the tests notice faults: ``python -m tests.bench.mutants [--only WORD] [--workers N]``.

``mutants.toml`` lists small faults, each a text that stands once in one file, what replaces it, and the tests that have
to fail then. The tree is copied, the tests are first run on the copy as it is, then once with each fault. A mutant is
killed when its tests fail, and survives when they pass; a mutant that does not apply, or whose tests cannot be run, is
an error. Exit code 1 unless every mutant was killed.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_name("mutants.toml")
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".*_cache", "__pycache__", "*.egg-info", "build", "dist")
LONGEST_S = 300
"""A fault may make a test wait for ever: a run that takes longer counts as noticed."""

PASSED, FAILED = 0, 1
"""pytest's exit codes; others say that the tests could not be run."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: ``before`` stands once in ``file`` and becomes ``after``; ``tests`` have to notice."""

    name: str
    file: str
    before: str
    after: str
    tests: tuple[str, ...]

    def applied(self, tree: Path) -> str:
        """Return the file's text with the fault.

        Raises ValueError when the text to replace does not stand there exactly once.
        """
        text = (tree / self.file).read_text(encoding="utf-8")
        if text.count(self.before) != 1:
            msg = f"{self.name}: {self.before!r} stands {text.count(self.before)} times in {self.file}, not once"
            raise ValueError(msg)
        return text.replace(self.before, self.after)


def mutants(path: Path = LIST) -> tuple[Mutant, ...]:
    """Read the list of mutants.

    Raises ValueError when a name stands twice.
    """
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]
    found = tuple(Mutant(**{**row, "tests": tuple(row["tests"])}) for row in rows)
    names = [mutant.name for mutant in found]
    if len(set(names)) < len(names):
        msg = f"{path}: names stand twice: {sorted({name for name in names if names.count(name) > 1})}"
        raise ValueError(msg)
    return found


def run_tests(tree: Path, tests: Sequence[str]) -> int:
    """Run ``tests`` of ``tree`` in a process of their own and return pytest's exit code; FAILED when they never end."""
    environment = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.setdefault("NARDY_SHARED", str(ROOT.parent / "shared"))
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-o", "addopts=", *tests]
    try:
        done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, check=False, timeout=LONGEST_S)
    except subprocess.TimeoutExpired:
        return FAILED
    return done.returncode


def verdict(mutant: Mutant, tree: Path) -> str:
    """Try one mutant in ``tree``, which is left as it was: "killed", "SURVIVED", or what went wrong."""
    file = tree / mutant.file
    healthy = file.read_text(encoding="utf-8")
    try:
        file.write_text(mutant.applied(tree), encoding="utf-8")
        code = run_tests(tree, mutant.tests)
    except ValueError as wrong:
        return f"ERROR {wrong}"
    finally:
        file.write_text(healthy, encoding="utf-8")
    return {PASSED: "SURVIVED", FAILED: "killed"}.get(code, f"ERROR pytest ended with {code}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the mutants and print a line each; 0 when all were killed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="try only mutants whose name or file contains this")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="copies that are tried at once")
    asked = parser.parse_args(arguments)
    chosen = [mutant for mutant in mutants() if asked.only in mutant.name or asked.only in mutant.file]
    with tempfile.TemporaryDirectory() as folder:
        trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(asked.workers):
            trees.put(Path(shutil.copytree(ROOT, Path(folder) / str(number), ignore=LEFT_OUT)))
        healthy = trees.get()
        if run_tests(healthy, sorted({test for mutant in chosen for test in mutant.tests})) != PASSED:
            print("the tests fail without any mutant: nothing can be said")
            return 1
        trees.put(healthy)

        def tried(mutant: Mutant) -> str:
            tree = trees.get()
            try:
                return verdict(mutant, tree)
            finally:
                trees.put(tree)

        killed = 0
        with ThreadPoolExecutor(asked.workers) as pool:
            for mutant, outcome in zip(chosen, pool.map(tried, chosen), strict=True):
                print(f"{outcome:9} {mutant.file}: {mutant.name}", flush=True)
                killed += outcome == "killed"
    print(f"{killed} of {len(chosen)} killed")
    return 0 if killed == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
