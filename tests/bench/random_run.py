"""The property tests with other examples every time, for as long as one likes; or thousands of turns a ruleset.

    python -m tests.bench.random_run                      ten minutes
    python -m tests.bench.random_run --minutes 480        a night
    python -m tests.bench.random_run --seed 7 tests/clock one round again, or only a part
    python -m tests.bench.random_run --turns 5000         so many random turns of every option set, under the laws
    python -m tests.bench.random_run --turns 5000 crazy   of one of them; "presets" are those without the variants

The suite draws the same examples in every run (tests/conftest.py). Here every round has a seed of its own; the first
round that fails ends the run, and its seed and hypothesis' own blob say how to see it again.
"""

import argparse
import logging
import random
import subprocess
import sys
import time
from pathlib import Path

from controller.rules import presets
from tests.referee.random_turns import OPTION_SETS, play

logger = logging.getLogger("random run")
ROOT = Path(__file__).parents[2]
NOTHING_SELECTED = 5


def main(arguments: list[str]) -> int:
    """Run rounds until the time is over; return the exit code of the last one."""
    logging.basicConfig(format="%(message)s", level=logging.INFO)
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paths", nargs="*", help="tests to draw for, or option sets with --turns; all by default")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, help="run one round, with this seed")
    parser.add_argument("--turns", type=int, help="play so many random turns of each option set instead")
    chosen = parser.parse_args(arguments)
    if chosen.turns is not None:
        return played(chosen.turns, chosen.paths or list(OPTION_SETS))
    end = time.monotonic() + 60 * chosen.minutes
    rounds = 0
    while True:
        seed = random.randrange(1 << 32) if chosen.seed is None else chosen.seed
        code = one_round(seed, chosen.paths)
        if code:
            logger.error("round %d fails: python -m tests.bench.random_run --seed %d", rounds + 1, seed)
            return code
        rounds += 1
        if chosen.seed is not None or time.monotonic() > end:
            logger.info("%d rounds, nothing found", rounds)
            return 0


def played(turns: int, names: list[str]) -> int:
    """Play the option sets of these names; return 1 if a law was broken, else 0."""
    broken = 0
    for name in presets() if names == ["presets"] else names:
        began = time.monotonic()
        of = play(name, turns)
        took = time.monotonic() - began
        logger.info(
            "%-36s %6d turns %4d games %4d matches %4d flags %6d orders refused %7d events %5.0f s %d faults",
            name, of.turns, of.games, of.matches, of.flags, of.refusals.total(), of.events, took, len(of.faults),
        )  # fmt: skip
        for match, fault in of.faults.items():
            logger.error("    match %d, %s", match, fault)
        broken += len(of.faults)
    return 1 if broken else 0


def one_round(seed: int, paths: list[str]) -> int:
    """Run every property test once with examples drawn from ``seed``; return the exit code."""
    words = [
        "-m",
        "pytest",
        "-m",
        "hypothesis",
        "-x",
        "--hypothesis-profile=random",
        f"--hypothesis-seed={seed}",
        *paths,
    ]
    code = subprocess.run([sys.executable, *words], cwd=ROOT, check=False).returncode
    return 0 if code == NOTHING_SELECTED else code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
