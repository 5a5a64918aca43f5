"""Time the rules against their peers: ``python -m tests.bench.rules_speed``.

The positions come from random games with a fixed seed. Times are CPU microseconds per position and roll, the best of
several passes, all in one process: the ratios count, not the numbers. Peers that are not installed are left out:
gym-backgammon (the fastest peer in pure Python) and bgsage (C++), both from PyPI.
"""

import gc
import importlib.util
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from controller.rules import ALL_ROLLS, Position, Roll, Ruleset, finished, legal_plays, ruleset, start, varied

POSITIONS = 500
PASSES = 5
SEED = 1


@dataclass(frozen=True, slots=True)
class Row:
    """A position of a game with its roll."""

    position: Position
    roll: Roll
    first_turn: bool


@dataclass(frozen=True, slots=True)
class Timing:
    """Mean CPU time of one call, in microseconds."""

    what: str
    us: float


def rows(rules: Ruleset, count: int = POSITIONS, seed: int = SEED) -> list[Row]:
    """Return the first ``count`` turns of games in which both sides play at random."""
    chance = random.Random(seed)
    found: list[Row] = []
    position, turn = start(rules.game), 0
    while len(found) < count:
        row = Row(position, Roll.of(chance.randint(1, 6), chance.randint(1, 6)), turn < 2)
        found.append(row)
        end = chance.choice(list(legal_plays(row.position, row.roll, rules, first_turn=row.first_turn)))
        over = finished(end, rules)
        position, turn = (start(rules.game), 0) if over else (end.turned(rules.game), turn + 1)
    return found


def timed(what: str, calls: Sequence[Callable[[], object]], passes: int = PASSES) -> Timing:
    """Return the best mean time of ``calls``, without garbage collection as in ``timeit``."""
    best = float("inf")
    gc.collect()
    gc.disable()
    try:
        for _ in range(passes):
            begin = time.process_time_ns()
            for call in calls:
                call()
            best = min(best, (time.process_time_ns() - begin) / len(calls) / 1000)
    finally:
        gc.enable()
    return Timing(what, best)


def ours(what: str, recorded: Sequence[Row], rules: Ruleset) -> Timing:
    """Time legal_plays: ends merged, each with a canonical play."""

    def call(row: Row) -> Callable[[], object]:
        return lambda: legal_plays(row.position, row.roll, rules, first_turn=row.first_turn)

    return timed(what, [call(row) for row in recorded])


def unknown_dice(what: str, recorded: Sequence[Row], rules: Ruleset) -> Timing:
    """Time all 21 rolls of one position."""

    def call(row: Row) -> Callable[[], object]:
        return lambda: [legal_plays(row.position, roll, rules, first_turn=row.first_turn) for roll in ALL_ROLLS]

    return timed(what, [call(row) for row in recorded[::10]])


def _gym_rules() -> ModuleType:
    """Return the peer's rules alone: its package also imports gym, which does not run with NumPy 2."""
    package = importlib.util.find_spec("gym_backgammon")
    if package is None or package.origin is None:
        msg = "gym-backgammon is not installed"
        raise ImportError(msg)
    source = Path(package.origin).parent / "envs" / "backgammon.py"
    spec = importlib.util.spec_from_file_location("gym_backgammon_rules", source)
    if spec is None or spec.loader is None:
        msg = f"no rules at {source}"
        raise ImportError(msg)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def gym_backgammon(recorded: Sequence[Row]) -> Timing:
    """Time gym-backgammon's plays; it merges no equal ends. Raises ImportError where it is not installed."""
    engine = _gym_rules()

    def call(row: Row) -> Callable[[], object]:
        game: Any = engine.Backgammon()
        white, black = engine.WHITE, engine.BLACK
        game.board = [(abs(n), white if n > 0 else black) if n else (0, None) for n in row.position.points]
        game.bar, game.off = list(row.position.bar), list(row.position.off)
        game.players_positions = game.get_players_positions()
        dice = (-row.roll.high, -row.roll.low)
        return lambda: game.get_valid_plays(white, dice)

    return timed("gym-backgammon (Python)", [call(row) for row in recorded])


def bgsage(recorded: Sequence[Row]) -> Timing:
    """Time bgsage's ends. Raises ImportError where it is not installed."""
    engine = importlib.import_module("bgsage")

    def call(row: Row) -> Callable[[], object]:
        board = [row.position.bar[1], *row.position.points, row.position.bar[0]]
        return lambda: engine.possible_moves(board, row.roll.high, row.roll.low)

    return timed("bgsage (C++)", [call(row) for row in recorded])


def table() -> list[str]:
    """Return the lines of the table in ``docs/benchmarks.md``."""
    short_rules, long_rules = ruleset("short-wbgf"), ruleset("long-fnr")
    short, long = rows(short_rules), rows(long_rules)
    each_step = varied(long_rules, {"block_check": "each_step"})
    timings = [
        ours("short, legal_plays", short, short_rules),
        ours("long, legal_plays", long, long_rules),
        ours("long, block tested at each step", long, each_step),
        unknown_dice("short, all 21 rolls", short, short_rules),
        unknown_dice("long, all 21 rolls", long, long_rules),
    ]
    for peer in (gym_backgammon, bgsage):
        try:
            timings.append(peer(short))
        except ImportError:
            continue
    first = timings[0].us
    return [
        "| what | us | ratio to short |",
        "|---|---|---|",
        *(f"| {timing.what} | {timing.us:.0f} | {timing.us / first:.2f} |" for timing in timings),
    ]


if __name__ == "__main__":
    sys.stdout.write("\n".join(table()) + "\n")
