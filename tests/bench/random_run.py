"""The property tests with other examples every time, for as long as one likes.

    python -m tests.bench.random_run                      ten minutes
    python -m tests.bench.random_run --minutes 480        a night
    python -m tests.bench.random_run --seed 7 tests/clock one round again, or only a part

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

logger = logging.getLogger("random run")
ROOT = Path(__file__).parents[2]
NOTHING_SELECTED = 5


def main(arguments: list[str]) -> int:
    """Run rounds until the time is over; return the exit code of the last one."""
    logging.basicConfig(format="%(message)s", level=logging.INFO)
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paths", nargs="*", help="tests to draw for; all by default")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, help="run one round, with this seed")
    chosen = parser.parse_args(arguments)
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
