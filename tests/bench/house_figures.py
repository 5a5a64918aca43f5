"""How big is the house, and how far is the way of one play through it?

    python -m tests.bench.house_figures                     this checkout
    python -m tests.bench.house_figures BEFORE AFTER        two of them side by side
    python -m tests.bench.house_figures --static            without the traced play and the wheel

The traced figures run ``demo --headless`` of that checkout and take every function of our packages that is called from
one accepted play to the next: reeds, presses and frames come in, the play is ruled, journal and feed have it. The
simulator and the command are not counted. Needs the project's own dependencies; the wheel needs hatchling.
"""

import argparse
import ast
import importlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

HERE = Path(__file__)
PACKAGES = ("controller", "vision", "firmware_bridge")
FEW_LINES = 60
DIE_STATES = {"flat", "cocked", "on_checker", "on_bar", "off_board", "moving", "unsure"}
MOST_STATES = 5
"""A type that has this many of the states lists how a die lies."""
COMMAND_RUNS = 5
RULESET, SEED = "short-wbgf", 1
FIRST_PLAY = 3
"""The play after this many is traced: by then nothing is loaded for the first time."""
APART = ("controller/simulator/", "controller/cli/")
"""What is not the referee: the table it is shown and the command that puts both together."""
TRACE_S = 900


