"""Do the firmware's parser and the host's make the same of a million random and mutated frames?

    python tests/bench/bridge_fuzz.py [FRAMES]

The parser alone, under sanitizers: `make -C firmware_bridge/firmware fuzz SECONDS=600`.
"""

import logging
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "bridge"))
from c_parser import agree, load, mutated, random_message, rightly_summed

from firmware_bridge.frames import Frame, encode

logger = logging.getLogger("fuzz")


def main(arguments: list[str]) -> int:
    """Compare; an AssertionError shows the first bytes on which they differ."""
    logging.basicConfig(format="%(message)s", level=logging.INFO)
    frames = int(arguments[0]) if arguments else 1_000_000
    rng = random.Random(frames)
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        c = load(Path(folder))
        for number in range(frames):
            if number % 4 == 0:
                stuffed = rng.randbytes(rng.randrange(80)).replace(b"\0", b"")
            elif number % 4 == 1:
                stuffed = rightly_summed(c, rng)
            else:
                stuffed = mutated(
                    encode(Frame(random_message(rng), rng.randrange(65536), rng.getrandbits(32)))[:-1], rng
                )
            flaw = agree(c, stuffed)
            found[flaw.value if flaw else "good"] += 1
    logger.info("%d frames, both parsers agree: %s", frames, dict(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
