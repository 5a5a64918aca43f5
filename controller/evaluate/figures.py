"""Last figures, kept in a file that the tests compare with: ``python -m controller.evaluate.figures FILE [SHARED]``.

Writes FILE anew, from generated pictures and from the reference pictures in the folder SHARED; without SHARED those
of the latter stay. Do so when a change is meant to move them, and say why in the commit: a test fails when a figure is
worse than the one in the file by more than its allowance. Needs a checkout of the project, since it generates pictures.
"""

import argparse
import sys
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from controller.evaluate.boards import evaluate_boards
from controller.evaluate.dice import evaluate_dice
from controller.evaluate.dice_generated import evaluate_generated
from controller.evaluate.scores import Scores, Totals
from vision.training.drawn_boards import draw_boards

Judge = Callable[[Path], Scores]


@dataclass(frozen=True, slots=True)
class Allowance:
    """How much worse a figure may be than the last one; what is better is never refused."""

    worse_by: float
    less_is_better: bool = False


BOARDS: Final = {
    "points_exact": Allowance(0.004),
    "boards_exact": Allowance(0.03),
    "bar_exact": Allowance(0.03),
    "wrong_and_sure": Allowance(0.002, less_is_better=True),
    "corners.within_1_percent": Allowance(0.06),
    "corners.off_by_more": Allowance(0.0, less_is_better=True),
}
DICE: Final = {
    "pictures_exact": Allowance(0.03),
    "faces_exact": Allowance(0.015),
    "missed": Allowance(0.015, less_is_better=True),
    "invented": Allowance(0.015, less_is_better=True),
    "wrong_and_sure": Allowance(0.003, less_is_better=True),
}


@dataclass(frozen=True, slots=True)
class Suite:
    """Labelled pictures, who judges them, and which of the figures are kept; an empty folder: they are generated."""

    folder: str
    judge: Judge
    figures: Mapping[str, Allowance]


DRAWN_BOARDS, DRAWN_THROWS, DRAWN_SEED = 30, 24, 77


def _drawn_boards(_shared: Path) -> Scores:
    with tempfile.TemporaryDirectory() as folder:
        draw_boards(Path(folder), DRAWN_BOARDS, DRAWN_SEED)
        return evaluate_boards(Path(folder))


def _drawn_dice(_shared: Path) -> Scores:
    return evaluate_generated(DRAWN_THROWS, DRAWN_SEED)


SUITES: Final[dict[str, Suite]] = {
    "boards_drawn": Suite("", _drawn_boards, BOARDS | {"stacked.points_exact": Allowance(0.02)}),
    "dice_drawn": Suite(
        "",
        _drawn_dice,
        {
            "large_faces_exact": Allowance(0.015),
            "large_missed": Allowance(0.015, less_is_better=True),
            "wrong_and_sure": Allowance(0.003, less_is_better=True),
            "flat_called_cocked": Allowance(0.01, less_is_better=True),
        },
    ),
    "boards_photos": Suite("boards", evaluate_boards, BOARDS),
    "boards_traced": Suite("rendered/dev/hd", evaluate_boards, BOARDS | {"stacked.points_exact": Allowance(0.02)}),
    "dice_on_boards": Suite("boards", evaluate_dice, {**DICE, "cube_read_as_die": Allowance(0.0, less_is_better=True)}),
    "dice_photos": Suite("dice", evaluate_dice, DICE),
    "dice_traced": Suite(
        "rendered/dev/hd",
        evaluate_dice,
        {**DICE, "cocked_or_unsure": Allowance(0.04), "flat_called_cocked": Allowance(0.01, less_is_better=True)},
    ),
}


def measure(suite: Suite, shared: Path) -> dict[str, float]:
    """Return a suite's figures today."""
    totals = suite.judge(shared / suite.folder).totals()
    return {name: figure_of(totals, name) for name in suite.figures}


def figure_of(totals: Totals, name: str) -> float:
    """Return a figure by its published name, the parts of a nested one joined by dots."""
    value: Any = totals
    for part in name.split("."):
        value = value[part]
    return round(float(value), 5)


def worse(suite: Suite, last: Mapping[str, float], now: Mapping[str, float]) -> list[str]:
    """Say of each figure that is worse than the last one by more than its allowance how much it is."""
    lost = []
    for name, allowance in suite.figures.items():
        change = last[name] - now[name] if not allowance.less_is_better else now[name] - last[name]
        if change > allowance.worse_by + 1e-9:
            lost.append(f"{name} was {last[name]:.5f} and is {now[name]:.5f}; {allowance.worse_by} worse is allowed")
    return lost


def load(file: Path) -> dict[str, dict[str, float]]:
    """Return the last figures of each suite."""
    kept: dict[str, dict[str, float]] = tomllib.loads(file.read_text("utf-8"))
    return kept


def written(figures: Mapping[str, Mapping[str, float]]) -> str:
    """Return the text of the file."""
    lines = ["# Last figures. Written by `python -m controller.evaluate.figures FILE [SHARED]`, not by hand.\n"]
    for suite, values in figures.items():
        lines.append(f"\n[{suite}]\n")
        lines += [f'"{name}" = {value}\n' for name, value in values.items()]
    return "".join(lines)


def main() -> None:
    """Measure all suites and write the file."""
    parser = argparse.ArgumentParser(prog="python -m controller.evaluate.figures", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("shared", type=Path, metavar="SHARED", nargs="?")
    asked = parser.parse_args()
    last = load(asked.file) if asked.file.exists() else {}
    now = dict(last)
    for name, suite in SUITES.items():
        if asked.shared is None and suite.folder:
            continue
        now[name] = measure(suite, asked.shared or Path())
        for line in worse(suite, last[name], now[name]) if name in last else ():
            sys.stdout.write(f"{name}: {line}\n")
    asked.file.write_text(written(now), "utf-8")


if __name__ == "__main__":
    main()