def main(arguments: list[str]) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("checkouts", nargs="*", type=Path, default=[HERE.parents[2]])
    parser.add_argument("--static", action="store_true", help="only what can be counted in the sources")
    parser.add_argument("--list", action="store_true", help="name the files of the traced play")
    parser.add_argument("--trace", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.trace:
        return trace()
    columns = [figures(path.resolve(), static=chosen.static, name=chosen.list) for path in chosen.checkouts]
    rows = list(dict.fromkeys(row for column in columns for row in column))
    width = max(map(len, rows))
    print(" " * width, *(f"{path.resolve().name:>12}" for path in chosen.checkouts))
    for row in rows:
        print(f"{row:{width}}", *(f"{column.get(row, '-'):>12}" for column in columns))
    return 0


def figures(root: Path, *, static: bool, name: bool = False) -> dict[str, str]:
    """Return the figures of one checkout, by what they count."""
    found = {title: str(value) for title, value in counted(root)}
    if not static:
        called = traced(root)
        found["files one accepted play goes through"] = str(len({file for file, _ in called})) if called else "failed"
        found["functions one accepted play goes through"] = str(len(called)) if called else "failed"
        if name:
            for file, functions in sorted(Counter(file for file, _ in called).items()):
                print(f"{functions:4} {file}")
        found["wheel, kB"] = wheel_kb(root)
        for words in (["--help"], ["plays", "--roll", "6-5"]):
            found[f"nardy-referee {' '.join(words)}, CPU s"] = f"{least_cpu_s(root, words):.2f}"
    return found


# -- sources -----------------------------------------------------------------------------------------------------------


def counted(root: Path) -> Iterator[tuple[str, int]]:
    """Yield what can be counted without running anything."""
    trees = {path: ast.parse(path.read_text("utf-8")) for package in PACKAGES for path in sources(root / package)}
    lines = {path: len(path.read_text("utf-8").splitlines()) for path in trees}
    for package in PACKAGES:
        own = [path for path in trees if path.is_relative_to(root / package)]
        yield f"{package}: files", len(own)
        yield f"{package}: lines", sum(lines[path] for path in own)
    names = Counter(
        node.name for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    )  # fmt: skip
    yield "class names that mean more than one class", sum(count > 1 for count in names.values())
    yield (
        f"files under {FEW_LINES} lines",
        sum(count < FEW_LINES for path, count in lines.items() if path.name != "__init__.py"),
    )
    yield "files over 500 lines", sum(count > 500 for count in lines.values())
    yield "types that list how a die lies", sum(len(list(die_types(tree))) for tree in trees.values())


def sources(package: Path) -> list[Path]:
    """Return the Python files of a package."""
    return sorted(path for path in package.rglob("*.py") if "__pycache__" not in path.parts)


def die_types(tree: ast.AST) -> Iterator[str]:
    """Yield the enumerations and literals that list how a die lies."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name, body=body):
                values = [one.value for one in body if isinstance(one, ast.Assign)]
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript(slice=ast.Tuple(elts=values))):
                pass
            case _:
                continue
        states = {value.value for value in values if isinstance(value, ast.Constant) and value.value in DIE_STATES}
        if len(states) >= MOST_STATES:
            yield name


# -- one play ----------------------------------------------------------------------------------------------------------


def traced(root: Path) -> set[tuple[str, str]]:
    """Return the functions of one play as file and name, without those of the simulator and of the commands."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "called.json"
        done = in_checkout(root, [str(HERE), "--trace"], {"HOUSE_FIGURES_ANSWER": str(answer)}, TRACE_S)
        if not answer.is_file():
            print(done.stderr.decode(errors="replace")[-2_000:], file=sys.stderr)
            return set()
        called = {(file, name) for file, name in json.loads(answer.read_text("utf-8"))}
    return {(file, name) for file, name in called if not file.startswith(APART)}


class Tracer:
    """Keeps the code that is called, in any thread, while it is switched on."""

    def __init__(self) -> None:
        self.on = False
        self.called: set[CodeType] = set()

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        if self.on and event == "call":
            self.called.add(frame.f_code)

    def start(self) -> None:
        """Hear every thread that begins from now on, and this one."""
        threading.setprofile(self)
        sys.setprofile(self)


class Plays:
    """Standard error of the demo, which has a line for each accepted play."""

    def __init__(self, tracer: Tracer, ended: Callable[[], None]) -> None:
        self.lines = 0
        self.tracer = tracer
        self.ended = ended

    def write(self, words: str) -> int:
        """Count lines; the lines between two plays are traced."""
        self.lines += words.count("\n")
        self.tracer.on = self.tracer.on or self.lines >= FIRST_PLAY
        if self.lines > FIRST_PLAY:
            self.ended()
        return len(words)

    def flush(self) -> None:
        """Nothing waits."""

    def isatty(self) -> bool:
        """Return whether a person reads this."""
        return False


def trace() -> int:
    """Run the demo of the checkout in the working folder and write down what one play calls."""
    root = Path.cwd()
    tracer = Tracer()
    real = sys.stderr

    def ended() -> None:
        # What was published is on its way in threads of its own.
        time.sleep(0.5)
        tracer.on = False
        called = {
            (str(Path(code.co_filename).relative_to(root)), code.co_qualname)
            for code in tracer.called
            if Path(code.co_filename).is_relative_to(root) and "<" not in code.co_qualname.rpartition(".")[2]
        }
        ours = sorted((file, name) for file, name in called if file.startswith(PACKAGES))
        Path(os.environ["HOUSE_FIGURES_ANSWER"]).write_text(json.dumps(ours), "utf-8")
        # The demo ends as it does for everybody: its broker and its board go with it.
        raise SystemExit(0)

    tracer.start()
    module, function = entry(root)
    command = getattr(importlib.import_module(module), function)
    sys.stderr = Plays(tracer, ended)  # type: ignore[assignment]
    sys.argv = ["nardy-referee", "demo", "--headless", "--ruleset", RULESET, "--seed", str(SEED)]
    try:
        command()
    finally:
        sys.stderr = real
    return 1


# -- what users wait for -----------------------------------------------------------------------------------------------


def least_cpu_s(root: Path, words: list[str]) -> float:
    """Return the least processor time of some runs of a command."""
    return min(_cpu_s(root, words) for _ in range(COMMAND_RUNS))


def _cpu_s(root: Path, words: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    module, function = entry(root)
    done = in_checkout(root, ["-c", f"from {module} import {function}; {function}()", *words], {}, 60)
    done.check_returncode()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def entry(root: Path) -> tuple[str, str]:
    """Return module and function of the command of a checkout."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    module, _, function = project["scripts"]["nardy-referee"].partition(":")
    return module, function


def wheel_kb(root: Path) -> str:
    """Return the size of the wheel as it would be published."""
    with tempfile.TemporaryDirectory() as folder:
        in_checkout(
            root, ["-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder, str(root)], {}, 300
        )
        sizes = [path.stat().st_size for path in Path(folder).glob("*.whl")]
    return f"{sizes[0] // 1_000:,}" if sizes else "not built"


def in_checkout(
    root: Path, words: list[str], variables: dict[str, str], timeout_s: float
) -> subprocess.CompletedProcess[bytes]:
    """Run Python with the packages of ``root`` before any that are installed."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root), "LC_ALL": "C.UTF-8", **variables},
        capture_output=True,
        timeout=timeout_s,
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
