"""A process to be killed: plays the match in a folder on to its end, seen by a witness, and prints how it compares."""

import sys
from pathlib import Path

from controller.service.account import account
from controller.service.demonstration import Demonstration
from controller.simulator.truth import compare
from tests.service.witness import Witness


def main() -> None:
    folder, ruleset = Path(sys.argv[1]), sys.argv[2]
    with Demonstration(folder, ruleset, seed=7, games=1, faults=True, quick=True, watcher=Witness) as show:
        show.run(speed=None, progress=lambda _: None)
        record = account(show.service.state)
        differences = compare(show.truth().account, record)
    print(len(differences), record)


if __name__ == "__main__":
    main()
